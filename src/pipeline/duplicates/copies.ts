/** Rows that seemed unpaid, are not, and were sent as corrected copies meanwhile: what a person is told of the two. */
import { moneyOf } from '../../base/words.ts';
import type { Ledger, LedgerRow, LivingCopy } from '../../ledger/ledger.ts';
import { sameThing } from '../../messages/reasons.ts';

export function copyWords({ row, copy, differs }: LivingCopy): string {
  const named = (one: LedgerRow) =>
    `row ${one.number} of batch ${one.batch} (payment ${one.paymentId ?? 'in doubt'}, ${moneyOf({ ...one, amount: one.paidAmount ?? one.amount })})`;
  const why = differs === 'nothing' ? sameThing : `only the ${differs} differs`;
  return `A payee may be paid twice: ${named(row)} had seemed unpaid and is not, and meanwhile ${named(copy)} was sent: ${why}.`;
}

/** By the id of each row that it is about. */
export async function copyWordsOf(ledger: Ledger, batch: string): Promise<ReadonlyMap<number, string>> {
  const words = new Map<number, string>();
  for (const one of await ledger.livingCopies(batch))
    for (const { id } of [one.row, one.copy]) words.set(id, [words.get(id) ?? [], copyWords(one)].flat().join(' '));
  return words;
}
