/** Five thousand rows: checked in a thread, and asked for by page, filter and search. */
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import type { Correction, Mistake, SheetRows, Upload, UploadLine } from '../../src/console/api.ts';
import { csvOf, kenyanRows, southAfrican } from '../support.ts';
import { openOffice } from './office.ts';

const many = 5000;

it('a sheet of 5,000 rows is paged, filtered and searched, and the server answers meanwhile', async () => {
  const office = await openOffice();
  const rows = kenyanRows(many, 80).map((row, index) => (index % 100 === 50 ? { ...row, amount: '12.50' } : row));
  const { body: taken } = await office.send<Upload>('Nomsa', '/api/uploads', 'large.csv', csvOf(rows));
  const { body: meanwhile } = await office.get<UploadLine[]>('Vusi', '/api/uploads');
  expect(meanwhile, 'others are answered while it is looked at').toMatchObject([{ state: 'reading' }]);
  const upload = await office.settled(taken.id);
  expect(upload).toMatchObject({ state: 'to_fix', counts: { rows: many, toFix: 50, newPayees: many - 50 } });

  const page = async (query: string) =>
    (await office.get<SheetRows>('Nomsa', `/api/uploads/${upload.id}/rows?${query}`)).body;
  const deep = await page('from=4990&limit=500');
  expect([deep.total, deep.rows.length, deep.rows.at(-1)?.number]).toEqual([many, 10, many + 1]);
  const wrong = await page('filter=to_fix&from=49&limit=5');
  expect([wrong.total, wrong.rows.map(({ number, status }) => [number, status])]).toEqual([50, [[4952, 'fix']]]);
  const found = await page('q=Ref%203777');
  expect([found.total, found.rows[0]?.cells]).toEqual([1, expect.arrayContaining(['k3777'])]);
  expect((await page('q=%25')).total, 'a per cent sign is one').toBe(0);
  expect((await page('limit=100000')).rows.length).toBe(500);

  const { body: mistakes } = await office.get<Mistake[]>('Nomsa', `/api/uploads/${upload.id}/mistakes`);
  expect(mistakes.filter(({ severity }) => severity === 'error')).toMatchObject([
    { value: '12.50', rows: 50, firstRow: 52 },
  ]);
  const { index, code, severity, suggestion, words, rowsAre } = mistakes[0]!;
  const all = { column: index, from: '12.50', to: '12', mistake: { code, severity, suggestion, words, rowsAre } };
  expect((await office.post('Nomsa', `/api/uploads/${upload.id}/corrections`, all)).status).toBe(200);
  expect(await office.settled(upload.id)).toMatchObject({ state: 'ready', counts: { toFix: 0 } });
  expect((await page('filter=corrected')).total).toBe(50);
  await office.close();
});

it('rows above the amount from which documents are asked for are found before they have them', async () => {
  const office = await openOffice();
  const za = (row_id: string, more: object) => ({ ...southAfrican, row_id, reference: `Large ${row_id}`, ...more });
  const upload = await office.upload(
    'Nomsa',
    'large.csv',
    csvOf([
      za('a', { amount: '62000', documents: 'not-here.pdf;nor-this.pdf' }),
      za('b', { amount: '148000', documents: '' }),
      za('c', { amount: '50001', bank_name: 'No Such Bank', documents: '' }),
      za('d', { amount: '50000', documents: '' }),
      { ...kenyanRows(1)[0]!, amount: '90000', documents: '' },
      za('f', { amount: '30000', name: '', documents: '' }),
    ]),
  );
  expect(upload.counts).toMatchObject({ toFix: 4, over50000: 3 });
  const { body } = await office.get<SheetRows>('Nomsa', `/api/uploads/${upload.id}/rows?filter=over_50000`);
  expect(body.rows.map(({ number }) => number)).toEqual([2, 3, 4]);

  // One fix for the rows that lack theirs: no other empty cell is filled, and all of it is taken back at once.
  const at = `/api/uploads/${upload.id}`;
  const { body: mistakes } = await office.get<Mistake[]>('Nomsa', `${at}/mistakes`);
  const missing = mistakes.find(({ code }) => code === 'DOCUMENT_MISSING');
  const notThere = ['not-here.pdf', 'nor-this.pdf'].map((name) => `document '${name}' was not uploaded yet`);
  expect(missing?.message.split('; ').sort(), 'each that its cell names').toEqual(notThere.toSorted());
  const bank = mistakes.find(({ column }) => column === 'bank_name');
  expect(bank).toMatchObject({ payee: southAfrican.name, amount: '50001', words: 'bank_name SouthAfrica' });
  const column = upload.header.indexOf('documents');
  const { code, severity, suggestion, words, rowsAre } = mistakes.find(({ value }) => value === '')!;
  const mistake = { code, severity, suggestion, words, rowsAre };
  const fill = { column, from: '', to: 'contract.pdf', mistake };
  expect((await office.post('Nomsa', `${at}/corrections`, fill)).status).toBe(200);
  await office.settled(upload.id);
  const { body: now } = await office.get<SheetRows>('Nomsa', `${at}/rows`);
  const documents = now.rows.map(({ cells }) => cells[column]);
  expect(documents).toEqual(['not-here.pdf;nor-this.pdf', 'contract.pdf', 'contract.pdf', '', '', '']);
  const made = async () => (await office.get<Correction[]>('Nomsa', `${at}/corrections`)).body;
  expect(await made()).toMatchObject([{ rows: [3, 4], count: 2 }]);
  expect((await office.post('Nomsa', `${at}/corrections/${(await made())[0]?.id}/undo`)).status).toBe(200);
  expect(await made()).toEqual([]);
  await office.close();
});

it('of two equal rows whose row_id is empty, each gets its id where it stands', async () => {
  const office = await openOffice();
  const twin = { ...kenyanRows(1)[0]!, row_id: '' };
  const upload = await office.upload('Nomsa', 'twins.csv', csvOf([twin, twin]));
  const { body } = await office.get<Mistake[]>('Nomsa', `/api/uploads/${upload.id}/mistakes`);
  const index = upload.header.indexOf('row_id');
  expect(body.filter(({ severity }) => severity === 'error')).toMatchObject([{ firstRow: 3, index, value: '' }]);
  expect(body[0]?.message).toContain('row id here');
  for (const [row, to, toFix] of [
    [3, 'second', 1],
    [2, 'first', 0],
  ] as const) {
    const fix = { row, column: index, from: '', to };
    expect((await office.post('Nomsa', `/api/uploads/${upload.id}/corrections`, fix)).status).toBe(200);
    expect((await office.settled(upload.id)).counts).toMatchObject({ toFix });
  }
  await office.close();
});

it('the hidden half of merged cells is none of the empty cells that are filled together', async () => {
  const office = await openOffice();
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Payouts');
  const rows = kenyanRows(3).map((row, index) => (index === 2 ? { ...row, reference: '' } : row));
  const header = Object.keys(rows[0] ?? {});
  sheet.addRows([header, ...rows.map((row) => header.map((name) => row[name as keyof typeof row]))]);
  const { letter } = sheet.getColumn(header.indexOf('reference') + 1);
  sheet.mergeCells(`${letter}2:${letter}3`);
  const upload = await office.upload('Nomsa', 'merged.xlsx', Buffer.from(await book.xlsx.writeBuffer()));
  const { body } = await office.get<Mistake[]>('Nomsa', `/api/uploads/${upload.id}/mistakes`);
  expect(body.map(({ code, rows: many, firstRow }) => [code, many, firstRow])).toEqual([
    ['CELL_MERGED', 1, 3],
    [expect.not.stringContaining('MERGED'), 1, 4],
  ]);
  await office.close();
});

it('viewers see accounts by their last four digits, in cells, problems and corrections', async () => {
  const office = await openOffice();
  const upload = await office.upload(
    'Nomsa',
    'za.csv',
    csvOf([{ ...southAfrican, account_number: '10004291602' }, southAfrican]),
  );
  const text = async (who: string, path: string) =>
    JSON.stringify((await office.get(who, `/api/uploads/${upload.id}${path}`)).body);
  for (const path of ['', '/rows', '/mistakes', '/corrections']) {
    expect(await text('Vusi', path), path).not.toMatch(/1000429160/);
  }
  expect(await text('Nomsa', '/rows')).toMatch(/10004291602/);
  expect(await text('Vusi', '/rows')).toMatch(/…1602/);
  await office.close();
});
