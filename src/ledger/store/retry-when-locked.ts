/** Retries a write while another process holds the database, and lets the console answer other requests meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PayrunError } from '../../base/errors.ts';
import { isTaken } from './faults.ts';

const longestWaitMs = 20_000;
const retryEveryMs = 25;

export async function whenFree<T>(work: () => T, mostMs = longestWaitMs): Promise<T> {
  const giveUp = performance.now() + mostMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const busy = error instanceof PayrunError && isTaken(error.cause);
      if (!busy || performance.now() > giveUp) throw error;
      await sleep(retryEveryMs);
    }
  }
}
