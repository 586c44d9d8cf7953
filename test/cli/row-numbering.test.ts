/** Sheets that number their rows 1, 2, 3: which batch a sheet without --batch is, and what is said where its rows were changed. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  command,
  csvOf,
  type Desk,
  expectOnePaymentEach,
  pay,
  refusalOf,
  type SheetRow,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

/** Rows 1 to 3; `first` tells one sheet's people, amounts and references from another's. */
const numbered = (first: number, reference: string): SheetRow[] =>
  [1, 2, 3].map((id) => ({
    row_id: String(id),
    name: `Payee ${first + id}`,
    country: 'Kenya',
    contact_number: `+2547123456${first + id}`,
    amount: String(100 * (first + id)),
    reference: `${reference} ${id}`,
  }));
const november = numbered(10, 'Salary');
const suppliers = numbered(20, 'Invoice');

const payRows = async (desk: Desk, rows: readonly SheetRow[], ...more: string[]) => {
  writeFileSync(desk.sheet, csvOf(rows));
  return await pay(desk, '--wait', '20s', ...more);
};

describe.concurrent('another sheet with the same row_ids', () => {
  it.each([[[]], [['--batch', 'november']]])(
    'is a batch of its own, and both go on by themselves (%j)',
    async (named) => {
      const service = await newService();
      const desk = deskFor(service, november);
      const first = await payRows(desk, november, ...named);
      const second = await payRows(desk, suppliers);
      expect([second.exit, second.document.sent, second.document.rows.total]).toEqual([0, 3, 3]);
      expect(second.document.batch).not.toBe(first.document.batch);
      for (const [rows, { document }] of [
        [november, first],
        [suppliers, second],
      ] as const) {
        const again = await payRows(desk, rows.toReversed());
        expect([again.exit, again.document.sent, again.document.batch]).toEqual([0, 0, document.batch]);
      }
      expectOnePaymentEach(service, [...november, ...suppliers]);
    },
  );

  it('takes no row of a batch of which nothing is sent yet', async () => {
    const service = await newService();
    const desk = deskFor(service, november);
    const { document: waiting } = await pay({ ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } });
    await payRows(desk, suppliers);
    const resumed = await command(desk, ['resume', waiting.batch ?? '', '--wait', '20s']);
    expect(resumed.exit).toBe(0);
    expectOnePaymentEach(service, [...suppliers, ...november]);
  });

  it('is corrected in its own batch', async () => {
    const service = await newService({ expires: new Set(['Invoice 2']) });
    const desk = deskFor(service, november);
    await payRows(desk, november);
    const { document } = await payRows(desk, suppliers);
    const mended = suppliers.map((row) => (row.row_id === '2' ? { ...row, reference: 'Invoice 2b' } : row));
    const again = await payRows(desk, mended);
    expect([again.exit, again.document.sent, again.document.batch]).toEqual([0, 1, document.batch]);
  });
});

describe.concurrent('the same sheet, changed', () => {
  it('goes on with its batch where the account of its only row was mended', async () => {
    const service = await newService();
    const desk = deskFor(service, []);
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 1 ? { kind: 'answer', status: 422, body: { message: 'no' } } : undefined;
    const first = await payRows(desk, [southAfrican]);
    expect(first.document.rows.unpaid).toBe(1);
    const mended = await payRows(desk, [{ ...southAfrican, account_number: '10004291628' }]);
    expect([mended.exit, mended.document.batch]).toEqual([0, first.document.batch]);
  });

  it.each([true, false])(
    'goes on with its batch while a row of it is open, however many rows are new (ids: %s)',
    async (hasIds) => {
      const service = await newService({ expires: new Set(['Salary 2']) });
      const desk = deskFor(service, november);
      const late: SheetRow[] = [30, 40].flatMap((first) =>
        numbered(first, 'Late').map((row) => ({ ...row, row_id: `${first} ${row.row_id}` })),
      );
      const sheet = (rows: readonly SheetRow[]) =>
        rows.map(({ row_id: id = '', ...row }): SheetRow => (hasIds ? { row_id: id, ...row } : row));
      const { document } = await payRows(desk, sheet(november));
      expect(document.rows).toMatchObject({ paid: 2, unpaid: 1 });
      writeFileSync(desk.sheet, csvOf(sheet([...november, ...late])));
      const refused = await command(desk, ['run', desk.sheet, '--json']);
      expect([refused.exit, refusalOf(refused)]).toMatchObject([
        26,
        { code: 'ROWS_ADDED', facts: { batch: document.batch } },
      ]);
      expect(service.payments).toHaveLength(3);
      const { document: named } = await pay(desk, '--batch', 'december', '--wait', '0');
      expect(named).toMatchObject({ batch: 'december', rows: { total: 9 } });
    },
  );

  it('adds to no batch that the command does not name', async () => {
    const desk = deskFor(await newService(), november);
    await payRows(desk, november);
    writeFileSync(desk.sheet, csvOf(suppliers));
    const refused = await command(desk, ['run', desk.sheet, '--add', '--json']);
    const facts = { batch: null, command: { action: 'list-batches' } };
    expect([refused.exit, refusalOf(refused)]).toMatchObject([2, { code: 'NOTHING_TO_ADD_TO', facts }]);
  });

  it.each<[string, (row: SheetRow, index: number) => SheetRow]>([
    ['every amount and reference', (row) => ({ ...row, amount: `1${row.amount}`, reference: `${row.reference}b` })],
    ['every payee', (row, index) => ({ ...row, contact_number: suppliers[index]?.contact_number ?? '' })],
  ])('is not paid again under another name: %s', async (_title, change) => {
    const service = await newService();
    const desk = deskFor(service, november);
    await payRows(desk, november);
    writeFileSync(desk.sheet, csvOf(november.map(change)));
    const { exit } = await command(desk, ['run', desk.sheet, '--wait', '0']);
    expect([exit, service.payments.length]).toEqual([26, 3]);
  });

  it('is told row by row, in the words of its columns', async () => {
    const service = await newService();
    const desk = deskFor(service, november);
    await payRows(desk, november);
    const changed = november.map((row, index) => ({
      ...row,
      ...(index === 0 ? { contact_number: '+254700000001', amount: '5' } : {}),
      ...(index === 2 ? { reference: 'Bonus', from_country: 'Europe' } : {}),
    }));
    writeFileSync(desk.sheet, csvOf(changed));
    const refused = await command(desk, ['run', desk.sheet, '--json']);
    expect(refused.exit).toBe(26);
    expect(refusalOf(refused)).toMatchObject({
      code: 'SENT_ROWS_CHANGED',
      facts: {
        rows: {
          total: 2,
          shown: [
            {
              row: 2,
              changes: [
                { column: 'contact_number', was: '+254712345611', now: '+254700000001' },
                { column: 'amount', was: 1100, now: 5 },
              ],
            },
            {
              row: 4,
              changes: [
                { column: 'reference', was: 'Salary 3', now: 'Bonus' },
                { column: 'from_country', was: null, now: 'Europe' },
              ],
            },
          ],
        },
      },
    });
  });
});
