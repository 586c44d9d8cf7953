/** What the tests of the console's batch side share: a real server on a real ledger, whose jobs are the real commands; and people who ask it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect } from 'vitest';
import type { Perform, PlaceOptions } from '../../src/app/batch/command.ts';
import { lockKey, makeKey, publicLine, publicOf, readKeyFile, unlockKey } from '../../src/approval/approval.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { performToEnd } from '../../src/cli/perform/perform-to-end.ts';
import { performIn } from '../../src/cli/perform/thread.ts';
import type { Batch, Role, Upload } from '../../src/console/api.ts';
import { openDesk } from '../../src/console/console.ts';
import { type Route, refused } from '../../src/console/http/route.ts';
import { buildServer } from '../../src/console/http/server.ts';
import type { CheckSettings } from '../../src/console/inspection/inspect.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { Independent } from '../independent/service.ts';
import { plainRules } from '../plain-rules.ts';
import { stretchCheaply } from '../stretched-once.ts';
import { kenyanRows, newFolder } from '../support.ts';

const people: Readonly<Record<string, { readonly id: number; readonly role: Role; readonly name?: string }>> = {
  Nomsa: { id: 1, role: 'preparer' },
  Thabo: { id: 2, role: 'approver' },
  Vusi: { id: 3, role: 'viewer' },
  Ada: { id: 4, role: 'administrator' },
  Pieter: { id: 5, role: 'preparer' },
  /** Was a preparer, and is an approver. */
  Both: { id: 1, role: 'approver' },
  /** Nomsa, after an administrator made her an approver. */
  Maker: { id: 1, role: 'approver', name: 'Nomsa' },
  /** Thabo, after an administrator made him a preparer. */
  Payer: { id: 2, role: 'preparer', name: 'Thabo' },
  /** Pieter, once he is an approver. */
  Later: { id: 5, role: 'approver' },
};
export const password = 'correct horse battery';
/** How sheets are checked where nothing is set. */
export const checkSettings: CheckSettings = {
  rules: plainRules,
  documents: { kinds: ['pdf', 'png', 'jpeg'], maxBytes: 10 * 1024 ** 2 },
  choices: [],
  rails: 'warn',
  duplicatesWindow: 35,
};
/** As at the embedded service, whose bound is known. */
export const settledAtOnce = {
  horizonMs: 0,
  confirmMs: 0,
  visibleMs: 0,
  policy: 'resend',
  presend: 'always',
  deadlineMs: 0,
} as const;

export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

export interface Office {
  readonly folder: string;
  readonly ledger: string;
  readonly env: Record<string, string>;
  readonly port: number;
  readonly routes: readonly Pick<Route, 'method' | 'path' | 'may'>[];
  get<T>(who: string, path: string, headers?: Record<string, string>): Promise<Answer<T>>;
  post<T>(who: string, path: string, body?: object): Promise<Answer<T>>;
  /** Presses a button of a page, which sends the state that the page shows. */
  press<T>(who: string, path: string, body?: object): Promise<Answer<T>>;
  /** As a browser sends a form, in chunks and without a length. */
  send<T>(who: string, path: string, name: string, content: Buffer | string): Promise<Answer<T>>;
  /** Handed in and looked at. */
  upload(who: string, name: string, content: Buffer | string): Promise<Upload>;
  settled(id: string): Promise<Upload>;
  /** Logged out, or shut out: who is not known any more. */
  readonly gone: Set<string>;
  /** What comes of a connection that stays open, until the server ends it. */
  follow(
    who: string,
    path: string,
  ): Promise<{ readonly status: number; readonly ended: Promise<void>; said(): string; leave(): void }>;
  close(): Promise<void>;
}

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Of a console that pays there. */
export const payingAt = ({ url, apiKey, apiSecret }: Independent): Record<string, string> => ({
  PAYRUN_BASE_URL: url,
  PAYRUN_API_KEY: apiKey,
  PAYRUN_API_SECRET: apiSecret,
});

/**
 * In the sandbox, or at the service that `env` names; `folder`: one that an earlier office left behind. Its commands are given here,
 * or in `threads` of their own, as the program does: each loads the program anew, which proves something once, and no more each time.
 * `onWrite`: hears each write of sheets and jobs by its name as it is asked for, while it may still wait for the ledger.
 */
export async function openOffice(
  folder = newFolder(),
  env: Record<string, string> = {},
  { threads = false, onWrite }: { readonly threads?: boolean; readonly onWrite?: (what: string) => void } = {},
): Promise<Office> {
  const address = env.PAYRUN_BASE_URL ?? 'sandbox';
  const world = {
    env: {
      PAYRUN_LEDGER: join(folder, 'ledger.db'),
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_DATA_HOME: join(folder, 'data'),
      ...env,
    },
    cwd: folder,
  };
  const policy = policyIn(folder);
  const files = env.PAYRUN_LEDGER_FILES;
  const opened = openLedger(world.env.PAYRUN_LEDGER, systemClock, {
    // As the program has it (cli/console.ts).
    busyTimeoutMs: 20,
    ...(files === undefined ? {} : { files }),
  });
  const ledger = onWrite === undefined ? opened : { ...opened, uploads: toldOf(opened.uploads, onWrite) };
  await keepAccounts(ledger);
  const faults: string[] = [];
  const desk = await openDesk({
    ledger,
    clock: systemClock,
    perform: (threads ? performIn : performHere)(world, { sandbox: address === 'sandbox' }),
    service: address,
    check: checkSettings,
    doubt: settledAtOnce,
    policy: () => policy,
    keys: {
      async unlock(_account, said) {
        if (said !== password) throw refused(403, 'PASSWORD_WRONG');
        return key;
      },
      file: () => lockedKey,
    },
    log: (fault) => faults.push(String(fault)),
  });
  const origins: string[] = [];
  const gone = new Set<string>();
  const server = buildServer({
    routes: desk.routes,
    page: { at: () => null },
    origins: () => origins,
    tls: null,
    behindProxy: false,
    secure: false,
    sessions: {
      whoIs(headers) {
        const name = String(headers['x-person'] ?? '');
        const person = gone.has(name) ? undefined : people[name];
        return person === undefined ? null : { name, ...person };
      },
      bearsToken: () => true,
    },
    log: (fault) => faults.push(String(fault)),
  });
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as AddressInfo;
  origins.push(`http://127.0.0.1:${port}`);
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await desk.close();
    await server.close();
    await ledger.close();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
  closing.push(close);

  const ask = async <T>(
    method: string,
    who: string,
    path: string,
    headers: Record<string, string> = {},
    parts: readonly (Buffer | string)[] = [],
  ): Promise<Answer<T>> =>
    await new Promise((done, failed) => {
      const origin = origins[0]!;
      const asking = request(
        `${origin}${path}`,
        { method, headers: { 'x-person': who, origin, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const isJson = String(response.headers['content-type']).startsWith('application/json');
            const body = (isJson ? JSON.parse(bytes.toString('utf8')) : null) as T;
            done({ status: response.statusCode ?? 0, headers: response.headers, body, bytes });
          });
          response.on('error', failed);
        },
      );
      // What is refused before it was read whole is answered, and its connection closed.
      asking.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') failed(error);
      });
      for (const part of parts) asking.write(part);
      asking.end();
    });

  const office: Office = {
    folder,
    ledger: world.env.PAYRUN_LEDGER,
    env: world.env,
    port,
    routes: desk.routes,
    get: async (who, path, headers) => await ask('GET', who, path, headers),
    post: async (who, path, body = {}) =>
      await ask('POST', who, path, { 'content-type': 'application/json' }, [JSON.stringify(body)]),
    async send(who, path, name, content) {
      const boundary = 'a-boundary';
      const quoted = name.replaceAll('"', '%22');
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'transfer-encoding': 'chunked' };
      return await ask('POST', who, path, type, [head, content, `\r\n--${boundary}--\r\n`]);
    },
    gone,
    follow: (who, path) =>
      new Promise((done, failed) => {
        const asking = request(`${origins[0]}${path}`, { headers: { 'x-person': who } }, (response) => {
          const ended = new Promise<void>((end) => response.once('close', () => end()));
          let said = '';
          response.setEncoding('utf8').on('data', (text: string) => {
            said += text;
          });
          done({ status: response.statusCode ?? 0, ended, said: () => said, leave: () => asking.destroy() });
        });
        asking.once('error', failed);
        asking.end();
      }),
    async upload(who, name, content) {
      const { status, body } = await office.send<Upload>(who, '/api/uploads', name, content);
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return await office.settled(body.id);
    },
    press: async (who, path, body = {}) => {
      const [, , list, of, action, name] = path.split('/');
      const row = 'row' in body ? body.row : 'rows' in body && Array.isArray(body.rows) ? body.rows[0] : null;
      const page = row === null ? `/api/${list}/${of}` : `/api/${list}/${of}/rows/${String(row)}`;
      type Shown = Pick<Upload, 'standing' | 'documents'> & Pick<Batch, 'turn'>;
      const { standing, documents, turn } = (await office.get<Partial<Shown>>(who, page)).body;
      const seen =
        action === 'documents'
          ? { file: documents?.find((one) => one.name === name)?.file ?? 'gone' }
          : { standing: standing ?? 'gone', ...(action === 'resume' ? { turn } : {}) };
      return await office.post(who, path, { ...seen, ...body });
    },
    async settled(id) {
      let last: Upload | null = null;
      const look = async () => {
        const { body } = await office.get<Upload>('Nomsa', `/api/uploads/${id}`);
        last = body;
        const isBusy = body.job !== null && ['running', 'stopping'].includes(body.job.state);
        return body.state === 'reading' || isBusy ? null : body;
      };
      const seen = () => JSON.stringify([last?.file, last?.state, last?.message, last?.job, faults]);
      return await eventually(`upload ${id} is settled`, look, undefined, seen);
    },
    close,
  };
  return office;
}

/** Each of its writes is told before it is made. */
function toldOf(uploads: Ledger['uploads'], tell: (what: string) => void): Ledger['uploads'] {
  const writes = ['add', 'change', 'keep', 'correct', 'undo', 'beginJob', 'changeJob'] as const;
  const told = writes.map((name) => {
    const write = uploads[name] as (...given: unknown[]) => unknown;
    return [
      name,
      (...given: unknown[]) => {
        tell(name);
        return write(...given);
      },
    ];
  });
  return { ...uploads, ...Object.fromEntries(told) };
}

/** The next look at what is pending comes soon: nothing here is proven by the seconds between two looks at a service. */
export const hasty: Clock = {
  ...systemClock,
  sleep: async (ms, signal) => await systemClock.sleep(ms < 1400 ? ms : 250, signal),
};

/** Like performIn, without the time that a thread takes to load what it runs. */
export function performHere(
  { env, cwd }: { readonly env: Record<string, string>; readonly cwd: string },
  place: PlaceOptions,
): Perform {
  return async (command, { actor, key, onProgress, say = () => {}, stop }) =>
    await performToEnd(
      { ...command, ...place },
      {
        env,
        cwd,
        clock: hasty,
        actor,
        key: key && {
          file: readKeyFile('key', key.file),
          unlock: async () => await unlockKey('key', readKeyFile('key', key.file), key.passphrase),
        },
        stop: stop ?? new AbortController().signal,
        say,
        progress: (step) => onProgress?.(step),
      },
    );
}

/**
 * Waits for what another part brings about. In vain, it tells whether this process got on at all meanwhile, and what it is at: a machine
 * that stood still, a thread and a call without an answer look alike otherwise. `seen`: what was there at the last look.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null>,
  timeoutMs = 150_000,
  seen: () => string = () => '',
): Promise<T> {
  const began = performance.now();
  let looks = 0;
  let longest = 0;
  for (let before = began; ; ) {
    const found = await look();
    if (found !== null) return found;
    const now = performance.now();
    looks += 1;
    longest = Math.max(longest, now - before);
    before = now;
    if (now - began > timeoutMs) {
      const atWork = [...Map.groupBy(process.getActiveResourcesInfo(), (one) => one)];
      throw new Error(
        `waited in vain for: ${what}; it was looked at ${looks} times, at most ${Math.round(longest)} ms apart. ${seen()}
under way here: ${atWork.map(([one, all]) => `${all.length} ${one}`).join(', ')}`,
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Their names stand beside what they do. */
async function keepAccounts({ people: store }: Ledger): Promise<void> {
  if (store.accounts().length > 0) return;
  await store.act(() => {
    for (const [name, { role }] of Object.entries(people).slice(0, 5))
      store.add({ name, nameKey: name.toLowerCase(), role });
  });
}

/** One key serves all approvers of a test but for its name: what is tested is who may, not whose key it is. */
const key = makeKey();
let lockedKey = '';

/** Where a command signs with the key's file: the only place in which locking it is worth its time. */
export async function lockTheKey(): Promise<string> {
  // The key opens only where each stretch is cheap, so each file that uses the key has cheap ones.
  stretchCheaply();
  lockedKey ||= await lockKey('Thabo', key, new Secret(password));
  return lockedKey;
}

export const policyOf = (folder: string) => join(folder, 'people', 'policy.json');

function policyIn(folder: string): string {
  mkdirSync(join(folder, 'people'), { recursive: true });
  const approvers = [{ name: 'Thabo', keys: [publicLine(publicOf('Thabo', key))] }];
  const text = JSON.stringify({ version: 1, approvers, currencies: [], otherwise: 1 });
  writeFileSync(policyOf(folder), text);
  return policyOf(folder);
}

/** The facts of what a sheet's page says last, as the ledger keeps them: its words are made where it is shown. */
export function saidOf({ ledger }: Pick<Office, 'ledger'>, upload: string): unknown {
  const said = `coalesce(u.message, (SELECT j.message FROM job j WHERE j.upload = u.id ORDER BY j.id DESC LIMIT 1))`;
  return JSON.parse(String(oneOf(ledger, `SELECT ${said} AS text FROM upload u WHERE u.id = ?`, upload)));
}

/** The plan that a sheet's page shows, as its file has it. */
export function planFileOf({ ledger }: Pick<Office, 'ledger'>, upload: string): { readonly warnings: unknown } {
  const path = oneOf(ledger, `SELECT facts ->> '$.plan.path' AS text FROM upload WHERE id = ?`, upload);
  return JSON.parse(readFileSync(String(path), 'utf8')) as { warnings: unknown };
}

/** Returns the entries of the trail about a batch, or about no batch, oldest first. */
export function trailOf({ ledger }: Pick<Office, 'ledger'>, of: string | null) {
  const entries = 'SELECT json_group_array(json(entry)) AS text FROM (SELECT entry FROM trail ORDER BY seq)';
  const kept = JSON.parse(String(oneOf(ledger, entries))) as [number, string | null, string | null, string, object][];
  return kept.flatMap(([, batch, row, what, data]) => (batch === of ? [{ row, what, data }] : []));
}

function oneOf(ledger: string, sql: string, ...given: string[]): unknown {
  const db = new DatabaseSync(ledger, { readOnly: true });
  try {
    return db.prepare(sql).get(...given)?.text;
  } finally {
    db.close();
  }
}

/** Matches words that name this row of this batch. */
export const naming = (row: number, batch: string): unknown => expect.stringMatching(`\\b${row}\\b.*\\b${batch}\\b`);

export const october = kenyanRows(3, 3).map((row, index) => ({ ...row, row_id: `o${index}`, payee_id: `p${index}` }));
/** The same payees a month later. The account of the second one is new, so its row is held. */
export const november = october.map((row, index) => ({
  ...row,
  row_id: `n${index}`,
  // Other amounts than in October, because equal ones would look like the same payments again.
  amount: String(300 + index),
  reference: `Nov ${index}`,
  ...(index === 1 ? { contact_number: '+254712345699' } : {}),
}));
