/** What people do to a batch that did not end well, at a service that drops answers: look, say what became of a row, send again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Batch, ErrorAnswer, Review, RowLife, Upload } from '../../src/console/api.ts';
import { reportWords } from '../../src/messages/files/report-page.ts';
import { atPayment, horizonMs, quick } from '../protocol/desk.ts';
import { command, csvOf, kenyanRows, newFolder, newService, resultOf } from '../support.ts';
import { eventually, lockTheKey, type Office, openOffice, password, payingAt } from './office.ts';

const batchOf = async (office: Office) => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;

async function ended(office: Office): Promise<Batch> {
  return await eventually('the job on nov has ended', async () => {
    const { body, status } = await office.get<Batch>('Nomsa', '/api/batches/nov');
    return status === 200 && body.job !== null && !['running', 'stopping'].includes(body.job.state) ? body : null;
  });
}

async function approvedAndPaid(office: Office, id: string): Promise<Batch> {
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  const approved = await office.post<Upload>('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  expect([approved.status, approved.body.state]).toEqual([200, 'approved']);
  const paying = await office.post<Upload>('Nomsa', `/api/uploads/${id}/pay`, { digest });
  expect([paying.status, paying.body]).toMatchObject([200, { id }]);
  return await ended(office);
}

it('rows in doubt are looked for, answered by a second person, let go and sent again; unpaid ones under a new plan', async () => {
  await lockTheKey();
  const expires = new Set(['Ref 2']);
  const service = await newService({ expires });
  const office = await openOffice(undefined, {
    ...quick,
    PAYRUN_DOUBT_HORIZON: `${horizonMs}ms`,
    ...payingAt(service),
    PAYRUN_CONCURRENCY: '1',
  });
  let isListBroken = false;
  service.fault = (call) => {
    if (call.route === 'GET /payments' && isListBroken) return { kind: 'answer', status: 500 };
    const found = [3, 4].map((nth) => atPayment(nth, { kind: 'drop', after: nth === 3 })(call)).find((one) => one);
    if (found !== undefined) isListBroken = true;
    return found;
  };
  const rows = kenyanRows(5);
  const { id } = await office.upload('Nomsa', 'november.csv', csvOf(rows));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  const first = await approvedAndPaid(office, id);
  expect(first.rows).toMatchObject({ total: 5, paid: 2, unpaid: 1, in_doubt: 2 });
  // What is taken home from a page leads back to it, and to no terminal.
  const taken = (await office.get('Nomsa', '/api/batches/nov/report')).bytes.toString();
  expect(taken).toContain(first.next.find(({ action }) => action === 'retry')!.words);
  expect(taken).not.toMatch(/payrun (?:plan|retry|reconcile|resume|run)/);
  // By the clock of the browser that asks; by UTC where it names none that is known.
  const reportIn = async (zone: string) =>
    (await office.get('Nomsa', '/api/batches/nov/report', { cookie: `payrun_zone=${zone}` })).bytes.toString();
  const there = await reportIn('Asia/Kolkata');
  expect(there).toContain(' GMT+5:30');
  expect(there).not.toMatch(/\d UTC\b/);
  expect(await reportIn('--out=/tmp')).toContain(`<th scope="row">${reportWords.zone}</th><td>UTC</td>`);

  isListBroken = false;
  // An approver reports the payment of a row. Only a second person may say that a row was not paid.
  const paymentOf = (reference: string) => String(service.payments.find((one) => one.reference === reference)?.id);
  const word = { row: 'k3', way: 'paid', payment: paymentOf('Ref 3'), reason: '- seen in the bank’s list', password };
  const resolve = async <T>(who: string, more: object) =>
    await office.press<T>(who, '/api/batches/nov/resolve', { ...word, ...more });
  expect((await resolve<ErrorAnswer>('Both', { way: 'not-paid', payment: undefined })).body.code).toBe(
    'RELEASE_BY_MAKER',
  );
  expect((await resolve('Nomsa', {})).status).toBe(403);
  expect((await resolve<ErrorAnswer>('Thabo', { password: 'guess' })).body.code).toBe('PASSWORD_WRONG');
  expect((await resolve('Thabo', { payment: paymentOf('Ref 1') })).status, 'it pays another row').toBe(409);
  // What is said is of the row as it was shown, and of no other.
  const moved = await resolve<ErrorAnswer>('Thabo', { standing: 'as it stood before' });
  expect([moved.status, moved.body.code]).toEqual([409, 'ROW_MOVED']);
  expect((await batchOf(office)).rows).toMatchObject({ paid: 2, in_doubt: 2 });
  const { standing } = (await office.get<RowLife>('Thabo', '/api/batches/nov/rows/k3')).body;
  const paid = await resolve<Batch>('Thabo', { standing });
  expect([paid.status, paid.body.rows]).toMatchObject([200, { pending: 1, in_doubt: 1 }]);

  // Of the other, that no payment pays it: the list proves it, a person lets it go, and somebody else goes on.
  const row = async () => (await office.get<RowLife>('Thabo', '/api/batches/nov/rows/k4')).body;
  await eventually('its horizon has passed', async () => {
    const looked = await office.post<Batch>('Nomsa', '/api/batches/nov/reconcile');
    expect(looked.status).toBe(200);
    // Its answer comes before it ends where that takes long, and two do not look at once.
    await ended(office);
    return (await row()).action === 'resolve' && (await row()).status === 'in doubt' ? true : null;
  });
  // The server writes the times of a row in the zone of the browser that asks, because browsers differ in it.
  const reasonIn = async (zone: string) =>
    (await office.get<RowLife>('Thabo', '/api/batches/nov/rows/k4', { cookie: `a=b; payrun_zone=${zone}` })).body
      .reason;
  expect(await Promise.all(['Asia/Kolkata', 'Africa/Johannesburg', 'Karoo'].map(reasonIn))).toEqual(
    [/:\d\d GMT\+5:30\b/, /:\d\d GMT\+2\b/, /:\d\d UTC\b/].map((time) => expect.stringMatching(time)),
  );
  const reason = '- their support says so';
  const none = await resolve<Batch>('Thabo', { row: 'k4', way: 'release-absent', payment: undefined, reason });
  expect([none.status, none.body.rows]).toMatchObject([200, { in_doubt: 0, not_sent: 1 }]);
  expect((await row()).moves.at(-1)).toMatchObject({
    words: expect.stringContaining(reason),
    by: 'Thabo',
  });
  expect((await office.press('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
  expect((await ended(office)).rows).toMatchObject({ paid: 4, unpaid: 1 });

  // The unpaid one: a new plan, a new approval, and only it is sent.
  Object.assign(service.payments.find(({ reference }) => reference === 'Ref 2') ?? {}, { ends: 'expired' });
  expires.clear();
  const again = { rows: ['k2'], reason: 'She has opened the account again' };
  expect((await office.press('Thabo', '/api/batches/nov/retry', again)).status, 'by role').toBe(403);
  const retry = async (body: object) =>
    (await office.post<ErrorAnswer>('Nomsa', '/api/batches/nov/retry', { ...again, ...body })).body.code;
  expect(await retry({ standing: 'as it stood before' })).toBe('ROW_MOVED');
  // The number of unpaid rows stays the same if one of them is paid and another one expires.
  const { standing: before } = await batchOf(office);
  const db = new DatabaseSync(office.ledger);
  const setState = db.prepare('UPDATE payout SET state = ? WHERE key = ?');
  for (const [key, state] of Object.entries({ k1: 'expired', k2: 'succeeded' })) setState.run(state, key);
  expect(await retry({ rows: null, standing: before })).toBe('BATCH_MOVED');
  for (const [key, state] of Object.entries({ k1: 'succeeded', k2: 'expired' })) setState.run(state, key);
  db.close();
  expect((await batchOf(office)).standing).toBe(before);
  const { standing: seen } = (await office.get<RowLife>('Nomsa', '/api/batches/nov/rows/k2')).body;
  const sent = service.payments.length;
  expect((await office.press('Nomsa', '/api/batches/nov/retry', { ...again, standing: seen })).status).toBe(200);
  await office.settled(id);
  expect(service.payments, 'a retry is only planned').toHaveLength(sent);
  const last = await approvedAndPaid(office, id);
  expect([last.job?.message, last.rows, last.job]).toMatchObject([
    'Done.',
    { total: 5, paid: 5 },
    { kind: 'pay', state: 'done' },
  ]);
  const references = service.payments.map(({ reference }) => reference).sort();
  expect(references).toEqual(['Ref 1', 'Ref 2', 'Ref 2', 'Ref 3', 'Ref 4', 'Ref 5']);

  const report = await command(office, ['report', 'nov', '--json']);
  const result = resultOf((JSON.parse(report.out) as { result: string }).result);
  expect(result.map(({ payrun_row, payrun_status }) => [payrun_row, payrun_status])).toEqual(
    rows.map(({ row_id }) => [row_id, 'paid']),
  );
  expect((await command(office, ['audit', 'verify'])).exit).toBe(0);
});

it('an unpaid row whose name could be a list is sent again, and no other; its evidence says so', async () => {
  const service = await newService({ expires: new Set(['Ref 1', 'Ref 2', 'Ref 3']) });
  const folder = newFolder();
  const office = await openOffice(folder, {
    ...quick,
    ...payingAt(service),
  });
  const rows = kenyanRows(3).map((row, index) => ({ ...row, row_id: ['1', '2', '1,2'][index]! }));
  const { id } = await office.upload('Nomsa', 'november.csv', csvOf(rows));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect((await approvedAndPaid(office, id)).rows).toMatchObject({ unpaid: 3 });
  const sent = service.payments.length;
  await office.press('Nomsa', '/api/batches/nov/retry', { rows: ['1,2'], reason: 'The payee has topped up' });
  await approvedAndPaid(office, id);
  expect(service.payments.slice(sent).map(({ reference }) => reference)).toEqual(['Ref 3']);

  const pack = join(folder, 'nov.evidence.zip');
  const verify = async (bytes: Buffer) => {
    writeFileSync(pack, bytes);
    return await command(office, ['audit', 'verify', pack, '--json']);
  };
  const { bytes } = await office.get('Thabo', '/api/batches/nov/evidence');
  const whole = await verify(bytes);
  expect([whole.exit, JSON.parse(whole.out)]).toMatchObject([
    0,
    { rows: 3, sheets: ['plan-1.json', 'plan.json'].map((plan_file) => ({ plan_file, approved: ['Thabo'] })) },
  ]);
  const text = bytes.toString('latin1');
  expect((await verify(Buffer.from(text.replaceAll('plan-1.json', 'plan-7.json'), 'latin1'))).exit).toBe(27);
});
