/** One sheet, one ledger and one service that lives on while the processes that pay there die; and the processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { runCommand } from '../../src/cli/args/command-line.ts';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { type RowState, rowStates } from '../../src/domain/rows/row-states.ts';
import { type Independent, type Shape, startIndependent } from '../independent/service.ts';
import { mainFile, ownEnv } from '../program.ts';
import { temporary } from '../temporary.ts';
import { newWatcher, type Watcher, watchWithin } from './seams.ts';

/** What the oracle reads of a payment. */
export interface Payment {
  readonly id: string | number;
  readonly tag?: string;
  readonly reference: string;
  readonly amount: number;
  readonly merchantId: string;
}

export interface World {
  readonly service: Independent;
  /** Of the service, and of all that runs: it goes as the machine's, and `moved` is what the test has let pass. */
  readonly clock: Clock & { moved: number };
  /** Every payment that the service holds; none of these services lets one expire. */
  payments(): Promise<readonly Payment[]>;
  readonly folder: string;
  readonly sheet: string;
  readonly ledger: string;
  readonly result: string;
  readonly rows: readonly SheetRow[];
  readonly concurrency: number;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface SheetRow {
  readonly key: string;
  readonly phone: string;
  readonly amount: number;
  readonly reference: string;
}

export interface WorldOrder {
  readonly rows: number;
  readonly concurrency: number;
  readonly documents: number;
  readonly shape?: Shape;
  readonly env?: Readonly<Record<string, string>>;
}

/** No wait takes any time. */
function newClock(): World['clock'] {
  const clock = {
    ...systemClock,
    moved: 0,
    now: () => Math.floor(Date.now() + clock.moved),
    monotonic: () => performance.now() + clock.moved,
    uptime() {
      const { boot, ms } = systemClock.uptime();
      return { boot, ms: Math.floor(ms + clock.moved) };
    },
    async sleep(delayMs: number) {
      clock.moved += delayMs;
      await systemClock.sleep(1);
    },
  };
  return clock;
}

const payees = 5;

/** Every row has an amount and a reference of its own, so that a payment is known for its row even without its tag. */
export async function newWorld({ rows: count, concurrency, documents, shape, env = {} }: WorldOrder): Promise<World> {
  const clock = newClock();
  const service = await startIndependent({ now: () => clock.now(), ...shape });
  const folder = mkdtempSync(join(temporary, 'payrun-kill-'));
  const rows = Array.from({ length: count }, (_, index) => ({
    key: `k${index + 1}`,
    phone: `+2547123456${10 + (index % payees)}`,
    amount: 100 + index,
    reference: `Ref ${index + 1}`,
  }));
  const lines = rows.map(({ key, phone, amount, reference }, index) => {
    const document = index < documents ? `slip${index + 1}.pdf` : '';
    if (document !== '') writeFileSync(join(folder, document), `%PDF-1.4 slip ${index + 1}`);
    return [key, `Payee ${(index % payees) + 1}`, 'Kenya', phone, amount, reference, document].join(',');
  });
  const sheet = join(folder, 'november.csv');
  const header = 'row_id,name,country,contact_number,amount,reference,documents';
  writeFileSync(sheet, `${[header, ...lines].join('\n')}\n`);
  mkdirSync(join(folder, 'state'));
  const ledger = join(folder, 'state', 'ledger.db');
  return {
    service,
    clock,
    payments: async () => service.payments as unknown as Payment[],
    folder,
    sheet,
    ledger,
    result: join(folder, 'november.result.csv'),
    rows,
    concurrency,
    env: {
      PAYRUN_LEDGER: ledger,
      XDG_STATE_HOME: join(folder, 'state'),
      HOME: folder,
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: service.apiKey,
      PAYRUN_API_SECRET: service.apiSecret,
      PAYRUN_DOUBT_VISIBLE: '0',
      PAYRUN_DOUBT_HORIZON: '0',
      PAYRUN_DOUBT_CONFIRM: '0',
      ...env,
    },
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const runArguments = ({ sheet, concurrency }: World): string[] => [
  'run',
  sheet,
  '--json',
  '--wait',
  '0',
  '--concurrency',
  String(concurrency),
];

/** The batch's name, which commands on a batch take. */
export function batchOf({ ledger }: World): string {
  const db = new DatabaseSync(ledger, { readOnly: true });
  try {
    return String(db.prepare('SELECT name FROM batch').get()?.name);
  } finally {
    db.close();
  }
}

export interface Ran {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

const preload = join(import.meta.dirname, 'preload.ts');
/** No command of these takes this long, on the slowest machine; one that does hangs. */
const hangMs = 300_000;

/** With `how`, a process of its own whose seams are watched, and which may die; what needs no death needs no process either. */
export const run = (
  world: World,
  how: Readonly<Record<string, string>> = {},
  words: readonly string[] = runArguments(world),
): Promise<Ran> =>
  Object.keys(how).length === 0 ? runHere(world, newWatcher(world.folder, []), words) : runApart(world, how, words);

async function runApart(world: World, how: Readonly<Record<string, string>>, words: readonly string[]): Promise<Ran> {
  const child: ChildProcess = spawn(process.execPath, ['--import', preload, mainFile, ...words], {
    cwd: world.folder,
    env: { ...ownEnv, ...world.env, AHEAD: String(Math.floor(world.clock.moved)), ...how },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  const hanging = setTimeout(() => child.kill('SIGTERM') && setTimeout(() => child.kill('SIGKILL'), 2000), hangMs);
  return await new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (exit, signal) => {
      clearTimeout(hanging);
      done({ exit, signal, out, err });
    });
  });
}

/** Within this process, its seams watched. */
export async function runHere(
  world: World,
  watcher: Watcher,
  words: readonly string[] = runArguments(world),
): Promise<Ran> {
  let out = '';
  let err = '';
  const signals = Object.assign(new EventEmitter(), {
    exit(code: number): never {
      throw new Error(`exit ${code}`);
    },
  });
  const streams = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
    color: false,
  };
  const exit = await watchWithin(watcher, () =>
    runCommand(words, { env: world.env, cwd: world.folder, clock: world.clock, streams, signals }),
  );
  return { exit, signal: null, out, err };
}

/** How often each seam was passed in a run that nothing disturbed. */
export async function passings(world: World): Promise<Map<string, number>> {
  const path = join(world.folder, 'counts.json');
  await run(world, { COUNTS: path });
  return new Map(JSON.parse(readFileSync(path, 'utf8')) as [string, number][]);
}

export function documentOf({ out }: Pick<Ran, 'out'>): Outcome | null {
  return out.startsWith('{"batch"') ? (JSON.parse(out) as Outcome) : null;
}

export interface StoredRow {
  readonly key: string;
  readonly state: RowState;
  readonly tag: string;
  readonly paymentId: string | null;
  readonly reason: string | null;
  /** The first pass that counts against it; null before one has. */
  readonly missed: string | null;
}

/** The ledger as its file has it, read past the product; no rows where there is no ledger yet. */
export function storedRows({ ledger }: Pick<World, 'ledger'>): StoredRow[] {
  if (!existsSync(ledger)) return [];
  const db = new DatabaseSync(ledger, { readOnly: true });
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'payout'").get() === undefined) return [];
    const rows = db
      .prepare('SELECT key, state, tag, payment_id AS paymentId, reason, missed FROM payout ORDER BY id')
      .all();
    for (const { state } of rows)
      if (!rowStates.includes(state as RowState)) throw new Error(`the ledger has the state ${String(state)}`);
    return rows as unknown as StoredRow[];
  } finally {
    db.close();
  }
}

/** Where a run wrote it: a file that cannot be replaced leads to the next free name. */
export function resultRows(path: string): Record<string, string>[] | null {
  if (!existsSync(path)) return null;
  return parse(readFileSync(path, 'utf8'), { columns: true, bom: true }) as Record<string, string>[];
}

/** Temporary files that nobody will ever look at again. */
export const leftovers = ({ folder }: Pick<World, 'folder'>): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.tmp'));
