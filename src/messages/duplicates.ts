/** The words of refusals and notes about duplicates. */

import type { LikeSent, PaidCopy, RefusalFacts, Some } from '../base/refusal.ts';
import { counted, grouped, moneyOf, sumWords } from '../base/words.ts';
import type { NoteWords, Worded } from './passage.ts';
import { alikeWords, paymentWords } from './reasons.ts';

const lines = (...all: readonly string[]) => all.join('\n  ');

export const rowsLook = (count: number) =>
  count === 1 ? '1 row looks like a payment' : `${grouped(count)} rows look like payments`;

export function listedWords<T>({ shown, total }: Some<T>, words: (one: T) => string): string {
  const more = total - shown.length;
  return `${shown.map(words).join('; ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}

export const droppedWords = ({ by, why }: { readonly by: string | null; readonly why: string }) =>
  `closed${by === null ? '' : ` by ${by}`}: ${why}`;

export const likeRow = ({ row, batch, sentRow, sentAt, differs }: LikeSent) =>
  `row ${row} like ${paymentWords({ row: sentRow, batch, sentAt })}: ${alikeWords(differs)}`;

export const duplicateRefusals: {
  readonly SHEET_LOOKS_PAID: (facts: Worded<RefusalFacts['SHEET_LOOKS_PAID']>) => string;
} = {
  SHEET_LOOKS_PAID: ({ batch, held, of, rows, addition, command }) =>
    lines(
      `Batch ${batch} seems to have paid this sheet. Nothing was sent. ${grouped(held)} of the sheet's ${counted(of, 'row')} look like earlier payments:`,
      `${listedWords(rows, likeRow)}.`,
      `To add the other rows of the sheet to batch ${batch}: ${addition}`,
      `To pay the rows again: ${command}`,
      'If you pay the same rows each week, set duplicates.window to fewer days.',
    ),
};

export function copyWords({ row, copy }: PaidCopy): string {
  const named = (one: PaidCopy['row']) =>
    `row ${one.number} of batch ${one.batch} (${one.payment === null ? '' : 'payment '}${one.payment ?? 'in doubt'}, ${moneyOf(one)})`;
  return copy === null
    ? `The service paid ${named(row)} after it had reported the row as unpaid. A person closed this row, or the newest sheet lacks it.`
    : `A payee may be paid twice, by ${named(row)} and by ${named(copy)}.`;
}

export const seenDiffersWords = (paid: number, currency: string) =>
  `only the amount differs (${sumWords(currency, paid)} then)`;

export const duplicateNotes = {
  'payee-paid-twice': copyWords,
  'near-payments-seen': ({ rows }) => {
    const shown = listedWords(
      rows,
      ({ row, amount, currency, payment, at, paid }) =>
        `row ${row} (${sumWords(currency, amount)}) like ${paymentWords({ paymentId: payment, at })}: ${seenDiffersWords(paid, currency)}`,
    );
    return `${rowsLook(rows.total)} that somebody else made, but for one thing: ${shown}.`;
  },
  'waits-like-batch': ({ batch, rows }) =>
    `${counted(rows, 'row looks', 'rows look')} paid in batch ${batch}. Continuing holds ${rows === 1 ? 'it' : 'them'} until an approver releases what is owed as well.`,
} satisfies Partial<NoteWords>;
