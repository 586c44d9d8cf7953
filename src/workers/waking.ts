/**
 * What wakes a worker to lead a batch: jobs of pg-boss that name a batch and nothing else. They decide nothing: whoever is woken looks into
 * the ledger, whose lock lets one lead; and a sweeper finds in the ledger what no job is left for.
 */

import type { PgBoss as Engine, JobWithMetadata } from 'pg-boss';
import { type Clock, isoTime } from '../base/clock.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { shellWord } from '../base/words.ts';
import { endOfPause, type Ledger, wordOf } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { hasUnsent, hourMissedWords, standing } from '../pipeline/outcome.ts';
import { isStoppedByPerson } from '../pipeline/together.ts';

/**
 * What is done of a batch: it is gone on with, its payments are followed, or, which sends nothing, doubts are looked at, or the result
 * is written that its leader owed.
 */
export type Deed = 'resume' | 'follow' | 'reconcile' | 'report';

export interface WakingOrder {
  readonly address: string;
  /** Of the engine's own tables. */
  readonly schema: string;
  /** Returns the exit code. `asOf`: how its opening stood when that was decided. `isHour`: since an hour of its schedule has come. */
  readonly lead: (batch: string, deed: Deed, asOf: string, stop: AbortSignal, isHour: boolean) => Promise<number>;
  /** Of an hour that passed, and nobody went on with the batch then, people are told: else a month could be lost unseen. */
  readonly missed: (deps: Deps, batch: string) => Promise<void>;
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
  /** When that was said: a minute that had begun by then is none of its hours. An earlier version did not write it. */
  readonly since?: number;
  readonly cron?: string;
  readonly zone?: string;
}

const queue = 'payrun-wake';

/** Another run holds the ledger (docs/exit-codes.md). */
const busy = 24;
/** This worker was stopped while it led. */
const drained = 130;
/** The ends of a run that could ask the service where its payments stand. */
const looked: ReadonlySet<number> = new Set([0, 21, 22, 23]);
const longestRestMs = 300_000;
/** One whose hour has come while another run held the ledger, or whose leader was drained, is tried again for so long. */
const patience = { retryLimit: 60, retryDelay: 5 };
const patienceMs = patience.retryLimit * patience.retryDelay * 1000;
/**
 * An hour at which no worker was there comes to the next that joins, which goes on with it or tells that it is over. A worker that dies
 * at it leaves it to another one in time. It lies as long as nobody looks.
 */
const neverUnseen = { missed: 'once', heartbeatSeconds: 60, retentionSeconds: 400 * 24 * 3600 } as const;

/** The engine is loaded where it is needed alone. */
async function openEngine({ address, schema, say }: EngineOrder, parts: { supervise: boolean; schedule: boolean }) {
  const { PgBoss } = await import('pg-boss');
  const application = { application_name: 'payrun pg-boss', max: 3 };
  const boss = new PgBoss({ connectionString: address, schema, ...application, ...parts });
  // What it tells is no Error always.
  boss.on('error', ({ message: words }) => say(`pg-boss: ${words}`));
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

/** What comes to nothing waits for a person, for a service, or for another machine: that is tried again later and later, and all else at once. */
export function openRests(clock: Pick<Clock, 'monotonic'>, firstMs: number) {
  const rests = new Map<string, { readonly ms: number; readonly until: number }>();
  return {
    isResting: (batch: string, deed: Deed) => (rests.get(`${deed} ${batch}`)?.until ?? 0) > clock.monotonic(),
    came(batch: string, deed: Deed, toNothing: boolean) {
      const key = `${deed} ${batch}`;
      const ms = Math.min(2 * (rests.get(key)?.ms ?? firstMs), longestRestMs);
      if (toNothing) rests.set(key, { ms, until: clock.monotonic() + ms });
      else rests.delete(key);
    },
  };
}

/** Each of several sentences that come again and again, in turn, is said once in an hour. */
export function sayingSeldom(clock: Pick<Clock, 'monotonic'>, say: (sentence: string) => void) {
  const said = new Map<string, number>();
  return (sentence: string) => {
    const at = said.get(sentence);
    if (at !== undefined && clock.monotonic() - at < 3_600_000) return;
    said.set(sentence, clock.monotonic());
    say(sentence);
  };
}

/** Until it is stopped. The batches that are led end first. Tables that were lost, or a server that was away, are opened anew. */
export async function listenForWork(order: WakingOrder): Promise<void> {
  const { clock, stop, say, sweepMs } = order;
  const rests = openRests(clock, sweepMs);
  const watched: Watched = { since: clock.now(), freeAt: 0, passed: new Map() };
  const fault = sayingSeldom(clock, say);
  while (!stop.aborted) {
    try {
      await listenAndSweep(order, rests, watched, fault);
    } catch (error) {
      fault(`Looking for unfinished batches: ${wordsOf(error)}`);
    }
    await clock.sleep(sweepMs, stop);
  }
}

/**
 * What is followed stays to be followed, as long as its look could be had. A doubt that one look has not settled, which reads the whole
 * list of a service and holds the ledger meanwhile, is not settled by many.
 */
export const cameToNothing = (deed: Deed, left: Deed | undefined, exit: number, settled: number): boolean =>
  deed === 'reconcile' ? settled === 0 : left === deed && (deed !== 'follow' || !looked.has(exit));

/** What a worker knows of the hours since it joined. */
interface Watched {
  readonly since: number;
  /** When it had led the last batch, and could look at the next. */
  freeAt: number;
  /** Batches of which it was told why their hours pass, each with how it stood then. */
  readonly passed: Map<string, string>;
}

async function listenAndSweep(
  order: WakingOrder,
  rests: ReturnType<typeof openRests>,
  watched: Watched,
  fault: (sentence: string) => void,
): Promise<void> {
  const { lead, deps, clock, stop, sweepMs } = order;
  const boss = await openEngine({ ...order, say: fault }, { supervise: true, schedule: true });
  try {
    let kept = await keepSchedules(boss, order, null);
    await boss.work<Job, void, typeof withMoments>(queue, withMoments, async ([job]) => {
      if (job === undefined) return;
      const { batch, scheduled } = job.data;
      // What was opened is found in the ledger by the others; an hour has its job alone.
      if (stop.aborted && scheduled === true) throw new Error(`${batch} is gone on with by a worker that stays`);
      if (stop.aborted) return;
      const asOf = await deps.ledger.fleet!.standsAs(batch);
      if (scheduled === true && !(await isItsHour(order, boss, job, watched, asOf))) return;
      const deed = scheduled === true ? 'resume' : (await deeds(deps)).get(batch);
      // Its hour waits for nothing.
      if (deed === undefined || (scheduled !== true && rests.isResting(batch, deed))) return;
      const doubts = await doubtsOf(deps, batch);
      const exit = await lead(batch, deed, asOf, stop, scheduled === true);
      watched.freeAt = clock.now();
      const left = (await deeds(deps)).get(batch);
      const settled = doubts - (await doubtsOf(deps, batch));
      if (exit !== busy && exit !== drained) rests.came(batch, deed, cameToNothing(deed, left, exit, settled));
      // What it opened is found in the ledger by the others; what it did not has this job alone, but where they would go on with it anyway.
      const isLost = exit === drained && left !== 'resume' && (await deps.ledger.fleet!.standsAs(batch)) === asOf;
      if (scheduled === true && (exit === busy || isLost))
        throw new Error(`${batch} is gone on with by another one, or once another run no longer holds the ledger`);
    });
    await deps.ledger.fleet!.attend(deps.service.identity);
    while (!stop.aborted) {
      kept = await keepSchedules(boss, order, kept.look);
      // Its tables were lost, and made anew by others: what it needs for itself is not there, and it is opened anew.
      if (kept.wasLost) break;
      for (const [batch, deed] of await deeds(deps)) {
        const seldom = deed === 'follow' ? { singletonSeconds: betweenLooksMs / 1000 } : {};
        await boss.send(queue, { batch }, { singletonKey: batch, ...seldom });
      }
      await clock.sleep(sweepMs * (0.75 + clock.random() / 2), stop);
    }
  } finally {
    await boss
      .stop({ graceful: true, timeout: 24 * 3600 * 1000 })
      .catch((error: unknown) => fault(`pg-boss: ${wordsOf(error)}`));
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
  for (const { batch, left, due, ended: closed, ready, pending, inDoubt } of (await ledger.fleet?.unfinished(
    service.identity,
  )) ?? []) {
    if (due) {
      found.set(batch, 'report');
      continue;
    }
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

const withMoments = { pollingIntervalSeconds: 1, includeMetadata: true } as const;

interface Hours {
  readonly cron: string;
  readonly zone: string;
}

/** By batch, as the trail told it last, which is what counts: pg-boss is no more than the clock. null: a person ended it. */
async function hoursTold(
  { told }: Pick<Ledger, 'told'>,
  of: string | null = null,
): Promise<ReadonlyMap<string, (Hours & { readonly at: number }) | null>> {
  const found = new Map<string, (Hours & { readonly at: number }) | null>();
  for (const { batch, what, at, data } of await told(of, 'scheduled', 'schedule ended'))
    if (batch !== null)
      found.set(batch, what === 'scheduled' ? { cron: String(data.cron), zone: String(data.zone), at } : null);
  return found;
}

const hoursKnown = ({ cron, timezone }: { readonly cron: string; readonly timezone: string | null }): Hours => ({
  cron,
  zone: timezone ?? 'UTC',
});

const isSame = (one: Hours, other: Hours) => one.cron === other.cron && one.zone === other.zone;

/** Whether pg-boss has its tables or not; it is asked alone of batches that the trail does not name. */
async function standingHours(boss: Engine, ledger: Pick<Ledger, 'told'>): Promise<ReadonlyMap<string, Hours>> {
  const known = await boss.getSchedules(queue);
  const stands = new Map(known.map((one) => [(one.data as Job).batch, hoursKnown(one)]));
  for (const [batch, hours] of await hoursTold(ledger)) {
    if (hours === null) stands.delete(batch);
    else stands.set(batch, hours);
  }
  return stands;
}

/** Whoever gives a schedule tells it before it is done. */
const beingGivenMs = 5000;

/**
 * What the trail has as scheduled is given to an engine that does not know it, since its tables were lost or the ledger was copied; returns
 * whether it was. One that an earlier version gave is as one of this. Where the engine has what it had at the look `before`, the trail,
 * which may be long, is not asked again.
 */
async function keepSchedules(
  boss: Engine,
  { deps, clock, say }: WakingOrder,
  before: string | null,
): Promise<{ readonly wasLost: boolean; readonly look: string | null }> {
  const found = await boss.getSchedules(queue);
  const look = JSON.stringify(found.map(({ key, cron, timezone }) => [key, cron, timezone]));
  if (look === before) return { wasLost: false, look };
  const known = new Map(found.map((one) => [one.key, one]));
  for (const one of known.values())
    if (one.options?.missed === undefined) await putSchedule(boss, one.data as Job, hoursKnown(one));
  let wasLost = false;
  let isBeingGiven = false;
  // Read after that: each is told before it is done.
  for (const [batch, hours] of await hoursTold(deps.ledger)) {
    const one = known.get(keyOf(batch));
    if (hours === null) {
      if (one !== undefined) await boss.unschedule(queue, keyOf(batch));
      continue;
    }
    if (one !== undefined && isSame(hoursKnown(one), hours)) continue;
    if (hours.at > clock.now() - beingGivenMs) {
      isBeingGiven = true;
      continue;
    }
    const { cron, zone } = hours;
    await putSchedule(boss, { batch, scheduled: true, cron, zone, since: clock.now() }, hours);
    say(
      `Batch ${batch}: pg-boss had lost its schedule, '${cron}' (${zone}). It is given again; see whether an hour has passed.`,
    );
    wasLost = true;
  }
  return { wasLost, look: isBeingGiven ? null : look };
}

const putSchedule = async (boss: Engine, job: Job, { cron, zone }: Hours) =>
  await boss.schedule(queue, cron, job, {
    key: keyOf(job.batch),
    tz: zone,
    // Not that of a wake-up, which may find nothing to do.
    singletonKey: `${job.batch} at its hour`,
    ...patience,
    ...neverUnseen,
  });

type HourJob = JobWithMetadata<Job>;

/** Whether it is gone on with now. Throws where it waits for another worker. */
async function isItsHour(
  { deps, clock, say, missed }: WakingOrder,
  boss: Engine,
  job: HourJob,
  watched: Watched,
  asOf: string,
): Promise<boolean> {
  const { batch, since = 0 } = job.data;
  const hour = hourOf(boss, job);
  if (hour < since || !(await isScheduled(boss, deps.ledger, job.data)) || !(await isUnfinished(deps, batch)))
    return false;
  const tell = (words: string) => {
    if (watched.passed.get(batch) !== asOf + words) say(`Batch ${batch}: ${words}`);
    watched.passed.set(batch, asOf + words);
  };
  const late = clock.now() - waitsSince(job, watched) + job.createdOn.getTime() - hour;
  const isOver = late > patienceMs;
  const isOwn = (await deps.ledger.batch(batch))?.identity === deps.service.identity;
  if (!isOver && !isOwn) {
    tell('it is of another service, key or user, and its hours are left to a worker with those.');
    throw new Error(`${batch} is gone on with by a worker of its service, key and user`);
  }
  if (await isStoppedByPerson(deps, batch)) {
    tell(`a person stopped it, and its hours pass until ${await wayOn(deps, batch)}.`);
    return false;
  }
  if (!isOver) return true;
  // What is pending, or in doubt, is looked at without an hour.
  if (!(await isLeftToSend(deps, batch))) return false;
  // It is led by whoever began before. And whoever died at it may have opened the batch, which the fleet has gone on with then.
  if (await deps.ledger.fleet!.hasLeader(batch)) return false;
  if (((await deps.ledger.newestEntry(batch, 'opened', 'run', 'stop'))?.at ?? 0) >= hour) return false;
  const why = isOwn ? {} : { why: 'no worker of its service, key and user was there' };
  const data = { hour: isoTime(hour), ...why };
  await deps.ledger.record({ batch, row: null, what: 'hour missed', data });
  say(`Batch ${batch}: its ${hourMissedWords(data)}`);
  await missed(deps, batch);
  return false;
}

/** What came before the job was made; the engine has no look back. */
function hourOf(boss: Preview, { data: { cron, zone }, createdOn }: Pick<HourJob, 'data' | 'createdOn'>): number {
  const made = createdOn.getTime();
  if (cron === undefined || zone === undefined) return made;
  const after = (from: number) =>
    boss.previewSchedule(cron, { tz: zone, from: new Date(from), count: 1 })[0]!.getTime();
  let backMs = 60_000;
  while (after(made - backMs) > made) backMs *= 2;
  let hour = after(made - backMs);
  for (let next = after(hour); next <= made; next = after(hour)) hour = next;
  return hour;
}

/** A job may come long after its schedule was ended, or changed. */
async function isScheduled(
  boss: Engine,
  ledger: Pick<Ledger, 'told'>,
  { batch, cron, zone, since }: Job,
): Promise<boolean> {
  const known = await boss.getSchedule(queue, keyOf(batch));
  const given = known?.data as Job | null | undefined;
  if (known == null || given == null) return false;
  if (given.cron !== cron || given.zone !== zone || given.since !== since) return false;
  const hours = (await hoursTold(ledger, batch)).get(batch);
  return hours === undefined || (hours !== null && isSame(hours, hoursKnown(known)));
}

/** What a worker that led other batches could not look at before has waited for it alone. */
const waitsSince = (
  { createdOn, retryCount }: { readonly createdOn: Date; readonly retryCount: number },
  { since, freeAt }: Watched,
): number => {
  const at = createdOn.getTime();
  return retryCount === 0 && at >= since ? Math.max(at, freeAt) : at;
};

/** What a person does who wants it gone on with. */
async function wayOn({ ledger, again }: Pick<Deps, 'ledger' | 'again'>, batch: string): Promise<string> {
  const ends = ((await ledger.fleet?.pauses()) ?? [])
    .filter((pause) => pause.batch === null || pause.batch === batch)
    .map((pause) => endOfPause(pause.batch, again));
  return [...ends, `payrun resume ${shellWord(batch)}${again}`].join(', and then ');
}

/** Whether to go on with it could change anything: of what is settled nobody is told at each hour. */
export async function isUnfinished({ ledger }: Pick<Deps, 'ledger'>, batch: string): Promise<boolean> {
  const { due, uploading, in_doubt, missing } = await ledger.documentCounts(batch);
  if (due + uploading + in_doubt + missing > 0) return true;
  return (await ledger.counts(batch)).some(
    ({ state, listed }) =>
      ['pending', 'in doubt'].includes(wordOf[state]) || (listed && ['not sent', 'held'].includes(wordOf[state])),
  );
}

async function isLeftToSend({ ledger }: Pick<Deps, 'ledger'>, name: string): Promise<boolean> {
  const batch = await ledger.batch(name);
  return batch !== null && hasUnsent(await standing(ledger, batch));
}

async function doubtsOf({ ledger }: Pick<Deps, 'ledger'>, batch: string): Promise<number> {
  const counts = await ledger.counts(batch);
  return counts.reduce((sum, { state, rows }) => sum + (wordOf[state] === 'in doubt' ? rows : 0), 0);
}

type EngineOrder = Pick<WakingOrder, 'address' | 'schema' | 'say'>;

/** A batch is gone on with whenever its hour comes; null: no longer. Returns whether there was one; it is told before it is done. */
export async function schedule(
  order: EngineOrder,
  ledger: Pick<Ledger, 'told'>,
  batch: string,
  when: (Hours & { readonly since: number }) | null,
  tell: () => Promise<void>,
): Promise<boolean> {
  // From its look of now on the engine knows of hours at which nobody looked.
  const boss = await openEngine(order, { supervise: false, schedule: when !== null });
  try {
    if (when !== null) requireHours(boss, when);
    const before = (await standingHours(boss, ledger)).has(batch);
    if (before || when !== null) await tell();
    if (when === null) await boss.unschedule(queue, keyOf(batch));
    else await putSchedule(boss, { batch, scheduled: true, ...when }, when);
    return before;
  } finally {
    await boss.stop({ graceful: true });
  }
}

/** With its next hour, in the order of the batches' names. */
export async function schedules(
  order: EngineOrder,
  ledger: Pick<Ledger, 'told'>,
): Promise<readonly (Hours & { readonly batch: string; readonly next: number })[]> {
  const boss = await openEngine(order, { supervise: false, schedule: false });
  try {
    const found = [...(await standingHours(boss, ledger))].map(([batch, { cron, zone }]) => {
      const [next] = boss.previewSchedule(cron, { tz: zone, count: 1 });
      return { batch, cron, zone, next: next!.getTime() };
    });
    return found.sort((one, other) => (one.batch < other.batch ? -1 : 1));
  } finally {
    await boss.stop({ graceful: false });
  }
}

type Preview = Pick<Engine, 'previewSchedule'>;

const cronFields = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day of the month', '1 to 31'],
  ['month', '1 to 12'],
  ['day of the week', '0 to 7, where 0 and 7 are Sunday'],
] as const;

/** The engine takes other forms too, of which a person who forgot a field would not learn; and its words are a library's. */
function requireHours(boss: Preview, { cron, zone }: Hours): void {
  const unfit = (why: string) => new PayrunError('USAGE', { detail: `--cron '${cron}' --zone '${zone}': ${why}` });
  const comes = (hours: string, tz: string) => {
    try {
      return boss.previewSchedule(hours, { tz, count: 1 }).length > 0;
    } catch {
      return false;
    }
  };
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5) throw unfit('expected five fields, which are minute, hour, day, month and day of the week');
  cronFields.forEach(([name, range], index) => {
    const alone = cronFields.map((_, other) => (other === index ? fields[index] : '*')).join(' ');
    if (!comes(alone, 'UTC')) throw unfit(`the ${name} is '${fields[index]}', and may be ${range}, or *`);
  });
  if (!comes(cron, 'UTC')) throw unfit('no such hour ever comes');
  if (!comes(cron, zone)) throw unfit(`there is no time zone '${zone}'; write it as Africa/Johannesburg`);
}

/** A batch's name may have characters that a key of the engine may not. */
const keyOf = (batch: string) => Buffer.from(batch).toString('hex');
