/**
 * How finance people's sheets really look: every name that a column goes by, and every thing that a spreadsheet does to data, each
 * with what is made of it. A repair is shown, a problem says what to do, and a suggestion is never applied by itself.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Excel from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { payoutCountryOf } from '../../src/domain/accounts/country.ts';
import type { Field } from '../../src/domain/rows/cell.ts';
import { readHeader } from '../../src/sheet/columns/header.ts';
import { command, newFolder, newService, noted, pay, resultOf, type SheetRow } from '../support.ts';
import { row, worksheet, xlsx, zip } from './zip-builder.ts';

// --- Names of columns

const names: { readonly [F in Field]?: readonly string[] } = {
  name: [
    'name',
    'beneficiary',
    'beneficiary name',
    'recipient',
    'recipient name',
    'payee',
    'payee name',
    'supplier',
    'vendor',
    'employee',
    'account name',
    'account holder',
    'business name',
  ],
  country: ['country', 'beneficiary country', 'destination', 'destination country', 'country code'],
  bank_name: ['bank', 'bank name', 'beneficiary bank', 'institution'],
  bank_code: ['bank code', 'sort code', 'cbn code'],
  branch_code: ['branch', 'branch code', 'universal code'],
  account_number: ['account', 'account no', 'account number', 'acc no', 'acc number', 'beneficiary account'],
  network_provider: ['network', 'mobile network', 'provider'],
  contact_number: ['phone', 'phone number', 'mobile', 'mobile number', 'msisdn', 'cell', 'cell phone', 'momo number'],
  lnurl: ['lnurl', 'lightning address', 'ln address'],
  amount: ['amount', 'value', 'payment amount', 'net amount', 'net pay'],
  currency: ['currency'],
  reference: [
    'reference',
    'ref',
    'payment reference',
    'narration',
    'beneficiary reference',
    'recipient reference',
    'statement reference',
  ],
  documents: ['document', 'documents', 'invoice', 'invoice file', 'attachment', 'attachments', 'supporting document'],
  merchant_id: ['merchant id'],
  row_id: ['row_id', 'row id', 'id', 'unique id', 'payment id'],
  tag: ['tag', 'own reference', 'my reference'],
};

/** As people write them: other cases, a star for what is required, spaces, underscores and full-width letters. */
const dresses: readonly ((alias: string) => string)[] = [
  (alias) => alias,
  (alias) => alias.toUpperCase(),
  (alias) => `${alias}*`,
  (alias) => ` ${alias.replaceAll(' ', '_')} `,
  (alias) => alias.replaceAll(' ', '\n'),
  (alias) => alias.replaceAll(/(?: |^)(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (alias) => alias.replaceAll('a', 'ａ'),
];

describe('every name of a column', () => {
  test.each(Object.entries(names).flatMap(([field, aliases]) => aliases.map((alias) => [alias, field as Field])))(
    '%s is %s, however it is dressed',
    (alias, field) => {
      for (const dress of dresses)
        expect(readHeader([dress(alias)], 1, undefined), dress(alias)).toMatchObject({ fields: [field], problems: [] });
    },
  );

  test.each(['ZA', 'ZAF', 'RSA', 'South Africa', 'south africa'])('%s is SouthAfrica', (word) =>
    expect(payoutCountryOf(word)).toBe('SouthAfrica'),
  );
  test.each(['NG', 'NGA', 'nigeria'])('%s is Nigeria', (word) => expect(payoutCountryOf(word)).toBe('Nigeria'));
  test.each(['KE', 'KEN', 'KENYA'])('%s is Kenya', (word) => expect(payoutCountryOf(word)).toBe('Kenya'));
  test.each(['BTC', 'Bitcoin', 'Lightning'])('%s is BTC', (word) => expect(payoutCountryOf(word)).toBe('BTC'));

  test.each(['no', '#', 'No.'])('%s is a line number, which nobody reads', (text) =>
    expect(readHeader([text], 1, undefined)).toMatchObject({ fields: [null], unused: [], problems: [] }),
  );
  // Ordinary columns of such sheets, a letter or two from a known name: to refuse them would refuse every sheet that has one.
  test.each(
    [
      'Address, Post code, Gender, Sender, Employer, GL account, GL code, Cost code, Accountant, Payer name, Referee',
      'Department, Cost Centre, Email, Notes, Comment, Due date, Payment date, Invoice No, PO Number, VAT amount, Hours',
      'Title, Approved by, Status, City, County, Category, Project, Payment method, Account type',
      'Bank address, Bank branch, Branch name, Swift code, Tax number, ID number, Net worth, Preference, Contact person',
    ].flatMap((list) => list.split(', ')),
  )('%s is carried through', (text) =>
    expect(readHeader([text], 1, undefined)).toMatchObject({ fields: [null], problems: [] }),
  );
  test.each(['employee id', 'Customer ID', 'Staff No', 'Vendor No'])(
    '%s is a key of the payee, never of the row',
    (text) =>
      expect(readHeader([text], 1, undefined)).toMatchObject({ fields: ['payee_id'], unused: [], problems: [] }),
  );
});

// --- What a sheet is checked to be

interface Told {
  readonly outcome: Outcome;
  /** `repair BRANCH_PADDED branch_code 2 → 051001`: severity, code, column, row and suggestion. */
  readonly codes: readonly string[];
  readonly words: string;
}

async function told(file: string, content: string | Uint8Array, ...flags: string[]): Promise<Told> {
  const folder = newFolder();
  writeFileSync(join(folder, file), content);
  const ran = await command({ env: {}, folder }, ['check', file, '--json', ...flags]);
  const outcome = JSON.parse(ran.out) as Outcome & { error?: { message: string } };
  if (outcome.error !== undefined) return { outcome, codes: [`exit ${ran.exit}`], words: outcome.error.message };
  const codes = outcome.problems.map(
    ({ severity, code, column, row: number, suggestion }) =>
      `${severity} ${code} ${column ?? '-'} ${number ?? 'sheet'}${suggestion === null ? '' : ` → ${suggestion}`}`,
  );
  return { outcome, codes, words: outcome.problems.map(({ message }) => message).join('\n') };
}

type Value = string | number;
const header = [
  'name',
  'country',
  'bank',
  'branch code',
  'bank code',
  'account',
  'phone',
  'lnurl',
  'amount',
  'reference',
];
const southAfrican = ['Thandi Mokoena', 'ZA', 'Standard Bank', '', '', '001321676', '', '', '4500', 'Salary Nov'];
const nigerian = ['Ade Bello', 'NG', 'Access Bank', '', '', '0123456784', '', '', '250000', 'INV 204'];
const kenyan = ['Wanjiru Example', 'KE', '', '', '', '', '+254712345678', '', '1200', 'TRAVEL'];

function changed(base: readonly string[], change: Readonly<Record<string, Value>>): readonly Value[] {
  return header.map((name, index) => change[name] ?? base[index]!);
}

const csvText = (rows: readonly (readonly Value[])[], separator = ',') =>
  `${[header, ...rows]
    .map((cells) =>
      cells.map((cell) => (/[,;\t"\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)),
    )
    .map((cells) => cells.join(separator))
    .join('\n')}\n`;

const inCsv = (base: readonly string[], change: Readonly<Record<string, Value>>) =>
  told('a.csv', csvText([changed(base, change)]));

/** A workbook whose one row holds the given cells; numbers are number cells, as Excel makes them of digits. */
const inWorkbook = (base: readonly string[], change: Readonly<Record<string, Value>>) =>
  told('a.xlsx', xlsx({ sheets: { A: row(1, ...header) + row(2, ...changed(base, change)) } }));

describe.concurrent('leading zeros that Excel lost', () => {
  test.each([
    [
      'a branch code that is known with its zero',
      southAfrican,
      { 'branch code': 51001 },
      ['repair BRANCH_PADDED branch_code 2 → 051001'],
    ],
    ['a bank code', nigerian, { bank: '', 'bank code': 44 }, ['repair BANK_CODE_PADDED bank_code 2 → 044']],
    ['a phone', kenyan, { phone: 712345678 }, ['repair PHONE_REWRITTEN contact_number 2 → +254712345678']],
    [
      'an account that would fit',
      southAfrican,
      { account: 1321676 },
      ['error ACCOUNT_ZEROS_LOST account_number 2 → 001321676'],
    ],
    ['one that would not', southAfrican, { account: 1321677 }, ['error ACCOUNT_ZEROS_LOST account_number 2']],
    ['one of Nigeria', nigerian, { account: 123456784 }, ['error ACCOUNT_ZEROS_LOST account_number 2 → 0123456784']],
  ] as const)('%s', async (_, base, change, expected) => {
    const { codes, outcome } = await inWorkbook(base, change);
    expect(codes).toEqual(expected);
    expect(outcome.rows.invalid).toBe(expected[0].startsWith('error') ? 1 : 0);
  });

  test('as text too, the account is not padded but suggested', async () => {
    expect((await inCsv(southAfrican, { account: '1321676' })).codes).toEqual([
      'error ACCOUNT_LENGTH account_number 2 → 001321676',
    ]);
  });

  test('zeros that the number format shows are not lost', async () => {
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('A');
    sheet.addRow(header);
    sheet.addRow(changed(southAfrican, { account: 1321676 }));
    sheet.getCell('F2').numFmt = '000000000';
    const { codes } = await told('a.xlsx', new Uint8Array(await workbook.xlsx.writeBuffer()));
    expect(codes.filter((code) => code.startsWith('error'))).toEqual([]);
  });
});

describe.concurrent('digits that are destroyed', () => {
  test.each([
    [southAfrican, { account: '1.00043E+10' }, 'error ACCOUNT_DIGITS_LOST account_number 2'],
    [kenyan, { phone: '2.54713E+11' }, 'error PHONE_INVALID contact_number 2'],
    [southAfrican, { amount: '4.5E+03' }, 'error AMOUNT_EXPONENT amount 2'],
  ] as const)('in text: %#', async (base, change, expected) =>
    expect((await inCsv(base, change)).codes).toEqual([expected]),
  );

  test.each([
    [{ account: 1234567890123456 }, 'error ACCOUNT_DIGITS_LOST account_number 2'],
    [{ reference: 1234567890123456 }, 'error CELL_NUMBER reference 2'],
    [{ reference: 4.5 }, 'error CELL_NUMBER reference 2'],
    [{ amount: 9_007_199_254_740_992 }, 'error AMOUNT_TOO_LARGE amount 2'],
  ] as const)('in numbers: %#', async (change, expected) =>
    expect((await inWorkbook(southAfrican, change)).codes).toEqual([expected]),
  );
});

describe.concurrent('numbers that a program kept as floats', () => {
  test.each([
    [
      kenyan,
      { phone: '712345678.0' },
      ['repair FLOAT_READ contact_number 2 → 712345678', 'repair PHONE_REWRITTEN contact_number 2 → +254712345678'],
    ],
    [
      kenyan,
      { phone: '71234560.0' },
      ['error PHONE_INVALID contact_number 2', 'repair FLOAT_READ contact_number 2 → 71234560'],
    ],
    [
      kenyan,
      { reference: '1001.0' },
      ['warning REFERENCE_FROM_NUMBER reference 2', 'repair FLOAT_READ reference 2 → 1001'],
    ],
    [
      nigerian,
      { bank: '', 'bank code': '44.0' },
      ['repair FLOAT_READ bank_code 2 → 44', 'repair BANK_CODE_PADDED bank_code 2 → 044'],
    ],
    [
      nigerian,
      { account: '123456784.0' },
      ['error ACCOUNT_ZEROS_LOST account_number 2 → 0123456784', 'repair FLOAT_READ account_number 2 → 123456784'],
    ],
    [
      southAfrican,
      { 'branch code': '51001.0' },
      ['repair FLOAT_READ branch_code 2 → 51001', 'repair BRANCH_PADDED branch_code 2 → 051001'],
    ],
    [southAfrican, { amount: '4500.0' }, ['repair AMOUNT_REWRITTEN amount 2 → 4500']],
    [
      nigerian,
      { bank: '', 'bank code': '44,00' },
      ['repair FLOAT_READ bank_code 2 → 44', 'repair BANK_CODE_PADDED bank_code 2 → 044'],
    ],
    [kenyan, { reference: '1.000' }, ['error REFERENCE_CHARACTERS reference 2']],
  ] as const)('in text: %#', async (base, change, expected) => {
    for (const one of [await inCsv(base, change), await inWorkbook(base, change)]) expect(one.codes).toEqual(expected);
  });

  test.each([
    ['row_id', '1.00', 'repair FLOAT_READ row_id 2 → 1'],
    ['tag', '12,0', 'repair FLOAT_READ tag 2 → 12'],
    ['payee id', '77.0', 'repair FLOAT_READ payee_id 2 → 77'],
    ['row_id', '1.0E5', 'error CELL_NUMBER row_id 2'],
    ['payee id', '1E+05', 'error CELL_NUMBER payee_id 2'],
  ])('in the column %s: %s', async (name, id, code) => {
    const text = csvText([kenyan]).replace('reference', `reference,${name}`);
    expect((await told('a.csv', text.replace('TRAVEL', `TRAVEL,"${id}"`))).codes).toEqual([code]);
  });

  test('ids such as 12E5 are ids', async () => {
    const text = csvText([kenyan]).replace('reference', 'reference,row_id').replace('TRAVEL', 'TRAVEL,12E5');
    expect((await told('a.csv', text)).codes).toEqual([]);
  });

  test('a phone that is a digit short is said to be a number that may have lost digits', async () =>
    expect((await inCsv(kenyan, { phone: '71234560.0' })).outcome.problems[0]).toMatchObject({
      facts: { why: 'stored' },
    }));
});

describe.concurrent('words for nothing', () => {
  test.each(['nan', 'None', 'NULL', 'undefined undefined', 'N/A', '-', '#N/A', 'TBC'])('%s', async (word) => {
    for (const column of ['name', 'reference']) {
      const { codes, outcome } = await inCsv(kenyan, { [column]: word });
      expect(codes).toEqual([`error ${word === '#N/A' ? 'CELL_ERROR' : 'CELL_NOTHING'} ${column} 2`]);
      expect(outcome.rows.invalid).toBe(1);
    }
  });

  test('in a tag', async () => {
    const { codes } = await told(
      'a.csv',
      csvText([kenyan])
        .replace(/$/m, ',tag')
        .replace(/TRAVEL$/m, 'TRAVEL,NULL'),
    );
    expect(codes).toEqual(['error CELL_NOTHING tag 2']);
  });

  test('a person of that name is let through by a correction', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a.csv'), csvText([changed(kenyan, { name: 'Null' })]));
    const correction = { row: 2, column: 0, from: 'Null', to: 'Null', by: 'Ann', at: '2026-11-27T10:00:00Z' };
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ corrections: [correction] }));
    const ran = await command({ env: {}, folder }, ['check', 'a.csv', '--json', '--corrections', 'c.json']);
    expect((JSON.parse(ran.out) as Outcome).rows).toMatchObject({ not_sent: 1, invalid: 0 });
  });
});

test('a column that says what kind of account it is pays nothing as the type of a payment, unless the settings know it', async () => {
  const folder = newFolder();
  writeFileSync(
    join(folder, 'a.csv'),
    csvText([southAfrican])
      .replace(/,reference/, ',reference,Type')
      .replace('Nov\n', 'Nov,Savings\n'),
  );
  const check = async () =>
    JSON.parse((await command({ env: {}, folder }, ['check', 'a.csv', '--json'])).out) as Outcome;
  expect((await check()).problems).toMatchObject([{ code: 'TYPE_INVALID', severity: 'error', value: 'Savings' }]);
  writeFileSync(join(folder, 'payrun.config.json'), JSON.stringify({ payments: { types: ['SAVINGS'] } }));
  expect((await check()).problems).toEqual([]);
});

test('a check says that it looked banks up in the built-in list, where it looked any up', async () => {
  const asked = noted('banks-built-in');
  expect((await inCsv(nigerian, {})).outcome.notes).toContainEqual(asked);
  expect((await inCsv(nigerian, { bank: 'Kuda Bank' })).outcome.notes).toContainEqual(asked);
  expect((await inCsv(kenyan, {})).outcome.notes).not.toContainEqual(asked);
});

describe.concurrent('amounts as text', () => {
  test.each([
    ['R 1 500', '1500'],
    ['1\u00a0500', '1500'],
    ['1\u202f500', '1500'],
    ["1'500", '1500'],
    ['1500.00', '1500'],
    ['1,500.00', '1500'],
    ['1.500,00', '1500'],
    ['ZAR 1500', '1500'],
  ])('%j has one reading, which is shown', async (amount, read) => {
    const { codes, outcome } = await inCsv(southAfrican, { amount });
    expect(codes).toEqual([`repair AMOUNT_REWRITTEN amount 2 → ${read}`]);
    expect(outcome.totals[0]?.planned).toBe(Number(read));
  });

  test.each([
    ['1,500', 'AMOUNT_AMBIGUOUS amount 2'],
    ['1.500', 'AMOUNT_AMBIGUOUS amount 2'],
    ['(1500)', 'AMOUNT_BRACKETS amount 2'],
    ['15%', 'AMOUNT_PERCENT amount 2'],
    ['1.5E3', 'AMOUNT_EXPONENT amount 2'],
    ['1500.50', 'AMOUNT_FRACTION amount 2'],
    ['-1500', 'AMOUNT_SIGN amount 2'],
    ['0', 'AMOUNT_ZERO amount 2'],
    ['$1500', 'AMOUNT_CURRENCY amount 2'],
    ['KSh 1500', 'AMOUNT_CURRENCY amount 2'],
    ['１５００', 'AMOUNT_DIGITS amount 2'],
    ['0150', 'AMOUNT_LEADING_ZERO amount 2 → 150'],
  ])('%j is refused', async (amount, code) =>
    expect((await inCsv(southAfrican, { amount })).codes).toEqual([`error ${code}`]),
  );

  test('the batch may declare how it writes numbers', async () => {
    const text = csvText([changed(southAfrican, { amount: '1.500' })]);
    const { outcome } = await told('a.csv', text, '--number-format', '1.234,56');
    expect([outcome.exit, outcome.totals[0]?.planned]).toEqual([0, 1500]);
  });

  test('a drift of the calculation is seen through, and said', async () => {
    const { codes } = await told(
      'a.xlsx',
      xlsx({
        sheets: {
          A:
            row(1, ...header) +
            row(2, ...southAfrican).replace(/<c r="I2".*?<\/c>/, '<c r="I2"><v>49999.99999999999</v></c>'),
        },
      }),
    );
    expect(codes).toEqual(['repair AMOUNT_REWRITTEN amount 2 → 50000']);
  });

  test('a fraction is no drift', async () =>
    expect((await inWorkbook(southAfrican, { amount: 4500.5 })).codes).toEqual(['error AMOUNT_FRACTION amount 2']));
});

describe.concurrent('CSV of every kind', () => {
  test.each([',', ';', '\t', '|'])('separated by %j', async (separator) => {
    const { outcome } = await told('a.csv', csvText([southAfrican, nigerian, kenyan], separator));
    expect([outcome.exit, outcome.rows.not_sent]).toEqual([0, 3]);
  });

  test('with sep=; above, which Excel does not show as a row', async () => {
    const { codes } = await told('a.csv', `sep=;\r\n${csvText([changed(southAfrican, { name: '' })], ';')}`);
    expect(codes).toEqual(['error NAME_MISSING name 2']);
  });

  test.each([
    ['UTF-8', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ])('in %s, which is said', async (name, encoded) => {
    const { outcome, codes } = await told('a.csv', encoded(csvText([changed(southAfrican, { name: 'José Example' })])));
    expect(outcome.notes[0]).toMatchObject({ form: { format: 'csv', encoding: name } });
    expect(codes).toEqual(['error NAME_CHARACTERS name 2 → Jose Example']);
  });
});

function hide(part: { hidden: boolean }): void {
  part.hidden = true;
}

describe.concurrent('what a workbook makes of cells', () => {
  /** One row of a workbook by exceljs, its cells changed by hand. */
  async function made(change: (at: (name: string) => Excel.Cell, sheet: Excel.Worksheet) => void): Promise<Told> {
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('A');
    sheet.addRow(header);
    sheet.addRow([...southAfrican]);
    sheet.addRow([...nigerian]);
    change((name) => sheet.getCell(2, header.indexOf(name) + 1), sheet);
    return await told('a.xlsx', new Uint8Array(await workbook.xlsx.writeBuffer()));
  }

  test.each([
    ['reference', new Date(Date.UTC(2026, 2, 12)), 'error CELL_DATE reference 2'],
    ['reference', new Date(Date.UTC(2026, 2, 1)), 'error CELL_DATE reference 2 → Mar 26'],
    ['account', new Date(Date.UTC(2026, 2, 12)), 'error CELL_DATE account_number 2'],
    ['amount', new Date(Date.UTC(2026, 2, 12)), 'error CELL_DATE amount 2'],
    ['name', true, 'error CELL_BOOLEAN name 2'],
    ['amount', { error: '#REF!' }, 'error CELL_ERROR amount 2'],
    ['amount', { formula: '2*3' }, 'error FORMULA_UNCACHED amount 2'],
    ['reference', 46093, 'warning REFERENCE_FROM_NUMBER reference 2'],
  ])('%s: %j', async (name, value, code) => {
    const { codes } = await made((at) => {
      at(name).value = value as Excel.CellValue;
    });
    expect(codes).toContain(code);
  });

  test('a formula gives its stored result, flagged', async () => {
    const { codes, outcome } = await made((at) => {
      at('amount').value = { formula: '2*750', result: 1500 };
    });
    expect(codes).toContain('warning FORMULA_CELL amount 2');
    expect(outcome.totals.find(({ currency }) => currency === 'ZAR')?.planned).toBe(1500);
  });

  test('and none where the workbook says that it is not current, which a checked workbook does not hide', async () => {
    const folder = newFolder();
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('A');
    sheet.addRow(header);
    sheet.addRow([...southAfrican]);
    sheet.getCell(2, header.indexOf('amount') + 1).value = { formula: '2*750', result: 40000 };
    workbook.calcProperties.fullCalcOnLoad = true;
    await workbook.xlsx.writeFile(join(folder, 'a.xlsx'));
    const check = async (file: string) =>
      JSON.parse((await command({ env: {}, folder }, ['check', file, '--json'])).out) as Outcome;
    expect((await check('a.xlsx')).problems).toMatchObject([
      { code: 'FORMULA_STALE', severity: 'error', value: '40000' },
    ]);
    expect((await check('a.checked.xlsx')).rows).toMatchObject({ not_sent: 0, invalid: 1 });
  });

  test('rich text is flattened, and a Lightning address that became a mail link is read', async () => {
    const { codes, outcome } = await made((at) => {
      at('reference').value = { richText: [{ text: 'Salary ' }, { font: { bold: true }, text: 'Nov' }] };
      at('country').value = 'BTC';
      for (const name of ['bank', 'account']) at(name).value = null;
      at('lnurl').value = { text: 'amara@pay.example.com', hyperlink: 'mailto:amara@pay.example.com' };
      at('amount').value = '4500 sats';
    });
    expect(codes).toEqual(['error AMOUNT_UNIT_MISSING amount_unit 2']);
    expect(outcome.rows).toMatchObject({ not_sent: 1, invalid: 1 });
  });

  test.each([
    ['a hidden row', (sheet: Excel.Worksheet) => hide(sheet.getRow(2)), 'error ROW_HIDDEN - 2'],
    [
      'a hidden column that is paid from',
      (sheet: Excel.Worksheet) => hide(sheet.getColumn(header.indexOf('amount') + 1)),
      'error COLUMN_HIDDEN amount 1',
    ],
    [
      'merged cells',
      (sheet: Excel.Worksheet) => sheet.mergeCells(2, header.length, 3, header.length),
      'error MERGED_CELLS reference sheet',
    ],
  ])('%s is an error', async (_, change, code) => {
    const { codes, outcome } = await made((_at, sheet) => change(sheet));
    expect(codes).toContain(code);
    expect(outcome.exit).toBe(20);
  });

  test('a hidden column that is not read is none', async () => {
    const { outcome } = await made((_, sheet) => {
      sheet.getCell(1, 12).value = 'Cost Centre';
      sheet.getColumn(12).hidden = true;
    });
    expect(outcome.exit).toBe(0);
  });
});

describe.concurrent('where rows stand', () => {
  const body = csvText([southAfrican, kenyan]).split('\n').slice(0, -1);

  test('titles above the header, merged or not', async () => {
    const merge = '<mergeCells count="1"><mergeCell ref="A1:J1"/></mergeCells>';
    const rows = row(1, 'Payouts November') + row(3, ...header) + row(4, ...southAfrican);
    expect((await told('a.xlsx', xlsx({ sheets: { A: worksheet(rows, '', merge) } }))).outcome.exit).toBe(0);
    expect((await told('a.csv', `Payouts;November\n\n${body.join('\n')}`)).outcome.rows.not_sent).toBe(2);
  });

  test('blank rows are skipped, and every message has the row that the sheet shows', async () => {
    const [top, first, second] = body;
    const text = [top, '', first, ',,,', '', second!.replace('TRAVEL', 'A-B')].join('\n');
    expect((await told('a.csv', text)).codes).toEqual(['error REFERENCE_CHARACTERS reference 6 → A B']);
  });

  test.each([
    ['Total,,,,,,,,5700,', 0, []],
    ['TOTAL ZAR,,,,,,,,"5 700.00",', 0, []],
    [',,,,,,,,5700,', 0, []],
    ['Total,,,,,,,,5800,', 20, ['error TOTAL_DIFFERS amount sheet']],
  ])('a totals row is a control total and never a payment: %s', async (total, exit, codes) => {
    const rand = [southAfrican, changed(southAfrican, { amount: '1200', reference: 'Two' })];
    const found = await told('a.csv', `${csvText(rand)}${total}\n`);
    expect([found.outcome.exit, found.codes, found.outcome.rows.total]).toEqual([exit, codes, 2]);
  });

  const rand = [southAfrican, changed(southAfrican, { amount: '1200', reference: 'Two' })];
  test.each([
    ['Total,,,,,,,,5700,', rand, { is: 'equal', amount: 5700, unit: 'whole', currency: 'ZAR' }],
    ['Total,,,,,,,,,', rand, { is: 'no-amount' }],
    ['Total,,,,,,,,5700,', [southAfrican, kenyan], { is: 'no-common-sum', currencies: ['ZAR', 'KES'] }],
    [
      'Total,,,,,,,,5700,',
      [southAfrican, changed(southAfrican, { amount: '12.50' })],
      { is: 'rows-to-correct', rows: 1 },
    ],
    [',,,,,,,,,', rand, null],
  ])('whether the totals row was compared is told: %s', async (total, rows, check) => {
    const { outcome } = await told('a.csv', `${csvText(rows)}${total}\n`);
    expect(outcome.notes.filter(({ note }) => note === 'total-compared')).toMatchObject(
      check === null ? [] : [{ row: 4, check }],
    );
  });

  test('a subtotal is told once, in words that say how to go on, and never paid, not even where others are', async () => {
    const [top, first, second] = csvText([southAfrican, changed(southAfrican, { amount: '1200', reference: 'Two' })])
      .trim()
      .split('\n');
    const text = [top, first, 'Subtotal,,,,,,,,4500,', second, 'Grand total,,,,,,,,5700,', ''].join('\n');
    const { outcome, codes, words } = await told('a.csv', text);
    expect([outcome.exit, codes]).toEqual([20, ['error ROW_SUBTOTAL - 3']]);
    expect(words).toContain("'Subtotal'");
    const skipped = await told('a.csv', text, '--skip-invalid');
    expect(skipped.outcome.rows).toMatchObject({ not_sent: 2, invalid: 1 });
  });

  test('a signature line is told once, and not as a payee to be spelt otherwise', async () => {
    const text = `${csvText([southAfrican])}\nPrepared by: ________\n`;
    const { outcome, codes, words } = await told('a.csv', text);
    expect([outcome.exit, codes]).toEqual([20, ['error ROW_NOTE - 4']]);
    expect(words).toContain("'Prepared by: ________'");
  });

  test('`Total Kenya Ltd` with a phone is a payee', async () => {
    const { outcome } = await told(
      'a.csv',
      csvText([kenyan, changed(kenyan, { name: 'Total Kenya Ltd', phone: '0712345679' })]),
    );
    expect([outcome.exit, outcome.rows.not_sent]).toEqual([0, 2]);
  });

  const good = row(1, ...header) + row(2, ...southAfrican);
  test('a sheet of notes first, then the one with payouts', async () => {
    const { outcome } = await told('a.xlsx', xlsx({ sheets: { Notes: row(1, 'Read me'), November: good } }));
    expect([outcome.exit, outcome.notes[0]]).toMatchObject([0, { form: { sheet: 'November' } }]);
  });

  test('two sheets of payouts are a person’s choice', async () => {
    const book = xlsx({ sheets: { October: good, November: good } });
    expect((await told('a.xlsx', book)).words).toContain("'October', 'November'. ");
    const { outcome } = await told('a.xlsx', book, '--sheet', 'November');
    // Whoever chooses one is told of the other, or nobody would pay it.
    expect([outcome.exit, outcome.notes[0]]).toMatchObject([0, { form: { alike: ['October'] } }]);
  });
});

describe.concurrent('characters', () => {
  test.each([
    ['Than\u200bdi', 'repair INVISIBLE_DROPPED name 2 → Thandi'],
    ['\ufeffThandi', 'repair INVISIBLE_DROPPED name 2 → Thandi'],
    [' Thandi ', 'repair OUTER_SPACES_DROPPED name 2 → Thandi'],
    ["O'Brien", 'error NAME_CHARACTERS name 2 → OBrien'],
    ['M&S', 'error NAME_CHARACTERS name 2 → M and S'],
    ['Ọlá', 'error NAME_CHARACTERS name 2 → Ola'],
    ['Thandi\u202e', 'error NAME_CHARACTERS name 2 → Thandi'],
    ['Than\u0007di', 'error NAME_CHARACTERS name 2 → Thandi'],
  ])('name %j', async (name, code) => expect((await inCsv(southAfrican, { name })).codes).toEqual([code]));

  test('signs that begin a formula are valid data, and come back exactly from a result in CSV', async () => {
    const service = await newService();
    const folder = newFolder();
    const sheet = join(folder, 'a.csv');
    const rows = ['@Home Example', '-Dash Example', 'Plain Example'].map((name, index) =>
      changed(kenyan, { name, phone: `+25471234560${index}`, reference: `R ${index}` }),
    );
    writeFileSync(sheet, csvText(rows));
    const env = {
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: service.apiKey,
      PAYRUN_API_SECRET: service.apiSecret,
      PAYRUN_DOUBT_VISIBLE: '0',
      PAYRUN_LEDGER: join(folder, 'ledger.db'),
      XDG_STATE_HOME: folder,
      XDG_DATA_HOME: folder,
    };
    const { document } = await pay({ folder, sheet, env, ledger: env.PAYRUN_LEDGER });
    const written = resultOf(document.result) as SheetRow[];
    expect(written.map(({ name, phone }) => [name, phone])).toEqual(rows.map((cells) => [cells[0], cells[6]]));
    const again = await pay({ folder, sheet: document.result!, env, ledger: env.PAYRUN_LEDGER });
    expect(again.document).toMatchObject({ sent: 0, batch: document.batch, problems: [] });
  });
});

describe.concurrent('files that are no sheet', () => {
  test.each([
    ['a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), { code: 'FOREIGN_FILE', facts: { kind: 'old-format' } }],
    [
      'a.ods',
      zip([{ name: 'content.xml', content: '<office:document-content/>' }]),
      { code: 'FOREIGN_FILE', facts: { kind: 'ods' } },
    ],
    [
      'a.numbers',
      zip([{ name: 'Index/Document.iwa', content: 'x' }]),
      { code: 'FOREIGN_FILE', facts: { kind: 'numbers' } },
    ],
    [
      'a.xlsm',
      xlsx({ sheets: { A: row(1, ...header) }, more: [{ name: 'xl/vbaProject.bin', content: 'x' }] }),
      { code: 'WORKBOOK_HAS_MACROS', facts: {} },
    ],
    ['a.xlsx', '%PDF-1.4', { code: 'FOREIGN_FILE', facts: { kind: 'pdf' } }],
    ['a.gz', Buffer.from('1f8b', 'hex'), { code: 'FOREIGN_FILE', facts: { kind: 'compressed' } }],
    ['a.json', '[{"name":"A"}]', { code: 'FOREIGN_FILE', facts: { kind: 'json' } }],
  ])('%s is named, with what to save it as', async (file, content, why) => {
    const { codes, outcome, words } = await told(file, content);
    expect(codes).toEqual(['exit 20']);
    expect(outcome).toMatchObject({ error: why });
    expect(words).toMatch(/as \.xlsx|[Ss]ubmit the/);
  });
});

describe.concurrent('suggestions are shown and never applied', () => {
  const unapplied: readonly (readonly [string, readonly string[], Readonly<Record<string, Value>>, string])[] = [
    [
      'a bank by its spelling',
      southAfrican,
      { bank: 'Standrad Bnk' },
      'error BANK_UNKNOWN bank_name 2 → Standard Bank',
    ],
    [
      'a bank by its branch',
      southAfrican,
      { bank: '', 'branch code': '051001' },
      'error BANK_MISSING bank_name 2 → Standard Bank',
    ],
    ['a country by its spelling', kenyan, { country: 'Kenia' }, 'error COUNTRY_UNKNOWN country 2 → Kenya'],
    ['a country by a short form', southAfrican, { country: 'SA' }, 'error COUNTRY_UNKNOWN country 2 → SouthAfrica'],
    ...['Südafrika', 'Suid-Afrika', 'Afrique du Sud', 'África do Sul'].map(
      (country) => [country, southAfrican, { country }, 'error COUNTRY_UNKNOWN country 2 → SouthAfrica'] as const,
    ),
    ['a country by its currency', kenyan, { country: 'KES' }, 'error COUNTRY_UNKNOWN country 2 → Kenya'],
    [
      'a reference in its plain form',
      kenyan,
      { reference: 'INV-204' },
      'error REFERENCE_CHARACTERS reference 2 → INV 204',
    ],
    ['a reference that is too long', kenyan, { reference: 'A'.repeat(21) }, 'error REFERENCE_TOO_LONG reference 2'],
  ];
  test.each(unapplied)('%s', async (_, base, change, code) => {
    const { codes, outcome } = await inCsv(base, change);
    expect(codes).toEqual([code]);
    expect(outcome.rows).toMatchObject({ invalid: 1, not_sent: 0 });
  });

  test('an alias of a bank is no suggestion but its name, and shown', async () => {
    expect((await inCsv(southAfrican, { bank: 'SBSA' })).codes).toEqual([
      'repair BANK_ALIAS bank_name 2 → Standard Bank',
    ]);
  });

  test.each([
    ['a NUBAN that fails', nigerian, '5050114930', 'ACCOUNT_CHECK'],
    ['an IBAN', southAfrican, 'DE89 3704 0044 0532 0130 00', 'ACCOUNT_IBAN'],
  ])('%s is refused', async (_, base, account, code) => {
    expect((await inCsv(base, { account })).codes).toEqual([`error ${code} account_number 2`]);
  });
});

test('a problem has all that a person and a program need', async () => {
  const { outcome } = await inCsv(kenyan, { reference: 'INV-204' });
  expect(outcome.problems).toEqual([
    {
      row: 2,
      column: 'reference',
      code: 'REFERENCE_CHARACTERS',
      severity: 'error',
      message: expect.stringContaining('"-" at position 4') as string,
      value: 'INV-204',
      suggestion: 'INV 204',
      facts: {
        reference: 'INV-204',
        suggestion: 'INV 204',
        strangers: [{ character: '-', position: 4 }],
        others: 0,
        encoding: null,
      },
    },
  ]);
});
