/** A console on a ledger and a clock of its own, and people who use it as a browser does: with their cookie, from its own page. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextMoment } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect } from 'vitest';
import { foldedName, lockKey, makeKey, publicLine, publicOf, type Stretch } from '../../src/approval/approval.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import type { Person, Role, Session } from '../../src/console/api.ts';
import { type Console, type ConsoleOrder, startConsole } from '../../src/console/console.ts';
import { openSessions } from '../../src/console/http/session.ts';
import { hashOf } from '../../src/console/people/password.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { plainRules } from '../plain-rules.ts';
import { newFolder } from '../support.ts';

const endings: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: never;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** In place of the console's own name. */
  readonly host?: string;
}

/** One request as it is said, with nothing added: not even what every browser sends. */
export function ask(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body, host }: Asked = {},
): Promise<Answer> {
  const { hostname, port, host: own } = new URL(url);
  return new Promise((done, failed) => {
    const sent = request(
      {
        host: hostname,
        port,
        path,
        method,
        agent: false,
        setDefaultHeaders: false,
        headers: {
          host: host ?? own,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = decoded(Buffer.concat(chunks), response.headers['content-encoding']).toString('utf8');
          const json = /json/.test(response.headers['content-type'] ?? '')
            ? (JSON.parse(text) as never)
            : (null as never);
          done({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
        response.on('error', failed);
      },
    );
    sent.on('error', failed);
    sent.end(body);
  });
}

/** As browsers do. */
function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}

/** Somebody at a browser. */
export interface Browser {
  /** As `name=value`; empty before the first login. */
  cookie: string;
  csrf: string | null;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Served {
  readonly console: Console;
  readonly ledger: Ledger;
  readonly folder: string;
  /** Time goes on by what is added here. */
  readonly time: { ahead: number };
  readonly stretch: Stretch;
  browser(): Browser;
  /** By a link, as a person does. */
  join(link: string, name: string): Promise<Browser>;
  /** Somebody who has joined before, and is logged in. */
  seated(name: string, role: Role): Promise<Browser>;
  /** The same at another browser. */
  again(name: string, role: Role): Promise<Browser>;
  close(): Promise<void>;
}

const made = new Map<string, Promise<object>>();

/** Made once in each test file: the work is slow on purpose. */
function once<T extends object>(what: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(what) ?? make();
  made.set(what, known);
  return known as Promise<T>;
}
/** Others may come between, but it takes no time. Where the work itself counts: `scryptKey`; where what comes between does: `held`. */
const quickly: Stretch = async (passphrase, salt) => {
  await nextMoment();
  return createHash('sha256').update(passphrase.reveal().normalize('NFC')).update(salt).digest();
};

/** Of which the work waits for `until`. */
export function held() {
  const work = { begun: 0, until: Promise.resolve() };
  const stretch: Stretch = async (passphrase, salt) => {
    work.begun += 1;
    await work.until;
    return await quickly(passphrase, salt);
  };
  return Object.assign(work, { stretch });
}

const passwordFacts = (name: string, stretch: Stretch) =>
  once(`password ${name} ${stretch.name}`, async () => ({ password: await hashOf(passwordOf(name), stretch) }));
const keyFacts = (name: string, stretch: Stretch) =>
  once(`key ${name} ${stretch.name}`, async () => {
    const key = makeKey();
    const keyFile = await lockKey(name, key, new Secret(passwordOf(name)), stretch);
    return { keyFile, publicKey: publicLine(publicOf(name, key)) };
  });

export const passwordOf = (name: string) => `${name.toUpperCase()} and a horse 7`;

export async function openDesk(changes: Partial<ConsoleOrder> = {}): Promise<Served> {
  const folder = newFolder();
  const time = { ahead: 0 };
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + time.ahead };
  const { stretch = quickly, ledger = openLedger(join(folder, 'ledger.db'), clock, { busyTimeoutMs: 20 }) } = changes;
  const console = await startConsole({
    ledger,
    clock,
    perform: () => Promise.reject(new Error('no command is given here')),
    version: '0.1.0',
    service: 'sandbox',
    serviceFault: async () => null,
    settings: () => [],
    machinePolicy: null,
    check: {
      rules: plainRules,
      documents: { kinds: ['pdf'], maxBytes: 1024 },
      choices: [],
      rails: 'warn',
      duplicatesWindow: 35,
    },
    doubt: { horizonMs: 0, confirmMs: 0, visibleMs: 0, policy: 'resend', presend: 'always', deadlineMs: 0 },
    page: null,
    host: '127.0.0.1',
    port: 0,
    behindProxy: null,
    tls: null,
    log: (fault) => expect.fail(String(fault)),
    ...changes,
    stretch,
  });
  let ending: Promise<void> | null = null;
  const close = () => {
    ending ??= console.close().then(() => ledger.close());
    return ending;
  };
  endings.push(close);
  const sessions = openSessions(ledger.people, clock, (changes.behindProxy ?? null) !== null);

  function browser(cookie = '', csrf: string | null = null): Browser {
    const self: Browser = {
      cookie,
      csrf,
      get: (path) => ask(console.local, path, { headers: self.cookie === '' ? {} : { cookie: self.cookie } }),
      async post(path, body = {}, headers = {}) {
        const answer = await ask(console.local, path, {
          method: 'POST',
          headers: {
            origin: console.url,
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/json',
            ...(self.cookie === '' ? {} : { cookie: self.cookie }),
            ...(self.csrf === null ? {} : { 'x-payrun-csrf': self.csrf }),
            ...headers,
          },
          body: JSON.stringify(body),
        });
        const [set] = answer.headers['set-cookie'] ?? [];
        if (set !== undefined) {
          self.cookie = set.split(';')[0] ?? '';
          self.csrf = (answer.json as Session).csrf;
        }
        return answer;
      },
    };
    return self;
  }

  /** As if the person had joined, without the slow work of it. */
  async function seated(name: string, role: Role): Promise<Browser> {
    const facts = {
      ...(await passwordFacts(name, stretch)),
      ...(role === 'approver' ? await keyFacts(name, stretch) : {}),
    };
    return await ledger.people.act(() => {
      const known = ledger.people.named(foldedName(name));
      const id = known?.id ?? ledger.people.add({ name, nameKey: foldedName(name), role });
      if (known === null) ledger.people.change(id, facts);
      const { cookie, token } = sessions.begin({}, id);
      return browser(cookie.split(';')[0], token);
    });
  }

  return {
    console,
    ledger,
    folder,
    time,
    stretch,
    browser: () => browser(),
    close,
    async join(link, name) {
      const one = browser();
      const answer = await one.post('/api/join', { token: link.split('#')[1], name, password: passwordOf(name) });
      expect(answer.status, answer.text).toBe(200);
      return one;
    },
    seated,
    again: seated,
  };
}

/** The number of somebody, as an administrator sees it. */
export async function idOf(admin: Browser, name: string): Promise<number> {
  const { json } = await admin.get('/api/people');
  return (json as Person[]).find((one) => one.name === name)?.id ?? -1;
}
