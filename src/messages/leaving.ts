/** The words of refusals and notes that another way to handle duplicates and corrected sheets removes. */

import { timeWords } from '../base/clock.ts';
import type { LikeSent, NearlySent, PaidCopy, RefusalFacts, Renumbering, Some } from '../base/refusal.ts';
import { counted, grouped, moneyOf, quoted, shellWord } from '../base/words.ts';
import type { LeftOutRow, NoteOf } from '../domain/note.ts';
import type { NoteWords, Worded } from './passage.ts';
import { nearWords, paymentWords, sameThing } from './reasons.ts';

const lines = (...all: readonly string[]) => all.join('\n  ');

export const rowsLook = (count: number) =>
  count === 1 ? '1 row looks like a payment' : `${count} rows look like payments`;

export function listedWords<T>({ shown, total }: Some<T>, words: (one: T) => string): string {
  const more = total - shown.length;
  return `${shown.map(words).join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const givenUpWords = ({ by, why }: { readonly by: string | null; readonly why: string }) =>
  `given up${by === null ? '' : ` by ${by}`}: ${why}`;

/** `field`: the name of the column row_id for the reader. */
const renumberings: {
  readonly [R in Renumbering]: (field: string) => { readonly was: string; readonly mend: string };
} = {
  zeros: (field) => ({
    was: `with other zeros before the ${field}`,
    mend: `write the ${field} with the zeros of then, in cells whose format is text`,
  }),
  'neither-has-one': () => ({
    was: 'and that are others by what they say elsewhere',
    mend: 'write all of it as it was then',
  }),
  'sent-had-none': (field) => ({ was: `without a ${field}`, mend: `leave the ${field} out` }),
  'other-id': (field) => ({ was: `under another ${field}`, mend: `write the ${field} of then` }),
};

/** Rows that are new by their row_id alone. Most often the spreadsheet, or a new column, changed the ids of sent rows. */
export const renumberedLines = (all: RefusalFacts['ROWS_ADDED']['renumbered'], field = 'row_id') =>
  all.map(({ how, rows }) => {
    const { was, mend } = renumberings[how](field);
    const idWords = (id: string | null) => (id === null ? `no ${field}` : quoted(id));
    const look = rows.total === 1 ? 'looks like one' : 'look like ones';
    const shown = listedWords(
      rows,
      ({ row, rowId, sentRow, sentId, sentAt }) =>
        `row ${row} (${idWords(rowId)}) like row ${sentRow} (${idWords(sentId)}), sent ${timeWords(sentAt)}`,
    );
    return `${grouped(rows.total)} of the new rows ${look} that this batch has sent ${was} (same payee, amount and reference): ${shown}. If they are the same, ${mend}.`;
  });

export const correctedLine = (tryAgain: string) =>
  `If rows were corrected after they had been sent: put the old values back, and ${tryAgain}. If more is owed than was sent, add a row for the rest.`;

export const twinLead = ({ total }: Some<LikeSent>) =>
  `${rowsLook(total)} already sent (same payee, amount and reference):`;

export const twinRow = ({ row, batch, sentRow, sentAt }: LikeSent) =>
  `row ${row} like row ${sentRow} of ${batch}, sent ${timeWords(sentAt)}`;

export const nearLead = ({ total }: Some<NearlySent>) => `${rowsLook(total)} already sent, but for one thing:`;

export const nearRow = ({ row, amount, currency, sentRow, batch, sentAt, differs }: NearlySent) =>
  `row ${row} (${grouped(amount)} ${currency}) like row ${sentRow} of ${batch}, sent ${timeWords(sentAt)}: ${nearWords(differs)}`;

export const twinLines = (twins: Some<LikeSent>) =>
  twins.total === 0 ? [] : [`${twinLead(twins)} ${listedWords(twins, twinRow)}.`];

export const nearLines = (near: Some<NearlySent>) =>
  near.total === 0 ? [] : [`${nearLead(near)} ${listedWords(near, nearRow)}.`];

const againWords = (command: string) => `If they shall be paid again: ${command} (pays the rows that look alike, too).`;

const takeOutLine = 'If they shall not be paid again: take these rows out of the sheet, and run it again.';

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
  | 'WAITING_ROWS_LOOK_PAID'
  | 'LIKE_OTHER_PAYMENTS'
  | 'CORRECTION_WAITS'
  | 'UNNAMED_CORRECTION_WAITS'
  | 'SHEET_OVERTAKEN'
  | 'APPROVED_ROWS_DIFFER'
  | 'PLAN_OVERTAKEN'
  | 'PLAN_LACKS_ROW';

export const leavingRefusals: { readonly [C in Leaving]: (facts: Worded<RefusalFacts[C]>) => string } = {
  SHEET_LOOKS_PAID: ({ twins, near, isNamed, isCorrected, sameBatch, addition, command }) =>
    lines(
      'Nothing was sent: the sheet looks paid already.',
      ...twinLines(twins),
      ...nearLines(near),
      ...(isNamed ? [] : ['Without --batch, a sheet whose rows were changed is a batch of its own.']),
      ...(sameBatch === null
        ? []
        : [`If this is batch ${sameBatch} again: ${addition} (pays only the rows that are new to it).`]),
      ...(near.total === 0 ? [] : [correctedLine('run it again')]),
      ...(isCorrected
        ? ['If this is another month, or another sheet: give it a --batch name of its own (pays every row).']
        : [
            takeOutLine,
            twins.total > 0
              ? againWords(command)
              : `If they are payments of their own: ${command} (pays the rows that look alike, too).`,
          ]),
    ),
  WAITING_ROWS_LOOK_PAID: ({ batch, twins, near, command }) =>
    lines(
      `Nothing was sent: rows of batch ${batch} that were not sent yet look like payments sent meanwhile.`,
      ...twinLines(twins),
      ...nearLines(near),
      againWords(command),
    ),
  LIKE_OTHER_PAYMENTS: ({ rows, hasReason, command }) =>
    lines(
      `${rowsLook(rows.total)} that the service already has, not of this batch (same payee, amount and reference): ${listedWords(rows, ({ row, payment, at }) => `row ${row} like ${paymentWords({ paymentId: payment, at })}`)}.${hasReason ? ' Perhaps it was made after the reason to pay again was given; a reason that is given from now on, under another name, is for it too.' : ''} Nothing was sent.`,
      takeOutLine,
      againWords(command),
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

export function copyWords({ row, copy, differs }: PaidCopy): string {
  const named = (one: PaidCopy['row']) =>
    `row ${one.number} of batch ${one.batch} (payment ${one.payment ?? 'in doubt'}, ${moneyOf(one)})`;
  const why = differs === 'nothing' ? sameThing : `only the ${differs} differs`;
  return `A payee may be paid twice: ${named(row)} had seemed unpaid and is not, and meanwhile ${named(copy)} was sent: ${why}.`;
}

export const seenDiffersWords = (paid: number) => `only the amount differs (${grouped(paid)} then)`;

function leftOutWords({ id, row, sheet }: LeftOutRow): string {
  const place = `row ${row}${sheet === null ? '' : ` of ${sheet}`}`;
  return id === null ? place : `${id}, ${place}`;
}

const elsewhereDiffers = {
  nothing: () => '',
  account: () => ', to another account',
  amount: (money: NoteOf<'like-elsewhere'>['money']) => `, of another amount (${moneyOf(money)})`,
};

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
  'paid-again-as-meant': ({ reason, payment, more }) =>
    `What the service already has and looks the same is paid again for the reason that was given (${reason}): payment ${payment}${more === 0 ? '' : ` (and ${more} more)`}.`,
  'near-payments-seen': ({ rows }) => {
    const shown = listedWords(
      rows,
      ({ row, amount, currency, payment, at, paid }) =>
        `row ${row} (${grouped(amount)} ${currency}) like ${paymentWords({ paymentId: payment, at })}: ${seenDiffersWords(paid)}`,
    );
    return `${rowsLook(rows.total)} that somebody else made, but for one thing: ${shown}.`;
  },
  'waits-like-batch': ({ batch, rows, stops }) => {
    const looks = rows === 1 ? '1 row waits: it looks' : `${rows} rows wait: they look`;
    return stops
      ? `${looks} paid in batch ${batch}, so that nothing of this batch is sent. If all of it is owed as well, hand the sheet in again under a name of its own, and say why; else hand in a sheet of what is owed.`
      : `${looks} paid in batch ${batch}, and going on holds ${rows === 1 ? 'it' : 'them'}: then an approver releases what is owed as well.`;
  },
  'waits-like-foreign': ({ rows }) =>
    `${rowsLook(rows)} that the service has from elsewhere, so that nothing of this batch is sent. See which payment it is. If all of it is owed as well, hand the sheet in again under a name of its own, and say why. If nothing is owed for ${rows === 1 ? 'this row' : 'these rows'}, say so on ${rows === 1 ? 'its page' : 'their pages'}: then this batch goes on with the others.`,
  'like-elsewhere': ({ batch, row, is, at, differs, money }) => {
    const all = differs === 'amount' ? 'The same payee and reference' : 'The same payee, amount and reference';
    const where = `in batch ${batch} (row ${row})${at === null ? '' : ` on ${timeWords(at)}`}`;
    return `${all} ${{ held: 'is held', waits: 'waits', paid: 'was paid', sent: 'was sent' }[is]} ${where}${elsewhereDiffers[differs](money)}.`;
  },
} satisfies Partial<NoteWords>;
