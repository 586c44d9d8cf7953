/** Rows in doubt: how Payrun proves that a row's payment does not exist (docs/explanation/safety.md). */

/** Doubts with the same reason within this time count as one doubt, because one lost connection can fail many calls. */
export const sharedCauseMs = 1000;

/** A point in time on three clocks, because any one clock may be wrong. All times are in milliseconds. */
export interface Moment {
  readonly wall: number;
  /** The service's clock, from its last Date header; null without such a header. */
  readonly service: number | null;
  /** Identifies the machine's last start. `uptime` counts from that start. */
  readonly boot: string;
  readonly uptime: number;
}

/** Returns the shortest time that a clock measured, at least 0. Somebody may have set the other clocks forward. */
export function elapsedMs(from: Moment, to: Moment): number {
  const spans = [to.wall - from.wall];
  if (from.service !== null && to.service !== null) spans.push(to.service - from.service);
  if (from.boot === to.boot) spans.push(to.uptime - from.uptime);
  return Math.max(0, Math.min(...spans));
}

export const momentText = ({ wall, service, boot, uptime }: Moment): string =>
  JSON.stringify([wall, service, boot, uptime]);

/** Returns null for any text that `momentText` did not write, because Payrun never guesses the time of an attempt. */
export function readMoment(text: string): Moment | null {
  const [wall, service, boot, uptime] = listIn(text);
  if (!isTime(wall) || (service !== null && !isTime(service)) || typeof boot !== 'string' || !isTime(uptime))
    return null;
  const moment = { wall, service, boot, uptime };
  return momentText(moment) === text ? moment : null;
}

function listIn(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

const isTime = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) <= 8.64e15;

export interface Missing {
  /** The shortest possible time from the attempt's start to the scan's start. */
  readonly elapsedMs: number;
  /** How long, from the attempt's start, the payment may take to appear: the call's deadline plus the horizon. */
  readonly appearsWithinMs: number;
  /** The shortest possible time since the first scan with the result `missed`; null without such a scan. */
  readonly sinceMissedMs: number | null;
  readonly confirmMs: number;
  /** True if the list shows a payment sent more than `appearsWithinMs` after the attempt. True in the sandbox. */
  readonly witnessed: boolean;
  /** True if the batch has unsent rows. Their payments can later prove that the list is up to date. */
  readonly rowsLeft: boolean;
}

/**
 * Judges a row in doubt whose payment a complete list scan did not find.
 * - early: the payment may still appear.
 * - unproven: the list may be out of date. A later payment in the list proves that the list is up to date. If the batch
 *   has no unsent rows, waiting 2 × `appearsWithinMs` proves the same.
 * - missed: one scan proves that the payment does not exist.
 * - absent: a second scan, at least `confirmMs` after the first, proves the same.
 */
export function judgeMissing(facts: Missing): 'early' | 'unproven' | 'missed' | 'absent' {
  if (facts.elapsedMs < facts.appearsWithinMs) return 'early';
  const proven = facts.witnessed || (!facts.rowsLeft && facts.elapsedMs >= 2 * facts.appearsWithinMs);
  if (!proven) return 'unproven';
  const apart = facts.sinceMissedMs !== null && facts.sinceMissedMs >= facts.confirmMs;
  return apart ? 'absent' : 'missed';
}

/** A row in doubt. `sentAt` is in milliseconds since 1970. */
interface Doubt {
  readonly sentAt: number;
  /** The `momentText` of the first scan with the result `missed`; null without such a scan. */
  readonly missed: string | null;
}

/**
 * Why the service's list cannot settle a doubt yet. Until `end`, the payment may still appear in the list. After `end`,
 * a later payment proves the list up to date, and a second scan confirms the first. Times are in milliseconds since 1970.
 */
export interface DoubtWait {
  readonly why: 'may-appear' | 'list-may-be-old' | 'second-scan' | 'none';
  readonly end: number;
  /** When the list settles the doubt without a later payment; null if the batch has to send its other rows first. */
  readonly at: number | null;
}

export interface DoubtView extends Pick<Missing, 'appearsWithinMs' | 'confirmMs' | 'rowsLeft'> {
  readonly now: number;
  /** When the newest payment with a known id was sent; null for none. */
  readonly lastListed: number | null;
}

export function doubtWait(
  { sentAt, missed }: Doubt,
  { now, lastListed, appearsWithinMs, confirmMs, rowsLeft }: DoubtView,
): DoubtWait {
  const end = sentAt + appearsWithinMs;
  const isProven = lastListed !== null && lastListed > end;
  const provenAt = isProven ? end : rowsLeft ? null : end + appearsWithinMs;
  if (now < end) return { why: 'may-appear', end, at: provenAt };
  const first = missed === null ? null : readMoment(missed);
  const at = first === null ? provenAt : first.wall + confirmMs;
  if (at !== null && at <= now) return { why: 'none', end, at };
  return { why: first === null ? 'list-may-be-old' : 'second-scan', end, at };
}
