/** Decides about a row that agrees with another payment. `docs/reference/duplicate-checks.md` prints this table. */
import { dayMs } from '../calendar/johannesburg.ts';

/** Two payments are the same if account, amount, currency and reference agree. They are near if all but one agree. */
export type Differs = 'nothing' | 'amount' | 'account' | 'reference';

/** The state of the other payment. `open`: it may still be paid, or it is in doubt. */
export type Standing = 'closed' | 'open' | 'ended' | 'waits';

/** Describes the other payment. Rows of one sheet are compared when the sheet is checked, and not here. */
export interface MatchFacts {
  readonly differs: Differs;
  readonly standing: Standing;
  /** True if the other payment belongs to a row of the same batch. */
  readonly isHere: boolean;
  /** True if the newest sheet of the batch has the other row too. */
  readonly isListed: boolean;
  /** True if the other payment was sent while this row was waiting to be sent. */
  readonly wasMeanwhile: boolean;
  /** When the other payment was sent; null if it waits, or if the service gives no time. */
  readonly at: number | null;
}

export type MatchDecision = 'hold' | 'warning';

interface Line {
  readonly likeness: 'same' | 'near' | 'either';
  readonly other: (match: MatchFacts) => boolean;
  /** The greatest age in days. `window`: the setting duplicates.window. */
  readonly days: number | 'window';
  readonly decision: MatchDecision;
}

const isSent = ({ standing }: MatchFacts) => standing === 'open' || standing === 'ended';

/** The table of decisions. The first line that fits a row and another payment decides. */
export const matchTable: readonly Line[] = [
  { likeness: 'same', other: (one) => one.isHere && isSent(one), days: Infinity, decision: 'hold' },
  { likeness: 'same', other: ({ standing }) => standing === 'open', days: Infinity, decision: 'hold' },
  { likeness: 'either', other: (one) => isSent(one) && one.wasMeanwhile, days: 35, decision: 'hold' },
  { likeness: 'near', other: (one) => one.isHere && isSent(one) && !one.isListed, days: Infinity, decision: 'hold' },
  { likeness: 'either', other: (one) => one.isHere && one.standing === 'closed', days: Infinity, decision: 'hold' },
  { likeness: 'same', other: isSent, days: 'window', decision: 'hold' },
  { likeness: 'same', other: isSent, days: 35, decision: 'warning' },
  { likeness: 'near', other: isSent, days: 5, decision: 'warning' },
  { likeness: 'either', other: (one) => !one.isHere && one.standing === 'waits', days: Infinity, decision: 'warning' },
];

/** The age, in days, above which a payment matches only if it belongs to the same batch or is open. */
export const matchedDays = 35;
export const matchedMs = matchedDays * dayMs;

/** A payment this recent that differs in only one value may be the same payment before a correction. */
export const recentMs = 5 * dayMs;

/** The default of `duplicates.window`, in days. */
export const defaultWindowDays = 20;

/** Returns the decision and the number of its line in the table; null if the two are different payments. */
export function judgeMatch(
  match: MatchFacts,
  { now, windowDays }: { readonly now: number; readonly windowDays: number },
): { readonly decision: MatchDecision; readonly line: number } | null {
  const likeness = match.differs === 'nothing' ? 'same' : 'near';
  const days = match.at === null ? 0 : (now - match.at) / dayMs;
  const line = matchTable.findIndex(
    (one) =>
      (one.likeness === 'either' || one.likeness === likeness) &&
      one.other(match) &&
      days <= (one.days === 'window' ? windowDays : one.days),
  );
  const found = matchTable[line];
  return found === undefined ? null : { decision: found.decision, line };
}
