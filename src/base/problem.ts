/** A problem in a person's data: its place, what is wrong, and what to do. A problem is returned, never thrown. */
/** error: the row cannot be paid. warning: a person should check it. repair: Payrun read the value as shown, nothing to do. */
export type Severity = 'error' | 'warning' | 'repair';

export interface Problem {
  /** The row number that the spreadsheet shows; null for the whole sheet. In a CSV file, the header is row 1. */
  readonly row: number | null;
  /** The canonical column name (see docs/reference/columns.md); null for the whole row. */
  readonly column: string | null;
  readonly code: string;
  readonly severity: Severity;
  /** Plain data; its type depends on the code. `messages/problems` turns it into words. */
  readonly facts: object;
  /** The wrong text as it stands in the sheet. */
  readonly value: string | null;
  /** The likely correct value of the cell. It is never applied automatically. */
  readonly suggestion: string | null;
}

export type FoundProblem = Pick<Problem, 'code' | 'facts'>;

/** The place of a problem. A missing part is unknown, or the problem concerns the whole row or sheet. */
export interface Place {
  readonly row?: number | null;
  readonly column?: string | null;
  readonly value?: string | null;
  readonly suggestion?: string | null;
}

/** Makes a problem with any code. Rooms use a `ProblemMaker` instead, which accepts only their own codes. */
export function newProblem(code: string, severity: Severity, facts: object, where: Place = {}): Problem {
  const { row = null, column = null, value = null, suggestion = null } = where;
  return { row, column, code, severity, facts, value, suggestion };
}

/** Makes the problems of one room. `Facts` maps each code to the type of its facts. */
export type ProblemMaker<Facts> = <C extends keyof Facts & string>(
  code: C,
  severity: Severity,
  facts: Facts[C] & object,
  where?: Place,
) => Problem;
