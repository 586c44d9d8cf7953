/** Files of other products, unchanged: Payrun reads them correctly, or names what a person must correct. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../src/base/problem.ts';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { offlineBanks } from '../../src/domain/accounts/bank.ts';
import { type SheetProblems, type ShippedMapName, sheetProblem } from '../../src/domain/problems/sheet-problems.ts';
import type { Field } from '../../src/domain/rows/cell.ts';
import { parseRow, type Row, type RowRules } from '../../src/domain/rows/row.ts';
import { problemDocument } from '../../src/messages/problems.ts';

import { mapNamed, openSheet, rulesOfSheet } from '../../src/sheet/sheet.ts';
import { command, deskFor, documentOf } from '../support.ts';

const samples = join(import.meta.dirname, '../../samples/other');
const sample = (name: string) => readFileSync(join(samples, name), 'utf8');

async function checked(text: string, ...flags: string[]): Promise<Outcome> {
  const desk = deskFor(null, []);
  writeFileSync(desk.sheet, text);
  return documentOf(await command(desk, ['check', desk.sheet, '--json', ...flags]));
}

/** Expects an error that has these facts. */
const expectError = ({ problems }: Outcome, ...[code, facts, where]: ErrorOf<keyof SheetProblems>) =>
  expect(problems).toContainEqual(problemDocument(sheetProblem(code, 'error', facts, where)));
type ErrorOf<C> = C extends keyof SheetProblems ? [code: C, facts: SheetProblems[C], where?: Place] : never;

/** Expects an error of a missing column, with the reason that the map gives. */
const expectLacks = (outcome: Outcome, map: ShippedMapName, column: Field) =>
  expectError(outcome, 'COLUMN_MISSING', { field: column, map }, { column });

const rules: RowRules = {
  banks: offlineBanks(),
  numberFormat: null,
  accountChecks: 'error',
  documents: 'require',
  btcUnit: null,
  networkProvider: 'MOMO',
  defaults: {},
};

/** What would be paid, with every check of account numbers at its strictest. */
async function rowsOf(name: string, map: string): Promise<unknown[]> {
  const options = { map: mapNamed(map, map) };
  const sheet = await openSheet(join(samples, name), options);
  const rows: (Row | null)[] = [];
  for await (const lines of sheet.lines())
    for (const { cells, number } of lines)
      rows.push(parseRow(cells, number, rulesOfSheet(rules, sheet, options.map)).row);
  return rows.map((row) => {
    if (row === null) return null;
    const { country, ...to } = row.destination;
    return [row.name, country, Object.values(to).at(-1), row.amount, row.currency, row.reference];
  });
}

describe('read right', () => {
  it('Wise, with the accounts added: the currency says the country', async () => {
    expect(await rowsOf('wise-with-accounts.csv', 'wise')).toEqual([
      ['Zola Example', 'SouthAfrica', '10004291601', 11250, 'ZAR', 'DESIGN 21'],
      ['Ibadan Sample Textiles', 'Nigeria', '0000014579', 415000, 'NGN', 'INV 611'],
      ['Njeri Example', 'Kenya', '+254712345610', 32000, 'KES', 'RESEARCH 4'],
    ]);
  });

  it('an ACB file with the banks added: the last Ref is the one on the statement', async () => {
    expect(await rowsOf('za-acb-with-banks.csv', 'za-acb')).toEqual([
      ['Acme Example Castings', 'SouthAfrica', expect.stringMatching(/^10012504\d\d$/), 8700, 'ZAR', 'INV 5512'],
      ['Boikhutso Example', 'SouthAfrica', expect.stringMatching(/^10013375\d\d$/), 12400, 'ZAR', 'WAGES 47'],
      ['Transkei Sample Haulage', 'SouthAfrica', '001321676', 46050, 'ZAR', 'LOAD 88'],
    ]);
  });

  it('Flutterwave, with the names added', async () => {
    expect(await rowsOf('flutterwave-with-names.csv', 'flutterwave')).toEqual([
      ['Yetunde Example', 'Nigeria', '0123456784', 185000, 'NGN', 'Salary November'],
      ['Enugu Sample Foods', 'Nigeria', '0123456785', 640000, 'NGN', 'Invoice 90'],
      ['Tunde Example', 'Nigeria', '2000000097', 72000, 'NGN', 'Transport'],
    ]);
  });

  it('a Kenyan bulk file: the account numbers are phones', async () => {
    expect(await rowsOf('kenya-mobile.csv', 'kenya-mobile')).toEqual([
      ['Wambui Example', 'Kenya', '+254712345611', 14500, 'KES', 'Salary November'],
      ['Kisumu Sample Fisheries', 'Kenya', '+254712345612', 68000, 'KES', 'Invoice 31'],
      ['Barasa Example', 'Kenya', '+254110123413', 3200, 'KES', 'Bus fares'],
    ]);
  });
});

/** Matches an error of a row. */
const error = (code: string, row: number) => expect.objectContaining({ code, row, severity: 'error' });

describe.concurrent('without a map Payrun names the map that fits, and applies none', () => {
  it.each([
    ['wise.csv', 'wise'],
    ['za-acb.csv', 'za-acb'],
    ['paypal.csv', 'paypal'],
    ['flutterwave.csv', 'flutterwave'],
    ['kenya-mobile.csv', 'kenya-mobile'],
  ])('%s', async (file, name) => {
    expect(await checked(sample(file))).toMatchObject({ exit: 20, map: { shipped: { name } } });
  });

  it.each([
    'name,account_number,amount,reference,note',
    'Account Name,Bank,Account Number,Amount,Reason',
    'Recipient,Amount,Currency,Country code,Ref',
    'bank_code,account_number,amount,currency,narration,country',
  ])('and none for %s', async (header) => {
    expect((await checked(`${header}\nA,1,1,R,1,2\n`)).map).toMatchObject({ needed: true, shipped: null });
  });
});

describe.concurrent('Payrun names what a person must correct', () => {
  it('Wise with recipientIds only: the accounts are missing', async () => {
    expectLacks(await checked(sample('wise.csv'), '--map', 'wise'), 'wise', 'account_number');
  });

  it('Wise with the amount in the source currency: the amount that the payee gets is unknown', async () => {
    const text = sample('wise-with-accounts.csv').replace('ZAR,target', 'ZAR,source');
    const outcome = await checked(text, '--map', 'wise');
    const facts = { map: 'wise', refused: 'source', of: null } as const;
    expectError(outcome, 'MAP_REFUSED', facts, { row: 2, column: 'amount_unit', value: 'source' });
    expect(outcome.rows).toMatchObject({ not_sent: 2, invalid: 1 });
  });

  it('Wise in a currency that cannot be paid', async () => {
    const text = sample('wise-with-accounts.csv').replace('KES,target', 'EUR,target');
    expect((await checked(text, '--map', 'wise')).problems).toContainEqual(error('COUNTRY_UNKNOWN', 4));
  });

  it('an ACB file without banks: each row suggests the bank of its branch code, and Payrun chooses none', async () => {
    const outcome = await checked(sample('za-acb.csv'), '--map', 'za-acb');
    expectLacks(outcome, 'za-acb', 'bank_name');
    expect(outcome.problems.flatMap(({ code, suggestion }) => (code === 'BANK_MISSING' ? [suggestion] : []))).toEqual([
      'Nedbank',
      'Capitec Bank',
      'Standard Bank',
    ]);
  });

  it('an ACB file with cents', async () => {
    const text = sample('za-acb-with-banks.csv').replace('8700.00', '8700.36');
    expect((await checked(text, '--map', 'za-acb')).problems).toContainEqual(error('AMOUNT_FRACTION', 2));
  });

  it('an ACB file with one Ref only', async () => {
    const outcome = await checked('Ref,Name,Amount,Account No.,Branch Code\nA,B,1,1,1\n', '--map', 'za-acb');
    const facts = { header: 'Ref', map: 'za-acb', uses: ['tag', 'reference'], columns: ['A'], near: null };
    expectError(outcome, 'MAP_UNKNOWN', facts, { row: 1, value: 'Ref' });
  });

  it('PayPal: an e-mail address is no destination', async () => {
    const outcome = await checked(sample('paypal.csv'), '--map', 'paypal');
    expectLacks(outcome, 'paypal', 'account_number');
    expect(outcome.rows).toMatchObject({ not_sent: 0, invalid: 2 });
  });

  it('PayPal as a person uploads it there, with tabs and without a header', async () => {
    const rows = 'a@mail.example\t10.00\tUSD\tc1\tThanks\nb@mail.example\t9.00\tUSD\tc2\tThanks\n';
    expectError(await checked(rows), 'HEADER_MISSING', { map: null, isHeadless: true });
  });

  it('Flutterwave: its files have no names, and Payrun needs them', async () => {
    expectLacks(await checked(sample('flutterwave.csv'), '--map', 'flutterwave'), 'flutterwave', 'name');
  });

  it('Flutterwave to Kenya: bank payouts are not supported there', async () => {
    const text = `${sample('flutterwave-with-names.csv')}68,0110194000123,900,KES,Fares,Barasa Example\n`;
    const { problems } = await checked(text, '--map', 'flutterwave');
    expect(problems).toContainEqual(error('KENYA_BANK_UNSUPPORTED', 5));
  });

  it('a Kenyan bulk file of bank accounts', async () => {
    const header = 'Bank Paybill Number';
    const text = `Account Name,Account Number,${header},Amount,Nickname,Reason\nA B,0712345678,247247,1,,R\n`;
    const outcome = await checked(text, '--map', 'kenya-mobile');
    const facts = { map: 'kenya-mobile', refused: header, of: { column: 'C', header } } as const;
    expectError(outcome, 'MAP_REFUSED', facts, { row: 1, value: header });
    expect(outcome.rows.not_sent).toBe(0);
  });

  it('a Kenyan bulk file with an account number that is no phone', async () => {
    const text = 'Account Name,Account Number,Amount,Nickname,Reason\nA B,01109998887770,1,,R\n';
    expect((await checked(text, '--map', 'kenya-mobile')).problems).toContainEqual(error('PHONE_INVALID', 2));
  });
});
