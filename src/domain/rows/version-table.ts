/** A version is a new sheet for a batch. The table has the effect of a version on each row of the batch. */

/**
 * Payrun uses the first word that fits the row. `may be paid`: Payrun sent the row, and the row did not end unpaid.
 * `closed in doubt`: a closed row in state `absent`, so reopening keeps its content.
 */
export const rowStandings = ['may be paid', 'closed in doubt', 'closed', 'unpaid', 'never sent'] as const;
export type RowStanding = (typeof rowStandings)[number];

export const lineKinds = ['same', 'other', 'mistake', 'missing'] as const;
export type LineKind = (typeof lineKinds)[number];

/** `changes`: Payrun pays the new content. `ends`: Payrun closes the row. `returns`: Payrun reopens the row. */
type VersionEffect = 'stays' | 'changes' | 'becomes invalid' | 'ends' | 'returns' | 'refuses';

/** No version changes or closes a row that may already be paid. Only a version from a plan may reopen a closed row. */
export const versionTable: Readonly<Record<RowStanding, Readonly<Record<LineKind, VersionEffect>>>> = {
  'may be paid': { same: 'stays', other: 'refuses', mistake: 'refuses', missing: 'stays' },
  'closed in doubt': { same: 'returns', other: 'refuses', mistake: 'refuses', missing: 'stays' },
  closed: { same: 'returns', other: 'returns', mistake: 'returns', missing: 'stays' },
  unpaid: { same: 'stays', other: 'changes', mistake: 'stays', missing: 'ends' },
  'never sent': { same: 'stays', other: 'changes', mistake: 'becomes invalid', missing: 'ends' },
};

/** `rows` counts the rows that the batch already has. `added` counts the rows that the new version adds. */
export interface VersionChange {
  readonly rows: Readonly<Record<RowStanding, Readonly<Record<LineKind, number>>>>;
  readonly added: number;
  /** The number of rows that would return to an older version, as a whole or in their content. */
  readonly older: number;
  readonly hasSent: boolean;
  /** Lines with mistakes of the newest sheet that are no rows, because they have no id. */
  readonly loose: number;
}

export interface VersionOrder {
  /** `add`: Payrun accepts the version's new rows. `drop`: Payrun closes the rows that the version lacks. */
  readonly add: boolean;
  readonly drop: boolean;
  /** How many rows the person saw to be closed. Absent if nobody named a number. */
  readonly closes?: number | undefined;
  /** True for a version from a plan. The plan shows people each reopened row and older content, so both are allowed. */
  readonly isPlanned: boolean;
}

export const rowsWith = ({ rows }: Pick<VersionChange, 'rows'>, line: LineKind): number =>
  rowStandings.reduce((sum, standing) => sum + rows[standing][line], 0);

export type VersionRefusal = 'changes-paid' | 'gives-back' | 'add-changes' | 'add-ends' | 'adds' | 'drops';

export function withEffect({ rows }: Pick<VersionChange, 'rows'>, effect: VersionEffect, only?: LineKind): number {
  let count = 0;
  for (const standing of rowStandings)
    for (const line of only === undefined ? lineKinds : [only])
      if (versionTable[standing][line] === effect) count += rows[standing][line];
  return count;
}

/** True for a list of additions: the batch keeps the rows that the list lacks. With `drop`, the sheet is the whole list. */
export const isAddition = ({ add, drop }: Pick<VersionOrder, 'add' | 'drop'>): boolean => add && !drop;

export function whyNoVersion(change: VersionChange, order: VersionOrder): VersionRefusal | null {
  const { add, drop, isPlanned } = order;
  if (withEffect(change, 'refuses') > 0) return 'changes-paid';
  if (!isPlanned && withEffect(change, 'returns') + change.older > 0) return 'gives-back';
  if (isAddition(order)) {
    if (withEffect(change, 'changes') + withEffect(change, 'becomes invalid') > 0) return 'add-changes';
    return change.loose > 0 ? 'add-ends' : null;
  }
  if (!change.hasSent) return null;
  if (change.added > 0 && !add) return 'adds';
  const ends = withEffect(change, 'ends');
  return ends > 0 && (!drop || ends !== (order.closes ?? ends)) ? 'drops' : null;
}
