/** A write for which a thread that serves pages does not stand still. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PayrunError } from '../../base/errors.ts';
import { isTaken } from './faults.ts';

/** How long a change that a person asked for waits for another process that writes much at once, and how often it looks. */
const backoffMs = 20_000;
const lookMs = 25;

/** While another process takes a large sheet in, it looks again instead. `mostMs`: for how long. */
export async function whenFree<T>(work: () => T, mostMs = backoffMs): Promise<T> {
  const giveUp = performance.now() + mostMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const busy = error instanceof PayrunError && isTaken(error.cause);
      if (!busy || performance.now() > giveUp) throw error;
      await sleep(lookMs);
    }
  }
}
