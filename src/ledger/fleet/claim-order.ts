/** The order by which a member of the fleet claims rows of an opened batch. */
import type { AmountSpan, LedgerRow } from '../facts.ts';

export interface Terms {
  /** The words to send for each funding source (interface 2.9). */
  readonly sourceWords: readonly (readonly [string, string])[];
  /** True if rows above the present limit of their rail are left for later. */
  readonly holdsRails: boolean;
  readonly isUnderPolicy: boolean;
  /** The batch closes after this many refusals in a row. `doubtsInARow` limits doubts in a row, `doubts` all doubts. */
  readonly refusals: number;
  readonly doubtsInARow: number;
  readonly doubts: number;
}

export interface Opened {
  readonly batch: string;
  readonly since: number;
  readonly epoch: number;
  readonly terms: Terms;
}

export interface ClaimOrder {
  readonly member: string;
  /** Only batches of this service identity are claimed. */
  readonly identity: string;
  readonly most: number;
  readonly leaseMs: number;
  readonly spans: (terms: Terms) => readonly AmountSpan[];
  readonly submittedAt: number;
  readonly sentMoment: string;
  /** Returns the data of a row's intent. If it throws, the row cannot be sent and nothing is claimed. */
  readonly intentOf: (row: LedgerRow, terms: Terms) => Readonly<Record<string, unknown>>;
  /** True if a policy is in force. A batch that was opened without one is then not claimed. */
  readonly isUnderPolicy: boolean;
}
