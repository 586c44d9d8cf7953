/** The words of refusals and notes about duplicates. */
import type { PaidCopy } from '../base/refusal.ts';
import { listed } from './audience.ts';
import { counted, moneyOf, named, sumWords } from './format/numbers.ts';
import type { NoteWords } from './passage.ts';
import { alikeWords, paymentWords } from './reasons.ts';

export const droppedWords = ({ by, why }: { readonly by: string | null; readonly why: string }) =>
  `closed${by === null ? '' : ` by ${by}`}: ${why}`;

export function copyWords({ row, copy }: PaidCopy): string {
  const named = (one: PaidCopy['row']) =>
    `row ${one.number} of batch ${one.batch} (${one.payment === null ? '' : 'payment '}${one.payment ?? 'in doubt'}, ${moneyOf(one)})`;
  return copy === null
    ? `The service paid ${named(row)} after it had reported the row as unpaid. A person closed this row, or the newest sheet lacks it.`
    : `A payee may be paid twice, by ${named(row)} and by ${named(copy)}.`;
}

export const copiesWords = (copies: readonly PaidCopy[] = []): string | null => copies.map(copyWords).join(' ') || null;

export const duplicateNotes = {
  'payee-paid-twice': copyWords,
  'near-payments-seen': ({ rows }) => {
    const shown = listed(
      rows,
      ({ row, amount, currency, like: { to, differs } }) =>
        `row ${row} (${sumWords(currency, amount)}) like ${paymentWords(to)}: ${alikeWords(differs)}`,
    );
    return `${counted(rows.total, 'row looks like a payment', 'rows look like payments')} that the service lists: ${shown.join('; ')}.`;
  },
  'waits-like-batch': ({ batch, rows }) =>
    `${counted(rows, 'row looks', 'rows look')} paid in batch ${batch}. If the batch continues, Payrun holds ${named(rows).it} until an approver releases what is owed as well.`,
} satisfies Partial<NoteWords>;
