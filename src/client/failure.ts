/** How a call can fail, and the one fact that the payer needs of it: whether anything can have happened at the service. */

/**
 * not-sent: nothing of the request reached the service, or the service says that it did nothing; refused: the service read it and
 * said no; unknown: it may have been carried out.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown';

export class CallFailure extends Error {
  readonly outcome: Outcome;
  /** The HTTP status, or null where no whole answer came. */
  readonly status: number | null;
  /** How long the service asked us to wait, in milliseconds. */
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

/** not shown: the statuses of refused payments (interface 7). Only these, and those that the configuration names, mean that the service read and refused the request. Every other status leaves a doubt. */
const refusals: readonly number[] = [400, 404, 413, 415, 422];

/**
 * The class of an answer to a call that creates something. 401 and 403 are the caller's to handle: by convention
 * nothing was created, but who asks again writes an intent of its own first. 429 is "not now". `configured`: further statuses that
 * refuse at this service.
 */
export function outcomeOf(status: number, body: unknown, configured: readonly number[] = []): 'done' | Outcome {
  if (status >= 200 && status < 300) return 'done';
  if (status === 401 || status === 429) return 'not-sent';
  if (status === 403) return 'refused';
  const readable = typeof body === 'object' && body !== null && !Array.isArray(body);
  const refused = refusals.includes(status) || configured.includes(status);
  return refused && readable ? 'refused' : 'unknown';
}
