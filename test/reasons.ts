/** Reasons as the ledger stores them, for tests that need some. */
import type { ServiceFault } from '../src/base/faults/fault.ts';
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
export const refusedCall = (reason: string): ServiceFault => ({
  fault: 'call-was-answered',
  call: 'POST /payments',
  status: 422,
  reason,
});
const lostCall = (detail: string): ServiceFault => ({
  fault: 'call-failed',
  call: 'POST /payments',
  code: null,
  detail,
});
export const refusedFor = (reason: string) => because({ kind: 'refused', failure: refusedCall(reason) });
export const lostFor = (detail: string) => because({ kind: 'answer-lost', failure: lostCall(detail) });
