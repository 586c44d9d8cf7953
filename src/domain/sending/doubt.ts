/** Payments in doubt: the proof that a payment does not exist (docs/explanation/safety.md). */

/** Doubts with the same reason within this time count as one doubt, because one lost connection can fail many calls. */
export const sharedCauseMs = 1000;

/** A point in time on three clocks, because no single clock is trusted. All times are in milliseconds. */
export interface Moment {
  readonly wall: number;
  /** The service's own clock, from its last Date header; null if there was no Date header. */
  readonly service: number | null;
  /** The id of the machine's start, from which `uptime` counts. */
  readonly boot: string;
  readonly uptime: number;
}

/** Returns the shortest of the times that the clocks measured, because somebody may have set a clock forward. Never below 0. */
export function elapsedMs(from: Moment, to: Moment): number {
  const spans = [to.wall - from.wall];
  if (from.service !== null && to.service !== null) spans.push(to.service - from.service);
  if (from.boot === to.boot) spans.push(to.uptime - from.uptime);
  return Math.max(0, Math.min(...spans));
}

export function momentText({ wall, service, boot, uptime }: Moment): string {
  return JSON.stringify([wall, service, boot, uptime]);
}

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
  /** The shortest possible time from the start of the attempt to the start of the scan. */
  readonly elapsedMs: number;
  /** How long after the start of an attempt its payment may still appear in the list: the call's deadline plus the horizon. */
  readonly appearsWithinMs: number;
  /** The shortest possible time since the first scan with the result `missed`; null if there was none. */
  readonly sinceMissedMs: number | null;
  readonly confirmMs: number;
  /** True if the list showed a payment that Payrun sent more than `appearsWithinMs` after this attempt. Always true for the embedded service. */
  readonly witnessed: boolean;
  /** True if the batch has unsent rows. The next payment can then prove that the list is up to date. */
  readonly rowsLeft: boolean;
}

/**
 * Judges a row in doubt after a complete list scan without its payment.
 * - early: the payment may still appear, so the scan proves nothing.
 * - unproven: the list may be outdated. A younger payment in the list would prove that the list is up to date. If no rows
 *   are left to send, the time 2 × `appearsWithinMs` counts as proof.
 * - missed: the list proves that the payment does not exist. A second scan, `confirmMs` or more later, must prove the same.
 * - absent: the second scan proved the same.
 */
export function judgeMissing(facts: Missing): 'early' | 'unproven' | 'missed' | 'absent' {
  if (facts.elapsedMs < facts.appearsWithinMs) return 'early';
  const proven = facts.witnessed || (!facts.rowsLeft && facts.elapsedMs >= 2 * facts.appearsWithinMs);
  if (!proven) return 'unproven';
  const apart = facts.sinceMissedMs !== null && facts.sinceMissedMs >= facts.confirmMs;
  return apart ? 'absent' : 'missed';
}

/** A row in doubt. `sentAt` is in milliseconds since 1970. */
export interface Doubt {
  readonly sentAt: number;
  /** The `momentText` of the first scan with the result `missed`; null if there was none. */
  readonly missed: string | null;
}

/**
 * Returns the time from which the next scan can bring the row a step closer to `absent`. `lastListed`: when Payrun
 * sent the newest payment with a known id. If that time is after `end`, the list can prove that the row has no payment.
 */
export function nextScanAt(
  { sentAt, missed }: Doubt,
  {
    now,
    lastListed,
    appearsWithinMs,
    confirmMs,
  }: { now: number; lastListed: number | null } & Pick<Missing, 'appearsWithinMs' | 'confirmMs'>,
): number {
  const end = sentAt + appearsWithinMs;
  if (now < end) return end;
  const first = missed === null ? null : readMoment(missed);
  if (first !== null) return first.wall + confirmMs;
  return lastListed !== null && lastListed > end ? end : end + appearsWithinMs;
}
