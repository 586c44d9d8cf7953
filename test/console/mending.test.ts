/** A fix is of the rows that the page told, of no other; what takes it back brings back what was. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Correction, Mistake, Refusal, SheetRows, Upload } from '../../src/console/api.ts';
import { openTable, writeTable } from '../../src/console/check-table.ts';
import { csvOf, kenyanRows, newFolder, southAfrican } from '../support.ts';
import { type Office, openOffice } from './office.ts';

async function sheetOf(office: Office, name: string, csv: string) {
  const { id, header } = await office.upload('Nomsa', name, csv);
  const at = `/api/uploads/${id}`;
  return {
    id,
    place: (title: string) => header.indexOf(title),
    of: async (column: string) =>
      (await office.get<Mistake[]>('Nomsa', `${at}/mistakes`)).body.filter((one) => one.column === column),
    post: async (body: object) => await office.post<Upload & Refusal>('Nomsa', `${at}/corrections`, body),
    fix: async (of: object) => {
      expect(await office.post('Nomsa', `${at}/corrections`, of)).toMatchObject({ status: 200 });
      return await office.settled(id);
    },
    made: async () => (await office.get<Correction[]>('Nomsa', `${at}/corrections`)).body,
    undo: async (one: number) => await office.post<Refusal>('Nomsa', `${at}/corrections/${one}/undo`),
    cells: async (title: string) =>
      (await office.get<SheetRows>('Nomsa', `${at}/rows?limit=500`)).body.rows.map(
        ({ cells }) => cells[header.indexOf(title)],
      ),
  };
}

const all = ({ code, severity, suggestion, words, rowsAre, index, value }: Mistake, to: string) => ({
  row: null,
  column: index,
  from: value,
  to,
  mistake: { code, severity, suggestion, words, rowsAre },
});

it('a fix of equal mistakes leaves the totals row and a signature as they are, however many they are and whatever was fixed before', async () => {
  const office = await openOffice();
  const rows = kenyanRows(5003).map(
    ({ name, contact_number: phone, reference }) => `${name},,${phone},100,${reference}`,
  );
  const csv = `name,country,contact_number,amount,reference\n${rows.join('\n')}\nTotal,,,9999,\nPrepared by: Ann,,,,\n`;
  const sheet = await sheetOf(office, 'totals.csv', csv);
  const column = sheet.place('country');
  await sheet.fix({ row: 2, column, from: '', to: 'Kenya' });
  const [empty] = await sheet.of('country');
  expect(empty).toMatchObject({ rows: 5002, firstRow: 3, value: '' });
  const upload = await sheet.fix(all(empty!, 'Kenya'));
  expect(upload).toMatchObject({ state: 'to_fix', counts: { rows: 5003, toFix: 0 } });
  expect(upload.problems).toMatchObject([{ code: 'TOTAL_DIFFERS', message: expect.stringContaining('9999') }]);
  const plan = { batch: 'totals', skipInvalid: true, expect: [] };
  expect((await office.post('Nomsa', `/api/uploads/${sheet.id}/plan`, plan)).status).toBe(200);
  expect(await office.settled(sheet.id)).toMatchObject({ state: 'to_fix', message: expect.stringContaining('9999') });
  const [one, many] = await sheet.made();
  expect([one, many]).toMatchObject([
    { rows: [2], count: 1 },
    { rows: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], count: 5002 },
  ]);
  expect((await sheet.undo(one!.id)).status, 'of another row').toBe(200);
  await office.settled(sheet.id);
  expect((await sheet.cells('country')).slice(0, 3)).toEqual(['', 'Kenya', 'Kenya']);
  expect((await sheet.undo(many!.id)).status).toBe(200);
  expect((await office.settled(sheet.id)).counts).toMatchObject({ rows: 5003, toFix: 5003 });
  await office.close();
});

it('one mistake is told by country; what is told otherwise by now, or was fixed again since, is refused; each click stands for itself', async () => {
  const office = await openOffice();
  const za = (row: number, more: object) => ({
    ...southAfrican,
    row_id: `r${row}`,
    reference: `Ref ${row}`,
    bank_name: 'Stndard Bank',
    ...more,
  });
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
  expect(await sheet.post(told)).toMatchObject({ status: 409, body: { code: 'CELL_CHANGED' } });
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
    body: { code: 'FIXED_SINCE', message: expect.stringMatching(/^Row 7 was fixed again since/) },
  });
  for (const { id } of [since!, both!]) expect((await sheet.undo(id)).status).toBe(200);
  expect(await office.settled(sheet.id)).toMatchObject({ problems: [] });
  expect(await sheet.cells('bank_name')).toEqual(rows.map(({ bank_name: bank }, at) => (at === 2 ? 'Capitec' : bank)));

  // At the same moment, the same of two cells.
  const same = [2, 3].map((row) => sheet.post({ row, column, from: 'Stndard Bank', to: 'Standard Bank' }));
  expect((await Promise.all(same)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await sheet.made()).slice(1).map(({ rows: of }) => of)).toEqual([[2], [3]]);
  await office.close();
});

it('a name that stands in two columns is suggested whole, and put into none of them', async () => {
  const office = await openOffice();
  const csv = 'first name,last name,country,contact_number,amount,reference\nMaria,Muñoz,Kenya,0712345678,100,R1\n';
  const sheet = await sheetOf(office, 'names.csv', csv);
  expect(await sheet.of('name')).toMatchObject([
    { index: null, value: 'Maria Muñoz', suggestion: 'Maria Munoz', payee: 'Maria Muñoz' },
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
        message: `account ${account} again`,
        value: account,
        suggestion: null,
      },
    ],
    newPayee: false,
    large: false,
    corrections: [],
  });
  table.add([line(2, 'ONE'), line(3, 'OTHER')]);
  table.end();
  const masked = openTable(path, columns);
  const query = { filter: 'all', warning: 'OTHER', q: '', from: 0, limit: 9 } as const;
  expect(masked.rows(query)).toMatchObject({ total: 1, rows: [{ number: 3 }] });
  const told = [masked.warnings(), masked.mistakes([0, 1]), masked.rows({ ...query, warning: '' })].map((one) =>
    JSON.stringify(one),
  );
  for (const one of told) {
    expect(one).toContain('…1601');
    expect(one).not.toContain(account);
  }
  masked.close();
});
