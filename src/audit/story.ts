/** A row's values, computed from the trail entries about the row. */
import type { StoredReasons } from '../domain/sending/reason.ts';

/** Payrun cannot map row ids to rows without the ledger. `states` and `reasons` then list all possible values. */
export class Story {
  readonly id: number | null;
  readonly batch: string;
  readonly key: string;
  isImported = false;
  states: readonly string[] = [];
  reasons: readonly (StoredReasons | null)[] = [null];
  missed: string | null = null;
  paymentId: string | null = null;
  paidAmount: number | null = null;
  paymentStatus: string | null = null;
  /** The merchant of the last intent, or of a payment that a scan found. */
  merchantId: string | null = null;
  allowed: string | null = null;
  released: string | null = null;
  evidence: StoredReasons | null = null;
  closed: string | null = null;
  revision = 0;
  attempts = 0;
  submittedAt: number | null = null;
  acceptedAt: number | null = null;
  settledAt: number | null = null;
  answerHash: string | null = null;
  intent: {
    readonly tag: string;
    readonly merchantId: string;
    readonly amount: number;
    readonly revision: number;
  } | null = null;
  /** The hash of the times in the last intent; null before the first intent. */
  moment: string | null = null;
  lastEntry = 0;

  constructor(id: number | null, batch: string, key: string) {
    this.id = id;
    this.batch = batch;
    this.key = key;
  }
}
