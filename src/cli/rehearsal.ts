/** Runs a rehearsal: runs meet faults and are killed, and then further runs finish the batch without faults. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { readEntry, type TrailEntry } from '../audit/chain.ts';
import { systemClock } from '../base/clock.ts';
import { sha256 } from '../base/digest.ts';
import type { Each } from '../base/words.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { type Credentials, type FaultRule, operate } from '../service/service.ts';
import { configFileName, type Environment } from './compose/config.ts';
import { exitOf, type TerminalEnd } from './render/exit-code.ts';
import type { ShownOutcome } from './render/outcome-document.ts';

interface RehearsalOrder extends Each<'folder file seed', string> {
  readonly flags: readonly string[];
  /** The person's settings for reading a sheet, without addresses and credentials. */
  readonly config: object;
  readonly documents: { readonly kinds: readonly string[]; readonly maxSize: string };
  readonly kills: number;
  readonly limitMs: number;
  readonly size: Each<'rows documents', number>;
  readonly env: Environment['env'];
  readonly stop: AbortSignal;
  progress(words: string): void;
}

/** The ledger's trail shows in which of these stages a kill came. */
export const moments = ['reading', 'enrolling', 'looking', 'paying', 'attaching', 'following'] as const;
export type KillMoment = (typeof moments)[number];

interface Kill extends Each<'run afterMs entries', number> {
  readonly at: KillMoment;
  /** The tags of payments with an intent, but without an answer, at the time of the kill. */
  readonly inFlight: readonly string[];
  /** When the next run started. The killed run caused any payment that the service made before this time. */
  nextAt: number;
}

export type Rehearsed = Awaited<ReturnType<typeof rehearse>>;

/** The times are short, because service and client are on this machine. */
const timing = { timeoutMs: 750, horizonMs: 60, confirmMs: 20, visibleMs: 20 };
/** A payment must not appear later than the horizon: it would look absent and be paid twice. */
const lateMs = 60;
const pollMs = 2;
const smallSheet = 100;
const never = Number.POSITIVE_INFINITY;
const serviceGraceMs = 10_000;
const most = { concurrency: 8, mendings: 15 };
/** The ends that a sound run may have after faults and kills. Other ends are noted. */
const expectedEnds: readonly TerminalEnd[] = ['done', 'unpaid', 'doubt', 'later', 'service'];

export async function rehearse(order: RehearsalOrder) {
  const { folder, kills: wanted, seed, size, stop } = order;
  const clock = systemClock;
  const draw = (what: string) => Number.parseInt(sha256(`${seed}|${what}`).slice(0, 8), 16) / 2 ** 32;
  const begun = clock.monotonic();
  const left = () => order.limitMs - (clock.monotonic() - begun);
  const ledger = join(folder, 'ledger', 'ledger.db');
  const [data, out] = [join(folder, 'service'), join(folder, 'result')];
  // The copy keeps policies and settings beside the person's sheet out of the rehearsal.
  const sheet = join(folder, 'sheet', basename(order.file));
  for (const path of [out, join(folder, 'tmp'), dirname(sheet)]) mkdirSync(path, { mode: 0o700 });
  copyFileSync(order.file, sheet);
  const put = (name: string, value: object) =>
    writeFileSync(join(folder, name), JSON.stringify(value), { mode: 0o600 });
  put(configFileName, { ...order.config, documents: order.documents });
  put('faults.json', faultsFrom(seed, size.rows < smallSheet ? 2 : 1));
  await using programs = openPrograms(folder, order.env, stop);
  const kills: Kill[] = [];
  const ends: { [E in TerminalEnd]?: number } = {};
  const notes: string[] = [];
  let runs = 0;
  let unexpected = 0;
  /** The number of absent rows that the rehearsal released in place of a person. */
  let released = 0;
  let outcome = null as ShownOutcome | null;

  async function service(port: number, ...more: string[]) {
    const argv = ['service', '--json', '--until-eof', '--data', data, '--port', String(port)];
    const { kinds, maxSize } = order.documents;
    const documents = ['--documents-kinds', kinds.join(','), '--documents-max-size', maxSize];
    const program = programs.start([...argv, ...documents, '--tokens-per-minute', '0', ...more], {});
    const { url } = JSON.parse(await program.firstLine()) as { url: string };
    return {
      url,
      port: Number(new URL(url).port),
      async end(): Promise<Readonly<Record<string, number>>> {
        program.child.kill('SIGTERM');
        const forced = setTimeout(() => program.child.kill('SIGKILL'), serviceGraceMs);
        const { out: said } = await program.ended;
        clearTimeout(forced);
        const last = said.trim().split('\n').at(-1) ?? '';
        return (JSON.parse(last) as { faults?: Record<string, number> }).faults ?? {};
      },
    };
  }

  /** A small sheet is sent slowly, so that a kill finds the run still at work. */
  const fastest = Math.max(2, Math.min(most.concurrency, Math.ceil((2 * size.rows) / Math.max(1, wanted))));
  const runOf = (env: Record<string, string>, wait: string) => {
    for (const kill of kills) kill.nextAt = Math.min(kill.nextAt, clock.now());
    const concurrency = String(1 + Math.floor(draw(`concurrency ${runs}`) * fastest));
    const argv = ['run', sheet, ...order.flags, '--ledger', ledger, '--out', out, '--json', '--allow-momo-push'];
    return programs.start([...argv, '--concurrency', concurrency, '--wait', wait], env);
  };

  function ran(said: { out: string; err: string }): ShownOutcome | null {
    const { end, outcome } = answerIn(said.out);
    ends[end] = (ends[end] ?? 0) + 1;
    if (expectedEnds.includes(end)) return outcome;
    unexpected += 1;
    const words = outcome?.stopped?.message ?? said.err.trim().split('\n').at(-1) ?? '';
    const note = `A run that was not killed ended with ${exitOf(end)}${words === '' ? '' : `: ${words}`}`;
    if (ends[end] === 1) notes.push(note);
    return outcome;
  }

  /** True after an alarm, or after more than three unexpected ends: more kills would show nothing new. */
  const hopeless = () => ends.alarm !== undefined || unexpected > 3;

  async function strike(env: Record<string, string>): Promise<void> {
    const steps = 2 + 5 * size.rows + 2 * size.documents;
    /** How many entries each later run writes before it continues: the accepted sheet, rows in doubt and the scan. */
    const again = 5;
    let startupMs = 500;
    for (let turn = 1; kills.length < wanted && turn <= 2 * wanted + 5; turn += 1) {
      if (stop.aborted || left() < order.limitMs / 3 || hopeless()) return;
      order.progress(`Kill ${kills.length + 1} of ${wanted}`);
      const trail = watchLedger(ledger);
      const before = await trail.seq();
      const startedAt = clock.monotonic();
      const run = runOf(env, '2s');
      runs += 1;
      const early = draw(`early ${turn}`) < 0.2;
      const share = steps / (wanted + 1) + (turn === 1 ? 0 : again);
      const aim = early
        ? { afterMs: draw(`after ${turn}`) * 1.2 * startupMs, entries: never }
        : { afterMs: never, entries: Math.ceil((0.2 + 1.6 * draw(`entries ${turn}`)) * share) };
      let firstMs: number | null = null;
      while (run.running() && !stop.aborted) {
        const elapsedMs = clock.monotonic() - startedAt;
        const entries = Math.max(0, (await trail.seq()) - before);
        if (entries > 0) firstMs ??= elapsedMs;
        if (left() < 0 || elapsedMs >= aim.afterMs || entries >= aim.entries) break;
        await clock.sleep(pollMs);
      }
      // The wait lets a kill also come between two entries.
      if (!early) await clock.sleep(draw(`then ${turn}`) * 15);
      run.child.kill('SIGKILL');
      const afterMs = Math.round(clock.monotonic() - startedAt);
      const { signal, ...said } = await run.ended;
      startupMs = firstMs ?? startupMs;
      const entries = trail.entriesSince(before);
      await trail.close();
      if (stop.aborted) return;
      if (signal === 'SIGKILL') {
        kills.push({ run: runs, ...momentOf(entries), afterMs, entries: entries.length, nextAt: never });
      } else {
        outcome = ran(said);
        if (isMended(outcome) || isRefused(outcome)) return;
        if (outcome !== null) await letGo(outcome, env);
      }
    }
  }

  /** Repeats the run without faults, and releases absent rows in between. A refused sheet or an alarm ends it early. */
  async function mend(env: Record<string, string>): Promise<void> {
    for (let turn = 1; turn <= most.mendings && left() > 0 && !stop.aborted; turn += 1) {
      order.progress('Repeating');
      const run = runOf(env, '15s');
      const forced = setTimeout(() => run.child.kill('SIGKILL'), Math.max(1, left()));
      const { signal, ...said } = await run.ended;
      clearTimeout(forced);
      if (signal !== null) break;
      runs += 1;
      outcome = ran(said) ?? outcome;
      if (outcome === null || isMended(outcome) || isRefused(outcome) || ends.alarm !== undefined) break;
      await letGo(outcome, env);
      if (outcome.rows.in_doubt > 0) await clock.sleep(timing.timeoutMs + timing.horizonMs, stop);
    }
  }

  /** Releases absent rows. That is safe here without a person, because no payment appears later than the horizon. */
  async function letGo({ batch, next }: ShownOutcome, env: Record<string, string>): Promise<void> {
    if (!next.some(({ action }) => action === 'release-absent')) return;
    const argv = ['resolve', batch ?? '', '--release-absent', '--reason', 'a rehearsal', '--ledger', ledger, '--json'];
    const { out: it } = await programs.start([...argv, '--out', out], env).ended;
    for (const one of answerIn(it).outcome?.notes ?? []) if (one.note === 'absent-released') released += one.rows.total;
  }

  const credentials = await operate({ dataDir: data }, ({ tenants }) => tenants.add('rehearsal'));
  const faulty = await service(0, '--faults', join(folder, 'faults.json'));
  const env = runEnvironment(faulty.url, credentials);
  await strike(env);
  const faults = stop.aborted ? {} : await faulty.end();
  const sound = stop.aborted ? null : await service(faulty.port);
  if (sound !== null && !isRefused(outcome)) await mend(env);
  await sound?.end();
  return { kills, runs, ends, faults, released, outcome, data, notes };
}

/** True if no row is unsent, in doubt or held, and every document is attached. Rows may still be pending. */
function isMended(outcome: ShownOutcome | null): boolean {
  if (outcome === null) return false;
  const { rows, documents } = outcome;
  return rows.total > 0 && rows.not_sent + rows.in_doubt + rows.held === 0 && documents.open === 0;
}

/** True if the service refused the whole sheet by a rule that the check before the runs does not know. */
export const isRefused = (outcome: ShownOutcome | null): boolean =>
  outcome !== null && outcome.end === 'sheet' && outcome.digest === null;

/** Reads the JSON of a run. A run that died printed none. */
function answerIn(said: string): { readonly end: TerminalEnd; readonly outcome: ShownOutcome | null } {
  try {
    const document = JSON.parse(said) as ShownOutcome;
    return { end: document.end, outcome: document.rows === undefined ? null : document };
  } catch {
    return { end: 'machine', outcome: null };
  }
}

function runEnvironment(url: string, { apiKey, apiSecret }: Credentials): Record<string, string> {
  return {
    PAYRUN_BASE_URL: url,
    PAYRUN_API_KEY: apiKey,
    PAYRUN_API_SECRET: apiSecret,
    PAYRUN_HTTP_TIMEOUT: `${timing.timeoutMs}ms`,
    PAYRUN_DOUBT_HORIZON: `${timing.horizonMs}ms`,
    PAYRUN_DOUBT_CONFIRM: `${timing.confirmMs}ms`,
    PAYRUN_DOUBT_VISIBLE: `${timing.visibleMs}ms`,
    PAYRUN_DOUBT_POLICY: 'resend',
  };
}

/** `often` raises the probabilities for small sheets, which make few calls. */
function faultsFrom(seed: string, often: number): FaultRule[] {
  const busy = { kind: 'answer', at: 'before', status: 429, headers: { 'retry-after': '0' } } as const;
  const broken = (at: 'before' | 'after', status: number) => ({ kind: 'answer', at, status }) as const;
  const rules: Record<string, readonly (readonly [probability: number, action: FaultRule['action']])[]> = {
    '*': [[0.005, { kind: 'rotate' }]],
    'POST /merchants': [
      [0.2, { kind: 'delay', at: 'after', ms: 15 }],
      [0.04, { kind: 'drop', at: 'after' }],
      [0.03, broken('before', 503)],
      [0.03, busy],
    ],
    'GET /merchants': [[0.04, broken('before', 503)]],
    'POST /payments': [
      [0.3, { kind: 'delay', at: 'before', ms: 20 }],
      [0.3, { kind: 'delay', at: 'after', ms: 20 }],
      [0.03, { kind: 'drop', at: 'before' }],
      [0.05, { kind: 'drop', at: 'after', how: 'close' }],
      [0.03, broken('before', 503)],
      [0.04, broken('after', 500)],
      [0.03, { kind: 'cut', framing: 'length' }],
      [0.02, { kind: 'cut', framing: 'chunked' }],
      [0.02, { kind: 'late', ms: lateMs }],
      [0.01, { kind: 'hang', at: 'after' }],
      [0.03, busy],
    ],
    'GET /payments': [
      [0.04, broken('before', 502)],
      [0.04, { kind: 'cut', framing: 'close' }],
      [0.1, { kind: 'delay', at: 'before', ms: 15 }],
    ],
    'GET /payments/:id': [
      [0.03, broken('before', 500)],
      [0.03, { kind: 'drop', at: 'before' }],
    ],
    'POST /payments/:id/document': [
      [0.3, { kind: 'delay', at: 'after', ms: 15 }],
      [0.1, { kind: 'drop', at: 'after' }],
      [0.1, broken('before', 503)],
    ],
  };
  return Object.entries(rules).flatMap(([route, dice]) =>
    dice.map(([probability, action], index) => ({
      route,
      probability: often * probability,
      seed: `${seed}|${index}`,
      action,
    })),
  );
}

function momentOf(entries: readonly TrailEntry[]): { at: KillMoment; inFlight: string[] } {
  const open = new Map<string, string>();
  let paid = false;
  for (const { what, row, data } of entries) {
    if (what === 'run') paid = true;
    if (what !== 'move' || row === null) continue;
    if (data.to === 'sending') open.set(row, String(data.tag));
    else open.delete(row);
  }
  const inFlight = [...open.values()];
  return { at: inFlight.length > 0 ? 'paying' : lastStage(entries.at(-1), paid), inFlight };
}

function lastStage(last: TrailEntry | undefined, paid: boolean): KillMoment {
  if (last === undefined) return 'reading';
  const { what, row, data } = last;
  if (what === 'document') return 'attaching';
  if (what === 'run' || paid) return 'following';
  if (what === 'sheet' || what === 'wanted' || what === 'merchant' || what === 'bound') return 'enrolling';
  if (what === 'pass' || what === 'note' || what === 'quiet' || (what === 'move' && row === null)) return 'looking';
  if (what !== 'move') return 'reading';
  return data.to === 'succeeded' || data.to === 'expired' ? 'following' : 'paying';
}

/** Reads a ledger that runs write. It opens the ledger again and again, because a kill may come during its creation. */
function watchLedger(path: string) {
  let ledger: Ledger | null = null;
  const open = () => {
    try {
      return existsSync(path) ? openLedger(path, systemClock, { readOnly: true }) : null;
    } catch {
      return null;
    }
  };
  return {
    async seq(): Promise<number> {
      ledger ??= open();
      return ledger === null ? 0 : (await ledger.trail.head()).seq;
    },
    entriesSince(before: number): TrailEntry[] {
      ledger ??= open();
      const entries: TrailEntry[] = [];
      for (const { seq, text } of ledger?.trail.eachTrail() ?? []) if (seq > before) entries.push(readEntry(text));
      return entries;
    },
    close: async () => await ledger?.close(),
  };
}

/** The processes get no settings, state or credentials of the person. */
function openPrograms(folder: string, env: Environment['env'], stop: AbortSignal) {
  const entry = join(import.meta.dirname, `main${extname(import.meta.filename)}`);
  const programs: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
  const kill = () => {
    for (const { child } of programs) child.kill('SIGKILL');
  };
  stop.addEventListener('abort', kill);
  const own = Object.fromEntries(['PATH', 'SystemRoot', 'TZ'].map((name) => [name, env[name]]));
  // Node adds a subfolder for its version, so the parent folder is passed on.
  const cache = getCompileCacheDir();
  const base = {
    ...own,
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }),
    HOME: folder,
    PAYRUN_CONFIG: join(folder, configFileName),
    XDG_STATE_HOME: join(folder, 'state'),
    TMPDIR: join(folder, 'tmp'),
  };

  function start(argv: readonly string[], more: Record<string, string>) {
    const child = spawn(process.execPath, [entry, ...argv], {
      cwd: folder,
      env: { ...base, ...more },
      // The child's stdin ends with this process, even after a kill. A service with `--until-eof` then ends too.
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const ended = once(child, 'close').then(([, signal]) => ({ signal: signal as NodeJS.Signals | null, out, err }));
    const running = () => child.exitCode === null && child.signalCode === null;
    const program = {
      child,
      ended,
      running,
      async firstLine() {
        while (!out.includes('\n')) {
          if (!running()) throw new Error(`${argv[0]} ended: ${(await ended).err.trim()}`);
          await systemClock.sleep(pollMs);
        }
        return out.slice(0, out.indexOf('\n'));
      },
    };
    // A failed start is reported where the program's end is awaited.
    ended.catch(() => undefined);
    programs.push(program);
    if (stop.aborted) kill();
    return program;
  }

  return {
    start,
    async [Symbol.asyncDispose]() {
      stop.removeEventListener('abort', kill);
      kill();
      await Promise.allSettled(programs.map(({ ended }) => ended));
    },
  };
}
