/** Reads one sheet in one way, from opening it to its last cell. Prints the time and the number of cells. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReaderSettings } from '../src/sheet/xlsx/process/reader.ts';

export interface Read {
  readonly ms: number;
  /** The processor time of this process alone. */
  readonly cpuMs: number;
  readonly rows: number;
  readonly cells: number;
}

const [way = '', path = ''] = process.argv.slice(2);
let rows = 0;
let cells = 0;

const builtReader = join(import.meta.dirname, '../dist/program/reader-process.mjs');

const ways: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
  /** Reads by the library alone, with the header as keys. */
  async 'csv-parse'() {
    const { parse } = await import('csv-parse');
    return async () => {
      for await (const record of createReadStream(path).pipe(parse({ columns: true, bom: true }))) {
        rows += 1;
        cells += Object.keys(record as object).length;
      }
    };
  },
  /** Reads as Payrun reads a sheet of payouts: finds encoding, separator, header, columns, titles and totals. */
  async sheet() {
    const { openSheet } = await import('../src/sheet/sheet.ts');
    return async () => {
      const sheet = await openSheet(path);
      for await (const lines of sheet.lines())
        for (const { raw } of lines) {
          rows += 1;
          cells += raw.length;
        }
    };
  },
  /** Reads by the library's streaming reader. */
  async exceljs() {
    const { default: Excel } = await import('exceljs');
    return async () => {
      const options = { sharedStrings: 'cache', worksheets: 'emit', hyperlinks: 'ignore', entries: 'emit' } as const;
      const workbook = new Excel.stream.xlsx.WorkbookReader(path, options);
      for await (const worksheet of workbook)
        for await (const row of worksheet) {
          rows += 1;
          // The library's list begins with an empty place, for column 0.
          cells += (row.values as unknown[]).length - 1;
        }
    };
  },
  reader: inThisProcess,
  process: () => throughProcess({}),
  'process-built': () => throughProcess({ entry: builtReader }),
};

async function inThisProcess(): Promise<() => Promise<void>> {
  const { openWorkbook } = await import('../src/sheet/xlsx/workbook.ts');
  return async () => {
    const file = await open(path);
    const workbook = await openWorkbook(file, (await file.stat()).size);
    await take(workbook.rows(workbook.sheets[0]!));
    await file.close();
  };
}

/** Reads by Payrun's reader in a process of its own, as for every workbook. The time includes the start of that process. */
async function throughProcess(settings: ReaderSettings): Promise<() => Promise<void>> {
  const { openReader } = await import('../src/sheet/xlsx/process/reader.ts');
  return async () => {
    const file = await open(path);
    const workbook = await openReader(file, (await file.stat()).size, settings);
    await file.close();
    await take(workbook.rows(workbook.sheets[0]!));
    workbook.close();
  };
}

async function take(batches: AsyncIterable<readonly { readonly cells: readonly unknown[] }[]>): Promise<void> {
  for await (const batch of batches)
    for (const row of batch) {
      rows += 1;
      cells += row.cells.length;
    }
}

const read = await ways[way]!();
const began = performance.now();
const before = process.cpuUsage();
await read();
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({ ms: performance.now() - began, cpuMs: (user + system) / 1000, rows, cells } satisfies Read),
);
