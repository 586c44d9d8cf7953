/** Wakes workers by pg-boss jobs. A job only names a batch. A regular sweep makes jobs for batches that have none. */
import type { Clock } from '../base/clock.ts';
import { failureOf, systemFault } from '../base/errors.ts';
import type { Note } from '../domain/note.ts';
import type { End } from '../domain/sending/end.ts';
import { wordOf } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { untilOf } from '../pipeline/next-steps.ts';
import { type HoursOrder, openHours } from './hours.ts';

/** A worker's task: continue a batch, follow its payments, scan for rows in doubt, or write the result that its leader left out. */
export type BatchTask = 'resume' | 'follow' | 'reconcile' | 'report';

export interface WakingOrder extends HoursOrder {
  readonly address: string;
  readonly schema: string;
  /** Does the task as the batch's leader. `opening`: the batch's state when the task was chosen. `isHour`: an hour is the reason. */
  readonly lead: (
    batch: string,
    deed: BatchTask,
    opening: string,
    stop: AbortSignal,
    isHour: boolean,
  ) => Promise<{ readonly end: End; readonly code: string | null }>;
  /** The caller keeps this through a lost connection. `since`: when the worker became present. `lookedAt`: its last sweep. */
  readonly presence: { since: number; lookedAt: number };
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly sweepMs: number;
}

/** After a longer gap between two sweeps, the worker counts as absent: its machine slept, or the database was gone. */
const longestGapMs = 150_000;

const queue = 'payrun-wake';

/** Runs with these ends could read payments at the service. After another end, payments may have changed unnoticed. */
const looked: readonly End[] = ['done', 'unpaid', 'doubt', 'later'];
const longestRestMs = 300_000;

/** Imports pg-boss only here, because only fleets need it. */
async function openEngine({ address, schema, say }: WakingOrder) {
  const { PgBoss } = await import('pg-boss');
  // The sweep finds the due hours, so pg-boss keeps no schedules.
  const parts = { application_name: 'payrun pg-boss', max: 3, schedule: false };
  const boss = new PgBoss({ connectionString: address, schema, ...parts });
  // Takes only the message, because pg-boss also emits errors that are no instance of Error.
  boss.on('error', ({ message: words }) => say({ note: 'engine-fault', why: { fault: 'system', detail: words } }));
  try {
    await boss.start();
    // `short` allows one waiting job per batch, and any number of active ones. So a dead worker's job blocks no new job.
    await boss.createQueue(queue, { policy: 'short', retryLimit: 0, expireInSeconds: 23 * 3600 });
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
}

export function openRests(clock: Pick<Clock, 'monotonic'>, firstMs: number) {
  const rests = new Map<string, { readonly ms: number; readonly until: number }>();
  return {
    isResting: (batch: string, deed: BatchTask) => (rests.get(`${deed} ${batch}`)?.until ?? 0) > clock.monotonic(),
    came(batch: string, deed: BatchTask, toNothing: boolean) {
      const key = `${deed} ${batch}`;
      const ms = Math.min(2 * (rests.get(key)?.ms ?? firstMs), longestRestMs);
      if (toNothing) rests.set(key, { ms, until: clock.monotonic() + ms });
      else rests.delete(key);
    },
  };
}

function sayingSeldom(clock: Pick<Clock, 'monotonic'>, say: (note: Note) => void) {
  const said = new Map<string, number>();
  return (note: Note) => {
    const facts = JSON.stringify(note);
    const at = said.get(facts);
    if (at !== undefined && clock.monotonic() - at < 3_600_000) return;
    said.set(facts, clock.monotonic());
    say(note);
  };
}

/** Works until `stop`, then waits for the batches that this worker leads. Starts again after an error. */
export async function listenForWork(order: WakingOrder): Promise<void> {
  const { clock, stop, sweepMs } = order;
  const rests = openRests(clock, sweepMs);
  const say = sayingSeldom(clock, order.say);
  const hours = openHours({ ...order, say });
  while (!stop.aborted) {
    try {
      await listenAndSweep({ ...order, say }, rests, hours);
    } catch (error) {
      say({ note: 'worker-tries-again', why: failureOf(error) });
    }
    await clock.sleep(sweepMs, stop);
  }
}

export const cameToNothing = (deed: BatchTask, left: BatchTask | undefined, end: End, settled: number): boolean =>
  deed === 'reconcile' ? settled === 0 : left === deed && (deed !== 'follow' || !looked.includes(end));

async function listenAndSweep(
  order: WakingOrder,
  rests: ReturnType<typeof openRests>,
  hours: ReturnType<typeof openHours>,
): Promise<void> {
  const { lead, deps, clock, stop, say, sweepMs } = order;
  const fleet = deps.ledger.fleet!;
  const attend = async () => await fleet.attend(deps.service.identity, order.presence.since);
  const boss = await openEngine(order);
  try {
    isAnew(order);
    await attend();
    await boss.work<{ readonly batch: string }>(queue, { pollingIntervalSeconds: 1 }, async ([job]) => {
      if (job === undefined || stop.aborted) return;
      const { batch } = job.data;
      const opening = await fleet.standsAs(batch);
      const due = (await hours.due(boss, [batch])).get(batch);
      const deed = due === undefined ? (await deeds(deps)).get(batch) : 'resume';
      // A scheduled hour does not wait for the back-off of earlier attempts.
      if (deed === undefined || (due === undefined && rests.isResting(batch, deed))) return;
      const doubts = await doubtsOf(deps, batch);
      const led = await lead(batch, deed, opening, stop, due !== undefined);
      const { end } = led;
      // Another run leads the ledger, or this worker stops. The hour is then still due, unless the batch was opened.
      if (end === 'busy' || end === 'signal') return;
      if (due !== undefined) await hours.passed(batch, due, led);
      const left = (await deeds(deps)).get(batch);
      const settled = doubts - (await doubtsOf(deps, batch));
      rests.came(batch, deed, cameToNothing(deed, left, end, settled));
    });
    while (!stop.aborted) {
      if (isAnew(order)) await attend();
      const found = new Map(await deeds(deps));
      for (const batch of (await hours.due(boss)).keys()) found.set(batch, 'resume');
      for (const [batch, deed] of found) {
        const seldom = deed === 'follow' ? { singletonSeconds: betweenLooksMs / 1000 } : {};
        await boss.send(queue, { batch }, { singletonKey: batch, ...seldom });
      }
      await clock.sleep(sweepMs * (0.75 + clock.random() / 2), stop);
    }
  } finally {
    await boss
      .stop({ graceful: true, timeout: 24 * 3600 * 1000 })
      .catch((error: unknown) => say({ note: 'engine-fault', why: systemFault(error) }));
  }
}

function isAnew({ clock, presence }: WakingOrder): boolean {
  const now = clock.now();
  const hasSlept = now - presence.lookedAt > longestGapMs;
  if (hasSlept) presence.since = now;
  presence.lookedAt = now;
  return hasSlept;
}

/** The shortest time between two scans for doubts of a batch, and between two jobs that follow its payments. */
const betweenLooksMs = 15_000;

export async function deeds({
  ledger,
  service,
  clock,
}: Pick<Deps, 'ledger' | 'clock'> & { readonly service: Pick<Deps['service'], 'identity'> }): Promise<
  ReadonlyMap<string, BatchTask>
> {
  const found = new Map<string, BatchTask>();
  for (const { batch, left, due, ended: closed, ready, pending, inDoubt } of (await ledger.fleet?.unfinished(
    service.identity,
  )) ?? []) {
    if (due) {
      found.set(batch, 'report');
      continue;
    }
    const stop = await ledger.trail.newestEntry(batch, 'stop', 'run', 'opened');
    const until = untilOf(stop);
    // After a stop, the batch waits for a person, or until the time in the stop. Another run may have finished a dead leader's batch.
    const ended = stop?.what === 'opened' ? closed : stop?.what === 'run' && stop.data.stopped === null;
    if (left || (ready && (ended || (until !== null && until <= clock.now())))) found.set(batch, 'resume');
    else if (pending && ended) found.set(batch, 'follow');
    else if (inDoubt) {
      const pass = await ledger.trail.newestEntry(batch, 'pass');
      if ((pass?.at ?? 0) + betweenLooksMs <= clock.now()) found.set(batch, 'reconcile');
    }
  }
  return found;
}

async function doubtsOf({ ledger }: Pick<Deps, 'ledger'>, batch: string): Promise<number> {
  const counts = await ledger.rows.counts(batch);
  return counts.reduce((sum, { state, rows }) => sum + (wordOf[state] === 'in doubt' ? rows : 0), 0);
}
