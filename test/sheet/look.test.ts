import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import Excel from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { ShownProblem } from '../../src/messages/problems.ts';
import { openSheet, type ResultPlan, type Sheet, writeChecked, writeResult } from '../../src/sheet/sheet.ts';
import { type CellStyle, cellStyle } from '../../src/sheet/xlsx/style/cell-style.ts';
import { barOf, heightFor, resultSheetName } from '../../src/sheet/xlsx/style/palette.ts';
import { type LookForm, readLook } from '../../src/sheet/xlsx/style/read-appearance.ts';
import { readStyles } from '../../src/sheet/xlsx/style/read-styles.ts';
import { lookOf } from '../../src/sheet/xlsx/style/sheet-appearance.ts';
import { freshPath, given } from './given.ts';
import { hasOffice, sheetTexts } from './office.ts';
import { row as rowOf, worksheet, xlsx } from './zip-builder.ts';

const ourHeaders = /^payrun_/;

const rulesOf = (sheet: Excel.Worksheet) =>
  (sheet as unknown as { readonly conditionalFormattings: readonly object[] }).conditionalFormattings;
const colourOf = ({ fill }: Excel.Cell) => (fill?.type === 'pattern' ? fill.fgColor : undefined);

const columns = [
  { header: 'payrun_status' },
  { header: 'payrun_reason', wrap: true },
  { header: 'payment_id', text: true },
  { header: 'payrun_fees' },
  { header: 'payrun_row' },
];

async function resultOf(
  source: Sheet,
  change: Partial<ResultPlan> = {},
  path = freshPath('looks.xlsx'),
): Promise<Excel.Worksheet> {
  await writeResult(
    { path, subject: 'batch' },
    {
      source,
      columns,
      async *rows() {
        for await (const lines of source.lines()) {
          yield lines.map(({ number }) => ({ number, values: ['paid', null, 'p', 1.5, `k${number}`] }));
        }
      },
      async *extra() {},
      summary: { title: 'Batch', facts: [], tables: [] },
      tables: {},
      ...change,
    },
  );
  return (await workbookOf(path)).worksheets[1]!;
}

async function checkedOf(source: Sheet, problems: readonly ShownProblem[]): Promise<Excel.Worksheet> {
  const { path } = await writeChecked(
    { path: freshPath('looks.checked.xlsx'), subject: 'sheet' },
    {
      source,
      problems: () => problems,
      rowsRead: true,
      now: 0,
      summary: () => ({ title: 'A sheet', facts: [], tables: [] }),
    },
  );
  return (await workbookOf(path)).worksheets[1]!;
}

async function workbookOf(path: string): Promise<Excel.Workbook> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
}

const solid = (argb: string): Excel.Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });

/** A sheet as a finance team keeps it: a merged title, a bar below it, a header of its own, bands, a total. */
async function kept(name = 'Payroll'): Promise<{ path: string; sheet: Excel.Worksheet }> {
  const workbook = new Excel.Workbook();
  const sheet = workbook.addWorksheet(name, { views: [{ state: 'frozen', xSplit: 2, ySplit: 4 }] });
  sheet.mergeCells('A1:C1');
  sheet.getCell('A1').value = 'Acme Holdings';
  sheet.getCell('A1').font = { name: 'Georgia', size: 18, bold: true, color: { argb: 'FF123456' } };
  sheet.getRow(1).height = 34;
  for (let column = 1; column <= 5; column++) sheet.getCell(3, column).fill = solid('FF4472C4');
  sheet.getRow(3).height = 6;
  const arial = { name: 'Arial', size: 10 };
  sheet.getRow(4).values = ['Beneficiary', 'Account Number', 'Amount', 'Reference', 'Due', 'Notes'];
  sheet.getRow(4).eachCell((cell) => {
    cell.style = {
      font: { ...arial, bold: true, italic: true, underline: true, color: { argb: 'FFFFFFFF' } },
      fill: { type: 'pattern', pattern: 'lightUp', fgColor: { argb: 'FF203864' }, bgColor: { argb: 'FF000001' } },
      alignment: { horizontal: 'center', vertical: 'middle', wrapText: true, textRotation: 45 },
      border: { bottom: { style: 'medium', color: { argb: 'FF203864' } }, left: { style: 'dashed' } },
    };
  });
  sheet.getRow(5).values = ['A', '00123', 1500, 'R 1', new Date(Date.UTC(2026, 10, 30))];
  sheet.getRow(6).values = ['B', '00124', 12.5, '=R', null, `${'long words '.repeat(9)}end`];
  sheet.getCell('C5').style = { numFmt: '"R" #,##0.00', font: arial, alignment: { indent: 2, horizontal: 'right' } };
  sheet.getCell('E5').numFmt = 'dd mmm yyyy';
  sheet.getCell('A6').style = { font: { ...arial, strike: true }, fill: solid('FFDDEBF7') };
  sheet.getCell('E6').fill = solid('FFDDEBF7');
  sheet.getCell('F6').style = { alignment: { wrapText: true, shrinkToFit: true } };
  sheet.getRow(5).height = 28;
  sheet.getRow(8).values = ['Total', null, 1512.5];
  sheet.getCell('A8').font = { ...arial, bold: true };
  sheet.getCell('C8').border = { top: { style: 'thin', color: { argb: 'FF000000' } }, bottom: { style: 'double' } };
  [33, 18, 14, 12, 12, 40].forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
  });
  sheet.getColumn(4).numFmt = '@';
  const path = freshPath('kept.xlsx');
  await workbook.xlsx.writeFile(path);
  return { path, sheet: (await workbookOf(path)).worksheets[0]! };
}

describe('the person’s cells', () => {
  test.each([
    ['a result', (source: Sheet) => resultOf(source)],
    ['a checked workbook', (source: Sheet) => checkedOf(source, [])],
  ])('look in %s as they did', async (_, write) => {
    const { path, sheet: before } = await kept();
    const after = await write(await openSheet(path));
    for (let row = 1; row <= 8; row++) {
      for (let column = 1; column <= 6; column++) {
        const [was, is] = [before.getCell(row, column), after.getCell(row, column)];
        // The workbook's own letters are named by its theme, which the result does not have.
        const { numFmt: _, font, ...looks } = was.style;
        expect(is.style, is.address).toMatchObject(looks);
        if (font?.color?.theme === undefined && font !== undefined) expect(is.font, is.address).toMatchObject(font);
        // A text stays a text when it is typed over; every other cell keeps its format.
        if (was.value !== null && typeof was.value !== 'string') expect(is.numFmt, is.address).toBe(was.numFmt);
      }
    }
    expect(after.getCell('B5').numFmt).toBe('@');
    expect(after.getCell('A1').isMerged && after.getCell('C1').isMerged).toBe(true);
    expect(after.getCell('D1').isMerged).toBe(false);
    expect([1, 3, 5].map((row) => after.getRow(row).height)).toEqual([34, 6, 28]);
    expect([1, 2, 3, 4, 5, 6].map((column) => after.getColumn(column).width)).toEqual([33, 18, 14, 12, 12, 40]);
    expect(after.getColumn(4).numFmt).toBe('@');
    expect(after.views[0]).toMatchObject({ state: 'frozen', xSplit: 2, ySplit: 4 });
  });

  test('of a checked workbook that was mended have no colour and no column of it, in the next one and in the result', async () => {
    const { path, sheet: before } = await kept();
    const source = await openSheet(path);
    for await (const _ of source.lines());
    const message = 'A long sentence on what is wrong with this row, and on what to do about it. '.repeat(3);
    const about = { row: 6, code: 'WRONG', severity: 'error', message, value: null, suggestion: null } as const;
    const { path: handedBack } = await writeChecked(
      { path: freshPath('kept.checked.xlsx'), subject: 'sheet' },
      {
        source,
        problems: () => [
          { ...about, row: 4, column: 'amount' },
          { ...about, column: 'name' },
          { ...about, column: 'reference', severity: 'warning' },
        ],
        rowsRead: true,
        now: 0,
        summary: () => ({ title: 'A sheet', facts: [], tables: [] }),
      },
    );
    const workbook = await workbookOf(handedBack);
    const mended = workbook.worksheets[1]!;
    expect(mended.getRow(6).height).toBeGreaterThan(40);
    expect(rulesOf(mended)).toHaveLength(2);
    mended.getCell('C6').value = 13;
    // As people do to read what we say.
    mended.getColumn(8).width = 120;
    await workbook.xlsx.writeFile(handedBack);
    for (const write of [resultOf, (again: Sheet) => checkedOf(again, [])]) {
      const after = await write(await openSheet(handedBack));
      expect(rulesOf(after)).toEqual([]);
      expect(after.getRow(5).height).toBe(28);
      for (let row = 4; row <= 8; row++)
        for (let column = 1; column <= 6; column++) {
          const [was, is] = [before.getCell(row, column), after.getCell(row, column)];
          const { numFmt: _, font, ...looks } = was.style;
          expect(is.style, is.address).toMatchObject(looks);
          expect(colourOf(is), is.address).toEqual(colourOf(was));
          // A row that our texts made higher keeps its height, with its texts at the top.
          if (row !== 6) expect(is.alignment?.vertical, is.address).toBe(was.alignment?.vertical);
          if (font?.color?.theme === undefined && font !== undefined) expect(is.font, is.address).toMatchObject(font);
        }
      const headers = (after.getRow(4).values as unknown[]).filter((one) => ourHeaders.test(String(one)));
      expect(new Set(headers).size).toBe(headers.length);
    }
  });

  test('are followed by ours in the letters of their lines', async () => {
    const { path } = await kept();
    const sheet = await resultOf(await openSheet(path), {
      async *extra() {
        yield [
          {
            cells: { name: 'Left out', amount: '7' },
            values: ['in doubt', `${'No answer came. '.repeat(9)}`, 'p', 3, 'k'],
          },
        ];
      },
    });
    expect(sheet.getCell('G4').style).toMatchObject({
      font: { name: 'Arial', size: 10, bold: true },
      fill: { fgColor: { argb: 'FF33658A' } },
    });
    expect(sheet.getCell('G5').style).toMatchObject({
      font: { name: 'Arial' },
      fill: { fgColor: { argb: 'FFD9F0E3' } },
    });
    expect(sheet.getCell('J5').numFmt).toBe('#,##0.00######');
    // As the last line, which row 6 is; and high enough for its reason.
    expect(sheet.getCell('A9').style).toMatchObject({
      font: { strike: true },
      fill: { fgColor: { argb: 'FFDDEBF7' } },
    });
    expect(sheet.getCell('H9').alignment).toMatchObject({ wrapText: true });
    expect(sheet.getRow(9).height).toBeGreaterThan(40);
    // Where ours made it so high, all begins at the top; cells that stand elsewhere by their own word stay there.
    expect(['A9', 'G9', 'H9'].map((cell) => sheet.getCell(cell).alignment?.vertical)).toEqual(['top', 'top', 'top']);
    expect(sheet.getCell('A5').alignment?.vertical).toBeUndefined();
    // So is a row of theirs whose text goes over lines, where the workbook says no height.
    expect(sheet.getRow(6).height).toBeGreaterThan(40);
  });

  test('that are wrong are marked in their own letters', async () => {
    const { path } = await kept();
    const wrong: ShownProblem = {
      row: 6,
      column: 'amount',
      code: 'AMOUNT_FRACTION',
      severity: 'error',
      message: 'amount 12.50 has cents',
      value: '12.5',
      suggestion: null,
    };
    const sheet = await checkedOf(await openSheet(path), [wrong]);
    const red = { fill: { fgColor: { argb: 'FFFADDD7' } }, font: { color: { argb: 'FF7F1D1D' } } };
    // Over their own look, not in its place.
    expect(rulesOf(sheet)).toMatchObject([
      {
        ref: 'C6',
        rules: [{ style: { fill: { bgColor: { argb: 'FFFADDD7' } }, font: { color: { argb: 'FF7F1D1D' } } } }],
      },
    ]);
    expect(sheet.getCell('C6').fill).toMatchObject({ pattern: 'none' });
    expect(sheet.getCell('A6').style).toMatchObject({
      font: { strike: true },
      fill: { fgColor: { argb: 'FFDDEBF7' } },
    });
    expect(sheet.getCell('C5').style).toMatchObject({ numFmt: '"R" #,##0.00', font: { name: 'Arial' } });
    expect(sheet.getCell('G6').style).toMatchObject({ ...red, font: { name: 'Arial', bold: true } });
    expect(sheet.getCell('H6').style).toMatchObject({ font: { name: 'Arial' }, alignment: { wrapText: true } });
  });

  test('that are numbers stand off the text beside them where their column has room', async () => {
    const { path } = await kept();
    const workbook = await workbookOf(path);
    workbook.worksheets[0]!.getCell('B6').value = 12345678901234;
    workbook.worksheets[0]!.getColumn(2).width = 15;
    await workbook.xlsx.writeFile(path);
    const sheet = await resultOf(await openSheet(path));
    expect(sheet.getCell('C6').alignment).toMatchObject({ horizontal: 'right', indent: 1 });
    expect(sheet.getCell('C5').alignment).toEqual({ horizontal: 'right', indent: 2 });
    expect(sheet.getCell('B6').alignment?.indent, 'it would be shown as ###').toBeUndefined();
  });

  test('stay readable on paper: two pages across say again whose row it is', async () => {
    const { path } = await kept();
    const { pageSetup, headerFooter } = await resultOf(await openSheet(path));
    expect(pageSetup).toMatchObject({ paperSize: 9, orientation: 'landscape', fitToWidth: 1, fitToHeight: 0 });
    expect(pageSetup.printTitlesRow).toBe('4:4');
    expect(pageSetup.printArea).toBe('A1:I8');
    expect(headerFooter.oddFooter).toContain('Page &P of &N');
    const workbook = await workbookOf(path);
    workbook.worksheets[0]!.getColumn(6).width = 130;
    workbook.worksheets[0]!.getCell('A10').value = 'Prepared by: T. Mokoena';
    await workbook.xlsx.writeFile(path);
    const wide = await resultOf(await openSheet(path));
    expect(wide.pageSetup).toMatchObject({ fitToWidth: 2, printTitlesRow: '4:4', printTitlesColumn: 'A:A' });
    expect(wide.pageSetup.printArea).toBe('A1:I10');
  });

  test('in a sheet whose name has an apostrophe, which exceljs cannot print from', async () => {
    const { path } = await kept("Bob's");
    const sheet = await resultOf(await openSheet(path));
    expect(sheet.name).toBe("Bob's");
    expect(sheet.pageSetup.printTitlesRow).toBeUndefined();
    expect(sheet.getCell('A5').value).toBe('A');
  });

  test('have our look where they have none: CSV, and a header that nobody has touched', async () => {
    const csv = await resultOf(await openSheet(given('a.csv', 'name,amount,reference\nA,1,R\nTotal,1,\n')));
    expect(csv.getCell('A1').style).toMatchObject({ font: { bold: true }, fill: { fgColor: { argb: 'FF2F4858' } } });
    expect(csv.getRow(1).height).toBe(22);
    expect(csv.getCell('A3').font).toMatchObject({ bold: true });
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('Export');
    sheet.addRows([
      ['name', 'amount', 'reference'],
      ['A', 1, 'R'],
    ]);
    const path = freshPath('export.xlsx');
    await workbook.xlsx.writeFile(path);
    const plain = await resultOf(await openSheet(path));
    expect(plain.getCell('A1').fill).toMatchObject({ fgColor: { argb: 'FF2F4858' } });
    expect(plain.getCell('A2').fill).toMatchObject({ pattern: 'none' });
    expect(plain.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
  });

  test('and a sheet that is formatted far below its rows does not weigh', async () => {
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('Far');
    sheet.addRows([
      ['name', 'amount', 'reference'],
      ['A', 1, 'R'],
    ]);
    for (let row = 3; row < 3000; row++) sheet.getCell(row, 1).fill = solid('FFDDEBF7');
    const path = freshPath('far.xlsx');
    await workbook.xlsx.writeFile(path);
    expect((await resultOf(await openSheet(path))).rowCount).toBe(2);
  });
});

describe('a look that no program would write', () => {
  const sheets = (rows: string, before = '', merges = '') => ({ Evil: worksheet(rows, before, merges) });
  const payout = `${rowOf(2, 'name', 'amount', 'reference')}${rowOf(3, 'A', 1, 'R')}`;

  test('does no harm', async () => {
    const before =
      '<sheetViews><sheetView><pane xSplit="99999" ySplit="1e9" state="frozen"/></sheetView></sheetViews>' +
      '<cols><col min="1" max="1" width="NaN"/><col min="2" max="99999999" width="9999" style="77"/></cols>';
    const merges =
      '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="B1:C1"/><mergeCell ref="A0:B1"/><mergeCell ref="A1:XFD1"/></mergeCells>';
    const rows = `<row r="1" ht="99999"><c r="A1" t="inlineStr" s="1"><is><t>Title</t></is></c></row>${payout}`;
    const styles =
      '<styleSheet><fonts><font/><font><sz val="99999"/><color indexed="-7"/></font></fonts><fills><fill/><fill><patternFill patternType="evil"/></fill></fills>' +
      '<borders><border/><border><left style="evil"/></border></borders><cellXfs><xf/><xf fontId="1" fillId="1" borderId="1"><alignment horizontal="evil" vertical="evil" indent="9999" textRotation="x"/></xf></cellXfs></styleSheet>';
    const source = await openSheet(given('evil.xlsx', xlsx({ sheets: sheets(rows, before, merges), styles })));
    const result = await resultOf(source);
    expect(result.getCell('A3').value).toBe('A');
    expect(result.getCell('A1').style).toEqual({
      font: {},
      border: {},
      fill: { type: 'pattern', pattern: 'none' },
      numFmt: '@',
    });
    expect(result.getCell('B1').isMerged).toBe(true);
    expect(result.getCell('C1').isMerged).toBe(false);
    expect(result.getRow(1).height).toBe(409);
    expect([1, 2].map((column) => result.getColumn(column).width)).toEqual([8, 255]);
    expect(result.views[0]).toMatchObject({ state: 'frozen', xSplit: 0, ySplit: 2 });
  });

  test.each([
    ['styles that are no XML', '<styleSheet><cellXfs><xf/></cellXfs><fonts><font', 'refused'],
    [
      'a font with a name of a megabyte, in every one of 20,000 styles',
      `<styleSheet><fonts><font><name val="${randomBytes(500_000).toString('hex')}"/><b/></font></fonts><cellXfs>${'<xf fontId="0"/>'.repeat(20_000)}</cellXfs></styleSheet>`,
      'read',
    ],
  ])('is no reason to lose a result: %s', async (_, styles, expected) => {
    const path = given('evil.xlsx', xlsx({ sheets: sheets(payout), styles }));
    const opened = await openSheet(path).catch((error: Error) => error);
    expect(opened instanceof Error ? 'refused' : 'read', opened instanceof Error ? opened.message : '').toBe(expected);
    if (!(opened instanceof Error)) expect((await resultOf(opened)).getCell('A3').value).toBe('A');
  });

  test('is left out where it is more than fits: the rows are all there', async () => {
    // No two rows alike: every cell has a style of its own turn.
    const styles = `<styleSheet><cellXfs>${'<xf/>'.repeat(7000)}</cellXfs></styleSheet>`;
    const body = Array.from({ length: 4000 }, (_, row) => {
      const cells = Array.from({ length: 200 }, (_, cell) => `<c s="${(row * 7 + cell * 13) % 7000}"/>`).join('');
      return `<row r="${row + 4}">${cells}</row>`;
    });
    const source = await openSheet(given('many.xlsx', xlsx({ sheets: sheets(payout + body.join('')), styles })));
    const look = (await source.look())!;
    expect([look.has(4003), look.styleOf(4, 0), look.styleOf(4003, 0)]).toEqual([true, {}, null]);
  });

  test('without which the sheet is written all the same', async () => {
    const source = await openSheet(given('a.xlsx', xlsx({ sheets: sheets(payout) })));
    const result = await resultOf({ ...source, look: async () => null });
    expect(result.getCell('A2').fill).toMatchObject({ fgColor: { argb: 'FF2F4858' } });
    expect(result.getCell('B3').value).toBe(1);
  });
});

test('a look is the same however its bytes come', async () => {
  const styles = [{}, { font: { bold: true } }, { numFmt: '0.00' }];
  const text =
    '<worksheet><sheetViews><sheetView><pane ySplit="1" state="frozen"/></sheetView></sheetViews><cols><col min="2" max="300" style="2"/></cols>' +
    '<sheetData><row r="1" ht="20"><c r="A1" s="1"/><c><v>1</v></c></row><row r="3" s="1" customFormat="1"/><x:row><x:c s="2"/></x:row></sheetData></worksheet>';
  for (const size of [1, 7, 10_000]) {
    async function* chunks() {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
    }
    const look = lookOf((await readLook(chunks(), styles)) as unknown as LookForm<CellStyle>);
    expect(look.frozen).toEqual({ rows: 1, columns: 0 });
    expect([1, 2, 3, 4].map((row) => [look.has(row), look.heightOf(row)])).toEqual([
      [true, 20],
      [false, null],
      [true, null],
      [true, null],
    ]);
    const at = (row: number, column: number) => look.styleOf(row, column);
    expect([at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(2, 1), at(3, 0), at(4, 0)]).toEqual([
      styles[1],
      styles[0],
      styles[2],
      null,
      styles[2],
      styles[1],
      styles[2],
    ]);
  }
});

test.skipIf(!hasOffice)('LibreOffice opens the result, its values and its bars', async () => {
  const { path } = await kept();
  const target = freshPath('office.xlsx');
  await resultOf(
    await openSheet(path),
    {
      summary: {
        title: 'Batch',
        facts: [],
        tables: [{ title: 'Rows', header: ['Status', 'Share'], rows: [['paid', { share: 1 }]] }],
      },
    },
    target,
  );
  const [summary, payroll] = sheetTexts(target, ['Summary', 'Payroll']);
  expect(summary).toContain('"paid","100% ████████████████████"');
  const [, , , , fifth, sixth] = parse(payroll!, { relax_column_count: true });
  // The date is shown as this machine's language has it.
  expect(fifth!.toSpliced(4, 1)).toEqual(['A', '00123', '1500', 'R 1', '', 'paid', '', 'p', '1.5', 'k5']);
  expect(sixth!.slice(0, 4)).toEqual(['B', '00124', '12.5', '=R']);
});

describe('styles of a workbook', () => {
  const theme =
    '<a:theme xmlns:a="x"><a:themeElements><a:clrScheme name="Office"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1>' +
    '<a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1><a:dk2><a:srgbClr val="44546A"/></a:dk2><a:lt2><a:srgbClr val="E7E6E6"/></a:lt2>' +
    '<a:accent1><a:srgbClr val="4472C4"/></a:accent1></a:clrScheme><a:fontScheme><a:accent1><a:srgbClr val="FFFFFF"/></a:accent1></a:fontScheme></a:themeElements></a:theme>';
  const stylesOf = (fonts: string, fills = '', borders = '', xfs = '<xf fontId="0"/>') =>
    readStyles(
      `<styleSheet><fonts><font>${fonts}</font></fonts><fills><fill>${fills}</fill></fills><borders><border>${borders}</border></borders>` +
        `<cellStyleXfs><xf fontId="7"/></cellStyleXfs><cellXfs>${xfs}</cellXfs><dxfs><dxf><font><b/></font></dxf></dxfs></styleSheet>`,
      theme,
      [null, '0.00'],
    ).map((style) => cellStyle.parse(JSON.parse(JSON.stringify(style))));
  const colourOf = (attributes: string) => stylesOf(`<color ${attributes}/>`)[0]!.font!.color;

  test.each([
    // What Excel 2016 shows for "Blue, Accent 1" and its five lighter and darker shades, and for the first four colours.
    ['theme="4"', '4472C4'],
    ['theme="4" tint="0.79998168889431442"', 'DAE3F3'],
    ['theme="4" tint="0.59999389629810485"', 'B4C7E7'],
    ['theme="4" tint="0.39997558519241921"', '8FAADC'],
    ['theme="4" tint="-0.249977111117893"', '2F5597'],
    ['theme="4" tint="-0.499984740745262"', '203864'],
    ['theme="0"', 'FFFFFF'],
    ['theme="1"', '000000'],
    ['theme="2"', 'E7E6E6'],
    ['theme="3"', '44546A'],
    ['theme="0" tint="-0.14999847407452621"', 'D9D9D9'],
    ['theme="1" tint="0.499984740745262"', '808080'],
    ['rgb="FFC00000"', 'C00000'],
    ['rgb="00C00000"', 'C00000'],
  ])('the colour %s is %s', (attributes, expected) => {
    const { argb } = colourOf(attributes) as { argb: string };
    const parts = (hex: string) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    const [is, wanted] = [parts(argb.slice(2)), parts(expected)];
    expect(argb).toMatch(/^FF[0-9A-F]{6}$/);
    // Rounding differs by one between programs.
    wanted.forEach((part, index) => {
      expect(Math.abs(part - is[index]!), `${argb} is not FF${expected}`).toBeLessThanOrEqual(1);
    });
  });

  test('a colour by number stays one; the window’s own, and what no theme has, are none', () => {
    expect(colourOf('indexed="10"')).toEqual({ indexed: 10 });
    expect(colourOf('indexed="64"')).toBeUndefined();
    expect(colourOf('auto="1"')).toBeUndefined();
    expect(colourOf('theme="5"')).toBeUndefined();
    expect(colourOf('rgb="red"')).toBeUndefined();
  });

  test('a font that does not say which is the workbook’s own', () => {
    const [style] = readStyles(
      '<styleSheet><fonts><font><sz val="10"/><name val="Arial"/></font><font><b/></font></fonts><cellXfs><xf fontId="1"/></cellXfs></styleSheet>',
      null,
      [],
    );
    expect(style).toEqual({ font: { bold: true, name: 'Arial', size: 10 } });
  });

  test('fonts, fills, borders and alignment by their numbers', () => {
    const styles = stylesOf(
      '<b val="0"/><i/><strike/><u val="double"/><sz val="9.5"/><name val="Arial &amp; Co"/><vertAlign val="superscript"/>',
      '<gradientFill degree="90"><stop position="0"><color rgb="FF112233"/></stop><stop position="1"><color rgb="FF445566"/></stop></gradientFill>',
      '<left style="thin"><color indexed="8"/></left><right style="none"/><top/><diagonal style="thin"><color rgb="FF000000"/></diagonal>',
      '<xf fontId="0"><alignment horizontal="fill" vertical="center" textRotation="135" indent="3" wrapText="true"/></xf><xf fontId="9" fillId="9" borderId="9"><alignment textRotation="255"/></xf>',
    );
    expect(styles).toEqual([
      {
        font: { bold: false, italic: true, strike: true, underline: 'double', size: 9.5, name: 'Arial & Co' },
        fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF112233' } },
        border: { left: { style: 'thin', color: { indexed: 8 } } },
        alignment: { horizontal: 'fill', vertical: 'middle', textRotation: -45, indent: 3, wrapText: true },
      },
      { numFmt: '0.00', alignment: { textRotation: 'vertical' } },
    ]);
  });
});

describe('the look of ours', () => {
  test.each([
    [0, '  0% ░░░░░░░░░░░░░░░░░░░░'],
    [0.0001, ' <1% █░░░░░░░░░░░░░░░░░░░'],
    [0.29, ' 29% ██████░░░░░░░░░░░░░░'],
    [0.5, ' 50% ██████████░░░░░░░░░░'],
    [0.9999, ' 99% ███████████████████░'],
    [1, '100% ████████████████████'],
    [1.2, '100% ████████████████████'],
  ])('the bar of %d', (share, expected) => {
    expect(barOf(share).replaceAll('\u2007', ' ')).toBe(expected);
  });

  test.each([
    ['Payroll', 'Payroll'],
    ["'Bob's'", "Bob's"],
    ['a/b:c?', 'a b c'],
    [`${'x'.repeat(30)}'y`, 'x'.repeat(30)],
    ["''", 'Sheet'],
    ['trail', 'trail 2'],
  ])('the sheet %s is called %s', (theirs, expected) => {
    expect(resultSheetName(theirs)).toBe(expected);
  });

  test('a text that fits needs no height; one of several lines gets them', () => {
    expect(heightFor('x'.repeat(30), 40)).toBe(0);
    expect(heightFor('x'.repeat(60), 40)).toBe(30);
    expect(heightFor('a\nb\nc', 40, 10)).toBe(41);
    expect(heightFor('x'.repeat(32_767), 10)).toBe(409);
  });
});
