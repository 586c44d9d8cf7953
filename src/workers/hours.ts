/** Finds out which scheduled hours of a batch are due, used or missed, and lists the schedules of all batches. */
import { type Hours, openPreview, type Preview } from '../app/schedule-batch.ts';
import type { TrailEntry } from '../audit/chain.ts';
import { isoTime } from '../base/clock.ts';
import type { Note, NoteOf } from '../domain/note.ts';
import type { End } from '../domain/sending/end.ts';
import { type Ledger, wordOf } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { hasUnsent, standing } from '../pipeline/figures.ts';
import { untilOf } from '../pipeline/next-steps.ts';
import { isStoppedByPerson } from '../pipeline/sending/signals.ts';

/** The newest schedule of a batch in the trail. Hours before `since` do not count. */
export interface Schedule extends Hours {
  readonly since: number;
}

/** How long after a scheduled hour a worker may still start. After that, the hour is missed. */
const graceMs = 300_000;
const hourMs = 3_600_000;
/** pg-boss fails near some clock changes, such as one by half an hour. So the search starts again up to 48 times, an hour later. */
const stepsOver = 48;

export function nextHour(boss: Preview, { cron, zone }: Hours, after: number): number | null {
  for (let step = 0; step < stepsOver; step += 1)
    try {
      const [next] = boss.previewSchedule(cron, { tz: zone, from: new Date(after + step * hourMs), count: 1 });
      if (next !== undefined) return next.getTime();
    } catch {
      // The next try starts an hour later.
    }
  return null;
}

/** Returns the last scheduled hour from `since` to `now`; null for none. Uses `nextHour`, which also gives the hours on screens. */
export function lastHour(boss: Preview, { since, ...hours }: Schedule, now: number): number | null {
  const comes = (after: number) => {
    const next = nextHour(boss, hours, after);
    return next !== null && next <= now ? next : null;
  };
  // pg-boss cannot search backwards. Near a clock change, it finds an hour only if the search begins long before that hour.
  const first = since - 24 * hourMs;
  let from = now;
  for (let backMs = 3 * hourMs; comes(from) === null; backMs *= 2) {
    if (from === first) return null;
    from = Math.max(now - backMs, first);
  }
  let hour = 0;
  for (let next = comes(from); next !== null; next = comes(next)) hour = next;
  return hour >= since ? hour : null;
}

/** Returns null for the end of a schedule. */
const scheduleIn = ({ what, at, data }: TrailEntry): Schedule | null =>
  what === 'scheduled' ? { cron: String(data.cron), zone: String(data.zone), since: Number(data.since ?? at) } : null;

export interface HoursOrder {
  readonly deps: Deps;
  readonly say: (note: Note) => void;
  readonly missed: (deps: Deps, batch: string) => Promise<void>;
}

/** `at` is a scheduled hour, or the opening of the pay window that was shut at that hour. */
export interface Due {
  readonly at: number;
  readonly isWindow: boolean;
}

type HourWhy = NoteOf<'hour-missed'>['why'];

interface Told {
  schedule: Schedule | null;
  /** The newest trail entry that opened or stopped the batch. */
  step: TrailEntry | null;
  /** When the pay window opens that was shut at the last hour; null if none was shut. */
  opens: number | null;
  /** `hour`: the newest hour or opening that was used or missed. `window`: the same for openings of pay windows only. */
  hour: number;
  window: number;
}

export function openHours({ deps, say, missed }: HoursOrder) {
  const { ledger, service, clock } = deps;
  const fleet = ledger.fleet!;
  const batches = new Map<string, Told>();
  /** The time before which nothing is due, for each batch. A new trail entry of the batch removes its time. */
  const quiet = new Map<string, number>();
  let seq = 0;

  function take(batch: string, entry: TrailEntry): void {
    const told = batches.get(batch) ?? { schedule: null, step: null, opens: null, hour: 0, window: 0 };
    batches.set(batch, told);
    quiet.delete(batch);
    const { what, data } = entry;
    if (what === 'scheduled' || what === 'schedule ended') {
      told.schedule = scheduleIn(entry);
    } else if (what === 'opened' || what === 'stop') {
      told.step = entry;
      told.opens = null;
    } else {
      const at = Date.parse(String(data.hour));
      told.hour = Math.max(told.hour, at);
      if (data.window === true) told.window = Math.max(told.window, at);
      told.opens = untilOf(told.step);
    }
  }

  /** `due`: the unused hour or opening that has come. `next`: when the next hour or opening comes. */
  function standsAt(boss: Preview, { schedule, step, hour, window, ...told }: Told, now: number) {
    const opens = told.opens !== null && told.opens > window ? told.opens : null;
    // Pay windows are also checked by the paying machine's own clock, so the window must be open by both clocks.
    const isOpen = opens !== null && opens <= Math.min(now, clock.now());
    const last = schedule === null ? null : lastHour(boss, schedule, now);
    // An opening or a stop after the hour has used the hour up. A stop with a set time has not.
    const goneOn = Math.max(hour, step === null || untilOf(step) !== null ? 0 : step.at);
    const due: Due | null = isOpen
      ? { at: opens, isWindow: true }
      : last !== null && last > goneOn
        ? { at: last, isWindow: false }
        : null;
    const next = (schedule === null ? null : nextHour(boss, schedule, now)) ?? Number.POSITIVE_INFINITY;
    return { due, next: opens === null || isOpen ? next : Math.min(next, opens) };
  }

  async function tellMissed(batch: string, { at, isWindow }: Due, opening: string, why: HourWhy) {
    const data = { hour: isoTime(at), ...(isWindow ? { window: true } : {}), why };
    if (!(await fleet.recordUnchanged({ batch, row: null, what: 'hour missed', data }, opening))) return;
    say({ note: 'batch-hour-missed', batch, hour: data.hour, why });
    await missed(deps, batch);
  }

  /** Returns the hour if this worker uses it. `passes`: no worker uses it. `waits`: another worker may still use it. */
  async function ownOf(batch: string, due: Due, now: number, opening: string): Promise<Due | 'passes' | 'waits'> {
    if (!(await isUnfinished(deps, batch))) return 'passes';
    if (isStoppedByPerson(deps, batch)) {
      say({ note: 'hours-pass', batch });
      return 'passes';
    }
    const identity = (await ledger.batches.batch(batch))?.identity ?? '';
    const isOwn = identity === service.identity;
    const by = due.at + graceMs;
    if (await fleet.isAttended(identity, by)) {
      if (isOwn) return due;
    } else if (now > by) {
      // An hour matters only for unsent rows. Workers follow payments and check doubts at any time.
      if (await isLeftToSend(deps, batch))
        await tellMissed(batch, due, opening, isOwn ? 'unattended' : 'other-service');
      return 'passes';
    }
    say({ note: 'hours-left-to-others', batch });
    return 'waits';
  }

  async function read(): Promise<void> {
    const told = await fleet.hoursSince(seq);
    seq = told.seq;
    for (const entry of told.entries) if (entry.batch !== null) take(entry.batch, entry);
  }

  return {
    /** Returns the batches that this worker must continue now, and the hour for each. Also reports hours that no worker used. */
    async due(boss: Preview, asked: Iterable<string> = batches.keys()): Promise<ReadonlyMap<string, Due>> {
      await read();
      const found = new Map<string, Due>();
      // A leader may be using the hour at this moment.
      if (await fleet.isLed()) return found;
      const now = await fleet.now();
      for (const batch of asked) {
        const told = batches.get(batch);
        if (told === undefined || told.schedule === null || now < (quiet.get(batch) ?? 0)) continue;
        const before = standsAt(boss, told, now);
        if (before.due === null) {
          quiet.set(batch, before.next);
          continue;
        }
        // Reads the trail again, because another worker may have used the hour in the meantime.
        const opening = await fleet.standsAs(batch);
        await read();
        const { due, next } = standsAt(boss, told, now);
        const own = due === null ? 'passes' : await ownOf(batch, due, now, opening);
        if (own === 'passes') quiet.set(batch, next);
        else if (own !== 'waits') found.set(batch, own);
      }
      return found;
    },
    async passed(batch: string, due: Due, { end, code }: { readonly end: End; readonly code: string | null }) {
      const data = { hour: isoTime(due.at), ...(due.isWindow ? { window: true } : {}), end };
      if (code === 'PAUSED' && (await isLeftToSend(deps, batch)))
        await tellMissed(batch, due, await fleet.standsAs(batch), 'paused');
      else await ledger.trail.record({ batch, row: null, what: 'hour', data });
    },
  };
}

/** False for a batch that needs no run. Its hours are not reported as missed. */
export async function isUnfinished({ ledger }: Pick<Deps, 'ledger'>, batch: string): Promise<boolean> {
  const { due, uploading, in_doubt, missing } = await ledger.documents.documentCounts(batch);
  if (due + uploading + in_doubt + missing > 0) return true;
  return (await ledger.rows.counts(batch)).some(
    ({ state, listed }) =>
      ['pending', 'in doubt'].includes(wordOf[state]) || (listed && ['not sent', 'held'].includes(wordOf[state])),
  );
}

async function isLeftToSend({ ledger }: Pick<Deps, 'ledger'>, name: string): Promise<boolean> {
  const batch = await ledger.batches.batch(name);
  return batch !== null && hasUnsent(await standing(ledger, batch));
}

/** `next` is null if pg-boss finds no hour. */
export async function schedules(
  ledger: Pick<Ledger, 'trail'>,
): Promise<readonly (Hours & { readonly batch: string; readonly next: number | null })[]> {
  const boss = await openPreview();
  const entries = await ledger.trail.entries(null, 'scheduled', 'schedule ended');
  const newest = new Map(entries.map((entry) => [entry.batch ?? '', scheduleIn(entry)]));
  const found = [...newest].flatMap(([batch, one]) =>
    one === null ? [] : [{ batch, cron: one.cron, zone: one.zone, next: nextHour(boss, one, Date.now()) }],
  );
  return found.sort((one, other) => (one.batch < other.batch ? -1 : 1));
}
