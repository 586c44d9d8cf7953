/** Sheets that number their rows 1, 2, 3: which batch a sheet without --batch is, and what is said where its rows were changed. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { command, csvOf, type Desk, expectOnePaymentEach, pay, refusalOf, type SheetRow } from '../support.ts';
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
});

const repairs = numbered(20, 'Invoice').concat(
  [4, 5].map((id) => ({ ...numbered(20 + id, `Repair ${id}`)[0]!, row_id: String(id) })),
);

/** A desk with batch `salaries`, of which nothing was sent because the key was wrong. */
async function withUnsentSalaries(rows = november) {
  const service = await newService();
  const desk = deskFor(service, rows);
  await pay({ ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } }, '--batch', 'salaries');
  return { service, desk };
}

const runSheet = async (desk: Desk, rows: readonly SheetRow[], ...more: string[]) => {
  writeFileSync(desk.sheet, csvOf(rows));
  const ran = await command(desk, ['run', desk.sheet, '--json', '--wait', '20s', ...more]);
  return { exit: ran.exit, refusal: ran.exit === 0 ? null : refusalOf(ran) };
};

const unnamed = (batch: string | null, rows: number, of: number) => ({
  exit: 26,
  refusal: { code: 'BATCH_UNNAMED', facts: { of, batches: { total: 1, shown: [{ batch, rows }] } } },
});

it('`--batch-if-new` names no batch that exists', async () => {
  const { service, desk } = await withUnsentSalaries();
  const broken = suppliers.map((row) => ({ ...row, amount: 'ten' }));
  const refusal = { code: 'BATCH_NAMES_ALIKE', facts: { batch: 'salaries', known: 'salaries' } };
  expect(await runSheet(desk, suppliers, '--batch-if-new', 'salaries')).toMatchObject({ exit: 26, refusal });
  // The mistakes of a sheet come first.
  expect(await runSheet(desk, broken, '--batch-if-new', 'salaries')).toMatchObject({ exit: 20 });
  expect((await command(desk, ['resume', 'salaries', '--wait', '20s'])).exit).toBe(0);
  expectOnePaymentEach(service, november);
});

describe.concurrent('a sheet without a name that has a row of an open batch', () => {
  const first = november[0]!;
  it.each<[string, readonly SheetRow[], number]>([
    ['one row of it, and others', [{ ...first, amount: '7', reference: 'Repair' }, ...repairs.slice(1)], 1],
    ['all of it, and others', [...november, ...repairs.slice(3)], 3],
    ['only a part of it', november.slice(1), 2],
    ['a corrected row', [{ ...first, amount: '1101' }, ...november.slice(1)], 3],
    ['another month of its payees', november.map((row) => ({ ...row, amount: '9', reference: 'December' })), 3],
  ])('is refused before anything changes: %s', async (_title, sheet, shared) => {
    const { service, desk } = await withUnsentSalaries();
    for (const more of [[], ['--batch-if-new', 'repairs']])
      expect(await runSheet(desk, sheet, ...more)).toMatchObject(unnamed('salaries', shared, sheet.length));
    expect(service.payments).toEqual([]);
    const resumed = await command(desk, ['resume', 'salaries', '--wait', '20s']);
    expect(resumed.exit).toBe(0);
    expectOnePaymentEach(service, november);
  });

  it('is paid as its next version, or as a batch of its own, by the printed commands', async () => {
    const { service, desk } = await withUnsentSalaries();
    const sheet = [{ ...first, amount: '7', reference: 'Repair' }, ...repairs.slice(1)];
    expect(await runSheet(desk, sheet, '--batch', 'repairs')).toMatchObject({ exit: 0 });
    const corrected = [{ ...first, amount: '1101' }, ...november.slice(1)];
    const { refusal } = await runSheet(desk, corrected);
    const command = { action: 'run-sheet', file: desk.sheet, batch: 'salaries', add: false, drop: false };
    expect(refusal).toMatchObject({ code: 'BATCH_UNNAMED', facts: { batches: { shown: [{ command }] } } });
    expect(await runSheet(desk, corrected, '--batch', 'salaries')).toMatchObject({ exit: 0 });
    expectOnePaymentEach(service, [...sheet, ...corrected]);
  });

  it.each([true, false])(
    'is refused too after rows were sent, and is that batch again as it was (ids: %s)',
    async (hasIds) => {
      const service = await newService({ expires: new Set(['Salary 2']) });
      const desk = deskFor(service, november);
      const sheet = (rows: readonly SheetRow[]) =>
        rows.map(({ row_id: id = '', ...row }): SheetRow => (hasIds ? { row_id: id, ...row } : row));
      const { document } = await payRows(desk, sheet(november));
      expect(document.rows).toMatchObject({ paid: 2, unpaid: 1 });
      const longer = sheet([...november, ...repairs.slice(3)]);
      expect(await runSheet(desk, longer)).toMatchObject(unnamed(document.batch, 3, 5));
      const again = await payRows(desk, sheet(november.toReversed()));
      expect([again.document.batch, again.document.sent]).toEqual([document.batch, 0]);
      expect(service.payments).toHaveLength(3);
      const { document: named } = await payRows(desk, longer, '--batch', 'december');
      expect(named).toMatchObject({ batch: 'december', rows: { total: 5 } });
    },
  );

  it('is a batch of its own after a person closed the other batch', async () => {
    const { service, desk } = await withUnsentSalaries([first]);
    const sheet = [{ ...first, amount: '7', reference: 'Repair' }, ...repairs.slice(1)];
    expect(await runSheet(desk, sheet)).toMatchObject(unnamed('salaries', 1, 5));
    expect((await command(desk, ['drop', 'salaries', '--row', '1', '--reason', 'Paid by hand'])).exit).toBe(0);
    expect(await runSheet(desk, sheet)).toMatchObject({ exit: 0 });
    expectOnePaymentEach(service, sheet);
  });

  it('adds to no batch that the command does not name', async () => {
    const desk = deskFor(await newService(), november);
    await payRows(desk, november);
    writeFileSync(desk.sheet, csvOf(suppliers));
    const refused = await command(desk, ['run', desk.sheet, '--add', '--json']);
    const facts = { batch: null, command: { action: 'list-batches' } };
    expect([refused.exit, refusalOf(refused)]).toMatchObject([2, { code: 'NOTHING_TO_ADD_TO', facts }]);
  });
});

describe.concurrent('the same sheet, changed', () => {
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
