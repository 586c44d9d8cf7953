/** The form of a table of problems' words. */
import type { Audience } from '../audience.ts';

/** `means` is printed by the docs. */
export type ProblemTable<Facts> = {
  readonly [C in keyof Facts]: {
    readonly means: string;
    readonly says: (facts: Readonly<Facts[C]>, audience: Audience) => string;
  };
};
