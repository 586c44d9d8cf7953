/**
 * Habits of finance people: every name of a column, and values that programs write for numbers and for nothing. The corpus and
 * test/domain have the other habits.
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
import { row, xlsx } from './zip-builder.ts';

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

test('a formula has no result where the workbook says that it is not current, which a checked workbook does not hide', async () => {
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
