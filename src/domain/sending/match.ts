/** Decides about duplicates: holds a row that looks like another payment, or warns (docs/reference/duplicate-checks.md). */
import { dayMs } from '../calendar/johannesburg.ts';

/** The one value in which two payments differ. In `closeness`, `nothing` counts as `same`, other values as `near`. */
export type Differs = 'nothing' | 'amount' | 'account' | 'reference';

/** `doubt`: nobody knows if it was paid. `open`: pending or held. `ended`: paid. `closed`: a person closed the row. `waits`: the row is unsent. In this batch, an older sheet has it. */
export type Standing = 'closed' | 'doubt' | 'open' | 'ended' | 'waits';

/** `isHere`: the other payment is of this batch. `isListed`: this batch's newest sheet has the other payment's row. */
export interface MatchFacts {
  readonly differs: Differs;
  readonly standing: Standing;
  readonly isHere: boolean;
  readonly isListed: boolean;
  /** True if the other payment was sent while this row waited. */
  readonly wasMeanwhile: boolean;
  /** When the other payment was paid, else when it was sent. An expired payment may be paid weeks later. Null if unknown. */
  readonly at: number | null;
}

export type MatchDecision = 'hold' | 'warning';

interface Line {
  readonly closeness: 'same' | 'near' | 'either';
  readonly other: (match: MatchFacts) => boolean;
  /** The greatest age of the other payment in days. `window`: the setting duplicates.window. */
  readonly days: number | 'window';
  readonly decision: MatchDecision;
}

const isOpen = ({ standing }: MatchFacts) => standing === 'open' || standing === 'doubt';
const isSent = (match: MatchFacts) => isOpen(match) || match.standing === 'ended';

/** The first line that fits decides. If no line fits, Payrun neither holds the row nor warns. */
const matchTable: readonly Line[] = [
  { closeness: 'same', other: (one) => one.isHere && one.standing !== 'closed', days: Infinity, decision: 'hold' },
  { closeness: 'same', other: isOpen, days: Infinity, decision: 'hold' },
  { closeness: 'either', other: (one) => isSent(one) && one.wasMeanwhile, days: 35, decision: 'hold' },
  { closeness: 'near', other: (one) => one.isHere && isSent(one) && !one.isListed, days: Infinity, decision: 'hold' },
  { closeness: 'either', other: (one) => one.isHere && one.standing === 'closed', days: Infinity, decision: 'hold' },
  { closeness: 'same', other: isSent, days: 'window', decision: 'hold' },
  // Fits only if the setting is lower than 35 days, because equal rows are due more often.
  { closeness: 'same', other: isSent, days: 35, decision: 'warning' },
  { closeness: 'near', other: isSent, days: 5, decision: 'warning' },
  { closeness: 'either', other: (one) => !one.isHere && one.standing === 'waits', days: Infinity, decision: 'warning' },
];

/** After this many days, a paid payment of another batch fits no line of `matchTable`. */
export const matchedDays = 35;
export const matchedMs = matchedDays * dayMs;

/** Returns the decision, and the index of its line in `matchTable`; null if no line fits. */
export function judgeMatch(
  match: MatchFacts,
  { now, windowDays }: { readonly now: number; readonly windowDays: number },
): { readonly decision: MatchDecision; readonly line: number } | null {
  const closeness = match.differs === 'nothing' ? 'same' : 'near';
  const days = match.at === null ? 0 : (now - match.at) / dayMs;
  const line = matchTable.findIndex(
    (one) =>
      (one.closeness === 'either' || one.closeness === closeness) &&
      one.other(match) &&
      days <= (one.days === 'window' ? windowDays : one.days),
  );
  const found = matchTable[line];
  return found === undefined ? null : { decision: found.decision, line };
}
