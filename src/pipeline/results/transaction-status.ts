/** Maps the status of a row to the status of its transaction in a pain.002. */
import type { RowWord } from '../../ledger/ledger.ts';

/** ACSC: paid. PDNG: not decided, so nothing may be sent again. RJCT: nothing was paid, and nothing will be. */
export type TransactionStatus = 'ACSC' | 'PDNG' | 'RJCT';

/** `needs` is a text that the reader of the answer must see first. */
export const transactionStatus: {
  readonly [W in RowWord]: { readonly status: TransactionStatus; readonly needs: string | null };
} = {
  paid: { status: 'ACSC', needs: null },
  pending: { status: 'PDNG', needs: 'sent, and not paid out yet' },
  'not sent': { status: 'PDNG', needs: 'not sent yet' },
  unpaid: { status: 'RJCT', needs: 'not paid' },
  'in doubt': { status: 'PDNG', needs: 'sent, and not known whether it was paid: do not pay it again' },
  held: { status: 'PDNG', needs: 'held until a person decides: do not pay it again' },
  // The money left more than once. Somebody would send a rejected transaction a third time.
  'paid twice': { status: 'ACSC', needs: 'paid twice: ask for one of the payments back' },
  invalid: { status: 'RJCT', needs: 'not paid: the transaction has to be mended' },
  skipped: { status: 'RJCT', needs: 'not paid: the transaction has to be mended' },
};

export function groupStatus(counts: ReadonlyMap<TransactionStatus, number>): TransactionStatus | 'PART' {
  const found = [...counts].filter(([, count]) => count > 0).map(([status]) => status);
  return found.length === 1 ? found[0]! : found.includes('ACSC') || found.includes('RJCT') ? 'PART' : 'PDNG';
}
