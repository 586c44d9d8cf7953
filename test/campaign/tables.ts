/** The two tables of the model: the effect of a version on a row, and duplicates. docs/reference prints the same tables. */
import type { RowState } from '../../src/ledger/ledger.ts';
import type { Content } from './sheet.ts';

// ------------------------------------------------------------------------------------------------ versions
/** The first word that fits a row counts. */
export type Standing = 'may be paid' | 'closed' | 'unpaid' | 'never sent';

/** The line of a version that has the row's key. `new`: the batch has no such row. */
export type Column = 'same' | 'other' | 'mistake' | 'missing';

type Effect = 'stays' | 'new content' | 'invalid' | 'closes' | 'comes back' | 'refused';

export const versionTable: Readonly<Record<Standing, Readonly<Record<Column, Effect>>>> = {
  'may be paid': { same: 'stays', other: 'refused', mistake: 'refused', missing: 'stays' },
  closed: { same: 'comes back', other: 'comes back', mistake: 'comes back', missing: 'stays' },
  unpaid: { same: 'stays', other: 'new content', mistake: 'stays', missing: 'closes' },
  'never sent': { same: 'stays', other: 'new content', mistake: 'invalid', missing: 'closes' },
};

/** What the ledger and the service know of a row. `heldFor` is why it is held. */
export interface RowFacts {
  readonly state: RowState;
  readonly closed: 'person' | 'version' | null;
  readonly attempts: number;
  readonly paymentId: string | null;
  readonly heldFor: string | null;
}

const open: readonly RowState[] = ['sending', 'in_doubt', 'held', 'accepted', 'duplicate'];
const paid: readonly RowState[] = ['succeeded', 'duplicate_paid'];

export const wasSent = ({ attempts, paymentId }: RowFacts): boolean => attempts > 0 || paymentId !== null;

export const mayHavePayment = (row: RowFacts): boolean =>
  open.includes(row.state) || paid.includes(row.state) || (row.state === 'absent' && row.closed === null);

export function standingOf(row: RowFacts, isInHead: boolean): Standing {
  if (mayHavePayment(row)) return 'may be paid';
  if (row.closed !== null || !isInHead) return 'closed';
  return row.state === 'refused' || row.state === 'expired' ? 'unpaid' : 'never sent';
}

// ------------------------------------------------------------------------------------------------ duplicates
/** A payment, or a row that may become one, beside a row that is about to be sent. */
export interface Other {
  readonly closeness: 'same' | 'near';
  readonly is: 'closed' | 'not ended' | 'paid' | 'waits';
  readonly isHere: boolean;
  /** True if the newest sheet of this batch has the other row. */
  readonly isInFile: boolean;
  /** True if the other payment was sent while this row waited. */
  readonly wasMeanwhile: boolean;
  readonly days: number;
}

const isSent = ({ is }: Other) => is === 'not ended' || is === 'paid';

interface DuplicateLine {
  readonly name: string;
  readonly fits: (other: Other) => boolean;
  readonly decision: 'hold' | 'warning';
}

/** The first line that fits decides. No list lowers the window, so the line for lower ones is missing. Rows of one version are not compared here: the check of their sheet compares them. */
export const duplicatesTable: readonly DuplicateLine[] = [
  {
    name: 'same, a row of this batch from another version',
    fits: (one) => one.closeness === 'same' && one.isHere && one.is !== 'closed',
    decision: 'hold',
  },
  { name: 'same, not ended', fits: (one) => one.closeness === 'same' && one.is === 'not ended', decision: 'hold' },
  {
    name: 'sent while this row waited',
    fits: (one) => isSent(one) && one.wasMeanwhile && one.days <= 35,
    decision: 'hold',
  },
  {
    name: 'near, a row of this batch that the file lacks',
    fits: (one) => one.closeness === 'near' && one.isHere && isSent(one) && !one.isInFile,
    decision: 'hold',
  },
  {
    name: 'a row of this batch that a person closed',
    fits: (one) => one.isHere && one.is === 'closed',
    decision: 'hold',
  },
  {
    name: 'same, within the window',
    fits: (one) => one.closeness === 'same' && isSent(one) && one.days <= 35,
    decision: 'hold',
  },
  { name: 'near, within 5 days', fits: (one) => isSent(one) && one.days <= 5, decision: 'warning' },
  { name: 'waits in another batch', fits: (one) => !one.isHere && one.is === 'waits', decision: 'warning' },
];

const folded = (reference: string) => reference.toLowerCase().replaceAll(' ', '');

/** All but one of account, amount and reference agree. If the account differs, the payee's name agrees too. */
export function closenessOf(one: Content, other: Content): Other['closeness'] | null {
  const isOtherAccount = one[1] !== other[1];
  const isOtherAmount = one[2] !== other[2];
  const isOtherReference = folded(one[3]) !== folded(other[3]);
  const differing = [isOtherAccount, isOtherAmount, isOtherReference].filter(Boolean).length;
  if (differing === 0) return 'same';
  return differing > 1 || (isOtherAccount && one[0] !== other[0]) ? null : 'near';
}

/** Returns what the other row is to a row of the batch; null if it is nothing, such as a row that ended unpaid. */
export function otherIs(row: RowFacts, isHere: boolean, isInHead: boolean): Other['is'] | null {
  if (paid.includes(row.state)) return 'paid';
  if (open.includes(row.state)) return 'not ended';
  if (isHere && row.closed === 'person') return 'closed';
  if (row.state === 'absent') return 'not ended';
  const waits = ['planned', 'ready', 'withheld'].includes(row.state) && row.closed === null && isInHead;
  return waits ? 'waits' : null;
}
