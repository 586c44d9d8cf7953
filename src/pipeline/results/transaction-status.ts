/** Maps the status of a row to the status of its transaction in a pain.002. */
import type { RowWord } from '../../ledger/ledger.ts';

/** ACSC: paid. PDNG: undecided, so nobody may send it again. RJCT: not paid, and Payrun will not pay it. */
export type TransactionStatus = 'ACSC' | 'PDNG' | 'RJCT';

/** `needs` is a text that stands first among the reasons in the answer. */
export const transactionStatus: {
  readonly [W in RowWord]: { readonly status: TransactionStatus; readonly needs: string | null };
} = {
  paid: { status: 'ACSC', needs: null },
  pending: { status: 'PDNG', needs: 'sent, and not paid out yet' },
  'not sent': { status: 'PDNG', needs: 'not sent yet' },
  unpaid: { status: 'RJCT', needs: 'not paid' },
  'in doubt': { status: 'PDNG', needs: 'sent, and not known whether it was paid: do not pay it again' },
  held: { status: 'PDNG', needs: 'held until a person decides: do not pay it again' },
  // The money left more than once. If the answer said RJCT, somebody would send it a third time.
  'paid twice': { status: 'ACSC', needs: 'paid twice: ask for one of the payments back' },
  invalid: { status: 'RJCT', needs: 'not paid: the transaction has to be mended' },
  closed: { status: 'RJCT', needs: 'not paid: a person closed it' },
};

export function groupStatus(counts: ReadonlyMap<TransactionStatus, number>): TransactionStatus | 'PART' {
  const found = [...counts].filter(([, count]) => count > 0).map(([status]) => status);
  return found.length === 1 ? found[0]! : found.includes('ACSC') || found.includes('RJCT') ? 'PART' : 'PDNG';
}
