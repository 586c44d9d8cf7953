import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import Excel from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ExtraRow,
  type FurtherTable,
  openSheet,
  type ResultPlan,
  type ResultRow,
  readCells,
  resultPathFor,
  type Sheet,
  type Value,
  writeResult,
} from '../../src/sheet/sheet.ts';
import { placeFile } from '../../src/sheet/write/atomic-file.ts';
import { csvRecords } from '../../src/sheet/write/result-csv.ts';
import { anyText } from '../any-text.ts';
import { codesOf, freshPath, given, linesOf, readAll } from './given.ts';

const columns = [
  { header: 'payment_id', text: true },
  { header: 'payrun_status' },
  { header: 'payrun_reason' },
  { header: 'payrun_amount_settled' },
  { header: 'payrun_batch' },
  { header: 'payrun_row' },
];

function planFor(source: Sheet, change: Partial<ResultPlan> = {}): ResultPlan {
  return {
    source,
    columns,
    async *rows() {
      for await (const chunk of source.lines()) {
        yield chunk.map(
          (line): ResultRow => ({
            number: line.number,
            values: [`p${line.number}`, 'paid', null, 1500, '2026-11', line.own.row ?? `k${line.number}`],
          }),
        );
      }
    },
    async *extra() {},
    summary: {
      title: 'Batch 2026-11',
      facts: [['Sheet', 'a.csv']],
      tables: [{ title: 'Totals', header: ['Currency', 'Paid'], rows: [['ZAR', 1_200_000]] }],
    },
    tables: {},
    ...change,
  };
}

const left: ExtraRow = {
  cells: { name: 'Left Out', amount: '7', reference: 'X' },
  values: ['p9', 'in doubt', 'No answer came.', null, '2026-11', 'k9'],
};

function table(title: string, header: readonly string[], ...rows: readonly Value[][]): FurtherTable {
  return { title, header, rows: async () => rows };
}

async function* extra() {
  yield [left];
}

async function written(source: Sheet, format: 'csv' | 'xlsx', change: Partial<ResultPlan> = {}) {
  const path = freshPath(`r.${format}`);
  expect(await writeResult({ path, subject: 'batch' }, planFor(source, change))).toBe(path);
  return { path };
}

const sheetText = `Our payouts;;;\r\n\r\nName;Amount;Reference;Phone\r\nA;1;R 1;+254712345678\r\n"B;b";2;"=R";\r\n\r\nC;3;R3;\r\nTotal;6;;\r\n`;

describe('CSV', () => {
  test('is the sheet as it was, with ours on the right', async () => {
    const source = await openSheet(given('a.csv', sheetText));
    const { path } = await written(source, 'csv', { extra });
    expect(readFileSync(path, 'utf8').split('\r\n')).toEqual([
      '\ufeffOur payouts;;;',
      ';;;;;;;;;',
      'Name;Amount;Reference;Phone;payment_id;payrun_status;payrun_reason;payrun_amount_settled;payrun_batch;payrun_row',
      "A;1;R 1;'+254712345678;p4;paid;;1500;2026-11;k4",
      `"B;b";2;'=R;;p5;paid;;1500;2026-11;k5`,
      ';;;;;;;;;',
      'C;3;R3;;p7;paid;;1500;2026-11;k7',
      'Total;6;;',
      'Left Out;7;X;;p9;in doubt;No answer came.;;2026-11;k9',
      '',
    ]);
  });

  test('read again it is the same sheet; ours are not carried over, and keys stay', async () => {
    const source = await openSheet(given('a.csv', sheetText));
    const first = await written(source, 'csv', { extra });
    const { sheet, lines } = await readAll(first.path);
    expect(sheet).toMatchObject({ own: true, unused: [], problems: [], headerRow: 3 });
    expect(lines.map(({ number, cells, own }) => [number, cells, own.row])).toEqual([
      [4, { name: 'A', amount: '1', reference: 'R 1', contact_number: '+254712345678' }, 'k4'],
      [5, { name: 'B;b', amount: '2', reference: '=R' }, 'k5'],
      [7, { name: 'C', amount: '3', reference: 'R3' }, 'k7'],
      [9, { name: 'Left Out', amount: '7', reference: 'X' }, 'k9'],
    ]);
    expect(sheet.controlTotal()).toMatchObject({ row: 8, cells: { amount: '6' } });
    const again = await written(sheet, 'csv');
    const header = readFileSync(again.path, 'utf8').split('\r\n')[2];
    expect(header).toBe(
      'Name;Amount;Reference;Phone;payment_id;payrun_status;payrun_reason;payrun_amount_settled;payrun_batch;payrun_row',
    );
  });

  test('every text comes back as it was, whatever parts and ends the records', async () => {
    const tricky = fc.stringMatching(/^['=+\-@\t\r\n ";,|xé＝0-9.]{0,10}$/);
    // Halves of characters are in no file.
    const any = anyText({ maxLength: 30 }).map((text) => text.toWellFormed());
    const text = fc.oneof(tricky, any, fc.constantFrom('_x0041_', '\0', '👍=', '\ufeff=1', `=${'9'.repeat(9999)}`));
    const form = fc.record({
      pairs: fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 20 }),
      delimiter: fc.constantFrom(',', ';', '\t', '|', '#'),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    });
    await fc.assert(
      fc.asyncProperty(form, async ({ pairs, delimiter, lineEnd }) => {
        const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const records = [
          // So much plain text that what follows is not taken for a picture.
          ['name', 'amount', 'reference', '=note', 'account', 'x'.repeat(4096)],
          ...pairs.map(([name, note], index) => [`n${name}`, String(index + 1), note, name, '0', '']),
        ];
        const body = records.map((record) => record.map(quoted).join(delimiter) + lineEnd).join('');
        const source = await openSheet(given('p.csv', delimiter === '#' ? `sep=#${lineEnd}${body}` : body));
        const before = await linesOf(source);
        const { path } = await written(source, 'csv');
        const { sheet, lines } = await readAll(path);
        expect(sheet.header.slice(0, 6)).toEqual(source.header);
        expect(lines.map(({ raw }) => raw.slice(0, 6))).toEqual(before.map(({ raw }) => raw));
        expect(lines.map(({ cells }) => cells)).toEqual(before.map(({ cells }) => cells));
      }),
      { numRuns: 12 },
    );
  });

  test('a surplus cell follows behind ours rather than gets lost', async () => {
    const source = await openSheet(given('a.csv', 'name,amount,reference\nA,1,R,surplus\n'));
    const { path } = await written(source, 'csv');
    expect(readFileSync(path, 'utf8').split('\n')[1]).toBe('A,1,R,p2,paid,,1500,2026-11,k2,surplus');
    expect(codesOf((await readAll(path)).lines[0]!.problems)).toEqual(['CELL_BEYOND_HEADER']);
  });

  test('Windows-1252 goes out as UTF-8 with its mark', async () => {
    const source = await openSheet(given('a.csv', Buffer.from('name,amount,reference\nJosé,1,R\n', 'latin1')));
    const { path } = await written(source, 'csv');
    expect(readFileSync(path, 'utf8')).toContain('\nJosé,1,R,');
  });
});

describe('lines and results', () => {
  const source = () => openSheet(given('a.csv', 'name,amount,reference\nA,1,R\nB,2,S\n'));
  const row = (number: number, values: ResultRow['values'] = ['p', 'paid', null, 1, 'b', 'k']): ResultRow => ({
    number,
    values,
  });
  test.each([
    ['a line without a result', [row(2)], 'line 3 of the sheet has no result'],
    ['a result without a line', [row(2), row(3), row(4)], 'more results than lines'],
    ['results out of order', [row(3), row(2)], 'line 2 of the sheet met the result of line 3'],
    ['a result of the wrong width', [row(2, ['p']), row(3)], 'line 2 has 1 result values'],
  ])('%s stops the writing, and leaves nothing behind', async (_, rows, words) => {
    const path = freshPath('stopped.csv');
    const plan = planFor(await source(), {
      async *rows() {
        yield rows;
      },
    });
    await expect(writeResult({ path, subject: 'batch' }, plan)).rejects.toThrow(words);
    await expect(writeResult({ path: path.replace('.csv', '.xlsx'), subject: 'batch' }, plan)).rejects.toThrow(words);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('stopped'))).toEqual([]);
  });

  test('only .csv and .xlsx are results', async () => {
    await expect(writeResult({ path: freshPath('r.ods'), subject: 'batch' }, planFor(await source()))).rejects.toThrow(
      expect.objectContaining({ code: 'RESULT_FORMAT_UNKNOWN' }),
    );
  });
});

describe('XLSX', () => {
  async function workbookOf(path: string) {
    const workbook = new Excel.Workbook();
    await workbook.xlsx.readFile(path);
    return workbook;
  }

  async function november(): Promise<Sheet> {
    const workbook = new Excel.Workbook();
    const sheet = workbook.addWorksheet('November');
    sheet.addRow(['Payouts of November']);
    sheet.addRow([]);
    sheet.addRow(['Name', 'Account Number', 'Amount', 'Reference', 'Due', 'Note']);
    sheet.addRow(['A', '00123', 1500, 'R 1', new Date(Date.UTC(2026, 10, 30)), '=1+1']);
    sheet.addRow(['B', '00124', { formula: 'C4*2', result: 3000 }, 'R_x0041_', null, true]);
    sheet.addRow([]);
    sheet.addRow(['C', 125, 12.5, 'R 3', null, { error: '#N/A' }]);
    sheet.addRow(['Total', null, 4512.5]);
    sheet.getColumn(3).numFmt = '#,##0.00';
    sheet.getColumn(1).width = 33;
    const path = freshPath('november.xlsx');
    await workbook.xlsx.writeFile(path);
    return openSheet(path);
  }

  test('has a summary first, then the sheet as it was, with ours on the right', async () => {
    const trail = { ...table('Moves', ['Row', 'When'], [5, '2026-11-20T10:00:00.000Z']), note: 'Of rows.' };
    const funding = table('What to deposit', ['Currency', 'Amount', 'Reference'], ['USDT', 15100, '+1 2']);
    const tables = { Funding: funding, Trail: trail };
    const { path } = await written(await november(), 'xlsx', { extra, tables });
    const workbook = await workbookOf(path);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Summary', 'November', 'Funding', 'Trail']);
    expect(workbook.getWorksheet('Trail')?.getCell('A2').value).toBe('Of rows.');
    const sheet = workbook.getWorksheet('November')!;
    const values = (number: number) => (sheet.getRow(number).values as unknown[]).slice(1);
    expect(values(1)).toEqual(['Payouts of November']);
    expect(values(2)).toEqual([]);
    expect(values(3).slice(5, 8)).toEqual(['Note', 'payment_id', 'payrun_status']);
    expect(values(4)).toEqual([
      'A',
      '00123',
      1500,
      'R 1',
      new Date(Date.UTC(2026, 10, 30)),
      '=1+1',
      'p4',
      'paid',
      undefined,
      1500,
      '2026-11',
      'k4',
    ]);
    expect(values(5).slice(2, 6)).toEqual([3000, 'RA', undefined, true]);
    expect(values(6)).toEqual([]);
    expect(values(7).slice(0, 6)).toEqual(['C', 125, 12.5, 'R 3', undefined, { error: '#N/A' }]);
    expect(values(8)).toEqual(['Total', undefined, 4512.5]);
    expect(values(9).slice(0, 4)).toEqual(['Left Out', undefined, 7, 'X']);
    expect(sheet.getCell('B4').numFmt).toBe('@');
    expect(sheet.getCell('C4').numFmt).toBe('#,##0.00');
    expect(sheet.getCell('G4').numFmt).toBe('@');
    expect(sheet.getColumn(1).width).toBe(33);
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 3 });
    expect(sheet.autoFilter).toBe('A3:L9');
    expect(sheet.getCell('H4').fill).toMatchObject({ fgColor: { argb: 'FFD9F0E3' } });
    expect(sheet.getCell('H9').fill).toMatchObject({ fgColor: { argb: 'FFFFEBB8' } });
    const summary = workbook.getWorksheet('Summary')!;
    expect(summary.getCell('A1').value).toBe('Batch 2026-11');
    expect(summary.getCell('B7').value).toBe(1_200_000);
    expect(summary.getCell('B7').numFmt).toBe('#,##0');
    expect(workbook.getWorksheet('Funding')!.getCell('C4').value).toBe('+1 2');
  });

  test('read again it is the same sheet', async () => {
    const source = await november();
    const before = await linesOf(source);
    const { path } = await written(source, 'xlsx', { extra });
    const { sheet, lines } = await readAll(path);
    expect(sheet).toMatchObject({ name: 'November', own: true, unused: ['Due', 'Note'], problems: [] });
    expect(lines.slice(0, 3).map(({ cells }) => cells)).toEqual(
      before.map(({ cells }) =>
        cells.amount === undefined ? cells : { ...cells, amount: { ...(cells.amount as object), formula: false } },
      ),
    );
    expect(lines.map(({ own }) => own.row)).toEqual(['k4', 'k5', 'k7', 'k9']);
    expect(sheet.controlTotal()?.row).toBe(8);
    const again = await written(sheet, 'xlsx');
    const header = (await workbookOf(again.path)).getWorksheet('November')!.getRow(3).values as unknown[];
    expect(header.filter((text) => text === 'payrun_status')).toHaveLength(1);
  });

  test('a CSV sheet becomes a workbook, a workbook a CSV', async () => {
    const fromCsv = await written(await openSheet(given('Pay: roll.csv', sheetText)), 'xlsx');
    expect((await readAll(fromCsv.path)).lines[0]!.cells).toMatchObject({
      contact_number: '+254712345678',
      amount: '1',
    });
    const odd = await written(
      await openSheet(given('a.csv', 'name,amount,reference\n"a_x0041_\u0001\n ",1,"=R <&>"\n')),
      'xlsx',
    );
    expect((await readAll(odd.path)).lines[0]!.raw.slice(0, 3)).toEqual(['a_x0041_\u0001\n ', '1', '=R <&>']);
    const fromXlsx = await written(await november(), 'csv');
    const lines = (await readAll(fromXlsx.path)).lines;
    expect(lines.map(({ raw }) => raw.slice(0, 6))).toEqual([
      ['A', '00123', '1500', 'R 1', '2026-11-30', '=1+1'],
      ['B', '00124', '3000', 'RA', '', 'TRUE'],
      ['C', '125', '12.5', 'R 3', '', '#N/A'],
    ]);
  });

  test('every text comes back as it was, and none is a formula', async () => {
    const hostile = [
      '=1+1',
      '+27 12',
      '@x',
      '_x0041_',
      '\0\u0001',
      ' a ',
      '<b>&amp;"\'',
      '👍',
      'a\r\nb',
      '9'.repeat(30_000),
    ];
    const any = anyText({ maxLength: 30 }).map((text) => text.toWellFormed());
    const text = fc.oneof(any, fc.constantFrom(...hostile));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 10 }), async (pairs) => {
        const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const records = [
          ['name', 'amount', 'reference', 'note', 'x'.repeat(4096)],
          ...pairs.map(([name, note], index) => [`n${name}`, String(index + 1), 'R', note, 'x']),
        ];
        const body = records.map((record) => `${record.map(quoted).join(',')}\n`).join('');
        const source = await openSheet(given('p.csv', body));
        const before = await linesOf(source);
        const { path } = await written(source, 'xlsx');
        const { lines } = await readAll(path);
        expect(lines.map(({ raw }) => raw.slice(0, 5))).toEqual(before.map(({ raw }) => raw));
        const sheet = (await workbookOf(path)).worksheets[1]!;
        sheet.eachRow((row) => row.eachCell((cell) => expect(cell.type).not.toBe(Excel.ValueType.Formula)));
      }),
      { numRuns: 8 },
    );
  });

  test('above 20,000 lines it has no formats, and the same values in the same places', async () => {
    const body = '=A,1,_x0041_\n,,\nB,2,R\n';
    const short = await openSheet(given('a.csv', `Title\nname,amount,reference\n${body}`));
    const rest = 'C,3,R\n'.repeat(20_000);
    const long = await openSheet(given('a.csv', `Title\nname,amount,reference\n${body}${rest}`));
    const change = {
      extra,
      tables: {
        Funding: table('Funding', ['Row', 'Amount'], [3, 15.5], [5, 7]),
        Trail: table('Trail', ['Row', 'What'], [3, 'sent'], ['', 'head']),
      },
    };
    const formatted = await readCells((await written(short, 'xlsx', change)).path);
    const { path } = await written(long, 'xlsx', change);
    const plain = await readCells(path);
    expect(plain.map(({ name }) => name)).toEqual(['Summary', long.name, 'Funding', 'Trail']);
    for (const index of [0, 2, 3]) expect(plain[index]!.rows).toEqual(formatted[index]!.rows);
    expect(plain[1]!.rows.slice(0, 4)).toEqual(formatted[1]!.rows.slice(0, 4));
    expect(plain[1]!.rows.at(-1)).toEqual({ ...formatted[1]!.rows.at(-1)!, number: 20_006 });
    const { sheet, lines } = await readAll(path);
    expect(sheet).toMatchObject({ own: true, headerRow: 2, problems: [] });
    expect(lines).toHaveLength(20_003);
    expect(lines[0]!.cells).toEqual({ name: '=A', amount: '1', reference: '_x0041_' });
  });

  test('a sheet that is named as one of ours gets another name', async () => {
    const { path } = await written(await openSheet(given('x.csv', 'name,amount,reference\nA,1,R\n')), 'xlsx');
    expect((await workbookOf(path)).worksheets).toHaveLength(2);
    const source = await openSheet(path);
    const { path: second } = await written({ ...source, name: 'summary' }, 'xlsx');
    expect((await workbookOf(second)).worksheets.map(({ name }) => name)).toEqual(['Summary', 'summary 2']);
  });
});

describe('where it stands', () => {
  const write = (text: string) => async (handle: { write(text: string): Promise<unknown> }) => {
    await handle.write(text);
  };

  test.each([
    ['/p/november.xlsx', null, 'csv', '/p/november.result.csv'],
    ['/p/november.result.xlsx', null, 'xlsx', '/p/november.result.xlsx'],
    ['/p/november.result-2.xlsx', '/q', 'xlsx', '/q/november.result.xlsx'],
    ['pay.2026.csv', '.', 'xlsx', 'pay.2026.result.xlsx'],
  ] as const)('the result of %s in %s as %s', (sheet, folder, format, path) => {
    expect(resultPathFor(sheet, folder, format)).toBe(path);
  });

  test('only its owner may read it, and an old one is replaced', async () => {
    const path = freshPath('out.csv');
    writeFileSync(path, 'old');
    expect(await placeFile(path, write('new'))).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('links and folders are not written to', async () => {
    const target = given('target.csv', 'precious');
    const link = freshPath('link.csv');
    symlinkSync(target, link);
    await expect(placeFile(link, write('x'))).rejects.toMatchObject({ facts: { why: { fault: 'is-link' } } });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const folder = freshPath('folder.csv');
    mkdirSync(folder);
    await expect(placeFile(folder, write('x'))).rejects.toMatchObject({ facts: { why: { fault: 'is-folder' } } });
    await expect(placeFile(join(folder, 'none', 'x.csv'), write('x'))).rejects.toThrow(
      expect.objectContaining({ code: 'FOLDER_UNWRITABLE' }),
    );
  });

  test('a failure leaves the old file and no temporary one; leftovers of dead writers go', async () => {
    const path = given('out.csv', 'old');
    const leftover = join(dirname(path), `.${basename(path)}.999999999-0123abcd.tmp`);
    const alive = join(dirname(path), `.${basename(path)}.${process.pid}-0123abcd.tmp`);
    writeFileSync(leftover, '');
    writeFileSync(alive, '');
    const failure = new Error('no space left');
    await expect(
      placeFile(path, async (handle) => {
        await handle.write('half');
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect([existsSync(leftover), existsSync(alive)]).toEqual([false, true]);
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith(`.${basename(path)}`))).toHaveLength(1);
  });
});

test('a CSV record is quoted as csv-stringify quotes it', () => {
  const value = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '\t', '"', '\r', '\n', 'é') });
  fc.assert(
    fc.property(fc.array(value, { minLength: 2 }), fc.constantFrom(',', ';', '\t'), (record, delimiter) => {
      const theirs = stringify([record], { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
      expect(`${csvRecords(delimiter)(record)}\r\n`).toBe(theirs);
    }),
  );
});
