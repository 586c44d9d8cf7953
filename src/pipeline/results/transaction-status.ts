/** Maps the status of a row to the status of its transaction in a pain.002 (a bank's status report). */
import type { RowWord } from '../../ledger/ledger.ts';

/** ACSC: paid. PDNG: undecided, so nobody may pay the row again. RJCT: not paid, and Payrun will not pay the row. */
export type TransactionStatus = 'ACSC' | 'PDNG' | 'RJCT';

export const transactionStatus: { readonly [W in RowWord]: TransactionStatus } = {
  paid: 'ACSC',
  pending: 'PDNG',
  'not sent': 'PDNG',
  unpaid: 'RJCT',
  'in doubt': 'PDNG',
  held: 'PDNG',
  // The payee was paid. After RJCT, somebody would pay a third time.
  'paid twice': 'ACSC',
  invalid: 'RJCT',
  closed: 'RJCT',
};

export function groupStatus(counts: ReadonlyMap<TransactionStatus, number>): TransactionStatus | 'PART' {
  const found = [...counts].filter(([, count]) => count > 0).map(([status]) => status);
  return found.length === 1 ? found[0]! : found.includes('ACSC') || found.includes('RJCT') ? 'PART' : 'PDNG';
}
