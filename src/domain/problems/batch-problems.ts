/** The data of a batch's problems, by code. Reading one row alone cannot find these problems. */
import { newProblem, type ProblemMaker } from '../../base/problem.ts';
import type { NearDifference } from '../../base/refusal.ts';
import type { Each, Gone, Money, StoredReasons } from '../../base/words.ts';
import type { DocumentProblems } from './document-problems.ts';
import type { SheetColumn } from './sheet-problems.ts';

/** True for a problem of rows, or of a sheet, that were submitted before. */
export const isRepeat = ({ code }: { readonly code: string }): boolean => repeats.includes(code);

const repeats: readonly string[] = [
  'LOOKS_PAID',
  'BATCH_REPEATED',
  'TOTALS_REPEATED',
] satisfies (keyof BatchProblems)[];

export interface BatchProblems
  extends DocumentProblems,
    Each<'BATCH_REPEATED TOTALS_REPEATED', LikeBatch>,
    Each<'PAYEE_TWICE PAYEE_ELSEWHERE', AccountChange>,
    Each<'MERCHANT_REFUSED MERCHANT_UNCLEAR MERCHANT_AMBIGUOUS', { reason: StoredReasons | null }> {
  SHEET_WITHOUT_ROWS: object;
  /** `fix` says what can distinguish the rows: an id for each transaction, other ids, or a new column of ids. */
  ROW_REPEATED: { row: number; fix: 'end-to-end-ids' | 'other-ids' | 'id-column' };
  ROW_ALIKE: { row: number; reference: string; here: string };
  ROW_ID_REPEATED: { row: number; id: 'row_id' | 'EndToEndId' };
  /** `fits` is the time when the rail will accept the amount; null for never. `isHeld`: the row waits until `fits`. */
  RAIL_LIMIT: { amount: number; currency: string; least: number; most: number; fits: number | null; isHeld: boolean };
  SUM_TOO_LARGE: { currency: string };
  CURRENCY_UNREAD: SheetColumn & { row: number; says: string; currency: string };
  UNIT_UNREAD: SheetColumn & { row: number; says: string };
  EXECUTION_DATE: UnreadDay | OtherDay;
  /** `others` counts rows with values that `values` lacks. `unknown` counts unreadable cells. */
  CHOICE_UNREAD: SheetColumn & {
    values: readonly { readonly text: string; readonly rows: number }[];
    others: number;
    unknown: number;
    isMerged: boolean;
    /** Command-line options. Empty if another column has the same header, because an option names a header. */
    choices: readonly string[];
  };
  ROW_MARKED: ({ field: string } | SheetColumn) & { says: string };
  /** `says` is null for a formula without a current result. */
  TOTAL_DIFFERS: { row: number; says: string | null; sum: Money };
  COLLECTION_PROMPTS: { prompts: number; most: number };
  COLLECTION_NEEDS_USER: { prompts: number };
  LOOKS_PAID: Omit<SentRow, 'sentAt'> & {
    sentAt: number | null;
    differs: NearDifference | null;
    effect: 'pays' | 'holds';
  };
  LOOKS_WAITING: {
    row: number;
    batch: string;
    differs: 'nothing' | NearDifference['what'];
    amount: number;
    currency: string;
  };
  ROW_UNPAID: { sentAt: number | null; reason: StoredReasons | null; isExpired: boolean };
  ROW_CLOSED: { by: string | null; why: string };
  /** `now` is the batch's version of the row; null if a newer sheet dropped the row. */
  TAKES_BACK: { batch: string; now: RepeatedRow | Gone };
  /** The plan closes this unpaid row, because the sheet lacks the row. */
  ROW_DROPPED: { batch: string; was: RepeatedRow };
  /** Lines with mistakes that are no rows belong to their sheet alone. */
  MISTAKES_END: { batch: string; lines: number };
  /** `day` is the sum of the day's batches. One batch of more than `above` would need `approvals` approvals. */
  APPROVAL_SPLIT: { currency: string; unit: string; day: string; above: string; approvals: number };
  /** The payee's sums in the earlier batch and in this batch; null for a batch without the payee. */
  VARIES: { name: string; batch: string; currency: string; unit: string; was: string | null; now: string | null };
  PAYEE_CHANGED: AccountChange & { isHeld: boolean };
  PAYEE_SHARES: { row: number } | MoreThan;
  PAYEE_KNOWN_OTHERWISE: ({ account: string; was: string; now: string } & PaidRow) | MoreThan;
  PAYEE_NEW: { which: 'this' | 'all' } | MoreThan;
}

/** `was` and `now` show the last digits of the payee's earlier and new account. */
export interface AccountChange extends PaidRow, Each<'name was now', string> {}

/** A cell without a readable date. `says` is null for a formula without a current result. */
interface UnreadDay extends SheetColumn {
  readonly says: string | null;
}

/** A date other than today. `of` is null for a payments file. `mostDaysAway` is the exceeded limit, if any. */
interface OtherDay {
  readonly day: string;
  readonly isPast: boolean;
  readonly of: SheetColumn | null;
  readonly rows: number | null;
  readonly mostDaysAway: number | null;
}

export interface MoreThan {
  readonly moreThan: number;
}

export interface PaidRow {
  readonly row: number;
  readonly batch: string;
  readonly paidAt: number;
}

export interface SentRow {
  readonly row: number;
  readonly batch: string;
  readonly sentAt: number;
}

export interface RepeatedRow extends Money {
  readonly to: string;
  readonly reference: string;
}

export interface LikeBatch extends Each<'batch file', string>, Each<'rows at', number> {
  /** `content`: the same rows. `totals and count`: the same sums and number of rows. `totals`: only the same sums. */
  readonly same: 'content' | 'totals and count' | 'totals';
  readonly totals: Readonly<Record<string, string>>;
  readonly isSent: boolean;
}

export const batchProblem: ProblemMaker<BatchProblems> = newProblem;
