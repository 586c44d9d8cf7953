/**
 * `npm run bench:pay`: measures the paying row of the speed table. Runs Payrun, the bare loop and the plain script in
 * turn on one server; then measures the time to the first payment, a first month, memory, and checking. Uses loopback
 * only, and leaves nothing behind.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ShownOutcome } from '../src/cli/render/outcome-document.ts';
import { type Measured, measure, startServer } from './processes.ts';
import type { ServerFacts } from './server.ts';
import { writeFirstSheet, writeMonth, writeSheet } from './sheet.ts';
import { median, say, sayMissed, seconds, target } from './telling.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '10000' },
    latency: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '32' },
    // Rows of the memory and check parts; 0 leaves them out.
    large: { type: 'string', default: '100000' },
    // Measures the built program too, where there is one (npm run build).
    built: { type: 'boolean', default: false },
  },
});
const rounds = Number(flags.rounds);
const rows = Number(flags.rows);
const latencyMs = Number(flags.latency);
const concurrency = Number(flags.concurrency);
const largeRows = Number(flags.large);

const source = resolve(import.meta.dirname, '../src/cli/main.ts');
const built = resolve(import.meta.dirname, '../dist/program/main.mjs');

const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
const server = await startServer();
try {
  say(`Node ${process.version}; ledgers in ${folder} (${fileSystem(folder)})`);
  await comparePaying();
  await measureStart();
  await measureFirstMonth();
  if (largeRows > 0) {
    await measureMemory();
    await measureCheck();
    await measureNextMonth();
  }
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
sayMissed();

// --- Paying

interface Rival {
  readonly name: string;
  readonly measured: (Measured & Parts)[];
  run(): Promise<Measured>;
}

/** The time of a process in three parts: until its first payment reached the server, until the last payment was answered, and the rest. */
interface Parts {
  readonly beforeMs: number;
  readonly payingMs: number;
  readonly afterMs: number;
  /** The share of the paying time, in per cent, in which the ledger blocked the event loop. */
  readonly stalled: number;
}

function partsOf({ startedAt, wallMs, stalls }: Measured, facts: ServerFacts): Parts {
  const from = facts.firstPostAt ?? Number.NaN;
  const to = (facts.lastPostAt ?? Number.NaN) + latencyMs;
  const stalledMs = stalls.reduce((sum, [begun, ended]) => sum + (begun >= from && ended <= to ? ended - begun : 0), 0);
  const beforeMs = from - startedAt;
  const payingMs = to - from;
  return { beforeMs, payingMs, afterMs: wallMs - beforeMs - payingMs, stalled: (stalledMs / payingMs) * 100 };
}

async function comparePaying(): Promise<void> {
  const sheet = join(folder, 'sheet.csv');
  await writeSheet(sheet, rows);
  const rival = (name: string, run: Rival['run']): Rival => ({ name, run, measured: [] });
  const env = { PAYRUN_BENCH_STALLS: '1' };
  const script = (name: string, what: string) =>
    inNewFolder((home) =>
      measure([join(import.meta.dirname, name), server.url, what, String(concurrency)], { folder: home, env }),
    );
  const bare = rival('bare loop', () => script('bare.ts', String(rows)));
  const plain = rival('plain script', () => script('plain.ts', sheet));
  const least = rival('minimal durable', () => script('least.ts', sheet));
  const ours = [rival('Payrun', () => runPayrun(source, sheet, rows, env))];
  if (flags.built && existsSync(built)) ours.push(rival('Payrun built', () => runPayrun(built, sheet, rows, env)));
  const all = [bare, plain, least, ...ours];

  say(`\nPay ${rows} rows, ${latencyMs} ms, concurrency ${concurrency}, --wait 0, ${rounds} rounds in turn`);
  for (let round = 0; round < rounds; round += 1)
    for (const one of all) {
      const { measured, facts } = await withServer(latencyMs, one.run);
      requirePaid(one.name, measured, facts, rows);
      one.measured.push({ ...measured, ...partsOf(measured, facts) });
    }
  const middle = ({ measured }: Rival, part: 'wallMs' | 'cpuMs' | keyof Parts) =>
    median(measured.map((run) => run[part]));
  const wall = (one: Rival) => middle(one, 'wallMs');
  for (const one of all) {
    const walls = one.measured.map(({ wallMs }) => seconds(wallMs)).join(', ');
    const parts = `${seconds(middle(one, 'beforeMs'))} before, ${seconds(middle(one, 'payingMs'))} paying (${middle(one, 'stalled').toFixed(0)} % held by a ledger), ${seconds(middle(one, 'afterMs'))} after`;
    const cpu = `CPU ${((middle(one, 'cpuMs') / rows) * 1000).toFixed(0)} µs a row`;
    say(`  ${one.name.padEnd(13)} ${seconds(wall(one))} (${walls}): ${parts}; ${cpu}`);
  }
  const over = (one: Rival, other: Rival) =>
    `${one.name} over the ${other.name}: ${(wall(one) / wall(other)).toFixed(3)}`;
  say(`  the ${over(plain, bare)}; the ${over(least, bare)}; the ${over(least, plain)}`);
  for (const one of ours) {
    target(`${one.name} over the bare loop (aim 1.05)`, wall(one) / wall(bare), 1.1, '');
    target(`${one.name} over the plain script`, wall(one) / wall(plain), 1, '');
    target(`${one.name}: the ledger holds the event loop, of the paying`, middle(one, 'stalled'), 5, ' %');
  }
}

type Env = Readonly<Record<string, string>>;

/** Runs Payrun with a fresh ledger on a real disk. */
async function runPayrun(entry: string, sheet: string, expected: number, env: Env = {}): Promise<Measured> {
  return await inNewFolder((home) => runPayrunIn(home, entry, sheet, expected, { env }));
}

async function inNewFolder(run: (home: string) => Promise<Measured>): Promise<Measured> {
  const home = mkdtempSync(join(folder, 'run-'));
  try {
    return await run(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs the commands that a person would use. */
async function runPayrunIn(
  home: string,
  entry: string,
  sheet: string,
  expected: number,
  { more = [], env = {} }: { readonly more?: readonly string[]; readonly env?: Env } = {},
): Promise<Measured> {
  const options = ['--ledger', join(home, 'ledger.db'), '--out', home, '--wait', '0', '--json'];
  const measured = await measure([entry, 'run', sheet, ...options, '--concurrency', String(concurrency), ...more], {
    folder: home,
    env: {
      ...env,
      PAYRUN_DOUBT_VISIBLE: '0',
      XDG_DATA_HOME: home,
      PAYRUN_BASE_URL: server.url,
      PAYRUN_API_KEY: 'bench',
      PAYRUN_API_SECRET: 'bench',
    },
  });
  const outcome = JSON.parse(measured.out) as ShownOutcome;
  // The reference server settles nothing: every row stays pending (exit 23), and its result says so.
  if (outcome.sent !== expected || outcome.rows.pending !== expected || outcome.result === null)
    throw new Error(`Payrun sent ${outcome.sent} of ${expected} rows: ${measured.out.slice(0, 1000)}`);
  return { ...measured, code: measured.code === 23 ? 0 : measured.code };
}

async function withServer(
  ms: number,
  run: () => Promise<Measured>,
): Promise<{ measured: Measured; facts: ServerFacts }> {
  await server.reset({ latencyMs: ms });
  const measured = await run();
  return { measured, facts: await server.reset({ latencyMs: ms }) };
}

/** Throws if the client did not pay each row once, because its speed would then prove nothing. */
function requirePaid(
  name: string,
  { code }: Pick<Measured, 'code'>,
  { payments, tags }: ServerFacts,
  expected: number,
): void {
  if (code !== 0 || payments !== expected || tags !== expected)
    throw new Error(`${name}: exit ${code}, ${payments} payments with ${tags} tags instead of ${expected}`);
}

/** Measures the wait before the first payment, with the installed form of the program if it was built (npm run build). */
async function measureStart(): Promise<void> {
  const sheet = join(folder, 'small.csv');
  await writeSheet(sheet, 10);
  say('\nSmall sheet, 10 rows');
  for (const entry of flags.built && existsSync(built) ? [built, source] : [source]) {
    const starts: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round < Math.max(3, rounds); round += 1) {
      const { measured, facts } = await withServer(latencyMs, () => runPayrun(entry, sheet, 10));
      requirePaid('Payrun', measured, facts, 10);
      starts.push(((facts.firstPostAt ?? Number.NaN) - measured.startedAt) / 1000);
      cpu.push(measured.cpuMs);
    }
    const what = entry === built ? 'built' : 'from sources';
    target(
      `start to first POST, ${what}, ${median(cpu).toFixed(0)} ms of processor to its end`,
      median(starts),
      0.4,
      ' s',
    );
  }
}

/**
 * Measures the first month: each row needs a merchant and a payment, and one row in ten a document. Compares with the
 * time of these calls alone.
 */
async function measureFirstMonth(): Promise<void> {
  const firstRows = 1000;
  const sheet = join(folder, 'first.csv');
  await writeFirstSheet(sheet, firstRows);
  const walls: number[] = [];
  let calls = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { measured, facts } = await withServer(latencyMs, () => runPayrun(source, sheet, firstRows));
    requirePaid('Payrun', measured, facts, firstRows);
    if (facts.merchants !== firstRows || facts.documents !== firstRows / 10)
      throw new Error(`${facts.merchants} merchants and ${facts.documents} documents for ${firstRows} rows`);
    calls = facts.merchants + facts.payments + facts.documents;
    walls.push(measured.wallMs);
  }
  say(`\nFirst month, ${firstRows} rows with a new payee each and ${firstRows / 10} documents, ${rounds} rounds`);
  const least = (calls * latencyMs) / concurrency;
  target(`${seconds(median(walls))} over ${calls} calls × latency ÷ concurrency`, median(walls) / least, 1.25, '');
}

// --- Size

/** Measures memory. The service answers without latency, which does not matter here. */
async function measureMemory(): Promise<void> {
  const sheet = join(folder, 'large.csv');
  await writeSheet(sheet, largeRows);
  say(`\nLarge sheet, ${largeRows} rows, CSV, end to end, 0 ms`);
  const { measured, facts } = await withServer(0, () => runPayrun(source, sheet, largeRows));
  requirePaid('Payrun', measured, facts, largeRows);
  say(`  paid in ${seconds(measured.wallMs)}`);
  target('peak memory (RSS)', measured.maxRssMb, 400, ' MB');
}

/** Measures the next month at the same ledger and service: the same payees and amounts, under one reference. */
async function measureNextMonth(): Promise<void> {
  const home = mkdtempSync(join(folder, 'months-'));
  const monthRows = Math.min(largeRows, 30_000);
  await server.reset({ latencyMs: 0 });
  const walls: number[] = [];
  for (const month of ['OCTOBER', 'NOVEMBER']) {
    const sheet = join(home, `${month}.csv`);
    await writeMonth(sheet, monthRows, month);
    walls.push((await runPayrunIn(home, source, sheet, monthRows, { more: ['--batch', month] })).wallMs);
  }
  requirePaid('Payrun', { code: 0 }, await server.reset({ latencyMs: 0 }), 2 * monthRows);
  say(`\nThe month after, ${monthRows} rows a month, CSV, end to end, 0 ms`);
  target(`${walls.map(seconds).join(', ')}: the second over the first`, walls[1]! / walls[0]!, 1.5, '');
}

async function measureCheck(): Promise<void> {
  const sheet = join(folder, 'large.csv');
  const walls: number[] = [];
  for (let round = 0; round < Math.max(3, rounds); round += 1) {
    const { code, wallMs, out } = await measure([source, 'check', sheet, '--json'], { folder });
    const { total, invalid } = (JSON.parse(out) as ShownOutcome).rows;
    if (code !== 0 || total !== largeRows || invalid > 0) throw new Error(`check: exit ${code}, ${total} rows`);
    walls.push(wallMs);
  }
  const micros = (median(walls) / largeRows) * 1000;
  target(`check, ${seconds(median(walls))} in all, per row`, micros, 30, ' µs');
}

/** Returns the kind of file system. Commits to a file system in memory cost nothing, so the output names it. */
function fileSystem(path: string): string {
  const names = new Map([
    [0xef53, 'ext4'],
    [0x58465342, 'xfs'],
    [0x9123683e, 'btrfs'],
    [0x2fc12fc1, 'zfs'],
    [0x794c7630, 'overlayfs'],
    [0x01021994, 'tmpfs: no real disk, set TMPDIR'],
  ]);
  const { type } = statfsSync(path);
  return names.get(type) ?? `file system type ${type.toString(16)}`;
}
