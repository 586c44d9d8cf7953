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

/** Returns the status of a whole file, whose transactions have the given different statuses. */
export const groupStatus = (statuses: readonly TransactionStatus[]): TransactionStatus | 'PART' =>
  statuses.length === 1 ? statuses[0]! : 'PART';
