/** Writes an empty sheet to fill in: a workbook with drop-downs and checks, or a CSV file with a header only. */
import { extname } from 'node:path';
import type { Workbook, Worksheet } from 'exceljs';
import { PayrunError } from '../../base/errors.ts';
import { bankNames } from '../../domain/accounts/bank.ts';
import {
  type PayoutCountry,
  payoutCountries,
  type SourceCountry,
  sourceCountries,
} from '../../domain/accounts/country.ts';
import type { Field } from '../../domain/rows/cell.ts';
import { countryName } from '../../messages/field-words.ts';
import { columnName } from '../columns/column-name.ts';
import { font, headStyle, ink, pagesWide, printFooter, printSetup, solid, thinLine } from '../xlsx/style/palette.ts';
import { writeOutput } from './owned-files.ts';

/** How many rows have drop-downs and checks. Rows below them have only the formats of the columns. */
const checkedRows = 5000;

const countryWord = (country: SourceCountry) => countryName(country, 'page');

/** The words that a spreadsheet shows at a chosen cell, and for a wrong value. */
const prompts = {
  row_id: 'Your own number for this row, never used twice. With it a corrected row is known as the same one.',
  payee_id: 'Your own number of the payee, each time the same. By it a changed account is noticed under any name.',
  name: 'The payee. Letters, digits, spaces and @ / ( ) . , _ - only.',
  country: 'Choose from the list.',
  bank_name: 'First choose the country, then the bank from the list.',
  branch_code: 'Not needed. If given, it must be a branch code of the bank.',
  account_number: 'Digits only, with every leading zero.',
  contact_number: 'The mobile-money number, like +254712345678.',
  lnurl: 'A Lightning address like name@example.com, or an LNURL.',
  amount:
    'Whole units only, in the currency of the country. Cents cannot be paid, and nothing is rounded: carry them to the next payment, or settle them another way.',
  amount_unit: 'sat for Bitcoin rows; leave it empty for all others.',
  reference: 'What the payee sees: 1 to 20 letters, digits and spaces.',
  from_country:
    'Where the money comes from, if you deposit it for this row; the payment waits for it. Else leave it empty.',
  documents: 'File names, with ; between them. Needed above 50,000 ZAR.',
} as const satisfies { readonly [F in Field]?: string };

interface TemplateColumn {
  readonly field: keyof typeof prompts;
  readonly width: number;
  readonly required: boolean;
  readonly countries: readonly PayoutCountry[] | null;
}

const templateColumns: readonly TemplateColumn[] = [
  { field: 'row_id', width: 14, required: false, countries: null },
  { field: 'payee_id', width: 14, required: false, countries: null },
  { field: 'name', width: 30, required: true, countries: null },
  { field: 'country', width: 16, required: true, countries: null },
  { field: 'bank_name', width: 28, required: true, countries: ['SouthAfrica', 'Nigeria'] },
  { field: 'branch_code', width: 13, required: false, countries: ['SouthAfrica'] },
  { field: 'account_number', width: 20, required: true, countries: ['SouthAfrica', 'Nigeria'] },
  { field: 'contact_number', width: 18, required: true, countries: ['Kenya'] },
  { field: 'lnurl', width: 30, required: true, countries: ['BTC'] },
  { field: 'amount', width: 14, required: true, countries: null },
  { field: 'amount_unit', width: 13, required: true, countries: ['BTC'] },
  { field: 'reference', width: 24, required: true, countries: null },
  { field: 'from_country', width: 16, required: false, countries: null },
  { field: 'documents', width: 30, required: false, countries: null },
];

export async function writeTemplate(path: string, countries: readonly PayoutCountry[] = payoutCountries) {
  const columns = templateColumns.filter((one) => one.countries?.some((of) => countries.includes(of)) ?? true);
  const format = extname(path).toLowerCase();
  if (format !== '.csv' && format !== '.xlsx') throw new PayrunError('TEMPLATE_FORMAT_UNKNOWN', {});
  return await writeOutput({ path, subject: 'template' }, async (handle) => {
    // The CSV file has no example row, because Payrun would pay an example that a person forgot to delete.
    const header = `${columns.map(({ field }) => field).join(',')}\r\n`;
    await handle.appendFile(format === '.csv' ? header : await templateBytes(columns, countries));
  });
}

async function templateBytes(
  columns: readonly TemplateColumn[],
  countries: readonly PayoutCountry[],
): Promise<Uint8Array> {
  const { default: Excel } = await import('exceljs');
  const workbook = new Excel.Workbook();
  workbook.creator = 'Payrun';
  workbook.lastModifiedBy = 'Payrun';
  // The date is fixed, so that templates with the same content are identical files.
  workbook.created = new Date(Date.UTC(2026, 10, 20));
  workbook.modified = workbook.created;
  workbook.title = 'Payouts';
  writePayouts(workbook, columns);
  writeReadMe(workbook, columns, countries);
  writeLists(workbook, countries);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

function writePayouts(workbook: Workbook, columns: readonly TemplateColumn[]): void {
  const nameAt = columns.findIndex(({ field }) => field === 'name');
  const sheet = workbook.addWorksheet('Payouts', {
    views: [{ state: 'frozen', ySplit: 1, xSplit: nameAt + 1 }],
    pageSetup: {
      ...printSetup,
      fitToWidth: pagesWide(columns.map(({ width }) => width)),
      printTitlesRow: '1:1',
      printTitlesColumn: `A:${columnName(nameAt)}`,
    },
    headerFooter: printFooter,
    properties: { tabColor: { argb: ink.ours } },
  });
  columns.forEach((one, index) => {
    // Sets formats for whole columns. Formats of single cells would make empty rows part of the sheet.
    const target = sheet.getColumn(index + 1);
    target.width = one.width;
    // The text format `@` keeps leading zeros, and keeps a spreadsheet from reading `1-2` as a date.
    target.numFmt = one.field === 'amount' ? '#,##0' : '@';
    target.font = font();
  });
  const header = sheet.getRow(1);
  header.height = 24;
  columns.forEach((one, index) => {
    const cell = header.getCell(index + 1);
    cell.value = one.field;
    cell.style = { ...headStyle(one.required ? ink.theirs : ink.ours), numFmt: '@' };
  });
  addChecks(sheet, columns);
  addFills(sheet, columns);
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: columns.length } };
}

function rangeOf(columns: readonly TemplateColumn[], field: Field): string | null {
  const index = columns.findIndex((one) => one.field === field);
  if (index < 0) return null;
  const letter = columnName(index);
  return `${letter}2:${letter}${checkedRows + 1}`;
}

interface Validations {
  add(range: string, validation: object): void;
}

function addChecks(sheet: Worksheet, columns: readonly TemplateColumn[]): void {
  // exceljs's types lack `dataValidations`, which checks a whole range. Checks of single cells would create 5,000 rows.
  const { dataValidations } = sheet as Worksheet & { readonly dataValidations: Validations };
  const country = rangeOf(columns, 'country')!.split(':')[0]!;
  columns.forEach(({ field }, index) => {
    const prompt = prompts[field];
    const shown = { showInputMessage: true, promptTitle: field, prompt };
    const stop = { showErrorMessage: true, errorStyle: 'stop', errorTitle: field };
    const range = rangeOf(columns, field)!;
    dataValidations.add(range, { allowBlank: true, ...shown, ...stop, error: prompt, ...ruleOf(field, `$${country}`) });
    // A check protects the header. Sheet protection would also lock the cells that a person pastes.
    const head = `${columnName(index)}1`;
    const error = `This cell names the column, and must say ${field}. Columns of your own may follow on the right.`;
    const rule = { type: 'custom', formulae: [`EXACT(${head},"${field}")`], allowBlank: false };
    dataValidations.add(head, { ...rule, ...shown, ...stop, error });
  });
}

/** `country` is the first cell of the column of countries. */
function ruleOf(field: Field, country: string): object {
  const rules: { readonly [F in Field]?: object } = {
    country: { type: 'list', formulae: ['payrun_countries'] },
    from_country: { type: 'list', formulae: [`"${sourceCountries.map(countryWord).join(',')}"`] },
    bank_name: {
      type: 'list',
      formulae: [`INDIRECT("payrun_banks_"&SUBSTITUTE(${country}," ",""))`],
      // A bank outside the list causes only a warning, because the service decides which banks to accept.
      errorStyle: 'warning',
      error: 'This bank is not in the list of the country. The payout service may refuse it.',
    },
    // The service cannot represent an amount above 2^53 - 1.
    amount: { type: 'whole', operator: 'between', formulae: [1, Number.MAX_SAFE_INTEGER] },
    amount_unit: { type: 'list', formulae: ['"sat"'] },
    reference: { type: 'textLength', operator: 'between', formulae: [1, 20] },
  };
  return rules[field] ?? { type: 'textLength', operator: 'between', formulae: [1, 254] };
}

function addFills(sheet: Worksheet, columns: readonly TemplateColumn[]): void {
  const cellOf = (field: Field) => rangeOf(columns, field)?.split(':')[0] ?? null;
  const [country, amount, documents] = [`$${cellOf('country')}`, `$${cellOf('amount')}`, cellOf('documents')];
  const isOneOf = (countries: readonly PayoutCountry[]) =>
    `OR(${countries.map((one) => `${country}="${countryWord(one)}"`).join(',')})`;
  const rules: { field: Field; formula: string; argb: string }[] = [];
  for (const field of ['account_number', 'branch_code', 'contact_number'] as const) {
    const cell = cellOf(field);
    if (cell !== null) rules.push({ field, formula: `ISNUMBER(${cell})`, argb: fills.wrong });
  }
  const fraction = `AND(ISNUMBER(${amount}),INT(${amount})<>${amount})`;
  rules.push({ field: 'amount', formula: `OR(ISTEXT(${amount}),${fraction})`, argb: fills.wrong });
  rules.push({ field: 'reference', formula: `LEN(${cellOf('reference')})>20`, argb: fills.wrong });
  const begun = `COUNTA($A2:$${columnName(columns.length - 1)}2)>0`;
  for (const { field, required, countries } of columns) {
    const cell = cellOf(field);
    const counts = countries === null ? begun : isOneOf(countries);
    if (required) rules.push({ field, formula: `AND(${counts},${cell}="")`, argb: fills.missing });
    if (countries !== null)
      rules.push({ field, formula: `AND(${country}<>"",NOT(${isOneOf(countries)}))`, argb: fills.unused });
  }
  const large = `AND(${isOneOf(['SouthAfrica'])},N(${amount})>50000,${documents}="")`;
  rules.push({ field: 'documents', formula: large, argb: fills.missing });
  rules.forEach(({ field, formula, argb }, index) => {
    const style = { fill: { type: 'pattern' as const, pattern: 'solid' as const, bgColor: { argb } } };
    sheet.addConditionalFormatting({
      ref: rangeOf(columns, field)!,
      rules: [{ type: 'expression', priority: index + 1, formulae: [formula], style }],
    });
  });
}

const fills = { wrong: 'FFFADDD7', missing: 'FFFFEBB8', unused: 'FFE9ECF0' } as const;

/** Writes the drop-downs' lists into a hidden sheet, because a check itself can hold only 255 characters of a list. */
function writeLists(workbook: Workbook, countries: readonly PayoutCountry[]): void {
  const sheet = workbook.addWorksheet('Lists', { state: 'veryHidden' });
  sheet.getCell('A1').value = 'Payrun template, version 3';
  addList(workbook, sheet, 1, 'payrun_countries', countries.map(countryWord));
  const withBanks = countries.filter((one) => one === 'SouthAfrica' || one === 'Nigeria');
  for (const [index, country] of withBanks.entries())
    addList(workbook, sheet, index + 2, `payrun_banks_${country}`, bankNames(country));
}

function addList(workbook: Workbook, sheet: Worksheet, index: number, name: string, values: readonly string[]): void {
  const letter = columnName(index - 1);
  sheet.getCell(`${letter}2`).value = name;
  values.forEach((value, line) => {
    sheet.getCell(`${letter}${line + 3}`).value = value;
  });
  workbook.definedNames.add(`Lists!$${letter}$3:$${letter}$${Math.max(3, values.length + 2)}`, name);
}

interface Guide {
  readonly title: string;
  readonly rules: readonly string[];
  readonly examples: readonly (readonly [Field, string, string])[];
}

/** The account numbers of the examples are well formed. All names are invented. */
const guides: { readonly [C in PayoutCountry]: Guide } = {
  SouthAfrica: {
    title: 'South Africa (ZAR)',
    rules: [
      'Bank and account number are needed; the branch code is not.',
      'Amounts are whole rand. Above 50,000 ZAR name at least one document.',
    ],
    examples: [
      ['name', 'Karoo Windmill Supplies', 'Thandeka Example'],
      ['country', 'South Africa', 'South Africa'],
      ['bank_name', 'Standard Bank', 'Capitec Bank'],
      ['account_number', '10004291601', '1001274162'],
      ['amount', '62000', '14500'],
      ['reference', 'INV 2041', 'SALARY NOV'],
      ['documents', 'invoice-2041.pdf', ''],
    ],
  },
  Nigeria: {
    title: 'Nigeria (NGN)',
    rules: ['Bank and the ten-digit account number (NUBAN) are needed.', 'Amounts are whole naira.'],
    examples: [
      ['name', 'Lekki Example Printers', 'Chidi Example'],
      ['country', 'Nigeria', 'Nigeria'],
      ['bank_name', 'First Bank of Nigeria', 'Access Bank'],
      ['account_number', '0000014579', '0123456784'],
      ['amount', '350000', '120000'],
      ['reference', 'PO 7781', 'BONUS Q4'],
    ],
  },
  Kenya: {
    title: 'Kenya (KES, mobile money)',
    rules: ['The phone number of the mobile-money account is needed, beginning +254.', 'Amounts are whole shillings.'],
    examples: [
      ['name', 'Rift Valley Example Farm', 'Wanjiru Example'],
      ['country', 'Kenya', 'Kenya'],
      ['contact_number', '+254712345678', '+254110123456'],
      ['amount', '18000', '2500'],
      ['reference', 'MILK OCT', 'TRAVEL 12'],
    ],
  },
  BTC: {
    title: 'Bitcoin (Lightning)',
    rules: ['A Lightning address or an LNURL is needed.', 'Amounts are whole satoshis: write sat under amount_unit.'],
    examples: [
      ['name', 'Example Node Hosting', 'Amara Example'],
      ['country', 'BTC', 'BTC'],
      ['lnurl', 'billing@node.example.com', 'amara@pay.example.com'],
      ['amount', '250000', '40000'],
      ['amount_unit', 'sat', 'sat'],
      ['reference', 'HOSTING NOV', 'DESIGN 3'],
    ],
  },
};

/** Each row of the examples shows one field, because Payrun could take a row of field names for the header. */
function writeReadMe(
  workbook: Workbook,
  columns: readonly TemplateColumn[],
  countries: readonly PayoutCountry[],
): void {
  const sheet = workbook.addWorksheet('Read me', {
    views: [{ showGridLines: false }],
    pageSetup: { ...printSetup, orientation: 'portrait' },
    headerFooter: printFooter,
  });
  [22, 34, 34, 34].forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
  });
  let number = 1;
  const put = (texts: readonly string[], style: Parameters<typeof font>[0], height?: number) => {
    const row = sheet.getRow(number++);
    if (height !== undefined) row.height = height;
    texts.forEach((text, index) => {
      const cell = row.getCell(index + 1);
      cell.value = text;
      cell.numFmt = '@';
      cell.font = font(style);
      cell.alignment = { vertical: 'middle' };
    });
    return row;
  };
  put(['How to fill in the Payouts sheet'], { size: 18, bold: true, argb: ink.theirs }, 30);
  for (const text of [
    'Amounts are whole units: the service pays no cents, and Payrun never rounds. Carry cents to the next payment.',
    'One row is one payment. Keep the header as it is; columns of your own may follow on the right.',
    'Dark headers are needed (for the countries they belong to), blue ones are not.',
    'While you fill it in: yellow cells are still missing, red ones cannot be paid as they are, grey ones are not used.',
    'Then save it and look what Payrun says, before anything is paid: payrun check FILE',
  ])
    put([text], { argb: ink.soft });
  number++;
  put(['The columns'], { size: 13, bold: true, argb: ink.theirs }, 22);
  for (const { field } of columns) {
    const row = put([field, prompts[field]], {});
    row.getCell(1).font = font({ bold: true });
  }
  for (const country of countries) {
    const guide = guides[country];
    number++;
    put([guide.title], { size: 13, bold: true, argb: ink.theirs }, 22);
    for (const rule of guide.rules) put([rule], {});
    const head = put(['Column', 'First example', 'Second example'], { bold: true, argb: ink.white }, 20);
    for (let index = 1; index <= 3; index++) head.getCell(index).fill = solid(ink.theirs);
    for (const [field, first, second] of guide.examples) {
      const row = put([field, first, second], {});
      for (let index = 1; index <= 3; index++) row.getCell(index).border = thinLine;
    }
  }
}
