/**
 * `npm run bench:results`: compares writing a result with the usual libraries. Each writer runs in a process of its
 * own, in turn, and the ratio of their medians counts. Leaves nothing behind.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './processes.ts';
import { median, say, sayMissed, target } from './telling.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '100000' },
    // Rows of the memory part; 0 leaves it out.
    large: { type: 'string', default: '1000000' },
  },
});
const rounds = Number(flags.rounds);
const rows = Number(flags.rows);
const large = Number(flags.large);

const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
try {
  say(`Node ${process.version}; 15 columns, files in ${folder}`);
  await compare('result.xlsx', 'exceljs', 'XLSX without formats over exceljs, streaming, without styles', 0.6);
  await compare('result.csv', 'csv-stringify', 'CSV over csv-stringify', 1);
  if (large > 0) for (const name of ['result.xlsx', 'result.csv', 'exceljs']) await measureMemory(name);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
sayMissed();

interface Written {
  readonly ms: number;
  readonly cpuMs: number;
  readonly maxRssMb: number;
  readonly bytes: number;
}

async function write(name: string, count: number): Promise<Written> {
  const path = join(folder, `made${extname(name) || '.out'}`);
  const measured = await measure([join(import.meta.dirname, 'writers.ts'), name, String(count), path], { folder });
  if (measured.code !== 0) throw new Error(`${name}: exit ${measured.code}`);
  const { ms } = JSON.parse(measured.out) as { ms: number };
  const bytes = statSync(path).size;
  rmSync(path);
  return { ms, cpuMs: measured.cpuMs, maxRssMb: measured.maxRssMb, bytes };
}

async function compare(ours: string, theirs: string, what: string, most: number): Promise<void> {
  say(`\n${what}, ${rows} rows, ${rounds} rounds in turn`);
  const written = new Map<string, Written[]>([
    [ours, []],
    [theirs, []],
  ]);
  for (let round = 0; round < rounds; round++) {
    // Each of the two goes first in every other round.
    const names = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    for (const name of names) written.get(name)!.push(await write(name, rows));
  }
  for (const [name, all] of written) {
    const times = all.map(({ ms }) => (ms / 1000).toFixed(2)).join(', ');
    const cpu = median(all.map(({ cpuMs }) => cpuMs)) / 1000;
    const mb = all[0]!.bytes / 1e6;
    say(
      `  ${name.padEnd(13)} ${seconds(all).toFixed(2)} s (${times}); CPU of the process ${cpu.toFixed(2)} s; ${mb.toFixed(1)} MB`,
    );
  }
  target('ratio', seconds(written.get(ours)!) / seconds(written.get(theirs)!), most, '');
}

async function measureMemory(name: string): Promise<void> {
  const { ms, maxRssMb } = await write(name, large);
  const what = `${name}, ${large} rows in ${(ms / 1000).toFixed(1)} s, peak memory (RSS)`;
  if (name.startsWith('result')) target(what, maxRssMb, 300, ' MB');
  else say(`  ${what}: ${maxRssMb.toFixed(0)} MB`);
}

function seconds(all: readonly Written[]): number {
  return median(all.map(({ ms }) => ms)) / 1000;
}
