/** The shape of the maps from a kind of fault to its words. */
import type { Worded } from '../passage.ts';

/** Total: one entry for each kind. `place` is the flags for service and ledger. */
export type FaultWords<Kinds> = {
  readonly [F in keyof Kinds]: string | ((facts: Worded<Kinds[F]>, place: string) => string);
};
