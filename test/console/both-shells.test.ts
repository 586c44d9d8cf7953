/** A command from the terminal and the same command from a page do the same: equal trail entries, and the same end. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { lockKey, makeKey } from '../../src/approval/approval.ts';
import { Secret } from '../../src/base/secret.ts';
import type { Batch, ErrorAnswer, Review, Upload } from '../../src/console/api.ts';
import { newPlace } from '../ledger/stores.ts';
import { quick } from '../protocol/desk.ts';
import { command, csvOf, kenyanRows, newFolder, newService, type SheetRow } from '../support.ts';
import {
  eventually,
  lockTheKey,
  november,
  type Office,
  october,
  openOffice,
  password,
  payingAt,
  policyOf,
  trailOf,
} from './office.ts';

interface Step {
  /** The options of the terminal's command on batch november. */
  readonly words: readonly string[];
  readonly by: 'Nomsa' | 'Thabo' | 'Maker';
  /** The route of the batch, and its request. */
  readonly post: readonly [route: string, body: object];
  readonly exit: number;
  readonly code?: string;
}

const reason = 'Asked by phone';
const signed = ({ folder }: Office, name = 'thabo') => [
  '--key',
  join(folder, `${name}.key`),
  '--policy',
  policyOf(folder),
];
const n1 = { row: 'n1', reason };
const said = ['--row', 'n1', '--reason', reason];

/** Each step begins where the step before it ended. */
const steps: Readonly<Record<string, Step>> = {
  'drop a held row': { words: ['drop', ...said], by: 'Nomsa', post: ['drop', n1], exit: 22 },
  'reopen it': { words: ['reopen', ...said], by: 'Thabo', post: ['reopen', { ...n1, password }], exit: 22 },
  'release it as its maker': {
    words: ['release', ...said],
    by: 'Maker',
    post: ['release', { ...n1, password }],
    exit: 26,
    code: 'RELEASE_BY_MAKER',
  },
  'release it': { words: ['release', ...said], by: 'Thabo', post: ['release', { ...n1, password }], exit: 22 },
  'resolve a row in another way than it is held': {
    words: ['resolve', '--row', 'again', '--release-absent', '--reason', reason],
    by: 'Thabo',
    post: ['resolve', { row: 'again', reason, way: 'release-absent', password }],
    exit: 2,
    code: 'ROW_IN_OTHER_STATE',
  },
  'resolve a row that looks like a payment': {
    words: ['resolve', '--row', 'again', '--not-a-repeat', '--reason', reason],
    by: 'Thabo',
    post: ['resolve', { row: 'again', reason, way: 'not-a-repeat', password }],
    exit: 23,
  },
  'search for payments': { words: ['reconcile'], by: 'Nomsa', post: ['reconcile', {}], exit: 23 },
  'continue the batch': { words: ['resume', '--wait', '1h'], by: 'Nomsa', post: ['resume', {}], exit: 0 },
  'drop a paid row': {
    words: ['drop', '--row', 'n0', '--reason', reason],
    by: 'Nomsa',
    post: ['drop', { row: 'n0', reason }],
    exit: 2,
    code: 'ROW_IN_OTHER_STATE',
  },
};

/** Uploads a sheet and plans it. Returns the upload's id and the digest of the plan. */
async function planned(office: Office, batch: string, rows: readonly SheetRow[]) {
  const { id } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, {
    batch,
    skipInvalid: false,
    expect: [`rows=${rows.length}`],
  });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  return { id, digest: (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body.digest };
}

async function ended(office: Office, batch: string): Promise<Batch> {
  return await eventually(`the job on ${batch} has ended`, async () => {
    const { body, status } = await office.get<Batch>('Nomsa', `/api/batches/${batch}`);
    return status === 200 && body.job !== null && body.job.state !== 'running' ? body : null;
  });
}

async function paid(office: Office, batch: string, rows: readonly SheetRow[]): Promise<void> {
  const { id, digest } = await planned(office, batch, rows);
  await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
  await ended(office, batch);
}

async function opened(): Promise<Office> {
  const office = await openOffice();
  const keys = { thabo: await lockTheKey(), nomsa: await lockKey('Nomsa', makeKey(), new Secret(password)) };
  for (const [name, key] of Object.entries(keys))
    writeFileSync(join(office.folder, `${name}.key`), key, { mode: 0o600 });
  await paid(office, 'october', october);
  // The last row looks like a payment of October, so it is held too.
  await paid(office, 'november', [...november, { ...october[0]!, row_id: 'again' }]);
  return office;
}

/** Facts that differ between two runs of one command: keys and signatures, and what the service answers at that moment. */
const varies =
  /^(?:began|until|moment|tag|signature|released|merchantId|paymentId|paymentStatus|serviceDetails|fingerprint|plan)$/;
const times = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?: UTC|Z)?|\b\d{13}\b/g;
/** How often the service is asked depends on how fast it settles a payment. */
const isOfAsking = (what: string, data: object) => what === 'listed' || (what === 'note' && 'paymentStatus' in data);

/** Returns the entries from `from` on, by row, without those about people of the console. Rows sent together end in any order. */
function entriesOf(office: Office, from: number): readonly unknown[] {
  const entries = trailOf(office, 'november')
    .slice(from)
    .filter(({ what, data }) => what !== 'person' && !isOfAsking(what, data))
    .sort((one, other) => (one.row ?? '').localeCompare(other.row ?? ''))
    .map((entry) => JSON.stringify(entry, (name, fact: unknown) => (varies.test(name) ? null : fact)))
    .map((text) => text.replaceAll(times, '0'));
  return entries.map((text) => JSON.parse(text) as unknown);
}

const stateOfJob = ({ ledger }: Office) => textIn(ledger, 'SELECT state AS text FROM job ORDER BY id DESC LIMIT 1');

function textIn(ledger: string, sql: string): unknown {
  const db = new DatabaseSync(ledger, { readOnly: true });
  try {
    return db.prepare(sql).get()?.text;
  } finally {
    db.close();
  }
}

it('every command that both shells have leaves equal entries in the trail, and ends with the same code', async () => {
  const [terminal, page] = [await opened(), await opened()];
  await namesConsole(page);
  for (const [step, { words, by, post, exit, code }] of Object.entries(steps)) {
    const [before, beforePage] = [trailOf(terminal, 'november').length, trailOf(page, 'november').length];
    const [verb = '', ...options] = words;
    const name = by === 'Maker' ? 'Nomsa' : by;
    const key = by === 'Nomsa' ? [] : signed(terminal, name.toLowerCase());
    const policy = by === 'Nomsa' && verb === 'resume' ? ['--policy', policyOf(terminal.folder)] : [];
    const desk = {
      env: { ...terminal.env, PAYRUN_PASSPHRASE: password },
      folder: terminal.folder,
      actor: { driver: 'terminal', name } as const,
    };
    const ran = await command(desk, [verb, 'november', ...options, ...key, ...policy, '--sandbox', '--json']);
    const { error, rows } = JSON.parse(ran.out.trimEnd().split('\n').at(-1)!) as {
      error?: { code: string };
      rows?: object;
    };
    const [route, body] = post;
    if (route !== 'reconcile') {
      const stale = { ...body, ...(route === 'resume' ? { turn: 1 } : {}), standing: 'as it stood before' };
      const moved = await page.post<ErrorAnswer>(by, `/api/batches/november/${route}`, stale);
      await ended(page, 'november');
      const code = route === 'resume' || route === 'retry' ? 'BATCH_MOVED' : 'ROW_MOVED';
      expect([step, moved.status, moved.body.code, stateOfJob(page)]).toEqual([step, 409, code, 'failed']);
      expect(entriesOf(page, beforePage), step).toEqual([]);
    }
    const press = route === 'reconcile' ? page.post<ErrorAnswer> : page.press<ErrorAnswer>;
    const answer = await press(by, `/api/batches/november/${route}`, body);
    const shown = await ended(page, 'november');
    expect([step, ran.exit, error?.code]).toEqual([step, exit, code]);
    const state = code === undefined ? 'done' : 'failed';
    expect([step, stateOfJob(page), answer.body.code]).toEqual([step, state, code]);
    if (rows !== undefined) expect(shown.rows, step).toEqual({ ...rows, being_sent: 0 });
    expect(entriesOf(page, beforePage), step).toEqual(entriesOf(terminal, before));
  }
});

/** Approvers of a console have no key files, so the terminal names the console wherever one signs. */
async function namesConsole({ env, folder }: Office): Promise<void> {
  for (const words of [
    ['status', 'november'],
    ['explain', 'november', 'n1'],
    ['release', 'november', '--row', 'n1', '--reason', reason, '--by', 'Esi'],
  ]) {
    const { out, err } = await command({ env, folder }, [...words, '--sandbox', '--json']);
    expect(out + err).toMatch(/"signs": ?"console"/);
    expect(out + err).not.toContain('--key');
  }
}

it('a pause from one shell holds the other, and the page ends only the Stop that it showed', async () => {
  const service = await newService();
  const folder = newFolder();
  const place = { PAYRUN_LEDGER: await newPlace('Postgres'), PAYRUN_LEDGER_FILES: join(folder, 'files') };
  const office = await openOffice(folder, { ...quick, ...place, ...payingAt(service) });
  const terminal = async (...words: string[]) => await command(office, words);
  const resume = async (body: object) => {
    await office.press('Nomsa', '/api/batches/nov/resume', body);
    return (await ended(office, 'nov')).job;
  };
  const { id, digest } = await planned(office, 'nov', kenyanRows(2));
  await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  const pay = async () => await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/pay`, { digest });
  const review = async () => (await office.get<Review>('Nomsa', `/api/uploads/${id}/plan`)).body;
  expect((await terminal('pause', '--reason', 'the bank called')).exit).toBe(0);
  const refused = await pay();
  expect([refused.status, refused.body.code]).toEqual([409, 'PAUSED']);
  expect((await review()).stops).toEqual([refused.body.message]);
  expect((await office.get('Nomsa', '/api/batches/nov')).status, 'no job began').toBe(404);
  await terminal('pause', '--end');
  expect((await review()).stops).toEqual([]);
  // No row is sent, because the service's list cannot be read.
  service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'answer', status: 500 } : undefined);
  await pay();
  expect((await ended(office, 'nov')).rows.not_sent).toBe(2);
  service.fault = () => undefined;
  const stop = await office.post<Batch>('Nomsa', '/api/batches/nov/stop');
  const { turn, stopped } = stop.body;
  expect([stop.status, stopped]).toEqual([200, expect.stringMatching(/^Nomsa stopped/)]);
  expect(await resume({ turn: turn + 1 })).toMatchObject({ state: 'failed', code: 'LEAD_MOVED' });
  expect(service.payments).toEqual([]);
  expect(await resume({})).toMatchObject({ state: 'done' });
  expect(service.payments).toHaveLength(2);
  await office.close();
});

it('a signature from the terminal and one from the page count alike, and neither is made if the policy would not count it', async () => {
  const office = await openOffice();
  writeFileSync(join(office.folder, 'thabo.key'), await lockTheKey(), { mode: 0o600 });
  const sign = {
    async terminal({ id }: { readonly id: string }) {
      const desk = { env: { ...office.env, PAYRUN_PASSPHRASE: password }, folder: office.folder };
      const ran = await command(desk, ['approve', planOf(office, id), ...signed(office), '--json']);
      return (JSON.parse(ran.out) as { error?: { code: string } }).error?.code;
    },
    async page({ id, digest }: { readonly id: string; readonly digest: string }) {
      const answer = await office.post<Partial<ErrorAnswer>>('Thabo', `/api/uploads/${id}/approve`, {
        digest,
        password,
      });
      return answer.body.code ?? undefined;
    },
  };
  const sheets = { terminal: october, page: november } as const;
  const review = async (id: string) => (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  const policy = readFileSync(policyOf(office.folder), 'utf8');
  const found: unknown[] = [];
  for (const shell of ['terminal', 'page'] as const) {
    const plan = await planned(office, shell, sheets[shell]);
    writeFileSync(policyOf(office.folder), policy.replaceAll('Thabo', 'Esi'));
    expect([shell, await sign[shell](plan)]).toEqual([shell, 'SIGNATURE_USELESS']);
    expect(readdirSync(dirname(planOf(office, plan.id))).filter((name) => name.endsWith('.sig.json'))).toEqual([]);
    writeFileSync(policyOf(office.folder), policy);
    expect([shell, await sign[shell](plan)]).toEqual([shell, undefined]);
    const { approvals, needed } = await review(plan.id);
    const { state } = (await office.get<Upload>('Nomsa', `/api/uploads/${plan.id}`)).body;
    found.push([state, needed, approvals.map(({ name, fingerprint }) => [name, fingerprint])]);
  }
  expect(found[0]).toEqual(['approved', 1, [['Thabo', expect.any(String)]]]);
  expect(found[1]).toEqual(found[0]);
});

it('in every shell, an approver does not pay, and people who worked on the batch do not approve', async () => {
  const office = await openOffice();
  const keys = { thabo: await lockTheKey(), nomsa: await lockKey('Nomsa', makeKey(), new Secret(password)) };
  for (const [name, key] of Object.entries(keys))
    writeFileSync(join(office.folder, `${name}.key`), key, { mode: 0o600 });
  const { id, digest } = await planned(office, 'nov', kenyanRows(2));
  const terminalOf = (name: string) => ({
    env: office.env,
    folder: office.folder,
    actor: { driver: 'terminal', name } as const,
  });
  const options = ['--sandbox', '--json'];
  const payAtTerminal = async (name = 'thabo') => {
    const paying = ['run', planOf(office, id), '--policy', policyOf(office.folder), ...options];
    const ran = await command(terminalOf(name), paying);
    return (JSON.parse(ran.out) as { error?: { code: string; facts: object } }).error;
  };
  const approve = async (who: string, from: { readonly id: string; readonly digest: string }) =>
    (await office.post<ErrorAnswer>(who, `/api/uploads/${from.id}/approve`, { digest: from.digest, password })).body
      .code;
  const pay = async (who: string) =>
    (await office.post<ErrorAnswer>(who, `/api/uploads/${id}/pay`, { digest })).body.code;

  expect(await approve('Maker', { id, digest })).toBe('OWN_SHEET');
  expect(await payAtTerminal()).toMatchObject({ code: 'APPROVALS_TOO_FEW', facts: { notCounted: [] } });

  expect(await approve('Thabo', { id, digest })).toBeNull();
  expect([await pay('Payer'), (await payAtTerminal())?.code]).toEqual(['OWN_APPROVAL', 'OWN_APPROVAL']);
  expect((await office.get('Nomsa', '/api/batches/nov')).status, 'no job began').toBe(404);

  expect(await payAtTerminal('ama')).toBeUndefined();
  const resumed = await command(terminalOf('thabo'), [
    'resume',
    'nov',
    ...options,
    '--policy',
    policyOf(office.folder),
  ]);
  expect(JSON.parse(resumed.out).error).toMatchObject({ code: 'OWN_APPROVAL' });
  await office.close();
});

const planOf = ({ ledger }: Office, upload: string) =>
  String(textIn(ledger, `SELECT facts ->> '$.plan.path' AS text FROM upload WHERE id = '${upload}'`));
