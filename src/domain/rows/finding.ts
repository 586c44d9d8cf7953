/** Findings about one cell or row. A published code never changes its meaning. */
import type { Problem, Severity } from '../../base/problem.ts';
import type { RowProblems } from '../problems/row-problems.ts';

export interface Finding {
  readonly code: keyof RowProblems;
  readonly severity: Severity;
  readonly facts: object;
  readonly suggestion: string | null;
}

export interface Reading<T> {
  readonly value: T | undefined;
  readonly findings: readonly Finding[];
}

export function finding<C extends keyof RowProblems>(code: C, severity: Severity, facts: RowProblems[C]): Finding {
  const { suggestion = null } = facts as { suggestion?: string | null };
  return { code, severity, facts, suggestion };
}

export function problemAt(row: number, column: string | null, value: string | null, found: Finding): Problem {
  return { row, column, ...found, value };
}

const none: readonly Finding[] = [];

export const read = <T>(value: T, findings: readonly Finding[] = none): Reading<T> => ({ value, findings });

export const refused = (...findings: readonly Finding[]): Reading<never> => ({ value: undefined, findings });
