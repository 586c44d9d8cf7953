import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FileFault } from '../../src/base/faults/fault.ts';
import type { ForeignKind, Refusal } from '../../src/base/refusal.ts';
import { openSheet, parseMap } from '../../src/sheet/sheet.ts';
import { codesOf, freshPath, given, linesOf, readAll, refusal } from './given.ts';

const plain = 'name,amount,reference\nAnna,100,R1\nBen,200,R2\n';

const csv = (more: object = {}) => ({
  format: 'csv',
  delimiter: ',',
  encoding: 'UTF-8',
  isGuessed: false,
  ...more,
});

describe('separators', () => {
  test.each([',', ';', '\t', '|'])('%j is found', async (separator) => {
    const { sheet, lines } = await readAll(given('a.csv', plain.replaceAll(',', separator)));
    expect(sheet.form).toEqual(csv({ delimiter: separator === '\t' ? 'tab' : separator }));
    expect(lines.map(({ cells }) => cells)).toEqual([
      { name: 'Anna', amount: '100', reference: 'R1' },
      { name: 'Ben', amount: '200', reference: 'R2' },
    ]);
  });

  test('the header decides where texts hold other separators', async () => {
    const text = 'name;amount;reference\n"Anna, Ltd, Co, KG, und, so";100;R1\nBen, Inc, b, c, d, e;200;R2\n';
    expect((await readAll(given('a.csv', text))).lines[1]!.cells.name).toBe('Ben, Inc, b, c, d, e');
  });

  test('sep= is taken at its word, and is no row', async () => {
    const { sheet, lines } = await readAll(given('a.csv', `sep=;\r\n${plain.replaceAll(',', ';')}`));
    expect(sheet.headerRow).toBe(1);
    expect(lines.map(({ number }) => number)).toEqual([2, 3]);
  });

  test('a comma that Excel wrote as the decimal sign leaves the semicolon', async () => {
    const text = 'name;amount;reference;note\nA;1,5;R1;x,y\nB;2,5;R2;x,y\n';
    expect((await readAll(given('a.csv', text))).lines[0]!.cells.amount).toBe('1,5');
  });
});

test('what is longer than any value is refused for that, and not looked into', async () => {
  const { lines } = await readAll(given('a.csv', `name,amount,reference\nA,1${'a'.repeat(60_000)}1,R\n`));
  expect(codesOf(lines[0]!.problems)).toEqual(['CELL_TOO_LONG']);
  expect((lines[0]!.cells.amount as string).length).toBeLessThan(1000);
  expect((lines[0]!.raw[1] as string).length).toBe(60_002);
});

test('a long text in the header is no name of a column, and costs nothing', async () => {
  const path = given('a.csv', `name,amount,reference,(${'*'.repeat(60_000)})x\nA,1,R,\n`);
  // Whoever looked at all of it for each of its characters would take so long for this that the test is ended.
  for (let times = 0; times < 5; times += 1)
    expect((await readAll(path)).sheet.columns).toEqual(['name', 'amount', 'reference', null]);
});

test('a payee whose name begins like a total, and whose account is missing, is no totals row', async () => {
  const text = 'name,bank,account number,amount,reference\nA,X,1,5,R\nSum Wong,Nedbank,,,R\n';
  const { sheet, lines } = await readAll(given('a.csv', text));
  expect(lines.map(({ cells }) => cells.name)).toEqual(['A', 'Sum Wong']);
  expect(sheet.controlTotal()).toBeNull();
});

test('a row above the column names that looks like a payment is not passed over', async () => {
  const header = 'name,account number,amount,reference';
  const { sheet } = await readAll(given('a.csv', `Amy,0123,100,R\n${header}\nBob,0124,200,R\n`));
  expect(sheet.problems).toMatchObject([{ code: 'ROW_ABOVE_HEADER', severity: 'error', row: 1 }]);
  const titles = await readAll(given('a.csv', `November,,5000,\nPaid from,62001234567,,\n${header}\nBob,0124,200,R\n`));
  expect(titles.sheet.problems).toEqual([]);
});

test('a second table with other columns below the first is a problem of the whole sheet', async () => {
  const late = async (second: string) => {
    const text = `name,account number,amount,reference\nBob,0124,200,R\n\n${second}\nAmy,300,0125,R\n`;
    const { sheet } = await readAll(given('a.csv', text));
    return sheet.lateProblems().map(({ code, severity, row }) => [code, severity, row]);
  };
  expect(await late('name,amount,account number,reference')).toEqual([['HEADER_SECOND', 'error', 4]]);
  expect(await late('name,phone,,amount')).toEqual([['HEADER_SECOND', 'error', 4]]);
  expect(await late('Name,Account Number,Amount,Reference')).toEqual([]);
  expect(await late('Bank,0126,,Reference')).toEqual([]);
});

test('amounts that the separator has cut in two under an empty last column stop the sheet', async () => {
  const late = async (...rows: string[]) => {
    const text = `name,account number,reference,amount,notes\n${rows.map((row) => `Bob,0124,R,${row}\n`).join('')}`;
    const { sheet } = await readAll(given('a.csv', text));
    return sheet.lateProblems().map(({ code, severity, row }) => [code, severity, row]);
  };
  expect(await late('2,500', '14,000')).toEqual([['AMOUNT_SPLIT', 'error', 2]]);
  expect(await late('850,', '2,500', '900')).toEqual([['AMOUNT_SPLIT', 'error', 3]]);
  expect(await late('2,500', '14000,')).toEqual([]);
  expect(await late('2,500', '14,late')).toEqual([]);
  expect(await late('850,', '900')).toEqual([]);
  expect(await late('2500,', '14000,')).toEqual([]);
  const map = parseMap('m.json', '{"columns": {"notes": null}}');
  const text = 'name,account number,reference,amount,notes\nBob,0124,R,2,500\n';
  expect((await readAll(given('a.csv', text), { map })).sheet.lateProblems()).toEqual([]);
  expect((await readAll(given('a.csv', text.replaceAll(',', ';')))).sheet.lateProblems()).toEqual([]);
});

test('a title that counts amounts in another unit is a problem, and one that says not to is none', async () => {
  const problems = async (title: string) => {
    const text = `${title}\nname,account number,amount,reference\nBob,0124,200,R\n`;
    return (await readAll(given('a.csv', text))).sheet.problems.map(({ code, severity, row }) => [code, severity, row]);
  };
  for (const title of ["All amounts in R'000", 'Amounts in cents', 'In thousands of rand', 'ZAR ’000', 'in millions'])
    expect(await problems(title), title).toEqual([['TITLE_UNIT', 'error', 1]]);
  for (const title of ["Budget 1'000 a head", 'Whole rand, not in cents', 'Incentives', 'Paid within hundreds of days'])
    expect(await problems(title), title).toEqual([]);
});

test('a title that says that the sheet is not to be paid, or was paid, is a problem; one that names a currency counts', async () => {
  const opened = async (title: string) => {
    const text = `${title}\nname,account number,amount,reference\nBob,0124,200,R\n`;
    return (await readAll(given('a.csv', text))).sheet;
  };
  for (const title of ['DRAFT - do not pay', 'CANCELLED', 'PAID 12 Nov 2026', 'Payment run October - already paid'])
    expect(
      (await opened(title)).problems.map(({ code, row }) => [code, row]),
      title,
    ).toEqual([['TITLE_STOP', 1]]);
  for (const title of ['Salaries paid on the 25th', 'Hold-out Farm suppliers', 'November'])
    expect((await opened(title)).problems, title).toEqual([]);
  expect((await opened('All amounts in USD')).amountCurrency).toBe('USD');
  expect((await opened('Paid IN ALL cases')).amountCurrency).toBeNull();
});

describe('digits that are written as ="0123", so that a spreadsheet takes them for text', () => {
  const header = 'name,account_number,amount,reference';

  test.each([
    ['without quotes around it', '="0012"', ['0012', ['TEXT_FORCED']]],
    ['in quotes', '"=""0012"""', ['0012', ['TEXT_FORCED']]],
    ['a phone number', '="+254712345678"', ['+254712345678', ['TEXT_FORCED']]],
    ['a formula of another form', '=0012', ['=0012', []]],
    ['text that is not all of it', '"=""0012""&""3"""', ['="0012"&"3"', []]],
    ['nothing', '=""', [undefined, []]],
  ])('%s', async (_, account, expected) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { lines } = await readAll(given('a.csv', `${header}${end}A,${account},5,R${end}B,1,6,R${end}`));
      expect([lines[0]!.cells.account_number, codesOf(lines[0]!.problems)]).toEqual(expected);
      expect(lines[1]!.cells).toEqual({ name: 'B', account_number: '1', amount: '6', reference: 'R' });
    }
  });

  test('at every place of a file, beside values in quotes that look alike, whatever the encoding', async () => {
    const text = `"name";account_number;amount;reference;note\n="A";="1";="5";="R";"x;=""2"";"\n"B ""b""";="";6;R;\n;="3";7;="S"`;
    const read = async (bytes: Buffer) =>
      (await readAll(given('a.csv', bytes))).lines.map(({ raw, cells }) => [raw[4], cells]);
    const expected = [
      ['x;="2";', { name: 'A', account_number: '1', amount: '5', reference: 'R' }],
      ['', { name: 'B "b"', amount: '6', reference: 'R' }],
      ['', { account_number: '3', amount: '7', reference: 'S' }],
    ];
    expect(await read(Buffer.from(text))).toEqual(expected);
    expect(await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(expected);
  });

  test('in the header, where it is the name of the column', async () => {
    const text = '="name",="account number","=""Amount (ZAR)""",="reference",="Cost centre"\nA,1,5,R,x\n';
    const { sheet, lines } = await readAll(given('a.csv', text));
    expect(lines[0]!.cells).toEqual({ name: 'A', account_number: '1', amount: '5', reference: 'R' });
    expect(sheet).toMatchObject({ amountCurrency: 'ZAR', unused: ['Cost centre'], problems: [] });
  });

  test('wherever the chunks of a file part them', async () => {
    const rows = Array.from({ length: 20_000 }, (_, k) => `"Payee ${k}",="00${k}",${k + 1},="R ${k}"`);
    for (const shift of [0, 1, 3]) {
      const { lines } = await readAll(given('a.csv', `${'#'.repeat(shift)}\n${header}\n${rows.join('\n')}`));
      expect(lines).toHaveLength(20_000);
      const wrong = lines.filter(
        ({ cells }, k) =>
          cells.account_number !== `00${k}` || cells.reference !== `R ${k}` || cells.amount !== `${k + 1}`,
      );
      expect(wrong).toEqual([]);
    }
  });

  test('other quotes within values are refused as ever, with their line', async () => {
    for (const value of ['="12"3', 'x"y', '="1,2"', '="1\n2"', '"x"y'])
      expect(await refusal(given('a.csv', `${header}\nA,="1",5,R\nB,${value},5,R\n`))).toEqual({
        code: 'CSV_QUOTE_WITHIN_VALUE',
        facts: { row: 3, line: 3 },
      });
    expect(await refusal(given('a.csv', `${header}\nA,="1",5,R\n"B,1,5,R\n`))).toEqual({
      code: 'CSV_ROW_DOES_NOT_END',
      facts: { row: 3, line: 3 },
    });
  });
});

describe('encodings', () => {
  const text = 'name,amount,reference\nJosé Ünlü,100,R1\n';
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['Windows-1252', Buffer.from(text, 'latin1')],
  ])('%s', async (name, bytes) => {
    const { sheet, lines } = await readAll(given('a.csv', bytes));
    expect(sheet.form).toMatchObject({ delimiter: ',', encoding: name });
    expect(sheet.header[0]).toBe('name');
    expect(lines[0]!.cells.name).toBe('José Ünlü');
  });

  test('one late byte that is not UTF-8 makes the whole file Windows-1252, and says so', async () => {
    const many = Buffer.from(`name,amount,reference\n${'José,1,R\n'.repeat(20_000)}`);
    const { sheet, lines } = await readAll(
      given('a.csv', Buffer.concat([many, Buffer.from('€uro\x80,1,R\n', 'latin1')])),
    );
    expect(sheet.form).toEqual(csv({ encoding: 'Windows-1252', isGuessed: true }));
    expect(lines[0]!.cells.name).toBe('JosÃ©');
    expect(lines.at(-1)!.cells.name).toContain('€');
  });

  test('a character that two chunks share is one character', async () => {
    const text = `name,amount,reference\n${'äöü€😀,1,R\n'.repeat(12_000)}`;
    const { lines } = await readAll(given('a.csv', text));
    expect(new Set(lines.map(({ cells }) => cells.name))).toEqual(new Set(['äöü€😀']));
  });

  test('neither one nor the other is refused', async () => {
    const bytes = Buffer.concat([Buffer.from(plain), Buffer.from([0xe9, 0x81])]);
    expect(await refusal(given('a.csv', bytes))).toEqual({ code: 'CSV_IN_UNKNOWN_ENCODING', facts: {} });
  });

  test('UTF-16 without its mark is refused', async () => {
    expect(await refusal(given('a.csv', Buffer.from(plain, 'utf16le')))).toEqual({
      code: 'CSV_IN_UNKNOWN_ENCODING',
      facts: {},
    });
  });

  test('zeros in the middle are damage, and no UTF-16', async () => {
    const bytes = Buffer.from(`${plain}${'\0'.repeat(40)}Cy,1,R3\n`);
    expect(await refusal(given('a.csv', bytes))).toEqual({ code: 'CSV_HAS_ZEROS', facts: {} });
  });

  test.each([
    ['Jos\x8e', 'Zo\x91', 'J\x9frgen'],
    ['Garc\x92a', 'L\x97pez', 'Andr\x8e'],
    ['Jo\x8bo', 'A\x8d\x8bo', 'Concei\x8d\x8bo'],
    ['JOS\x83', 'MU\x84OZ', 'B'],
    ['Sean O\xd5Brien', 'A', 'B'],
    ['Wanjiru\xd5s Shop', 'A', 'B'],
    ['Jos\x82', 'Gar\x87on', 'Zo\x89'],
  ])('a text in Mac Roman or CP850 is refused: %j', async (...names) => {
    const text = `name,amount,reference\r${names.map((name) => `${name},100,R1\r`).join('')}`;
    expect(await refusal(given('a.csv', Buffer.from(text, 'latin1')))).toEqual({
      code: 'CSV_IN_UNKNOWN_ENCODING',
      facts: {},
    });
  });

  test.each([
    'José Müller',
    'O\x92Brien',
    'Tom\xe1\x9a',
    '\x8aime \x8ei\x9eek',
    '\x84M\xfcller\x93',
    'Ng\x92ang\x92a',
    'B \x96 C',
    'D 5\x80',
    'CAM\xd5ES',
    'Jo\xe3o \xd5es',
  ])('Windows-1252 is not taken for it: %j', async (name) => {
    const text = Buffer.from(`name,amount,reference\n${name},100,R1\n`, 'latin1');
    const { sheet } = await readAll(given('a.csv', text));
    expect([sheet.form, sheet.letters]).toEqual([csv({ encoding: 'Windows-1252', isGuessed: true }), 'guessed']);
  });

  const marked = (encoding: 'utf8' | 'utf16le' | 'utf16be', marks: string, body: string) => {
    const bytes = Buffer.from(marks + body, encoding === 'utf8' ? 'utf8' : 'utf16le');
    return encoding === 'utf16be' ? bytes.swap16() : bytes;
  };

  test.each(['utf8', 'utf16le', 'utf16be'] as const)('a second byte order mark is skipped: %s', async (encoding) => {
    const body = '"name",amount,reference\nAnna,100,R1\n';
    const { sheet, lines } = await readAll(given('a.csv', marked(encoding, '\ufeff\ufeff', body)));
    expect(sheet.header).toEqual(['name', 'amount', 'reference']);
    expect(lines.map(({ cells }) => cells)).toEqual([{ name: 'Anna', amount: '100', reference: 'R1' }]);
  });

  test.each(['utf8', 'utf16le', 'utf16be'] as const)('the end mark of DOS is no row: %s', async (encoding) => {
    const mark = encoding === 'utf8' ? '' : '\ufeff';
    for (const end of ['\x1a', '\x1a\x1a\x1a', '\x1a\r\n', '\x1a\n\x1a\n']) {
      const { lines } = await readAll(given('a.csv', marked(encoding, mark, `${plain}${end}`)));
      expect(lines.map(({ cells }) => cells.name)).toEqual(['Anna', 'Ben']);
    }
    const within = await readAll(given('a.csv', marked(encoding, mark, `${plain}\x1aCleo,300,R3\n`)));
    expect(within.lines.map(({ cells }) => cells.name)).toEqual(['Anna', 'Ben', '\x1aCleo']);
  });

  test.each([
    ['many', Buffer.from(`${plain}${'\0'.repeat(60)}`)],
    ['one', Buffer.from(`${plain}\0`)],
    ['more than the text', Buffer.from(`${plain}${'\0'.repeat(9000)}`)],
    ['behind a long text', Buffer.from(`${plain}${'Ben,200,R2\n'.repeat(9000)}${'\0'.repeat(4096)}`)],
    ['in UTF-16', Buffer.from(`\ufeff${plain}${'\0'.repeat(60)}`, 'utf16le')],
    ['in UTF-16, the other way round', Buffer.from(`\ufeff${plain}\0\0`, 'utf16le').swap16()],
  ])('zeros at the end are a file that is damaged: %s', async (_, bytes) => {
    expect(await refusal(given('a.csv', bytes))).toEqual({ code: 'CSV_HAS_ZEROS', facts: {} });
  });
});

describe('what a program wrote in its own way', () => {
  const header = 'row_id,name,account_number,amount,reference,slow';
  const line = async (cells: string) => {
    const { lines } = await readAll(given('a.csv', `${header}\n${cells}\nx,B,1,6,R,\n`));
    return lines[0]!;
  };

  test('numbers that it kept as floats are numbers, in every column but the amount', async () => {
    const { cells, problems } = await line('1.0,1001.0,62001234567.00,1500.0,1001.0,1.0');
    const number = (text: string) => ({ kind: 'number', text, shown: text, formula: false });
    expect(cells).toEqual({
      row_id: number('1'),
      name: number('1001'),
      account_number: number('62001234567'),
      amount: '1500.0',
      reference: number('1001'),
      slow: number('1'),
    });
    expect(problems.map(({ code, severity, value, suggestion }) => [code, severity, value, suggestion])).toEqual([
      ['FLOAT_READ', 'repair', '1.0', '1'],
      ['FLOAT_READ', 'repair', '1001.0', '1001'],
      ['FLOAT_READ', 'repair', '62001234567.00', '62001234567'],
      ['FLOAT_READ', 'repair', '1001.0', '1001'],
      ['FLOAT_READ', 'repair', '1.0', '1'],
    ]);
  });

  test.each([
    ['Smith &amp; Sons', 'Smith & Sons'],
    ['Smith &amp;amp; Sons', 'Smith & Sons'],
    ['SMITH &AMP; SONS', 'SMITH & SONS'],
    ['Smith &amp Sons', 'Smith & Sons'],
    ['O&#39;Brien', "O'Brien"],
    ['O&#x27;Brien', "O'Brien"],
    ['Caf&eacute; &Eacute;t&eacute;', 'Café Été'],
    ['M&uuml;ller &szlig;', 'Müller ß'],
    ['S&oslash;ren &AElig;', 'Søren Æ'],
    ['A&nbsp;B', 'A\u00a0B'],
  ])('characters as a web page has them: %s', async (name, read) => {
    const { cells, problems } = await line(`7,${name},1,5,R,`);
    expect(cells.name).toBe(read);
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([['ENTITIES_READ', 'repair']]);
  });

  test.each(['M&S', 'AT&T; Ltd', 'A &foo; B', 'A&#0;B', 'A&#x202;', 'A&#xd800;B', 'A&#999999999;', 'A & B'])(
    'and what is none is left as it is: %s',
    async (name) => {
      const { cells } = await line(`7,${name},1,5,R,`);
      if (name !== 'A&#x202;') expect(cells.name).toBe(name);
    },
  );

  test('words for nothing name nobody, unless a person says so', async () => {
    const text = `${header}\n7,NULL,1,5,None,\n`;
    const path = given('a.csv', text);
    const { lines } = await readAll(path);
    expect(lines[0]!.cells).toMatchObject({ name: { kind: 'error', text: 'NULL' }, reference: { kind: 'error' } });
    const correction = { row: 2, column: 1, from: 'NULL', to: 'Null', by: 'Ann', at: '2026-11-27T10:00:00Z' };
    const corrected = await readAll(path, { corrections: [correction] });
    expect(corrected.lines[0]!.cells).toMatchObject({ name: 'Null', reference: { kind: 'error' } });
    const parts = await readAll(given('a.csv', 'first name,last name,amount,reference\nAnn,nan,5,R\nNan,Ann,5,R\n'));
    expect(parts.lines[0]!.cells.name).toMatchObject({ kind: 'error', text: 'nan' });
  });

  test('a row may have the number 0, and nobody the name', async () => {
    expect((await line('0,0,1,5,0,')).cells).toMatchObject({ row_id: '0', name: { kind: 'error' }, reference: '0' });
  });
});

describe('rows', () => {
  test('line ends may be mixed', async () => {
    const { lines } = await readAll(given('a.csv', 'name,amount,reference\r\nA,1,R\nB,2,R\rC,3,R'));
    expect(lines.map(({ number, cells }) => [number, cells.name])).toEqual([
      [2, 'A'],
      [3, 'B'],
      [4, 'C'],
    ]);
  });

  test('numbers count records, blank ones too, and a line break in quotes is not one', async () => {
    const { sheet, lines } = await readAll(
      given('a.csv', 'Our payouts\n\nname,amount,reference\n"A\nB",1,R\n\n , ,\nC,3,R\n'),
    );
    expect(sheet.headerRow).toBe(3);
    expect(lines.map(({ number, cells }) => [number, cells.name])).toEqual([
      [4, 'A\nB'],
      [7, 'C'],
    ]);
  });

  test('a short line is padded, and a long one is a problem of its row only when something stands there', async () => {
    const { lines } = await readAll(given('a.csv', 'name,amount,reference\nA,1\nB,2,R,\nC,3,R,surplus\n'));
    expect(lines.map(({ raw }) => raw.length)).toEqual([3, 4, 4]);
    expect(lines.map(({ problems }) => codesOf(problems))).toEqual([[], [], ['CELL_BEYOND_HEADER']]);
    expect(lines[0]!.cells).toEqual({ name: 'A', amount: '1' });
  });

  test('a separator inside a value moves what follows, and is a problem also where the last column was empty', async () => {
    const read = async (...rows: readonly string[]) => {
      const { sheet, lines } = await readAll(given('a.csv', `name,amount,reference,tag\n${rows.join('\n')}\n`));
      return [...lines.map(({ problems }) => codesOf(problems).join()), ...codesOf(sheet.lateProblems())];
    };
    expect(await read('A,100,R,', 'B,1,500,R,')).toEqual(['', 'ROW_TOO_LONG']);
    expect(await read('B,1,500,R,', 'C,2,750,R,')).toEqual(['ROW_TOO_LONG', 'ROW_TOO_LONG']);
    expect(await read('B,100,Rent, May,', 'A,100,R,')).toEqual(['', '', 'ROW_TOO_LONG']);
    expect(await read('A,100,R,,', 'B,200,R,,')).toEqual(['', '']);
    expect(await read('A,100', 'B,200,R,')).toEqual(['', '']);
  });

  test('quotes and doubled quotes', async () => {
    const { lines } = await readAll(given('a.csv', 'name,amount,reference\n"Joe ""Jo"", Doe",1,"R, 1"\n'));
    expect(lines[0]!.cells).toEqual({ name: 'Joe "Jo", Doe', amount: '1', reference: 'R, 1' });
  });

  test.each<[string, string, Refusal]>([
    [
      'a quote never closed',
      'name,amount,reference\nA,1,R\n"B,2,R\nC,3,R\n',
      { code: 'CSV_ROW_DOES_NOT_END', facts: { row: 3, line: 3 } },
    ],
    [
      'after a line break in quotes',
      'name,amount,reference\n"A\nA",1,R\n"B,2,R\n',
      { code: 'CSV_ROW_DOES_NOT_END', facts: { row: 3, line: 4 } },
    ],
    [
      'a quote inside a value',
      'name,amount,reference\nx"y,1,R\n',
      { code: 'CSV_QUOTE_WITHIN_VALUE', facts: { row: 2, line: 2 } },
    ],
    [
      'a quote that ends too early',
      'name,amount,reference\n"x"y,1,R\n',
      { code: 'CSV_QUOTE_WITHIN_VALUE', facts: { row: 2, line: 2 } },
    ],
    [
      'a record over 64 KiB',
      `name,amount,reference\nA,1,${'x'.repeat(70_000)}\n`,
      { code: 'CSV_ROW_DOES_NOT_END', facts: { row: 2, line: 2 } },
    ],
    [
      'an open quote before 20 MB',
      `name,amount,reference\nA,"${'x,\n'.repeat(400_000)}`,
      { code: 'CSV_ROW_DOES_NOT_END', facts: { row: 2, line: 2 } },
    ],
    [
      '100,000 columns',
      `${'name,amount,reference'.repeat(1)}${',x'.repeat(30_000)}\n`,
      { code: 'CSV_ROW_TOO_WIDE', facts: { row: 1, most: 256 } },
    ],
  ])('%s is refused', async (_, text, why) => {
    expect(await refusal(given('a.csv', text))).toEqual(why);
  });

  test('a cell longer than can be paid with, and a NUL', async () => {
    const { lines } = await readAll(
      given('a.csv', `name,amount,reference,note\n${'x'.repeat(1001)},1,R\0,${'y'.repeat(2000)}\n`),
    );
    expect(codesOf(lines[0]!.problems)).toEqual(['CELL_TOO_LONG', 'CELL_CONTROL_CHARACTER']);
  });

  test('chunks have at most a thousand lines, and the file can be read again', async () => {
    const sheet = await openSheet(given('a.csv', `name,amount,reference\n${'A,1,R\n'.repeat(2500)}`));
    const sizes: number[] = [];
    for await (const chunk of sheet.lines()) sizes.push(chunk.length);
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(await linesOf(sheet)).toHaveLength(2500);
  });

  test('first and last name are joined, and the cells of a foreign apostrophe stay', async () => {
    const { lines } = await readAll(
      given('a.csv', "First name,Last name,amount,reference\n Ada , Bee,1,'=1+1\nCy,,2,'x\n"),
    );
    expect(lines.map(({ cells }) => [cells.name, cells.reference])).toEqual([
      ['Ada Bee', "'=1+1"],
      ['Cy', "'x"],
    ]);
  });

  test('a surname completes the name beside it, unless that holds it already', async () => {
    const { lines } = await readAll(
      given('a.csv', 'Name,Surname,amount,reference\nAda,Bee,1,A\nAda Bee,Bee,1,B\nAda,,1,C\n'),
    );
    expect(lines.map(({ cells }) => cells.name)).toEqual(['Ada Bee', 'Ada Bee', 'Ada']);
  });

  test('hostile headers are columns like any other', async () => {
    const { sheet, lines } = await readAll(given('a.csv', '__proto__,constructor,name,amount,reference\n1,2,A,3,R\n'));
    expect(sheet.unused).toEqual(['__proto__', 'constructor']);
    expect(lines[0]!.raw).toEqual(['1', '2', 'A', '3', 'R']);
    expect(Object.getPrototypeOf(lines[0]!.cells)).toBe(Object.prototype);
  });
});

describe('the totals row', () => {
  const header = 'name,account_number,amount,reference\nA,001,5,R\n';
  test.each([
    [['Prepared by:,Thandi Mokoena,,', 'Approved by,,,', 'Date: 30 November 2026,,,', '2026-11-30,,,', '______,,,'], 5],
    [['Checked and approved by Z. Nkosi,,,', 'Signature: ……,,,', '30/11/2026,Johannesburg,,'], 3],
    // Anything that may be a payment makes it a row, and the totals row above it none.
    [['Prepared by:,0012,,'], 0],
    [['Prepared by:,,500,'], 0],
    [['Prepared by:,,,R 1'], 0],
    [['Prepared by: 0012345,,,'], 0],
    [['Prepared by:,,,', 'B,2,6,R'], 0],
    [['Bob,,,'], 0],
    [['Date Nkosi,,,'], 0],
  ])('what is signed below a totals row is no row: %j', async (below, signed) => {
    const text = `${header}Total,,5,\n\n${below.join('\n')}\n`;
    const { sheet, lines } = await readAll(given('a.csv', text));
    const numbers = below.map((_, k) => 5 + k);
    expect(sheet.belowTotal()).toEqual(numbers.slice(0, signed));
    expect(sheet.controlTotal()?.row).toBe(signed === 0 ? undefined : 3);
    expect(lines.map(({ number }) => number)).toEqual(signed === 0 ? [2, 3, ...numbers] : [2]);
  });

  test.each([
    ['Total,,5,', true],
    ['TOTALS:,,5,', true],
    ['Sub-total,,5,', true],
    ['Grand total,,5,', true],
    ['Sum,,5,', true],
    [',,5,', true],
    [',Total:,5,', true],
    ['Total Kenya Ltd,0012,5,R', false],
    ['Summit Traders,,5,R', false],
    ['Totally Foods,,5,R', false],
    [',,5,R', false],
    [',totals@example.com,5,', false],
  ])('%s', async (last, isTotal) => {
    const { sheet, lines } = await readAll(given('a.csv', `${header}${last}\n,,,\n`));
    expect(sheet.controlTotal()).toEqual(isTotal ? { row: 3, cells: expect.objectContaining({ amount: '5' }) } : null);
    expect(lines).toHaveLength(isTotal ? 1 : 2);
  });

  test.each([
    [',,TOTAL,,5,', true],
    [',Grand total:,,,5,', true],
    [',,Total Bank,,5,', false],
    ['Sum Wong,,Total,,5,R', false],
  ])('its label may stand under the bank or the country: %s', async (last, isTotal) => {
    const header = 'name,country,bank,account_number,amount,reference\nA,NG,Zenith Bank,001,5,R\n';
    const { sheet, lines } = await readAll(given('a.csv', `${header}${last}\n`));
    expect([sheet.controlTotal()?.row, lines.length]).toEqual(isTotal ? [3, 1] : [undefined, 2]);
  });

  test('only the last row can be one', async () => {
    const { sheet, lines } = await readAll(given('a.csv', `${header}Total,,5,\nB,2,6,R\n`));
    expect([sheet.controlTotal(), lines.length]).toEqual([null, 3]);
  });

  test.each([
    ['Subtotal,,5,', true],
    ['Sub-total: Lagos,,5,', true],
    ['Total,,5,', true],
    ['Lagos Total,,5,', true],
    [',,5,Total for Lagos', true],
    [',Lagos Total,5,', true],
    [',,5,', true],
    ['Subtotal,0012,5,R', false],
    ['Total Energies,0012,5,R', false],
    ['Summit Traders,,5,R', false],
    ['Totally Foods,,5,R', false],
    ['B,,,R', false],
  ])('a row of sums among the payouts is no payee: %s', async (row, isSum) => {
    const { lines } = await readAll(given('a.csv', `${header}${row}\nC,3,7,R\nTotal,,17,\n`));
    expect(lines.map(({ problems }) => codesOf(problems))).toEqual([[], isSum ? ['ROW_SUBTOTAL'] : [], []]);
  });

  test.each([
    ['Prepared by: ________,Date: 30/11/2026,,', true],
    ['Head office,,,', true],
    [',Checked by P.M.,,', true],
    ['B,1000123456,,', false],
    ['B,2,7,', false],
    ['B,2,,R', false],
  ])('a heading or a signature among the payouts is no payee: %s', async (row, isNote) => {
    for (const text of [`${row}\nC,3,7,R\n`, `${row}\n`]) {
      const { lines } = await readAll(given('a.csv', header + text));
      expect(codesOf(lines[1]!.problems)).toEqual(isNote ? ['ROW_NOTE'] : []);
    }
  });

  test.each([
    ['name,account_number,amount,reference', true],
    ['Name,Account number, AMOUNT,reference', true],
    ['name,account_number,amount,', true],
    ['name,account_number,5,reference', false],
    ['name,,amount,', false],
    ['name,account_number,amount,Rent', false],
  ])('the header once more, as at the top of a page, is no payee: %s', async (row, isHeader) => {
    const { lines } = await readAll(given('a.csv', `${header}${row}\nC,3,7,R\n`));
    expect(codesOf(lines[1]!.problems)).toEqual(isHeader ? ['ROW_HEADER'] : []);
  });

  test('a row that lacks a column which the sheet lacks is no note', async () => {
    const { lines } = await readAll(given('a.csv', 'name,country,bank\nA,,\n'));
    expect(codesOf(lines[0]!.problems)).toEqual([]);
  });

  test('a subtotal stays one where its country is said, in the last row too', async () => {
    const text = 'name,country,account_number,amount,reference\nA,NG,001,5,R\n';
    for (const rows of ['Subtotal NG,NG,,5,\nB,NG,2,5,R\n', 'Subtotal NG,NG,,5,\n']) {
      const { sheet, lines } = await readAll(given('a.csv', text + rows));
      expect([codesOf(lines[1]!.problems), sheet.controlTotal()]).toEqual([['ROW_SUBTOTAL'], null]);
    }
    const { lines } = await readAll(given('a.csv', `${text}Total Energies,NG,,5,R\nB,NG,2,5,R\n`));
    expect(codesOf(lines[1]!.problems)).toEqual([]);
  });
});

describe('what is no sheet', () => {
  test('a missing file, a folder, a pipe', async () => {
    const folder = freshPath('folder');
    mkdirSync(folder);
    const pipe = freshPath('pipe');
    execFileSync('mkfifo', [pipe]);
    const cases: [string, FileFault['fault']][] = [
      [freshPath('none.csv'), 'no-file'],
      [folder, 'is-folder'],
      [pipe, 'not-a-file'],
      ['/dev/zero', 'not-a-file'],
    ];
    for (const [path, fault] of cases)
      expect(await refusal(path)).toEqual({ code: 'FILE_UNREADABLE', facts: { path, why: { fault } } });
  });

  test.each(['', '\ufeff', ',,,\n\n , \n'])('an empty file: %j', async (text) => {
    expect(await refusal(given('a.csv', text))).toEqual({ code: 'SHEET_EMPTY', facts: {} });
  });

  test.each<[string, ForeignKind]>([
    ['ID;PWXL;N;E\nP;PGeneral\n', 'old-format'],
    ['TABLE\r\n0,1\r\n"Sheet"\r\n', 'old-format'],
    ['%PDF-1.4 …', 'pdf'],
    ['\ufeff<!DOCTYPE html><table>', 'web-page'],
    ['<?xml version="1.0"?><Workbook/>', 'xml'],
    ['{"name": "A"}', 'json'],
    ['{\\rtf1', 'document'],
  ])('%j', async (text, kind) => {
    expect(await refusal(given('a.csv', text))).toEqual({ code: 'FOREIGN_FILE', facts: { kind } });
  });

  test.each<[string, Refusal]>([
    ['Empfaenger;Betrag\nAnn "A";5\nBob;6\n', { code: 'CSV_QUOTE_WITHIN_VALUE', facts: { row: 2, line: 2 } }],
    ['"Empfaenger;Betrag\nAnn;5\nBob;6\n', { code: 'CSV_ROW_DOES_NOT_END', facts: { row: 1, line: 1 } }],
    [
      'Payouts of November\n\n\nname,country,amount\nAnn "A",Kenya,5\n',
      { code: 'CSV_QUOTE_WITHIN_VALUE', facts: { row: 5, line: 5 } },
    ],
  ])('a table with a mistake in it is refused for that mistake: %#', async (text, why) => {
    expect(await refusal(given('a.csv', text))).toEqual(why);
  });

  test('a picture, and any other bytes', async () => {
    expect(await refusal(given('a.csv', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0', 'latin1')))).toEqual({
      code: 'FOREIGN_FILE',
      facts: { kind: 'picture' },
    });
    expect(await refusal(given('a.csv', Buffer.from(Array.from({ length: 999 }, (_, k) => (k * 7) % 32))))).toEqual({
      code: 'CSV_IS_BINARY',
      facts: {},
    });
  });

  test('NULs alone are no text of two bytes a letter', async () => {
    expect(await refusal(given('a.csv', Buffer.alloc(4096)))).toEqual({ code: 'CSV_IS_BINARY', facts: {} });
  });

  test('a sheet whose header stands too far below is not called empty', async () => {
    const { sheet } = await readAll(given('a.csv', `${'\n'.repeat(60)}${plain}`));
    expect(codesOf(sheet.problems)).toEqual(['HEADER_MISSING']);
    const { sheet: listed } = await readAll(given('a.csv', 'ID;Payee;Amount;Reference\n1;A;1;R\n'));
    expect(listed.problems).toEqual([]);
  });

  test('an error value that was written as text is no value', async () => {
    const { lines } = await readAll(
      given('a.csv', 'name,amount,reference,note\n#N/A,1, #ref! ,#N/A\n#1 Shop,1,#DIV,x\n'),
    );
    expect(lines.map(({ cells }) => [cells.name, cells.reference])).toEqual([
      [
        { kind: 'error', text: '#N/A', shown: '#N/A', formula: false },
        { kind: 'error', text: '#ref!', shown: '#ref!', formula: false },
      ],
      ['#1 Shop', '#DIV'],
    ]);
    expect(lines[0]!.raw).toEqual(['#N/A', '1', ' #ref! ', '#N/A']);
  });

  test('a header without rows, and text without a header', async () => {
    expect(codesOf((await readAll(given('a.csv', 'name,amount,reference\n\n'))).sheet.problems)).toEqual([
      'SHEET_EMPTY',
    ]);
    const { sheet, lines } = await readAll(given('a.csv', 'Dear all,\nplease pay\n'));
    expect([codesOf(sheet.problems), lines]).toEqual([['HEADER_MISSING'], []]);
  });

  test('a header full of slips is still the header', async () => {
    const { sheet } = await readAll(given('a.csv', 'Nmae,Ammount,Refrence,Acount number\nA,1,R,2\n'));
    expect(codesOf(sheet.problems)).toEqual(['HEADER_MISSPELT', 'HEADER_MISSPELT', 'HEADER_MISSPELT']);
  });

  test('--sheet has no meaning', async () => {
    expect(await refusal(given('a.csv', plain), { sheetName: 'X' })).toEqual({ code: 'CSV_HAS_ONE_SHEET', facts: {} });
  });

  test('a file that changes while it is read is not read on', async () => {
    const path = given('a.csv', plain);
    const sheet = await openSheet(path);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(path, `${plain}C,3,R3\n`);
    await expect(linesOf(sheet)).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_UNREADABLE', facts: { path, why: { fault: 'file-changed' } } }),
    );
  });
});
