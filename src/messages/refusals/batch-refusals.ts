/** The words of refusals of a sheet that differs from its batch. */
import { timeWords } from '../../base/clock.ts';
import type { RefusalFacts, ValueChange } from '../../base/refusal.ts';
import { counted, grouped, moneyOf, named, quoted } from '../../base/words.ts';
import { type Audience, atTerminal, fileName, lines, listed } from '../audience.ts';
import { fieldName } from '../field-words.ts';
import { droppedWords } from '../leaving.ts';
import type { PlanAdvice, RefusalWords, Worded } from '../passage.ts';
import { ownName, putBack, tickAdd, tickDrop } from '../web/page-refusals.ts';

/** Describes the changes of a row, such as `amount was 1500, is 2500`. `see` masks a value by its column. */
export function changesWords(
  changes: readonly ValueChange[],
  see = (_column: string, text: string): string => text,
  to: Audience = 'terminal',
): string {
  return changes
    .map(({ column, was, now }) => {
      const shown = (value: ValueChange['was']) =>
        typeof value === 'string' ? quoted(see(column, value)) : grouped(String(value ?? 'empty'));
      const [from, is] = [shown(was), shown(now)];
      return `${fieldName(column, to)} was ${from}, is ${from === is ? 'another one that ends so too' : is}`;
    })
    .join('; ');
}

type Changed = Worded<RefusalFacts['SENT_ROWS_CHANGED']>;
type Invalid = Worded<RefusalFacts['SENT_ROWS_INVALID']>;

const unsentWords = ({ batch, unsent }: Changed | Invalid) =>
  `${counted(unsent, 'row')} of batch ${batch} ${named(unsent).is} not sent yet, and ${unsent === 1 ? 'goes' : 'go'} on without it`;

function changedOrOlder(facts: Changed | Invalid, to: Audience): string {
  const leave = `leave it; ${unsentWords(facts)}${atTerminal(to, `: ${facts.command}`)}`;
  return `If this sheet is older than what was sent, ${facts.unsent === 0 ? 'nothing is left to do with it' : leave}. If its rows were changed since, ${to === 'page' ? putBack : 'put the old values back and run again'}`;
}

/** A page has more advice for sent rows: a held row can still be corrected, and a sent row cannot. */
function changedNext(facts: Changed, to: Audience): string {
  const own = to === 'page' ? `a row id of its own, and ${tickAdd}` : 'a row_id of its own and --add';
  const more = `; to pay something more, add it as a new row with ${own}.`;
  if (to === 'terminal' || !facts.hasSent) return `${changedOrOlder(facts, to)}${more}`;
  return `If this sheet is older than what was sent, or these are corrections that came too late, discard it: the rows are not sent once more.${facts.unsent === 0 ? '' : ` ${unsentWords(facts)}.`} To send what else it has: ${putBack}${more}`;
}

const otherMonth = (to: Audience, which = '') =>
  `If this is another month, or another sheet: ${to === 'page' ? ownName(which) : 'give it a --batch name of its own.'}`;

const otherThanFile = ({ hasSent }: Changed, advice: PlanAdvice = {}) =>
  hasSent && advice.isSuggested === true ? ', another than its file gives it with or without a number' : '';

const heldUntil = 'until somebody says that they repeat nothing';

/** Returns which rows would not be paid: new rows that would be held, and rows that the sheet lacks. */
function addedWords({ added, held, dropped }: Pick<RefusalFacts['ROWS_ADDED'], 'added' | 'held' | 'dropped'>): string {
  const holds = `it holds ${held === added ? 'the new rows' : `${grouped(held)} of the new rows`} ${heldUntil}`;
  const ends = `${counted(dropped, 'row')} that it lacks ${dropped === 1 ? 'ends' : 'end'} unpaid`;
  const all = [...(held === 0 ? [] : [holds]), ...(dropped === 0 ? [] : [ends])];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

export const batchRefusals = {
  SENT_ROWS_CHANGED: (facts, to, { advice }) =>
    lines(
      to,
      `Batch ${facts.batch} ${facts.hasSent ? 'was already sent from' : 'holds rows back'}, and ${grouped(facts.rows.total)} of its rows ${named(facts.rows.total).was} changed since. Nothing was sent.`,
      listed(facts.rows, ({ row, changes }) => `row ${row}: ${changesWords(changes, undefined, to)}`),
      changedNext(facts, to),
      otherMonth(to, otherThanFile(facts, advice)),
    ),
  SENT_ROWS_INVALID: (facts, to) =>
    lines(
      to,
      `Batch ${facts.batch} ${facts.hasSent ? 'has already sent' : 'holds back'} ${counted(facts.rows.total, 'row')} that this sheet now has with mistakes (row ${facts.rows.shown.join(', ')}). Nothing was sent.`,
      `${changedOrOlder(facts, to)}.`,
    ),
  ROWS_ADDED: (facts, to) => {
    const { batch, sent, added, money, missing, addition, command } = facts;
    const isOnlyMore = missing === 0 && addition !== null;
    const way =
      to === 'page' ? (isOnlyMore ? tickAdd : `${tickAdd}, and ${tickDrop}`) : isOnlyMore ? addition : command;
    return lines(
      to,
      `Batch ${batch} has already sent ${counted(sent, 'row')}, and this sheet brings ${counted(added, 'new row')} (${money.map(moneyOf).join(', ')})${missing > 0 ? ` and lacks ${grouped(missing)}` : ''}. Nothing was sent.`,
      `${missing === 0 ? 'If the new rows are meant' : 'If this is the whole list now'}: ${way}${addedWords(facts)}${to === 'page' ? '.' : ''}`,
      ...(missing === 0 || addition === null
        ? []
        : [`If it only adds rows, and the batch keeps the others: ${to === 'page' ? `${tickAdd}.` : addition}`]),
      otherMonth(to),
    );
  },
  ROWS_DROPPED: ({ batch, rows, money, command }, to) =>
    lines(
      to,
      `This sheet lacks ${counted(rows, 'row')} of batch ${batch} that ${named(rows).is} not paid (${money.map(moneyOf).join(', ')}). Nothing was sent.`,
      `If ${rows === 1 ? 'it is' : 'they are'} not to be paid: ${to === 'page' ? `${tickDrop}.` : command}`,
      to === 'page'
        ? 'Else put the missing rows back, and hand the sheet in anew.'
        : 'Else put the missing rows back, and run it again.',
    ),
  ADDITION_CHANGES_ROWS: ({ batch, rows, command }, to) =>
    lines(
      to,
      `A sheet that only adds rows changes none, and ${counted(rows.total, 'row')} of this one ${rows.total === 1 ? 'differs' : 'differ'} from batch ${batch}. Nothing was sent.`,
      listed(rows, ({ row, changes }) => `row ${row}: ${changesWords(changes, undefined, to)}`),
      to === 'page'
        ? `If this is the whole list now: ${tickAdd}, and ${tickDrop}.`
        : `If this is the whole list now: ${command}`,
    ),
  OLDER_VERSION: ({ batch, rows, command }, to) =>
    lines(
      to,
      `This sheet gives ${counted(rows.total, 'row')} of batch ${batch} back what a newer sheet changed or took out. Nothing was sent.`,
      listed(rows, ({ row, now }) =>
        now === null
          ? `row ${row}: a newer sheet took it out`
          : `row ${row}: the batch now has ${now.name}, ${moneyOf(now)}`,
      ),
      'If it is an older sheet, leave it.',
      to === 'page'
        ? 'If its rows hold after all, make a plan of it, which shows them.'
        : `If its rows hold after all, make a plan, which shows them, and run that: ${command}`,
    ),
  NOTHING_TO_ADD_TO: ({ batch }, to) =>
    `There is no batch ${batch} to which this sheet could add rows.${atTerminal(to, ' Leave --add away, or name the batch with --batch.')}`,
  PROPOSAL_WAITS: ({ batch, file, by, isApproved }, to) =>
    lines(
      to,
      `A plan of batch ${batch} ${isApproved ? 'is approved and waits to be paid' : 'waits for approval'} at the console: ${fileName(file)}, handed in by ${by}. Until it is paid, declined or discarded, nothing of the batch is sent, and no other sheet of it comes in.`,
      `Rows that cannot wait: ${to === 'page' ? 'give them a batch name of their own.' : 'hand them in as a batch of their own (--batch NAME).'}`,
    ),
  VERSION_CONFLICT: ({ batch, sheet, at }, to) =>
    lines(
      to,
      `Another sheet came into batch ${batch} after this one was taken: ${fileName(sheet)}, on ${timeWords(at)}. Nothing of this sheet was sent.`,
      to === 'page'
        ? 'Compare the two. If this sheet still holds, make its plan again.'
        : 'Compare the two. If this sheet still holds, run it again, or make its plan again.',
    ),
  ROWS_CLOSED: ({ rows, reopen, plan }, to) =>
    lines(
      to,
      `A person closed ${counted(rows.total, 'row')} of this sheet. Nothing was sent.`,
      listed(rows, ({ row, ...closed }) => `row ${row} was ${droppedWords(closed)}`),
      ...(to === 'page'
        ? [
            'To pay the other rows, take these out of the sheet, and hand it in again.',
            'To pay these too, make a plan: it shows them, and an approver decides.',
          ]
        : [
            'To pay the other rows, take these out of the sheet.',
            `To pay these too, open them again: ${reopen}`,
            `Or make a plan that shows them: ${plan}`,
          ]),
    ),
  BATCH_PAID: ({ batch, paidAt }, to) =>
    lines(
      to,
      `Nothing was sent: every row of this sheet was paid on ${timeWords(paidAt)} as batch ${batch}.`,
      `If it shall be paid again for a new period, ${newName(to)}.`,
    ),
  BATCH_PAID_IN_PART: ({ batch, lastPaidAt, unpaid }, to) =>
    lines(
      to,
      `Nothing was sent: rows of this sheet were paid as batch ${batch}, the last on ${timeWords(lastPaidAt)}, and not from this ledger; ${counted(unpaid, 'row')} ${named(unpaid).was} not.`,
      `If the sheet is for a new period, ${newName(to)}.`,
      `If it is that batch, and what is left shall be paid, ${to === 'page' ? tickAdd : 'run it again with --add'}.`,
    ),
  EXPIRED_ROW_PAID: ({ row, batch, payment, status }, to) =>
    `The payment ${payment} of row ${row} of batch ${batch} had expired, and the service now says '${status ?? 'nothing'}' of it. Nothing was sent: the row may be paid. Put the row back as it was${to === 'page' ? ', and hand the sheet in anew' : ', and run it again'}.`,
  MAP_LEFT_OUT: ({ batch, map, withMap, withoutMap }, to) =>
    lines(
      to,
      `Batch ${batch} was read with the map ${to === 'page' ? fileName(map) : map}, and this sheet came without one, so its columns could mean something else. Nothing was sent.`,
      ...(to === 'page'
        ? ['Match its columns here as that map does.']
        : [`If they are the same columns: ${withMap}`, `If the columns now say all that the map said: ${withoutMap}`]),
    ),
  CLAIMS_UNKNOWN: ({ claimed, known, ledger, service }, to) =>
    `This file is a result, and says of ${counted(claimed, 'row')} that something was sent for them; this ledger (${ledger}) and ${service} know that of ${known === 0 ? 'none' : known}. Nothing was sent. It was made with another ledger, address or key: use those${atTerminal(to, ' (payrun ledger rebind moves a batch to another key)')}. To pay the rows all the same, take the column payrun_status out of the file, or give ${to === 'page' ? 'the batch a new name, and say why it is paid again' : 'a new --batch name and --confirm-repeat REASON'}.`,
} satisfies Partial<RefusalWords>;

const newName = (to: Audience) => (to === 'page' ? 'give the batch a new name' : 'run it with --batch and a new name');
