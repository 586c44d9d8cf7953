/**
 * The hours of schedules. Which one has come, whether it was gone on with, and whether anybody was there for it, is read from the ledger
 * and its database alone: the engine's clock wakes a worker at an hour, and decides nothing.
 */
import type { PgBoss as Engine } from 'pg-boss';
import type { TrailEntry } from '../audit/chain.ts';
import { isoTime } from '../base/clock.ts';
import { shellWord } from '../base/words.ts';
import { endOfPause, wordOf } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { hasUnsent, hourMissedWords, standing } from '../pipeline/outcome.ts';
import { isStoppedByPerson } from '../pipeline/together.ts';

export interface Hours {
  readonly cron: string;
  readonly zone: string;
}

/** As the trail told it last. A minute that had begun by `since` is none of its hours. */
export interface Schedule extends Hours {
  readonly since: number;
}

export type Preview = Pick<Engine, 'previewSchedule'>;

/** A worker that comes within them goes on with an hour; when nobody was there by then, it is over. */
const patienceMs = 300_000;
const hourMs = 3_600_000;
/** Where the library finds no way on, as where a clock is set back by half an hour, it does from some hours later. */
const stepsOver = 48;

/** The first hour after that time; null: none comes. */
export function nextHour(boss: Preview, { cron, zone }: Hours, after: number): number | null {
  for (let step = 0; step < stepsOver; step += 1)
    try {
      const [next] = boss.previewSchedule(cron, { tz: zone, from: new Date(after + step * hourMs), count: 1 });
      if (next !== undefined) return next.getTime();
    } catch {
      // From a little later, then.
    }
  return null;
}

/** The last hour from `since` to now; null: none has come. Only hours that come next, as they are told, are its hours. */
export function lastHour(boss: Preview, { since, ...hours }: Schedule, now: number): number | null {
  const comes = (after: number) => {
    const next = nextHour(boss, hours, after);
    return next !== null && next <= now ? next : null;
  };
  // The engine has no look back. An hour that the clock leaps over is found from before that alone.
  const first = since - 24 * hourMs;
  let from = now;
  for (let backMs = 60_000; comes(from) === null; backMs *= 2) {
    if (from === first) return null;
    from = Math.max(now - backMs, first);
  }
  let hour = 0;
  for (let next = comes(from); next !== null; next = comes(next)) hour = next;
  return hour >= since ? hour : null;
}

/** By batch, in the order in which they were told; null: a person ended it. */
export function schedulesIn(entries: readonly TrailEntry[]): ReadonlyMap<string, Schedule | null> {
  const found = new Map<string, Schedule | null>();
  for (const { batch, what, at, data } of entries) {
    const since = Number(data.since ?? at);
    const told = { cron: String(data.cron), zone: String(data.zone), since };
    if (batch !== null) found.set(batch, what === 'scheduled' ? told : null);
  }
  return found;
}

export interface HoursOrder {
  readonly deps: Deps;
  readonly say: (sentence: string) => void;
  /** Of an hour that passed, and nobody went on with the batch then, people are told: else a month could be lost unseen. */
  readonly missed: (deps: Deps, batch: string, why: 'unattended' | 'paused') => Promise<void>;
}

export interface OpenHours {
  /** What the trail has as scheduled. */
  read(): Promise<ReadonlyMap<string, Schedule>>;
  /** Whether one of the batch's hours has come that this worker goes on with, at once: when it came. Tells what nobody goes on with. */
  due(boss: Preview, batch: string): Promise<number | null>;
  /** It was gone on with, to this exit code. */
  passed(batch: string, hour: number, exit: number): Promise<void>;
}

export function openHours({ deps, say, missed }: HoursOrder, joinedAt: number): OpenHours {
  const { ledger, service } = deps;
  const fleet = ledger.fleet!;
  const known = new Map<string, Schedule>();
  /** Before that nothing about its hours changes. */
  const quiet = new Map<string, number>();
  const said = new Map<string, string>();
  let seq = 0;

  const tell = (batch: string, words: string) => {
    if (said.get(batch) !== words) say(`Batch ${batch}: ${words}`);
    said.set(batch, words);
  };

  /** An hour, or a time at which a worker was to come back, as it found the pay window shut; and what has been done of it. */
  async function stands(boss: Preview, batch: string, one: Schedule, now: number) {
    const step = await ledger.newestEntry(batch, 'opened', 'run', 'stop');
    const told = await ledger.newestEntry(batch, 'hour', 'hour missed');
    const stopped = step?.what === 'stop' && step.at >= one.since ? Date.parse(String(step.data.until)) : Number.NaN;
    const until = Number.isNaN(stopped) ? null : stopped;
    const hour = lastHour(boss, one, now);
    const came = Math.max(hour ?? 0, until !== null && until <= now ? until : 0);
    const goneOn = Math.max(step?.at ?? 0, told === null ? 0 : Date.parse(String(told.data.hour)));
    const next = nextHour(boss, one, now) ?? Number.POSITIVE_INFINITY;
    return { came: came > goneOn ? came : null, next: until !== null && until > now ? Math.min(next, until) : next };
  }

  async function tellMissed(batch: string, hour: number, asOf: string, why: 'unattended' | 'paused', words?: string) {
    const data = { hour: isoTime(hour), ...(words === undefined ? {} : { why: words }) };
    if (!(await fleet.recordAsOf({ batch, row: null, what: 'hour missed', data }, asOf))) return;
    say(`Batch ${batch}: its ${hourMissedWords(data)}`);
    await missed(deps, batch, why);
  }

  return {
    async read() {
      const told = await fleet.schedulesTold(seq);
      seq = told.seq;
      for (const [batch, one] of schedulesIn(told.entries)) {
        quiet.delete(batch);
        if (one === null) known.delete(batch);
        else known.set(batch, one);
      }
      return known;
    },
    async due(boss, batch) {
      const one = known.get(batch);
      // Whoever holds the ledger may be at it.
      if (one === undefined || (await fleet.isLed())) return null;
      const now = await fleet.now();
      if (now < (quiet.get(batch) ?? 0)) return null;
      const asOf = await fleet.standsAs(batch);
      const { came, next } = await stands(boss, batch, one, now);
      const pass = () => void quiet.set(batch, next);
      if (came === null || !(await isUnfinished(deps, batch))) {
        pass();
        return null;
      }
      if (await isStoppedByPerson(deps, batch)) {
        tell(batch, `a person stopped it, and its hours pass until ${await wayOn(deps, batch)}.`);
        pass();
        return null;
      }
      const identity = (await ledger.batch(batch))?.identity ?? '';
      const isOwn = identity === service.identity;
      const by = came + patienceMs;
      if ((isOwn && joinedAt <= by) || (await fleet.isAttended(identity, by))) {
        if (isOwn) return came;
      } else if (now > by) {
        // What is pending, or in doubt, is looked at without an hour.
        if (await isLeftToSend(deps, batch)) {
          const why = isOwn ? undefined : 'no worker of its service, key and user was there';
          await tellMissed(batch, came, asOf, 'unattended', why);
        }
        pass();
        return null;
      }
      tell(batch, 'it is of another service, key or user, and its hours are left to a worker with those.');
      return null;
    },
    async passed(batch, hour, exit) {
      quiet.delete(batch);
      const asOf = await fleet.standsAs(batch);
      const isBegun = ((await ledger.newestEntry(batch, 'opened'))?.at ?? 0) >= hour;
      if (!isBegun && (await fleet.pausedFor(batch)) !== null && (await isLeftToSend(deps, batch)))
        await tellMissed(batch, hour, asOf, 'paused', 'it was paused');
      else await ledger.record({ batch, row: null, what: 'hour', data: { hour: isoTime(hour), exit } });
    },
  };
}

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
