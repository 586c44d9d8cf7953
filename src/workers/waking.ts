/** Wakes workers by pg-boss jobs. A job only names a batch. A regular sweep makes jobs for the batches that are due. */
import { takeHours } from '../app/schedule-batch.ts';
import type { Clock } from '../base/clock.ts';
import { failureOf, systemFault } from '../base/errors.ts';
import type { Note } from '../domain/note.ts';
import type { End } from '../domain/sending/end.ts';
import type { DueBatch } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';

export interface WakingOrder {
  readonly deps: Deps;
  readonly say: (note: Note) => void;
  readonly address: string;
  readonly schema: string;
  readonly lead: (due: DueBatch, stop: AbortSignal) => Promise<End>;
  /** Reports an hour that did not continue its batch. */
  readonly missed: (deps: Deps, batch: string) => Promise<void>;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly sweepMs: number;
}

const queue = 'payrun-wake';

/** After these ends, the lead says when the batch continues. After another end, the worker rests before it tries again. */
const went: readonly End[] = ['done', 'unpaid', 'later'];
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

type Tried = Pick<DueBatch, 'batch' | 'turn' | 'sends'>;

/** A batch that comes to nothing rests longer each time, until its lead has another turn or another row can be sent. */
export function openRests(clock: Pick<Clock, 'monotonic'>, firstMs: number) {
  const rests = new Map<string, Tried & { readonly ms: number; readonly until: number }>();
  return {
    isResting({ batch, turn, sends }: Tried): boolean {
      const rest = rests.get(batch);
      return rest !== undefined && rest.turn === turn && rest.sends >= sends && rest.until > clock.monotonic();
    },
    /** `tried`: the batch before the attempt, with the turn after it. */
    came(tried: Tried, end: End): void {
      const { batch } = tried;
      if (went.includes(end)) {
        rests.delete(batch);
        return;
      }
      const ms = Math.min(2 * (rests.get(batch)?.ms ?? firstMs), longestRestMs);
      rests.set(batch, { ...tried, ms, until: clock.monotonic() + ms });
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
  while (!stop.aborted) {
    try {
      await listenAndSweep({ ...order, say }, rests);
    } catch (error) {
      say({ note: 'worker-tries-again', why: failureOf(error) });
    }
    await clock.sleep(sweepMs, stop);
  }
}

async function listenAndSweep(order: WakingOrder, rests: ReturnType<typeof openRests>): Promise<void> {
  const { lead, missed, deps, clock, stop, say, sweepMs } = order;
  const { leads } = deps.ledger;
  const whenDue = () => leads.whenDue(deps.service.identity, deps.clock.now()).filter((one) => !rests.isResting(one));
  const boss = await openEngine(order);
  try {
    await boss.work<{ readonly batch: string }>(queue, { pollingIntervalSeconds: 1 }, async ([job]) => {
      const due = whenDue().find(({ batch }) => batch === job?.data.batch);
      if (due === undefined || stop.aborted) return;
      const end = await lead(due, stop);
      // Another run leads the ledger, or this worker stops.
      if (end === 'busy' || end === 'signal') return;
      rests.came({ ...due, turn: leads.of(due.batch).turn }, end);
    });
    while (!stop.aborted) {
      for (const { batch, hour, end } of await takeHours(deps, boss)) {
        say({ note: 'batch-hour', batch, hour, end });
        if (end !== 'begun') await missed(deps, batch);
      }
      for (const { batch } of whenDue()) await boss.send(queue, { batch }, { singletonKey: batch });
      await clock.sleep(sweepMs * (0.75 + clock.random() / 2), stop);
    }
  } finally {
    await boss
      .stop({ graceful: true, timeout: 24 * 3600 * 1000 })
      .catch((error: unknown) => say({ note: 'engine-fault', why: systemFault(error) }));
  }
}
