/** Declares the request with which a member of the fleet claims rows of an opened batch. */
import type { AmountSpan, LedgerRow } from '../facts.ts';

export interface Terms {
  /** The word for each funding source in requests to the service (interface 2.9). */
  readonly sourceWords: readonly (readonly [string, string])[];
  readonly holdsRails: boolean;
  readonly isUnderPolicy: boolean;
  /** The breaker's limits for refusals in a row, for doubts in a row, and for all doubts since the batch was opened. */
  readonly refusals: number;
  readonly doubtsInARow: number;
  readonly doubts: number;
}

export interface SendingSession {
  readonly batch: string;
  readonly since: number;
  readonly epoch: number;
  readonly terms: Terms;
}

export interface ClaimOrder {
  readonly member: string;
  readonly identity: string;
  readonly most: number;
  readonly leaseMs: number;
  readonly spans: (terms: Terms) => readonly AmountSpan[];
  readonly submittedAt: number;
  readonly sentMoment: string;
  /** Returns the data of a row's intent. If this throws, the member claims no row. */
  readonly intentOf: (row: LedgerRow, terms: Terms) => Readonly<Record<string, unknown>>;
  /** True if a policy is in force. The member then claims no row of a batch that was opened without a policy. */
  readonly isUnderPolicy: boolean;
}
