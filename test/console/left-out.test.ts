/** Rows that were left out for their mistakes, on a batch's page: each button is for the row beside it, whoever handed its sheet in. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Batch, BatchRow, BatchRows, Refusal, Review, Upload } from '../../src/console/api.ts';
import { quick } from '../protocol/desk.ts';
import { command, csvOf, kenyanRows, newFolder, newService, type SheetRow } from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';

const bad = (row: SheetRow) => ({ ...row, amount: '12.50' });

async function approved(
  office: Office,
  rows: readonly SheetRow[],
  more: object,
): Promise<{ id: string; digest: string }> {
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(rows));
  await office.post('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [], ...more });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  const { status } = await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  expect(status).toBe(200);
  return { id, digest };
}

async function pay(office: Office, rows: readonly SheetRow[]): Promise<void> {
  const { id, digest } = await approved(office, rows, { skipInvalid: true });
  await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
  await eventually('it has ended', async () => {
    const { body, status } = await office.get<Batch>('Nomsa', '/api/batches/nov');
    return status === 200 && body.job !== null && body.job.state !== 'running' ? true : null;
  });
}

const listed = async (office: Office) =>
  (await office.get<BatchRows>('Nomsa', '/api/batches/nov/rows?status=skipped')).body.rows;

/** The button beside the row. */
async function press(office: Office, row: BatchRow | undefined, reason: string) {
  const { body } = await office.get<Batch>('Nomsa', '/api/batches/nov');
  const said = { row: String(row?.number), sheet: row?.leftOut?.sheet, reason, standing: body.receivedAt };
  return await office.post<Batch & Refusal>('Nomsa', '/api/batches/nov/give-up', said);
}

it('the button gives up the row beside it, though its row_id is the number of another one', async () => {
  const office = await openOffice();
  const rows = kenyanRows(5).map((row, nth) => ({ ...row, row_id: String(nth + 1) }));
  await pay(office, [...rows.slice(0, 2), bad(rows[2]!), bad(rows[3]!), rows[4]!]);
  const [third, fourth] = await listed(office);
  expect([third?.name, fourth?.name]).toEqual(['Payee 3', 'Payee 4']);
  expect((await press(office, fourth, 'Payee 4 has left')).body).toMatchObject({ exit: 21 });
  expect(
    (await listed(office)).map(({ reason, leftOut }) => [reason?.includes('Payee 4 has left'), leftOut?.called]),
  ).toEqual([
    [false, '3'],
    [true, undefined],
  ]);
  expect((await press(office, third, 'Payee 3 has left')).body).toMatchObject({ exit: 0 });
});

const told = 'was given up by Nomsa: Paid by hand';

async function refusedToPay(office: Office, { id, digest }: { id: string; digest: string }): Promise<void> {
  await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
  const refused = await eventually('it is refused', async () => {
    const { body } = await office.get<Upload>('Nomsa', `/api/uploads/${id}`);
    return body.job?.kind === 'pay' && body.job.state === 'failed' ? body : null;
  });
  expect(refused.job?.message).toContain(told);
}

const warningsOf = async (office: Office, id: string) =>
  (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body.warnings;

it('what was given up is paid by no sheet that was approved before', async () => {
  const office = await openOffice();
  const rows = kenyanRows(4);
  await pay(office, [...rows.slice(0, 3), bad(rows[3]!)]);
  const planned = await approved(office, rows, { add: true });
  const [row] = await listed(office);
  expect((await press(office, row, 'Paid by hand')).body).toMatchObject({ exit: 0 });
  expect(await warningsOf(office, planned.id)).toContainEqual(
    expect.objectContaining({ row: 5, message: `${told} (since the plan was made)` }),
  );
  await refusedToPay(office, planned);
  expect((await office.get<Batch>('Nomsa', '/api/batches/nov')).body.rows).toMatchObject({ paid: 3, skipped: 1 });
});

it('nor is it where the batch has it as an earlier sheet had it right', { tags: ['long'] }, async () => {
  const service = await newService();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 2 ? { kind: 'answer', status: 401 } : undefined;
  const office = await openOffice(undefined, {
    ...quick,
    ...payingAt(service),
    PAYRUN_CONCURRENCY: '1',
  });
  const rows = kenyanRows(3);
  await pay(office, rows);
  service.fault = () => undefined;
  await pay(office, [...rows.slice(0, 2), bad(rows[2]!)]);
  const planned = await approved(office, rows, {});
  const [row] = await listed(office);
  expect((await press(office, row, 'Paid by hand')).status).toBe(200);
  expect(await warningsOf(office, planned.id)).toContainEqual(
    expect.objectContaining({ row: 4, message: `${told} (since the plan was made)` }),
  );
  await refusedToPay(office, planned);
  expect(service.payments).toHaveLength(2);
});

it('a review says of a row no more than is known: without a row_id it may be the one that was given up', {
  tags: ['long'],
}, async () => {
  const office = await openOffice();
  const rows = kenyanRows(4).map((row) => ({ ...row, row_id: '' }));
  await pay(office, [...rows.slice(0, 2), bad(rows[3]!)]);
  const more = [...rows.slice(0, 2), rows[3]!, { ...rows[3]!, amount: '777', reference: 'Ref 7' }];
  const before = await approved(office, more, { add: true });
  const [row] = await listed(office);
  await press(office, row, 'Paid by hand');
  const perhaps = 'may be the row that was given up by Nomsa: Paid by hand (since the plan was made)';
  const isTold = ({ code }: Review['warnings'][number]) => code === 'GIVEN_UP';
  expect((await warningsOf(office, before.id)).filter(isTold)).toMatchObject([
    { row: 4, message: perhaps },
    { row: 5, message: perhaps },
  ]);
  // A plan that was made after tells itself of which row it was said.
  const after = await approved(office, more, { add: true });
  expect((await warningsOf(office, after.id)).filter(isTold)).toMatchObject([{ row: 4, message: told }]);
});

it('going on is not said to send rows that the newest sheet lacks', { tags: ['long'] }, async () => {
  const service = await newService({ settleAfterMs: 3_600_000 });
  const office = await openOffice(newFolder(), { ...quick, ...payingAt(service) });
  const sheet = join(office.folder, 'nov.csv');
  const run = async (rows: readonly SheetRow[]) => {
    writeFileSync(sheet, csvOf(rows));
    await command(office, ['run', sheet, '--batch', 'nov', '--concurrency', '1', '--wait', '0']);
    const { rows: now, next, goOn } = (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
    return [now.pending, now.not_sent, goOn?.rows, next.find(({ action }) => action === 'resume')?.words];
  };
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  expect(await run(kenyanRows(3))).toEqual([1, 2, 2, 'Going on sends what was not sent, and follows what is pending.']);
  expect(await run(kenyanRows(1))).toEqual([
    1,
    2,
    undefined,
    'Nothing is left to send. Going on only follows what is pending.',
  ]);
  await office.close();
});
