/** The table of versions: the effect of a new sheet on each row of its batch. */

/** The row before the new version; the first that fits. A version never changes, closes or removes a row that may be paid. */
export const rowStandings = ['may be paid', 'closed', 'unpaid', 'never sent'] as const;
export type RowStanding = (typeof rowStandings)[number];

/** The new version's line for the row. `other`: its content differs. */
export const lineKinds = ['same', 'other', 'mistake', 'missing'] as const;
export type LineKind = (typeof lineKinds)[number];

/** `stays`: nothing changes. `changes`: the new content is checked and paid. `ends`: the row leaves the batch, and is not paid. */
export type VersionEffect = 'stays' | 'changes' | 'becomes invalid' | 'ends' | 'returns' | 'refuses';

/** A closed row returns by a plan only; any other version that has it is refused. */
export const versionTable: Readonly<Record<RowStanding, Readonly<Record<LineKind, VersionEffect>>>> = {
  'may be paid': { same: 'stays', other: 'refuses', mistake: 'refuses', missing: 'stays' },
  closed: { same: 'returns', other: 'returns', mistake: 'returns', missing: 'stays' },
  unpaid: { same: 'stays', other: 'changes', mistake: 'stays', missing: 'ends' },
  'never sent': { same: 'stays', other: 'changes', mistake: 'becomes invalid', missing: 'ends' },
};

/** Counts of the batch's rows by their standing and by their line in the new version. `added` counts rows that the batch lacks. */
export interface VersionChange {
  readonly rows: Readonly<Record<RowStanding, Readonly<Record<LineKind, number>>>>;
  readonly added: number;
  /** Rows that would get the content of an older version back. */
  readonly older: number;
  /** True if something of the batch was sent. */
  readonly hasSent: boolean;
}

export interface VersionOrder {
  /** The file adds rows. Without `drop`, it is no whole list: the batch keeps its other rows. */
  readonly add: boolean;
  /** Rows that the file lacks leave the batch. */
  readonly drop: boolean;
  /** A plan shows people what the version does, so it may give rows back. */
  readonly isPlanned: boolean;
}

/** Counts the batch's rows with this line in the new version. */
export const rowsWith = ({ rows }: Pick<VersionChange, 'rows'>, line: LineKind): number =>
  rowStandings.reduce((sum, standing) => sum + rows[standing][line], 0);

export type VersionRefusal = 'changes-paid' | 'mistakes-in-paid' | 'gives-back' | 'add-changes' | 'adds' | 'drops';

/** Rows with this effect on the batch's rows. */
function withEffect({ rows }: VersionChange, effect: VersionEffect): number {
  let count = 0;
  for (const standing of rowStandings)
    for (const line of lineKinds) if (versionTable[standing][line] === effect) count += rows[standing][line];
  return count;
}

/** Returns the first reason against the version; null if it may be opened. */
export function whyNoVersion(change: VersionChange, { add, drop, isPlanned }: VersionOrder): VersionRefusal | null {
  const paid = change.rows['may be paid'];
  if (paid.other > 0) return 'changes-paid';
  if (paid.mistake > 0) return 'mistakes-in-paid';
  if (!isPlanned && withEffect(change, 'returns') + change.older > 0) return 'gives-back';
  // An addition keeps the rows that it lacks, so it must not change any either: it would be half a list.
  if (add && !drop) return withEffect(change, 'changes') > 0 ? 'add-changes' : null;
  if (!change.hasSent) return null;
  if (change.added > 0 && !add) return 'adds';
  return withEffect(change, 'ends') > 0 && !drop ? 'drops' : null;
}
