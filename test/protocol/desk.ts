/** What the tests of the protocol share: a time of their own, what each tag was asked for, and what holds everywhere. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { run as runPipeline } from '../../src/app/run-batch.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { RefusalFacts, RowRefusalCode } from '../../src/base/refusal.ts';
import { assemble } from '../../src/cli/compose/assemble.ts';
import { loadSettings } from '../../src/cli/compose/config.ts';
import { exitOf } from '../../src/cli/render/exit-code.ts';
import type { ShownOutcome } from '../../src/cli/render/outcome-document.ts';
import type { Reason } from '../../src/domain/sending/reason.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import type { Outcome as RunOutcome } from '../../src/pipeline/outcome.ts';
import { atEnd } from '../endings.ts';
import { deadlineMs, type HeldClock, newService } from '../held-clock.ts';
import type { Call, Fault, Independent, Shape } from '../independent/service.ts';
import { plainRules } from '../plain-rules.ts';
import { command, type Desk, deskFor, expectSound, type Ran, resultOf, type SheetRow } from '../support.ts';
import { startProxy, type TcpProxy } from './proxy.ts';

export { type HeldClock, heldClock } from '../held-clock.ts';

/** The longest call and the horizon together are how long nothing is proven. */
export const horizonMs = 100;
/** The service tells its time in full seconds: so much later the least of all clocks has passed it. */
export const pastHorizonMs = deadlineMs + horizonMs + 1100;
export const pastTwiceMs = 2 * (deadlineMs + horizonMs) + 1100;

export const quick: Readonly<Record<string, string>> = {
  PAYRUN_HTTP_TIMEOUT: '2500ms',
  PAYRUN_DOUBT_HORIZON: `${horizonMs}ms`,
  PAYRUN_DOUBT_CONFIRM: '200ms',
  PAYRUN_DOUBT_VISIBLE: '0',
};

/** Under which widths each case runs: the long run names more of them. */
export const widths = (process.env.PAYRUN_TEST_CONCURRENCY ?? '4').split(',').map(Number);

/** The time at each service that is watched; the machines beside it have the same. */
const clocks = new WeakMap<Independent, HeldClock>();

/** A desk whose witness is its own: a machine by itself. */
export function machine(
  service: Independent | null,
  rows: readonly SheetRow[],
  env: Record<string, string> = {},
): Desk {
  const clock = service === null ? undefined : clocks.get(service);
  const held = clock === undefined ? {} : { PAYRUN_HTTP_TIMEOUT: `${deadlineMs}ms` };
  const desk = deskFor(service, rows, { ...quick, ...held, ...env });
  return {
    ...desk,
    ...(clock === undefined ? {} : { clock }),
    env: { XDG_DATA_HOME: join(desk.folder, 'data'), ...desk.env },
  };
}

/** The same desk long before its horizon. */
export const patient = (desk: Desk): Desk => ({ ...desk, env: { ...desk.env, PAYRUN_DOUBT_HORIZON: '10m' } });

export interface Watched {
  readonly service: Independent;
  /** How often the service was asked for a payment under each tag, whatever it answered. */
  readonly hits: ReadonlyMap<string, number>;
  readonly clock: HeldClock;
  fault: (call: Call) => Fault | undefined;
}

/** A service that counts what it is asked for. */
export async function watched(shape: Shape = {}): Promise<Watched> {
  const service = await newService(shape);
  const { clock } = service;
  clocks.set(service, clock);
  const hits = new Map<string, number>();
  const one: Watched = { service, hits, clock, fault: () => undefined };
  service.fault = (call) => {
    const { tag } = call.body;
    if (call.route === 'POST /payments' && typeof tag === 'string') hits.set(tag, (hits.get(tag) ?? 0) + 1);
    return one.fault(call);
  };
  return one;
}

/** The same service through a proxy. */
export async function proxied(service: Independent): Promise<{ proxy: TcpProxy; at: Independent }> {
  const proxy = await startProxy(service.url);
  atEnd(() => proxy.close());
  const at = { ...service, url: proxy.url };
  const clock = clocks.get(service);
  if (clock !== undefined) clocks.set(at, clock);
  return { proxy, at };
}

/** The first payment so numbered goes wrong, and nothing else. */
export const atPayment =
  (nth: number, fault: Fault) =>
  (call: Call): Fault | undefined =>
    call.route === 'POST /payments' && call.nth === nth ? fault : undefined;

export interface Told {
  readonly exit: number;
  readonly err: string;
  readonly document: ShownOutcome;
}

/** A command with `--json`; one that stopped before there was anything to count has no document. */
export async function told(desk: Desk, ...argv: string[]): Promise<Told> {
  const { exit, out, err } = await command(desk, [...argv, '--json']);
  const document = JSON.parse(out) as ShownOutcome;
  if ('rows' in document) expectSound(document);
  return { exit, err, document };
}

export const run = async (desk: Desk, ...more: string[]) =>
  await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '0', ...more);
export const resume = async (desk: Desk, ...more: string[]) =>
  await told(desk, 'resume', 'nov', '--wait', '0', ...more);
export const reconcile = async (desk: Desk) => await told(desk, 'reconcile', 'nov');
/** A person's decision, with --json. */
export const resolve = async (desk: Desk, ...more: string[]) =>
  await command(desk, ['resolve', 'nov', ...more, '--json']);
export const notesOf = ({ out }: Pick<Ran, 'out'>) => (JSON.parse(out) as ShownOutcome).notes;
/** The refusal of a decision about this row. */
export const stays = <C extends RowRefusalCode>(
  row: string,
  code: C,
  facts?: Omit<RefusalFacts[C], 'batch' | 'row'>,
) => ({ code, facts: { batch: 'nov', row, ...facts } });

/** Returns the reasons for a row's state. */
export async function reasonsOf(desk: Desk, key: string, batch = 'nov'): Promise<readonly Reason[]> {
  const { out } = await command(desk, ['explain', batch, key, '--json']);
  return (JSON.parse(out) as { row: { reasons: Reason[] } }).row.reasons;
}

/** What the result says of each row, by its key: every row exactly once. */
export function statusOf({ document }: Pick<Told, 'document'>): Record<string, string> {
  const rows = resultOf(document.result);
  const status = Object.fromEntries(rows.map(({ payrun_row: key = '', payrun_status = '' }) => [key, payrun_status]));
  expect(Object.keys(status).length, 'every row stands in the result once').toBe(document.rows.total);
  return status;
}

export const reasonOf = ({ document }: Pick<Told, 'document'>, key: string): string =>
  resultOf(document.result).find(({ payrun_row }) => payrun_row === key)?.payrun_reason ?? '';

/** How many payments that may still be, or were, paid out stand under each reference; every row has one of its own. */
export function paymentsOf(service: Independent, living: (reference: string) => boolean = () => true) {
  const counts: Record<string, number> = {};
  for (const { reference } of service.payments) if (living(reference)) counts[reference] = (counts[reference] ?? 0) + 1;
  return counts;
}

export const posts = ({ calls }: Independent): number => calls.get('POST /payments') ?? 0;

/** No row has two payments, and no tag was asked for twice unless the service said that it did nothing. */
export function expectNoDouble(service: Independent): void {
  for (const [reference, count] of Object.entries(paymentsOf(service)))
    expect(count, `payments of ${reference}`).toBe(1);
}

/** As if it had happened so many days ago: the service's payments, and what the ledger knows of them. */
export async function daysAgo(service: Independent, desks: readonly Desk[], days: number): Promise<void> {
  const ms = days * 24 * 60 * 60 * 1000;
  for (const payment of service.payments) (payment as { createdAtMs: number }).createdAtMs -= ms;
  const { DatabaseSync } = await import('node:sqlite');
  for (const { ledger } of desks) {
    const db = new DatabaseSync(ledger);
    db.exec(`UPDATE payout SET submitted_at = submitted_at - ${ms}, settled_at = settled_at - ${ms};
      UPDATE batch SET created_at = created_at - ${ms}, quiet_until = quiet_until - ${ms};
      UPDATE sheet SET received_at = received_at - ${ms}`);
    db.close();
  }
}

/** A clock on which sleeping takes no time: `moved` says how far it is ahead, and may be set. */
export function handClock(): Clock & { moved: number; wallMoved: number; readonly slept: number[] } {
  const slept: number[] = [];
  const clock = {
    ...systemClock,
    slept,
    moved: 0,
    /** What somebody did to the wall clock alone. */
    wallMoved: 0,
    now: () => Math.floor(Date.now() + clock.moved + clock.wallMoved),
    monotonic: () => performance.now() + clock.moved,
    async sleep(delayMs: number) {
      slept.push(delayMs);
      clock.moved += delayMs;
      await systemClock.sleep(1);
    },
  };
  return clock;
}

export const flatOutcome = (outcome: RunOutcome) => ({
  ...outcome,
  sent: outcome.run?.sent ?? 0,
  result: outcome.run?.result ?? null,
  problems: outcome.findings?.problems ?? [],
  exit: exitOf(outcome.end),
});

/** `run SHEET --batch nov --wait 0` on a clock that the test holds; `change` puts a part of its own into the program. */
export async function runOn(
  desk: Desk,
  clock: Clock,
  concurrency = 4,
  change: (deps: Deps) => Deps = (deps) => deps,
): Promise<ReturnType<typeof flatOutcome>> {
  const { deps, close } = await assemble({
    settings: loadSettings({ env: desk.env, cwd: desk.folder }, {}),
    fresh: false,
    concurrency,
    waitMs: 0,
    stop: new AbortController().signal,
    progress: () => {},
    say: () => {},
    actor: { driver: 'terminal', name: null },
    clock,
  });
  try {
    const outcome = await runPipeline(change(deps), {
      file: desk.sheet,
      batch: 'nov',
      add: false,
      drop: false,
      prompts: 5,
      repeated: {},
      confirmRepeat: null,
      skipInvalid: false,
      updateNames: false,
      outDir: null,
      format: null,
      sheet: {},
      rules: plainRules,
      documentsFolder: desk.folder,
    });
    expectSound(outcome);
    return flatOutcome(outcome);
  } finally {
    await close();
  }
}

/** Rows with two payments: in doubt until both were paid out. */
export const twiceIn = ({ rows }: Pick<ShownOutcome, 'rows'>): number => rows.paid_twice + rows.in_doubt;

/** The SQL of an attempt's moment on a machine whose other clocks say nothing. */
export const wallOnly = (wall: string | number): string => `json_array(${wall}, NULL, '', 0)`;
