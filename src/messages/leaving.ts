/** The words of refusals and notes about duplicates and corrected sheets. */

import type { LikeSent, PaidCopy, RefusalFacts, Some } from '../base/refusal.ts';
import { counted, grouped, moneyOf, shellWord } from '../base/words.ts';
import type { LeftOutRow } from '../domain/note.ts';
import type { NoteWords, Worded } from './passage.ts';
import { alikeWords, paymentWords, sameThing } from './reasons.ts';

const lines = (...all: readonly string[]) => all.join('\n  ');

export const rowsLook = (count: number) =>
  count === 1 ? '1 row looks like a payment' : `${count} rows look like payments`;

export function listedWords<T>({ shown, total }: Some<T>, words: (one: T) => string): string {
  const more = total - shown.length;
  return `${shown.map(words).join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const givenUpWords = ({ by, why }: { readonly by: string | null; readonly why: string }) =>
  `given up${by === null ? '' : ` by ${by}`}: ${why}`;

export const likeRow = ({ row, batch, sentRow, sentAt, differs }: LikeSent) =>
  `row ${row} like ${paymentWords({ row: sentRow, batch, sentAt })}: ${alikeWords(differs)}`;

/** By what the sheet is that sends nothing. */
const overtaken = {
  'a plan': ['since its plan was made, ', 'Make its plan again, and have it approved; or leave it.'],
  older: [
    'since it was handed in, or its file was last written, ',
    'If its rows shall be paid as they are in it, hand it in once more, saved anew, or at the console; else leave it.',
  ],
  'not sent': [
    'since its plan was made, ',
    'Have that row sent first: go on with batch {batch}, or hand its sheet in once more where a newer one lacks it; or make this plan again, and have it approved.',
  ],
  'not approved': [
    '',
    'What was approved is changed only by what is approved: if its rows shall be paid as they are in it, make a plan of it (payrun plan), and run that (--approve), or hand it in at the console; else leave it.',
  ],
} as const;

export function overtakenWords(how: string, sheet: keyof typeof overtaken, batch = ''): string {
  const [since, next] = overtaken[sheet];
  return `Nothing of this sheet is sent: ${since}${how}. ${next.replace('{batch}', () => batch)}`;
}

type Leaving =
  | 'SHEET_LOOKS_PAID'
  | 'CORRECTION_WAITS'
  | 'UNNAMED_CORRECTION_WAITS'
  | 'SHEET_OVERTAKEN'
  | 'APPROVED_ROWS_DIFFER'
  | 'PLAN_OVERTAKEN'
  | 'PLAN_LACKS_ROW';

export const leavingRefusals: { readonly [C in Leaving]: (facts: Worded<RefusalFacts[C]>) => string } = {
  SHEET_LOOKS_PAID: ({ batch, held, of, rows, addition, command }) =>
    lines(
      `Nothing was sent: batch ${batch} paid this sheet. ${grouped(held)} of its ${counted(of, 'row')} look like earlier payments:`,
      `${listedWords(rows, likeRow)}.`,
      `To add its other rows to batch ${batch}: ${addition}`,
      `To pay the rows again: ${command}`,
      'If you pay the same rows each week, set duplicates.window to fewer days.',
    ),
  CORRECTION_WAITS: ({ batch, row, how, stands }) =>
    `Nothing of batch ${batch} is sent. Of row ${row}: ${how}. ${['old', 'void'].includes(stands) ? 'Make its plan again, and pay it' : 'Pay that sheet'}, which goes on with all of the batch; or, if the rows shall be paid as they are here, ${stands === 'void' ? '' : 'an approver declines its plan first, or '}whoever handed it in discards it.`,
  UNNAMED_CORRECTION_WAITS: ({ row, file, by, batch, how }) =>
    `Nothing of this sheet is sent. Row ${row} goes to another account in the sheet ${file}, handed in at the console by ${by} for batch ${batch}, and its plan ${how}. If this is the same sheet, have that one paid, or run this as that batch, with --batch ${shellWord(batch)}, which says what is in the way. If these are other payments, give it a --batch name of its own.`,
  SHEET_OVERTAKEN: ({ how }) => overtakenWords(how, 'older'),
  APPROVED_ROWS_DIFFER: ({ how }) => overtakenWords(how, 'not approved'),
  PLAN_OVERTAKEN: ({ how }) => overtakenWords(how, 'a plan'),
  PLAN_LACKS_ROW: ({ how, batch }) => overtakenWords(how, 'not sent', batch),
};

export function copyWords({ row, copy }: PaidCopy): string {
  const named = (one: PaidCopy['row']) =>
    `row ${one.number} of batch ${one.batch} (payment ${one.payment ?? 'in doubt'}, ${moneyOf(one)})`;
  return copy === null
    ? `A payment that had ended unpaid is paid: ${named(row)}. A person closed that row, or the newest sheet lacks it.`
    : `A payee may be paid twice: ${named(row)} had ended unpaid and is paid, and meanwhile ${named(copy)} was sent: ${sameThing}.`;
}

export const seenDiffersWords = (paid: number) => `only the amount differs (${grouped(paid)} then)`;

function leftOutWords({ id, row, sheet }: LeftOutRow): string {
  const place = `row ${row}${sheet === null ? '' : ` of ${sheet}`}`;
  return id === null ? place : `${id}, ${place}`;
}

export const leavingNotes = {
  'payee-paid-twice': copyWords,
  'mistakes-left-out': ({ rows: { shown, total }, sheet }) => {
    const what =
      total === 1
        ? '1 row that was left out for its mistake is'
        : `${counted(total, 'row')} that were left out for their mistakes are`;
    const rows = `${shown.map(leftOutWords).join('; ')}${total > shown.length ? '; …' : ''}`;
    return `${what} not in ${sheet === 'this' ? 'this sheet' : 'the newest sheet'} (${rows}): not paid.`;
  },
  'near-payments-seen': ({ rows }) => {
    const shown = listedWords(
      rows,
      ({ row, amount, currency, payment, at, paid }) =>
        `row ${row} (${grouped(amount)} ${currency}) like ${paymentWords({ paymentId: payment, at })}: ${seenDiffersWords(paid)}`,
    );
    return `${rowsLook(rows.total)} that somebody else made, but for one thing: ${shown}.`;
  },
  'waits-like-batch': ({ batch, rows }) =>
    `${rows === 1 ? '1 row looks' : `${rows} rows look`} paid in batch ${batch}. Continuing holds ${rows === 1 ? 'it' : 'them'} until an approver releases what is owed as well.`,
} satisfies Partial<NoteWords>;
