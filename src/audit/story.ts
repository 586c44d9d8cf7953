/** A row's values, computed from the trail entries about the row. */
import { type Each, eachOf } from '../base/words.ts';
import type { StoredReasons } from '../domain/sending/reason.ts';

export type Story = ReturnType<typeof newStory>;

/**
 * Payrun cannot map row ids to rows without the ledger. `states` and `reasons` then list all possible values. `merchantId`
 * is the merchant of the last intent, or of a payment that a scan found. `moment` is the hash of the times in the last intent.
 */
const blank = {
  isImported: false,
  states: [] as readonly string[],
  reasons: [null] as readonly (StoredReasons | null)[],
  evidence: null as StoredReasons | null,
  ...eachOf(
    null as string | null,
    'missed paymentId paymentStatus merchantId allowed released closed answerHash moment',
  ),
  ...eachOf(null as number | null, 'paidAmount submittedAt acceptedAt settledAt'),
  ...eachOf(0, 'revision attempts lastEntry'),
  intent: null as (Each<'tag merchantId', string> & Each<'amount revision', number>) | null,
};

export const newStory = (id: number | null, batch: string, key: string) => ({ id, batch, key, ...blank });
