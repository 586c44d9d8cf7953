import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import Excel from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainNumber } from '../../src/domain/amounts/plain-number.ts';
import { readCells } from '../../src/sheet/sheet.ts';
import { type PlainRow, type PlainSheet, writePlainWorkbook } from '../../src/sheet/write/plain-workbook.ts';
import { createZipWriter } from '../../src/sheet/write/zip-writer.ts';
import { anyText } from '../any-text.ts';
import { freshPath } from './given.ts';

function sheetOf(name: string, rows: readonly PlainRow[]): PlainSheet {
  return { name, headerRow: 0, widths: [], rows: () => [rows] };
}

async function written(...sheets: readonly PlainSheet[]): Promise<string> {
  const path = freshPath('plain.xlsx');
  const handle = await open(path, 'wx');
  try {
    await writePlainWorkbook(handle, sheets);
  } finally {
    await handle.close();
  }
  return path;
}

async function workbookOf(path: string): Promise<Excel.Workbook> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
}

const hostile = [
  '=1+1',
  '+254712345678',
  '-5',
  '@name',
  '\t=1',
  '＝1',
  '_x0041_',
  '_x000d_',
  '_x005F_x0041_',
  '__x0041__',
  '\0',
  '\u0001\u001f\u007f\u0085',
  'a\r\nb\rc\nd',
  ' two  blanks ',
  '\n',
  '<b>&amp;"quoted\' ]]>',
  '👍🏽 Zoë Ọláwálé 中文 עברית',
  '\ufffe\uffff\ufeff',
  '00123',
  '1e5',
  'TRUE',
  '#REF!',
  '9'.repeat(32_767),
  `\0${'👍'.repeat(16_383)}`,
];
// Half a character is nothing that a file can hold: it becomes U+FFFD, as in any text file.
const text = fc.oneof(anyText({ minLength: 1 }), fc.constantFrom(...hostile)).map((one) => one.toWellFormed());
const grid = fc.array(
  fc.array(fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)), { maxLength: 6 }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

/** As our reader has it: a number in plain digits. */
function textOf(cell: string | number | null): string {
  return typeof cell === 'number' ? plainNumber(String(cell))! : (cell ?? '');
}

describe('a workbook without formats', () => {
  test('holds every text and number as it was, for our reader and for exceljs', async () => {
    await fc.assert(
      fc.asyncProperty(grid, async (cells) => {
        const filled = cells.map((row) => [...row, 'end']);
        const path = await written(
          sheetOf(
            'Any',
            filled.map((row, index) => ({ number: index * 2 + 1, cells: row })),
          ),
        );
        const [sheet] = await readCells(path);
        expect(sheet!.rows.map(({ number, cells: read }) => [number, read])).toEqual(
          filled.map((row, index) => [index * 2 + 1, row.map(textOf)]),
        );
        const worksheet = (await workbookOf(path)).getWorksheet('Any')!;
        filled.forEach((row, index) => {
          const values = row.map((_, column) => worksheet.getRow(index * 2 + 1).getCell(column + 1).value);
          // XML knows no negative zero.
          expect(values).toEqual(row.map((cell) => (cell === 0 ? 0 : cell)));
        });
      }),
      { numRuns: 15 },
    );
  });

  test('keeps what a file held: digits, truth and errors; what only a format showed is text', async () => {
    const cell = (kind: 'number' | 'date' | 'boolean' | 'error' | 'uncached', stored: string, shown = stored) => ({
      kind,
      text: stored,
      shown,
      formula: true,
    });
    const cells = [
      cell('number', '12345678901234567890'),
      cell('number', '49999.99999999999', '50000'),
      cell('number', '123', '00123'),
      cell('number', '1e999'),
      cell('date', '46356', '2026-11-30'),
      cell('boolean', 'TRUE'),
      cell('error', '#N/A'),
      cell('error', 'NaN'),
      cell('uncached', ''),
      '',
      'last',
    ];
    const path = await written(sheetOf('Kept', [{ number: 7, cells }]));
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    expect(xml).toContain('<c r="A7"><v>12345678901234567890</v></c><c r="B7"><v>49999.99999999999</v></c>');
    expect(xml).not.toMatch(/<f|t="str"/);
    const row = (await workbookOf(path)).getWorksheet('Kept')!.getRow(7);
    expect((row.values as unknown[]).slice(3)).toEqual([
      '00123',
      '1e999',
      '2026-11-30',
      true,
      { error: '#N/A' },
      // What has no value is not left out, or the file would say less than the one that came in.
      { error: '#N/A' },
      { error: '#N/A' },
      undefined,
      'last',
    ]);
  });

  test('a text longer than a cell is cut, never through a character', async () => {
    const long = ['9'.repeat(32_768), `x${'👍'.repeat(20_000)}`, '👍'.repeat(20_000), 'x\ud800'];
    const [sheet] = await readCells(await written(sheetOf('Long', [{ number: 1, cells: long }])));
    expect(sheet!.rows[0]!.cells).toEqual([
      `${'9'.repeat(32_766)}…`,
      `x${'👍'.repeat(16_382)}…`,
      `${'👍'.repeat(16_383)}…`,
      'x\ufffd',
    ]);
  });

  test('several sheets, names with signs, columns beyond Z, a header that stays in sight', async () => {
    const header = Array.from({ length: 30 }, (_, index) => `h${index}`);
    const path = await written(
      {
        name: 'A & "B" <C>',
        headerRow: 2,
        widths: [12.5],
        rows: () => [[{ number: 2, cells: header }], [{ number: 5, cells: header }]],
      },
      sheetOf('Empty', []),
    );
    const [first, second] = (await workbookOf(path)).worksheets;
    expect(first!.name).toBe('A & "B" <C>');
    expect(first!.views[0]).toMatchObject({ state: 'frozen', ySplit: 2 });
    expect(first!.autoFilter).toBe('A2:AD5');
    expect(first!.getColumn(1).width).toBe(12.5);
    expect(first!.getCell('AD2').font).toMatchObject({ bold: true });
    expect(first!.getCell('AD5').value).toBe('h29');
    expect(second!.rowCount).toBe(0);
  });

  test('the row after the last one that Excel has is refused, with the way on', async () => {
    const at = (number: number) => written(sheetOf('End', [{ number, cells: ['x'] }]));
    expect((await readCells(await at(1_048_576)))[0]!.rows[0]!.number).toBe(1_048_576);
    await expect(at(1_048_577)).rejects.toThrow(
      expect.objectContaining({ code: 'WORKBOOK_ROWS_TOO_MANY', facts: { row: 1_048_577, most: 1_048_576 } }),
    );
  });

  test('more than Payrun reads again is refused, with the way on', async () => {
    const handle = await open(freshPath('large.zip'), 'wx');
    try {
      const zip = createZipWriter(handle, 1000);
      await zip.part('a', ['x'.repeat(600)]);
      await expect(zip.part('b', ['y'.repeat(300), 'é'.repeat(51)])).rejects.toThrow(
        expect.objectContaining({ code: 'WORKBOOK_CELLS_TOO_MANY' }),
      );
    } finally {
      await handle.close();
    }
  });

  test('what fails while it is written ends the writing: rows that cannot be had, a disk that takes no more', async () => {
    const failure = new Error('the ledger is gone');
    const rows = async function* () {
      yield [{ number: 1, cells: ['x'.repeat(30_000)] }];
      throw failure;
    };
    await expect(written({ ...sheetOf('S', []), rows })).rejects.toBe(failure);
    const path = freshPath('full.zip');
    const handle = await open(path, 'wx');
    const zip = createZipWriter(handle);
    function* texts() {
      for (let index = 0; index < 100; index++) {
        if (index === 50) void handle.close();
        yield randomBytes(200_000).toString('base64');
      }
    }
    await expect(zip.part('a', texts())).rejects.toThrow(/EBADF|closed/);
  });

  test('is the same file for the same rows', async () => {
    const rows = [{ number: 1, cells: ['a', 1] }];
    const one = await written(sheetOf('S', rows));
    expect((await readFile(one)).equals(await readFile(await written(sheetOf('S', rows))))).toBe(true);
  });
});

async function partOf(path: string, name: string): Promise<string> {
  const { openArchive } = await import('../../src/sheet/xlsx/zip.ts');
  const handle = await open(path);
  try {
    const archive = openArchive(handle, (await handle.stat()).size);
    return await archive.text(archive.parts.get(name)!);
  } finally {
    await handle.close();
  }
}
