/** Corrections of cells: how Payrun applies them, and when it refuses them. */

import { writeFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { shownText } from '../../src/domain/rows/cell.ts';
import { type CellCorrection, openSheet, readCorrections, textsCorrected } from '../../src/sheet/sheet.ts';
import { codesOf, freshPath, given, readAll } from './given.ts';

const correction = (parts: Partial<CellCorrection>): CellCorrection => ({
  row: 4,
  column: 2,
  from: '12.50',
  to: '13',
  by: 'Ann',
  at: '2026-11-21T09:30:00.000Z',
  ...parts,
});
const csv = 'Payments of November\nname,phone,amount,reference\nA B,0712345601,12.50,R 1\nC D,0712345602,12.50,R 1\n';
/** Row 2 is the header of `csv`. */
const sheetOf = () => given('sheet.csv', csv);
const shown = async (path: string, ...corrections: CellCorrection[]) => {
  const { sheet, lines } = await readAll(path, { corrections });
  return { lines: lines.map(({ raw }) => raw.map(shownText)), lines2: lines, late: sheet.lateProblems() };
};

describe('a corrected cell', () => {
  test('has its new text, is reported, and leaves the file unchanged', async () => {
    const path = sheetOf();
    const { lines2, late } = await shown(path, correction({}));
    expect(lines2.map(({ cells }) => cells.amount)).toEqual(['12.50', '13']);
    expect([codesOf(lines2[0]!.problems), late]).toEqual([[], []]);
    expect(lines2[1]!.problems).toEqual([
      {
        row: 4,
        column: 'amount',
        code: 'CELL_CORRECTED',
        severity: 'repair',
        facts: {
          column: 'C',
          row: 4,
          header: 'amount',
          from: '12.50',
          to: '13',
          by: 'Ann',
          at: expect.any(String) as string,
        },
        value: '12.50',
        suggestion: '13',
      },
    ]);
    expect((await shown(path)).lines.map((cells) => cells[2])).toEqual(['12.50', '12.50']);
  });

  test('may be each cell of a column that says the same, once for all', async () => {
    const { lines, late } = await shown(sheetOf(), correction({ row: null }));
    expect([lines.map((cells) => cells[2]), late]).toEqual([['13', '13'], []]);
  });

  test('may be one of several rows, and no other', async () => {
    const path = given(
      'runs.csv',
      `name,phone,amount,reference\n${'A B,0712345601,12.50,R\n'.repeat(6)}Total,,12.50,\n`,
    );
    const runs = [
      [2, 3],
      [5, 6],
    ] as const;
    const { lines, late } = await shown(path, correction({ row: runs }));
    expect([lines.map((cells) => cells[2]), codesOf(late)]).toEqual([['13', '13', '12.50', '13', '13', '12.50'], []]);
    const once = [correction({ row: 5, to: '14' }), correction({ row: runs })];
    expect((await shown(path, ...once)).late).toMatchObject([
      {
        code: 'CORRECTION_LOST',
        facts: { from: '12.50', row: 2, rows: 4, found: 3 },
      },
    ]);
  });

  test('may be corrected again, in the order of the list', async () => {
    const again = [
      correction({ row: null }),
      correction({ from: '13', to: '14' }),
      correction({ from: '14', to: '15' }),
    ];
    const { lines, lines2 } = await shown(sheetOf(), ...again);
    const cell = { code: 'CELL_CORRECTED', column: 'C', row: 4, header: 'amount' };
    expect(lines.map((cells) => cells[2])).toEqual(['13', '15']);
    expect(lines2[1]!.problems.map(({ code, facts }) => ({ code, ...facts }))).toMatchObject([
      { ...cell, from: '12.50', to: '13' },
      { ...cell, from: '13', to: '14' },
      { ...cell, from: '14', to: '15' },
    ]);
    expect((await shown(sheetOf(), ...again.toReversed())).late).toMatchObject([
      { code: 'CORRECTION_LOST' },
      { code: 'CORRECTION_LOST' },
    ]);
  });

  test('is plain text, also where the workbook holds a number or a date', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Payouts');
    sheet.addRow(['name', 'phone', 'amount', 'reference']);
    sheet.addRow(['A B', 712345601, 12.5, new Date(Date.UTC(2026, 10, 1))]);
    const path = freshPath('sheet.xlsx');
    writeFileSync(path, new Uint8Array(await book.xlsx.writeBuffer()));
    const { lines } = await shown(path);
    const [, phone = '', amount = '', reference = ''] = lines[0]!;
    const all = [
      correction({ row: 2, column: 1, from: phone, to: '0712345601' }),
      correction({ row: 2, column: 2, from: amount, to: '13' }),
      correction({ row: 2, column: 3, from: reference, to: 'NOV 26' }),
    ];
    const { lines2, late } = await shown(path, ...all);
    expect([lines2[0]!.raw, late]).toEqual([['A B', '0712345601', '13', 'NOV 26'], []]);
  });

  test('stands in the rows from which a sheet is written again', async () => {
    const sheet = await openSheet(sheetOf(), { corrections: [correction({})] });
    const rows = [];
    for await (const batch of sheet.rows()) rows.push(...batch.map(({ kind, cells }) => [kind, cells[2]]));
    expect(rows).toEqual([
      ['title', undefined],
      ['header', 'amount'],
      ['line', '12.50'],
      ['line', '13'],
    ]);
  });

  test('may be one that the row does not reach', async () => {
    const path = given('short.csv', 'name,phone,amount,reference\nA B,0712345601,13\nC D,0712345602,14,R 2\n');
    const { lines, late } = await shown(path, correction({ row: 2, column: 3, from: '', to: 'R 1' }));
    expect([lines[0], late]).toEqual([['A B', '0712345601', '13', 'R 1'], []]);
  });

  test('of the totals row is told for the whole sheet', async () => {
    const path = given('total.csv', 'name,phone,amount,reference\nA B,0712345601,13,R 1\nTotal,,14,\n');
    const { late } = await shown(path, correction({ row: 3, column: 2, from: '14', to: '13' }));
    expect(late).toMatchObject([{ code: 'CELL_CORRECTED', row: 3 }]);
  });

  test.each([
    ['the totals row, with all that say the same,', 'Total,,14,', correction({ row: null, from: '14', to: '13' })],
    ['a row that it makes a signature', 'Total,,13,\nSigned by: C D,,14,', correction({ row: 4, from: '14', to: '' })],
  ])('of %s is told for the whole sheet', async (_, rest, one) => {
    const path = given('apart.csv', `name,phone,amount,reference\nA B,0712345601,13,R 1\n${rest}\n`);
    expect((await shown(path, one)).late).toMatchObject([{ code: 'CELL_CORRECTED', value: '14' }]);
  });
});

describe('a correction is lost, and an error,', () => {
  const lost = async (...all: CellCorrection[]) =>
    (await shown(sheetOf(), ...all)).late.map(({ code, severity, facts }) => ({ code, severity, ...facts }));
  const error = { code: 'CORRECTION_LOST', severity: 'error' };
  const amount = { column: 'C', header: 'amount', from: '12.50', to: '13', row: 4, rows: null, found: 0 };

  test.each<[string, Partial<CellCorrection>, object]>([
    ['where the cell has another text', { from: '12.5' }, { ...amount, from: '12.5' }],
    ['where no cell of the column has the text', { row: null, from: 'x' }, { ...amount, from: 'x', row: null }],
    ['where there is no such row', { row: 9 }, { ...amount, row: 9 }],
    ['where there is no such column', { column: 9 }, { ...amount, column: 'J', header: null }],
    ['in the header', { row: 2, from: 'amount' }, { ...amount, row: 2, from: 'amount' }],
    ['above the header', { row: 1, column: 0, from: 'Payments of November' }, { column: 'A', header: 'name', row: 1 }],
  ])('%s', async (_, parts, facts) => {
    expect(await lost(correction(parts))).toMatchObject([{ ...error, ...facts }]);
  });

  test('where it would empty a row', async () => {
    const cells = ['C D', '0712345602', '12.50', 'R 1'];
    const all = cells.map((from, column) => correction({ column, from, to: '' }));
    expect(await lost(...all)).toEqual([{ ...error, emptied: 4 }]);
  });

  test('where it is of a column that Payrun writes', async () => {
    const path = given('result.csv', 'name,phone,amount,reference,payrun_row\nA B,0712345601,13,R 1,abc\n');
    const { late } = await shown(path, correction({ row: 2, column: 4, from: 'abc', to: 'def' }));
    expect(codesOf(late)).toEqual(['CORRECTION_LOST']);
  });
});

test.each([
  ['nothing', [], ['a', 'b', 'a', 'a']],
  ['one row', [{ row: 4, from: 'a', to: 'c' }], ['a', 'b', 'c', 'a']],
  ['one that says something else', [{ row: 3, from: 'a', to: 'c' }], ['a', 'b', 'a', 'a']],
  [
    'runs',
    [
      {
        row: [
          [1, 3],
          [9, 20],
        ],
        from: 'a',
        to: 'c',
      },
    ],
    ['c', 'b', 'a', 'c'],
  ],
  ['each that says so', [{ row: null, from: 'a', to: 'c' }], ['c', 'b', 'c', 'c']],
  [
    'one upon another',
    [
      { row: null, from: 'a', to: 'c' },
      { row: 4, from: 'c', to: 'b' },
    ],
    ['c', 'b', 'b', 'c'],
  ],
] as const)('cells say what they said in the file, and what corrections made of it: %s', (_, corrections, now) => {
  expect(textsCorrected([2, 3, 4, 9], ['a', 'b', 'a', 'a'], corrections)).toEqual(now);
});

describe('a file of corrections', () => {
  const one = JSON.stringify(correction({}));
  const fileOf = (correction: string) => `{"corrections": [${correction}]}`;
  const read = (text: string) => readCorrections(given('corrections.json', text));
  const refused = (why: object): unknown =>
    expect.objectContaining({ code: 'CORRECTIONS_UNUSABLE', facts: expect.objectContaining({ why }) });

  test('has a row, runs of rows, or all rows', () => {
    expect(read(fileOf(one))).toEqual([correction({})]);
    expect(read(fileOf(one.replace('"row":4', '"row":[[2,3],[5,5]]')))).toMatchObject([
      {
        row: [
          [2, 3],
          [5, 5],
        ],
      },
    ]);
  });

  test.each<[string, string]>([
    ['{}', 'corrections'],
    [`{"corrections": [${one}], "more": 1}`, ''],
    [fileOf(one.replace('"by":"Ann",', '')), 'corrections[0].by'],
    [fileOf(one.replace('"row":4', '"row":"4"')), 'corrections[0].row'],
    ...['[]', '[[3,2]]', '[[2,4],[4,5]]', '[2,3]'].map((row): [string, string] => [
      fileOf(one.replace('"row":4', `"row":${row}`)),
      'corrections[0].row',
    ]),
    [fileOf(one.replace('2026-11-21T09:30:00.000Z', 'yesterday')), 'corrections[0].at'],
  ])('is refused with a wrong part: %s', (text, place) => {
    expect(() => read(text)).toThrow(refused(expect.objectContaining({ fault: 'wrong-shape', place })));
  });

  test('is refused if it is no JSON, has a key twice, or is missing', () => {
    expect(() => read('[')).toThrow(refused(expect.objectContaining({ fault: 'not-json' })));
    const twice = fileOf(one.replace('"to":"13"', '"to":"13","to":"14"'));
    expect(() => read(twice)).toThrow(refused({ fault: 'key-is-twice', key: 'to' }));
    expect(() => readCorrections(freshPath('none.json'))).toThrow(refused({ fault: 'no-file' }));
  });
});
