/**
 * `npm run bench:sheets`: measures the reading rows of the speed table. Compares CSV with bare csv-parse, and workbooks
 * with exceljs's streaming reader, each in a process of its own and in turn. Then measures the memory of checking a
 * million rows.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ShownOutcome } from '../src/cli/render/outcome-document.ts';
import { measure } from './processes.ts';
import type { Read } from './reading.ts';
import { writeSheet } from './sheet.ts';
import { median, say, sayMissed, seconds, target } from './telling.ts';
import { writeWorkbook } from './workbook.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    // Rows of each part; 0 leaves it out.
    csv: { type: 'string', default: '1000000' },
    xlsx: { type: 'string', default: '100000' },
    check: { type: 'string', default: '1000000' },
    // Also reads a workbook with a million rows, for which exceljs takes a minute in each round.
    large: { type: 'boolean', default: false },
    // Measures the built program too, where there is one (npm run build).
    built: { type: 'boolean', default: false },
  },
});
const rounds = Number(flags.rounds);
const source = resolve(import.meta.dirname, '../src/cli/main.ts');
const isBuilt = flags.built && existsSync(resolve(import.meta.dirname, '../dist/program/reader-process.mjs'));

const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
try {
  say(`Node ${process.version}`);
  if (Number(flags.csv) > 0) await compareCsv(Number(flags.csv));
  if (Number(flags.xlsx) > 0) await compareXlsx(Number(flags.xlsx), 0.4);
  if (flags.large) await compareXlsx(1_000_000, 0.3);
  if (Number(flags.check) > 0) await measureChecks(Number(flags.check));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
sayMissed();

// --- Reading

interface Reading {
  readonly ms: number;
  /** The processor time, including that of the reader's process. */
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly readerMb: number;
  /** The memory of the reader's process, including Node's program file. */
  readonly wholeReaderMb: number;
}

async function compareCsv(rows: number): Promise<void> {
  const path = join(folder, 'sheet.csv');
  await writeSheet(path, rows);
  say(`\nRead a CSV file of ${rows} rows and 7 columns, ${rounds} rounds in turn`);
  const { 'csv-parse': bare, sheet } = await compare(path, ['csv-parse', 'sheet'], rows);
  compareTimes('Payrun, with header and columns, over csv-parse alone', sheet!, bare!, 1);
  rmSync(path);
}

async function compareXlsx(rows: number, mostThroughProcess: number): Promise<void> {
  const path = join(folder, 'sheet.xlsx');
  await writeWorkbook(path, rows);
  say(`\nRead a workbook of ${rows} rows and 15 columns, ${rounds} rounds in turn`);
  const ways = ['exceljs', 'reader', 'process', ...(isBuilt ? ['process-built'] : [])];
  const { exceljs, ...ours } = await compare(path, ways, rows + 1);
  compareTimes('the reader alone over exceljs', ours.reader!, exceljs!, 0.25);
  compareTimes('through its process over exceljs', ours.process!, exceljs!, mostThroughProcess);
  if (isBuilt) compareTimes('the same, built', ours['process-built']!, exceljs!, mostThroughProcess);
  target(
    'memory of the reader alone over exceljs, in a process without its limits',
    middle(ours.reader!, 'rssMb') / middle(exceljs!, 'rssMb'),
    0.333,
    '',
  );
  for (const [way, readings] of Object.entries(ours).filter(([, [one]]) => (one?.wholeReaderMb ?? 0) > 0)) {
    const memory = middle(readings, 'wholeReaderMb');
    const what = `memory of the reader's process (${way}), ${memory.toFixed(0)} MB, over exceljs`;
    target(what, memory / middle(exceljs!, 'rssMb'), 0.333, '');
  }
  rmSync(path);
}

async function compare(path: string, ways: readonly string[], rows: number): Promise<Record<string, Reading[]>> {
  const readings: Record<string, Reading[]> = Object.fromEntries(ways.map((way) => [way, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const way of ways) readings[way]!.push(await read(way, path, rows));
  for (const way of ways) {
    const all = readings[way]!;
    const walls = all.map(({ ms }) => seconds(ms)).join(', ');
    const reader = middle(all, 'readerMb');
    say(
      `  ${way.padEnd(13)} ${seconds(middle(all, 'ms'))} (${walls}); CPU ${seconds(middle(all, 'cpuMs'))}; ` +
        `${Math.round(rows / middle(all, 'ms'))} rows a ms; ` +
        `${middle(all, 'rssMb').toFixed(0)} MB${reader > 0 ? `, its reader ${reader.toFixed(0)} MB` : ''}`,
    );
  }
  return readings;
}

async function read(way: string, path: string, rows: number): Promise<Reading> {
  const measured = await measure([join(import.meta.dirname, 'reading.ts'), way, path], { folder });
  const { code, maxRssMb, readers } = measured;
  const told = JSON.parse(measured.out) as Read;
  if (code !== 0 || told.rows !== rows) throw new Error(`${way}: exit ${code}, ${told.rows} rows instead of ${rows}`);
  return {
    ms: told.ms,
    cpuMs: told.cpuMs + readers.cpuMs,
    rssMb: maxRssMb,
    readerMb: readers.ownMb,
    wholeReaderMb: readers.wholeMb,
  };
}

function middle(readings: readonly Reading[], figure: keyof Reading): number {
  return median(readings.map((reading) => reading[figure]));
}

/** Compares times. On a machine with other work, the processor time says more than the clock. */
function compareTimes(what: string, ours: readonly Reading[], theirs: readonly Reading[], most: number): void {
  target(what, middle(ours, 'ms') / middle(theirs, 'ms'), most, '');
  say(`    by processor time: ${(middle(ours, 'cpuMs') / middle(theirs, 'cpuMs')).toFixed(3)}`);
}

// --- Checking

async function measureChecks(rows: number): Promise<void> {
  say(`\nCheck ${rows} rows, whole process`);
  await measureCheck('sheet.csv', rows, writeSheet);
  await measureCheck('sheet.xlsx', rows, writeWorkbook);
}

async function measureCheck(
  name: string,
  rows: number,
  write: (path: string, rows: number) => Promise<void>,
): Promise<void> {
  const path = join(folder, name);
  await write(path, rows);
  const { code, out, wallMs, maxRssMb, readers } = await measure([source, 'check', path, '--json'], {
    folder,
  });
  const { total, invalid } = (JSON.parse(out) as ShownOutcome).rows;
  if (code !== 0 || total !== rows || invalid > 0)
    throw new Error(`check ${name}: exit ${code}, ${total} rows, ${invalid} invalid: ${out.slice(0, 2000)}`);
  const parts = readers.ownMb > 0 ? ` (${maxRssMb.toFixed(0)}, its reader ${readers.ownMb.toFixed(0)})` : '';
  target(`${name} in ${seconds(wallMs)}, peak memory${parts}`, maxRssMb + readers.ownMb, 400, ' MB');
  rmSync(path);
}
