/** Reasons as the ledger stores them, for tests that need some. */
import { because } from '../src/domain/sending/reason.ts';

export const heldForAccount = because({
  kind: 'account-changed',
  name: 'Acme',
  was: 'FNB …123',
  now: 'FNB …456',
  row: 2,
  batch: 'oct',
  paidAt: 0,
});
export const heldAsRepeat = because({
  kind: 'looks-paid',
  to: { row: 2, batch: 'b', sentAt: 0 },
  differs: null,
});
export const refusedFor = (detail: string) => because({ kind: 'refused', detail });
export const lostFor = (detail: string) => because({ kind: 'answer-lost', detail });
