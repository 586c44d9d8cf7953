/** A row's values, computed from the trail entries about the row. */
import type { StoredReasons } from '../domain/sending/reason.ts';

/** Payrun cannot map row ids to rows without the ledger. `states` and `reasons` then list all possible values. */
export interface Story {
  readonly id: number | null;
  readonly batch: string;
  readonly key: string;
  isImported: boolean;
  states: readonly string[];
  reasons: readonly (StoredReasons | null)[];
  missed: string | null;
  paymentId: string | null;
  paidAmount: number | null;
  paymentStatus: string | null;
  /** The merchant of the last intent, or of a payment that a scan found. */
  merchantId: string | null;
  allowed: string | null;
  released: string | null;
  evidence: StoredReasons | null;
  closed: string | null;
  revision: number;
  attempts: number;
  submittedAt: number | null;
  acceptedAt: number | null;
  settledAt: number | null;
  answerHash: string | null;
  intent: {
    readonly tag: string;
    readonly merchantId: string;
    readonly amount: number;
    readonly revision: number;
  } | null;
  /** The hash of the times in the last intent; null before the first intent. */
  moment: string | null;
  lastEntry: number;
}

export function newStory(id: number | null, batch: string, key: string): Story {
  return {
    id,
    batch,
    key,
    isImported: false,
    states: [],
    reasons: [null],
    missed: null,
    merchantId: null,
    paymentId: null,
    paidAmount: null,
    paymentStatus: null,
    allowed: null,
    released: null,
    evidence: null,
    closed: null,
    revision: 0,
    attempts: 0,
    submittedAt: null,
    acceptedAt: null,
    settledAt: null,
    answerHash: null,
    intent: null,
    moment: null,
    lastEntry: 0,
  };
}
