/** Rows that seemed unpaid, are not, and were sent as corrected copies meanwhile. */
import type { CopiedRow, NoteOf } from '../../domain/note.ts';
import type { Ledger, LedgerRow, LivingCopy } from '../../ledger/ledger.ts';
import { copyWords } from '../../messages/leaving.ts';

const copied = ({
  number: row,
  batch,
  paymentId: payment,
  paidAmount,
  amount,
  unit,
  currency,
}: LedgerRow): CopiedRow => ({
  row,
  batch,
  payment,
  amount: paidAmount ?? amount,
  unit,
  currency,
});

export const copyNote = ({ row, copy, differs }: LivingCopy): NoteOf<'payee-paid-twice'> => ({
  note: 'payee-paid-twice',
  paid: copied(row),
  copy: copied(copy),
  differs,
});

/** By the id of each row that it is about. */
export async function copyWordsOf(ledger: Ledger, batch: string): Promise<ReadonlyMap<number, string>> {
  const words = new Map<number, string>();
  for (const one of await ledger.livingCopies(batch))
    for (const { id } of [one.row, one.copy])
      words.set(id, [words.get(id) ?? [], copyWords(copyNote(one))].flat().join(' '));
  return words;
}
