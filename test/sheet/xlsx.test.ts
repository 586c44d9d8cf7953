import Excel from 'exceljs';
import { describe, expect, test } from 'vitest';
import { shownText } from '../../src/domain/rows/cell.ts';
import { columnName } from '../../src/sheet/columns/column-name.ts';
import { openSheet } from '../../src/sheet/sheet.ts';
import { codesOf, freshPath, given, readAll, refusal } from './given.ts';
import { row, worksheet, xlsx, xlsxEntries, zip } from './zip-builder.ts';

const header = row(1, 'name', 'account number', 'amount', 'reference');

/** The cells of one line below the usual header, given the XML of its row. */
async function cellsOf(rowXml: string, more: { strings?: string; styles?: string; workbookPr?: string } = {}) {
  const { lines } = await readAll(given('a.xlsx', xlsx({ sheets: { A: header + rowXml }, ...more })));
  return lines[0]!.cells;
}

/** The same, whole. */
async function cellsBelow(cellsXml: string, more: { strings?: string; styles?: string } = {}) {
  const xml = `<row r="2">${cellsXml}</row>`;
  const { lines } = await readAll(given('a.xlsx', xlsx({ sheets: { A: header + xml }, ...more })));
  return lines[0]!.raw;
}

const styles = (...formats: readonly (number | string)[]) => {
  const custom = formats.flatMap((format, index) => (typeof format === 'string' ? [{ id: 164 + index, format }] : []));
  return `<styleSheet><numFmts>${custom
    .map(
      ({ id, format }) =>
        `<numFmt numFmtId="${id}" formatCode="${format.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/>`,
    )
    .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
    .map((format, index) => `<xf numFmtId="${typeof format === 'string' ? 164 + index : format}"/>`)
    .join('')}</cellXfs></styleSheet>`;
};

describe('formats that write more than the number', () => {
  test.each([
    ['0"000"', '5000'],
    ['#,##0" cents"', '5 cents'],
    ['0\\k', '5k'],
    ['(0)', '(5)'],
    ['General"k"', '5k'],
    ['"R" #,##0', 'R 5'],
    ['_("R"* #,##0_)', 'R 5'],
    ['0"/="', '5'],
    ['#,##0 "Rand"', 'Rand 5'],
    ['0"."00', '0.05'],
    ['"R "0\\.00', 'R 0.05'],
    ['0","0', '0.5'],
    ['#"."##0', '5'],
    ['0". "', '5'],
  ])('%s', async (format, shown) => {
    const cells = await cellsOf('<row r="2"><c r="B2" s="1"><v>5</v></c></row>', { styles: styles(format) });
    expect(cells.account_number).toMatchObject({ text: '5', shown });
  });

  test('one that no program writes is not looked into', async () => {
    const sheets = { A: header + row(2, 'A', '1', '5', 'R') };
    const path = given('a.xlsx', xlsx({ sheets, styles: styles(`0${'[$'.repeat(400_000)}`) }));
    expect(await refusal(path)).toEqual({ code: 'FILE_HOSTILE', facts: {} });
  });
});

describe('what nobody can see', () => {
  const below = async (cellsXml: string, more: { styles?: string; strings?: string } = {}, includeHidden = false) => {
    const xml = `<row r="2">${cellsXml}<c r="D2" t="inlineStr"><is><t>R</t></is></c></row>`;
    const path = given('a.xlsx', xlsx({ sheets: { A: header + xml }, ...more }));
    const { lines } = await readAll(path, { includeHidden });
    return lines[0]!.problems.map(({ code, severity, column }) => [code, severity, column]);
  };
  const amount = (value: string) => `<c r="C2" s="1"><v>${value}</v></c>`;

  test.each([';;;', '""', '0;-0;;@', '"-"', ';-0', '[>1000]"";0', '0;;"";@', '[<0]0;[<10]""'])(
    'a number format that shows nothing: %s',
    async (format) => {
      const value = { '0;-0;;@': '0', '[>1000]"";0': '1500', '0;;"";@': '-5' }[format] ?? '5';
      expect(await below(amount(value), { styles: styles(format) })).toEqual([['CELL_UNSEEN', 'error', 'amount']]);
      expect(await below(amount(value), { styles: styles(format) }, true)).toEqual([]);
    },
  );

  test.each([
    '0;-0;;@',
    '#,##0_);[Red](#,##0)',
    '[>1000]#,##0;0',
    '[Red]',
    '0;',
    'General;;',
    '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-',
  ])('one that shows it: %s', async (format) => {
    expect(await below(amount('5'), { styles: styles(format) })).toEqual([]);
  });

  test('text under a format that has none for it', async () => {
    const text = '<c r="B2" s="1" t="s"><v>0</v></c>';
    const strings = '<sst><si><t>0123</t></si></sst>';
    expect(await below(text, { strings, styles: styles(';;;') })).toEqual([['CELL_UNSEEN', 'error', 'account_number']]);
    expect(await below(text, { strings, styles: styles('0;-0;;@') })).toEqual([]);
  });

  const letters = (font: string, fill = '<patternFill patternType="none"/>') =>
    `<styleSheet><fonts><font><sz val="11"/></font><font>${font}</font></fonts><fills><fill><patternFill patternType="none"/></fill><fill>${fill}</fill></fills><cellXfs><xf numFmtId="0" fontId="0" fillId="0"/><xf numFmtId="0" fontId="1" fillId="1"/></cellXfs></styleSheet>`;
  const solid = (colour: string) => `<patternFill patternType="solid"><fgColor ${colour}/></patternFill>`;

  test.each([
    letters('<color rgb="FFFFFFFF"/>'),
    letters('<color theme="0"/>'),
    letters('<color indexed="9"/>', solid('rgb="FFFFFFFF"')),
    letters('<sz val="1"/>'),
    letters('', solid('rgb="FF000000"')).replace('<font></font>', '<font><color rgb="FF000000"/></font>'),
  ])('white letters on white, letters of their ground, letters too small to read: %#', async (xml) => {
    expect(await below(amount('5'), { styles: xml })).toEqual([['CELL_UNSEEN', 'warning', 'amount']]);
  });

  test.each(['<strike/>', '<strike val="1"/>'])('what is struck out, with hidden cells too: %s', async (font) => {
    const cells = `<c r="A2" s="1" t="inlineStr"><is><t>A</t></is></c>${amount('5')}`;
    for (const includeHidden of [false, true])
      expect(await below(cells, { styles: letters(font) }, includeHidden)).toEqual([['CELL_STRUCK', 'error', 'name']]);
    expect(await below(cells, { styles: letters('<strike val="0"/>') })).toEqual([]);
  });

  test.each(['', 'zz:'])(
    'a text of which a part is struck out, shared or in the cell itself (prefix "%s")',
    async (p) => {
      const runs = (struck: string) =>
        `<r><rPr>${struck}<sz val="11"/></rPr><t>1</t></r><r><rPr><sz val="11"/></rPr><t>500</t></r>`;
      const shared = '<c r="C2" t="s"><v>1</v></c>';
      const strings = (struck: string) => ({
        strings: `<sst><si><t>A</t></si><si>${runs(struck)}</si></sst>`
          .replaceAll(/<(?=\w)/g, `<${p}`)
          .replaceAll('</', `</${p}`)
          .replace('sst', p === '' ? 'sst' : 'sst xmlns:zz="urn:s"'),
      });
      const own = (struck: string) => `<c r="C2" t="inlineStr"><is>${runs(struck)}</is></c>`;
      for (const struck of ['<strike/>', '<strike val="1"/>', "<strike\nval = 'true'/>"]) {
        expect(await below(shared, strings(struck))).toEqual([['CELL_STRUCK', 'error', 'amount']]);
        expect(await below(own(struck))).toEqual([['CELL_STRUCK', 'error', 'amount']]);
      }
      for (const struck of ['', '<strike val="0"/>', '<strike val = "false"/>']) {
        expect(await below(shared, strings(struck))).toEqual([]);
        expect(await below(own(struck))).toEqual([]);
      }
    },
  );

  test.each([
    letters('<color rgb="FFFFFFFF"/>', solid('rgb="FF2F4858"')),
    letters('<color theme="0" tint="-0.5"/>'),
    letters('<color theme="1"/>'),
    letters(
      '<color rgb="FFFFFFFF"/>',
      '<gradientFill><stop position="0"><color rgb="FF000000"/></stop></gradientFill>',
    ),
  ])('letters that can be read: %#', async (xml) => {
    expect(await below(amount('5'), { styles: xml })).toEqual([]);
  });

  test('rows and columns that are too small to read are hidden', async () => {
    const payout = (number: number) => row(number, 'A', '1', 5, 'R');
    const sheet = (rows: string, before = '') =>
      given('a.xlsx', xlsx({ sheets: { A: worksheet(header + rows, before) } }));
    const low = sheet(payout(2).replace('<row', '<row ht="1.5" customHeight="1"') + payout(3));
    expect((await readAll(low)).lines.map(({ problems }) => codesOf(problems))).toEqual([['ROW_HIDDEN'], []]);
    const lowByDefault = sheet(
      payout(2) + payout(3).replace('<row', '<row ht="15"'),
      '<sheetFormatPr defaultRowHeight="1" customHeight="1"/>',
    );
    expect((await readAll(lowByDefault)).lines.map(({ problems }) => codesOf(problems))).toEqual([['ROW_HIDDEN'], []]);
    const narrow = sheet(payout(2), '<cols><col min="3" max="3" width="0.6" customWidth="1"/></cols>');
    expect(codesOf((await readAll(narrow)).sheet.problems)).toEqual(['COLUMN_HIDDEN']);
    const narrowByDefault = sheet(
      payout(2),
      '<sheetFormatPr defaultColWidth="0.5" defaultRowHeight="15"/><cols><col min="2" max="3" width="12"/></cols>',
    );
    const { problems } = (await readAll(narrowByDefault)).sheet;
    expect(problems.map(({ code, column }) => `${code} ${column}`)).toEqual([
      'COLUMN_HIDDEN name',
      'COLUMN_HIDDEN reference',
    ]);
  });
});

test('a second sheet of payouts whose column names are misspelt is not left out', async () => {
  const slips = row(1, 'Nmae', 'Acount number', 'Amout', 'Refrence') + row(2, 'B', '1', 6, 'R');
  const notes = row(1, 'Contact', 'Bank name', 'Country', 'Code') + row(2, 'C', 'D', 'E', 'F');
  const good = header + row(2, 'A', '1', 5, 'R');
  expect(await refusal(given('a.xlsx', xlsx({ sheets: { A: good, B: slips } })))).toEqual({
    code: 'SHEET_MAY_BE_MISSPELT',
    facts: { sheets: ['A'], misspelt: ['B'] },
  });
  expect((await readAll(given('a.xlsx', xlsx({ sheets: { A: good, B: notes } })))).lines).toHaveLength(1);
});

test('rows and cells under another prefix than the sheet has are not passed over', async () => {
  const foreign = '<y:row xmlns:y="http://schemas.openxmlformats.org/spreadsheetml/2006/main" r="3"/>';
  const inside = `<m:AlternateContent xmlns:m="m"><m:Choice>${row(3, 'B', '1', '6', 'R')}</m:Choice></m:AlternateContent>`;
  for (const xml of [foreign, inside]) {
    const sheets = { A: header + row(2, 'A', '1', '5', 'R') + xml };
    expect(await refusal(given('a.xlsx', xlsx({ sheets })))).toEqual({
      code: 'WORKBOOK_DAMAGED',
      facts: { row: null },
    });
  }
});

describe('values', () => {
  test.each([
    [
      'a number keeps its digits as stored',
      '<c r="B2"><v>50000</v></c>',
      { kind: 'number', text: '50000', shown: '50000' },
    ],
    ['seventeen digits are not rounded', '<c r="B2"><v>12345678901234567</v></c>', { text: '12345678901234567' }],
    [
      "a calculation's drift is kept, and not shown",
      '<c r="B2"><v>49999.99999999999</v></c>',
      { text: '49999.99999999999', shown: '50000' },
    ],
    ['an exponent', '<c r="B2"><v>1.23E+8</v></c>', { kind: 'number', text: '123000000', shown: '123000000' }],
    ['a negative number', '<c r="B2" t="n"><v>-1.50</v></c>', { text: '-1.5', shown: '-1.5' }],
    ['true', '<c r="B2" t="b"><v>1</v></c>', { kind: 'boolean', text: 'TRUE' }],
    ['false', '<c r="B2" t="b"><v>0</v></c>', { kind: 'boolean', text: 'FALSE' }],
    ['an error', '<c r="B2" t="e"><v>#REF!</v></c>', { kind: 'error', text: '#REF!' }],
    ['NaN is no number', '<c r="B2"><v>NaN</v></c>', { kind: 'error', text: 'NaN' }],
    ['a formula with a number', '<c r="B2"><f>1+1</f><v>999</v></c>', { kind: 'number', text: '999', formula: true }],
    [
      'a formula with a text',
      '<c r="B2" t="str"><f>A1</f><v>x &amp; y</v></c>',
      { kind: 'text', text: 'x & y', formula: true },
    ],
    ['a shared formula', '<c r="B2"><f t="shared" si="0"/><v>7</v></c>', { text: '7', formula: true }],
    ['a formula without a result', '<c r="B2"><f>1+1</f></c>', { kind: 'uncached', text: '', formula: true }],
    ['a formula with an empty result element', '<c r="B2"><f>1+1</f><v/></c>', { kind: 'uncached', formula: true }],
    ['a formula with an error', '<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', { kind: 'error', formula: true }],
    ['an ISO date', '<c r="B2" t="d"><v>2026-03-12T00:00:00</v></c>', { kind: 'date', shown: '2026-03-12' }],
    ['one of JavaScript', '<c r="B2" t="d"><v>2026-03-12T00:00:00.000Z</v></c>', { shown: '2026-03-12' }],
    ['one with a time', '<c r="B2" t="d"><v>2026-03-12T14:30:00Z</v></c>', { shown: '2026-03-12 14:30:00' }],
  ])('%s', async (_, cell, expected) => {
    expect((await cellsOf(`<row r="2">${cell}</row>`)).account_number).toMatchObject({ formula: false, ...expected });
  });

  test.each([
    ['inline text', '<c r="B2" t="inlineStr"><is><t>0012</t></is></c>', '0012'],
    ['text of a program that calls all text calculated', '<c r="B2" t="str"><v>0012</v></c>', '0012'],
    [
      'rich text',
      '<c r="B2" t="inlineStr"><is><r><rPr><b/></rPr><t>Jo</t></r><r><t xml:space="preserve"> hn</t></r></is></c>',
      'Jo hn',
    ],
    [
      'without its phonetic reading',
      '<c r="B2" t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
      '東京',
    ],
    ['entities', '<c r="B2" t="inlineStr"><is><t>a&lt;b&gt;&quot;&apos;&amp;&#65;&#x20AC;</t></is></c>', 'a<b>"\'&A€'],
    ['escapes', '<c r="B2" t="inlineStr"><is><t>a_x000D_b_x005F_x0041_</t></is></c>', 'a\rb_x0041_'],
    ['CDATA', '<c r="B2" t="inlineStr"><is><t>a<![CDATA[<b> & ]]>c</t></is></c>', 'a<b> & c'],
    ['a comment', '<c r="B2" t="inlineStr"><is><t>a<!-- > -->b</t></is></c>', 'ab'],
    ['spaces stay', '<c r="B2" t="inlineStr"><is><t xml:space="preserve">  x </t></is></c>', '  x '],
    ['XML line ends', '<c r="B2" t="inlineStr"><is><t>a\r\nb</t></is></c>', 'a\nb'],
    ['a reference in single quotes, spaced out', "<c  t = 'inlineStr'\n r = 'B2' ><is><t>x</t></is></c>", 'x'],
  ])('%s', async (_, cell, expected) => {
    expect((await cellsOf(`<row r="2">${cell}</row>`)).account_number).toBe(expected);
  });

  test('nothing is nothing', async () => {
    const cells = await cellsOf(
      '<row r="2"><c r="A2" t="inlineStr"><is><t>x</t></is></c><c r="B2" s="1"/><c r="C2"></c><c r="D2" t="inlineStr"><is/></c></row>',
    );
    expect(cells).toEqual({ name: 'x' });
  });

  test('shared strings, plain and rich, in any place', async () => {
    const strings =
      '<sst count="3" uniqueCount="4"><si><t>One</t></si><si><r><t>T</t></r><r><t>wo</t></r></si><si/><si><t>Fo&#117;r</t></si></sst>';
    const cells = await cellsOf(
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c><c r="D2" t="s"><v>3</v></c></row>',
      { strings },
    );
    expect(cells).toEqual({ name: 'One', account_number: 'Two', reference: 'Four' });
  });
});

describe('number formats', () => {
  test.each([
    ['leading zeros', '00000000', '123', { kind: 'number', text: '123', shown: '00000123' }],
    ['zeros in groups', '0000 0000', '123', { shown: '00000123' }],
    ['a date', 14, '46093', { kind: 'date', text: '46093', shown: '2026-03-12' }],
    ["a date of the person's own", 'yyyy\\-mm\\-dd', '46093.5', { kind: 'date', shown: '2026-03-12 12:00:00' }],
    ['a month', 'mmm-yy', '46082', { kind: 'date', shown: '2026-03-01' }],
    ['a time', 20, '0.75', { kind: 'date', shown: '18:00:00' }],
    ['hours', '[h]:mm', '0.5', { kind: 'date', shown: '12:00:00' }],
    ['more hours than a day has', '[h]:mm', '1.25', { kind: 'date', shown: '30:00:00' }],
    ["the day before Excel's false leap day", 14, '59', { shown: '1900-02-28' }],
    ['the false leap day', 14, '60', { shown: '1900-02-29' }],
    ['the day after it', 14, '61', { shown: '1900-03-01' }],
    ['rand is no date', '"R"#,##0.00;[Red]-"R"#,##0.00', '1500', { kind: 'number', text: '1500', shown: 'R 1500' }],
    ['days in quotes', '"dd/mm/yy" 0', '1500', { kind: 'number', shown: 'dd/mm/yy 1500' }],
    ['a currency with a locale', '[$KSh-441] #,##0', '1500', { kind: 'number', shown: 'KSh 1500' }],
    ['a locale alone', '[$-409]#,##0', '1500', { shown: '1500' }],
    ['a sign as it is', '$#,##0.00', '1500.5', { shown: '$1500.5' }],
    ['an escaped sign', '\\€ 0', '7', { shown: '€7' }],
    ['a sign behind', '#,##0 "₦"', '7', { shown: '₦7' }],
    ['a sign of other numbers only', '0;[$$-409]0', '7', { shown: '7' }],
    ["accountants' spaces", '_-"R"* #,##0.00_-;-"R"* #,##0.00_-;_-"R"* "-"??_-;_-@_-', '7', { shown: 'R 7' }],
    ['a word that is no currency', '"INV "0000', '7', { shown: 'INV 0007' }],
    ['per cent', '0.0%', '0.155', { text: '0.155', shown: '15.5%' }],
    ['a per cent sign in quotes', '0"%"', '15', { shown: '15%' }],
    ['thousands', '#,##0,', '350000', { text: '350000', shown: '350' }],
    ['millions', '0.0,,"M"', '350000', { shown: '0.35M' }],
    ['groups are no thousands', '#,##0', '350000', { shown: '350000' }],
    ['text', '@', '1500', { kind: 'number', shown: '1500' }],
    ['one zero', '0', '7', { shown: '7' }],
  ])('%s', async (_, format, value, expected) => {
    const cells = await cellsOf(`<row r="2"><c r="B2" s="1"><v>${value}</v></c></row>`, { styles: styles(format) });
    expect(cells.account_number).toMatchObject(expected);
  });

  test('days since 1904', async () => {
    const cells = await cellsOf('<row r="2"><c r="B2" s="1"><v>44631</v></c></row>', {
      styles: styles(14),
      workbookPr: '<workbookPr date1904="1"/>',
    });
    expect(shownText(cells.account_number!)).toBe('2026-03-12');
  });
});

describe('rows and columns', () => {
  const good = (number: number) => row(number, 'A', '001', 5, 'R');
  const open = (rows: string, before = '', after = '', options = {}) =>
    readAll(given('a.xlsx', xlsx({ sheets: { A: worksheet(header + rows, before, after) } })), options);

  test('prefixed names', async () => {
    const prefixed = `<?xml version="1.0"?><x:worksheet xmlns:x="urn"><x:sheetData>${(header + good(2)).replace(/<(\/?)(\w)/g, '<$1x:$2')}</x:sheetData></x:worksheet>`;
    const { lines } = await readAll(given('a.xlsx', xlsx({ sheets: { A: prefixed } })));
    expect(lines.map(({ cells }) => cells.name)).toEqual(['A']);
  });

  test('rows and cells without references follow one another', async () => {
    const bare = (header + good(2) + good(3)).replace(/ r="\w+"/g, '');
    const { lines } = await readAll(given('a.xlsx', xlsx({ sheets: { A: bare } })));
    expect(lines.map(({ number, cells }) => [number, cells.reference])).toEqual([
      [2, 'R'],
      [3, 'R'],
    ]);
  });

  test('gaps keep their numbers', async () => {
    const { lines } = await open(
      `<row r="4"/>${good(7)}<row r="9"><c r="D9" t="inlineStr"><is><t>x</t></is></c></row>`,
    );
    expect(lines.map(({ number, raw }) => [number, raw.length])).toEqual([
      [7, 4],
      [9, 4],
    ]);
    expect(lines[1]!.cells).toEqual({ reference: 'x' });
  });

  test('titles above, blank rows between, notes right of the table', async () => {
    const rows = `${row(1, 'Our payouts', '', 2026)}${row(4, 'name', 'amount', 'reference')}${row(5, 'A', 1, 'R')}${row(6, 'B', 2, 'R', '', 'see mail')}`;
    const { sheet, lines } = await readAll(given('a.xlsx', xlsx({ sheets: { A: rows } })));
    expect([sheet.headerRow, lines.map(({ problems }) => codesOf(problems))]).toEqual([
      4,
      [[], ['CELL_BEYOND_HEADER']],
    ]);
  });

  test.each([
    ['hidden', '<row r="2" hidden="1"'],
    ['of no height', '<row r="2" ht="0" customHeight="1"'],
  ])('a row that is %s is a problem', async (_, start) => {
    const rows = good(2).replace('<row r="2"', start) + good(3);
    const { lines } = await open(rows);
    expect(lines.map(({ problems }) => codesOf(problems))).toEqual([['ROW_HIDDEN'], []]);
    expect(codesOf((await open(rows, '', '', { includeHidden: true })).lines[0]!.problems)).toEqual([]);
  });

  test('rows hidden by default', async () => {
    const { lines } = await open(
      good(2) + good(3).replace('<row', '<row hidden="0"'),
      '<sheetFormatPr zeroHeight="1"/>',
    );
    expect(lines.map(({ problems }) => codesOf(problems))).toEqual([['ROW_HIDDEN'], []]);
  });

  test('a hidden column that is paid from is a problem of the sheet', async () => {
    const cols = '<cols><col min="2" max="3" width="9" hidden="1"/><col min="9" max="9" width="0"/></cols>';
    expect((await open(good(2), cols)).sheet.problems).toMatchObject([
      { code: 'COLUMN_HIDDEN', column: 'account_number' },
      { code: 'COLUMN_HIDDEN', column: 'amount' },
    ]);
    expect((await open(good(2), cols, '', { includeHidden: true })).sheet.problems).toEqual([]);
    const later = '<cols><col min="3" max="3" hidden="1"/><col min="1" max="6" width="10"/></cols>';
    expect((await open(good(2), later)).sheet.problems).toMatchObject([{ code: 'COLUMN_HIDDEN', column: 'amount' }]);
  });

  test('a merge among the payouts is a late problem; one above, or of the totals row, is none', async () => {
    const merges =
      '<mergeCells count="3"><mergeCell ref="A1:B1"/><mergeCell ref="D2:D3"/><mergeCell ref="A4:B4"/></mergeCells>';
    const { sheet } = await open(good(2) + good(3) + row(4, 'Total', '', 10), '', merges);
    expect(sheet.lateProblems()).toMatchObject([{ code: 'MERGED_CELLS', row: 2, column: 'reference', value: 'D2:D3' }]);
    expect(sheet.controlTotal()?.row).toBe(4);
  });

  test('the whole sheet merged is read, and said', async () => {
    const { sheet, lines } = await open(good(2), '', '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>');
    expect([lines.length, codesOf(sheet.lateProblems())]).toEqual([1, ['MERGED_CELLS']]);
  });

  test.each([
    [
      'cells that are paid from',
      '<cfRule type="expression" dxfId="1"><formula>$F2="x"</formula></cfRule>',
      'A1 C2:D40',
      'amount',
    ],
    ['one cell', '<cfRule dxfId="1"/>', 'B3', 'account_number'],
    ['whole columns', '<cfRule dxfId="0"/><cfRule dxfId="1"/>', 'B1:XFD1048576', 'account_number'],
    ['notes beside them', '<cfRule dxfId="1"/>', 'F2:F40', null],
    ['the titles above', '<cfRule dxfId="1"/>', 'A1:D1', null],
    ['a rule that only paints', '<cfRule dxfId="0"/><cfRule/>', 'A1:D40', null],
    ['more ranges than are remembered', '<cfRule dxfId="1"/>', `${'F2 '.repeat(1000)}B3`, 'name'],
    ['more rules than are remembered', '<cfRule dxfId="1"/>'.repeat(2), 'F2 '.repeat(900), 'name'],
  ])('a conditional format that strikes out: %s', async (_, rule, range, column) => {
    const after = `<conditionalFormatting sqref="${range}">${rule}</conditionalFormatting>`;
    const dxfs = '<dxf><font><strike val="0"/></font></dxf><dxf><font><b/><strike/></font></dxf>';
    const styles = `<styleSheet><dxfs>${dxfs}</dxfs></styleSheet>`;
    const A = worksheet(header + good(2) + good(3), '', after);
    const { sheet } = await readAll(given('a.xlsx', xlsx({ sheets: { A }, styles })), { includeHidden: true });
    expect(sheet.lateProblems()).toMatchObject(
      column === null ? [] : [{ code: 'CELLS_MAYBE_STRUCK', column, row: null }],
    );
  });

  test('a conditional format that has its style in itself, since it looks at another sheet', async () => {
    const rule = (style: string) =>
      `<extLst><ext xmlns:x14="urn:x" xmlns:xm="urn:m"><x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule><x14:dxf><font>${style}</font></x14:dxf></x14:cfRule><xm:sqref>A2:D9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`;
    expect(codesOf((await open(good(2), '', rule('<strike/>'))).sheet.lateProblems())).toEqual(['CELLS_MAYBE_STRUCK']);
    expect(codesOf((await open(good(2), '', rule('<b/>'))).sheet.lateProblems())).toEqual([]);
  });

  test('a row below more than a thousand empty ones is a problem', async () => {
    const empty = Array.from(
      { length: 1500 },
      (_, index) => `<row r="${index + 3}"><c r="A${index + 3}" s="0"/></row>`,
    ).join('');
    const { lines } = await open(good(2) + empty + good(1503));
    expect(lines.map(({ number, problems }) => [number, codesOf(problems)])).toEqual([
      [2, []],
      [1503, ['ROW_FAR_BELOW']],
    ]);
  });

  test('a row larger than a chunk is read whole', async () => {
    const long = 'x'.repeat(900_000);
    const { lines } = await readAll(
      given(
        'a.xlsx',
        xlsx({
          sheets: {
            A: row(1, 'name', 'amount', 'reference', 'note') + row(2, 'A', 1, 'R', long) + row(3, 'B', 2, 'R'),
          },
        }),
      ),
    );
    expect(lines.map(({ raw }) => shownText(raw[3]!).length)).toEqual([900_000, 0]);
  });
});

describe('which sheet', () => {
  const payouts = header + row(2, 'A', '001', 5, 'R');
  test('the one visible sheet with a header', async () => {
    const path = given(
      'a.xlsx',
      xlsx({
        sheets: { Notes: row(1, 'Read me first'), 'November 2026': payouts, Old: payouts },
        states: { Old: 'veryHidden' },
      }),
    );
    const { sheet } = await readAll(path);
    expect(sheet.name).toBe('November 2026');
    expect(sheet.form).toEqual({
      format: 'workbook',
      sheet: 'November 2026',
      others: 1,
      alike: [],
      hidden: 1,
      isHidden: false,
    });
    expect(await refusal(path, { sheetName: 'Old' })).toEqual({ code: 'SHEET_HIDDEN', facts: { sheet: 'Old' } });
    expect((await readAll(path, { sheetName: 'Old', includeHidden: true })).lines).toHaveLength(1);
  });

  test("two are the person's choice", async () => {
    const path = given('a.xlsx', xlsx({ sheets: { __proto__x: payouts, B: payouts } }));
    expect(await refusal(path)).toEqual({ code: 'SHEETS_SEVERAL', facts: { sheets: ['__proto__x', 'B'] } });
    expect((await openSheet(path, { sheetName: 'b' })).name).toBe('B');
    expect(await refusal(path, { sheetName: 'C' })).toEqual({
      code: 'SHEET_NOT_THERE',
      facts: { sheet: 'C', sheets: ['__proto__x', 'B'] },
    });
  });

  test('ours goes before another that looks like one', async () => {
    const ours =
      row(1, 'name', 'amount', 'reference', 'payrun_batch', 'payrun_row') +
      row(2, 'A', 5, 'R', '2026-11', 'k1') +
      row(3, 'B', 5, 'R');
    const { sheet, lines } = await readAll(given('a.xlsx', xlsx({ sheets: { Funding: payouts, Mine: ours } })));
    expect(sheet).toMatchObject({ name: 'Mine', own: true, unused: [] });
    expect(lines.map(({ own }) => own)).toEqual([
      { batch: '2026-11', row: 'k1', status: null, attempts: null, payment: null },
      { batch: null, row: null, status: null, attempts: null, payment: null },
    ]);
  });

  test('none of several, an empty one, only hidden ones', async () => {
    expect(await refusal(given('a.xlsx', xlsx({ sheets: { A: row(1, 'x'), B: row(1, 'y') } })))).toEqual({
      code: 'SHEETS_LACK_HEADER',
      facts: { sheets: ['A', 'B'] },
    });
    expect(await refusal(given('a.xlsx', xlsx({ sheets: { A: '' } })))).toEqual({ code: 'WORKBOOK_EMPTY', facts: {} });
    expect(await refusal(given('a.xlsx', xlsx({ sheets: { A: payouts }, states: { A: 'hidden' } })))).toEqual({
      code: 'SHEETS_HIDDEN',
      facts: {},
    });
    expect(codesOf((await openSheet(given('a.xlsx', xlsx({ sheets: { A: row(1, 'Dear all') } })))).problems)).toEqual([
      'HEADER_MISSING',
    ]);
  });
});

test('what exceljs writes is read as it was meant', async () => {
  const workbook = new Excel.Workbook();
  const sheet = workbook.addWorksheet('Payouts');
  sheet.addRow(['Name', 'Account number', 'Amount', 'Reference', 'Lightning address', 'Note']);
  sheet.addRow([
    'Ann & <Co>',
    '00123',
    1500,
    { richText: [{ text: 'IN' }, { font: { bold: true }, text: 'V 1' }] },
    { text: 'a@b.example', hyperlink: 'mailto:a@b.example' },
    '  spaced ',
  ]);
  sheet.addRow([null, 123, { formula: 'C2*2', result: 3000 }, new Date(Date.UTC(2026, 2, 12)), null, true]);
  sheet.addRow(['', null, { formula: 'C2*2' }, { error: '#N/A' }]);
  sheet.getCell('B3').numFmt = '00000';
  sheet.getColumn(6).hidden = true;
  sheet.getRow(4).hidden = true;
  for (const stream of [false, true]) {
    const path = freshPath('exceljs.xlsx');
    if (stream) {
      const writer = new Excel.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true, useSharedStrings: false });
      const target = writer.addWorksheet('Payouts');
      target.addRow(['Name', 'Amount', 'Reference']).commit();
      target.addRow(['A', 1, 'R & D']).commit();
      target.commit();
      await writer.commit();
      expect((await readAll(path)).lines[0]!.cells).toMatchObject({ name: 'A', reference: 'R & D' });
      continue;
    }
    await workbook.xlsx.writeFile(path);
    const { sheet: read, lines } = await readAll(path);
    expect(codesOf(read.problems)).toEqual([]);
    expect(lines[0]!.cells).toMatchObject({
      name: 'Ann & <Co>',
      account_number: '00123',
      amount: { kind: 'number', text: '1500' },
      reference: 'INV 1',
      lnurl: 'a@b.example',
    });
    expect(lines[0]!.raw[5]).toBe('  spaced ');
    expect(lines[1]!.cells).toMatchObject({
      account_number: { text: '123', shown: '00123' },
      amount: { text: '3000', formula: true },
      reference: { kind: 'date', shown: '2026-03-12' },
    });
    expect(lines[2]!.cells).toMatchObject({ amount: { kind: 'uncached' }, reference: { kind: 'error', text: '#N/A' } });
    expect(codesOf(lines[2]!.problems)).toEqual(['ROW_HIDDEN']);
  }
});

test('a cell written to the byte as Excel writes it, and the same cell written in another way, are one', async () => {
  const strings = '<sst><si><t>Ann</t></si><si><t></t></si><si><t>Zoë &amp; Co</t></si></sst>';
  const values = ['007', '12', '123456789012345', '1234567890123456', '44326', '0', '1.5', '-3', '1E3'];
  const cells = [
    ...values.flatMap((value) => [0, 1, 2, 3].map((style) => ({ attributes: ` s="${style}"`, value }))),
    ...['0', '1', '2'].map((value) => ({ attributes: ' s="1" t="s"', value })),
    { attributes: '', value: '5' },
    { attributes: ' t="s"', value: '0' },
  ];
  const read = async (write: (column: string, attributes: string, value: string) => string) => {
    const body = cells.map(({ attributes, value }, index) => write(columnName(index + 4), attributes, value)).join('');
    const texts = { strings, styles: styles(3, 14, '00000') };
    return (await cellsBelow(body, texts)).slice(4);
  };
  const plain = await read((column, attributes, value) => `<c r="${column}2"${attributes}><v>${value}</v></c>`);
  const careful = await read(
    (column, attributes, value) => `<c r='${column}2' ${attributes.replaceAll('"', "'")} ><v >${value}</v ></c >`,
  );
  expect(plain).toEqual(careful);
  expect(plain[1]).toMatchObject({ kind: 'number', text: '007', shown: '007' });
});

describe('numbers of other programs', () => {
  const columns = [
    'row_id',
    'payee_id',
    'name',
    'country',
    'bank_code',
    'account_number',
    'phone',
    'amount',
    'reference',
  ];
  const sheetOf = (write: (value: number) => string) => {
    const rows = [
      [1, 1001, 'Chidi', 'Nigeria', 44, 123456784, '', 12_000_000, 20261126],
      [2, 1002, 'Ngozi', 'Nigeria', 57, 1000000018, '', 240000, 'BONUS'],
      [3, 1003, 'Otieno', 'Kenya', '', '', 712345601, 46000, 7],
      [4, 1004, 'Wanjiru', 'Kenya', '', '', 71234560, 38501, 8],
    ] as const;
    const body = rows.map((cells, index) => {
      const xml = cells.map((value, at) => {
        const reference = `${columnName(at)}${index + 2}`;
        if (typeof value === 'number') return `<c r="${reference}"><v>${write(value)}</v></c>`;
        return value === '' ? '' : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
      });
      return `<row r="${index + 2}">${xml.join('')}</row>`;
    });
    return given('a.xlsx', xlsx({ sheets: { A: row(1, ...columns) + body.join('') } }));
  };

  test.each([
    ['Java', (value: number) => (value < 1e7 ? `${value}.0` : value.toExponential().replace('e+', 'E'))],
    ['Google', (value: number) => (value < 1e7 ? `${value}.0` : value.toExponential().replace('e+', 'E'))],
    ['a power in every number', (value: number) => value.toExponential().toUpperCase()],
    ['decimals in every number', (value: number) => value.toFixed(2)],
  ])('are the same rows as those of Excel: %s', async (_, write) => {
    const [theirs, excels] = [await readAll(sheetOf(write)), await readAll(sheetOf(String))];
    expect(theirs.lines).toEqual(excels.lines);
    expect(excels.lines[0]!.cells).toMatchObject({
      account_number: { text: '123456784' },
      amount: { text: '12000000' },
    });
  });

  test.each(['1500,00', '1,500', 'NaN', '1E999', '0x10'])('what is none is not read as one: %s', async (value) => {
    const cells = await cellsOf(`<row r="2"><c r="B2"><v>${value}</v></c></row>`);
    expect(cells.account_number).toMatchObject({ kind: 'error', text: value });
  });
});

describe('results that the workbook calls stale', () => {
  const rows =
    header +
    '<row r="2"><c r="A2" t="inlineStr"><is><t>Ann</t></is></c><c r="B2" t="str"><f>X!A1</f><v>0123</v></c><c r="C2"><f>2*3</f><v>40000</v></c><c r="D2" t="inlineStr"><is><t>R</t></is></c></row>';
  const made = (calculation: string, after = '') => {
    const entries = xlsxEntries({ sheets: { A: worksheet(rows, '', after) } });
    return given(
      'a.xlsx',
      zip(
        entries.map((entry) =>
          entry.name === 'xl/workbook.xml'
            ? { ...entry, content: String(entry.content).replace('</workbook>', `${calculation}</workbook>`) }
            : entry,
        ),
      ),
    );
  };

  test.each([
    '<calcPr calcId="191029" fullCalcOnLoad="1"/>',
    '<calcPr calcId="124519" fullCalcOnLoad="true"/>',
    '<calcPr calcMode="manual" calcCompleted="0" calcOnSave="0"/>',
    '<calcPr calcCompleted="false"/>',
    '<calcPr calcId="191029" forceFullCalc="1"/>',
    '<calcPr calcMode="manual" calcOnSave="0"/>',
  ])('are no results: %s', async (calculation) => {
    const { lines } = await readAll(made(calculation));
    expect(lines[0]!.cells).toMatchObject({
      name: 'Ann',
      account_number: { kind: 'uncached', text: '0123', formula: true },
      amount: { kind: 'uncached', text: '40000', formula: true },
      reference: 'R',
    });
  });

  test.each([
    '',
    '<calcPr calcId="191029"/>',
    '<calcPr calcMode="manual"/>',
    '<calcPr fullCalcOnLoad="0" calcCompleted="1"/>',
  ])('and those of any other are: %s', async (calculation) => {
    const { lines, sheet } = await readAll(made(calculation));
    expect(lines[0]!.cells.amount).toMatchObject({ kind: 'number', text: '40000' });
    expect(sheet.lateProblems()).toEqual([]);
  });

  test.each([
    ['array', 'C2:C3'],
    ['array', '$B$2:$C$3'],
    ['dataTable', 'C2:C3'],
  ])('are none in the cells that a formula of kind %s fills: %s', async (kind, range) => {
    const filled =
      rows.replace('<f>2*3</f>', `<f t="${kind}" ref="${range}">2*X!A1:A2</f>`) + row(3, 'Ben', '2', 7, 'R');
    const at = (calculation: string) => {
      const entries = xlsxEntries({ sheets: { A: worksheet(filled, '', '') } }).map((entry) => ({
        ...entry,
        content: String(entry.content).replace('</workbook>', `${calculation}</workbook>`),
      }));
      return given('a.xlsx', zip(entries));
    };
    const late = async (calculation: string) => {
      const { sheet } = await readAll(at(calculation));
      return sheet.lateProblems().map(({ code, column }) => [code, column]);
    };
    expect(await late('<calcPr fullCalcOnLoad="1"/>')).toContainEqual(['RESULTS_STALE', 'amount']);
    expect(await late('')).toEqual([]);
  });

  test('a sheet that says it below its rows is stopped as a whole', async () => {
    const { sheet } = await readAll(made('', '<sheetCalcPr fullCalcOnLoad="1"/>'));
    expect(sheet.lateProblems().map(({ code, severity, column }) => [code, severity, column])).toEqual([
      ['RESULTS_STALE', 'error', 'account_number'],
      ['RESULTS_STALE', 'error', 'amount'],
    ]);
    const plain = xlsx({
      sheets: { A: worksheet(header + row(2, 'A', '1', 5, 'R'), '', '<sheetCalcPr fullCalcOnLoad="1"/>') },
    });
    expect((await readAll(given('a.xlsx', plain))).sheet.lateProblems()).toEqual([]);
  });
});

describe('rows that formulas were prepared for', () => {
  const calculated = (reference: string, value: string, type = '') =>
    `<c r="${reference}"${type}><f>IF(X!A1="","",X!A1)</f><v>${value}</v></c>`;
  const unfilled = (number: number) =>
    `<row r="${number}">${calculated(`A${number}`, '', ' t="str"')}${calculated(`B${number}`, '0')}${calculated(`C${number}`, '0')}<c r="E${number}"><v>250</v></c></row>`;
  const lines = async (xml: string) =>
    (
      await readAll(
        given('a.xlsx', xlsx({ sheets: { A: row(1, 'name', 'account number', 'amount', 'reference', 'Rate') + xml } })),
      )
    ).lines;

  test('and that show nothing or 0 are blank', async () => {
    const found = await lines(
      row(2, 'A', '1', 5, 'R') + unfilled(3) + unfilled(4) + row(5, 'B', '2', 6, 'R') + unfilled(6),
    );
    expect(found.map(({ number }) => number)).toEqual([2, 5]);
    expect(found.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test.each([
    ['an amount', `<row r="3">${calculated('C3', '5')}</row>`],
    ['a name', `<row r="3">${calculated('A3', 'Ann', ' t="str"')}${calculated('C3', '0')}</row>`],
    ['something typed', `<row r="3">${calculated('A3', '', ' t="str"')}<c r="C3"><v>0</v></c></row>`],
    ['an error', `<row r="3">${calculated('A3', '#N/A', ' t="e"')}${calculated('C3', '0')}</row>`],
    ['no result', `<row r="3"><c r="A3"><f>X!A1</f></c>${calculated('C3', '0')}</row>`],
  ])('and with %s are rows', async (_, xml) =>
    expect(
      (await lines(`${row(2, 'A', '1', 5, 'R')}${xml}${row(4, 'B', '2', 6, 'R')}`)).map(({ number }) => number),
    ).toEqual([2, 3, 4]),
  );
});

test('parts whose folders are separated by backslashes are found', async () => {
  const entries = xlsxEntries({ sheets: { A: header + row(2, 'A', '1', 5, 'R') } });
  const name = (text: string) => text.replaceAll('/', '\\');
  const path = given('a.xlsx', zip(entries.map((entry) => ({ ...entry, name: name(entry.name) }))));
  expect((await readAll(path)).lines[0]!.cells.name).toBe('A');
});

test('a sensitivity label is told from a password', async () => {
  const ole = (name: string) => {
    const bytes = Buffer.alloc(2048);
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
    bytes.writeUInt16LE(9, 30);
    for (const [at, entry] of ['EncryptedPackage', name].entries()) bytes.write(entry, 512 + 128 * at, 'utf16le');
    return given('a.xlsx', bytes);
  };
  expect(await refusal(ole('StrongEncryptionDataSpace'))).toEqual({ code: 'WORKBOOK_LOCKED', facts: {} });
  expect(await refusal(ole('DRMEncryptedDataSpace'))).toEqual({ code: 'WORKBOOK_LABELLED', facts: {} });
});
