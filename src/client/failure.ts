/** How a call can fail, and whether the service may have carried out the call. */

/** `not-sent`: the service did nothing. `refused`: it read the request and refused it. `unknown`: it may have carried the call out. */
export type Outcome = 'not-sent' | 'refused' | 'unknown';

export class CallFailure extends Error {
  readonly outcome: Outcome;
  /** The HTTP status; null if no complete answer arrived. */
  readonly status: number | null;
  /** The wait that the service asked for, in milliseconds. */
  readonly retryAfterMs: number | null;
  constructor(
    outcome: Outcome,
    message: string,
    facts: { readonly status?: number; readonly retryAfterMs?: number | null } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CallFailure';
    this.outcome = outcome;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

/**
 * The interface does not show the statuses of refused payments (interface 7). Payrun reads these, and those in the
 * configuration, as refusals. Any other error status leaves the payment in doubt.
 */
const refusals: readonly number[] = [400, 404, 413, 415, 422];

/** Returns the outcome of a status. After 401 and 429 nothing was created, but a payment needs a new intent before it is sent again. */
export function outcomeOf(status: number, body: unknown, configured: readonly number[] = []): 'done' | Outcome {
  if (status >= 200 && status < 300) return 'done';
  if (status === 401 || status === 429) return 'not-sent';
  if (status === 403) return 'refused';
  const readable = typeof body === 'object' && body !== null && !Array.isArray(body);
  const refused = refusals.includes(status) || configured.includes(status);
  return refused && readable ? 'refused' : 'unknown';
}
