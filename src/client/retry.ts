/** Retries calls that are safe to repeat, after failures that may be temporary. */
import type { Clock } from '../base/clock.ts';
import { CallFailure } from './failure.ts';

export const maxTries = 5;
/** The longest wait before a retry, even if the service asks for more. */
export const maxWaitMs = 120_000;

/** Returns the milliseconds until the next try; null to give up. Retries after no answer, 408, 425, 429 and 5xx. */
export function readRetryDelay(failure: CallFailure, tries: number, random: number): number | null {
  if (tries >= maxTries) return null;
  const backOffMs = 250 * 2 ** (tries - 1) * (0.5 + random);
  if (failure.status === null) return backOffMs;
  if (failure.status === 429) return Math.min(failure.retryAfterMs ?? backOffMs, maxWaitMs);
  if (failure.status === 408 || failure.status === 425 || failure.status >= 500) return backOffMs;
  return null;
}

export async function withRetries<T>(clock: Clock, call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const delayMs = readRetryDelay(error, tries, clock.random());
      if (delayMs === null) throw error;
      await clock.sleep(delayMs);
    }
  }
}
