import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Batch, BatchRows, ErrorAnswer, Review, SheetRows, Upload, UploadLine } from '../../src/console/api.ts';
import { reviewWords } from '../../src/messages/web/review.ts';
import { atPayment, quick } from '../protocol/desk.ts';
import { csvOf, kenyanRows, newFolder, newService, noted, type SheetRow, southAfrican } from '../support.ts';
import { eventually, naming, type Office, openOffice, password, payingAt, planFileOf, saidOf } from './office.ts';

/** Known by what they pay alone. */
const without = (row: SheetRow): SheetRow => ({
  ...Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'row_id')),
  reference: 'Salary',
});
const named = (id: string, rows: readonly SheetRow[]) =>
  rows.map((row, index) => ({ ...row, row_id: `${id}${index}` }));

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

/** Everything by which the ledger tells what came first. */
function age(office: Office, days: number): void {
  const db = new DatabaseSync(office.ledger);
  const ms = days * 86_400_000;
  db.prepare('UPDATE payout SET submitted_at = submitted_at - ?1, settled_at = settled_at - ?1').run(ms);
  db.prepare('UPDATE sheet SET received_at = received_at - ?').run(ms);
  db.prepare('UPDATE batch SET created_at = created_at - ?').run(ms);
  db.close();
}

const listed = async (office: Office, id: string) =>
  (await office.get<UploadLine[]>('Thabo', '/api/uploads')).body.find((one) => one.id === id);

it('a static payroll is planned, approved and paid again next month without a reason; rows that are new may go on', async () => {
  const office = await openOffice();
  const rows = kenyanRows(3).map((row, index) => ({ ...without(row), amount: String(7000 + index) }));
  expect(await paidAs(office, '2026-10', rows)).toMatchObject({ paid: 3 });
  const early = await office.upload('Nomsa', 'early.csv', csvOf(rows));
  const october = { batch: '2026-10', rows: 3, sent: 3, paid: 3, held: 0, lacks: 0 };
  expect([early.sharedWith, early.looksPaid, (await listed(office, early.id))?.looksPaid]).toEqual([[october], 0, 0]);
  age(office, 30);
  const nov = await office.upload('Nomsa', 'nov.csv', csvOf(rows));
  expect(nov).toMatchObject({ looksPaid: 0, sharedWith: [october] });
  expect([nov.counts.warnings, nov.batch]).toEqual([0, 'nov']);
  expect(await planned(office, nov.id, '2026-11', { isNew: true })).toMatchObject({ state: 'planned', message: null });
  expect(await pay(office, nov.id, '2026-11')).toMatchObject({ paid: 3 });

  // However long ago, a row that was left out or is new goes on with its batch.
  age(office, 30);
  const more = await office.upload('Nomsa', 'more.csv', csvOf([...rows, without(kenyanRows(4)[3]!)]));
  expect(more.sharedWith.map(({ batch, rows: of }) => [batch, of])).toEqual([
    ['2026-11', 3],
    ['2026-10', 3],
  ]);
  expect(await planned(office, more.id, '2026-11', { add: true })).toMatchObject({ state: 'planned', message: null });
  expect(await pay(office, more.id, '2026-11')).toMatchObject({ total: 4, paid: 4 });
  await office.close();
});

it('a month whose corrected row follows is offered as the next version, and pays that row', {
  tags: ['long'],
}, async () => {
  const office = await openOffice();
  const rows = kenyanRows(4).map((row) => ({ ...row, reference: `Salary ${row.row_id}` }));
  expect(await paidAs(office, '2026-11', rows)).toMatchObject({ paid: 4 });
  age(office, 30);
  const wrong = rows.map((row, index) => (index === 3 ? { ...row, amount: 'x' } : row));
  const december = await office.upload('Nomsa', 'december.csv', csvOf(wrong));
  expect(await planned(office, december.id, '2026-12', { skipInvalid: true, isNew: true })).toMatchObject({
    state: 'planned',
  });
  expect(await pay(office, december.id, '2026-12')).toMatchObject({ paid: 3 });
  const mended = await office.upload('Nomsa', '2026-12.csv', csvOf(rows));
  expect(mended.sharedWith).toContainEqual(expect.objectContaining({ batch: '2026-12', sent: 3, lacks: 0 }));
  // Under a name of its own it takes a reason, as ever; with a row too many, or once it may be another month, a person says what it is.
  await planned(office, mended.id, 'another', { isNew: true });
  expect(saidOf(office, mended.id)).toMatchObject({
    code: 'SHEET_LOOKS_PAID',
    facts: { batch: '2026-12', held: 3, of: 4, rows: { total: 3 } },
  });
  const extra = { ...kenyanRows(5)[4]!, reference: 'Extra' };
  const more = await office.upload('Nomsa', 'more.csv', csvOf([...rows, extra]));
  const part = await office.upload('Nomsa', 'part.csv', csvOf(rows.slice(1)));
  const shared = ({ sharedWith }: Upload) => sharedWith.map(({ batch, sent, lacks }) => [batch, sent, lacks]);
  expect([more, part].map(shared)).toEqual([
    [
      ['2026-11', 4, 0],
      ['2026-12', 3, 0],
    ],
    [
      ['2026-11', 3, 1],
      ['2026-12', 2, 1],
    ],
  ]);
  const asWhole = { add: true, drop: true };
  expect(await planned(office, mended.id, '2026-12', asWhole)).toMatchObject({ state: 'planned', message: null });
  expect(await pay(office, mended.id, '2026-12')).toMatchObject({ total: 4, paid: 4, held: 0 });
  const whole = await office.upload('Nomsa', 'whole.csv', csvOf(rows));
  await planned(office, whole.id, '2026-12', asWhole);
  expect(saidOf(office, whole.id)).toMatchObject({ code: 'NOTHING_TO_SEND', facts: { batch: '2026-12' } });
  await office.close();
});

it('an older sheet with mistakes is planned for nothing after its corrected form was paid', async () => {
  const office = await openOffice();
  const rows = kenyanRows(5);
  const old = rows.map((row, index) => (index < 2 ? row : { ...row, amount: '12.50' }));
  expect(await paidAs(office, 'november', rows)).toMatchObject({ paid: 5 });
  const sheet = await office.upload('Nomsa', 'november.csv', csvOf(old));
  expect(sheet.state).toBe('to_fix');
  const order = { skipInvalid: true, expect: [], add: true };
  await planned(office, sheet.id, 'november', order);
  expect(saidOf(office, sheet.id)).toMatchObject({
    code: 'SENT_ROWS_INVALID',
    facts: { batch: 'november', hasSent: true, unsent: 0, rows: { total: 3 } },
  });
  await planned(office, sheet.id, 'another', { ...order, add: false, isNew: true });
  expect(saidOf(office, sheet.id)).toMatchObject({
    code: 'SHEET_LOOKS_PAID',
    facts: { batch: 'november', held: 2, of: 2, rows: { total: 2 } },
  });
  await office.close();
});

it('what was sent at another address, or never, is not told as sent; what only looks like it is not its own', {
  tags: ['long'],
}, async () => {
  const office = await openOffice(newFolder(), { ...quick, ...payingAt(await newService()) });
  const rows = kenyanRows(3);
  await paidAs(office, 'rehearsal', rows);
  const alike = await office.upload('Nomsa', 'tuesday.csv', csvOf(named('t', [rows[0]!, rows[0]!])));
  expect(alike).toMatchObject({ looksPaid: 2, sharedWith: [] });
  await office.close();

  const service = await newService();
  const live = await openOffice(office.folder, {
    ...quick,
    ...payingAt(service),
  });
  const { id, batch, ...told } = await live.upload('Nomsa', 'live.csv', csvOf(rows));
  expect(told).toMatchObject({ looksPaid: 0, sharedWith: [] });
  expect(told.seen.map(({ batch: seen }) => seen)).toEqual(['rehearsal']);
  expect(await planned(live, id, batch)).toMatchObject({ state: 'planned', message: null, batch: 'live' });
  expect(await pay(live, id, batch)).toMatchObject({ paid: 3 });
  expect(service.payments).toHaveLength(3);

  // A new number holds a row until a second person lets it go: nothing was asked for.
  const moved = rows.map((row, index) => ({
    ...row,
    row_id: `m${index}`,
    reference: `Moved ${index}`,
    contact_number: `+25479900000${index}`,
  }));
  expect(await paidAs(live, 'moved', moved)).toMatchObject({ held: 3 });
  const held = await live.upload('Nomsa', 'again.csv', csvOf(moved));
  expect(held.sharedWith).toEqual([{ batch: 'moved', rows: 3, sent: 0, paid: 0, held: 3, lacks: 0 }]);
  expect(await planned(live, held.id, 'moved')).toMatchObject({ state: 'ready' });
  expect(saidOf(live, held.id)).toMatchObject({ code: 'NOTHING_TO_SEND', facts: { batch: 'moved' } });
  // One that is paid, and one that is held: there is nothing to go on with.
  const half = [rows[0]!, moved[1]!].map((row, index) => ({ ...row, row_id: `h${index}`, reference: `Half ${index}` }));
  expect(await paidAs(live, 'half', half)).toMatchObject({ paid: 1, held: 1 });
  const both = await live.upload('Nomsa', 'both.csv', csvOf(half));
  expect(both.sharedWith).toMatchObject([{ batch: 'half', rows: 2, sent: 1, paid: 1, held: 1, lacks: 0 }]);
  await live.close();
});

it('the next version of one of two batches sends no row again that was paid as the other lately', async () => {
  const office = await openOffice();
  const rows = kenyanRows(5);
  await paidAs(office, 'la', rows.slice(0, 2));
  await paidAs(office, 'lb', rows.slice(2, 4));
  age(office, 15);
  const { id, sharedWith } = await office.upload('Nomsa', 'all.csv', csvOf(rows));
  expect(sharedWith.map(({ batch }) => batch)).toContain('lb');
  expect(await planned(office, id, 'lb', { add: true })).toMatchObject({ state: 'planned' });
  const { repeats } = await approved(office, id);
  const looksPaid = (row: number) => ({
    row,
    code: 'LOOKS_PAID',
    facts: { batch: 'la', row, effect: 'holds', differs: null },
  });
  expect(repeats).toMatchObject([2, 3].map((row) => ({ row, words: naming(row, 'la') })));
  expect(planFileOf(office, id).warnings).toMatchObject([looksPaid(2), looksPaid(3), { row: 6, code: 'PAYEE_NEW' }]);
  expect(await pay(office, id, 'lb')).toMatchObject({ total: 5, paid: 3, held: 2 });
  await office.close();
});

it('the plan to send unpaid rows again says which of them another batch has paid since, and none of these is sent', {
  tags: ['long'],
}, async () => {
  const expires = new Set(['Ref 2']);
  const service = await newService({ expires });
  const refuse = atPayment(3, { kind: 'answer', status: 422 });
  service.fault = refuse;
  const office = await openOffice(undefined, {
    ...quick,
    ...payingAt(service),
    PAYRUN_CONCURRENCY: '1',
  });
  const rows = kenyanRows(5);
  const { id } = await office.upload('Nomsa', 'la.csv', csvOf(rows.slice(0, 3)));
  await planned(office, id, 'la');
  expect(await pay(office, id, 'la')).toMatchObject({ paid: 1, unpaid: 2 });
  Object.assign(service.payments.find(({ reference }) => reference === 'Ref 2') ?? {}, { ends: 'expired' });
  expires.clear();
  expect(await paidAs(office, 'lb', rows.slice(1))).toMatchObject({ paid: 4 });
  const retry = async (keys: readonly string[] | null) => {
    const reason = 'She has opened the account again';
    expect((await office.press('Nomsa', '/api/batches/la/retry', { rows: keys, reason })).status).toBe(200);
    expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
    const { repeats, rowsToSend } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
    expect(planFileOf(office, id).warnings).toMatchObject(
      repeats.flatMap(({ row }) => [
        { row, code: 'LOOKS_PAID', facts: { row: row - 1, batch: 'lb', effect: 'holds' } },
        { row, code: 'ROW_UNPAID', facts: { isExpired: row === 3 } },
      ]),
    );
    // A row that looks paid is held, so the plan sends nothing.
    expect(rowsToSend).toBe(0);
    return repeats.map(({ row, payee, words }) => [row, payee, words]);
  };
  const told = (row: number) => [row, `Payee ${row - 1}`, naming(row - 1, 'lb')];
  for (const days of [1, 5, 28]) {
    age(office, days);
    expect(await retry(null), `${days} days more`).toEqual([told(3), told(4)]);
  }
  expect(await retry(['k2'])).toEqual([told(3)]);
  await retry(null);
  expect(await pay(office, id, 'la')).toMatchObject({ paid: 1, held: 2 });
  expect(service.payments.map(({ reference }) => reference).sort()).toEqual([
    'Ref 1',
    'Ref 2',
    'Ref 2',
    'Ref 3',
    'Ref 4',
    'Ref 5',
  ]);
  await office.close();
});

it('a sheet of rows of two batches is the next version of one; every batch is named', {
  tags: ['long'],
}, async () => {
  const office = await openOffice();
  const rows = kenyanRows(5);
  await paidAs(office, 'la', rows.slice(0, 2));
  await paidAs(office, 'lb', rows.slice(2, 4));
  const { id, sharedWith } = await office.upload('Nomsa', 'all.csv', csvOf(rows));
  const shared = sharedWith.map(({ batch, sent, lacks }) => `${batch} ${sent} ${lacks}`);
  expect(shared.sort()).toEqual(['la 2 0', 'lb 2 0']);
  expect(await planned(office, id, 'la', { add: true })).toMatchObject({ state: 'planned' });
  expect(await listed(office, id)).toMatchObject({ state: 'planned', looksPaid: 0 });
  // Another sheet opens no version of the batch while the plan of the first one waits.
  const again = await office.upload('Nomsa', 'again.csv', csvOf(rows.slice(4)));
  const second = await planned(office, again.id, 'la', { add: true });
  expect(second).toMatchObject({ state: 'ready', message: null });
  expect(await pay(office, id, 'la')).toMatchObject({ total: 5, paid: 3, held: 2 });
  // The batch that sent the whole sheet has nothing left to send.
  const whole = await office.upload('Nomsa', 'whole.csv', csvOf(rows));
  expect(whole.sharedWith.map(({ batch, rows: of }) => [batch, of])).toEqual([
    ['la', 5],
    ['lb', 2],
  ]);
  await office.close();
});

it('a reason for one row keeps no plan on offer whose rows were all sent since', { tags: ['long'] }, async () => {
  const office = await openOffice();
  const rows = kenyanRows(3);
  await paidAs(office, 'x', named('x', rows.slice(0, 1)));
  const confirmRepeat = 'One is owed twice';
  const [nov, again] = [
    await office.upload('Nomsa', 'nov.csv', csvOf(rows)),
    await office.upload('Nomsa', 'again.csv', csvOf(rows)),
  ];
  for (const [sheet, batch] of [
    [nov, 'nov'],
    [again, 'again'],
  ] as const) {
    expect(await planned(office, sheet.id, batch, { confirmRepeat })).toMatchObject({
      state: 'planned',
      message: null,
    });
    if (batch === 'again') await approved(office, sheet.id);
  }
  expect(await listed(office, again.id)).toMatchObject({ state: 'approved', looksPaid: 1 });
  // Rows of it as somebody corrected them, and a sheet that nobody has planned.
  const corrected = rows.slice(1).map((row) => ({ ...row, amount: `${Number(row.amount) + 50}` }));
  const near = await office.upload('Nomsa', 'near.csv', csvOf(named('c', corrected)));
  const other = await office.upload('Nomsa', 'other.csv', csvOf(named('o', kenyanRows(4).slice(3))));
  expect(await planned(office, near.id, 'near')).toMatchObject({ state: 'planned', message: null });
  await approved(office, near.id);
  expect(await pay(office, nov.id, 'nov')).toMatchObject({ paid: 3 });
  // It is looked at again just now: whoever plans it waits for that.
  const order = { batch: 'other', skipInvalid: false, expect: [] };
  expect((await office.press('Nomsa', `/api/uploads/${other.id}/plan`, order)).status).toBe(200);
  await eventually('the other knows', async () => ((await listed(office, again.id))?.looksPaid === 3 ? true : null));
  // Rows that differ in one thing only get a warning.
  const nearly = await eventually('so does that', async () => (await listed(office, near.id))?.looksPaid || null);
  expect(nearly, 'an approver sees so in the list').toBe(2);
  // What is withheld would be refused.
  for (const { id } of [again, near]) {
    const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
    await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
    expect(await office.settled(id)).toMatchObject({ state: 'approved', job: { kind: 'pay', state: 'failed' } });
  }
  await office.close();
});

it('rows with mistakes stand in their batch until a sheet mends them, and no other payee’s row takes their place', {
  tags: ['long'],
}, async () => {
  const office = await openOffice();
  const rows = kenyanRows(6, 6);
  const bad = (row: SheetRow) => ({ ...row, amount: 'x' });
  const monday = await office.upload('Nomsa', 'monday.csv', csvOf([...rows.slice(0, 3), bad(rows[3]!), bad(rows[4]!)]));
  await planned(office, monday.id, 'monday', { skipInvalid: true });
  expect(await pay(office, monday.id, 'monday')).toMatchObject({ paid: 3, invalid: 2 });
  // The same three again, and a payee who was not among them.
  const wednesday = await office.upload('Nomsa', 'wednesday.csv', csvOf([...rows.slice(0, 3), rows[5]!]));
  expect(wednesday).toMatchObject({ batch: 'wednesday', sharedWith: [{ batch: 'monday', sent: 3, lacks: 2 }] });
  // One of the two was paid beside as another batch: it would not be sent by the mended sheet.
  expect(await paidAs(office, 'urgent', [rows[3]!])).toMatchObject({ paid: 1 });
  const mended = await office.upload('Nomsa', 'mended.csv', csvOf(rows.slice(0, 5)));
  expect(mended.sharedWith).toContainEqual(expect.objectContaining({ batch: 'monday', sent: 3, lacks: 0 }));
  // Somebody goes on with it all the same: the rows with mistakes stay in sight.
  expect(await planned(office, wednesday.id, 'monday', { add: true })).toMatchObject({
    state: 'planned',
    message: null,
  });
  expect(await pay(office, wednesday.id, 'monday')).toMatchObject({ total: 6, paid: 4, invalid: 2 });
  const { rows: out } = (await office.get<BatchRows>('Nomsa', '/api/batches/monday/rows?status=invalid')).body;
  expect(out).toMatchObject([
    { key: 'k4', number: 5, amount: '', reason: expect.stringContaining("amount 'x'") },
    { key: 'k5', number: 6 },
  ]);
  const csv = await office.get('Nomsa', '/api/batches/monday/result?format=csv');
  expect(csv.bytes.toString()).toMatch(/^k5,.*invalid/m);
  const whole = await office.upload('Nomsa', 'whole.csv', csvOf(rows));
  expect(whole.sharedWith).toContainEqual(expect.objectContaining({ batch: 'monday', sent: 4, lacks: 0 }));
  await planned(office, whole.id, 'monday', { add: true });
  await office.close();
});

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

it('whoever approves rows that are added to a batch is alarmed of none that it has sent, and of what changed since a no', {
  tags: ['long'],
}, async () => {
  const office = await openOffice();
  const large = { ...southAfrican, amount: '62000', documents: 'invoice.pdf' };
  const rows = [...kenyanRows(3), large];
  const withDocument = async (name: string, of: readonly SheetRow[]) => {
    const { id } = await office.upload('Nomsa', name, csvOf(of));
    await office.send('Nomsa', `/api/uploads/${id}/documents`, 'invoice.pdf', '%PDF-1.4\n%%EOF\n');
    return await office.settled(id);
  };
  const first = await withDocument('november.csv', rows);
  expect(await planned(office, first.id, 'november')).toMatchObject({ state: 'planned', message: null });
  const { large: above, notes } = await approved(office, first.id);
  expect(above).toBe(1);
  expect(notes).toContainEqual(noted('documents-go'));
  expect(await pay(office, first.id, 'november')).toMatchObject({ paid: 4 });

  const more = await withDocument('november.csv', [...rows, kenyanRows(4)[3]!]);
  const confirmRepeat = 'Owed twice';
  expect(await planned(office, more.id, 'november-2', { confirmRepeat })).toMatchObject({ state: 'planned' });
  const all = (await office.get<Review>('Thabo', `/api/uploads/${more.id}/plan`)).body;
  expect([all.repeatsTotal, all.alikeTotal, all.large]).toEqual([4, 4, 1]);
  const no = { digest: all.digest, reason: 'Only the new one is owed' };
  expect((await office.post('Thabo', `/api/uploads/${more.id}/decline`, no)).status).toBe(200);
  expect(await planned(office, more.id, 'november', { add: true })).toMatchObject({ state: 'planned', message: null });
  const { body: review } = await office.get<Review>('Thabo', `/api/uploads/${more.id}/plan`);
  expect(review).toMatchObject({ rowsToSend: 1, repeatsTotal: 0, alikeTotal: 0, alike: [], large: 0 });
  expect(review.notes).not.toContainEqual(noted('documents-go'));
  expect(review.declinedBefore).toMatchObject({ by: 'Thabo', reason: 'Only the new one is owed' });
  await office.close();
});

it('a month that was sent, with one amount corrected since, is refused under a new name', {
  tags: ['long'],
}, async () => {
  const office = await openOffice();
  const rows = kenyanRows(12);
  expect(await paidAs(office, 'november', rows)).toMatchObject({ paid: 12 });
  const corrected = rows.map((row, index) => (index === 6 ? { ...row, amount: '7000' } : row));
  const sheet = await office.upload('Nomsa', 'november.csv', csvOf(corrected));
  expect(sheet).toMatchObject({ state: 'ready', sharedWith: [{ batch: 'november', rows: 12, sent: 11 }] });
  await planned(office, sheet.id, sheet.batch, { isNew: true });
  expect(saidOf(office, sheet.id)).toMatchObject({ code: 'SHEET_LOOKS_PAID', facts: { batch: 'november', held: 11 } });
  // The right way: the difference, in a row of its own.
  const more = { ...rows[6]!, row_id: 'k6-more', reference: 'Ref 7 more', amount: '6000' };
  const difference = await office.upload('Nomsa', 'difference.csv', csvOf([more]));
  expect(await planned(office, difference.id, difference.batch)).toMatchObject({ state: 'planned', message: null });
  await office.close();
});
