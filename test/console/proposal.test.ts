/** A plan that waits at the console holds its batch: nothing of it is sent, and no other sheet of it comes in. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Batch, ErrorAnswer, Review, Upload } from '../../src/console/api.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { quick } from '../protocol/desk.ts';
import {
  command,
  csvOf,
  documentOf,
  kenyanRows,
  newFolder,
  newService,
  noted,
  type SheetRow,
  until,
} from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';

const rows = kenyanRows(4, 4);
const three = rows.slice(0, 3);
const other = '+254799000111';
const corrected = [rows[0]!, rows[1]!, { ...rows[2]!, contact_number: other }];

async function open() {
  const service = await newService();
  const office = await openOffice(newFolder(), {
    ...quick,
    PAYRUN_HTTP_TIMEOUT: '60s',
    PAYRUN_CONCURRENCY: '1',
    ...payingAt(service),
  });
  const stopsAfter = (count: number | null) => {
    service.fault = ({ route, nth }) =>
      count !== null && route === 'POST /payments' && nth > count ? { kind: 'answer', status: 401 } : undefined;
  };
  const paid = () =>
    service.payments
      .map(({ reference, merchantId }) => {
        const isOther = JSON.stringify(service.merchants.get(String(merchantId))).includes(other);
        return `${reference}${isOther ? ' to the other account' : ''}`;
      })
      .sort();
  const terminal = async (sheet: readonly SheetRow[], ...flags: string[]) => {
    const file = join(office.folder, 'terminal.csv');
    writeFileSync(file, csvOf(sheet));
    return await command(office, ['run', file, '--batch', 'nov', '--wait', '20s', ...flags]);
  };
  return { office, service, stopsAfter, paid, terminal };
}

async function planned(office: Office, file: string, sheet: readonly SheetRow[], more: object = {}) {
  const { id } = await office.upload('Nomsa', file, csvOf(sheet));
  const ask = { batch: 'nov', skipInvalid: false, expect: [], ...more };
  expect((await office.press('Nomsa', `/api/uploads/${id}/plan`, ask)).status).toBe(200);
  const { state, code, message, waits, lookedAt } = await office.settled(id);
  return { id, code: code ?? state, message, waits, lookedAt };
}

async function approved(office: Office, ...sheet: Parameters<typeof planned> extends [Office, ...infer R] ? R : never) {
  const { id, code, message } = await planned(office, ...sheet);
  expect([code, message]).toEqual(['planned', null]);
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  return { id, digest };
}

const batchOf = async (office: Office) => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
const ended = async (office: Office): Promise<Batch> =>
  await eventually('the job has ended', async () => {
    const batch = await batchOf(office);
    return ['done', 'failed'].includes(String(batch.job?.state)) ? batch : null;
  });

async function pay(office: Office, { id, digest }: { readonly id: string; readonly digest: string }): Promise<Batch> {
  expect((await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest })).status).toBe(200);
  return await ended(office);
}

it('nothing of the batch is sent until it is paid, and then its rows are', async () => {
  const { office, stopsAfter, paid, terminal } = await open();
  stopsAfter(1);
  const first = await approved(office, 'nov.csv', three);
  expect((await pay(office, first)).job).toMatchObject({ kind: 'pay', code: 'CREDENTIALS_REFUSED' });
  expect(await office.settled(first.id), 'the page of the batch says what stopped it').toMatchObject({
    state: 'batch',
    message: null,
    job: null,
  });
  stopsAfter(null);
  const waiting = await approved(office, 'corrected.csv', corrected);
  const { body: review } = await office.get<Review>('Thabo', `/api/uploads/${waiting.id}/plan`);
  expect(review.corrected).toMatchObject([{ row: 4, why: null, changes: expect.stringMatching(/is .*000111.$/) }]);
  expect((await batchOf(office)).proposal).toMatchObject({ upload: waiting.id, file: 'corrected.csv', by: 'Nomsa' });

  await office.press('Nomsa', '/api/batches/nov/resume');
  expect((await ended(office)).job).toMatchObject({ state: 'failed', code: 'PROPOSAL_WAITS' });
  const resumed = await command(office, ['resume', 'nov', '--wait', '20s', '--json']);
  expect([resumed.exit, documentOf(resumed).stopped]).toMatchObject([
    26,
    { code: 'PROPOSAL_WAITS', facts: { batch: 'nov', file: 'corrected.csv', by: 'Nomsa' } },
  ]);
  const status = documentOf(await command(office, ['status', 'nov', '--json', '--exit-code']));
  const facts = { batch: 'nov', file: 'corrected.csv', by: 'Nomsa' };
  expect(status.notes).toContainEqual(noted('plan-waits', { why: { code: 'PROPOSAL_WAITS', facts } }));
  expect(status.next, 'nothing is sent meanwhile').toEqual([]);
  // The first row's payment is followed all the same.
  expect(paid()).toEqual(['Ref 1']);

  const second = await planned(office, 'other.csv', rows, { add: true });
  expect(second).toMatchObject({ code: 'PROPOSAL_WAITS', waits: [{ batch: 'nov', by: 'Nomsa', upload: waiting.id }] });
  expect((await terminal(rows, '--add')).exit).toBe(26);
  expect(paid()).toEqual(['Ref 1']);

  const batch = await pay(office, waiting);
  expect([batch.proposal, batch.rows.paid]).toEqual([null, 3]);
  expect(paid()).toEqual(['Ref 1', 'Ref 2', 'Ref 3 to the other account']);
  await office.close();
});

it('a job that met the plan is not shown after the plan has ended', async () => {
  const { office, stopsAfter } = await open();
  stopsAfter(1);
  await pay(office, await approved(office, 'nov.csv', three));
  const { id } = await planned(office, 'corrected.csv', corrected);
  await office.press('Nomsa', '/api/batches/nov/resume');
  expect((await ended(office)).job).toMatchObject({ code: 'PROPOSAL_WAITS' });
  const { digest } = (await office.get<Review>('Nomsa', `/api/uploads/${id}/plan`)).body;
  await office.post('Nomsa', `/api/uploads/${id}/withdraw`, { digest, reason: 'An older list' });
  expect(await batchOf(office)).toMatchObject({ proposal: null, job: null });
  await office.close();
});

/** A payment of batch nov is under way, until `answered` is resolved. */
async function paying() {
  const opened = await open();
  const { office, service } = opened;
  const answered = Promise.withResolvers<void>();
  service.fault = ({ route }) =>
    route === 'POST /payments' ? { kind: 'hold', after: true, until: answered.promise } : undefined;
  const first = await approved(office, 'nov.csv', three);
  expect((await office.post('Nomsa', `/api/uploads/${first.id}/pay`, { digest: first.digest })).status).toBe(200);
  await until('a payment is under way', () => service.calls.get('POST /payments') === 1);
  return { ...opened, answered };
}

it('a plan is made after its hold and after the payments under way, so no row is sent beside it', async () => {
  const { office, paid, answered } = await paying();
  const renamed = [rows[0]!, { ...rows[1]!, name: 'Wanjiru Maina' }, corrected[2]!];
  const { id } = await office.upload('Nomsa', 'corrected.csv', csvOf(renamed));
  const ask = { batch: 'nov', skipInvalid: false, expect: [] };
  expect((await office.press('Nomsa', `/api/uploads/${id}/plan`, ask)).status).toBe(200);
  await eventually('the batch is held', async () => ((await batchOf(office)).proposal === null ? null : true));
  expect(await office.get<Upload>('Nomsa', `/api/uploads/${id}`)).toMatchObject({
    body: { state: 'ready', job: { kind: 'plan', state: 'running' } },
  });
  answered.resolve();
  expect((await ended(office)).job).toMatchObject({ code: 'PROPOSAL_WAITS' });
  expect((await office.settled(id)).state).toBe('planned');
  const { body: review } = await office.get<Review>('Thabo', `/api/uploads/${id}/plan`);
  const known = { word: expect.stringMatching(/^(?:pending|paid)$/), rows: 1 };
  expect([review.rowsToSend, review.standings]).toEqual([2, [known]]);
  expect(review.corrected).toMatchObject([
    { row: 3, changes: expect.stringContaining('Wanjiru Maina') },
    { row: 4, changes: expect.stringContaining('000111') },
  ]);
  expect(paid()).toEqual(['Ref 1']);
  await office.close();
});

it('a refused plan stops no batch that is being paid, and its sheet says why after that', async () => {
  const { office, paid, answered } = await paying();
  const refused = await planned(office, 'changed.csv', [{ ...rows[0]!, contact_number: other }, ...three.slice(1)]);
  expect(refused.code).toBe('SENT_ROWS_CHANGED');
  answered.resolve();
  expect(await ended(office)).toMatchObject({ job: { kind: 'pay', state: 'done' }, rows: { paid: 3 } });
  expect(paid()).toEqual(['Ref 1', 'Ref 2', 'Ref 3']);
  await eventually('the sheet is checked again', async () => {
    const { body } = await office.get<Upload>('Nomsa', `/api/uploads/${refused.id}`);
    return body.lookedAt === refused.lookedAt ? null : true;
  });
  expect(await office.settled(refused.id)).toMatchObject({ state: 'ready', code: 'SENT_ROWS_CHANGED' });
  await office.close();
});

it('a plan that a console did not finish holds its batch until the sheet has another', async () => {
  const { office } = await open();
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(three));
  const ledger = openLedger(office.ledger, systemClock);
  await ledger.holds.propose('nov', { by: 'Nomsa', file: 'nov.csv', upload: id });
  await ledger.close();
  expect((await office.settled(id)).state).toBe('ready');
  expect((await planned(office, 'other.csv', rows)).code).toBe('PROPOSAL_WAITS');
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect((await office.settled(id)).state).toBe('planned');
  await office.close();
});

it('a sheet that is fixed after its plan holds nothing any more, nor does a plan that was withdrawn', async () => {
  const { office } = await open();
  const first = await planned(office, 'nov.csv', three);
  expect((await planned(office, 'other.csv', rows)).code).toBe('PROPOSAL_WAITS');
  const discard = async () => await office.press<ErrorAnswer>('Nomsa', `/api/uploads/${first.id}/discard`);
  expect((await discard()).body.code, 'its plan waits').toBe('PROPOSAL_WAITS');
  const { digest } = (await office.get<Review>('Nomsa', `/api/uploads/${first.id}/plan`)).body;
  const withdraw = async (who: string) =>
    await office.post<ErrorAnswer>(who, `/api/uploads/${first.id}/withdraw`, { digest, reason: 'An older list' });
  expect((await withdraw('Pieter')).body.code).toBe('NOT_OWN_PLAN');
  expect((await withdraw('Nomsa')).status).toBe(200);
  expect(await office.settled(first.id)).toMatchObject({
    state: 'ready',
    declined: { by: 'Nomsa', did: 'plan-withdrawn', reason: 'An older list' },
  });
  expect((await discard()).status).toBe(204);
  const next = await planned(office, 'other.csv', rows);
  expect(next.code).toBe('planned');
  const { header } = await office.settled(next.id);
  const fix = { row: 2, column: header.indexOf('reference'), from: 'Ref 1', to: 'Ref 1b' };
  expect((await office.post('Nomsa', `/api/uploads/${next.id}/corrections`, fix)).status).toBe(200);
  await office.settled(next.id);
  expect((await planned(office, 'third.csv', three)).code).toBe('planned');
  await office.close();
});

it('a new plan that meets a waiting plan ends no plan, and the approved one can still be paid', async () => {
  const { office, paid } = await open();
  const own = await approved(office, 'nov.csv', three);
  const others = rows.map((row) => ({ ...row, row_id: `d${row.row_id}`, reference: `Other ${row.reference}` }));
  const waiting = await planned(office, 'dec.csv', others, { batch: 'dec' });
  expect(waiting.code).toBe('planned');
  await office.press('Nomsa', `/api/uploads/${own.id}/plan`, { batch: 'dec', skipInvalid: false, expect: [] });
  expect(await office.settled(own.id)).toMatchObject({
    state: 'approved',
    batch: 'nov',
    planLost: null,
    job: { kind: 'plan', state: 'failed', code: 'PROPOSAL_WAITS' },
    waits: [{ batch: 'dec', by: 'Nomsa', upload: waiting.id }],
  });
  expect((await pay(office, own)).rows.paid).toBe(3);
  expect(paid()).toEqual(['Ref 1', 'Ref 2', 'Ref 3']);
  await office.close();
});

it('a new plan for another batch replaces the approved plan, which nobody can pay then', async () => {
  const { office, paid } = await open();
  const own = await approved(office, 'nov.csv', three);
  await office.press('Nomsa', `/api/uploads/${own.id}/plan`, { batch: 'dec', skipInvalid: false, expect: [] });
  expect(await office.settled(own.id)).toMatchObject({ state: 'planned', batch: 'dec' });
  const again = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${own.id}/pay`, { digest: own.digest });
  expect(again.body.code).toBe('PLAN_MOVED');
  expect(paid()).toEqual([]);
  await office.close();
});

it('a terminal ends a plan of the console, and the console shows it', async () => {
  const { office } = await open();
  const end = async (verb: string, by: string) =>
    await command(office, [verb, 'nov', '--reason', 'The old account is right', '--by', by]);
  const first = await planned(office, 'nov.csv', three);
  expect((await end('decline', 'Nomsa')).exit).toBe(26);
  expect((await end('withdraw', 'Thabo')).exit).toBe(26);
  expect((await office.settled(first.id)).state).toBe('planned');
  expect((await end('decline', 'Thabo')).exit).toBe(0);
  expect(await office.settled(first.id)).toMatchObject({
    state: 'ready',
    declined: { by: 'Thabo', did: 'plan-declined' },
  });
  await planned(office, 'other.csv', rows);
  expect((await end('withdraw', 'Nomsa')).exit).toBe(0);
  expect((await planned(office, 'third.csv', three)).code).toBe('planned');
  await office.close();
});

it('the console lists the plan of a first version that a terminal proposed, but no plan of its own', async () => {
  const { office } = await open();
  const file = join(office.folder, 'terminal.csv');
  writeFileSync(file, csvOf(three));
  const proposed = await command(office, ['propose', file, '--batch', 'dec', '--maker', 'Ama']);
  expect(proposed.exit).toBe(0);
  expect((await planned(office, 'nov.csv', rows)).code).toBe('planned');
  const { body } = await office.get<object[]>('Nomsa', '/api/proposals');
  expect(body).toMatchObject([{ batch: 'dec', file: 'terminal.csv', by: 'Ama' }]);
  await office.close();
});

/** Presses the button of a plan as the page does, with the newest sheet that the page names. */
async function pressPlan(office: Office, id: string, more: object = {}) {
  const { named } = await office.settled(id);
  const ask = {
    batch: 'nov',
    skipInvalid: false,
    expect: [],
    base: named?.head,
    ...more,
  };
  expect((await office.press('Pieter', `/api/uploads/${id}/plan`, ask)).status).toBe(200);
  const { state, job } = await office.settled(id);
  return { state, code: job?.code ?? null, message: job?.message ?? null, confirms: job?.confirms ?? null };
}

/** Two people upload sheets of the batch, of which one row is paid. The plan of the first one opens, and sends no row. */
async function overtaken(sheet: readonly SheetRow[], overtaking: readonly SheetRow[]) {
  const { office, stopsAfter, paid } = await open();
  stopsAfter(1);
  await pay(office, await approved(office, 'nov.csv', three));
  stopsAfter(0);
  const { id, standing } = await office.upload('Pieter', 'other.csv', csvOf(sheet));
  const whole = { add: true, drop: true };
  expect((await pay(office, await approved(office, 'corrected.csv', overtaking, whole))).proposal).toBeNull();
  expect(paid()).toEqual(['Ref 1']);
  return { office, id, standing };
}

const newest = 'corrected.csv (by Nomsa, ';
const confirmed = { add: true, drop: true };

it.each([
  [
    'corrects another row',
    [rows[0]!, { ...rows[1]!, amount: '1900' }, rows[2]!],
    corrected,
    ['(Payee 2): ', '1,900', '(Payee 3): ', "'+254799000111'", "'+254712345612'"],
    { add: 0, change: 2, close: 0 },
  ],
  ['adds a row', rows, corrected, ['(Payee 3): '], { add: 1, change: 1, close: 0 }],
  ['lacks a row that the newest sheet added', three, rows, ['k4 (Payee 4, 103 KES)'], { add: 0, change: 0, close: 1 }],
  ['has the old content of a corrected row', three, corrected, ['(Payee 3): '], { add: 0, change: 1, close: 0 }],
])(
  'the sheet of a second person that %s meets one refusal, and its button makes the plan',
  async (_, sheet, overtaking, texts, changes) => {
    const { office, id } = await overtaken(sheet, overtaking);
    const refused = await pressPlan(office, id);
    expect(refused).toMatchObject({ state: 'ready', code: 'VERSION_CONFLICT', confirms: { batch: 'nov', ...changes } });
    for (const text of [newest, ...texts]) expect(refused.message).toContain(text);
    expect(await batchOf(office), 'a refused plan holds nothing').toMatchObject({ proposal: null });
    expect(await pressPlan(office, id, confirmed)).toMatchObject({ state: 'planned' });
    await office.close();
  },
);

it('the sheet of a second person that changes a paid row too meets one refusal, which names all its changes', async () => {
  const changed = { ...rows[0]!, amount: '1500' };
  const { office, id } = await overtaken([changed, { ...rows[1]!, amount: '1900' }, rows[2]!], corrected);
  const refused = await pressPlan(office, id);
  expect(refused).toMatchObject({ code: 'VERSION_CONFLICT', confirms: { add: 0, change: 2, close: 0 } });
  for (const text of ['1,500', '1,900', '(Payee 3): ']) expect(refused.message).toContain(text);
  const { header } = await office.settled(id);
  const fix = { row: 2, column: header.indexOf('amount'), from: '1500', to: rows[0]!.amount };
  expect((await office.post('Pieter', `/api/uploads/${id}/corrections`, fix)).status).toBe(200);
  await office.settled(id);
  expect(await pressPlan(office, id, confirmed)).toMatchObject({ state: 'planned' });
  await office.close();
});

it('a button closes as many rows as it named: another number is refused with the number of now', async () => {
  const { office, id } = await overtaken(three, rows);
  expect(await pressPlan(office, id)).toMatchObject({ confirms: { close: 1 } });
  const refused = await pressPlan(office, id, { ...confirmed, closes: 2 });
  expect(refused).toMatchObject({ state: 'ready', code: 'ROWS_DROPPED', confirms: { batch: 'nov', close: 1 } });
  expect(await pressPlan(office, id, { ...confirmed, closes: 1 })).toMatchObject({ state: 'planned' });
  await office.close();
});

it('the sheet of a second person that has all rows of the newest sheet meets no refusal', async () => {
  const { office, id } = await overtaken([...corrected, rows[3]!], corrected);
  expect(await pressPlan(office, id, confirmed)).toMatchObject({ state: 'planned' });
  await office.close();
});

it('a click counts on a page that shows the sheet as it was checked before another person paid', async () => {
  const { office, id, standing } = await overtaken([...corrected, rows[3]!], corrected);
  await office.settled(id);
  const ask = { standing, batch: 'nov', skipInvalid: false, expect: [], ...confirmed };
  expect((await office.post('Pieter', `/api/uploads/${id}/plan`, ask)).status).toBe(200);
  expect(await office.settled(id)).toMatchObject({ state: 'planned' });
  await office.close();
});

it('a person who did not see the refusal meets it, also after a fix and beside a person who saw it', async () => {
  const { office, id } = await overtaken(three, corrected);
  const { named, header } = await office.settled(id);
  expect(await pressPlan(office, id)).toMatchObject({ code: 'VERSION_CONFLICT' });
  expect(await pressPlan(office, id, { ...confirmed, base: named?.head })).toMatchObject({
    code: 'VERSION_CONFLICT',
  });
  const fix = { row: 3, column: header.indexOf('reference'), from: 'Ref 2', to: 'Ref 2b' };
  expect((await office.post('Pieter', `/api/uploads/${id}/corrections`, fix)).status).toBe(200);
  await office.settled(id);
  expect(await pressPlan(office, id, { ...confirmed, base: named?.head })).toMatchObject({
    code: 'VERSION_CONFLICT',
  });
  expect(await pressPlan(office, id, { ...confirmed, expect: ['rows=9'] })).toMatchObject({ code: 'TOTALS_DIFFER' });
  expect(await pressPlan(office, id, confirmed), 'it was named once').toMatchObject({ state: 'planned' });
  await office.close();
});

it('a version that a terminal opens after the refusal is refused again', async () => {
  const { office, id } = await overtaken(three, corrected);
  expect(await pressPlan(office, id)).toMatchObject({ code: 'VERSION_CONFLICT' });
  const { named } = await office.settled(id);
  const another = [rows[0]!, rows[1]!, { ...corrected[2]!, reference: 'Ref 3b' }];
  await pay(office, await approved(office, 'third.csv', another));
  expect(await pressPlan(office, id, { ...confirmed, base: named?.head })).toMatchObject({
    code: 'VERSION_CONFLICT',
    message: expect.stringContaining('third.csv'),
  });
  await office.close();
});

it('a plan that sends nothing ends a line with a mistake and no id, and an unpaid row', async () => {
  const { office, service } = await open();
  const withoutId = ({ row_id: _id, ...row }: SheetRow): SheetRow => row;
  const mistaken = three.map((row, nth) => withoutId(nth === 1 ? { ...row, amount: '12.50' } : row));
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth === 1 ? { kind: 'answer', status: 400 } : undefined;
  const first = await pay(office, await approved(office, 'nov.csv', mistaken, { skipInvalid: true }));
  expect(first.rows).toMatchObject({ paid: 1, unpaid: 1, invalid: 1 });
  const whole = { add: true, drop: true };
  const withoutLine = await pay(office, await approved(office, 'shorter.csv', [mistaken[0]!, mistaken[2]!], whole));
  expect(withoutLine.rows).toMatchObject({ total: 2, paid: 1, unpaid: 1, invalid: 0 });
  const unpaid = service.payments[0]!.reference === 'Ref 1' ? mistaken[0]! : mistaken[2]!;
  const withoutRow = await pay(office, await approved(office, 'shortest.csv', [unpaid], whole));
  expect(withoutRow.rows).toMatchObject({ total: 2, paid: 1, closed: 1, unpaid: 0 });
  await office.close();
});
