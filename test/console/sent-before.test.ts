import { expect, it } from 'vitest';
import type { Batch, ErrorAnswer, Review, SheetRows, Upload, UploadLine } from '../../src/console/api.ts';
import { reviewWords } from '../../src/messages/web/review.ts';
import { atPayment, quick } from '../protocol/desk.ts';
import { csvOf, kenyanRows, newService, type SheetRow } from '../support.ts';
import { eventually, naming, type Office, openOffice, password, payingAt } from './office.ts';

async function planned(office: Office, id: string, batch: string, more: object = {}): Promise<Upload> {
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch, skipInvalid: false, expect: [], ...more });
  return await office.settled(id);
}

async function approved(office: Office, id: string): Promise<Review> {
  const { body } = await office.get<Review>('Thabo', `/api/uploads/${id}/plan`);
  await office.post('Thabo', `/api/uploads/${id}/approve`, { digest: body.digest, password });
  return body;
}

async function pay(office: Office, id: string, batch: string): Promise<Batch['rows']> {
  const { digest } = await approved(office, id);
  const { status, body } = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/pay`, { digest });
  expect([status, body.message]).toEqual([200, null]);
  return await eventually(`${batch} has ended`, async () => {
    const { body: now } = await office.get<Batch>('Nomsa', `/api/batches/${batch}`);
    return now.job?.state === 'done' ? now.rows : null;
  });
}

async function paidAs(office: Office, batch: string, rows: readonly SheetRow[]): Promise<Batch['rows']> {
  const { id } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
  expect(await planned(office, id, batch)).toMatchObject({ state: 'planned', message: null });
  return await pay(office, id, batch);
}

const listed = async (office: Office, id: string) =>
  (await office.get<UploadLine[]>('Thabo', '/api/uploads')).body.find((one) => one.id === id);

it('an approver of a retry reads that the service refused the payment, its payee and the reason', async () => {
  const service = await newService();
  service.fault = atPayment(3, { kind: 'answer', status: 422 });
  const office = await openOffice(undefined, {
    ...quick,
    ...payingAt(service),
    PAYRUN_CONCURRENCY: '1',
  });
  const rows = kenyanRows(3);
  expect(await paidAs(office, 'la', rows)).toMatchObject({ unpaid: 1 });
  const la = (await listed(office, (await office.get<Batch>('Nomsa', '/api/batches/la')).body.upload ?? ''))?.id ?? '';
  const reason = 'She opened account 0712345601 again';
  await office.press('Nomsa', '/api/batches/la/retry', { rows: null, reason });
  await office.settled(la);
  const retry = (who: string) => office.get<Review>(who, `/api/uploads/${la}/plan`);
  const { body } = await retry('Thabo');
  expect(body).toMatchObject({ rowsToSend: 1, payeeRows: 1 });
  expect(body.payees).toEqual([expect.objectContaining({ kind: 'new', row: 4, words: reviewWords.neverPaid })]);
  const refused = {
    row: 4,
    payee: rows[2]!.name,
    at: expect.any(String),
    words: expect.stringMatching(/refused.*422/),
  };
  expect(body.again).toMatchObject({ reason, rows: [refused] });
  expect((await retry('Vusi')).body.again?.reason).toBe(reason.replace('0712345601', '…5601'));
  await office.close();
});

it('a sheet of which a part was sent counts the rows that its table marks, and the table names what was sent', async () => {
  const office = await openOffice();
  const rows = kenyanRows(5);
  expect(await paidAs(office, 'la', rows.slice(0, 2))).toMatchObject({ paid: 2 });
  const other = { ...rows[1]!, row_id: 'new', reference: 'Ref 2 again' };
  const lb = await office.upload('Nomsa', 'lb.csv', csvOf([rows[0]!, other, ...rows.slice(2)]));
  const la = [{ batch: 'la', rows: 1, sent: 1, lacks: 1 }];
  expect(lb).toMatchObject({ looksPaid: 2, sharedWith: la, counts: { rows: 5 } });
  const marked = `/api/uploads/${lb.id}/rows?filter=all&warning=LOOKS_PAID`;
  const { rows: told } = (await office.get<SheetRows>('Nomsa', marked)).body;
  expect(told.map(({ number, problems }) => [number, problems[0]?.message])).toEqual([
    [2, naming(2, 'la')],
    [3, expect.stringMatching(/\b3\b.*\bla\b.*\breference\b/)],
  ]);
  // Where every row that looks paid was sent, nothing else is said.
  const lc = await office.upload('Nomsa', 'lc.csv', csvOf([rows[0]!, ...rows.slice(2)]));
  expect(lc).toMatchObject({ looksPaid: 1, sharedWith: la, counts: { rows: 4 } });
  await office.close();
});
