/** A fix is of the rows that the page told, of no other; what takes it back brings back what was. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Correction, ErrorAnswer, Mistake, SheetRows, Upload } from '../../src/console/api.ts';
import { openTable, writeTable } from '../../src/console/inspection/check-table.ts';
import { factsFor } from '../../src/domain/problems/masked-facts.ts';
import { shownProblem } from '../../src/messages/problems.ts';
import { csvOf, kenyanRows, newFolder, southAfrican, until } from '../support.ts';
import { type Office, openOffice } from './office.ts';

async function sheetOf(office: Office, name: string, csv: string) {
  const { id, header } = await office.upload('Nomsa', name, csv);
  const at = `/api/uploads/${id}`;
  return {
    id,
    place: (title: string) => header.indexOf(title),
    of: async (column: string) =>
      (await office.get<Mistake[]>('Nomsa', `${at}/mistakes`)).body.filter((one) => one.column === column),
    post: async (body: object) => await office.post<Upload & ErrorAnswer>('Nomsa', `${at}/corrections`, body),
    fix: async (of: object) => {
      expect(await office.post('Nomsa', `${at}/corrections`, of)).toMatchObject({ status: 200 });
      return await office.settled(id);
    },
    made: async () => (await office.get<Correction[]>('Nomsa', `${at}/corrections`)).body,
    settled: async () => await office.settled(id),
    undo: async (one: number) => await office.post<ErrorAnswer>('Nomsa', `${at}/corrections/${one}/undo`),
    cells: async (title: string) =>
      (await office.get<SheetRows>('Nomsa', `${at}/rows?limit=500`)).body.rows.map(
        ({ cells }) => cells[header.indexOf(title)],
      ),
  };
}

const all = ({ code, severity, suggestion, words, rowsAre, index, value }: Mistake, to: string) => ({
  column: index,
  from: value,
  to,
  mistake: { code, severity, suggestion, words, rowsAre },
});

it('a fix of equal mistakes leaves the totals row and a signature as they are, however many they are and whatever was fixed before', async () => {
  const office = await openOffice();
  const rows = kenyanRows(53).map(({ name, contact_number: phone, reference }) => `${name},,${phone},100,${reference}`);
  const csv = `name,country,contact_number,amount,reference\n${rows.join('\n')}\nTotal,,,9999,\nPrepared by: Ann,,,,\n`;
  const sheet = await sheetOf(office, 'totals.csv', csv);
  const column = sheet.place('country');
  await sheet.fix({ row: 2, column, from: '', to: 'Kenya' });
  const [empty] = await sheet.of('country');
  expect(empty).toMatchObject({ rows: 52, firstRow: 3, value: '' });
  const upload = await sheet.fix(all(empty!, 'Kenya'));
  expect(upload).toMatchObject({ state: 'to_fix', counts: { rows: 53, toFix: 0 } });
  expect(upload.problems).toMatchObject([{ code: 'TOTAL_DIFFERS', message: expect.stringContaining('9999') }]);
  const plan = { batch: 'totals', skipInvalid: true, expect: [] };
  expect((await office.press('Nomsa', `/api/uploads/${sheet.id}/plan`, plan)).status).toBe(200);
  expect(await office.settled(sheet.id)).toMatchObject({ state: 'to_fix', message: expect.stringContaining('9999') });
  const [one, many] = await sheet.made();
  expect([one, many]).toMatchObject([
    { rows: [2], count: 1 },
    { rows: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], count: 52 },
  ]);
  expect((await sheet.undo(one!.id)).status, 'of another row').toBe(200);
  await office.settled(sheet.id);
  expect((await sheet.cells('country')).slice(0, 3)).toEqual(['', 'Kenya', 'Kenya']);
  expect((await sheet.undo(many!.id)).status).toBe(200);
  expect((await office.settled(sheet.id)).counts).toMatchObject({ rows: 53, toFix: 53 });
  await office.close();
});

it('a payee who is called Null is paid once a person says so', async () => {
  const office = await openOffice();
  const csv = 'name,country,contact_number,amount,reference\nNull,Kenya,+254712345678,100,A1\n';
  const sheet = await sheetOf(office, 'null.csv', csv);
  expect(await sheet.of('name')).toMatchObject([{ code: 'CELL_NOTHING', value: 'Null' }]);
  const upload = await sheet.fix({ row: 2, column: sheet.place('name'), from: 'Null', to: 'Null' });
  expect(upload.counts).toMatchObject({ rows: 1, toFix: 0 });
  expect(await sheet.post({ row: 2, column: sheet.place('reference'), from: 'A1', to: 'A1' })).toMatchObject({
    status: 422,
  });
  await office.close();
});

const za = (row: number, more: object) => ({
  ...southAfrican,
  row_id: `r${row}`,
  reference: `Ref ${row}`,
  bank_name: 'Stndard Bank',
  ...more,
});

it('one mistake is told by country; what is told otherwise by now, or was fixed again since, is refused; each click stands for itself', async () => {
  const office = await openOffice();
  const ng = { country: 'Nigeria', bank_name: '', account_number: '0123456789', currency: 'NGN' };
  const rows = [za(2, {}), za(3, {}), za(4, {}), za(5, { bank_name: '' }), za(6, ng), za(7, {})];
  const sheet = await sheetOf(office, 'banks.csv', csvOf(rows));
  const banks = await sheet.of('bank_name');
  expect(banks.map(({ value, rows: count, firstRow, words }) => [value, count, firstRow, words])).toEqual([
    ['Stndard Bank', 4, 2, 'bank_name SouthAfrica'],
    ['', 1, 5, 'bank_name SouthAfrica'],
    ['', 1, 6, 'bank_name Nigeria'],
  ]);

  const told = all(banks[0]!, 'Standard Bank');
  const column = sheet.place('bank_name');
  await sheet.fix({ row: 4, column, from: 'Stndard Bank', to: 'Capitec' });
  expect(await sheet.post(told)).toMatchObject({ status: 409, body: { code: 'MISTAKE_MOVED' } });
  const now = (await sheet.of('bank_name')).find(({ value }) => value === 'Stndard Bank');
  const again = all(now!, 'Standard Bank');
  expect((await sheet.post(again)).status).toBe(200);
  expect((await sheet.post(again)).status, 'before it was checked, or after').toBe(409);
  await office.settled(sheet.id);
  await sheet.fix({ row: 7, column, from: 'Standard Bank', to: 'Nedbank' });
  expect(await sheet.made()).toMatchObject([{ rows: [4] }, { rows: [2, 3, 7], count: 3 }, { rows: [7] }]);
  const [, both, since] = await sheet.made();
  expect(await sheet.undo(both!.id)).toMatchObject({
    status: 409,
    body: { code: 'FIXED_SINCE', facts: { row: 7 } },
  });
  for (const { id } of [since!, both!]) expect((await sheet.undo(id)).status).toBe(200);
  expect(await office.settled(sheet.id)).toMatchObject({ problems: [] });
  expect(await sheet.cells('bank_name')).toEqual(rows.map(({ bank_name: bank }, at) => (at === 2 ? 'Capitec' : bank)));

  // At the same moment, the same of two cells.
  const same = [2, 3].map((row) => sheet.post({ row, column, from: 'Stndard Bank', to: 'Standard Bank' }));
  expect((await Promise.all(same)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await sheet.made()).slice(1).map(({ rows: of }) => of)).toEqual([[2], [3]]);

  // The same empty cell of another country is another mistake; a fix of another column stands upon none of this one.
  await sheet.settled();
  await sheet.fix(all((await sheet.of('bank_name')).find(({ firstRow }) => firstRow === 5)!, 'Capitec'));
  await sheet.fix({ row: 5, column: sheet.place('reference'), from: 'Ref 5', to: 'Ref five' });
  const [ofBank, ofReference] = (await sheet.made()).slice(3);
  expect([ofBank, ofReference]).toMatchObject([
    { rows: [5], to: 'Capitec' },
    { rows: [5], to: 'Ref five' },
  ]);
  expect((await sheet.undo(ofBank!.id)).status).toBe(200);
  await sheet.settled();

  // What is handed over with each command stays small.
  const db = new DatabaseSync(office.ledger);
  const runs = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => [10 + 2 * at, 10 + 2 * at]));
  db.prepare(
    `INSERT INTO correction (upload, row_runs, column_index, was, becomes, account, at) VALUES (?, ?, 0, 'a', 'b', 1, 1)`,
  ).run(sheet.id, runs);
  db.close();
  expect(await sheet.post({ row: 7, column, from: 'Stndard Bank', to: 'Nedbank' })).toMatchObject({
    status: 422,
    body: { code: 'TOO_MANY_FIXES' },
  });
  await office.close();
});

it('a fix is of what the cell says by now, also before that was checked: it is kept, or refused at once', async () => {
  let corrected = 0;
  const onWrite = (what: string) => {
    if (what === 'correct') corrected += 1;
  };
  const office = await openOffice(undefined, {}, { onWrite });
  const sheet = await sheetOf(office, 'banks.csv', csvOf([za(2, {}), za(3, {}), za(4, {}), za(5, {})]));
  const column = sheet.place('bank_name');
  const one = (row: number, from: string, to: string) => ({ row, column, from, to });
  const refused = (code: string, facts = {}) => ({ status: 409, body: { code, facts } });
  const undoLast = async () => expect((await sheet.undo((await sheet.made()).at(-1)!.id)).status).toBe(200);

  await sheet.fix(one(2, 'Stndard Bank', 'Capitec'));
  await undoLast();
  expect(await sheet.post(one(2, 'Capitec', 'Nedbank'))).toMatchObject(
    refused('CELL_CHANGED', { row: 2, text: 'Stndard Bank' }),
  );
  expect(await sheet.post(one(2, 'Stndard Bank', 'Nedbank'))).toMatchObject({ status: 200 });
  expect(await sheet.settled()).toMatchObject({ problems: [] });
  expect(await sheet.cells('bank_name')).toEqual(['Nedbank', 'Stndard Bank', 'Stndard Bank', 'Stndard Bank']);

  // Equal mistakes alike: what was written into them is taken back, or one of them was fixed a moment ago.
  const [told] = await sheet.of('bank_name');
  await sheet.fix(all(told!, 'Standrd Bnk'));
  const [again] = await sheet.of('bank_name');
  await undoLast();
  // Which rows say what, or which have the mistake: as the sheet was looked at since, or not yet.
  expect(await sheet.post(all(again!, 'Nedbank'))).toMatchObject(refused('CELL_CHANGED'));
  await sheet.settled();
  const [back] = await sheet.of('bank_name');
  expect((await sheet.post(one(4, 'Stndard Bank', 'Capitec'))).status).toBe(200);
  expect((await sheet.post(all(back!, 'Nedbank'))).status).toBe(409);
  expect(await sheet.settled()).toMatchObject({ problems: [] });

  // Two of one cell at once, while another program writes: one of them is kept.
  const db = new DatabaseSync(office.ledger);
  db.exec('BEGIN IMMEDIATE');
  const before = corrected;
  const both = ['Capitec', 'Nedbank'].map((to) => sheet.post(one(3, 'Stndard Bank', to)));
  await until('both wait to be written', () => corrected === before + 2);
  db.exec('COMMIT');
  db.close();
  expect((await Promise.all(both)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await sheet.settled()).toMatchObject({ problems: [] });
  // And what was fixed upon it meanwhile keeps a fix from being taken back.
  const [, , first] = await sheet.made();
  const upon = sheet.post(one(3, first!.to, 'Absa'));
  const undone = sheet.undo(first!.id);
  expect([(await upon).status, (await undone).status].toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await sheet.settled()).toMatchObject({ problems: [] });
  expect(await sheet.post(one(9, 'Stndard Bank', 'Absa'))).toMatchObject(refused('ROW_TO_FIX_MISSING', { row: 9 }));
  await office.close();
});

it('a name that stands in two columns is suggested whole, and put into none of them', async () => {
  const office = await openOffice();
  const csv = 'first name,last name,country,contact_number,amount,reference\nMaria,Muñoz,Kenya,0712345678,100,R1\n';
  const sheet = await sheetOf(office, 'names.csv', csv);
  // No column says the currency: the country does.
  const kes = { currency: 'KES', unit: 'whole' };
  expect(await sheet.of('name')).toMatchObject([
    { index: null, value: 'Maria Muñoz', suggestion: 'Maria Munoz', payee: 'Maria Muñoz', money: kes },
  ]);
  expect(await sheet.fix({ row: 2, column: 1, from: 'Muñoz', to: 'Munoz' })).toMatchObject({ state: 'ready' });
  await office.close();
});

it('a table says no account to whoever need not see it, and finds the rows of one kind of warning', () => {
  const path = join(newFolder(), 'check.db');
  const account = '10004291601';
  const columns = ['name', 'account_number'];
  const table = writeTable(path, columns);
  const line = (number: number, code: string) => ({
    number,
    cells: ['A B', account],
    problems: [
      {
        row: number,
        column: 'account_number',
        code,
        severity: 'warning' as const,
        facts: { account },
        value: account,
        suggestion: null,
      },
    ],
    newPayee: false,
    large: false,
    corrections: [],
  });
  table.add([line(2, 'ACCOUNT_FROM_NUMBER'), line(3, 'ACCOUNT_DIGITS_LOST')]);
  table.end([]);
  using masked = openTable(path, columns);
  const query = { filter: 'all', warning: 'ACCOUNT_DIGITS_LOST', q: '', from: 0, limit: 9 } as const;
  expect(masked.rows(query)).toMatchObject({ total: 1, rows: [{ number: 3 }] });
  const told = [masked.warnings(), masked.mistakes(), masked.rows({ ...query, warning: '' })].map((one) =>
    JSON.stringify(one),
  );
  for (const one of told) {
    expect(one).toContain('…1601');
    expect(one).not.toContain(account);
  }
});

it.each<[column: string, code: string, facts: object, value: string | null, message: RegExp]>([
  [
    'account_number',
    'ACCOUNT_LENGTH',
    { account: '429160', digits: 6, suggestion: null, why: 'country', least: 7, most: 11 },
    '429160',
    /'…9160' has 6 digits; 7 to 11 were/,
  ],
  ['account_number', 'ACCOUNT_CHARACTERS', { account: "10'00'42'91", suggestion: null }, "10'00'42'91", /'…2'91'/],
  [
    'account_number',
    'ACCOUNT_SEPARATORS_DROPPED',
    { account: '42 91 60', suggestion: '429160' },
    null,
    /'…1 60' is read as …9160$/,
  ],
  [
    'account_number',
    'CELL_NUMBER',
    { field: 'account_number', text: '42916.5', why: 'format', shown: '4291' },
    '4291',
    /'…' by .*'…16\.5'/,
  ],
  [
    'lnurl',
    'LNURL_REWRITTEN',
    { lnurl: 'lightning:Satoshi', suggestion: 'Satoshi' },
    'lightning:Satoshi',
    /'…oshi' is read as '…oshi'$/,
  ],
  [
    'account_number',
    'CELL_CORRECTED',
    {
      column: 'B',
      row: 14,
      header: 'Account 2',
      from: '10004291601',
      to: '10004291602',
      by: 'Ama 2',
      at: '2026-11-27T12:00:00.000Z',
    },
    null,
    /'Account 2' .*'…1601'.*…1602.*Ama 2.*2026-11-27 12:00:00/,
  ],
  ['contact_number', 'CELL_MERGED', { cell: 'B14' }, '', /B14/],
  [
    'account_number',
    'ACCOUNT_CHECK',
    { account: '62123456789', bank: { name: 'Standard Bank 24', code: null }, suggestion: null },
    '62123456789',
    /'…6789'.*Standard Bank 24/,
  ],
  ['account_number', 'CELL_STRUCK', { field: 'account_number', value: '429160' }, null, /'…9160'/],
  [
    'contact_number',
    'TEXT_FORCED',
    { field: 'contact_number', value: '="712345"', read: '712345' },
    null,
    /'…345"'.*…2345/,
  ],
  ['reference', 'REFERENCE_FROM_NUMBER', { reference: '10004291601', date: null }, '10004291601', /'…1601'/],
  ['name', 'ROW_MARKED', { column: 'B', header: 'Paid to', says: '10004291601' }, null, /'…1601'/],
])('of a mistake in %s, %s shows a viewer no destination', (column, code, facts, value, message) => {
  const suggestion = 'suggestion' in facts ? (facts.suggestion as string | null) : null;
  const problem = { row: 2, column, code, severity: 'error' as const, facts, value, suggestion };
  const shown = shownProblem(factsFor({ masked: true }, problem), 'page');
  expect(shown.message).toMatch(message);
  for (const text of [...Object.values(facts), value])
    if (typeof text === 'string' && /\d{5}|tosh/.test(text)) expect(JSON.stringify(shown)).not.toContain(text);
});

it('a click on equal mistakes is bound to their rows, and not to what those have in common with others', () => {
  const rowsAre = [
    [2, 5, 6, 9],
    [2, 4, 7, 9],
  ].map((numbers) => {
    const path = join(newFolder(), 'check.db');
    const table = writeTable(path, ['name']);
    const problem = {
      column: 'name',
      code: 'X',
      severity: 'error' as const,
      facts: {},
      value: '',
      suggestion: null,
    };
    const more = { newPayee: false, large: false, corrections: [] };
    table.add(numbers.map((number) => ({ number, cells: [''], problems: [{ row: number, ...problem }], ...more })));
    table.end([]);
    using read = openTable(path, ['name']);
    const [mistake] = read.mistakes();
    expect(mistake).toMatchObject({ rows: 4, firstRow: 2 });
    return mistake?.rowsAre;
  });
  expect(rowsAre[0]).not.toBe(rowsAre[1]);
});

it('equal mistakes have the message of their first row, in whichever order their rows were read', () => {
  const path = join(newFolder(), 'check.db');
  const table = writeTable(path, ['row_id']);
  const problem = {
    column: 'row_id',
    code: 'ROW_ID_REPEATED',
    severity: 'error' as const,
    value: 'a',
    suggestion: null,
  };
  const more = { newPayee: false, large: false, corrections: [] };
  for (const number of [7, 5, 6]) {
    const facts = { row: number - 2, id: 'row_id' };
    table.add([{ number, cells: ['a'], problems: [{ row: number, ...problem, facts }], ...more }]);
  }
  table.end([]);
  using read = openTable(path, null);
  expect(read.mistakes()).toMatchObject([{ rows: 3, firstRow: 5, message: expect.stringContaining('row 3') }]);
});
