/** Words the problems of a sheet. */
import type { FoundProblem, Problem } from '../base/problem.ts';
import { shellWord, visible } from '../base/words.ts';
import { type Audience, factsOnPage } from './audience.ts';
import { batchProblems } from './problems/batch-problems.ts';
import { batchMeanings, rowMeanings, sheetMeanings } from './problems/meanings.ts';
import { rowProblems } from './problems/row-problems.ts';
import { sheetProblems } from './problems/sheet-problems.ts';

/** A problem with its sentence, as people and files get it. */
export interface ShownProblem extends Omit<Problem, 'facts'> {
  readonly message: string;
}

/** The words by code. Problems of rows, sheets and batches share no code. A plan may have a code that this build does not know. */
const words = new Map<string, unknown>(
  [rowProblems, sheetProblems, batchProblems].flatMap((one) => Object.entries(one)),
);
const meanings = new Map<string, string>(Object.entries({ ...rowMeanings, ...sheetMeanings, ...batchMeanings }));

/** Returns the sentence of a problem, with hidden characters shown by name, because facts come from sheets. */
export function problemWords({ code, facts }: FoundProblem, audience: Audience = 'terminal'): string {
  const { endToEndId } = facts as { endToEndId?: string };
  const says = (words.get(code) ?? (() => code)) as (facts: object, audience: Audience) => string;
  const sentence = says(audience === 'page' ? factsOnPage(facts) : facts, audience);
  return visible(endToEndId === undefined ? sentence : `EndToEndId '${endToEndId}': ${sentence}`);
}

/** Returns the mistakes of an invalid row as one text. */
export const mistakeWords = (problems: readonly FoundProblem[], audience?: Audience): string =>
  problems.map((one) => problemWords(one, audience)).join('. ');

export const mistakesOnPage = (problems: readonly FoundProblem[]) => mistakeWords(problems, 'page');

export function shownProblem(problem: Problem, audience?: Audience): ShownProblem {
  const { row, column, code, severity, value, suggestion } = problem;
  return { row, column, code, severity, message: problemWords(problem, audience), value, suggestion };
}

/** Returns what a code means, for any row. */
export const problemMeaning = (code: string): string => meanings.get(code) ?? code;

/** Returns the options that answer every question about a column at once. */
export function ignoringLines(problems: readonly Pick<Problem, 'code' | 'value'>[]): string[] {
  const asked = problems.filter(({ code, value }) => code === 'CHOICE_UNREAD' && value !== '');
  const options = asked.map(({ value }) => `--ignore-column ${shellWord(value ?? '')}`);
  const words = `If all rows are meant, add ${options.join(' ')}. The setting sheet.ignoreColumns says so for every sheet.`;
  return options.length === 0 ? [] : [words];
}
