/** A problem is a value about the person's data: where it is, what is wrong, and what to do. Never thrown. */

/** error: the row cannot be paid; warning: look at it; repair: read as shown, nothing to do. */
export type Severity = 'error' | 'warning' | 'repair';

export interface Problem {
  /** The row number that the spreadsheet shows (CSV: the record's number, header included); null for the whole sheet. */
  readonly row: number | null;
  /** The canonical column name (see docs/columns.md), or null where the whole row is meant. */
  readonly column: string | null;
  /** Stable and documented, for programs. */
  readonly code: string;
  readonly severity: Severity;
  /** One plain sentence: what is wrong, what was expected, what to do. */
  readonly message: string;
  /** The offending text as the sheet has it. */
  readonly value: string | null;
  /** What the cell should probably say; never applied by itself. */
  readonly suggestion: string | null;
}
