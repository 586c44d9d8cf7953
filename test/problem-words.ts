import type { FoundProblem } from '../src/base/problem.ts';
import { problemWords } from '../src/messages/problems.ts';

/** The words of a problem, for tests of what people read. */
export const messageOf = (problem: FoundProblem | undefined): string =>
  problem === undefined ? '' : problemWords(problem);
