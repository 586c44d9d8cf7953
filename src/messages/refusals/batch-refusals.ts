/** The words of refusals of a sheet that differs from its batch. */
import { timeWords } from '../../base/clock.ts';
import type { RefusalFacts, ValueChange } from '../../base/refusal.ts';
import { counted, moneyOf, named, quoted } from '../../base/words.ts';
import { type Audience, atTerminal, fileName, lines, listed } from '../audience.ts';
import { fieldName } from '../field-words.ts';
import { givenUpWords } from '../leaving.ts';
import type { PlanAdvice, RefusalWords, Worded } from '../passage.ts';
import { ownName, putBack, tickAdd } from '../web/page-refusals.ts';

/** Describes the changes of a row, as in `amount was 1500, is 2500`; `see` masks a value by its column. */
export function changesWords(
  changes: readonly ValueChange[],
  see = (_column: string, text: string): string => text,
  to: Audience = 'terminal',
): string {
  return changes
    .map(({ column, was, now }) => {
      const shown = (value: ValueChange['was']) =>
        typeof value === 'string' ? quoted(see(column, value)) : (value ?? 'empty');
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

/** Returns the next step on a page. A row that was sent can no longer be corrected; a row that is only held can. */
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

function addedWords({ added, held }: Pick<RefusalFacts['ROWS_ADDED'], 'added' | 'held'>, to: Audience): string {
  if (held === 0) return to === 'page' ? 'only those are paid' : 'pays only those';
  const how =
    held === added
      ? `pays none of them: it holds them ${heldUntil}`
      : `holds ${held} of them ${heldUntil}, and pays the others`;
  return to === 'page' ? `it ${how}` : how;
}

export const batchRefusals = {
  SENT_ROWS_CHANGED: (facts, to, { advice }) =>
    lines(
      to,
      `Batch ${facts.batch} ${facts.hasSent ? 'was already sent from' : 'holds rows back'}, and ${facts.rows.total} of its rows ${named(facts.rows.total).was} changed since. Nothing was sent.`,
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
    const { batch, sent, added, money, missing } = facts;
    return lines(
      to,
      `Batch ${batch} has already sent ${counted(sent, 'row')}, and this sheet brings ${counted(added, 'new row')} (${money.map(moneyOf).join(', ')})${missing > 0 ? ` and lacks ${missing}` : ''}. Nothing was sent.`,
      to === 'page'
        ? `If the new rows are meant: ${tickAdd} to the batch; ${addedWords(facts, to)}.`
        : `If the new rows are meant: ${facts.command} (${addedWords(facts, to)}).`,
      otherMonth(to),
    );
  },
  ROWS_GIVEN_UP: ({ rows, command }, to) =>
    lines(
      to,
      `A person said of ${counted(rows.total, 'row')} of this sheet: not to be paid. Nothing was sent.`,
      listed(rows, ({ row, ...said }) => `row ${row} was ${givenUpWords(said)}`),
      ...(to === 'page'
        ? [
            'Take them out of the sheet, and hand it in anew; or, if they are owed all the same, make a new plan, which tells of them.',
          ]
        : [
            'Take them out of the sheet, and run it again.',
            `If they are owed all the same, make a plan, which tells of them, and run that: ${command}`,
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
  CORRECTED_ROW_PAID: ({ row, batch, payment, status }, to) =>
    `Row ${row} of batch ${batch} was corrected because its payment ${payment} had expired, but the service now says '${status ?? 'nothing'}' of it. Nothing was sent: it would be paid twice. Put the old values back${to === 'page' ? ', and hand the sheet in anew' : ' and run again'}.`,
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
