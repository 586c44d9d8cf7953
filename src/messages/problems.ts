/** Turns the problems of a sheet into sentences. */
import type { FoundProblem, Problem } from '../base/problem.ts';
import { visible } from '../base/words.ts';
import { type Audience, factsOnPage } from './audience.ts';
import { batchProblems } from './problems/batch-problems.ts';
import { batchMeanings, rowMeanings, sheetMeanings } from './problems/meanings.ts';
import { rowProblems } from './problems/row-problems.ts';
import { sheetProblems } from './problems/sheet-problems.ts';

export interface ShownProblem extends Omit<Problem, 'facts'> {
  readonly message: string;
}

/** Problems of rows, sheets and batches share no code. A plan of another build may have a code that is missing here. */
const words = new Map<string, unknown>(
  [rowProblems, sheetProblems, batchProblems].flatMap((one) => Object.entries(one)),
);
const meanings = new Map<string, string>(Object.entries({ ...rowMeanings, ...sheetMeanings, ...batchMeanings }));

/** Facts come from sheets, so invisible characters are printed by name. */
export function problemWords({ code, facts }: FoundProblem, audience: Audience = 'terminal'): string {
  const { endToEndId } = facts as { endToEndId?: string };
  const says = (words.get(code) ?? (() => code)) as (facts: object, audience: Audience) => string;
  const sentence = says(audience === 'page' ? factsOnPage(facts) : facts, audience);
  return visible(endToEndId === undefined ? sentence : `EndToEndId '${endToEndId}': ${sentence}`);
}

export const mistakeWords = (problems: readonly FoundProblem[], audience?: Audience): string =>
  problems.map((one) => problemWords(one, audience)).join('. ');

export const mistakesOnPage = (problems: readonly FoundProblem[]) => mistakeWords(problems, 'page');

export function shownProblem(problem: Problem, audience?: Audience): ShownProblem {
  const { row, column, code, severity, value, suggestion } = problem;
  return { row, column, code, severity, message: problemWords(problem, audience), value, suggestion };
}

/** Returns a problem for programs. Pages have no facts, because facts may hold whole account numbers. */
export const problemDocument = (problem: Problem): ShownProblem & Pick<Problem, 'facts'> => ({
  ...shownProblem(problem),
  facts: problem.facts,
});

export const problemMeaning = (code: string): string => meanings.get(code) ?? code;

/** Returns where to write the answers to questions about columns, so that no later sheet asks again. */
export const columnHint = (problems: readonly Pick<Problem, 'code'>[]): string[] =>
  problems.some(({ code }) => code === 'CHOICE_UNREAD')
    ? ['`sheet.only` and `sheet.ignoreColumns` in payrun.config.json answer for every sheet.']
    : [];
