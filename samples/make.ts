/** Writes every sample sheet and document of this folder, and the templates; run `node samples/make.ts` after changing it. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import Excel from 'exceljs';
import { checkAccount } from '../src/domain/accounts/account-number.ts';
import { type BankCountry, bankOf } from '../src/domain/accounts/bank.ts';
import { writeTemplate } from '../src/sheet/sheet.ts';

/**
 * The first account number from `from` on that is well formed by the bank's check digit. Found, not invented: the samples must
 * pass the same checks as a real sheet. That some such number belongs to somebody cannot be ruled out, so samples are for the sandbox.
 */
function account(country: BankCountry, bank: string, from: string): string {
  const id = bankOf(country, { name: bank });
  if (id === undefined) throw new Error(`the samples name an unknown bank: ${bank}`);
  for (let number = BigInt(from); ; number++) {
    const text = String(number).padStart(from.length, '0');
    if (checkAccount(country, id, text) !== 'fails') return text;
  }
}

type Row = readonly (string | number)[];

function csv(header: readonly string[], rows: readonly Row[], separator = ','): string {
  const cell = (value: string | number) => {
    const text = String(value);
    return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [header, ...rows].map((row) => `${row.map(cell).join(separator)}\r\n`).join('');
}

const za = (bank: string, from: string) => [bank, account('SouthAfrica', bank, from)] as const;
const ng = (bank: string, from: string) => [bank, account('Nigeria', bank, from)] as const;

// --- One sheet a country

const southAfrica = csv(
  ['name', 'country', 'bank_name', 'branch_code', 'account_number', 'amount', 'reference', 'documents'],
  [
    [
      'Karoo Windmill Supplies',
      'South Africa',
      ...withBranch(za('Standard Bank', '10004291601'), '051001'),
      62000,
      'INV 2041B',
      'documents/invoice-2041.pdf',
    ],
    [
      'Table Bay Paper Works',
      'South Africa',
      ...withBranch(za('First National Bank', '62001234567'), '250655'),
      18450,
      'INV 802',
      '',
    ],
    [
      'Drakensberg Example Tours',
      'South Africa',
      ...withBranch(za('Absa Bank', '4001234567'), '632005'),
      9200,
      'TRAVEL OCT',
      '',
    ],
    [
      'Thandeka Example',
      'South Africa',
      ...withBranch(za('Capitec Bank', '1001274162'), '470010'),
      14500,
      'SALARY OCT',
      '',
    ],
    ['Pieter Example', 'South Africa', ...withBranch(za('Nedbank', '1001337514'), '198765'), 15200, 'SALARY OCT', ''],
    [
      'Lindiwe Example',
      'South Africa',
      ...withBranch(za('TymeBank', '51001234567'), '678910'),
      12750,
      'SALARY OCT',
      '',
    ],
    ['Total', '', '', '', '', 132100, '', ''],
  ],
);

function withBranch([bank, number]: readonly [string, string], branch: string): readonly string[] {
  return [bank, branch, number];
}

// Separated by semicolons, as Excel writes CSV where the comma is the decimal sign.
const nigeria = csv(
  ['Beneficiary Name', 'Beneficiary Country', 'Bank Name', 'Account Number', 'Amount (NGN)', 'Narration', 'Department'],
  [
    ['Lekki Example Printers', 'NG', ...ng('First Bank of Nigeria', '0000014570'), 350000, 'PO 7702', 'Marketing'],
    ['Chidi Example', 'NG', ...ng('Access Bank', '0123456780'), 120000, 'BONUS Q3', 'Sales'],
    ['Abuja Sample Catering', 'NG', ...ng('Guaranty Trust Bank', '0123456780'), 890000, 'INV 4301', 'Office'],
    ['Ngozi Example', 'NG', ...ng('Zenith Bank', '1000000010'), 240000, 'SALARY OCT', 'Sales'],
    [
      'Kano Example Logistics',
      'NG',
      ...ng('United Bank for Africa', '2000000090'),
      1750000,
      'FREIGHT 16',
      'Operations',
    ],
  ],
  ';',
);

const kenya = csv(
  ['row_id', 'name', 'country', 'phone', 'amount', 'reference'],
  [
    ['KE-1', 'Rift Valley Example Farm', 'Kenya', '+254712345678', 18000, 'MILK SEP'],
    ['KE-2', 'Wanjiru Example', 'Kenya', '+254110123456', 2500, 'TRAVEL 11'],
    ['KE-3', 'Otieno Example', 'Kenya', '+254712345601', 46000, 'SALARY OCT'],
    ['KE-4', 'Mombasa Sample Boats', 'Kenya', '+254712345602', 125000, 'CHARTER 2'],
    ['KE-5', 'Achieng Example', 'Kenya', '+254712345603', 38500, 'SALARY OCT'],
  ],
);

const bitcoin = csv(
  ['name', 'country', 'lnurl', 'amount', 'amount_unit', 'reference'],
  [
    ['Example Node Hosting', 'BTC', 'billing@node.example.com', 250000, 'sat', 'HOSTING OCT'],
    ['Amara Example', 'BTC', 'amara@pay.example.com', 40000, 'sat', 'DESIGN 2'],
    ['Open Ledger Sample Fund', 'BTC', 'grants@fund.example.org', 1000000, 'sat', 'GRANT 2025'],
  ],
);

// --- The mixed month

const novemberHeader = [
  'No',
  'Row ID',
  'Beneficiary',
  'Country',
  'Bank',
  'Account Number',
  'Phone',
  'Lightning Address',
  'Amount',
  'Amount Unit',
  'Reference',
  'Documents',
  'Cost Centre',
];

const november: readonly Row[] = [
  bank(
    'N-001',
    'Karoo Windmill Supplies',
    'South Africa',
    za('Standard Bank', '10004291601'),
    62000,
    'INV 2041',
    'documents/invoice-2041.pdf',
    'Plant',
  ),
  bank(
    'N-002',
    'Table Bay Paper Works',
    'South Africa',
    za('First National Bank', '62001234567'),
    18450,
    'INV 889',
    '',
    'Office',
  ),
  bank(
    'N-003',
    'Overberg Example Solar',
    'South Africa',
    za('Absa Bank', '9001250405'),
    148000,
    'INV 77 FINAL',
    'documents/contract-overberg.pdf;documents/delivery-note-77.png',
    'Plant',
  ),
  bank(
    'N-004',
    'Drakensberg Example Tours',
    'South Africa',
    za('Absa Bank', '4001234567'),
    9200,
    'TRAVEL NOV',
    'documents/invoice-tours-12.pdf',
    'Sales',
  ),
  bank('N-005', 'Thandeka Example', 'South Africa', za('Capitec Bank', '1001274162'), 14500, 'SALARY NOV', '', 'Sales'),
  bank('N-006', 'Pieter Example', 'South Africa', za('Nedbank', '1001337514'), 15200, 'SALARY NOV', '', 'Stores'),
  bank('N-007', 'Lindiwe Example', 'South Africa', za('TymeBank', '51001234567'), 12750, 'SALARY NOV', '', 'Office'),
  bank('N-008', 'Johan Example', 'South Africa', za('Investec Bank', '10001250405'), 50000, 'SALARY NOV', '', 'Office'),
  bank('N-009', 'Sipho Example', 'South Africa', za('Standard Bank', '10001274162'), 13900, 'SALARY NOV', '', 'Plant'),
  bank(
    'N-010',
    'Lekki Example Printers',
    'Nigeria',
    ng('First Bank of Nigeria', '0000014570'),
    350000,
    'PO 7781',
    '',
    'Sales',
  ),
  bank('N-011', 'Chidi Example', 'Nigeria', ng('Access Bank', '0123456780'), 120000, 'BONUS Q4', '', 'Sales'),
  bank(
    'N-012',
    'Abuja Sample Catering',
    'Nigeria',
    ng('Guaranty Trust Bank', '0123456780'),
    890000,
    'INV 4410',
    '',
    'Office',
  ),
  bank('N-013', 'Ngozi Example', 'Nigeria', ng('Zenith Bank', '1000000010'), 240000, 'SALARY NOV', '', 'Sales'),
  bank(
    'N-014',
    'Kano Example Logistics',
    'Nigeria',
    ng('United Bank for Africa', '2000000090'),
    1750000,
    'FREIGHT 17',
    '',
    'Plant',
  ),
  bank('N-015', 'Emeka Example', 'Nigeria', ng('Sterling Bank', '0000000010'), 310000, 'SALARY NOV', '', 'Sales'),
  phone('N-016', 'Rift Valley Example Farm', '+254712345678', 18000, 'MILK OCT', 'Office'),
  phone('N-017', 'Wanjiru Example', '+254110123456', 2500, 'TRAVEL 12', 'Sales'),
  phone('N-018', 'Otieno Example', '+254712345601', 46000, 'SALARY NOV', 'Stores'),
  phone('N-019', 'Mombasa Sample Boats', '+254712345602', 125000, 'CHARTER 3', 'Sales'),
  phone('N-020', 'Achieng Example', '+254712345603', 38500, 'SALARY NOV', 'Office'),
  lightning('N-021', 'Example Node Hosting', 'billing@node.example.com', 250000, 'HOSTING NOV', 'Office'),
  lightning('N-022', 'Amara Example', 'amara@pay.example.com', 40000, 'DESIGN 3', 'Sales'),
  lightning('N-023', 'Open Ledger Sample Fund', 'grants@fund.example.org', 1000000, 'GRANT 2026', 'Office'),
  bank(
    'N-024',
    'Karoo Windmill Supplies',
    'South Africa',
    za('Standard Bank', '10004291601'),
    4800,
    'INV 2042',
    '',
    'Stores',
  ),
];

function bank(
  id: string,
  name: string,
  country: string,
  [bankName, number]: readonly [string, string],
  amount: number,
  reference: string,
  documents: string,
  centre: string,
): Row {
  return [id, name, country, bankName, number, '', '', amount, '', reference, documents, centre];
}

function phone(id: string, name: string, number: string, amount: number, reference: string, centre: string): Row {
  return [id, name, 'Kenya', '', '', number, '', amount, '', reference, '', centre];
}

function lightning(id: string, name: string, address: string, amount: number, reference: string, centre: string): Row {
  return [id, name, 'BTC', '', '', '', address, amount, 'sat', reference, '', centre];
}

/** As a finance team would keep it: a title above, a frozen header, numbers as numbers, everything else as text. */
async function writeNovember(path: string): Promise<void> {
  const workbook = newWorkbook();
  const sheet = workbook.addWorksheet('November', { views: [{ state: 'frozen', ySplit: 3, xSplit: 3 }] });
  [5, 9, 28, 14, 24, 17, 17, 28, 14, 13, 16, 62, 14].forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
  });
  sheet.getCell('A1').value = 'Example Holdings, payouts November 2026';
  sheet.getCell('A1').font = { size: 15, bold: true };
  const header = sheet.getRow(3);
  header.values = novemberHeader;
  header.eachCell((cell) => {
    cell.font = { bold: true, color: { argb: 'FFFFFFFF' } };
    cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF4A5568' } };
  });
  november.forEach((values, index) => {
    const row = sheet.getRow(index + 4);
    row.values = [index + 1, ...values.map((value) => (value === '' ? null : value))];
    row.eachCell((cell) => {
      cell.numFmt = typeof cell.value === 'number' ? '#,##0' : '@';
    });
  });
  await save(workbook, path);
}

// --- Every kind of mistake

const standard = 'Standard Bank';
const good = '10004291601';

const mistakesHeader = [
  'row_id',
  'name',
  'country',
  'bank_name',
  'branch_code',
  'account_number',
  'contact_number',
  'lnurl',
  'amount',
  'amount_unit',
  'currency',
  'reference',
  'documents',
  'what is wrong here',
];

/** A good South African row, with the given cells instead. */
function wrong(what: string, cells: Readonly<Record<string, string | number>>): Row {
  const base: Record<string, string | number> = {
    name: 'Example Payee',
    country: 'South Africa',
    bank_name: standard,
    account_number: good,
    amount: 1500,
    reference: 'TEST 1',
    'what is wrong here': what,
    ...cells,
  };
  return mistakesHeader.map((field) => base[field] ?? '');
}

const kenyan = { country: 'Kenya', bank_name: '', account_number: '' };
const onLightning = { country: 'BTC', bank_name: '', account_number: '', amount_unit: 'sat' };

const mistakes: readonly Row[] = [
  wrong('nothing: this row is good', { row_id: 'M-01' }),
  wrong('no name', { row_id: 'M-02', name: '' }),
  wrong('an apostrophe, which the service refuses', { row_id: 'M-03', name: "Niamh O'Example" }),
  wrong('an accent, which the service refuses', { row_id: 'M-04', name: 'José Example' }),
  wrong('an invisible character (zero-width space)', { row_id: 'M-05', name: 'Example\u200b Payee' }),
  wrong('no country', { row_id: 'M-06', country: '' }),
  wrong('a country misspelt', { row_id: 'M-07', country: 'Soth Africa' }),
  wrong('a country that money only comes from', { row_id: 'M-08', country: 'United Kingdom' }),
  wrong('no bank', { row_id: 'M-09', bank_name: '' }),
  wrong('a bank misspelt', { row_id: 'M-10', bank_name: 'Standrad Bnak' }),
  wrong('a branch code of another bank', { row_id: 'M-11', branch_code: '632005' }),
  wrong('no account number', { row_id: 'M-12', account_number: '' }),
  wrong('an account number with letters', { row_id: 'M-13', account_number: '1000429160A' }),
  wrong('an account number with a wrong digit', { row_id: 'M-14', account_number: '001321677' }),
  wrong('an account number that Excel shortened', { row_id: 'M-15', account_number: '1.00043E+10' }),
  wrong('an IBAN', { row_id: 'M-16', account_number: 'DE89370400440532013000' }),
  wrong('a Nigerian account number with a wrong digit', {
    row_id: 'M-17',
    country: 'Nigeria',
    bank_name: 'First Bank of Nigeria',
    account_number: '0000014578',
  }),
  wrong('no phone number', { row_id: 'M-18', ...kenyan }),
  wrong('a phone number of another country', { row_id: 'M-19', ...kenyan, contact_number: '+27821234567' }),
  wrong('a phone number without its last digits', { row_id: 'M-20', ...kenyan, contact_number: '+25471234' }),
  wrong('nothing: a phone number that is mended and shown', {
    row_id: 'M-21',
    ...kenyan,
    contact_number: '0712345678',
  }),
  wrong('no Lightning address', { row_id: 'M-22', ...onLightning }),
  wrong('a Lightning address without its host', { row_id: 'M-23', ...onLightning, lnurl: 'amara@' }),
  wrong('a Bitcoin amount without its unit', {
    row_id: 'M-24',
    ...onLightning,
    lnurl: 'amara@pay.example.com',
    amount_unit: '',
  }),
  wrong('no amount', { row_id: 'M-25', amount: '' }),
  wrong('cents', { row_id: 'M-26', amount: '12.50' }),
  wrong('one thousand five hundred, or one and a half?', { row_id: 'M-27', amount: '1,500' }),
  wrong('the same with a point', { row_id: 'M-28', amount: '1.500' }),
  wrong('a negative amount, as accountants write it', { row_id: 'M-29', amount: '(1500)' }),
  wrong('a negative amount', { row_id: 'M-30', amount: '-1500' }),
  wrong('nothing at all', { row_id: 'M-31', amount: '0' }),
  wrong('an exponent', { row_id: 'M-32', amount: '1.5E3' }),
  wrong('a per cent sign', { row_id: 'M-33', amount: '15%' }),
  wrong('nothing: spaces and a sign that agree with the row', { row_id: 'M-34', amount: 'R 1 500.00' }),
  wrong("another country's currency", { row_id: 'M-35', currency: 'KES' }),
  wrong('no reference', { row_id: 'M-36', reference: '' }),
  wrong('a hyphen in the reference', { row_id: 'M-37', reference: 'INV-204' }),
  wrong('a reference that is too long', { row_id: 'M-38', reference: 'INVOICE 2041 PART TWO OF THREE' }),
  wrong('above 50,000 ZAR without a document', { row_id: 'M-39', amount: 62000 }),
  wrong('a document that is not there', { row_id: 'M-40', amount: 62000, documents: 'documents/no-such-file.pdf' }),
  wrong('a document outside the folder', { row_id: 'M-41', amount: 62000, documents: '../../etc/passwd' }),
  wrong('the same row_id twice', { row_id: 'M-42', reference: 'FIRST' }),
  wrong('the same row_id twice', { row_id: 'M-42', reference: 'SECOND' }),
  wrong('two identical rows without a row_id', { reference: 'TWIN' }),
  wrong('two identical rows without a row_id', { reference: 'TWIN' }),
];

/** What only a workbook can hold, below the mistakes that CSV can hold too. */
async function writeMistakes(path: string): Promise<void> {
  const workbook = newWorkbook();
  const sheet = workbook.addWorksheet('Mistakes', { views: [{ state: 'frozen', ySplit: 1, xSplit: 2 }] });
  sheet.addRow(mistakesHeader).font = { bold: true };
  mistakesHeader.forEach((field, index) => {
    sheet.getColumn(index + 1).width = field === 'what is wrong here' ? 50 : 18;
  });
  for (const values of mistakes) sheet.addRow(values.map((value) => (value === '' ? null : value)));
  const add = (what: string, id: string, change: (row: Excel.Row, at: (field: string) => Excel.Cell) => void) => {
    const row = sheet.addRow(wrong(what, { row_id: id }).map((value) => (value === '' ? null : value)));
    change(row, (field) => row.getCell(mistakesHeader.indexOf(field) + 1));
    return row;
  };
  add('an account number stored as a number, its zeros lost', 'X-01', (_, at) => {
    at('account_number').value = 1321676;
  });
  add('an account number of sixteen digits, stored as a number', 'X-02', (_, at) => {
    at('account_number').value = 1234567890123456;
  });
  add('a reference that became a date', 'X-03', (_, at) => {
    at('reference').value = 46093;
    at('reference').numFmt = 'd-mmm';
  });
  add('a formula: its stored result is used, with a warning', 'X-04', (_, at) => {
    at('amount').value = { formula: '1000+500', result: 1500 };
  });
  add('a formula without a stored result', 'X-05', (_, at) => {
    at('amount').value = { formula: '1000+500' } as Excel.CellValue;
  });
  add('an error value', 'X-06', (_, at) => {
    at('amount').value = { error: '#REF!' } as Excel.CellValue;
  });
  add('TRUE instead of a name', 'X-07', (_, at) => {
    at('name').value = true;
  });
  add('nothing: fifteen hundred, with the rounding of a calculation', 'X-08', (_, at) => {
    at('amount').value = 1499.9999999999998;
  });
  add('a hidden row', 'X-09', (row) => {
    row.hidden = true;
  });
  const merged = add('a merged cell', 'X-10', () => {});
  const below = add('the other half of the merged cell', 'X-11', () => {});
  sheet.mergeCells(
    merged.number,
    mistakesHeader.indexOf('reference') + 1,
    below.number,
    mistakesHeader.indexOf('reference') + 1,
  );
  await save(workbook, path);
}

// --- Other products' files, as their makers describe them (src/sheet/columns/shipped-maps.ts has the sources)

const wiseHeader = [
  'recipientId',
  'name',
  'recipientEmail',
  'recipientDetail',
  'sourceCurrency',
  'targetCurrency',
  'amountCurrency',
  'amount',
  'paymentReference',
  'receiverType',
];

/** As downloaded: the accounts stay with Wise. */
const wiseRows: readonly Row[] = [
  [
    '41000001',
    'Zola Example',
    'zola@mail.example',
    'ZAR account ending 1601',
    'GBP',
    'ZAR',
    'target',
    '11250.00',
    'DESIGN 21',
    'PERSON',
  ],
  [
    '41000002',
    'Ibadan Sample Textiles',
    'office@textiles.example',
    'NGN account ending 4579',
    'GBP',
    'NGN',
    'target',
    '415000.00',
    'INV 611',
    'INSTITUTION',
  ],
  [
    '41000003',
    'Njeri Example',
    'njeri@mail.example',
    'KES mobile money',
    'GBP',
    'KES',
    'target',
    '32000',
    'RESEARCH 4',
    'PERSON',
  ],
];

/** What a person adds: where the money goes. */
const wiseAdded: readonly Row[] = [
  [...za('Standard Bank', '10004291601'), ''],
  [...ng('First Bank of Nigeria', '0000014570'), ''],
  ['', '', '+254712345610'],
];

const acbHeader = ['Ref', 'Name', 'Amount', 'Account No.', 'Branch Code', 'Ref', 'Email'];
const acbRows: readonly (readonly [string, string, string, readonly [string, string], string, string, string])[] = [
  ['ACME01', 'Acme Example Castings', '8700.00', za('Nedbank', '1001250405'), '198765', 'INV 5512', 'pay@acme.example'],
  ['BOKM02', 'Boikhutso Example', '12400.00', za('Capitec Bank', '1001337514'), '470010', 'WAGES 47', ''],
  ['TRAN03', 'Transkei Sample Haulage', '46050', za('Standard Bank', '001321676'), '051001', 'LOAD 88', ''],
];

function acb(withBank: boolean): string {
  const rows = acbRows.map(([own, name, amount, [bank, number], branch, reference, email]) => [
    own,
    name,
    amount,
    number,
    branch,
    reference,
    email,
    ...(withBank ? [bank] : []),
  ]);
  return csv(withBank ? [...acbHeader, 'Bank Name'] : acbHeader, rows);
}

const paypal = csv(
  ['Recipient', 'Amount', 'Currency', 'Customer ID', 'Note'],
  [
    ['zola@mail.example', '150.00', 'USD', 'zola_example', 'Thanks for the drawings'],
    ['njeri@mail.example', '90.00', 'USD', 'njeri_example', 'Interviews in May'],
  ],
);

const flutterwaveHeader = ['bank_code', 'account_number', 'amount', 'currency', 'narration'];
const flutterwaveRows: readonly (readonly [string, Row])[] = [
  ['Yetunde Example', ['044', account('Nigeria', 'Access Bank', '0123456780'), 185000, 'NGN', 'Salary November']],
  ['Enugu Sample Foods', ['058', account('Nigeria', 'Guaranty Trust Bank', '0123456780'), 640000, 'NGN', 'Invoice 90']],
  ['Tunde Example', ['033', account('Nigeria', 'United Bank for Africa', '2000000090'), 72000, 'NGN', 'Transport']],
];

const kenyaMobile = csv(
  ['Account Name', 'Account Number', 'Amount', 'Nickname', 'Reason'],
  [
    ['Wambui Example', '254712345611', 14500, 'Wambui', 'Salary November'],
    ['Kisumu Sample Fisheries', '0712345612', 68000, 'Fish', 'Invoice 31'],
    ['Barasa Example', '+254110123413', 3200, '', 'Bus fares'],
  ],
);

async function writeOthers(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, text: string) => await writeFile(join(folder, name), text);
  await write('wise.csv', csv(wiseHeader, wiseRows));
  await write(
    'wise-with-accounts.csv',
    csv(
      [...wiseHeader, 'bank_name', 'account_number', 'contact_number'],
      wiseRows.map((row, index) => [...row, ...(wiseAdded[index] ?? [])]),
    ),
  );
  await write('za-acb.csv', acb(false));
  await write('za-acb-with-banks.csv', acb(true));
  await write('paypal.csv', paypal);
  await write(
    'flutterwave.csv',
    csv(
      flutterwaveHeader,
      flutterwaveRows.map(([, row]) => row),
    ),
  );
  await write(
    'flutterwave-with-names.csv',
    csv(
      [...flutterwaveHeader, 'name'],
      flutterwaveRows.map(([name, row]) => [...row, name]),
    ),
  );
  await write('kenya-mobile.csv', kenyaMobile);
}

// --- Documents

/** A one-page PDF with a few lines of text, whole enough for every viewer. */
function pdf(lines: readonly string[]): Buffer {
  const text = lines
    .map(
      (line, index) =>
        `BT /F1 ${index === 0 ? 20 : 12} Tf 60 ${760 - index * 26} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`,
    )
    .join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let out = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`;
  return Buffer.from(out, 'latin1');
}

/** A grey picture of a page of writing: a scanned delivery note, as far as a machine can tell. */
function png(width: number, height: number): Buffer {
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y++) {
    const row = Buffer.alloc(width + 1, 0xfa);
    row[0] = 0;
    const onLine = y % 18 < 5 && y > 30 && y < height - 40;
    const end = width - 30 - ((Math.floor(y / 18) * 53) % 90);
    if (onLine) row.fill(0x70, 30, Math.max(60, end));
    rows.push(row);
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

// --- Writing

function newWorkbook(): Excel.Workbook {
  const workbook = new Excel.Workbook();
  workbook.creator = 'Example Holdings';
  workbook.created = new Date(Date.UTC(2026, 10, 20));
  workbook.modified = workbook.created;
  return workbook;
}

async function save(workbook: Excel.Workbook, path: string): Promise<void> {
  await writeFile(path, new Uint8Array(await workbook.xlsx.writeBuffer()));
}

/** Writes everything: sheets and documents into `folder`, templates into `templates`. */
export async function makeSamples(folder: string, templates: string): Promise<void> {
  const documents = join(folder, 'documents');
  await mkdir(documents, { recursive: true });
  await mkdir(templates, { recursive: true });
  await writeFile(join(folder, 'south-africa.csv'), southAfrica);
  await writeFile(join(folder, 'nigeria.csv'), nigeria);
  await writeFile(join(folder, 'kenya.csv'), kenya);
  await writeFile(join(folder, 'bitcoin.csv'), bitcoin);
  await writeFile(join(folder, 'mistakes.csv'), csv(mistakesHeader, mistakes));
  await writeOthers(join(folder, 'other'));
  await writeNovember(join(folder, 'november.xlsx'));
  await writeMistakes(join(folder, 'mistakes.xlsx'));
  await writeFile(
    join(documents, 'invoice-2041.pdf'),
    pdf(['Karoo Windmill Supplies', 'Invoice 2041', 'Two pump heads and fitting', 'Amount due: R 62 000']),
  );
  await writeFile(
    join(documents, 'contract-overberg.pdf'),
    pdf(['Overberg Example Solar', 'Contract 77', 'Rooftop panels, final part', 'Amount due: R 148 000']),
  );
  await writeFile(
    join(documents, 'invoice-tours-12.pdf'),
    pdf(['Drakensberg Example Tours', 'Invoice 12', 'Coach for twenty, one day', 'Amount due: R 9 200']),
  );
  await writeFile(join(documents, 'delivery-note-77.png'), png(320, 420));
  // A template is never written over a file that is there.
  const blank = await mkdtemp(join(tmpdir(), 'payrun-templates-'));
  for (const name of ['payouts.csv', 'payouts.xlsx'])
    await copyFile(await writeTemplate(join(blank, name)), join(templates, name));
  await rm(blank, { recursive: true });
}

if (import.meta.main) {
  const here = import.meta.dirname;
  await makeSamples(here, join(here, '..', 'templates'));
}
