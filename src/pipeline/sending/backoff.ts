/** Waiting for a service that says "not now", or that cannot be reached: as long as told, five times, then the run ends. */
import { PayrunError, wordsOf } from '../../base/errors.ts';
import { CallFailure, maxWaitMs } from '../../client/client.ts';
import type { Deps } from '../deps.ts';

const maxTries = 5;

/** For calls whose failure before anything was sent, and whose 429, leave nothing behind at the service. */
export async function withPatience<T>(deps: Deps, call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallFailure) || error.outcome !== 'not-sent') throw error;
      if (tries >= maxTries || deps.stop.aborted) throw asStop(deps, error);
      await deps.clock.sleep(patienceMs(error, tries, deps.clock.random()), deps.stop);
    }
  }
}

/** As long as the service told (at most two minutes), else a doubling pause. */
export function patienceMs(failure: CallFailure, tries: number, random: number): number {
  if (failure.retryAfterMs !== null) return Math.min(failure.retryAfterMs, maxWaitMs);
  return 250 * 2 ** (tries - 1) * (0.5 + random);
}

/** The words with which a run ends when the service cannot be used. */
export function asStop({ service }: Pick<Deps, 'service'>, failure: CallFailure): PayrunError {
  const detail = wordsOf(failure);
  if (failure.status === 429) return new PayrunError('SERVICE_BUSY', { detail });
  if (failure.status === 401 || failure.status === 403) return new PayrunError('CREDENTIALS_REFUSED', { detail });
  if (failure.status === null || failure.status >= 500)
    return new PayrunError('SERVICE_UNREACHABLE', { service: service.label, detail });
  return new PayrunError('SERVICE_ANSWER', { what: 'a call', detail });
}

/** An expected end of the run, whichever stage it came from; a bug or a failing machine is thrown on. */
export function stopOf(deps: Pick<Deps, 'service'>, error: unknown): PayrunError {
  if (error instanceof PayrunError) return error;
  if (error instanceof CallFailure) return asStop(deps, error);
  throw error;
}
