/** The words of refusals of a sheet that differs from its batch. */
import type { LikeSent, OfVersion, RowChanges, Some, ValueChange } from '../../base/refusal.ts';
import { capital, quoted, visible } from '../../base/words.ts';
import { type Audience, atTerminal, fileName, listed } from '../audience.ts';
import { droppedWords } from '../duplicates.ts';
import { fieldName } from '../field-words.ts';
import { counted, grouped, moneyOf, named } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import { commandOf, someRows } from '../next-actions.ts';
import type { RefusalWords } from '../passage.ts';
import { goneWords } from '../problems/repeat-problems.ts';
import { alikeWords, paymentWords } from '../reasons.ts';

const again = (to: Audience) => (to === 'page' ? 'upload the sheet again' : 'run it again');
const ownName = 'plan it as a new batch';
const wrongSheet = (to: Audience) => `If this is the wrong sheet, ${to === 'page' ? 'discard it' : 'do nothing'}.`;

/** Describes the changes of a row, such as `amount was 1500, is 2500`. */
export function changesWords(changes: readonly ValueChange[], to: Audience): string {
  const shown = (value: ValueChange['was']) =>
    typeof value === 'string' ? quoted(value) : grouped(String(value ?? 'empty'));
  const words = changes.map(({ column, was, now }) => {
    const [from, is] = [shown(was), shown(now)];
    return `${fieldName(column, to)} was ${from}, is ${from !== is ? is : column === 'documents' ? 'another file' : 'another value with the same end'}`;
  });
  return words.join('; ');
}

const newestWords = ({ batch, newest: { sheet, by, at } }: OfVersion) =>
  `The newest sheet of batch ${batch} is ${fileName(sheet)} (${by === null ? '' : `by ${by}, `}${timeWords(at)}).`;

const changedLines = (rows: Some<RowChanges>, to: Audience) =>
  listed(rows, ({ row, payee = '', gone, changes }) => {
    const now = changes.length === 0 ? 'a mistake' : changesWords(changes, to);
    return `row ${row}${payee === '' ? '' : ` (${visible(payee)})`}: ${gone === undefined ? now : `a newer sheet ${goneWords[gone]}`}`;
  });

const otherMonth = (to: Audience) =>
  `If this is the sheet of another month or of other payments: ${to === 'page' ? ownName : 'give it its own --batch name'}.`;

const likeLines = (rows: Some<LikeSent>) =>
  listed(
    rows,
    ({ row, sentRow, differs, ...sent }) =>
      `row ${row} looks like ${paymentWords({ ...sent, row: sentRow })}: ${alikeWords(differs)}`,
  );

export const batchRefusals = {
  // Payrun never sends these rows again. With the batch's values, the sheet's other rows can be sent.
  SENT_ROWS_CHANGED: ({ batch, newest, rows, unsent, again, command }, to) => [
    `This sheet changes ${counted(rows.total, 'row')} that batch ${batch} may have paid already. Nothing more was sent.`,
    changedLines(rows, to),
    newestWords({ batch, newest }),
    otherMonth(to),
    `If this sheet is older than the payments, do not use it. If not, put the values of batch ${batch} back into these rows, and ${to === 'page' ? 'upload the sheet again.' : `then: ${again}`}`,
    unsent === 0
      ? ''
      : `To send the ${counted(unsent, 'unsent row')} of batch ${batch} without this sheet${to === 'page' ? ', continue the batch.' : `: ${command}`}`,
    `To pay something more, add a new row with its own ${to === 'page' ? 'row id' : 'row_id and --add'}.`,
  ],
  ROWS_ADDED: ({ batch, newest, sent, added, money, missing, dropped, held, addition, command }, to) => [
    `Batch ${batch} has already sent ${counted(sent, 'row')}. This sheet adds ${counted(added, 'new row')}${money.length > 0 ? ` (${money.map(moneyOf).join(', ')})` : ''}${missing > 0 ? ` and lacks ${counted(missing, 'row')} of the batch` : ''}. Nothing more was sent.`,
    newestWords({ batch, newest }),
    held.total === 0
      ? ''
      : `Payrun would hold ${counted(held.total, 'new row')}, because a person decides about possible repeats:`,
    likeLines(held),
    `${wrongSheet(to)} ${otherMonth(to)}`,
    missing === 0 && addition !== null && to !== 'page'
      ? ''
      : `If this sheet is the whole list now${dropped.total === 0 ? '' : ` (Payrun closes ${someRows(dropped)} unpaid)`}: ${to === 'page' ? buttonBelow : command}`,
    addition === null || (to === 'page' && dropped.total === 0)
      ? ''
      : `If this sheet only adds rows to the batch: ${to === 'page' ? 'use the second button.' : addition}`,
  ],
  ROWS_DROPPED: ({ batch, newest, rows, money, command }, to) => [
    `${capital(someRows(rows))} of batch ${batch} ${named(rows.total).is} not paid, and this sheet lacks ${named(rows.total).it}${rows.total === 1 ? '' : ` (${money.map(moneyOf).join(', ')})`}. Nothing was sent.`,
    newestWords({ batch, newest }),
    `If nobody should pay ${rows.total === 1 ? 'this row' : 'these rows'}: ${to === 'page' ? buttonBelow : command}`,
    to === 'page' ? `If not: ${putBack}` : `If not, put the missing rows back, and ${again(to)}.`,
  ],
  ADDITION_CHANGES_ROWS: ({ batch, newest, rows, command }, to) => [
    `A sheet that adds rows may not change other rows, but this sheet changes ${counted(rows.total, 'row')} of batch ${batch}. Nothing was sent.`,
    changedLines(rows, to),
    newestWords({ batch, newest }),
    `If this sheet is the whole list now: ${to === 'page' ? nextVersion : command}`,
  ],
  ADDITION_ENDS_MISTAKES: ({ batch, lines, command }, to) => [
    `The newest sheet of batch ${batch} has ${counted(lines, 'line')} with a mistake and without an id. A sheet that only adds rows would end ${lines === 1 ? 'it' : 'them'}. Nothing was sent.`,
    `Put the new rows and the lines with mistakes into one sheet that has all rows: ${to === 'page' ? 'upload it.' : command}`,
    'Or pay the new rows as a batch of their own.',
  ],
  OLDER_VERSION: ({ batch, newest, rows, command }, to) => [
    `This sheet has an older version of ${counted(rows.total, 'row')} of batch ${batch}. Nothing was sent.`,
    changedLines(rows, to),
    newestWords({ batch, newest }),
    'If this sheet is older, do not use it.',
    `If its rows are correct, make a plan of the sheet. The plan shows them${to === 'page' ? '.' : `: ${command}`}`,
  ],
  SHEET_LOOKS_PAID: ({ batch, held, of, rows, addition, command }, to) => [
    `Batch ${batch} seems to have paid this sheet. Nothing was sent. ${grouped(held)} of the sheet's ${counted(of, 'row')} look like earlier payments:`,
    likeLines(rows),
    wrongSheet(to),
    addition === null ? '' : `If this sheet belongs to batch ${batch}: ${to === 'page' ? nextVersion : addition}`,
    `To pay the rows again: ${to === 'page' ? `${ownName}, and say why.` : command}`,
    `If you pay the same rows each month, put the month into their references${atTerminal(to, ', or set duplicates.window to fewer than 28 days')}.`,
  ],
  BATCH_NAMES_ALIKE: ({ batch, known }, to) =>
    `No new batch can have the name ${batch}, because there is batch ${known}. Nothing was sent. If these payments belong to batch ${known}, name that batch${atTerminal(to, ' with --batch')}. If not, choose a different name.`,
  BATCH_UNNAMED: ({ of, batches }, to) => [
    `Rows of this sheet are in ${batches.total === 1 ? 'a batch that is' : 'batches that are'} not finished. Nothing was sent. If this sheet is the new list of such a batch, name the batch:`,
    listed(
      batches,
      ({ batch, rows, command }) =>
        `${grouped(rows)} of the ${counted(of, 'row')} ${named(rows).is} in batch ${batch}${to === 'page' ? '' : `: ${command}`}`,
      'batch name',
    ),
    otherMonth(to),
  ],
  NOTHING_TO_ADD_TO: ({ batch, command }, to) =>
    `${batch === null ? 'No open batch has a row of this sheet, so the sheet does not say which batch it adds to' : `This sheet cannot add rows to batch ${batch}, because there is no such batch`}. Nothing was sent.${atTerminal(to, ` Leave out --add, or name the batch with --batch: ${command}`)}`,
  PROPOSAL_WAITS: ({ batch, file, by }, to, place) => [
    `A plan of batch ${batch} (${fileName(file)}, by ${by}) waits. Nothing more of the batch is sent. Pay, decline or withdraw that plan first.`,
    to === 'page'
      ? []
      : (['decline', 'withdraw'] as const).map((ending) => commandOf({ action: 'end-plan', batch, ending }, place)),
    `Submit urgent rows as a batch with another name${atTerminal(to, ' (--batch)')}.`,
  ],
  VERSION_CONFLICT: ({ batch, newest, paid, rows, dropped, added, command }, to) => [
    `This sheet was compared with an older version of batch ${batch}. Nothing of this sheet was sent.`,
    newestWords({ batch, newest }),
    paid.total === 0
      ? ''
      : `Batch ${batch} may have paid ${counted(paid.total, 'row')} with other values than this sheet has. Put those values back:`,
    changedLines(paid, to),
    rows.total === 0 ? '' : `This sheet changes ${counted(rows.total, 'row')} of the batch:`,
    changedLines(rows, to),
    dropped.total === 0 ? '' : `This sheet lacks ${someRows(dropped)}, which its plan closes unpaid.`,
    added === 0 ? '' : `This sheet adds ${counted(added, 'new row')}.`,
    to === 'page'
      ? `If ${paid.total === 0 ? 'this sheet is correct, make' : 'the rest of this sheet is correct, then make'} its plan below. If not, correct your file, and upload it again.`
      : `Compare the two sheets. If this sheet is the correct one, ${command === null ? 'run it again.' : `make its plan again: ${command}`}`,
  ],
  ROWS_CLOSED: ({ rows, others, added, reopen }, to) => {
    const sums = added.length === 0 ? '' : ` (the new rows have ${added.map(moneyOf).join(', ')})`;
    const { it } = named(rows.total);
    const submit = `${again(to)}${to === 'page' ? '.' : `: ${others}`}`;
    return [
      `A person closed ${counted(rows.total, 'row')} of this sheet. Nothing was sent.`,
      listed(rows, ({ row, ...closed }) => `row ${row} was ${droppedWords(closed)}`),
      others === null
        ? `To leave ${it} closed, do nothing: this sheet has no other row to send.`
        : `To leave ${it} closed, and pay the other rows${sums}, remove ${it} from the sheet, and ${submit}`,
      to === 'page'
        ? `To pay ${it} too, an approver opens ${it} again on ${named(rows.total).its} page${rows.total === 1 ? '' : 's'}.`
        : `To pay ${it} too, open ${it} again${others === null ? '' : ', and then run the sheet with the command above'}: ${reopen}`,
    ];
  },
  BATCH_PAID: ({ batch, paidAt }, to) => [
    `Every row of this sheet was already paid on ${timeWords(paidAt)} as batch ${batch}. Nothing more was sent.`,
    `To pay the sheet again for a new period, ${newName(to)}.`,
  ],
  NOTHING_TO_SEND: ({ batch }, to) => [
    `This sheet changes nothing in batch ${batch}, and the batch has no row left to send.`,
    `To pay the sheet again for a new period, ${newName(to)}.`,
  ],
  BATCH_PAID_IN_PART: ({ batch, lastPaidAt, unpaid }, to) => [
    `Another ledger paid rows of this sheet as batch ${batch} (last payment: ${timeWords(lastPaidAt)}). ${counted(unpaid, 'row')} ${named(unpaid).is} not paid. Nothing more was sent.`,
    `If the sheet is for a new period, ${newName(to)}.`,
    `To pay the other rows of that batch, ${to === 'page' ? 'upload the sheet again, and plan it as its next version' : 'run the sheet again with --add'}.`,
  ],
  MAP_LEFT_OUT: ({ batch, map, withMap, withoutMap }, to) => [
    `Batch ${batch} uses the map ${to === 'page' ? fileName(map) : map}, but this sheet came without a map. Without this map, the columns could have another meaning. Nothing was sent.`,
    ...(to === 'page'
      ? ['Match the columns of the sheet here as the map does.']
      : [`If the sheet has the columns of the map: ${withMap}`, `If the sheet needs no map: ${withoutMap}`]),
  ],
  CLAIMS_UNKNOWN: ({ rows, ledger, service }) =>
    `A result file says that ${counted(rows, 'row')} ${named(rows).was} sent. This ledger (${ledger}) and ${service} do not know ${named(rows).its} ${rows === 1 ? 'payment' : 'payments'}. Nothing was sent. Use the ledger, address and key of that file. To pay anyway, remove the column payrun_status from the file, and submit it again.`,
} satisfies Partial<RefusalWords>;

const buttonBelow = 'use the button below.';
const putBack = 'put the missing rows back into the sheet, and upload it again.';
const nextVersion = 'plan it as the next version of that batch.';
const newName = (to: Audience) => (to === 'page' ? 'give the batch a new name' : 'run it with --batch and a new name');
