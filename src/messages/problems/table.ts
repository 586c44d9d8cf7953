/** The form of a table of problems' words. */
import type { Audience } from '../audience.ts';

export type ProblemTable<Facts> = {
  readonly [C in keyof Facts]: (facts: Readonly<Facts[C]>, audience: Audience) => string;
};
