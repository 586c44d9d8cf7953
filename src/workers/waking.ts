/**
 * What wakes a worker to lead a batch: jobs of pg-boss that name a batch and nothing else. They decide nothing: whoever is woken looks into
 * the ledger, whose lock lets one lead; and a sweeper finds in the ledger what no job is left for.
 */

import type { PgBoss as Engine } from 'pg-boss';
import type { Clock } from '../base/clock.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import type { Deps } from '../pipeline/deps.ts';

/** What is done of a batch: it is gone on with, its payments are followed, or doubts are looked at, which sends nothing. */
export type Deed = 'resume' | 'follow' | 'reconcile';

export interface WakingOrder {
  readonly address: string;
  /** Of the engine's own tables. */
  readonly schema: string;
  /** Returns the exit code. */
  readonly lead: (batch: string, deed: Deed, stop: AbortSignal) => Promise<number>;
  readonly deps: Deps;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly say: (sentence: string) => void;
  readonly sweepMs: number;
}

interface Job {
  readonly batch: string;
  /** Its hour has come: it is gone on with, whether it was opened before or not. */
  readonly scheduled?: true;
}

const queue = 'payrun-wake';

/** Another run holds the ledger (docs/exit-codes.md). */
const busy = 24;
/** This worker was stopped while it led. */
const drained = 130;
/** One whose hour has come while another run held the ledger, or whose leader was drained, is tried again for so long. */
const patience = { retryLimit: 60, retryDelay: 5 };

/** The engine is loaded where it is needed alone. */
async function openEngine(address: string, schema: string, works: boolean, say: (sentence: string) => void) {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    connectionString: address,
    schema,
    application_name: 'payrun pg-boss',
    max: 3,
    supervise: works,
    schedule: works,
  });
  let told = '';
  // What it tells is no Error always.
  boss.on('error', ({ message: words }) => {
    if (words !== told) say(`pg-boss: ${words}`);
    told = words;
  });
  try {
    await boss.start();
    // One wake-up at a time: a job that a dead worker took keeps nobody from the next. One that is lost is found by the sweeper.
    await boss.createQueue(queue, { policy: 'short', retryLimit: 0, expireInSeconds: 23 * 3600 });
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
}

/** Until it is stopped. The batches that are led end first. Tables that were lost, or a server that was away, are opened anew. */
export async function listenForWork(order: WakingOrder): Promise<void> {
  const { clock, stop, say, sweepMs } = order;
  let told = '';
  while (!stop.aborted) {
    try {
      await listenAndSweep(order);
    } catch (error) {
      const words = wordsOf(error);
      if (words !== told) say(`Looking for unfinished batches: ${words}`);
      told = words;
    }
    await clock.sleep(sweepMs, stop);
  }
}

async function listenAndSweep({ address, schema, lead, deps, clock, stop, say, sweepMs }: WakingOrder): Promise<void> {
  const boss = await openEngine(address, schema, true, say);
  try {
    await boss.work<Job>(queue, { pollingIntervalSeconds: 1 }, async ([job]) => {
      if (job === undefined || stop.aborted) return;
      const { batch, scheduled } = job.data;
      const deed = scheduled === true ? 'resume' : (await deeds(deps)).get(batch);
      if (deed === undefined) return;
      const exit = await lead(batch, deed, stop);
      // What was opened is found in the ledger by the others; what was not has this job alone.
      const isLost = exit === drained && !(await deeds(deps)).has(batch);
      if (scheduled === true && (exit === busy || isLost))
        throw new Error(`${batch} is gone on with by another one, or once another run no longer holds the ledger`);
    });
    while (!stop.aborted) {
      for (const [batch, deed] of await deeds(deps)) {
        const seldom = deed === 'follow' ? { singletonSeconds: betweenLooksMs / 1000 } : {};
        await boss.send(queue, { batch }, { singletonKey: batch, ...seldom });
      }
      await clock.sleep(sweepMs * (0.75 + clock.random() / 2), stop);
    }
  } finally {
    await boss
      .stop({ graceful: true, timeout: 24 * 3600 * 1000 })
      .catch((error: unknown) => say(`pg-boss: ${wordsOf(error)}`));
  }
}

/** Who has looked a moment ago would see the same. */
const betweenLooksMs = 15_000;

/** What the ledger leaves to be done, and a worker may do without a person. */
export async function deeds({
  ledger,
  service,
  clock,
}: Pick<Deps, 'ledger' | 'clock'> & { readonly service: Pick<Deps['service'], 'identity'> }): Promise<
  ReadonlyMap<string, Deed>
> {
  const found = new Map<string, Deed>();
  for (const { batch, left, ended: closed, ready, pending, inDoubt } of (await ledger.fleet?.unfinished(
    service.identity,
  )) ?? []) {
    const stop = await ledger.newestEntry(batch, 'stop', 'run', 'opened');
    const until = stop?.what === 'stop' && typeof stop.data.until === 'string' ? Date.parse(stop.data.until) : null;
    // Whatever stopped it is for a person, but for an hour that was told; rows that came free since it ended are not.
    // Whoever opened it may have died, and somebody else have come to its end with nothing left to send.
    const ended = stop?.what === 'opened' ? closed : stop?.what === 'run' && stop.data.stopped === null;
    if (left || (ready && (ended || (until !== null && until <= clock.now())))) found.set(batch, 'resume');
    else if (pending && ended) found.set(batch, 'follow');
    else if (inDoubt) {
      const pass = await ledger.newestEntry(batch, 'pass');
      if ((pass?.at ?? 0) + betweenLooksMs <= clock.now()) found.set(batch, 'reconcile');
    }
  }
  return found;
}

/** A batch is gone on with whenever its hour comes; null: no longer. Returns whether there was one. */
export async function schedule(
  { address, schema, say }: Pick<WakingOrder, 'address' | 'schema' | 'say'>,
  batch: string,
  when: { readonly cron: string; readonly zone: string } | null,
): Promise<boolean> {
  const boss = await openEngine(address, schema, false, say);
  try {
    if (when !== null) requireHours(boss, when);
    const before = (await boss.getSchedules(queue)).some(({ key }) => key === keyOf(batch));
    if (when === null) await boss.unschedule(queue, keyOf(batch));
    else
      await boss.schedule(queue, when.cron, { batch, scheduled: true } satisfies Job, {
        key: keyOf(batch),
        tz: when.zone,
        // Not that of a wake-up, which may find nothing to do.
        singletonKey: `${batch} at its hour`,
        ...patience,
      });
    return before;
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The engine takes other forms too, of which a person who forgot a field would not learn. */
function requireHours(boss: Pick<Engine, 'previewSchedule'>, { cron, zone }: { cron: string; zone: string }): void {
  const unfit = (why: string) => new PayrunError('USAGE', { detail: `--cron '${cron}' --zone '${zone}': ${why}` });
  if (cron.trim().split(/\s+/).length !== 5)
    throw unfit('expected five fields, which are minute, hour, day, month and day of the week');
  try {
    boss.previewSchedule(cron, { tz: zone, count: 1 });
  } catch (error) {
    throw unfit(wordsOf(error));
  }
}

/** A batch's name may have characters that a key of the engine may not. */
const keyOf = (batch: string) => Buffer.from(batch).toString('hex');
