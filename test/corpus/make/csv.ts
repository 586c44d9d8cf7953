/** Writes the CSV files of the corpus: `node test/corpus/make/csv.ts`. What banks, spreadsheets and people make of one list. */
import { place } from './place.ts';

function csv(name: string, about: string, content: string | Uint8Array, ...flags: string[]): void {
  place({ name: `csv/${name}.csv`, about, ...(flags.length === 0 ? {} : { flags }) }, content);
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const BOM = '\ufeff';

const header = 'name,country,bank_name,account_number,amount,reference';
const ada = 'Ada Obi,Nigeria,First Bank of Nigeria,0000014579,350000,PO 7781';
const ade = 'Ade Bello,Nigeria,Guaranty Trust Bank,0123456785,250000,INV 204';
const thandi = 'Thandi Mokoena,South Africa,Standard Bank,10004291601,12500,SALARY NOV';
const lines = (...all: string[]) => `${all.join('\n')}\n`;
const plain = lines(header, ada, ade, thandi);

// --- Forms: encodings, separators, line ends

csv('plain', 'The sheet that most others here are made of: every row can be paid.', plain);
csv(
  'utf-8-with-mark',
  'UTF-8 with a byte order mark, as Excel writes "CSV UTF-8": read as if the mark were not there.',
  BOM + plain,
);
csv(
  'utf-16-little-end',
  'UTF-16 with its mark, as Excel writes "Unicode Text": tabs, and every letter kept.',
  utf16le(BOM + plain.replaceAll(',', '\t')),
);
csv('utf-16-big-end', 'UTF-16 the other way round, with its mark.', utf16be(BOM + plain));
csv(
  'utf-16-without-mark',
  'UTF-16 without the mark that says so: refused, since it could be anything.',
  utf16le(plain),
);
csv(
  'windows-1252',
  'Letters as old Excel writes them: read, said, and the accents kept for the person to see; never a replacement sign.',
  latin1(lines(header, 'José Müller,Nigeria,First Bank of Nigeria,0000014579,350000,PO 7781', ade)),
);
csv(
  'neither-utf-8-nor-windows-1252',
  'Bytes that no letter of either encoding has: refused.',
  Buffer.concat([Buffer.from(`${header}\nAda`), Buffer.from([0x81, 0x9d]), Buffer.from(' Obi,Nigeria,,1,1,A\n')]),
);
csv(
  'utf-8-cut-in-a-letter',
  'UTF-8 whose last letter is cut in half, with a mark that promises UTF-8: refused rather than guessed.',
  Buffer.concat([Buffer.from(`${BOM + plain}Jos`), Buffer.from([0xc3])]),
);
csv(
  'semicolons',
  'A South African Excel separates by semicolons, since the comma is its decimal mark.',
  plain.replaceAll(',', ';'),
);
csv('tabs', 'Separated by tabs.', plain.replaceAll(',', '\t'));
csv('pipes', 'Separated by upright lines, as some banks export.', plain.replaceAll(',', '|'));
csv(
  'separator-line',
  "Excel's own first line `sep=;`: obeyed, and no row of the sheet.",
  `sep=;\r\n${plain.replaceAll(',', ';').replaceAll('\n', '\r\n')}`,
);
csv(
  'separator-line-lies',
  'The first line says `sep=;`, and the rows are separated by commas: nothing of it is a header.',
  `sep=;\n${plain}`,
);
csv(
  'commas-in-names-with-semicolons',
  'Semicolons between the cells, commas within them: the header decides, not the count of commas.',
  lines(
    header.replaceAll(',', ';'),
    'Obi, Ada;Nigeria;First Bank of Nigeria;0000014579;350000;PO 7781',
    'Bello, Ade, Dr.;Nigeria;Guaranty Trust Bank;0123456785;250000;INV 204',
  ),
);
csv('line-ends-of-windows', 'Lines that end as on Windows.', plain.replaceAll('\n', '\r\n'));
csv(
  'line-ends-of-old-macs',
  'Lines that end in a carriage return alone, as old Macs wrote them.',
  plain.replaceAll('\n', '\r'),
);
csv(
  'line-ends-mixed',
  'Two programs wrote one file: both line ends in it. Every row is there once.',
  `${header}\r\n${ada}\n${ade}\r\n${thandi}\n`,
);
csv('no-line-end-at-the-end', 'The last row has no line end: it is paid like the others.', plain.trimEnd());
csv(
  'everything-in-quotes',
  'Every cell in quotes, as many exports do: an amount in quotes is no text amount.',
  plain.replaceAll(/[^,\n]+/g, '"$&"'),
);
csv(
  'marks-inside-quotes',
  'Quotes written twice inside a quoted cell, which is how CSV writes one: read, and the name pattern refuses it.',
  lines(header, '"Ada ""AO"" Obi",Nigeria,First Bank of Nigeria,0000014579,350000,PO 7781'),
);
csv(
  'spaces-after-separators',
  'A space after each comma, as people type: names and words are read without it, and the reference, which banks match on, is not.',
  plain.replaceAll(',', ', '),
);

// --- Headers

csv(
  'header-proto',
  'A header `__proto__` is a column like any other: carried along, changing nothing.',
  lines(`__proto__,${header}`, `x,${ada}`),
);
csv(
  'header-constructor',
  'Headers `constructor` and `toString`: columns like any other.',
  lines(`constructor,toString,${header}`, `x,y,${ada}`),
);
csv(
  'header-amount-twice',
  'Two columns `amount`: the sheet does not say which is paid, so nothing is.',
  lines(`${header},amount`, `${ada},1`),
);
csv(
  'header-amount-twice-by-case',
  '`amount` and `Amount ` are the same column twice.',
  lines(`${header},Amount `, `${ada},1`),
);
csv(
  'header-two-names-for-one',
  '`beneficiary` and `account name` both mean the name: refused, naming both.',
  lines(
    'beneficiary,account name,country,bank,account number,amount,reference',
    'Ada Obi,A Obi,Nigeria,First Bank of Nigeria,0000014579,350000,PO 7781',
  ),
);
csv(
  'header-with-zero-width-space',
  'A zero-width space inside `name`: refused, showing the code point, since it may hide another column.',
  lines(header.replace('name', 'na\u200bme'), ada),
);
csv(
  'header-with-cyrillic-letter',
  '`amount` with a Cyrillic а: looks right, is another word. Refused, showing the code point.',
  lines(header.replace('amount', '\u0430mount'), ada),
);
csv(
  'header-misspelt',
  '`Acount number` surely means the account number, and a column of money is not guessed.',
  lines(header.replace('account_number', 'Acount number'), ada),
);
csv(
  'header-in-full-width-letters',
  'Full-width letters, as East Asian keyboards write them: the same words.',
  lines('ｎａｍｅ,country,bank_name,account_number,ａｍｏｕｎｔ,reference', ada),
);
csv(
  'header-with-stars-and-capitals',
  'Stars for required columns, capitals, spaces, question marks: all folded away.',
  lines('Beneficiary Name*,COUNTRY *,Bank  Name,Account No.,Net Pay:,Payment Reference (required)', ada),
);
csv(
  'header-amount-in-rand',
  '`Amount (ZAR)` says the currency of every row: the Nigerian one is wrong there.',
  lines(header.replace('amount', 'Amount (ZAR)'), thandi, ada),
);
csv(
  'header-amount-in-cents',
  '`Amount (cents)`: read as whole units it would pay a hundredfold. Refused.',
  lines(header.replace('amount', 'Amount (cents)'), thandi),
);
csv(
  'header-amount-in-thousands',
  "`Amount ('000)`: read as whole units it would pay a thousandth. Refused.",
  lines(header.replace('amount', "Amount ('000)"), thandi),
);
csv(
  'header-with-line-break',
  'A header cell with a line break in it, as Excel makes with Alt+Enter.',
  lines('name,country,bank_name,"account\nnumber",amount,reference', ada),
);
csv(
  'header-below-titles',
  'A company name, a date and an empty row above the header: titles, not rows.',
  lines('Example Imports (Pty) Ltd,,,,,', 'Payments of November 2026,,,,,', ',,,,,', header, ada, ade),
);
csv('header-missing', 'Rows without any header: nothing is guessed from their place.', lines(ada, ade));
csv(
  'header-below-row-fifty',
  'A header that stands below row fifty is not looked for.',
  `${'note\n'.repeat(55)}${plain}`,
);
csv(
  'header-twice',
  'The header again in the middle, as after printing or joining two lists: a row that cannot be paid.',
  lines(header, ada, header, ade),
);
csv(
  'first-and-last-name',
  'First and last name in two columns are one name.',
  lines(
    'First name,Last name,country,bank,account number,amount,reference',
    'Ada,Obi,Nigeria,First Bank of Nigeria,0000014579,350000,PO 7781',
    'Ade,,Nigeria,Guaranty Trust Bank,0123456785,250000,INV 204',
  ),
);
csv(
  'first-name-alone',
  'A first name alone is no name of a payee.',
  lines(
    'First name,country,bank,account number,amount,reference',
    'Ada,Nigeria,First Bank of Nigeria,0000014579,350000,PO 7781',
  ),
);
csv(
  'own-reference',
  "`Own reference` is the payer's, and never stands on the payee's statement.",
  lines(`${header},Own reference`, `${ada},COST-77/A`),
);
csv(
  'line-numbers',
  '`No` and `#` number the lines; nobody pays by them.',
  lines(`No,#,${header}`, `1,1,${ada}`, `2,2,${ade}`),
);

// --- What other products call things

csv(
  'as-paypal-has-it',
  "PayPal's mass payment file: no bank and no country, so no row can be paid, and each says what it lacks.",
  lines('recipient,amount,currency,customer id,note', 'ada@example.com,350000,NGN,C-1,thanks'),
);
csv(
  'as-wise-has-it',
  "Wise's batch file: its columns are not ours; what is unknown is carried along, what is missing is said.",
  lines(
    'name,recipientId,country,bank_name,account number,amount,targetCurrency,paymentReference',
    'Ada Obi,1441,Nigeria,First Bank of Nigeria,0000014579,350000,NGN,PO 7781',
  ),
);
csv(
  'as-acb-tools-have-it',
  "South African ACB tools: two columns `Ref`, their own and the payee's. Nobody can tell which is which.",
  lines(
    'Ref,Name,Bank,Country,Amount,Account No.,Branch Code,Ref,Email',
    'A1,Thandi Mokoena,Standard Bank,ZA,12500,10004291601,051001,SALARY NOV,thandi@example.com',
  ),
);
csv(
  'as-flutterwave-has-it',
  "Flutterwave's bulk transfer: the bank by its code, the reference as narration.",
  lines(
    'name,country,bank_code,account_number,amount,currency,narration',
    'Ada Obi,NG,011,0000014579,350000,NGN,PO 7781',
    'Ade Bello,NG,058,0123456785,250000,NGN,INV 204',
    'Lost zero,NG,11,0000014579,350000,NGN,PO 7782',
  ),
);
csv(
  'as-kenyan-bulk-files-have-it',
  'A Kenyan bulk file: accounts that are phones, and no country. Nothing is guessed.',
  lines('Account Name,Account Number,Amount,Nickname,Reason', 'Wanjiru Example,0712345678,2500,Wanjiru,TRAVEL 11'),
);
csv(
  'kenya',
  'Phones in every form that a Kenyan writes, and two that are none.',
  lines(
    'name,country,network,phone,amount,reference',
    'Wanjiru Example,Kenya,M-PESA,+254712345678,2500,TRAVEL 11',
    'Otieno Example,KE,,0712345601,46000,SALARY OCT',
    'Achieng Example,KEN,,254712345603,38500,SALARY NOV',
    'Kamau Example,Kenya,,712345604,100,A',
    'Njeri Example,Kenya,,+254 (0)712 345 605,100,B',
    'Auma Example,Kenya,,\u202d+254110123456\u202c,100,C',
    "Baraka Example,Kenya,,'0712345606,100,D",
    'Zuri Example,Kenya,,+27821234567,100,E',
    'Nia Example,Kenya,,2.54712E+11,100,F',
  ),
);
csv(
  'bitcoin',
  'Lightning addresses, an LNURL, a mail link; the unit must be said.',
  lines(
    'name,country,lightning address,amount,amount_unit,reference',
    'Amara Example,BTC,amara@pay.example.com,40000,sat,DESIGN 2',
    'Chidi Example,Bitcoin,mailto:chidi@pay.example.com,100,sats,HOSTING',
    'Ngozi Example,Lightning,LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS,100,sat,GRANT',
    'No Unit,BTC,amara@pay.example.com,40000,,DESIGN 3',
    'No Coins,BTC,amara@pay.example.com,0.0004,BTC,DESIGN 4',
  ),
);
csv(
  'country-words',
  'Every word for the four countries, some others, and one slip.',
  lines(
    'name,country,bank,account number,amount,reference',
    ...['ZA', 'ZAF', 'RSA', 'South Africa', 'south-africa', 'SouthAfrica', 'Suid-Afrika', 'ZAR'].map(
      (word, k) => `Thandi Mokoena,${word},Standard Bank,10004291601,100,S ${k}`,
    ),
    ...['NG', 'NGA', 'Nigeria', 'NIGERIA', 'Nigera', 'Niger'].map(
      (word, k) => `Ada Obi,${word},First Bank of Nigeria,0000014579,100,N ${k}`,
    ),
    'Joe Bloggs,United Kingdom,Barclays,12345678,100,X',
    'Kofi Mensah,Ghana,GCB,12345678,100,Y',
  ),
);

// --- Rows

csv('empty', 'A file without a byte in it.', '');
csv('only-line-ends', 'A file of empty lines.', '\n\n\r\n');
csv('only-the-header', 'A header and no rows: nothing to pay, and said so.', `${header}\n`);
csv('only-the-mark', 'A byte order mark and nothing else.', BOM);
csv(
  'blank-rows',
  'Blank rows, rows of separators and of spaces between the payouts: skipped, and every message keeps the number that the sheet shows.',
  lines(header, '', ada, ',,,,,', '   ,,,,,', '"","","","","",""', ade.replace('0123456785', '012345678'), '', ''),
);
csv(
  'rows-far-below',
  'A row below more than a thousand empty ones is one that nobody saw.',
  `${header}\n${ada}\n${'\n'.repeat(1200)}${ade}\n`,
);
csv(
  'short-row',
  'A row with fewer cells than the header: the missing ones are empty.',
  lines(header, 'Ada Obi,Nigeria,First Bank of Nigeria,0000014579', ade),
);
csv(
  'long-row',
  'A row with a cell too many: it may have been shifted by a comma in a name, so it is not paid. An empty one too many is nothing.',
  lines(
    header,
    'Obi, Ada,Nigeria,First Bank of Nigeria,0000014579,350000,PO 7781',
    `${ade},`,
    `${thandi},,,paid by hand?`,
  ),
);
csv(
  'row-twice',
  'The same row twice without a row_id: paying it twice may be meant, and may not.',
  lines(header, ada, ade, ada),
);
csv(
  'row-ids',
  'Row ids tell two equal payouts apart; a row id twice does not.',
  lines(`row_id,${header}`, `K-1,${ada}`, `K-2,${ada}`, `K-2,${ade}`),
);
csv(
  'total-that-agrees',
  'A last row of sums that agrees: never a payment.',
  lines(header, ada, ade, 'Total,,,,600000,'),
);
csv(
  'total-that-differs',
  'A last row of sums that does not agree: the sheet is refused, whichever is wrong.',
  lines(header, ada, ade, 'Total,,,,650000,'),
);
csv(
  'total-of-an-amount-alone',
  'A last row that holds an amount and nothing else is a sum.',
  lines(header, ada, ade, ',,,,600000,'),
);
csv(
  'total-is-a-company',
  '`Total Kenya Ltd` with a phone is a payee.',
  lines(
    'name,country,phone,amount,reference',
    'Wanjiru Example,Kenya,+254712345678,2500,TRAVEL 11',
    'Total Kenya Ltd,Kenya,+254712345679,9000,FUEL NOV',
  ),
);
csv(
  'totals-within',
  'Sums per group in the middle: no payees, and said row by row.',
  lines(header, ada, 'Sub-total,,,,350000,', ade, 'Grand total,,,,600000,'),
);
csv(
  'total-with-signature',
  'Below the totals, who prepared and who approved: not payees.',
  lines(header, ada, ade, 'Total,,,,600000,', '', 'Prepared by: N. Dlamini,,,,,', 'Approved by: ________,,,,,'),
);

// --- Columns that are not read

const kenyan = (last: string, ...rows: readonly string[]) =>
  lines(
    `name,country,contact_number,amount,reference,${last}`,
    ...rows.map(
      (cell, nth) =>
        `${['Otieno', 'Achieng', 'Wanjiru', 'Kamau'][nth]} Example,Kenya,+25471234560${nth + 1},${46000 - nth},SALARY NOV,${cell}`,
    ),
  );
const results = lines(
  'name,country,bank_name,account_number,amount,currency,reference,status,complete_message',
  'Lekki Example Printers,Nigeria,First Bank of Nigeria,0000014579,350000,NGN,PO 7702,SUCCESSFUL,Transfer was successful',
  'Chidi Example,Nigeria,Access Bank,0123456784,120000,NGN,BONUS Q3,SUCCESSFUL,Transfer was successful',
  'Abuja Sample Catering,Nigeria,Guaranty Trust Bank,0123456785,890000,NGN,INV 4301,FAILED,DISBURSE FAILED',
);
csv(
  'results-of-another-provider',
  "Another provider's results: its status says which rows were paid there, and a person says which are meant here.",
  results,
  '',
  '--only status=FAILED',
  '--ignore-column status',
  '--only status=FAILD',
  '--only state=FAILED',
);
csv(
  'flag-exclude',
  'A yes in a column that is not read divides the rows from those that say nothing.',
  kenyan('Exclude', 'Yes', ''),
  '',
  '--only Exclude=',
);
csv(
  'flag-without-meaning',
  'Ticks under a header that says nothing divide the rows too.',
  kenyan('November', '✓', '', '✓'),
);
csv('status-in-german', 'A state in another language.', kenyan('Zahlstatus', 'offen', 'bezahlt', 'offen'));
csv(
  'department',
  'A column with more than three groups, which rather describes the rows.',
  kenyan('Department', 'Sales', 'Ops', 'Kitchen', 'Office'),
);
csv(
  'marks-in-read-columns',
  'Marks in columns that are read: an error where the whole value is one, else something to look at.',
  lines(
    'name,country,contact_number,amount,reference,tag',
    'Otieno Example - DO NOT PAY,Kenya,+254712345601,46000,SALARY NOV,',
    'Achieng Example,Kenya,+254712345603,38500,DO NOT PAY,',
    'Wanjiru Example,Kenya,+254712345604,38501,SALARY NOV,HOLD',
    'Kamau Example (RESIGNED),Kenya,+254712345605,38502,SALARY NOV,',
    'Njoroge Example,Kenya,+254712345606,38503,ON HOLD,cancelled',
  ),
);
csv(
  'one-account-three-names',
  'One account under three names: something to look at.',
  lines(
    header,
    ...['Sipho Example', 'Lerato Sample', 'Naledi Demo'].map(
      (name, nth) => `${name},South Africa,Capitec Bank,1001274162,${14500 + nth},SALARY NOV`,
    ),
  ),
);
csv(
  'invoice-written-twice',
  'One invoice written in two ways, each with a row_id: something to look at.',
  lines(
    `row_id,${header}`,
    '1,Table Bay Paper Works,South Africa,Standard Bank,10004291601,18450,INV 0802',
    '2,Table Bay Paper Works,South Africa,Standard Bank,10004291601,18450,INV0802',
  ),
);

// --- Values

csv(
  'amounts',
  'Every way to write an amount that people and programs have: one reading or none.',
  lines(
    'name;country;bank;account number;amount;reference',
    ...[
      '100',
      ' 100 ',
      '100.00',
      '100,00',
      '1 500',
      '1\u00a0500',
      '1\u202f500',
      "1'500",
      '1 500,00',
      '1,500.00',
      '1.500,00',
      '1,500',
      '1.500',
      '12,34,567',
      '1_000',
      'R 1 500',
      'R1500',
      'ZAR 1500',
      '1500 ZAR',
      'R1,500.00',
      'R1500-',
      '$1500',
      '€1500',
      'USD 1500',
      '1e5',
      '1.5E3',
      '+5',
      '-5',
      '(1500)',
      '0',
      '0.00',
      '007',
      '0x10',
      '15%',
      '١٠٠',
      '９',
      '100.5',
      '99.99',
      '1/2',
      '100 000 000',
      '9007199254740991',
      '9007199254740993',
      '99999999999999999999',
      'one hundred',
      '#REF!',
      '########',
      'N/A',
      '-',
      '1500 R',
      '1 5 0 0',
      '1  500',
      '=100+50',
      '100\u200b',
    ].map((amount, k) => `Thandi Mokoena;South Africa;Standard Bank;10004291601;"${amount}";A ${k}`),
  ),
  '',
  '--documents-policy off --number-format 1,234.56',
);
csv('amount-empty', 'A row without an amount.', lines(header, ada.replace('350000', ''), ade));
csv(
  'names',
  'Names as people have them, and as attackers do: what the service refuses is named letter by letter, with a plain form.',
  lines(
    header,
    ...[
      "O'Brien Obi",
      'M&S Traders',
      'José Núñez',
      'Zoë Ö',
      'Ада Оби',
      'Ada\u00a0Obi',
      ' Ada Obi',
      'Ada  Obi',
      'Ada\u200bObi',
      'Ada\u202eibO',
      'Ada\u00adObi',
      '李小龍',
      'Ada 😀',
      'Mr. A. Obi (Jnr), Ltd_1 / a@b-c',
      'Smith–Jones',
      'Ada\u2019s Shop',
      '#N/A',
      '12345',
      'Ọládélé Àjàyí',
      'Ada\u0301',
    ].map((name, k) => `"${name}",Nigeria,First Bank of Nigeria,0000014579,100,N ${k}`),
  ),
);
csv(
  'name-with-line-break',
  'A line break inside a quoted name: the row keeps its number, and those below it theirs.',
  lines(header, ada.replace('Ada Obi', '"Ada\nObi"'), ade.replace('INV 204', 'INV-204')),
);
csv(
  'control-characters',
  'Characters that nobody sees: NUL, bell, escape sequences of terminals. Named, never passed on.',
  lines(
    header,
    ada.replace('Ada', 'A\0da'),
    ade.replace('Ade', 'A\x07de'),
    thandi.replace('Thandi', '\x1b[2JThandi'),
    ada.replace('PO 7781', 'PO\x7f7781'),
  ),
);
csv(
  'formula-characters',
  'Texts that a spreadsheet would run as formulas: data here, and refused where the patterns do.',
  lines(
    header,
    ...[
      "=cmd|'/c calc'!A1",
      '+Ada',
      '-Ada',
      '@Ada',
      '\tAda',
      '\rAda',
      '＝Ada',
      ' =Ada',
      '=HYPERLINK(""http://example.com"")',
    ].map((name, k) => `"${name}",Nigeria,First Bank of Nigeria,0000014579,100,F ${k}`),
  ),
);
csv(
  'references',
  'References: letters, digits and single spaces, at most twenty; nothing is mended in silence.',
  lines(
    header,
    ...[
      'INV-204',
      'INV/204',
      'inv 204',
      ' INV 204',
      'INV  204',
      'A',
      'A'.repeat(20),
      'A'.repeat(21),
      'Rechnung für Nov',
      '',
      '000123',
      '12-Mar',
      '1.23E+08',
      '#204',
      'PO 7781\u200b',
    ].map((reference, k) => `Ada Obi,Nigeria,First Bank of Nigeria,0000014579,${100 + k},${reference}`),
  ),
);
csv(
  'accounts',
  'Account numbers as sheets have them.',
  lines(
    header,
    ...[
      '0000014579',
      '14579',
      '000 001 4579',
      '0000-0145-79',
      '0000014570',
      '00000145790',
      '1.4579E+04',
      '=""0000014579""',
      "'0000014579",
      'NG12ABCD0000014579',
      'GB29NWBK60161331926819',
      '0000O14579',
      'see mail',
      '',
      '٠٠٠٠٠١٤٥٧٩',
      '0000014579 / 0000000220',
    ].map((account, k) => `Ada Obi,Nigeria,First Bank of Nigeria,"${account}",${100 + k},A ${k}`),
  ),
);
csv(
  'accounts-as-bank-portals-protect-them',
  'Bank portals write ="0000014579" so that Excel keeps the zeros: to the letter no CSV, and read as the text within.',
  lines(header, 'Ada Obi,Nigeria,First Bank of Nigeria,="0000014579",350000,PO 7781'),
);
csv(
  'branch-codes',
  'Branch codes confirm the bank: one that lost its zero, one of another bank, one that nobody knows.',
  lines(
    'name,country,bank,branch code,account number,amount,reference',
    'Thandi Mokoena,South Africa,Standard Bank,051001,10004291601,100,A',
    'Thandi Mokoena,South Africa,Standard Bank,51001,10004291601,100,B',
    'Thandi Mokoena,South Africa,Standard Bank,250655,10004291601,100,C',
    'Thandi Mokoena,South Africa,Standard Bank,123456,10004291601,100,D',
    'Thandi Mokoena,South Africa,,051001,10004291601,100,E',
    'Sipho Ndlovu,South Africa,FNB,250 655,62001234567,100,F',
    'Sipho Ndlovu,South Africa,Absa,632005,4001234567,100,G',
  ),
);
csv(
  'banks-misspelt',
  'Banks under other spellings: found where a table has them, never by likeness.',
  lines(
    header,
    ...[
      'First Bank of Nigeria',
      'FIRST BANK OF NIGERIA',
      'First Bank',
      'FBN',
      'First Bnak of Nigeria',
      'Fist Bank',
      '',
      'Bank',
    ].map((bank, k) => `Ada Obi,Nigeria,${bank},0000014579,${100 + k},B ${k}`),
  ),
);
csv(
  'currencies',
  'A currency column must agree with the country of the row.',
  lines(`${header},currency`, `${ada},NGN`, `${ade},ngn`, `${thandi},NGN`, `${thandi.replace('NOV', 'DEC')},`),
);
csv(
  'funding',
  'Funded from elsewhere: the source, the unit and the method of collection.',
  lines(
    `${header},from_country,amount_unit,collection_method`,
    `${ada},Europe,,`,
    `${ade},USDT,hundredths,`,
    `${ade.replace('204', '205').replace('250000', '"1,51"')},USDT,USDT,`,
    `${ade.replace('204', '206')},USDT,,`,
    `${ada.replace('7781', '7782')},Kenya,,MOMO`,
    `${ada.replace('7781', '7783')},Mars,,`,
    `${ada.replace('7781', '7784')},,,BANK`,
  ),
);
csv(
  'cell-too-long',
  'A name of more than a thousand letters.',
  lines(header, ada.replace('Ada Obi', 'A'.repeat(1001)), ade),
);
csv(
  'own-url-column',
  'A column that names a web address is carried along, never called: nothing in a sheet can make us call a host.',
  lines(
    `${header},webhookUrl`,
    ...['http://169.254.169.254/', 'http://[::1]', 'http://0x7f000001', 'https://user:pw@h', 'gopher:'].map(
      (url, k) => `Ada Obi,Nigeria,First Bank of Nigeria,0000014579,${100 + k},W ${k},${url}`,
    ),
  ),
);

// --- Faults of the form

csv(
  'quote-never-closed',
  'A quotation mark that is never closed swallows every row below it: refused, naming the line where it opens.',
  lines(header, ada, `"${ade}`, thandi),
);
csv(
  'quote-inside-a-value',
  'A quotation mark in the middle of a value: refused, naming the line.',
  lines(header, ada.replace('Ada Obi', 'Ada "AO" Obi'), ade),
);
csv(
  'quote-before-the-end-of-a-value',
  'A quoted part with more behind it: refused, naming the line.',
  lines(header, ada, ade.replace('Ade Bello', '"Ade" Bello')),
);
csv(
  'separators-differ',
  'Two lists in one file, one with commas and one with semicolons: the rows of the second have one cell, and are told.',
  lines(header, ada, ade.replaceAll(',', ';')),
);
csv(
  'one-column',
  'Everything in one quoted column, as when Excel opened a file with the wrong separator and saved it.',
  lines(...[header, ada, ade].map((line) => `"${line}"`)),
);

// --- A result of ours, handed in again

csv(
  'our-result',
  'A result file of ours: our columns are known and never carried along, the mark against formulas is taken off, the totals row below is no row.',
  lines(
    'name,country,phone,amount,reference,note,payrun_status,payrun_reason,payment_id,payrun_batch,payrun_row',
    "Wanjiru Example,Kenya,'+254712345678,2500,TRAVEL 11,'=1+1,paid,,p-1,b-example,k1",
    "Otieno Example,Kenya,'+254712345601,46000,SALARY OCT,''=x,unpaid,the phone is wrong,,b-example,k2",
    'Total,,,48500,,,,,,,',
  ),
);
csv(
  'our-result-of-two-batches',
  'Rows of two result files in one: each says its own batch.',
  lines(
    'name,country,phone,amount,reference,payrun_status,payrun_batch,payrun_row',
    "Wanjiru Example,Kenya,'+254712345678,2500,TRAVEL 11,unpaid,b-one,k1",
    "Otieno Example,Kenya,'+254712345601,46000,SALARY OCT,unpaid,b-two,k2",
  ),
);

// --- Screens

csv(
  'escape-sequences-in-headers',
  'Headers that would clear a screen or turn the direction of letters: named, and refused.',
  lines(`${header},no\x1b[2Jte,Amount \u202e(stnec)`, `${ada},x,y`),
);
csv(
  'escape-sequences-in-cells',
  'Cells and file names that would colour a screen, change its title or turn the direction of letters: every message names them.',
  lines(`${header},documents`, `${ada},\x1b]0;title\x07.pdf,\x1b[31mred`, `${ade},,\u202ered`),
);
