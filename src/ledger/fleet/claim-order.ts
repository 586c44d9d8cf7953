/** A batch that its leader opened, and how the members of its fleet claim rows of it. */
import type { AmountSpan, LedgerRow } from '../facts.ts';

export interface Terms {
  /** The words to send for each funding source (interface 2.9). */
  readonly sourceWords: readonly (readonly [string, string])[];
  /** Rows above what their rail accepts at the moment are left for later. */
  readonly holdsRails: boolean;
  readonly isUnderPolicy: boolean;
  /** So many refusals in a row close the batch. `doubtsInARow`: doubts in a row; `doubts`: doubts in all. */
  readonly refusals: number;
  readonly doubtsInARow: number;
  readonly doubts: number;
}

export interface Opened {
  readonly batch: string;
  readonly sheet: number;
  readonly epoch: number;
  readonly terms: Terms;
}

export interface ClaimOrder {
  readonly member: string;
  /** Only batches of this identity can be claimed. */
  readonly identity: string;
  readonly most: number;
  readonly leaseMs: number;
  readonly spans: (terms: Terms) => readonly AmountSpan[];
  readonly submittedAt: number;
  readonly sentMoment: string;
  /** Throws if the row cannot be sent; then nothing is claimed. */
  readonly intentOf: (row: LedgerRow, terms: Terms) => Readonly<Record<string, unknown>>;
  /** A policy is in force: nothing is claimed of a batch that was opened without one. */
  readonly isUnderPolicy: boolean;
}
