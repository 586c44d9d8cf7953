/** Starts the bench's processes, measures them, and ends each by its own handle. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerFacts, ServerMessage, ServerOrder } from './server.ts';

const here = import.meta.dirname;

export interface BenchServer {
  readonly url: string;
  /** Forgets all payments, and returns the counts up to then. */
  reset(order: ServerOrder): Promise<ServerFacts>;
  close(): Promise<void>;
}

export async function startServer(): Promise<BenchServer> {
  const child = spawn(process.execPath, [join(here, 'server.ts')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const port = await message(child, (told) => ('port' in told ? told.port : undefined));
  return {
    url: `http://127.0.0.1:${port}`,
    async reset(order) {
      const answered = message(child, (told) => ('facts' in told ? told.facts : undefined));
      child.send(order);
      return await answered;
    },
    async close() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Waits for the next message that `pick` accepts. Fails if the process ends first. */
function message<T>(child: ChildProcess, pick: (told: ServerMessage) => T | undefined): Promise<T> {
  return new Promise((done, failed) => {
    const onExit = () => failed(new Error('the reference server ended'));
    const onMessage = (told: unknown) => {
      const picked = pick(told as ServerMessage);
      if (picked === undefined) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      done(picked);
    };
    child.on('message', onMessage);
    child.once('exit', onExit);
  });
}

export interface Measured {
  readonly startedAt: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly maxRssMb: number;
  /**
   * The processes that read workbooks for this one, on Linux; elsewhere 0. Their peak memory leaves out Node's program
   * file, which `maxRssMb` already has; `wholeMb` includes it.
   */
  readonly readers: Readers;
  /** When the ledger blocked the event loop, in milliseconds since 1970; empty without PAYRUN_BENCH_STALLS. */
  readonly stalls: readonly (readonly [from: number, to: number])[];
  readonly code: number | null;
  readonly out: string;
}

export interface Readers {
  readonly ownMb: number;
  readonly wholeMb: number;
  readonly cpuMs: number;
}

/** The longest time that a measured process may run. */
const deadlineMs = 5 * 60 * 1000;

const lookMs = 20;

/** Watches the readers of a process, and adds up the peak memory and the processor time of each. */
function watchReaders(pid: number): () => Readers {
  const readers = new Map<string, { ownKib: number; wholeKib: number; cpuMs: number }>();
  const look = () => {
    for (const child of childrenOf(pid)) {
      // A new process shows its parent's command line until its own program starts.
      if (!readIfThere(`/proc/${child}/cmdline`).includes('--permission')) continue;
      const status = readIfThere(`/proc/${child}/status`);
      const kib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      const [user = 0, system = 0] = readIfThere(`/proc/${child}/stat`).split(' ').slice(13, 15).map(Number);
      const before = readers.get(child);
      readers.set(child, {
        ownKib: Math.max(kib('VmHWM') - kib('RssFile'), before?.ownKib ?? 0),
        wholeKib: Math.max(kib('VmHWM'), before?.wholeKib ?? 0),
        cpuMs: Math.max((user + system) * msPerTick, before?.cpuMs ?? 0),
      });
    }
  };
  const timer = setInterval(look, lookMs);
  return () => {
    clearInterval(timer);
    const all = [...readers.values()];
    return {
      ownMb: all.reduce((sum, { ownKib }) => sum + ownKib / 1024, 0),
      wholeMb: all.reduce((sum, { wholeKib }) => sum + wholeKib / 1024, 0),
      cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    };
  };
}

/** The unit in which Linux counts processor time: a hundredth of a second. */
const msPerTick = 10;

function childrenOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readIfThere(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Runs `node ARGS` to its end, from the start of the process to its exit. */
export async function measure(
  args: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Measured> {
  const usage = join(folder, 'usage.json');
  const startedAt = Date.now();
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', join(here, 'usage.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env, PAYRUN_BENCH_USAGE: usage },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: deadlineMs,
  });
  const readers = watchReaders(child.pid ?? 0);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  const exited = once(child, 'exit').then(([code]) => ({
    code: code as number | null,
    wallMs: performance.now() - started,
  }));
  const [{ code, wallMs }] = await Promise.all([exited, once(child.stdout, 'close')]);
  const used = JSON.parse(readFileSync(usage, 'utf8')) as Pick<Measured, 'cpuMs' | 'stalls'> & { maxRssKib: number };
  rmSync(usage);
  const { maxRssKib, cpuMs, stalls } = used;
  return { startedAt, wallMs, cpuMs, maxRssMb: maxRssKib / 1024, readers: readers(), stalls, code, out };
}
