/** The table of versions: the effect of a new sheet on each row of its batch. */

/** How a row stands before the new version. The first value that fits counts. A version never changes or closes a row that may be paid. */
export const rowStandings = ['may be paid', 'closed', 'unpaid', 'never sent'] as const;
export type RowStanding = (typeof rowStandings)[number];

/** The row in the new version. `other`: with other content. */
export const lineKinds = ['same', 'other', 'mistake', 'missing'] as const;
export type LineKind = (typeof lineKinds)[number];

/** `changes`: the row is paid with new content. `ends`: it is closed. `returns`: it reopens. `refuses`: no version. */
export type VersionEffect = 'stays' | 'changes' | 'becomes invalid' | 'ends' | 'returns' | 'refuses';

/** Only a plan may return a closed row. Without one, Payrun refuses a version that has the row. */
export const versionTable: Readonly<Record<RowStanding, Readonly<Record<LineKind, VersionEffect>>>> = {
  'may be paid': { same: 'stays', other: 'refuses', mistake: 'refuses', missing: 'stays' },
  closed: { same: 'returns', other: 'returns', mistake: 'returns', missing: 'stays' },
  unpaid: { same: 'stays', other: 'changes', mistake: 'stays', missing: 'ends' },
  'never sent': { same: 'stays', other: 'changes', mistake: 'becomes invalid', missing: 'ends' },
};

/** Counts the batch's rows by how they stand and by the new version's line. `added` counts rows that are new in the batch. */
export interface VersionChange {
  readonly rows: Readonly<Record<RowStanding, Readonly<Record<LineKind, number>>>>;
  readonly added: number;
  /** Rows that would return to the content of an older version. */
  readonly older: number;
  /** True if a row of the batch was ever sent. */
  readonly hasSent: boolean;
}

export interface VersionOrder {
  /** The file adds rows. Without `drop`, the batch keeps the rows that the file lacks. */
  readonly add: boolean;
  /** The batch closes the rows that the file lacks. */
  readonly drop: boolean;
  /** True for a version from a plan. The version may return rows, because the plan shows them to people. */
  readonly isPlanned: boolean;
}

export const rowsWith = ({ rows }: Pick<VersionChange, 'rows'>, line: LineKind): number =>
  rowStandings.reduce((sum, standing) => sum + rows[standing][line], 0);

export type VersionRefusal = 'changes-paid' | 'mistakes-in-paid' | 'gives-back' | 'add-changes' | 'adds' | 'drops';

function withEffect({ rows }: VersionChange, effect: VersionEffect): number {
  let count = 0;
  for (const standing of rowStandings)
    for (const line of lineKinds) if (versionTable[standing][line] === effect) count += rows[standing][line];
  return count;
}

/** Returns the first reason to refuse the version; null if there is none. */
export function whyNoVersion(change: VersionChange, { add, drop, isPlanned }: VersionOrder): VersionRefusal | null {
  const paid = change.rows['may be paid'];
  if (paid.other > 0) return 'changes-paid';
  if (paid.mistake > 0) return 'mistakes-in-paid';
  if (!isPlanned && withEffect(change, 'returns') + change.older > 0) return 'gives-back';
  // A file that only adds is not the whole list, because the batch keeps the rows that it lacks. So it must not change rows.
  if (add && !drop) return withEffect(change, 'changes') > 0 ? 'add-changes' : null;
  if (!change.hasSent) return null;
  if (change.added > 0 && !add) return 'adds';
  return withEffect(change, 'ends') > 0 && !drop ? 'drops' : null;
}
