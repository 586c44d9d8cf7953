/**
 * What wakes a worker to lead a batch: jobs of pg-boss that name a batch and nothing else. They decide nothing: whoever is woken looks into
 * the ledger, whose lock lets one lead; and a sweeper finds in the ledger what no job is left for.
 */
import type { Clock } from '../base/clock.ts';
import { wordsOf } from '../base/errors.ts';
import type { Deps } from '../pipeline/deps.ts';

/** What is done of a batch: it is gone on with, or looked at, which sends nothing. */
export type Deed = 'resume' | 'reconcile';

export interface WakingOrder {
  readonly address: string;
  /** Of the engine's own tables. */
  readonly schema: string;
  readonly lead: (batch: string, deed: Deed, stop: AbortSignal) => Promise<void>;
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

const queue = 'payrun-batch';

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
  boss.on('error', (error) => {
    const words = wordsOf(error);
    if (words !== told) say(`pg-boss: ${words}`);
    told = words;
  });
  await boss.start();
  // A job that is lost is found by the sweeper: nothing is tried again blindly.
  await boss.createQueue(queue, { policy: 'exclusive', retryLimit: 0, expireInSeconds: 23 * 3600 });
  return boss;
}

/** Until it is stopped. The batches that are led end first. */
export async function listenForWork(order: WakingOrder): Promise<void> {
  const { address, schema, lead, deps, clock, stop, say, sweepMs } = order;
  const boss = await openEngine(address, schema, true, say);
  try {
    await boss.work<Job>(queue, { pollingIntervalSeconds: 1 }, async ([job]) => {
      if (job === undefined || stop.aborted) return;
      const { batch, scheduled } = job.data;
      const deed = scheduled === true ? 'resume' : (await deeds(deps)).get(batch);
      if (deed === undefined) return;
      await lead(batch, deed, stop);
      // It was asked to drain: somebody else leads on.
      if (stop.aborted && deed === 'resume') await deps.ledger.fleet?.abandon(batch);
    });
    while (!stop.aborted) {
      try {
        for (const batch of (await deeds(deps)).keys()) await boss.send(queue, { batch }, { singletonKey: batch });
      } catch (error) {
        say(`Looking for unfinished batches: ${wordsOf(error)}`);
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
async function deeds({ ledger, service, clock }: Deps): Promise<ReadonlyMap<string, Deed>> {
  const found = new Map<string, Deed>();
  for (const { batch, left, ready, open } of (await ledger.fleet?.unfinished(service.identity)) ?? []) {
    const stop = await ledger.newestEntry(batch, 'stop', 'run');
    const until = stop?.what === 'stop' && typeof stop.data.until === 'string' ? Date.parse(stop.data.until) : null;
    // Whatever stopped it is for a person, but for an hour that was told; rows that came free since it ended are not.
    const ended = stop?.what === 'run' && stop.data.stopped === null;
    if (ready && (left || ended || (until !== null && until <= clock.now()))) found.set(batch, 'resume');
    else if (open) {
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
    const before = (await boss.getSchedules(queue)).some(({ key }) => key === keyOf(batch));
    if (when === null) await boss.unschedule(queue, keyOf(batch));
    else
      await boss.schedule(queue, when.cron, { batch, scheduled: true } satisfies Job, {
        key: keyOf(batch),
        tz: when.zone,
        singletonKey: batch,
      });
    return before;
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** A batch's name may have characters that a key of the engine may not. */
const keyOf = (batch: string) => Buffer.from(batch).toString('hex');
