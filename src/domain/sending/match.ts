/** Decides if a row that looks like another payment is held or gets a warning. `docs/reference/duplicate-checks.md` has the table. */
import { dayMs } from '../calendar/johannesburg.ts';

/** The only value in which two payments differ. The payments are `same` if nothing differs, and `near` if one value differs. */
export type Differs = 'nothing' | 'amount' | 'account' | 'reference';

/** The state of the other payment. `open`: pending or in doubt. `ended`: paid. `closed`: a person closed its row. `waits`: its row is unsent. */
export type Standing = 'closed' | 'open' | 'ended' | 'waits';

/** Facts about the other payment. `isHere`: it belongs to this row's batch. `isListed`: the newest sheet of this batch contains the other payment's row. */
export interface MatchFacts {
  readonly differs: Differs;
  readonly standing: Standing;
  readonly isHere: boolean;
  readonly isListed: boolean;
  /** True if the other payment was sent while this row was waiting to be sent. */
  readonly wasMeanwhile: boolean;
  /** When the other payment was sent; null if it was not sent, or if the service gives no time. */
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

const isSent = ({ standing }: MatchFacts) => standing === 'open' || standing === 'ended';

/** The first line that fits decides if a row is held or gets a warning. If no line fits, neither happens. */
export const matchTable: readonly Line[] = [
  { closeness: 'same', other: (one) => one.isHere && isSent(one), days: Infinity, decision: 'hold' },
  { closeness: 'same', other: ({ standing }) => standing === 'open', days: Infinity, decision: 'hold' },
  { closeness: 'either', other: (one) => isSent(one) && one.wasMeanwhile, days: 35, decision: 'hold' },
  { closeness: 'near', other: (one) => one.isHere && isSent(one) && !one.isListed, days: Infinity, decision: 'hold' },
  { closeness: 'either', other: (one) => one.isHere && one.standing === 'closed', days: Infinity, decision: 'hold' },
  { closeness: 'same', other: isSent, days: 'window', decision: 'hold' },
  { closeness: 'same', other: isSent, days: 35, decision: 'warning' },
  { closeness: 'near', other: isSent, days: 5, decision: 'warning' },
  { closeness: 'either', other: (one) => !one.isHere && one.standing === 'waits', days: Infinity, decision: 'warning' },
];

/** A payment fits no line of `matchTable` if it is paid, belongs to another batch and is older than this number of days. */
export const matchedDays = 35;
export const matchedMs = matchedDays * dayMs;

/** The check of an uploaded sheet compares its rows with payments of at most this age. */
export const recentMs = 5 * dayMs;

export const defaultWindowDays = 20;

/** `line` is the index, in `matchTable`, of the line that decides. Returns null if no line fits. */
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
