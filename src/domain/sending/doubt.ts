/** Doubts: the least time since an attempt, and what an absence from the list proves (docs/explanation/safety.md). */

/** Doubts of one moment and one cause, as of a connection that many shared, are one. */
export const sharedCauseMs = 1000;

/** One moment as several clocks saw it. None of them is trusted alone. */
export interface Moment {
  /** The wall clock, milliseconds since 1970. */
  readonly wall: number;
  /** The service's own clock, from its last Date header; null where none came. */
  readonly service: number | null;
  /** The start of the machine from which `uptime` counts. */
  readonly boot: string;
  readonly uptime: number;
}

/**
 * The time that has passed at least: the least of what the clocks say, so that one that was set forward proves nothing. Never less than
 * none: a date of whole seconds may say of a later moment that it is an earlier one.
 */
export function elapsedMs(from: Moment, to: Moment): number {
  const spans = [to.wall - from.wall];
  if (from.service !== null && to.service !== null) spans.push(to.service - from.service);
  if (from.boot === to.boot) spans.push(to.uptime - from.uptime);
  return Math.max(0, Math.min(...spans));
}

export function momentText({ wall, service, boot, uptime }: Moment): string {
  return JSON.stringify([wall, service, boot, uptime]);
}

/** Null where the text is none that `momentText` gives: how long ago something was sent is never guessed. */
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

/** Whole milliseconds, and no more of them than a date can hold. */
const isTime = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) <= 8.64e15;

/** Facts about a row in doubt whose payment a complete scan did not show. */
export interface Missing {
  /** Since its attempt, at the pass's beginning; at least. */
  readonly elapsedMs: number;
  /** How long after its attempt a payment may still come to light: the deadline of the call and the horizon. */
  readonly horizonMs: number;
  /** Since an earlier pass that counted; null where there was none. */
  readonly sinceMissedMs: number | null;
  /** How far apart the two passes have to be. */
  readonly confirmMs: number;
  /** True when the scan showed a payment of ours whose intent is younger than the row's horizon. */
  readonly witnessed: boolean;
  /** True when unsent rows are left that could become such a payment. */
  readonly rowsLeft: boolean;
}

/**
 * early: its horizon has not passed, the pass proves nothing; missed: it counts as the first of two; absent: it is the second. Without a
 * younger payment of ours in the list the list may be an old one: a row that is left is sent first, or twice the horizon has to pass.
 */
export function judgeMissing(facts: Missing): 'early' | 'unproven' | 'missed' | 'absent' {
  if (facts.elapsedMs < facts.horizonMs) return 'early';
  const proven = facts.witnessed || (!facts.rowsLeft && facts.elapsedMs >= 2 * facts.horizonMs);
  if (!proven) return 'unproven';
  const apart = facts.sinceMissedMs !== null && facts.sinceMissedMs >= facts.confirmMs;
  return apart ? 'absent' : 'missed';
}

/** A row in doubt, as far as it tells when to look for it; moments of the wall clock, milliseconds since 1970. */
export interface Doubt {
  readonly sentAt: number;
  /** `momentText` of an earlier pass that counted; null where there was none. */
  readonly missed: string | null;
}

/**
 * Returns when another complete scan without the payment can say more than the last one did. `lastListed` is when the newest
 * listable payment of the batch was sent, which may prove that the list is fresh.
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
