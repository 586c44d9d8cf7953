/**
 * `npm run bench:service`: measures the payout service under load, on SQLite and on a durable PostgreSQL. Measures
 * calls per second and p99 of making and reading payments; compares POST /payments with a bare fastify route with one
 * durable commit; and watches the service's memory for `--minutes`. Uses loopback only, and leaves nothing behind.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startPostgres } from '../test/postgres-server.ts';
import { type Load, load, type Request, times } from './load.ts';
import { median, say, sayMissed, target } from './telling.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    // The number of calls of each kind in each round.
    calls: { type: 'string', default: '3000' },
    concurrency: { type: 'string', default: '32' },
    // For how many minutes to watch the memory on each database; 0 skips this part.
    minutes: { type: 'string', default: '0.25' },
    // sqlite, postgres or both
    on: { type: 'string', default: 'both' },
  },
});
const rounds = Number(flags.rounds);
const calls = Number(flags.calls);
const concurrency = Number(flags.concurrency);
const watchedMs = Number(flags.minutes) * 60_000;
const payees = 100;
/** The most payments to make while the memory is watched. After that, the bench only reads payments. */
const mostWatchedPayments = 50_000;

const main = resolve(import.meta.dirname, '../src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-service-'));
const children: ChildProcess[] = [];
try {
  say(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; data in ${folder}`);
  if (flags.on !== 'postgres') await measureOn('SQLite', null);
  if (flags.on !== 'sqlite') {
    const postgres = await startPostgres({ durable: true });
    try {
      await measureOn('Postgres', postgres.url);
    } finally {
      await postgres.stop();
    }
  }
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
sayMissed();

async function measureOn(name: string, database: string | null): Promise<void> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const env = { ...process.env, ...(database === null ? {} : { PAYRUN_SERVICE_DATABASE: database }) };
  const service = await startService(dataDir, env);
  const bare = await startBare(dataDir, database);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [main, 'service', 'tenant', 'add', 'bench', '--json', '--data', dataDir],
    { env },
  );
  const { token } = (await post(service.url, '/token', JSON.parse(stdout) as object)) as { token: string };
  const nigerian = { country: 'Nigeria', bankName: 'First Bank of Nigeria', accountNumber: '0000014579' };
  // Payments under way together go to different payees.
  const merchants: string[] = [];
  for (let count = 0; count < payees; count += 1)
    merchants.push(String((await post(service.url, '/merchants', { name: 'Ada', ...nigerian }, token)).id));
  const pay = (at: number): Request => ({
    method: 'POST',
    path: '/payments',
    body: JSON.stringify({
      merchantId: merchants[at % payees],
      amount: 1000 + at,
      reference: `PAY ${at}`,
      tag: `q-${at}`,
    }),
  });
  const made = await post(service.url, '/payments', JSON.parse(pay(0).body!) as object, token);
  const paymentId = String(made.id);
  const at = (url: string, next: () => Request | null) => load({ url, token, concurrency, next });

  say(`\n${name}: ${calls} calls of each kind at concurrency ${concurrency}, ${rounds} rounds in turn`);
  const loads: Record<string, Load[]> = {};
  const run = async (what: string, url: string, request: (nth: number) => Request) => {
    const measured = await at(url, times(calls, request));
    loads[what] = [...(loads[what] ?? []), measured];
  };
  for (let round = 0; round < rounds; round += 1) {
    await run('bare route', bare.url, pay);
    await run('POST /payments', service.url, pay);
    await run('GET /payments/{id}', service.url, () => ({ method: 'GET', path: `/payments/${paymentId}` }));
    await run('GET /merchants/{id}', service.url, () => ({ method: 'GET', path: `/merchants/${merchants[0]!}` }));
    const page = async () =>
      await at(
        service.url,
        times(calls / 10, () => ({ method: 'GET', path: '/payments' })),
      );
    loads['GET /payments (100)'] = [...(loads['GET /payments (100)'] ?? []), await page()];
  }
  const rate = (what: string) => median(loads[what]!.map(({ perSecond }) => perSecond));
  for (const [what, measured] of Object.entries(loads)) {
    const p99 = median(measured.map(({ p99Ms }) => p99Ms));
    say(`  ${what.padEnd(20)} ${rate(what).toFixed(0).padStart(6)} a second, p99 ${p99.toFixed(1)} ms`);
  }
  const errors = Object.values(loads)
    .flat()
    .reduce((sum, one) => sum + one.errors, 0);
  target('calls that failed', errors, 0, '');
  target('bare route over POST /payments', rate('bare route') / rate('POST /payments'), 2, '');
  bare.child.kill();
  if (watchedMs > 0) await watchMemory(service, token, pay, paymentId);
  service.child.kill('SIGTERM');
  await once(service.child, 'exit');
}

/** Makes one payment for nine reads. The service itself reports its memory. */
async function watchMemory(
  service: Running,
  token: string,
  pay: (at: number) => Request,
  paymentId: string,
): Promise<void> {
  const until = performance.now() + watchedMs;
  let nth = 0;
  const next = (): Request | null => {
    if (performance.now() > until) return null;
    nth += 1;
    const payment = nth / 10;
    return Number.isInteger(payment) && payment <= mostWatchedPayments
      ? pay(payment)
      : { method: 'GET', path: `/payments/${paymentId}` };
  };
  const samples: number[] = [];
  const sample = setInterval(() => void memoryOf(service.url).then((mb) => samples.push(mb)), watchedMs / 20);
  const measured = await load({ url: service.url, token, concurrency, next });
  clearInterval(sample);
  samples.push(await memoryOf(service.url));
  const [first = 0, middle = 0, last = 0] = [samples[0], samples[samples.length >> 1], samples.at(-1)];
  const megabytes = [first, middle, last].map((mb) => mb.toFixed(0)).join(', ');
  say(
    `  ${flags.minutes} minutes: ${measured.perSecond.toFixed(0)} a second, p99 ${measured.p99Ms.toFixed(1)} ms; memory ${megabytes} MB at the beginning, half-way, at the end`,
  );
  target('calls that failed', measured.errors, 0, '');
  target('peak memory', Math.max(...samples), 300, ' MB');
}

async function memoryOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1024 / 1024;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startService(dataDir: string, env: NodeJS.ProcessEnv): Promise<Running> {
  const child = spawn(process.execPath, [main, 'service', '--json', '--port', '0', '--data', dataDir, '--until-eof'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  child.stdout!.resume();
  return { child, url: (JSON.parse(String(line)) as { url: string }).url };
}

async function startBare(dataDir: string, database: string | null): Promise<Running> {
  const args = [join(import.meta.dirname, 'bare-route.ts'), dataDir, ...(database === null ? [] : [database])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.push(child);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url };
}

async function post(url: string, path: string, body: object, token = ''): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
