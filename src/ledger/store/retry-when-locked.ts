/** Retries a write while another process holds the database, without blocking the thread that serves pages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PayrunError } from '../../base/errors.ts';
import { isTaken } from './faults.ts';

/** The longest wait for the lock. `lookMs` is the time between two attempts. */
const longestWaitMs = 20_000;
const lookMs = 25;

export async function whenFree<T>(work: () => T, mostMs = longestWaitMs): Promise<T> {
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
