/**
 * `npm run bench:fleet`: sends one batch by one to four processes on one Postgres, and by one process on SQLite, at
 * several latencies of the service. Measures rows per second from the first payment to the last, because only the
 * leader works outside that time, and the cost of a row. `-- --write` writes the constants and the tables of
 * docs/explanation/scale.md. Uses the built program (npm run build) and loopback only, and leaves nothing behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { ShownOutcome } from '../src/cli/render/outcome-document.ts';
import { startPostgres } from '../test/postgres-server.ts';
import { measure, startServer } from './processes.ts';
import { type Costs, taken } from './queueing.ts';
import { constants, scalePage, withBlock } from './scale.ts';
import { writeSheet } from './sheet.ts';
import { median, say } from './telling.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '10000' },
    latency: { type: 'string', default: '0,20,200,500' },
    concurrency: { type: 'string', default: '32' },
    processes: { type: 'string', default: '4' },
    write: { type: 'boolean', default: false },
  },
});
const [rounds, rows, concurrency, most] = [flags.rounds, flags.rows, flags.concurrency, flags.processes].map(
  Number,
) as [number, number, number, number];
const latencies = flags.latency.split(',').map(Number);
/** Limits the measurement of a slow service, since its speed is the same in every second. */
const slowSeconds = 20;
/** The unit in which Linux counts processor time: a hundredth of a second. */
const msPerTick = 10;

interface Run {
  readonly rate: number;
  readonly costs: Costs | null;
}

const program = resolve(import.meta.dirname, '../dist/program/main.mjs');
const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-fleet-'));
const server = await startServer();
const postgres = await startPostgres({ durable: true });
const sheet = join(folder, 'sheet.csv');
let ledgers = 0;
const measured: { readonly latencyMs: number; readonly processes: number; readonly runs: readonly Run[] }[] = [];
try {
  for (const latencyMs of latencies) {
    const count = latencyMs === 0 ? rows : Math.min(rows, Math.ceil((slowSeconds * 1000 * concurrency) / latencyMs));
    await writeSheet(sheet, count);
    say(`Pay ${count} rows, ${latencyMs} ms, ${concurrency} under way in all, ${rounds} rounds in turn; rows a second`);
    const all = Array.from({ length: most + 1 }, (_, processes) => ({ latencyMs, processes, runs: [] as Run[] }));
    // At a slow service, a number of processes between one and the most would show nothing new.
    const chosen = all.filter(({ processes }) => latencyMs < 100 || processes <= 1 || processes === most);
    for (let round = 0; round < rounds; round += 1)
      for (const { processes, runs } of chosen) runs.push(await runOf(processes, latencyMs, count));
    for (const { processes, runs } of chosen) {
      const name = processes === 0 ? 'SQLite, 1 process' : `Postgres, ${processes}`;
      const rates = runs.map(({ rate }) => rate);
      say(`  ${name.padEnd(18)} ${median(rates).toFixed(0)} (${rates.map((rate) => rate.toFixed(0)).join(', ')})`);
    }
    measured.push(...chosen);
  }
  tellCosts();
} finally {
  await server.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** `processes` counts the processes on Postgres, including the leader; 0 means one process on SQLite. */
async function runOf(processes: number, latencyMs: number, count: number): Promise<Run> {
  const home = mkdtempSync(join(folder, 'run-'));
  ledgers += 1;
  const env = {
    PAYRUN_LEDGER: processes === 0 ? join(home, 'ledger.db') : `${postgres.url}?schema=bench_${ledgers}`,
    PAYRUN_DOUBT_VISIBLE: '0',
    XDG_DATA_HOME: home,
    XDG_STATE_HOME: home,
    PAYRUN_BASE_URL: server.url,
    PAYRUN_API_KEY: 'bench',
    PAYRUN_API_SECRET: 'bench',
  };
  await server.reset({ latencyMs });
  const before = processes === 0 ? null : await databaseFacts(null);
  const workers: ChildProcess[] = [];
  for (let worker = 1; worker < processes; worker += 1) {
    const child = spawn(process.execPath, [program, 'worker', '--concurrency', String(concurrency)], {
      cwd: home,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(child.stderr, 'data');
    workers.push(child);
  }
  const words = [program, 'run', sheet, '--wait', '0', '--json', '--out', home, '--concurrency', String(concurrency)];
  const { out, wallMs, cpuMs } = await measure(words, { folder: home, env });
  let memberMs = cpuMs;
  for (const worker of workers) {
    memberMs += cpuOf(worker.pid ?? 0);
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
  }
  const { payments, tags, firstPostAt, lastPostAt } = await server.reset({ latencyMs });
  const { sent } = JSON.parse(out) as ShownOutcome;
  if (payments !== count || tags !== count || sent !== count)
    throw new Error(`${payments} payments with ${tags} tags instead of ${count}: ${out.slice(0, 1000)}`);
  rmSync(home, { recursive: true, force: true });
  const sendingMs = Number(lastPostAt) - Number(firstPostAt);
  const rate = (count / sendingMs) * 1000;
  if (before === null) return { rate, costs: null };
  const after = await databaseFacts(`bench_${ledgers}`);
  const costs = {
    writerMs: 1000 / rate,
    memberMs: memberMs / count,
    leaderMs: (wallMs - sendingMs) / count,
    commits: (after.commits - before.commits) / count,
    logBytes: (after.log - before.log) / count,
    ledgerBytes: after.ledger / count,
  };
  return { rate, costs };
}

/** Returns the processor time of a process and its threads since its start; 0 without /proc. */
function cpuOf(pid: number): number {
  if (!readdirSync('/').includes('proc')) return 0;
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .split(') ')[1]!
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * msPerTick;
}

async function databaseFacts(schema: string | null): Promise<{ commits: number; log: number; ledger: number }> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const { rows: found } = await client.query<{ commits: string; log: string; ledger: string }>(
      `SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits,
         pg_current_wal_lsn() - '0/0' AS log,
         (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = $1 AND c.relkind = 'r') AS ledger`,
      [schema],
    );
    const { commits, log, ledger } = found[0]!;
    return { commits: Number(commits), log: Number(log), ledger: Number(ledger) };
  } finally {
    await client.end();
  }
}

const named = (processes: number) => (processes === 1 ? '1 process' : `${processes} processes`);

/** Reports the costs of a row at the fastest service, with the number of processes that sent most: the machine is then full. */
function tellCosts(): void {
  const quickest = Math.min(...latencies);
  const full = measured.filter(({ latencyMs, processes }) => latencyMs === quickest && processes > 0);
  const best = full.toSorted(
    (a, b) => median(b.runs.map(({ rate }) => rate)) - median(a.runs.map(({ rate }) => rate)),
  )[0]!;
  const costs = Object.fromEntries(
    Object.keys(constants).map((name) => [name, median(best.runs.map((run) => run.costs![name as keyof Costs]))]),
  ) as unknown as Costs;
  const lines = Object.entries(constants).map(
    ([name, words]) => `| ${words} | ${Number(costs[name as keyof Costs].toPrecision(3))} |`,
  );
  const beside = measured
    .filter(({ processes }) => processes > 0)
    .map(({ latencyMs, processes, runs }) => {
      const model = taken(costs, { room: concurrency, members: processes, latencyMs, limit: null }).rowsPerSecond;
      const rate = median(runs.map((run) => run.rate)).toFixed(0);
      return `| ${latencyMs} ms | ${named(processes)} | measured ${rate} rows/s | model ${model.toFixed(0)} |`;
    });
  const words = `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.version}, in ${rounds} rounds of ${rows} rows. The constants come from the rounds of ${named(best.processes)}.`;
  const block = [
    words,
    '',
    '| Constant | Value |',
    '|---|---|',
    ...lines,
    '',
    `This table compares the model with the measured rates, for ${concurrency} rows under way:`,
    '',
    '| latency | processes | measured rate | model, rows/s |',
    '|---|---|---|---|',
    ...beside,
  ].join('\n');
  say(`\n${block}`);
  if (!flags.write) return;
  const page = resolve(import.meta.dirname, '../docs/explanation/scale.md');
  writeFileSync(page, scalePage(withBlock(readFileSync(page, 'utf8'), 'constants', block)));
}
