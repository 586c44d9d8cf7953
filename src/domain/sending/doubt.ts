/** Payments in doubt: the time since an attempt, and the proof that a payment does not exist (docs/explanation/safety.md). */

/** Doubts with the same reason within this time count as one, because a lost connection can fail many calls. */
export const sharedCauseMs = 1000;

/** A point in time on several clocks, because no single clock is trusted. */
export interface Moment {
  readonly wall: number;
  /** The service's own clock, from its last Date header; null if it sent none. */
  readonly service: number | null;
  /** The id of the machine's start, from which `uptime` counts. */
  readonly boot: string;
  readonly uptime: number;
}

/** Returns the shortest time that any clock measured, in milliseconds and never below 0, since a clock may have been set. */
export function elapsedMs(from: Moment, to: Moment): number {
  const spans = [to.wall - from.wall];
  if (from.service !== null && to.service !== null) spans.push(to.service - from.service);
  if (from.boot === to.boot) spans.push(to.uptime - from.uptime);
  return Math.max(0, Math.min(...spans));
}

export function momentText({ wall, service, boot, uptime }: Moment): string {
  return JSON.stringify([wall, service, boot, uptime]);
}

/** Reads a text from `momentText`. Returns null for any other text, since Payrun never guesses the time of an attempt. */
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
  /** The shortest possible time from the row's attempt to the start of the scan. */
  readonly elapsedMs: number;
  /** How long after an attempt its payment may still appear: the call's deadline plus the horizon. */
  readonly horizonMs: number;
  /** The shortest possible time since the first scan that was judged `missed`; null if there was none. */
  readonly sinceMissedMs: number | null;
  readonly confirmMs: number;
  /** True if the scan showed one of our payments that was sent after the horizon. Always true for the embedded service. */
  readonly witnessed: boolean;
  /** True if the batch has unsent rows. When one of them is sent, its payment can prove that the list is up to date. */
  readonly rowsLeft: boolean;
}

/**
 * Judges a row in doubt after a complete list scan that did not show its payment.
 * - early: the horizon has not passed, so the scan proves nothing.
 * - unproven: the list may be outdated. A younger payment of ours proves that it is not; without unsent rows, twice the horizon does.
 * - missed: this is the first of two scans that are needed.
 * - absent: this is the second one.
 */
export function judgeMissing(facts: Missing): 'early' | 'unproven' | 'missed' | 'absent' {
  if (facts.elapsedMs < facts.horizonMs) return 'early';
  const proven = facts.witnessed || (!facts.rowsLeft && facts.elapsedMs >= 2 * facts.horizonMs);
  if (!proven) return 'unproven';
  const apart = facts.sinceMissedMs !== null && facts.sinceMissedMs >= facts.confirmMs;
  return apart ? 'absent' : 'missed';
}

/** The values that decide when to scan again for a row in doubt. Times are in milliseconds since 1970. */
export interface Doubt {
  readonly sentAt: number;
  /** The `momentText` of the first scan that was judged `missed`; null if there was none. */
  readonly missed: string | null;
}

/**
 * Returns when the next scan can decide more. `lastListed` is when the newest payment with a known id was sent. If it was sent
 * after the horizon, it proves that the list is up to date.
 */
export function tellsMoreFrom(
  { sentAt, missed }: Doubt,
  {
    now,
    lastListed,
    horizonMs,
    confirmMs,
  }: { now: number; lastListed: number | null } & Pick<Missing, 'horizonMs' | 'confirmMs'>,
): number {
  const end = sentAt + horizonMs;
  if (now < end) return end;
  const first = missed === null ? null : readMoment(missed);
  if (first !== null) return first.wall + confirmMs;
  return lastListed !== null && lastListed > end ? end : end + horizonMs;
}
