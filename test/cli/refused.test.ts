/** A sheet with problems: exit 20, every problem of every row at once, with the sheet's own row number; nothing is sent. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Independent } from '../independent/service.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  nigerian,
  pay,
  resultOf,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

let service: Independent;
beforeAll(async () => {
  service = await newService();
});

const writes = () =>
  ['POST /merchants', 'POST /payments', 'PATCH /merchants/:id', 'POST /payments/:id/document'].reduce(
    (sum, route) => sum + (service.calls.get(route) ?? 0),
    0,
  );

/** Runs, and asserts that nothing at all was written at the service and no result lies about. */
async function refused(desk: Desk, ...more: string[]) {
  const before = writes();
  const ran = await pay(desk, ...more);
  expect(ran.exit).toBe(20);
  expect(writes() - before).toBe(0);
  expect(ran.document).toMatchObject({ sent: 0, batch: null, result: null });
  return ran.document;
}

describe('a sheet with problems', () => {
  it('says every problem of every row at once, with the row number that the spreadsheet shows', async () => {
    const good = kenyanRows(2);
    const rows = [
      good[0] ?? {},
      { ...southAfrican, row_id: 'a', amount: '12.50', reference: 'INV-204' },
      { ...nigerian, row_id: 'b', country: 'Atlantis' },
      good[1] ?? {},
      { ...southAfrican, row_id: 'c', name: "O'Brien", account_number: '' },
    ];
    const { problems, rows: counts } = await refused(deskFor(service, rows));
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ row, column }) => `${row} ${column}`).sort()).toEqual([
      '3 amount',
      '3 reference',
      '4 country',
      '6 account_number',
      '6 name',
    ]);
    expect(counts).toMatchObject({ total: 5, invalid: 3, not_sent: 2 });
    expect(errors.find(({ column }) => column === 'amount')).toMatchObject({
      value: '12.50',
      message: expect.stringContaining('12.50'),
    });
    expect(errors.find(({ column }) => column === 'reference')).toMatchObject({
      value: 'INV-204',
      suggestion: 'INV 204',
    });
  });

  it('a check says what a run would do, and refuses nothing itself', async () => {
    const rows = [{ ...southAfrican, amount: '12.50' }, ...kenyanRows(1)];
    const desk = deskFor(null, rows);
    const checked = async (...flags: string[]) =>
      documentOf(await command(desk, ['check', desk.sheet, '--json', ...flags]));
    const counts = (not_sent: number, invalid: number) => ({ not_sent, invalid });
    expect(await checked()).toMatchObject({ exit: 20, sent: 0, rows: counts(1, 1) });
    expect(await checked('--skip-invalid')).toMatchObject({ exit: 21, sent: 0, rows: counts(1, 1) });
    writeFileSync(desk.sheet, csvOf(kenyanRows(1)));
    expect(await checked('--skip-invalid')).toMatchObject({ exit: 0, sent: 0, rows: counts(1, 0) });
    writeFileSync(desk.sheet, `${csvOf(kenyanRows(1))}TOTAL,,,,999,\n`);
    expect((await checked('--skip-invalid')).exit).toBe(20);
  });

  it('nothing of a refused sheet is left in the ledger, and the mended one is paid', async () => {
    const rows = kenyanRows(2);
    const own = await newService();
    const desk = deskFor(own, [{ ...rows[0], amount: '0' }, rows[1] ?? {}]);
    await refused(desk);
    const list = await command(desk, ['list', '--json']);
    expect(JSON.parse(list.out)).toMatchObject({ batches: [] });
    expect(readdirSync(join(desk.folder, 'state', 'sheets'))).toEqual([]);
    writeFileSync(desk.sheet, csvOf(rows));
    expect((await pay(desk)).document).toMatchObject({ sent: 2, exit: 23 });
  });
});

describe('--skip-invalid', () => {
  it('pays the good rows, and the result says what is wrong with each other one', async () => {
    const rows = [{ ...southAfrican, amount: '12.50' }, ...kenyanRows(2)];
    const own = await newService();
    const { document, exit } = await pay(deskFor(own, rows), '--skip-invalid', '--wait', '20s');
    expect([exit, document.rows]).toMatchObject([21, { total: 3, paid: 2, invalid: 1 }]);
    expect(own.payments).toHaveLength(2);
    expect(resultOf(document.result)).toMatchObject([
      { row_id: 'za1', payrun_status: 'invalid', payrun_reason: expect.stringContaining('12.50'), payment_id: '' },
      { row_id: 'k1', payrun_status: 'paid' },
      { row_id: 'k2', payrun_status: 'paid' },
    ]);
  });

  it('keeps the checked workbook until no row has a mistake', async () => {
    const rows = [{ ...southAfrican, amount: '12.50' }, ...kenyanRows(1)];
    const desk = deskFor(await newService(), rows);
    const { checked } = (await pay(desk)).document;
    expect((await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s')).exit).toBe(21);
    expect(existsSync(checked!)).toBe(true);
    writeFileSync(desk.sheet, csvOf([{ ...southAfrican, amount: '12' }, ...kenyanRows(1)]));
    expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    expect(existsSync(checked!)).toBe(false);
  });

  it('still refuses a sheet of which no row is good', async () => {
    await refused(deskFor(service, [{ ...southAfrican, amount: '12.50' }]), '--skip-invalid');
  });

  it('still refuses a fault of the whole sheet', async () => {
    const desk = deskFor(service, []);
    writeFileSync(
      desk.sheet,
      'name,country,contact_number,amount,reference,acount_number\nA,Kenya,+254712345678,5,Ref,1\n',
    );
    await refused(desk, '--skip-invalid');
  });
});
