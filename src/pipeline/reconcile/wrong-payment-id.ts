/** Recognises a payment whose id the service returned for the wrong row, and makes the move that holds this row. */
import { because } from '../../domain/sending/reason.ts';
import type { LedgerRow, Move, SeenPayment } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { agrees } from './match-payments.ts';

/** True if the row has the id of a payment that is not its own: the payment has another row's tag, or an unknown tag and different content. */
export async function hasWrongPayment(
  { ledger }: Pick<Deps, 'ledger'>,
  row: LedgerRow,
  payment: SeenPayment,
): Promise<boolean> {
  if (payment.id !== row.paymentId || payment.tag === null || payment.tag === row.tag) return false;
  const owner = await ledger.rowByTag(payment.tag);
  return owner === null ? !agrees(row, payment) : owner.id !== row.id;
}

/** Holds the row, because only the service knows if the row has a payment of its own. */
export function holdForWrongPayment(row: LedgerRow, { id, tag }: SeenPayment): Move {
  return {
    row,
    from: row.state,
    to: 'held',
    paymentId: null,
    paymentStatus: null,
    reason: because({ kind: 'wrong-payment', paymentId: id, tag: tag ?? '' }),
    data: { payments: [id] },
  };
}
