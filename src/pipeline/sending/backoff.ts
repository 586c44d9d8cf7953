/** Repeats calls that a busy or unreachable service did not carry out. Each call has at most five tries. */
import { PayrunError } from '../../base/errors.ts';
import { CallFailure, maxWaitMs } from '../../client/client.ts';
import type { Deps } from '../deps.ts';

const maxTries = 5;

/** Repeats a call that the service did not carry out. After five tries or a signal, throws a PayrunError. */
export async function withBackoff<T>(deps: Deps, call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallFailure) || error.outcome !== 'not-sent') throw error;
      if (tries >= maxTries || deps.stop.aborted) throw asStop(deps, error);
      await deps.clock.sleep(backoffMs(error, tries, deps.clock.random()), deps.stop);
    }
  }
}

/** Returns the service's Retry-After in milliseconds, at most two minutes. Without it, each try doubles the wait. */
export function backoffMs(failure: CallFailure, tries: number, random: number): number {
  if (failure.retryAfterMs !== null) return Math.min(failure.retryAfterMs, maxWaitMs);
  return 250 * 2 ** (tries - 1) * (0.5 + random);
}

export function asStop({ service }: Pick<Deps, 'service'>, failure: CallFailure): PayrunError {
  const { fault: why } = failure;
  if (failure.status === 429) return new PayrunError('SERVICE_BUSY', { why });
  if (failure.status === 401 || failure.status === 403)
    return new PayrunError('CREDENTIALS_REFUSED', { why, hint: null });
  if (failure.status === null || failure.status >= 500)
    return new PayrunError('SERVICE_UNREACHABLE', { service: service.label, why });
  return new PayrunError('SERVICE_ANSWER', { what: null, why });
}

/** Returns the error that stops the run. Rethrows an unexpected error, such as a bug or a failing disk. */
export function stopOf(deps: Pick<Deps, 'service'>, error: unknown): PayrunError {
  if (error instanceof PayrunError) return error;
  if (error instanceof CallFailure) return asStop(deps, error);
  throw error;
}
