/** Finds payments that the service named for a wrong row, and holds that row. */
import { because } from '../../domain/sending/reason.ts';
import type { LedgerRow, Move, SeenPayment } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { agrees } from './match-payments.ts';

/** True if the payment under the row's payment id has another tag, and is another row's or differs from this row. Such a row must not look paid. */
export async function hasWrongPayment(
  { ledger }: Pick<Deps, 'ledger'>,
  row: LedgerRow,
  payment: SeenPayment,
): Promise<boolean> {
  if (payment.id !== row.paymentId || payment.tag === null || payment.tag === row.tag) return false;
  const owner = await ledger.rowByTag(payment.tag);
  return owner === null ? !agrees(row, payment) : owner.id !== row.id;
}

/** Holds the row, since only the service knows if the row has its own payment. */
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
