/** Payments that the service named for a row and that are another's: which they are, and what becomes of the row (traps C, design 4.3). */
import type { LedgerRow, Move, SeenPayment } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { agrees } from './match-payments.ts';

/**
 * Whether the row's payment is not its own: it bears the tag of another row, or no tag of this one's and pays something else. A
 * service that answers with the id of another payment would have this row shown as paid by it.
 */
export async function isMisnamed(
  { ledger }: Pick<Deps, 'ledger'>,
  row: LedgerRow,
  payment: SeenPayment,
): Promise<boolean> {
  if (payment.id !== row.paymentId || payment.tag === null || payment.tag === row.tag) return false;
  const owner = await ledger.rowByTag(payment.tag);
  return owner === null ? !agrees(row, payment) : owner.id !== row.id;
}

/** Nobody knows whether a payment of its own exists: the row is held, and free for the one that bears its tag. */
export function misnamed(row: LedgerRow, { id, tag }: SeenPayment): Move {
  return {
    row,
    from: row.state,
    to: 'held',
    paymentId: null,
    paymentStatus: null,
    reason: `The service named payment ${id} for this row, and shows it with the tag ${tag}, which is not this row's: it pays something else. Whether the row has a payment of its own only the service can say.`,
    data: { payments: [id] },
  };
}
