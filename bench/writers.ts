/**
 * Runs one writer once, in a process of its own: `node bench/writers.ts NAME ROWS FILE`. Prints its time, without the
 * loading of modules.
 */
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type ResultPlan, type ResultRow, type Sheet, writeResult } from '../src/sheet/sheet.ts';

const [name = '', rowsText = '', path = ''] = process.argv.slice(2);
const count = Number(rowsText);

const header = [
  'row_id',
  'name',
  'country',
  'bank_name',
  'account_number',
  'amount',
  'reference',
  'department',
  'note',
];
const columns = ['payrun_status', 'payrun_reason', 'payment_id', 'payrun_tag', 'payrun_batch', 'payrun_attempts'].map(
  (text) => ({ header: text }),
);

/** Nine columns of the sheet and six of Payrun, made beforehand so that only the writing is measured. */
const batchRows = 1000;
const theirs = Array.from({ length: batchRows }, (_, row) => [
  `R-${100_000 + row}`,
  `Example Payee ${row} & Sons`,
  'South Africa',
  'Standard Bank',
  String(10_004_291_601 + row),
  { kind: 'number' as const, text: String(100 + row), shown: String(100 + row), formula: false },
  `INV ${2000 + row}`,
  row % 3 === 0 ? 'Plant' : 'Office',
  row % 7 === 0 ? '+27 12 345 6789' : 'monthly',
]);
const ours = Array.from({ length: batchRows }, (_, row) => [
  'paid',
  row % 50 === 0 ? 'It was being sent when this was written.' : null,
  `6f0a1b2c-3d4e-4f50-8a9b-${String(row).padStart(12, '0')}`,
  `q0123456789abcdef${100 + row}`,
  'november',
  1,
]);
const plain = theirs.map((cells, row) =>
  [...cells, ...ours[row]!].map((cell) => (cell !== null && typeof cell === 'object' ? Number(cell.text) : cell)),
);

/** Yields the first row number of each batch, for a sheet without titles. */
function* numbers(): Generator<number> {
  for (let first = 0; first < count; first += batchRows) yield first;
}

const sheet: Sheet = {
  path: 'made.csv',
  format: 'csv',
  name: 'made',
  form: { format: 'csv', delimiter: ',', encoding: 'UTF-8', isGuessed: false },
  header,
  headerRow: 1,
  likelyHeader: [],
  columns: header.map(() => null),
  unused: [],
  problems: [],
  amountCurrency: null,
  own: false,
  ours: header.map(() => false),
  checks: header.map(() => false),
  csv: { delimiter: ',', lineEnd: '\r\n' },
  date1904: false,
  letters: 'certain',
  widths: [],
  look: async () => null,
  leftOut: () => 0,
  async *lines() {},
  async *rows() {
    yield [{ number: 1, cells: header, kind: 'header', hidden: false, line: null }];
    for (const first of numbers()) {
      yield theirs
        .slice(0, count - first)
        .map((cells, row) => ({ number: first + row + 2, cells, kind: 'line', hidden: false, line: null }));
    }
  },
  initiation: null,
  controlTotal: () => null,
  belowTotal: () => [],
  lateProblems: () => [],
  merges: () => [],
};

const plan: ResultPlan = {
  source: sheet,
  columns,
  async *rows() {
    for (const first of numbers()) {
      yield ours.slice(0, count - first).map((values, row): ResultRow => ({ number: first + row + 2, values }));
    }
  },
  async *extra() {},
  summary: { title: 'Batch november', facts: [['Batch', 'november']], tables: [] },
  tables: {},
};

const writers: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'result.xlsx': async () => {
    await import('../src/sheet/write/result-plain.ts');
    return () => writeResult({ path, subject: 'bench' }, plan);
  },
  'result.csv': async () => {
    await import('../src/sheet/write/result-csv.ts');
    return () => writeResult({ path, subject: 'bench' }, plan);
  },
  exceljs: async () => {
    const { default: Excel } = await import('exceljs');
    return async () => {
      const workbook = new Excel.stream.xlsx.WorkbookWriter({
        filename: path,
        useStyles: false,
        useSharedStrings: false,
      });
      const worksheet = workbook.addWorksheet('made');
      worksheet.addRow([...header, ...columns.map((column) => column.header)]).commit();
      for (const first of numbers()) {
        for (const cells of plain.slice(0, count - first)) worksheet.addRow(cells).commit();
        // Lets written data leave, as in a program that waits for its rows.
        await new Promise(setImmediate);
      }
      worksheet.commit();
      await workbook.commit();
    };
  },
  'csv-stringify': async () => {
    const { stringify } = await import('csv-stringify');
    return async () => {
      const stringifier = stringify({ record_delimiter: '\r\n' });
      const out = createWriteStream(path);
      stringifier.pipe(out);
      stringifier.write([...header, ...columns.map((column) => column.header)]);
      for (const first of numbers()) {
        let free = true;
        for (const cells of plain.slice(0, count - first)) free = stringifier.write(cells);
        if (!free) await new Promise((go) => stringifier.once('drain', go));
      }
      stringifier.end();
      await finished(out);
    };
  },
};

const load = writers[name];
if (load === undefined) throw new Error(`a writer is one of ${Object.keys(writers).join(', ')}`);
const write = await load();
const started = performance.now();
await write();
process.stdout.write(JSON.stringify({ ms: performance.now() - started }));
