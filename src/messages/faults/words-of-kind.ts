/** The shape of the maps from a kind of fault to its words. */
import type { Audience } from '../audience.ts';
import type { Worded } from '../passage.ts';

/** Total: one entry for each kind. */
export type FaultWords<Kinds> = {
  readonly [F in keyof Kinds]: string | ((facts: Worded<Kinds[F]>, to: Audience) => string);
};
