/** Finds rows that a person replaced while they seemed unpaid, and that were then paid late. */
import type { PaidCopy } from '../../base/refusal.ts';
import type { NoteOf } from '../../domain/note.ts';
import type { Ledger, LedgerRow, LivingCopy } from '../../ledger/ledger.ts';

export function paidCopy({ row, copy }: LivingCopy): PaidCopy {
  const facts = ({ number, batch, paymentId, paidAmount, amount, unit, currency }: LedgerRow) => ({
    number,
    batch,
    payment: paymentId,
    amount: String(paidAmount ?? amount),
    unit,
    currency,
  });
  return { row: facts(row), copy: copy.id === row.id ? null : facts(copy) };
}

export const copyNote = (living: LivingCopy): NoteOf<'payee-paid-twice'> => ({
  note: 'payee-paid-twice',
  ...paidCopy(living),
});

/** Maps the ids of rows to their paid copies. A row and its copy get the same entry. */
export async function copiesByRow(ledger: Ledger, batch: string): Promise<ReadonlyMap<number, readonly PaidCopy[]>> {
  const copies = new Map<number, readonly PaidCopy[]>();
  for (const one of await ledger.duplicates.livingCopies(batch))
    for (const { id } of [one.row, one.copy]) copies.set(id, [...(copies.get(id) ?? []), paidCopy(one)]);
  return copies;
}
