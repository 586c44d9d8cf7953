import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Batch, ErrorAnswer, Review, SheetRows, Upload, UploadLine } from '../../src/console/api.ts';
import { reviewWords } from '../../src/messages/web/review.ts';
import { atPayment, quick } from '../protocol/desk.ts';
import { command, csvOf, documentOf, kenyanRows, newService, type SheetRow } from '../support.ts';
import { eventually, lockTheKey, naming, type Office, openOffice, password, payingAt, policyOf } from './office.ts';

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

async function paidAs(office: Office, batch: string, rows: readonly SheetRow[], more = {}): Promise<Batch['rows']> {
  const { id } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
  expect(await planned(office, id, batch, more)).toMatchObject({ state: 'planned', message: null });
  return await pay(office, id, batch);
}

/** Refuses these payments, counted from 1. */
async function openRefusing(...nths: readonly number[]) {
  const service = await newService();
  service.fault = (call) =>
    nths.map((nth) => atPayment(nth, { kind: 'answer', status: 422 })(call)).find((fault) => fault !== undefined);
  const office = await openOffice(undefined, { ...quick, ...payingAt(service), PAYRUN_CONCURRENCY: '1' });
  const paid = () => service.payments.map(({ reference }) => reference).sort();
  const retry = async (rows: readonly string[] | null) =>
    (await office.press<Batch & ErrorAnswer>('Nomsa', '/api/batches/la/retry', { rows, reason: 'She asked' })).body;
  return { office, paid, retry };
}

/** Plans, approves and pays the sheet at a terminal. */
async function paidAtTerminal({ env, folder }: Office, batch: string, rows: readonly SheetRow[]): Promise<void> {
  const [file, key] = [join(folder, 'terminal.csv'), join(folder, 'thabo.key')];
  writeFileSync(file, csvOf(rows));
  writeFileSync(key, await lockTheKey(), { mode: 0o600 });
  const policy = ['--policy', policyOf(folder)];
  const terminal = async (...words: string[]) =>
    await command({ env: { ...env, PAYRUN_PASSPHRASE: password }, folder }, [...words, ...policy, '--json']);
  const { plan } = documentOf(await terminal('plan', file, '--batch', batch, '--maker', 'Ama'));
  expect((await terminal('approve', String(plan), '--key', key)).exit).toBe(0);
  expect((await terminal('run', String(plan), '--wait', '20s')).exit).toBe(21);
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

it('a row that a terminal corrected is never sent again as an older sheet of the console has it', async () => {
  const { office, paid, retry } = await openRefusing(2, 4);
  const rows = kenyanRows(3);
  expect(await paidAs(office, 'la', rows)).toMatchObject({ paid: 2, unpaid: 1 });
  await paidAtTerminal(office, 'la', [rows[0]!, { ...rows[1]!, contact_number: '+254799000111' }, rows[2]!]);
  for (const named of [null, ['k2']]) expect((await retry(named)).code).toBe('BATCH_OF_TERMINAL');
  expect((await office.get<Batch>('Nomsa', '/api/batches/la')).body).toMatchObject({
    proposal: null,
    rows: { unpaid: 1 },
  });
  expect(paid()).toEqual(['Ref 1', 'Ref 3']);
  await office.close();
});

it('an unpaid row of a sheet before an addition is paid once, and the rows of the addition stay as they are', async () => {
  const { office, paid, retry } = await openRefusing(2);
  const rows = kenyanRows(5);
  await paidAs(office, 'la', rows.slice(0, 3));
  const { upload: first } = (await office.get<Batch>('Nomsa', '/api/batches/la')).body;
  expect(await paidAs(office, 'la', rows.slice(3), { add: true })).toMatchObject({ paid: 4, unpaid: 1 });
  for (const named of [null, ['k2']]) {
    expect((await retry(named)).upload).toBe(first);
    expect(await office.settled(String(first))).toMatchObject({ state: 'planned', message: null });
    expect((await office.get<Review>('Thabo', `/api/uploads/${first}/plan`)).body.rowsToSend).toBe(1);
  }
  expect(await pay(office, String(first), 'la')).toMatchObject({ total: 5, paid: 5, closed: 0 });
  expect(paid()).toEqual(['Ref 1', 'Ref 2', 'Ref 3', 'Ref 4', 'Ref 5']);
  await office.close();
});

it('a retry pays its own rows alone: a row of its sheet that a person closed stays closed', async () => {
  const { office, paid, retry } = await openRefusing(2, 3);
  await paidAs(office, 'la', kenyanRows(3));
  const dropped = await office.press<Batch>('Nomsa', '/api/batches/la/drop', { row: 'k3', reason: 'She left' });
  expect(dropped.status).toBe(200);
  await eventually('k3 is closed', async () => {
    const { body } = await office.get<Batch>('Nomsa', '/api/batches/la');
    return body.rows.closed === 1 && body.job?.state === 'done' ? true : null;
  });
  // The page of the same sheet says before a plan what its next version does.
  const { sharedWith } = await office.upload('Nomsa', 'again.csv', csvOf(kenyanRows(3)));
  expect(sharedWith).toMatchObject([{ batch: 'la', same: 3, paid: 1, lacks: 0, reopens: 1 }]);
  const { upload } = await retry(null);
  expect(await office.settled(String(upload))).toMatchObject({ state: 'planned', message: null });
  expect((await office.get<Review>('Thabo', `/api/uploads/${upload}/plan`)).body).toMatchObject({ rowsToSend: 1 });
  expect(await pay(office, String(upload), 'la')).toMatchObject({ total: 3, paid: 2, closed: 1 });
  expect(paid()).toEqual(['Ref 1', 'Ref 2']);
  await office.close();
});

it('unpaid rows of several sheets are sent again one by one', async () => {
  const { office, paid, retry } = await openRefusing(2, 4);
  const rows = kenyanRows(4);
  await paidAs(office, 'la', rows.slice(0, 3));
  expect(await paidAs(office, 'la', rows.slice(3), { add: true })).toMatchObject({ paid: 2, unpaid: 2 });
  expect((await retry(null)).code).toBe('UNPAID_IN_SHEETS');
  for (const row of ['k2', 'k4']) {
    const { upload } = await retry([row]);
    expect(await office.settled(String(upload))).toMatchObject({ state: 'planned', message: null });
    await pay(office, String(upload), 'la');
  }
  expect(paid()).toEqual(['Ref 1', 'Ref 2', 'Ref 3', 'Ref 4']);
  await office.close();
});

it('a sheet whose row with a mistake was skipped sends its unpaid row again', async () => {
  const { office, paid, retry } = await openRefusing(2);
  const [one, two, three] = kenyanRows(3);
  await paidAs(office, 'la', [one!, two!, { ...three!, amount: 'x' }], { skipInvalid: true });
  const { upload } = await retry(['k2']);
  expect(await office.settled(String(upload))).toMatchObject({ state: 'planned', message: null });
  expect(await pay(office, String(upload), 'la')).toMatchObject({ paid: 2, invalid: 1 });
  expect(paid()).toEqual(['Ref 1', 'Ref 2']);
  await office.close();
});

it('a sheet of which a part was sent counts the rows that its table marks, and the table names what was sent', async () => {
  const office = await openOffice();
  const rows = kenyanRows(5);
  expect(await paidAs(office, 'la', rows.slice(0, 2))).toMatchObject({ paid: 2 });
  const whole = await office.upload('Nomsa', 'whole.csv', csvOf(rows.slice(0, 2)));
  expect(whole).toMatchObject({ sharedWith: [{ batch: 'la', same: 2, reopens: 0 }] });
  // All rows of the batch and another one are its next list, which repeats none of them.
  const longer = await office.upload('Nomsa', 'longer.csv', csvOf(rows.slice(0, 3)));
  expect(longer).toMatchObject({ looksPaid: 0, sharedWith: [{ batch: 'la', rows: 2, lacks: 0 }] });
  const other = { ...rows[1]!, row_id: 'new', reference: 'Ref 2 again' };
  const lb = await office.upload('Nomsa', 'lb.csv', csvOf([rows[0]!, other, ...rows.slice(2)]));
  const la = [{ batch: 'la', rows: 1, paid: 1, lacks: 1 }];
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
