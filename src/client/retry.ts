/** Asking again: only calls that change nothing, only for these reasons, and never for ever. */
import type { Clock } from '../base/clock.ts';
import { CallFailure } from './failure.ts';

export const maxTries = 5;
/** The longest wait that is followed; a longer one ends the run, so that a person sees it. */
export const maxWaitMs = 120_000;

/**
 * How long to wait before try `tries + 1` of a call that is safe to repeat, or null to give up. In order: no answer or a cut one
 * (reading twice harms nobody); 429, as long as the service asks; 408, 425 and 5xx (the service may be itself again).
 */
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
