/** A problem is a value about the person's data: where it is, what is wrong, and what to do. Never thrown. */
import { visible } from './words.ts';

/** error: the row cannot be paid; warning: look at it; repair: read as shown, nothing to do. */
export type Severity = 'error' | 'warning' | 'repair';

export interface Problem {
  /** The row number that the spreadsheet shows (CSV: the record's number, header included); null for the whole sheet. */
  readonly row: number | null;
  /** The canonical column name (see docs/reference/columns.md), or null where the whole row is meant. */
  readonly column: string | null;
  /** Stable and documented, for programs. */
  readonly code: string;
  readonly severity: Severity;
  /** One plain sentence: what is wrong, what was expected, what to do. */
  readonly message: string;
  /** The offending text as the sheet has it. */
  readonly value: string | null;
  /** The likely value of the cell; never applied by itself. */
  readonly suggestion: string | null;
}

/** The place of a problem; missing parts are unknown, or mean the whole sheet. */
export interface Place {
  readonly row?: number | null;
  readonly column?: string | null;
  readonly value?: string | null;
  readonly suggestion?: string | null;
}

/** Each room that finds problems has a table of its codes, and its own name for this with those codes alone. */
export function newProblem(code: string, severity: Severity, message: string, where: Place = {}): Problem {
  const { row = null, column = null, value = null, suggestion = null } = where;
  return { row, column, code, severity, message: visible(message), value, suggestion };
}

/** The same, for the codes of one table. */
export type ProblemMaker<Code extends string> = (
  code: Code,
  severity: Severity,
  message: string,
  where?: Place,
) => Problem;
