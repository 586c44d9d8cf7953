/** The rules of a row, as tables: what each cell may hold, in every kind that a workbook knows. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, type Cells, type Field, fields, shownText } from '../../src/domain/rows/cell.ts';
import { parseRow, type RowRules } from '../../src/domain/rows/row.ts';
import { rowProblems } from '../../src/messages/problems/row-problems.ts';
import { anyText } from '../any-text.ts';
import { messageOf } from '../problem-words.ts';
import {
  codesOf,
  formulaCell,
  kenya,
  lightning,
  nigeria,
  numberCell,
  rowOf,
  rules,
  southAfrica,
  typedCell,
  withCell,
} from './example.ts';

/** Base line, changed cells, expected problems (`e` error, `w` warning, `r` repair), changed rules. */
type Case = readonly [Cells, { readonly [F in Field]?: Cell | undefined }, readonly string[], Partial<RowRules>?];

const everyCase: Case[] = [];

function each(cases: readonly Case[]): void {
  everyCase.push(...cases);
  for (const one of cases) it(titleOf(one), () => check(one));
}

function titleOf([base, change, expected, changedRules]: Case): string {
  const what = JSON.stringify({ ...change, ...changedRules }, (_, value) => (value === undefined ? null : value));
  return `${shownText(base.country ?? '')} ${what}: ${expected.join(', ') || 'no problem'}`;
}

function cellsOf([base, change]: Case): Cells {
  let cells = base;
  for (const [field, cell] of Object.entries(change)) cells = withCell(cells, field as Field, cell);
  return cells;
}

function check(one: Case): void {
  const [, , expected, changedRules] = one;
  const cells = cellsOf(one);
  expect(codesOf(cells, changedRules)).toEqual(expected);
  const refused = expected.some((one) => one.startsWith('e '));
  expect(parseRow(cells, 2, { ...rules, ...changedRules }).row === null).toBe(refused);
}

describe('a clean line', () => {
  it.each([southAfrica, nigeria, kenya, lightning])('has no problems', (cells) => expect(codesOf(cells)).toEqual([]));

  it('becomes a row in canonical values', () => {
    const cells = {
      ...southAfrica,
      row_id: '17',
      country: 'RSA',
      from_country: 'UK',
      type: 'PURCHASE',
      slow: 'yes',
      tag: 'nov',
      merchant_id: 'f3b1',
      documents: 'a.pdf; b.pdf;;a.pdf',
      currency: 'zar',
    };
    expect(rowOf(cells)).toEqual({
      number: 2,
      rowId: '17',
      payeeId: null,
      name: 'Thandi Mokoena',
      destination: {
        country: 'SouthAfrica',
        bank: 'standardbank',
        bankName: 'Standard Bank',
        accountNumber: '10004291601',
      },
      amount: 4500,
      unit: 'whole',
      currency: 'ZAR',
      reference: 'Salary Nov',
      fromCountry: 'UnitedKingdom',
      collectionMethod: null,
      type: 'PURCHASE',
      slow: true,
      ownTag: 'nov',
      merchantId: 'f3b1',
      documents: ['a.pdf', 'b.pdf'],
    });
  });

  it('takes batch-wide values where its own cells are empty', () => {
    const rest = withCell(withCell(kenya, 'country', undefined), 'reference', undefined);
    const defaults = { country: 'Kenya', reference: 'Batch', from_country: 'KES', collection_method: 'bank transfer' };
    expect(rowOf(rest, { defaults })).toMatchObject({
      reference: 'Batch',
      fromCountry: 'Kenya',
      collectionMethod: 'BANK_TRANSFER',
    });
    expect(rowOf({ ...rest, reference: 'Own' }, { defaults }).reference).toBe('Own');
  });

  it('reports every fault of a line at once', () => {
    const cells = {
      name: "O'Brien",
      country: 'SouthAfrica',
      bank_name: 'Nobank',
      account_number: '12',
      amount: '1.5',
      reference: 'A-B',
    };
    expect(codesOf(cells)).toEqual([
      'e NAME_CHARACTERS',
      'e BANK_UNKNOWN',
      'e AMOUNT_FRACTION',
      'e REFERENCE_CHARACTERS',
    ]);
  });

  it('an empty line names what is missing', () =>
    expect(codesOf({})).toEqual(['e NAME_MISSING', 'e COUNTRY_MISSING', 'e AMOUNT_MISSING', 'e REFERENCE_MISSING']));
});

describe('problems', () => {
  it('know their place, the cell and what to write', () => {
    const { problems } = parseRow({ ...southAfrica, reference: 'INV-204' }, 7, rules);
    expect(problems).toEqual([
      {
        row: 7,
        column: 'reference',
        code: 'REFERENCE_CHARACTERS',
        severity: 'error',
        facts: {
          reference: 'INV-204',
          strangers: [{ character: '-', position: 4 }],
          others: 0,
          encoding: null,
          suggestion: 'INV 204',
        },
        value: 'INV-204',
        suggestion: 'INV 204',
      },
    ]);
  });
});

describe('country and source', () => {
  each([
    [southAfrica, { country: undefined }, ['e COUNTRY_MISSING']],
    [southAfrica, { country: 'Narnia' }, ['e COUNTRY_UNKNOWN']],
    [southAfrica, { country: 'ZAR' }, ['e COUNTRY_UNKNOWN']],
    // What else is wrong is told with it, as it will be once the country is mended.
    [
      kenya,
      { country: 'Kenia', contact_number: '0722', amount: 'x' },
      ['e COUNTRY_UNKNOWN', 'e PHONE_INVALID', 'e AMOUNT_NOT_A_NUMBER'],
    ],
    [kenya, { country: 'Narnia', contact_number: '0722', amount: 'x' }, ['e COUNTRY_UNKNOWN']],
    [southAfrica, { country: 'UnitedKingdom' }, ['e COUNTRY_SOURCE_ONLY']],
    [southAfrica, { country: 'Europe' }, ['e COUNTRY_SOURCE_ONLY']],
    [southAfrica, { country: 'Tether' }, ['e COUNTRY_SOURCE_ONLY']],
    [southAfrica, { country: 'South Africa' }, []],
    [southAfrica, { country: numberCell('27') }, ['e COUNTRY_UNKNOWN']],
    [southAfrica, { country: typedCell('error', '#N/A') }, ['e CELL_ERROR']],
    [southAfrica, { from_country: 'KE' }, []],
    [southAfrica, { from_country: 'Mars' }, ['e FROM_COUNTRY_UNKNOWN']],
    [kenya, { from_country: 'Kenya', collection_method: 'MOMO' }, []],
    [kenya, { from_country: 'Kenya', collection_method: 'cash' }, ['e COLLECTION_METHOD_UNKNOWN']],
    [kenya, { collection_method: 'MOMO' }, ['w FIELD_UNUSED']],
    [kenya, {}, [], { defaults: { collection_method: 'MOMO' } }],
    [southAfrica, { currency: 'NGN' }, ['e CURRENCY_MISMATCH']],
    [lightning, { currency: 'sats' }, []],
    [lightning, { currency: 'SAT' }, []],
    [southAfrica, { currency: 'sats' }, ['e CURRENCY_MISMATCH']],
    [southAfrica, { currency: 'Tether' }, ['e CURRENCY_MISMATCH']],
    [nigeria, { from_country: 'USDT', amount_unit: 'hundredths', currency: 'tether' }, []],
    [nigeria, { from_country: 'USDT', amount_unit: 'hundredths', currency: 'sat' }, ['e CURRENCY_MISMATCH']],
    [kenya, { from_country: 'Kenya', collection_method: 'mobile money' }, []],
    [kenya, { from_country: 'Kenya', collection_method: 'Bank-Transfer' }, []],
  ]);

  it('says of a currency that only the header has that it comes from there', () => {
    const currencyHeader = 'Amount (ZAR)';
    const told = (more: Partial<RowRules>, currency?: string) =>
      parseRow({ ...kenya, ...(currency === undefined ? {} : { currency }) }, 2, { ...rules, ...more }).problems.map(
        ({ facts }) => facts,
      );
    const mismatch = { currency: 'NGN', header: null, expected: 'KES', country: 'Kenya' };
    const ofHeader = { defaults: { currency: 'ZAR' }, currencyHeader };
    expect(told(ofHeader)).toEqual([{ ...mismatch, currency: 'ZAR', header: currencyHeader }]);
    expect(told(ofHeader, 'KES')).toEqual([]);
    expect(told(ofHeader, 'NGN')).toEqual([mismatch]);
    expect(told({ defaults: { currency: 'NGN' } })).toEqual([mismatch]);
  });

  it('suggests the country of a currency and of a slip', () => {
    const suggestion = (country: string) => parseRow({ ...southAfrica, country }, 2, rules).problems[0]?.suggestion;
    expect(suggestion('ZAR')).toBe('SouthAfrica');
    expect(suggestion('Kenia')).toBe('Kenya');
    expect(suggestion('Nigreia')).toBe('Nigeria');
  });

  it.each(['Niger', 'Algeria', 'Liberia', 'North Africa', 'TBC', 'BTN', 'nan', 'Guinea', 'Penang'])(
    'suggests no country for another one: %s',
    (country) =>
      expect(parseRow({ ...southAfrica, country }, 2, rules).problems[0]).toMatchObject({
        code: 'COUNTRY_UNKNOWN',
        suggestion: null,
      }),
  );

  it('suggests no currency and no network in place of another', () => {
    expect(parseRow({ ...southAfrica, currency: 'USD' }, 2, rules).problems[0]?.suggestion).toBeNull();
    expect(parseRow({ ...kenya, network_provider: 'Airtel' }, 2, rules).problems[0]?.suggestion).toBeNull();
  });
});

describe('names, ids and text cells', () => {
  each([
    [southAfrica, { name: undefined }, ['e NAME_MISSING']],
    [southAfrica, { name: '   ' }, ['e NAME_MISSING']],
    [southAfrica, { name: ' Thandi ' }, ['r OUTER_SPACES_DROPPED']],
    [southAfrica, { name: 'Than\u200bdi' }, ['r INVISIBLE_DROPPED']],
    [southAfrica, { name: '\ufeffThandi ' }, ['r INVISIBLE_DROPPED', 'r OUTER_SPACES_DROPPED']],
    [southAfrica, { name: formulaCell('Thandi Mokoena', 'text') }, ['w FORMULA_CELL']],
    [southAfrica, { name: formulaCell('', 'uncached') }, ['e FORMULA_UNCACHED']],
    [southAfrica, { name: numberCell('365') }, []],
    [southAfrica, { name: typedCell('date', '2026-03-12') }, ['e CELL_DATE']],
    [southAfrica, { name: typedCell('boolean', 'TRUE') }, ['e CELL_BOOLEAN']],
    [southAfrica, { row_id: numberCell('17') }, []],
    [southAfrica, { row_id: numberCell('1.5') }, ['e CELL_NUMBER']],
    [southAfrica, { row_id: numberCell('1234567890123456') }, ['e CELL_NUMBER']],
    [southAfrica, { row_id: 'a\u0007b' }, ['e ROW_ID_INVALID']],
    [southAfrica, { row_id: 'x'.repeat(201) }, ['e ROW_ID_INVALID']],
    [southAfrica, { row_id: ' 7' }, ['r OUTER_SPACES_DROPPED']],
    [southAfrica, { merchant_id: '../users' }, ['e MERCHANT_ID_INVALID']],
    [southAfrica, { type: 'PURCHASE' }, []],
    [southAfrica, { type: 'PUR<CHASE' }, ['e TYPE_INVALID']],
    [southAfrica, { type: 'purchase' }, []],
    [southAfrica, { type: 'Savings' }, ['e TYPE_INVALID']],
    [southAfrica, { type: 'Savings' }, [], { paymentTypes: ['SALARY', 'Savings'] }],
    [southAfrica, { slow: 'maybe' }, ['e SLOW_INVALID']],
    ...['yes', 'Y', 'true', '1', 'x', 'no', 'N', 'False', '0', '-'].map((slow): Case => [southAfrica, { slow }, []]),
    [southAfrica, { merchant_id: `${'x'.repeat(100)}` }, []],
    [southAfrica, { merchant_id: `${'x'.repeat(101)}` }, ['e MERCHANT_ID_INVALID']],
    [southAfrica, { merchant_id: '/f3b1' }, ['e MERCHANT_ID_INVALID']],
    [southAfrica, { merchant_id: 'f3b1/' }, ['e MERCHANT_ID_INVALID']],
    [southAfrica, { slow: typedCell('boolean', 'TRUE') }, []],
    [southAfrica, { slow: typedCell('error', '#N/A') }, ['e CELL_ERROR']],
  ]);

  it.each(['yes', 'Y', 'true', '1', 'x'])('%j is slow', (slow) =>
    expect(rowOf({ ...southAfrica, slow }).slow).toBe(true),
  );
  it.each(['no', 'N', 'False', '0', '-', ''])('%j is not', (slow) =>
    expect(rowOf({ ...southAfrica, slow }).slow).toBe(false),
  );

  it('keeps the zeros that a number format shows in a row_id', () =>
    expect(rowOf({ ...southAfrica, row_id: numberCell('17', '00017') }).rowId).toBe('00017'));
});

describe('references', () => {
  each([
    [southAfrica, { reference: undefined }, ['e REFERENCE_MISSING']],
    [southAfrica, { reference: ' Salary' }, ['e REFERENCE_SPACES']],
    [southAfrica, { reference: 'Salary\u200b' }, ['e REFERENCE_CHARACTERS']],
    [southAfrica, { reference: numberCell('42') }, ['w REFERENCE_FROM_NUMBER']],
    [southAfrica, { reference: numberCell('100000') }, ['w REFERENCE_FROM_NUMBER']],
    [southAfrica, { reference: numberCell('1E5') }, ['e CELL_NUMBER']],
    [southAfrica, { reference: numberCell('4.5') }, ['e CELL_NUMBER']],
    [southAfrica, { reference: typedCell('date', '2026-03-12') }, ['e CELL_DATE']],
    [southAfrica, { reference: typedCell('boolean', 'TRUE') }, ['e CELL_BOOLEAN']],
    [southAfrica, { reference: formulaCell('INV 1', 'text') }, ['w FORMULA_CELL']],
  ]);

  it.each([
    ['2026-03-12', '12-3', null],
    ['2026-03-01', 'Mar 26', 'Mar 26'],
  ])('of a date %s what was probably typed is known, and suggested where it is taken', (shown, likely, suggestion) => {
    const [problem] = parseRow({ ...southAfrica, reference: typedCell('date', shown) }, 2, rules).problems;
    expect(problem).toMatchObject({ code: 'CELL_DATE', facts: { likely }, suggestion });
  });
});

it.each([
  ['46093', '2026-03-12'],
  ['36526', '2000-01-01'],
  ['36525', null],
  ['55153', '2050-12-31'],
  ['55154', null],
])('the number %s in a reference may be the date %s without its format', (text, date) => {
  const { problems } = parseRow({ ...southAfrica, reference: numberCell(text) }, 2, rules);
  expect(problems).toMatchObject([{ code: 'REFERENCE_FROM_NUMBER', facts: { reference: text, date } }]);
});

it.each<Field>(['account_number', 'bank_code', 'branch_code', 'amount'])(
  'of a date in %s no text is guessed',
  (field) => {
    const [problem] = parseRow({ ...southAfrica, [field]: typedCell('date', '2026-03-12') }, 2, rules).problems;
    expect(problem).toMatchObject({ code: 'CELL_DATE', facts: { likely: null }, suggestion: null });
  },
);

it.each(fields.flatMap((field) => ['2026-03-12', '2026-03-01'].map((shown) => [field, shown] as const)))(
  'what is suggested for a date in %s passes its check: %s',
  (field, shown) => {
    const problemsOf = (cell: Cell) =>
      parseRow({ ...southAfrica, [field]: cell }, 2, rules).problems.filter(({ column }) => column === field);
    for (const { suggestion } of problemsOf(typedCell('date', shown)))
      if (suggestion !== null) expect(problemsOf(suggestion)).toEqual([]);
  },
);

describe('South African banks and accounts', () => {
  each([
    [southAfrica, { bank_name: undefined }, ['e BANK_MISSING']],
    [southAfrica, { bank_name: 'SBSA' }, ['r BANK_ALIAS']],
    [southAfrica, { bank_name: 'Nobank' }, ['e BANK_UNKNOWN']],
    [southAfrica, { branch_code: '051001' }, []],
    [southAfrica, { branch_code: '051 001' }, []],
    [southAfrica, { branch_code: '51001' }, ['r BRANCH_PADDED']],
    [southAfrica, { branch_code: numberCell('51001') }, ['r BRANCH_PADDED']],
    [southAfrica, { branch_code: '470010' }, ['e BRANCH_MISMATCH']],
    [southAfrica, { branch_code: '051002' }, ['w BRANCH_UNKNOWN']],
    [southAfrica, { bank_code: '470010' }, ['e BRANCH_MISMATCH']],
    [southAfrica, { account_number: undefined }, ['e ACCOUNT_MISSING']],
    [southAfrica, { account_number: ' ' }, ['e ACCOUNT_MISSING']],
    [southAfrica, { account_number: '1000-429-1601' }, ['r ACCOUNT_SEPARATORS_DROPPED']],
    [southAfrica, { account_number: '10001274163' }, ['e ACCOUNT_CHECK']],
    [southAfrica, { account_number: '10001274163' }, ['w ACCOUNT_CHECK'], { accountChecks: 'warn' }],
    [southAfrica, { account_number: '10001274163' }, [], { accountChecks: 'off' }],
    [southAfrica, { account_number: '1000429160' }, ['e ACCOUNT_LENGTH']],
    [southAfrica, { account_number: '1234' }, ['e ACCOUNT_LENGTH'], { accountChecks: 'off' }],
    [southAfrica, { bank_name: 'Capitec Bank', account_number: '1001274163' }, ['w ACCOUNT_CHECK']],
    [
      southAfrica,
      { bank_name: 'Capitec Bank', account_number: '1001274163' },
      ['e ACCOUNT_CHECK'],
      { accountChecks: 'error' },
    ],
    [southAfrica, { bank_name: 'TymeBank', account_number: '51000000001' }, []],
    [southAfrica, { account_number: 'GB29NWBK60161331926819' }, ['e ACCOUNT_IBAN']],
    [southAfrica, { account_number: '1.23E+08' }, ['e ACCOUNT_DIGITS_LOST']],
    [southAfrica, { account_number: 'ABC123' }, ['e ACCOUNT_CHARACTERS']],
    [southAfrica, { account_number: '１０００４２９１６０１' }, ['e ACCOUNT_CHARACTERS']],
    [southAfrica, { account_number: numberCell('10004291601') }, ['w ACCOUNT_FROM_NUMBER']],
    [southAfrica, { account_number: numberCell('10001274163') }, ['w ACCOUNT_FROM_NUMBER', 'e ACCOUNT_CHECK']],
    [southAfrica, { account_number: numberCell('1321676') }, ['e ACCOUNT_ZEROS_LOST']],
    [southAfrica, { account_number: numberCell('1321676', '001321676') }, ['w ACCOUNT_FROM_NUMBER']],
    [southAfrica, { account_number: numberCell('1.23E+08') }, ['e ACCOUNT_DIGITS_LOST']],
    [southAfrica, { account_number: numberCell('1234567890123456') }, ['e ACCOUNT_DIGITS_LOST']],
    [southAfrica, { account_number: formulaCell('10004291601') }, ['w FORMULA_CELL', 'w ACCOUNT_FROM_NUMBER']],
    [southAfrica, { account_number: typedCell('date', '2026-03-12') }, ['e CELL_DATE']],
    [southAfrica, { lnurl: 'a@b.co' }, ['w FIELD_UNUSED']],
  ]);

  it('says what a shortened account would be, and whether it would fit', () => {
    const [problem] = parseRow({ ...southAfrica, account_number: numberCell('1321676') }, 2, rules).problems;
    const fits = { padded: '001321676', verdict: 'well-formed' };
    expect(problem).toMatchObject({ code: 'ACCOUNT_ZEROS_LOST', facts: fits, suggestion: '001321676' });
  });

  it('suggests no account that would fail as well', () => {
    const capitec = { ...southAfrica, bank_name: 'Capitec Bank', account_number: numberCell('1274162') };
    const [problem] = parseRow(capitec, 2, rules).problems;
    expect(problem).toMatchObject({ code: 'ACCOUNT_ZEROS_LOST', facts: { verdict: 'fails' }, suggestion: null });
  });

  it('suggests the bank of a branch code, and does not choose it', () => {
    const rest = withCell(southAfrica, 'bank_name', undefined);
    const [problem] = parseRow({ ...rest, branch_code: '470010' }, 2, rules).problems;
    expect(problem).toMatchObject({ code: 'BANK_MISSING', suggestion: 'Capitec Bank' });
  });
});

describe('Nigerian banks and accounts', () => {
  each([
    [nigeria, { bank_name: undefined }, ['e BANK_MISSING']],
    [nigeria, { bank_name: undefined, bank_code: '058' }, []],
    [nigeria, { bank_name: undefined, bank_code: numberCell('58') }, ['r BANK_CODE_PADDED']],
    [nigeria, { bank_name: undefined, bank_code: '000011' }, ['e BANK_CODE_AMBIGUOUS']],
    [nigeria, { bank_code: '058' }, []],
    [nigeria, { bank_code: '011' }, ['e BANK_CODE_MISMATCH']],
    [nigeria, { account_number: '0123456784' }, ['e ACCOUNT_CHECK']],
    [nigeria, { bank_name: 'Globus Bank', account_number: '0123456784' }, ['w ACCOUNT_CHECK']],
    [nigeria, { account_number: '123456785' }, ['e ACCOUNT_LENGTH']],
    [nigeria, { account_number: numberCell('123456785') }, ['e ACCOUNT_ZEROS_LOST']],
    [nigeria, { account_number: numberCell('123456785', '0123456785') }, ['w ACCOUNT_FROM_NUMBER']],
    [nigeria, { bank_name: undefined, bank_code: '090365', account_number: '8012345678' }, ['w BANK_CODE_UNKNOWN']],
  ]);

  it('suggests the ten digits only where they would pass', () => {
    const suggested = ['123456785', '123456784'].map(
      (account_number) => parseRow({ ...nigeria, account_number }, 2, rules).problems[0],
    );
    expect(suggested.map((problem) => problem?.suggestion)).toEqual(['0123456785', null]);
  });

  it('sends the listed name, and the code that the sheet gave', () => {
    const rest = withCell(nigeria, 'bank_name', undefined);
    expect(rowOf({ ...rest, bank_code: '000058' }).destination).toEqual({
      country: 'Nigeria',
      bank: 'guarantytrustbank',
      bankName: 'Guaranty Trust Bank',
      bankCode: '058',
      accountNumber: '0123456785',
    });
  });
});

describe('Kenya and Lightning', () => {
  each([
    [kenya, { contact_number: '0712345678' }, ['r PHONE_REWRITTEN']],
    [kenya, { contact_number: numberCell('712345678') }, ['r PHONE_REWRITTEN']],
    [kenya, { contact_number: '+27821234567' }, ['e PHONE_INVALID']],
    [kenya, { contact_number: undefined }, ['e PHONE_MISSING']],
    [kenya, { contact_number: undefined, account_number: '123456' }, ['e KENYA_BANK_UNSUPPORTED']],
    [kenya, { account_number: '123456' }, ['w FIELD_UNUSED']],
    [kenya, { network_provider: 'momo' }, []],
    [kenya, { network_provider: 'Other' }, ['w NETWORK_UNUSUAL']],
    [lightning, { lnurl: 'mailto:satoshi@bitcoin.org' }, ['r LNURL_REWRITTEN']],
    [lightning, { lnurl: 'Satoshi@bitcoin.org' }, ['w LNURL_REWRITTEN']],
    [lightning, { lnurl: 'nonsense' }, ['e LNURL_INVALID']],
    [lightning, { lnurl: undefined }, ['e LNURL_MISSING']],
    [lightning, { lnurl: ' ' }, ['e LNURL_MISSING']],
    [lightning, { account_number: '1' }, ['w FIELD_UNUSED']],
  ]);
});

describe('amounts, units and documents', () => {
  each([
    [southAfrica, { amount: undefined }, ['e AMOUNT_MISSING']],
    [southAfrica, { amount: 'R 1 500' }, ['r AMOUNT_REWRITTEN']],
    [southAfrica, { amount: '1,500' }, ['e AMOUNT_AMBIGUOUS']],
    [southAfrica, { amount: '1,500' }, ['r AMOUNT_REWRITTEN'], { numberFormat: '1,234.56' }],
    [southAfrica, { amount_unit: 'whole' }, []],
    [southAfrica, { amount_unit: 'ZAR' }, []],
    [southAfrica, { amount_unit: 'cents' }, ['e AMOUNT_UNIT_INVALID']],
    [southAfrica, { amount_unit: "'000" }, ['e AMOUNT_UNIT_INVALID']],
    [southAfrica, { amount_unit: 'hundredths' }, ['e AMOUNT_UNIT_INVALID']],
    [southAfrica, { amount_unit: 'sat' }, ['e AMOUNT_UNIT_INVALID']],
    [southAfrica, { amount_unit: 'constructor' }, ['e AMOUNT_UNIT_INVALID']],
    [nigeria, { from_country: 'USDT' }, ['e AMOUNT_UNIT_MISSING']],
    [nigeria, { from_country: 'USDT', amount_unit: 'hundredths', amount: '151' }, []],
    [nigeria, { from_country: 'USDT', amount_unit: 'USDT', amount: '1.51' }, []],
    [nigeria, { from_country: 'USDT', amount_unit: 'constructor' }, ['e AMOUNT_UNIT_INVALID']],
    [nigeria, { from_country: 'USDT', amount_unit: 'hundredths', amount: '1.51' }, ['e AMOUNT_FRACTION']],
    [nigeria, { from_country: 'USDT', amount_unit: 'whole' }, ['e AMOUNT_UNIT_INVALID']],
    [nigeria, { from_country: 'USDT', amount_unit: 'hundredths', currency: 'NGN' }, ['e CURRENCY_MISMATCH']],
    [nigeria, { from_country: 'USDT', amount_unit: 'hundredths', currency: 'USDT' }, []],
    [lightning, { amount_unit: undefined }, ['e AMOUNT_UNIT_MISSING']],
    [lightning, { amount_unit: undefined }, [], { btcUnit: 'sat' }],
    [lightning, { amount_unit: 'BTC' }, ['e AMOUNT_UNIT_INVALID']],
    [lightning, { amount_unit: 'sats' }, []],
    [lightning, { amount_unit: 'Satoshi' }, []],
    [lightning, { amount_unit: 'satoshis' }, []],
    [nigeria, { amount_unit: 'kobo' }, ['e AMOUNT_UNIT_INVALID']],
    [kenya, { amount_unit: 'cents' }, ['e AMOUNT_UNIT_INVALID']],
    [southAfrica, { amount: '50000' }, []],
    [southAfrica, { amount: '50001' }, ['e DOCUMENT_MISSING_FOR_AMOUNT']],
    [southAfrica, { amount: '50001', documents: 'invoice.pdf' }, []],
    [southAfrica, { amount: '50001', documents: ' ; ' }, ['e DOCUMENT_MISSING_FOR_AMOUNT']],
    [southAfrica, { amount: '50001' }, ['w DOCUMENT_MISSING_FOR_AMOUNT'], { documents: 'warn' }],
    [southAfrica, { amount: '50001' }, [], { documents: 'off' }],
    [nigeria, { amount: '50001' }, []],
    [southAfrica, { from_country: 'USDT', amount_unit: 'hundredths' }, ['w DOCUMENT_AMOUNT_UNKNOWN']],
    [southAfrica, { from_country: 'USDT', amount_unit: 'hundredths', documents: 'a.pdf' }, []],
  ]);

  it('keeps USDT as hundredths, in USDT', () => {
    const cells = { ...nigeria, from_country: 'Tether', amount_unit: 'usdt', amount: '1.51' };
    expect(rowOf(cells)).toMatchObject({ amount: 151, unit: 'hundredths', currency: 'USDT', fromCountry: 'USDT' });
  });
});

// The snapshot is read as a person reads it: which column, what is wrong, what to write instead.
describe('what is said of a line, sentence by sentence', () => {
  const said = (cases: readonly Case[]): string[] =>
    cases.flatMap((one) => {
      const { problems } = parseRow(cellsOf(one), 2, { ...rules, ...one[3] });
      return problems.map(
        ({ severity, column, suggestion, ...one }) =>
          `${severity} in ${column}: ${messageOf(one)}${suggestion === null ? '' : ` [${suggestion}]`}`,
      );
    });
  const ofField = (base: Cells, field: Field, cells: readonly Cell[], changed: Partial<RowRules> = {}): Case[] =>
    cells.map((cell) => [base, { [field]: cell }, [], changed]);

  it('each case above', () => expect(said(everyCase)).toMatchSnapshot());

  it('amounts', () =>
    expect(
      said([
        ...ofField(southAfrica, 'amount', [
          ...'abc|(1500)|15%|-1500|1500-|+5|1.5E3|1e5|١٥٠٠|$1500|USD 1500|1500 EUR'.split('|'),
          ...'XYZ 10|R|01500|001.5|00|0|0.00|1.5|1.50|1,500|1.500|1 500,50|12 34'.split('|'),
          ..."1,500.00|1'500|1,50,000|1.234.567|9007199254740993|99999999999999999|1 000.00".split('|'),
          ...['49999.99999999999', '1.5', '0', '-5', '1E300', '1E-400', 'NaN', '9007199254740993'].map((n) =>
            numberCell(n),
          ),
          ...'GBP|EUR|BTC|XBT|mBTC|SH|TZS|UGX|GHS|BWP|NAD|KES|KSh|NGN|SAT|USDT'.split('|').map((sign) => `${sign} 10`),
          '(1500)x',
          'x(1500)',
          '15-00',
          '1e5x',
          numberCell('0.15', '15%'),
          numberCell('1500', '$1,500.00'),
          numberCell('1500', 'NGN 1,500'),
          typedCell('date', '2026-03-12'),
          typedCell('date', 'soon'),
          typedCell('boolean', 'TRUE'),
          typedCell('error', '#REF!'),
          formulaCell('', 'uncached'),
          formulaCell('R 1 500', 'text'),
        ]),
        ...ofField(southAfrica, 'amount', ['1,500', '1.500', '1,500.50', '1.5'], { numberFormat: '1.234,56' }),
        ...ofField({ ...nigeria, from_country: 'USDT', amount_unit: 'hundredths' }, 'amount', [
          'USDT 151',
          '1.51',
          '0',
        ]),
        ...ofField({ ...nigeria, from_country: 'USDT', amount_unit: 'USDT' }, 'amount', [
          ...'USDT 1.51|₮1.5|1.515|1.510|1,515|$1.51|0.00|12|90071992547409.92'.split('|'),
          numberCell('1.1000000000000001'),
          numberCell('1.515'),
        ]),
        ...ofField(lightning, 'amount', ['1.5', '21 000 sats', 'BTC 1', 'R 1', '0']),
      ]),
    ).toMatchSnapshot());

  it('names and references', () =>
    expect(
      said([
        ...ofField(southAfrica, 'name', [
          ..."O'Brien|A\tB|A\nB|A\rB|A\u00a0B|A\u202eB|Ola\u0301|李雷|#1#2#3#4#5|#1#2#3#4#5#6".split('|'),
          'x'.repeat(254),
          'x'.repeat(255),
          `${'x'.repeat(254)}#`,
          `${'x'.repeat(253)} #y`,
        ]),
        ...ofField(southAfrica, 'reference', [
          'INV-204',
          'a&b',
          '李雷',
          'x'.repeat(20),
          'x'.repeat(21),
          `${'x'.repeat(19)} y`,
          'a  b',
          ' a',
          'a\u200bb',
          `${'long '.repeat(13)}`,
          'y'.repeat(60),
          'y'.repeat(61),
          'a\u0000b',
          ...['2026-03-12', '2026-13-01', 'soon'].map((shown) => typedCell('date', shown)),
          ...Array.from({ length: 12 }, (_, month) =>
            typedCell('date', `2026-${String(month + 1).padStart(2, '0')}-01`),
          ),
        ]),
        ...ofField(southAfrica, 'row_id', [typedCell('date', '2026-03-12'), typedCell('boolean', 'TRUE')]),
      ]),
    ).toMatchSnapshot());

  it('accounts, phones and addresses', () =>
    expect(
      said([
        ...ofField(southAfrica, 'account_number', [
          ...'1234|12345678901234567|GB29 NWBK 6016 1331 9268 19|XGB29NWBK60161331926819|1.23E+08|1e5'.split('|'),
          '1000.429',
          '10004291601a',
          typedCell('date', '2026-03-12'),
        ]),
        ...ofField({ ...southAfrica, bank_name: 'Absa Bank' }, 'account_number', ['4001234', '8877346559']),
        ...ofField({ ...southAfrica, bank_name: 'Nedbank' }, 'account_number', ['570789932', numberCell('57078993')]),
        ...ofField({ ...southAfrica, bank_name: 'Capitec Bank' }, 'account_number', [
          '1001274163',
          '1274162',
          '274162',
          numberCell('1274162'),
          numberCell('274162'),
        ]),
        ...ofField(nigeria, 'account_number', ['23456785', '0123456784', '5050114930', numberCell('123456784')]),
        ...ofField({ ...nigeria, bank_name: '', bank_code: '090365' }, 'account_number', [
          '123',
          numberCell('123456785'),
        ]),
        ...ofField(southAfrica, 'lnurl', [' ', 'a@b.co']),
        ...ofField(southAfrica, 'branch_code', ['51001', '12', '123456', '470010', '05-10-01']),
        ...ofField({ ...southAfrica, bank_name: '' }, 'bank_code', ['470010', '470011', '']),
        ...ofField(kenya, 'contact_number', [
          ...'|tel|+27821234567|2.54712E+11|2.5e11|x2.5e11|2.5e11x|0712 345 678|0812345678'.split('|'),
          '27+82',
          '+254812345678',
          formulaCell('0712345678', 'text'),
          typedCell('error', '#N/A'),
          numberCell('712345678'),
          numberCell('2.5E+11'),
        ]),
        ...ofField(kenya, 'network_provider', ['MPESA', ' momo ', 'Mo-Mo']),
        ...ofField(lightning, 'lnurl', [
          ...'|nonsense|lnurl1abc|LNURL1dp68|a@b|A@b.co|lightning:a@b.co|lightning:|x lnurl1a'.split('|'),
          'é@b.co',
          'a@b.c0',
          typedCell('date', '2026-03-12'),
        ]),
        ...ofField(lightning, 'account_number', ['1', ' ']),
        ...ofField(southAfrica, 'slow', ['no', 'perhaps', numberCell('1'), formulaCell('TRUE', 'boolean')]),
      ]),
    ).toMatchSnapshot());
});

describe('any line at all', () => {
  const text = fc.oneof(
    anyText({ maxLength: 12 }),
    fc.constantFrom(
      'SouthAfrica',
      'Nigeria',
      'Kenya',
      'BTC',
      'USDT',
      'FNB',
      'GTBank',
      '058',
      '0123456785',
      '100',
      'sat',
      'constructor',
      '__proto__',
    ),
  );
  const kind = fc.constantFrom('number', 'text', 'date', 'boolean', 'error', 'uncached');
  const typed = fc.record({ kind, text, shown: text, formula: fc.boolean() }) as fc.Arbitrary<Cell>;
  const cell: fc.Arbitrary<Cell> = fc.oneof(text, typed);
  const anyLine = fc.dictionary(fc.constantFrom(...fields), cell) as fc.Arbitrary<Cells>;

  it('gives a row or an error, never both, never neither, and never throws', () => {
    fc.assert(
      fc.property(anyLine, (cells) => {
        const { row, problems } = parseRow(cells, 5, rules);
        expect(row === null).toBe(problems.some((one) => one.severity === 'error'));
        for (const problem of problems) expect(Object.hasOwn(rowProblems, problem.code)).toBe(true);
        if (row !== null) expect(Number.isSafeInteger(row.amount) && row.amount > 0).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('problem codes', () => {
  it('are all in use', () => {
    const source = sourceFiles('src').filter((path) => !path.includes('/problems/'));
    const text = source.map((path) => readFileSync(path, 'utf8')).join('\n');
    expect(Object.keys(rowProblems).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
