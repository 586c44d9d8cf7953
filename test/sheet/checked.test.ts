/** The checked workbook against real files: what stands in it, and that it reads as the sheet it was made from. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import Excel from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ShownProblem, shownProblem } from '../../src/messages/problems.ts';
import { openRegular } from '../../src/sheet/file/open-file.ts';
import {
  type CheckedPlan,
  type Line,
  openSheet,
  removeEarlier,
  type Sheet,
  sheetOutput,
  stemOf,
  writeChecked,
  writeProblemsCsv,
  writeProblemsJson,
} from '../../src/sheet/sheet.ts';
import { openArchive } from '../../src/sheet/xlsx/zip.ts';
import { codesOf, freshPath, given, linesOf, readAll } from './given.ts';

function problem(row: number | null, column: string | null, more: Partial<ShownProblem> = {}): ShownProblem {
  const message = `${column ?? 'the row'} is wrong`;
  return { row, column, code: 'WRONG', severity: 'error', message, value: null, suggestion: null, ...more };
}

/** Writes it beside nothing, and answers its path, what was found, and the workbook as a person's program reads it. */
async function checked(source: Sheet, problems: readonly ShownProblem[], change: Partial<CheckedPlan> = {}) {
  const path = freshPath('s.checked.xlsx');
  const { path: placed, marked } = await writeChecked(
    { path, subject: 'sheet' },
    {
      source,
      problems: () => problems,
      rowsRead: true,
      now: Date.UTC(2026, 10, 20),
      summary: ({ marks }) => ({
        title: 'A sheet',
        facts: [['Rows', `${marks.FIX + marks.LOOK + marks.OK}`]],
        tables: [
          { title: 'Totals', header: ['Currency', 'Amount', 'Unit', 'From'], rows: [['ZAR', 5, 'whole', null]] },
        ],
      }),
      ...change,
    },
  );
  expect(placed).toBe(path);
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path);
  return { path, marked, workbook, sheet: workbook.worksheets[1]! };
}

const valuesOf = (sheet: Excel.Worksheet, row: number) => (sheet.getRow(row).values as unknown[]).slice(1);
const noteOf = ({ note }: Excel.Cell) =>
  note === undefined ? null : typeof note === 'string' ? note : (note.texts ?? []).map(({ text }) => text).join('');
/** What is seen behind the letters: a format with a condition lies over the cell's own. */
function fillOf(cell: Excel.Cell): string | null {
  const { conditionalFormattings } = cell.worksheet as unknown as {
    conditionalFormattings: { ref: string; rules: { style: { fill: Excel.FillPattern } }[] }[];
  };
  const over = conditionalFormattings.find(({ ref }) => ref.split(' ').some((one) => isWithin(cell, one)));
  if (over !== undefined) return over.rules[0]!.style.fill.bgColor!.argb!;
  return cell.fill?.type === 'pattern' ? (cell.fill.fgColor?.argb ?? null) : null;
}

function isWithin({ address, row }: Excel.Cell, range: string): boolean {
  const [, letters, top, bottom = top] = /^([A-Z]+)(\d+)(?::[A-Z]+(\d+))?$/.exec(range)!;
  return address === `${letters}${row}` && Number(row) >= Number(top) && Number(row) <= Number(bottom);
}

const ours = ['payrun_check', 'payrun_what_to_do', 'payrun_suggested_value'];
const red = 'FFFADDD7';
const amber = 'FFFFEBB8';

/** What a line says of a payment. */
const cellsOf = (lines: readonly Line[]) => lines.map(({ number, cells, own }) => ({ number, cells, own }));

const text = `Our payouts;;;\r\n\r\nName;Amount;Reference;Phone\r\nA;1;R-1;+254712345678\r\n"B;b";2;"=R";\r\n\r\nC;3;R3;\r\nTotal;6;;\r\n`;

const slip = problem(4, 'reference', { message: 'slip', value: 'R-1', suggestion: 'R 1' });
const repair = problem(4, 'contact_number', { message: 'repair', severity: 'repair' });
const doubt = problem(7, 'contact_number', { message: 'doubt', severity: 'warning' });
const found = [slip, repair, doubt];

/** The note on a cell with one problem. */
const noteFor = ({ message, severity }: ShownProblem) =>
  `${{ error: 'FIX', warning: 'LOOK', repair: 'READ' }[severity]}\n${message}`;

describe('a CSV sheet', () => {
  test('comes back as a workbook: the same rows under the same numbers, with the problems on the right', async () => {
    const { sheet, workbook, marked } = await checked(await openSheet(given('a.csv', text)), found);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Summary', expect.stringMatching(/a$/)]);
    expect(valuesOf(sheet, 1)).toEqual(['Our payouts']);
    expect(valuesOf(sheet, 2)).toEqual([]);
    expect(valuesOf(sheet, 3)).toEqual(['Name', 'Amount', 'Reference', 'Phone', ...ours]);
    const first = ['A', '1', 'R-1', '+254712345678'];
    expect(valuesOf(sheet, 4)).toEqual([...first, 'FIX', 'slip\nread: repair', 'R 1']);
    expect(valuesOf(sheet, 5)).toEqual(['B;b', '2', '=R', undefined, 'OK']);
    expect(valuesOf(sheet, 7)).toEqual(['C', '3', 'R3', undefined, 'LOOK', doubt.message]);
    expect(valuesOf(sheet, 8)).toEqual(['Total', '6']);
    expect(marked).toMatchObject({ marks: { FIX: 1, LOOK: 1, OK: 1 }, partial: false });
  });

  test('has a fill and a note on each bad cell, and keeps what is typed there as text', async () => {
    const { sheet } = await checked(await openSheet(given('a.csv', text)), found);
    expect(fillOf(sheet.getCell('C4'))).toBe(red);
    expect(noteOf(sheet.getCell('C4'))).toBe(noteFor(slip));
    expect(noteOf(sheet.getCell('D4'))).toBe(noteFor(repair));
    expect(fillOf(sheet.getCell('D7'))).toBe(amber);
    expect(sheet.getCell('D7').numFmt).toBe('@');
    expect([fillOf(sheet.getCell('E4')), fillOf(sheet.getCell('E7'))]).toEqual([red, amber]);
    expect([noteOf(sheet.getCell('A4')), fillOf(sheet.getCell('A4'))]).toEqual([null, null]);
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 3 });
    expect(sheet.autoFilter).toBe('A3:G8');
  });

  test('is read as it was: our columns are as if they were not there', async () => {
    const source = await openSheet(given('a.csv', text));
    const before = cellsOf(await linesOf(source));
    const { path } = await checked(source, found);
    const { sheet, lines } = await readAll(path);
    expect(cellsOf(lines)).toEqual(before);
    expect(sheet).toMatchObject({ own: true, unused: [], problems: [], headerRow: 3 });
    expect(lines[0]!.own).toEqual({ batch: null, row: null, status: null, attempts: null, payment: null });
    expect(sheet.controlTotal()).toMatchObject({ row: 8, cells: { amount: '6' } });
    const again = await checked(sheet, found);
    expect(valuesOf(again.sheet, 3).slice(4)).toEqual(ours);
    expect(valuesOf(again.sheet, 5)).toEqual(['B;b', '2', '=R', undefined, 'OK']);
  });

  test('every text comes back as it was, whatever a spreadsheet would make of it', async () => {
    const letters = fc.stringMatching(/^['=+\-@\t\r\n "_x0D9é＝😀\u0001\u2028-]{0,12}$/u);
    const nasty = fc.constantFrom('_x000D_', '_x005F_x000D_', '=cmd()', "'=1", '+1', '<&>"', ' a ', '😀');
    const cell = fc.oneof(letters, nasty);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 12 }), async (pairs) => {
        const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const body = pairs.map(([name, note], index) =>
          // Among enough plain text: a file full of control characters is no text, and is refused.
          [`n${name}`, String(index), note, name, '0'.repeat(1000)].map(quoted).join(','),
        );
        const source = await openSheet(given('p.csv', `name,amount,reference,note,account\n${body.join('\n')}\n`));
        const before = cellsOf(await linesOf(source));
        const hostile = pairs.map(([message], index) =>
          problem(index + 2, 'reference', { message, suggestion: message }),
        );
        const { path } = await checked(source, hostile);
        expect(cellsOf((await readAll(path)).lines)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  test('a text that no cell can hold is cut', async () => {
    const long = 'x'.repeat(32_767);
    const source = await openSheet(given('a.csv', `name,amount,reference,note\nA,1,R,${long}\nB,1,R,${long}y\n`));
    const { sheet } = await checked(source, [problem(2, 'name', { message: long })]);
    expect([sheet.getCell('D2').value, sheet.getCell('D3').text.length]).toEqual([long, 32_767]);
    expect(sheet.getCell('F2').value).toBe(long);
    expect(noteOf(sheet.getCell('A2'))!.length).toBeLessThan(700);
  });

  test('a surplus cell is moved behind our columns, is marked, and is found again', async () => {
    const source = await openSheet(given('a.csv', 'Title,,,far,farther\nname,amount,reference\nA,1,R,surplus\n'));
    const surplus = problem(3, null, { code: 'CELL_BEYOND_HEADER', value: 'surplus' });
    const { sheet, path } = await checked(source, [surplus]);
    expect(valuesOf(sheet, 3).slice(3)).toEqual(['FIX', surplus.message, undefined, 'surplus']);
    expect(noteOf(sheet.getCell('G3'))).toBe(noteFor(surplus));
    const read = await readAll(path);
    expect(codesOf(read.lines[0]!.problems)).toEqual(['CELL_BEYOND_HEADER']);
    const again = await checked(read.sheet, [surplus]);
    expect(valuesOf(again.sheet, 1)).toEqual(['Title', undefined, undefined, 'far', 'farther']);
    expect(valuesOf(again.sheet, 3)).toEqual(valuesOf(sheet, 3));
  });

  test('a row far below is written at once', async () => {
    const source = await openSheet(given('a.csv', `name,amount,reference\nA,1,R\n${'\n'.repeat(60_000)}B,2,S\n`));
    const { path } = await checked(source, [problem(60_003, null)]);
    expect((await readAll(path)).lines.map(({ number }) => number)).toEqual([2, 60_003]);
  });
});

test('what is signed below the totals row stays there, and is found again', async () => {
  const source = await openSheet(given('a.csv', 'name,amount,reference\nA,1,R\nTotal,1,\n\nPrepared by: T. Mokoena\n'));
  await linesOf(source);
  const { path, sheet } = await checked(source, [problem(2, 'name')]);
  expect(valuesOf(sheet, 5)).toEqual(['Prepared by: T. Mokoena']);
  const again = await readAll(path);
  expect([again.lines.length, again.sheet.controlTotal()?.row, again.sheet.belowTotal()]).toEqual([1, 3, [5]]);
});

describe('a row of a checked sheet', () => {
  const source = () => openSheet(given('a.csv', 'name,account,amount,reference\nA,1,1,R\nB,2,2,S\nC,3,3,T\n'));
  const edited = async (change: (sheet: Excel.Worksheet) => void) => {
    const { path, workbook, sheet } = await checked(await source(), [problem(3, 'name')]);
    change(sheet);
    await workbook.xlsx.writeFile(path);
    return await readAll(path);
  };

  test('that a person emptied is blank, and the others keep their numbers', async () => {
    const { lines } = await edited((sheet) => {
      for (const letter of 'ABCD') sheet.getCell(`${letter}3`).value = null;
    });
    expect(lines.map(({ number }) => number)).toEqual([2, 4]);
  });

  test('that lacks its account and is called a total is no total in the middle', async () => {
    const { lines, sheet } = await edited((edit) => {
      edit.getCell('A3').value = 'Total Kenya Ltd';
      edit.getCell('B3').value = null;
    });
    expect(lines.map(({ number, cells }) => [number, cells.name])).toEqual([
      [2, 'A'],
      [3, 'Total Kenya Ltd'],
      [4, 'C'],
    ]);
    expect(sheet.controlTotal()).toBeNull();
  });

  test('that holds nothing but a sum is the total, whatever stands on its right', async () => {
    const { lines, sheet } = await edited((edit) => {
      edit.getCell('C5').value = 6;
      edit.getCell('E5').value = 'FIX';
    });
    expect(lines).toHaveLength(3);
    expect(sheet.controlTotal()?.row).toBe(5);
  });

  test('with a column of the person’s that is headed payment_id still has its key', async () => {
    const own = await openSheet(given('a.csv', 'payment_id,name,amount,reference\np1,A,1,R\n'));
    const { path } = await checked(own, [problem(2, 'name')]);
    const { lines, sheet } = await readAll(path);
    expect(lines[0]!.cells).toMatchObject({ row_id: 'p1' });
    expect(sheet.ours).toEqual([false, false, false, false, true, true, true]);
  });
});

describe('a result that comes in again', () => {
  test('keeps its columns, its keys and its batch', async () => {
    const header = 'name,amount,reference,payrun_status,payment_id,payrun_batch,payrun_row';
    const source = await openSheet(given('n.result.csv', `${header}\nA,1,R,skipped,,nov,k1\nB,2,S,paid,p2,nov,k2\n`));
    const { path, sheet } = await checked(source, [problem(2, 'name')]);
    expect(valuesOf(sheet, 1)).toEqual([...header.split(','), ...ours]);
    expect((await readAll(path)).lines.map(({ own }) => own)).toEqual([
      { batch: 'nov', row: 'k1', status: 'skipped', attempts: null, payment: null },
      { batch: 'nov', row: 'k2', status: 'paid', attempts: null, payment: 'p2' },
    ]);
  });
});

describe('a workbook', () => {
  async function november(change: (sheet: Excel.Worksheet) => void = () => {}): Promise<Sheet> {
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('November');
    sheet.addRow(['Name', 'Account Number', 'Amount', 'Reference', 'Due', 'Note']);
    sheet.addRow(['A', 123, 1500, 'R 1', new Date(Date.UTC(2026, 10, 30)), '=1+1']);
    sheet.addRow(['B', '00124', { formula: 'C2*2', result: 3000 }, 'R_x0041_', null, true]);
    sheet.addRow(['C', 125, 12.5, { formula: 'A1' }, null, { error: '#REF!' }]);
    sheet.getCell('B4').numFmt = '00000';
    sheet.getColumn(3).numFmt = '#,##0.00';
    sheet.getColumn(1).width = 33;
    change(sheet);
    const path = freshPath('november.xlsx');
    await workbook.xlsx.writeFile(path);
    return openSheet(path);
  }

  test('keeps its name, widths, formats, numbers and dates; a calculated cell its last result', async () => {
    const { sheet, marked } = await checked(await november(), [
      problem(2, 'account_number'),
      problem(4, 'account_number'),
    ]);
    expect(sheet.name).toBe('November');
    expect(sheet.getColumn(1).width).toBe(33);
    expect(valuesOf(sheet, 2).slice(0, 6)).toEqual(['A', 123, 1500, 'R 1', new Date(Date.UTC(2026, 10, 30)), '=1+1']);
    expect(valuesOf(sheet, 3).slice(2, 6)).toEqual([3000, 'RA', undefined, true]);
    expect([sheet.getCell('C2').numFmt, sheet.getCell('B2').numFmt]).toEqual(['#,##0.00', '@']);
    expect(sheet.getCell('B4').numFmt, 'a format that shows zeros stays').toBe('00000');
    expect(marked.calculated).toBe(true);
  });

  test('what could not be read is no empty cell when it is handed in again', async () => {
    const { sheet, path } = await checked(await november(), []);
    expect(sheet.getCell('D4').value).toEqual({ error: '#N/A' });
    expect((await readAll(path)).lines[2]!.cells.reference).toMatchObject({ kind: 'error', text: '#N/A' });
  });

  test('a hidden or merged cell stays hidden or merged, and is found again', async () => {
    const source = await november((sheet) => {
      sheet.mergeCells('D2:D3');
      sheet.mergeCells('A4:B4');
      sheet.getRow(3).hidden = true;
      sheet.getColumn(2).hidden = true;
    });
    const lines = await linesOf(source);
    const late = source.lateProblems().map((one) => ({ ...one, row: null }));
    const problems = [...source.problems, ...late, ...lines.flatMap((line) => line.problems)].map((one) =>
      shownProblem(one),
    );
    const { path, sheet } = await checked(source, problems);
    expect([sheet.getRow(3).hidden, sheet.getColumn(2).hidden]).toEqual([true, true]);
    const again = await readAll(path);
    const codes = (read: Sheet, of: readonly Line[]) =>
      codesOf([...read.problems, ...of.flatMap((line) => line.problems), ...read.lateProblems()]);
    expect(codes(again.sheet, again.lines)).toEqual(codes(source, lines));
    expect(codes(again.sheet, again.lines)).toEqual(['COLUMN_HIDDEN', 'ROW_HIDDEN', 'MERGED_CELLS', 'MERGED_CELLS']);
  });

  test('a merge over the whole sheet costs nothing', async () => {
    const source = await november();
    const everything = { top: 1, bottom: 1_048_576, left: 0, right: 16_383 };
    const inside = { top: 2, bottom: 3, left: 0, right: 0 };
    const merges = () => [everything, inside];
    const path = freshPath('m.checked.xlsx');
    const plan = { rowsRead: true, now: 0, summary: () => ({ title: '', facts: [], tables: [] }) };
    await writeChecked({ path, subject: 'sheet' }, { ...plan, source: { ...source, merges }, problems: () => [] });
    expect(await partOf(path, 'xl/worksheets/sheet2.xml')).toContain(
      '<mergeCells count="1"><mergeCell ref="A1:F1048576"/></mergeCells>',
    );
  });

  test('on a sheet whose name has an apostrophe names no range, which Excel would find damaged', async () => {
    const source = await november();
    const { path } = await checked(source, []);
    expect(await partOf(path, 'xl/workbook.xml')).toContain('!$1:$1');
    const quoted = await checked({ ...source, name: "Zoë's" }, []);
    expect(quoted.sheet.name).toBe("Zoë's");
    expect(await partOf(quoted.path, 'xl/workbook.xml')).not.toContain('definedName');
  });

  test('a sheet name that would end within a character is cut before it', async () => {
    const source = await openSheet(given('a.csv', 'name,amount,reference\nA,1,R\n'));
    const { path, sheet } = await checked({ ...source, name: `${'x'.repeat(30)}😀` }, []);
    expect(sheet.name).toBe('x'.repeat(30));
    expect((await openSheet(path)).name).toBe('x'.repeat(30));
  });

  test('a wrong header is marked where it stands, a wrong sum in the totals row', async () => {
    const source = await openSheet(given('a.csv', 'name,amount,reference,refrence\nA,1,R,x\nTotal,5,,\n'));
    await linesOf(source);
    const header = problem(1, 'reference', { value: 'refrence', suggestion: 'reference' });
    const sum = problem(null, 'amount', { code: 'TOTAL_DIFFERS', value: '5' });
    const { sheet, marked } = await checked(source, [sum, header]);
    expect([fillOf(sheet.getCell('D1')), noteOf(sheet.getCell('D1'))]).toEqual([red, noteFor(header)]);
    expect(noteOf(sheet.getCell('C1'))).toBeNull();
    expect([noteOf(sheet.getCell('B1')), noteOf(sheet.getCell('B3'))]).toEqual([null, noteFor(sum)]);
    expect(valuesOf(sheet, 3).slice(4, 6)).toEqual(['FIX', sum.message]);
    expect(codesOf(marked.whole)).toEqual(['TOTAL_DIFFERS', 'WRONG']);
  });

  test('rows that were not looked at are not called OK', async () => {
    const source = await openSheet(given('a.csv', 'name,amount,reference,refrence\nA,1,R,x\n'));
    const { sheet, marked } = await checked(source, [problem(1, 'reference', { value: 'refrence' })], {
      rowsRead: false,
    });
    expect(valuesOf(sheet, 2)).toEqual(['A', '1', 'R', 'x']);
    expect(marked.marks).toEqual({ FIX: 0, LOOK: 0, OK: 0 });
  });

  test('notes have room for what they say, and there are at most 5,000 of them', async () => {
    const rows = Array.from({ length: 5100 }, (_, index) => `A,${index},R`).join('\n');
    const source = await openSheet(given('a.csv', `name,amount,reference\n${rows}\n`));
    const long = 'a rather long sentence that says what is wrong here, '.repeat(5);
    const problems = Array.from({ length: 5100 }, (_, index) =>
      problem(index + 2, 'amount', { message: index === 0 ? 'short' : long }),
    );
    const { path, sheet } = await checked(source, problems);
    const boxes = [...(await partOf(path, 'xl/drawings/vmlDrawing2.vml')).matchAll(/<x:Anchor>([^<]+)</g)];
    const heights = boxes.map(([, anchor]) => anchor!.split(', ').map(Number)).map((at) => at[6]! - at[2]!);
    expect(boxes).toHaveLength(5000);
    expect(heights[1]!).toBeGreaterThan(heights[0]! + 3);
    expect([fillOf(sheet.getCell('B5101')), noteOf(sheet.getCell('B5101'))]).toEqual([red, null]);
  });
});

async function partOf(path: string, name: string): Promise<string> {
  const { handle, stats } = await openRegular(path);
  try {
    const archive = openArchive(handle, stats.size);
    return await archive.text(archive.parts.get(name)!);
  } finally {
    await handle.close();
  }
}

describe('a totals row', () => {
  const sheetWith = async (formula: string) => {
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('Pay');
    sheet.addRows([
      ['name', 'amount', 'reference'],
      ['A', 5, 'R'],
      ['B', 7, 'R'],
      ['Total', { formula, result: 12 }, null],
    ]);
    const path = freshPath('sum.xlsx');
    await workbook.xlsx.writeFile(path);
    return path;
  };

  test.each(['SUM(B2:B3)', 'SUM(B$2:B3)', 'SUBTOTAL(9,B2:B3)', 'SUBTOTAL(109,$B$2:$B$3)'])(
    'that adds up with %s goes on adding up, so that an amount may be mended',
    async (formula) => {
      const source = await openSheet(await sheetWith(formula));
      const { path, workbook, sheet, marked } = await checked(source, [problem(2, 'amount')]);
      expect(sheet.getCell('B4').value).toEqual({ formula, result: 12 });
      expect(marked.calculated).toBe(false);
      // As the person's program has it, once the amount is mended.
      sheet.getCell('B2').value = 6;
      sheet.getCell('B4').value = { formula, result: 13 };
      await workbook.xlsx.writeFile(path);
      const again = await readAll(path);
      expect(again.lines.map(({ cells }) => cells.amount)).toMatchObject([{ text: '6' }, { text: '7' }]);
      expect(again.sheet.controlTotal()?.cells.amount).toMatchObject({ text: '13', formula: true });
    },
  );

  test.each(['SUM(B2:B4)', 'SUM(A2:A3)', 'B2+B3', 'SUM(Other!B2:B3)', 'SUM(B2:B3)*2', 'SUM(B2:C3)'])(
    'that says %s has its last result',
    async (formula) => {
      const { sheet, marked } = await checked(await openSheet(await sheetWith(formula)), []);
      expect([sheet.getCell('B4').value, marked.calculated]).toEqual([12, true]);
    },
  );

  test('whose column moves has its last result', async () => {
    const path = await sheetWith('SUM(B2:B3)');
    const workbook = new Excel.Workbook();
    await workbook.xlsx.readFile(path);
    const [sheet] = workbook.worksheets;
    sheet!.spliceColumns(1, 0, ['payrun_check', 'OK', 'OK']);
    sheet!.getCell('C4').value = { formula: 'SUM(C2:C3)', result: 12 };
    await workbook.xlsx.writeFile(path);
    const after = await checked(await openSheet(path), []);
    expect(after.sheet.getCell('B4').value).toBe(12);
  });
});

describe('a sheet of more than 20,000 rows', () => {
  const long = (rows: number) => openSheet(given('long.csv', `name,amount,reference\n${'A,1,R\n'.repeat(rows)}`));

  test('comes back as its rows with problems, each with its number, and is refused as a sheet', async () => {
    const source = await long(25_000);
    const first = problem(7, 'amount');
    const { sheet, path, marked } = await checked(source, [
      first,
      problem(20_500, 'name', { severity: 'warning' }),
      problem(24_000, 'amount', { severity: 'repair' }),
      problem(25_001, 'amount'),
    ]);
    expect(marked).toMatchObject({ partial: true, marks: { FIX: 2, LOOK: 1, OK: 24_997 } });
    const header = ['payrun_sheet_row', 'name', 'amount', 'reference', 'payrun_check'];
    expect(valuesOf(sheet, 1).slice(0, 5)).toEqual(header);
    expect([2, 3, 4, 5].map((row) => valuesOf(sheet, row).slice(0, 5))).toEqual([
      [7, 'A', '1', 'R', 'FIX'],
      [20_500, 'A', '1', 'R', 'LOOK'],
      [25_001, 'A', '1', 'R', 'FIX'],
      [],
    ]);
    expect(noteOf(sheet.getCell('C2'))).toBe(noteFor(first));
    expect(codesOf((await openSheet(path)).problems)).toEqual(['SHEET_OF_PROBLEMS']);
  });

  test('with too many of these, the rows to mend come first', { tags: ['long'] }, async () => {
    const source = await long(25_000);
    const problems = Array.from({ length: 24_000 }, (_, index) =>
      problem(index + 2, 'amount', { severity: index < 22_000 ? 'warning' : 'error' }),
    );
    const { marked } = await checked(source, problems);
    expect([marked.rows.length, marked.rows[0]!.row.number]).toEqual([2000, 22_002]);
    const all = await checked(
      source,
      problems.map((one) => ({ ...one, severity: 'error' as const })),
    );
    expect([all.marked.rows.length, all.marked.marks.FIX]).toEqual([20_000, 24_000]);
  });
});

describe('the list of problems', () => {
  const hostile = [
    problem(null, null, { message: 'of the sheet' }),
    problem(2, 'name', { value: '=cmd()', suggestion: '+1', message: '@a "b"\n;c' }),
  ];

  test('as CSV holds nothing that a spreadsheet would run, separated as asked', async () => {
    const path = await writeProblemsCsv({ path: freshPath('a.problems.csv'), subject: 'sheet' }, hostile, ';');
    const lines = readFileSync(path, 'utf8');
    expect(lines.startsWith('\ufeffrow;column;code;severity;message;value;suggestion\r\n')).toBe(true);
    expect(parse(lines, { bom: true, delimiter: ';' })).toEqual([
      ['row', 'column', 'code', 'severity', 'message', 'value', 'suggestion'],
      ['', '', 'WRONG', 'error', 'of the sheet', '', ''],
      ['2', 'name', 'WRONG', 'error', '\'@a "b"\n;c', "'=cmd()", "'+1"],
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('as JSON is one document, with a problem in each line', async () => {
    const many = Array.from({ length: 2500 }, (_, index) => problem(index, 'amount'));
    for (const problems of [[], hostile, many]) {
      const path = await writeProblemsJson({ path: freshPath('a.problems.json'), subject: 'sheet' }, problems, {
        sheet: 'a.csv',
        checked: null,
      });
      const document = readFileSync(path, 'utf8');
      expect(JSON.parse(document)).toEqual({ payrun: 'problems', sheet: 'a.csv', checked: null, problems });
      expect(document.split('\n')).toHaveLength(problems.length + 3);
    }
  });
});

describe('beside the sheet', () => {
  test.each([
    ['/p/november.xlsx', 'november'],
    ['november.checked.xlsx', 'november'],
    ['november.checked-2.xlsx', 'november'],
    ['november.result.checked.xlsx', 'november'],
    ['pay.2026.csv', 'pay.2026'],
    ['unchecked.csv', 'unchecked'],
    ['.checked.xlsx', '.checked'],
  ])('%s is called %s', (path, stem) => {
    expect(stemOf(path)).toBe(stem);
  });

  async function desk() {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-beside-'));
    const sheet = join(folder, 'november.csv');
    writeFileSync(sheet, text);
    const plan = { rowsRead: true, now: 0, summary: () => ({ title: 'x', facts: [], tables: [] }) };
    const write = async () => {
      const source = await openSheet(sheet);
      const { path } = await writeChecked(sheetOutput(sheet, null, '.checked.xlsx'), {
        ...plan,
        source,
        problems: () => found,
      });
      await writeProblemsCsv(sheetOutput(sheet, null, '.problems.csv'), found, ',');
      const facts = { sheet: 'november.csv', checked: null };
      await writeProblemsJson(sheetOutput(sheet, null, '.problems.json'), found, facts);
      return path;
    };
    const names = () =>
      readdirSync(folder)
        .filter((name) => !name.startsWith('.'))
        .toSorted();
    return { folder, sheet, write, names };
  }

  test('ours are replaced and removed', async () => {
    const { sheet, write, names } = await desk();
    const all = ['november.checked.xlsx', 'november.csv', 'november.problems.csv', 'november.problems.json'];
    await write();
    expect(basename(await write())).toBe('november.checked.xlsx');
    expect(names()).toEqual(all);
    expect((await removeEarlier(sheet, null, { paths: [] })).map((path) => basename(path)).toSorted()).toEqual(
      all.toSpliced(1, 1),
    );
    expect(names()).toEqual(['november.csv']);
  });

  test('a file that a person saved, or that only has such a name, stays, and ours gets another name', async () => {
    const { folder, sheet, write, names } = await desk();
    const first = await write();
    const workbook = new Excel.Workbook();
    await workbook.xlsx.readFile(first);
    // A program that keeps the names and times in it is found out too.
    await workbook.xlsx.writeFile(first);
    writeFileSync(join(folder, 'november.problems.csv'), 'row,problem\n1,mine\n');
    writeFileSync(join(folder, 'november.problems.json'), '{"mine":true}');
    symlinkSync(sheet, join(folder, 'november.checked-2.xlsx'));
    expect(basename(await write())).toBe('november.checked-3.xlsx');
    expect((await removeEarlier(sheet, null, { paths: [] })).map((path) => basename(path)).toSorted()).toEqual([
      'november.checked-3.xlsx',
      'november.problems-2.csv',
      'november.problems-2.json',
    ]);
    expect(names()).toEqual([
      'november.checked-2.xlsx',
      'november.checked.xlsx',
      'november.csv',
      'november.problems.csv',
      'november.problems.json',
    ]);
  });

  test('a result, and a file of another sheet, are not removed', async () => {
    const { folder, sheet, write } = await desk();
    await write();
    const others = ['december.checked.xlsx', 'november.result.xlsx', 'november.checked-2.xlsx'];
    for (const name of others) writeFileSync(join(folder, name), readFileSync(join(folder, 'november.checked.xlsx')));
    await removeEarlier(sheet, null, { paths: [] });
    expect(others.map((name) => existsSync(join(folder, name)))).toEqual([true, true, true]);
  });
});
