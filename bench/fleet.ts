/**
 * `npm run bench:fleet`: one batch sent by one to four processes on one Postgres, over one process on SQLite, whole and durable. What is
 * told is rows a second from the first payment to the last, since all else is its leader's alone. Of the built program (npm run build);
 * loopback only, and nothing is left behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Outcome } from '../src/pipeline/outcome.ts';
import { startPostgres } from '../test/postgres-server.ts';
import { measure, startServer } from './processes.ts';
import { writeSheet } from './sheet.ts';
import { median, say } from './telling.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '10000' },
    latency: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '32' },
    processes: { type: 'string', default: '4' },
  },
});
const [rounds, rows, latencyMs, concurrency, most] = [
  flags.rounds,
  flags.rows,
  flags.latency,
  flags.concurrency,
  flags.processes,
].map(Number) as [number, number, number, number, number];

const program = resolve(import.meta.dirname, '../dist/program/main.mjs');
const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-fleet-'));
const postgresFolder = mkdtempSync(join(tmpdir(), 'payrun-bench-postgres-'));
const server = await startServer();
const postgres = await startPostgres(postgresFolder, true);
const sheet = join(folder, 'sheet.csv');
let ledgers = 0;
try {
  await writeSheet(sheet, rows);
  say(`Pay ${rows} rows, ${latencyMs} ms, ${concurrency} under way in all, ${rounds} rounds in turn; rows a second`);
  const rates = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1)
    for (let processes = 0; processes <= most; processes += 1) {
      const name = processes === 0 ? 'SQLite, 1 process' : `Postgres, ${processes}`;
      rates.set(name, [...(rates.get(name) ?? []), await rateOf(processes)]);
    }
  for (const [name, all] of rates)
    say(`  ${name.padEnd(18)} ${median(all).toFixed(0)} (${all.map((rate) => rate.toFixed(0)).join(', ')})`);
} finally {
  await server.close();
  await postgres.stop();
  for (const made of [folder, postgresFolder]) rmSync(made, { recursive: true, force: true });
}

/** `processes`: on Postgres, its leader among them; 0 is one process on SQLite. */
async function rateOf(processes: number): Promise<number> {
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
  const { out } = await measure(words, { folder: home, env });
  for (const worker of workers) {
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
  }
  const { payments, tags, firstPostAt, lastPostAt } = await server.reset({ latencyMs });
  const { sent } = JSON.parse(out) as Outcome;
  if (payments !== rows || tags !== rows || sent !== rows)
    throw new Error(`${payments} payments with ${tags} tags instead of ${rows}: ${out.slice(0, 1000)}`);
  rmSync(home, { recursive: true, force: true });
  return (rows / (Number(lastPostAt) - Number(firstPostAt))) * 1000;
}
