/** How a call can fail, and whether the service may have carried out the call. */
import { FaultError } from '../base/errors.ts';
import type { ServiceFault } from '../base/faults/fault.ts';
import { faultWords } from '../messages/faults/fault-words.ts';

/** `not-sent`: the service did nothing. `refused`: it refused the call. `unknown`: it may have carried out the call. */
export type CallOutcome = 'not-sent' | 'refused' | 'unknown';

export class CallFailure extends FaultError {
  declare readonly fault: ServiceFault;
  readonly outcome: CallOutcome;
  readonly retryAfterMs: number | null;
  constructor(outcome: CallOutcome, fault: ServiceFault, retryAfterMs: number | null = null) {
    super(fault);
    this.name = 'CallFailure';
    this.message = faultWords(fault);
    this.outcome = outcome;
    this.retryAfterMs = retryAfterMs;
  }

  get status(): number | null {
    return 'status' in this.fault ? this.fault.status : null;
  }
}

/**
 * The interface does not show the statuses of refused payments (interface 7). The answer 403 is a refusal. With a JSON
 * object as body, 400, 404, 413, 415, 422 and the configured statuses are refusals too. After 401 and 429, the payment
 * was not created. Any other error status leaves the payment in doubt.
 */
const refusals: readonly number[] = [400, 404, 413, 415, 422];

export function callOutcome(status: number, body: unknown, configured: readonly number[] = []): 'done' | CallOutcome {
  if (status >= 200 && status < 300) return 'done';
  if (status === 401 || status === 429) return 'not-sent';
  if (status === 403) return 'refused';
  const readable = typeof body === 'object' && body !== null && !Array.isArray(body);
  const refused = refusals.includes(status) || configured.includes(status);
  return refused && readable ? 'refused' : 'unknown';
}

/** Returns null if the call fails. Throws other errors, such as a bug or a failing disk. */
export async function nullIfFailed<T>(call: Promise<T>): Promise<T | null> {
  return await call.catch((error: unknown) => {
    if (error instanceof CallFailure) return null;
    throw error;
  });
}
