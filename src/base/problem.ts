/** Problems in a sheet, and how to make one. Functions return problems, and never throw them. */
/** error: Payrun cannot pay the row. warning: a person should check the value. repair: Payrun corrected the value. */
export type Severity = 'error' | 'warning' | 'repair';

export interface Problem {
  /** The row number that the spreadsheet shows; null for the whole sheet. In a CSV file, the header is row 1. */
  readonly row: number | null;
  /** The column's name in docs/reference/columns.md; null for the whole row. */
  readonly column: string | null;
  readonly code: string;
  readonly severity: Severity;
  /** The problem's data, whose type depends on `code`. `messages/problems` turns the data into words. */
  readonly facts: object;
  readonly value: string | null;
  /** The likely correct value of the cell. Payrun uses it only if `severity` is `repair`. */
  readonly suggestion: string | null;
}

export type FoundProblem = Pick<Problem, 'code' | 'facts'>;

export interface Place {
  readonly row?: number | null;
  readonly column?: string | null;
  readonly value?: string | null;
  readonly suggestion?: string | null;
}

/** Makes a problem with any code. Callers assign this function to a `ProblemMaker`, which accepts only known codes. */
export function newProblem(code: string, severity: Severity, facts: object, where: Place = {}): Problem {
  const { row = null, column = null, value = null, suggestion = null } = where;
  return { row, column, code, severity, facts, value, suggestion };
}

export type ProblemMaker<Facts> = <C extends keyof Facts & string>(
  code: C,
  severity: Severity,
  facts: Facts[C] & object,
  where?: Place,
) => Problem;
