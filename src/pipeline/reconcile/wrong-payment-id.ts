/** Recognises a row with the id of another row's payment, and makes the move that holds the row. */
import { heldFor } from '../../domain/sending/reason.ts';
import type { LedgerRow, Move, SeenPayment } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { agrees } from './match-payments.ts';

/** True if the row's `paymentId` leads to a payment with another row's tag, or an unknown tag and different content. */
export async function hasWrongPayment(
  { ledger }: Pick<Deps, 'ledger'>,
  row: LedgerRow,
  payment: SeenPayment,
): Promise<boolean> {
  if (payment.id !== row.paymentId || payment.tag === null || payment.tag === row.tag) return false;
  const owner = await ledger.rows.rowByTag(payment.tag);
  return owner === null ? !agrees(row, payment) : owner.id !== row.id;
}

/** Holds the row, because only the service knows if the row has a payment of its own. */
export function holdForWrongPayment(row: LedgerRow, { id, tag }: SeenPayment): Move {
  return {
    row,
    from: row.state,
    ...heldFor({ kind: 'wrong-payment', paymentId: id, tag: tag ?? '' }),
    paymentId: null,
    paymentStatus: null,
    data: { payments: [id] },
  };
}
