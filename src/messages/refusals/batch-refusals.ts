/** The words of refusals of a sheet that differs from its batch. */
import { timeWords } from '../../base/clock.ts';
import type { RefusalFacts, Some, ValueChange } from '../../base/refusal.ts';
import { counted, moneyOf, quoted } from '../../base/words.ts';
import { givenUpWords } from '../leaving.ts';
import type { Worded } from '../passage.ts';

const lines = (...all: readonly string[]) => all.join('\n  ');

export function listed<T>({ shown, total }: Some<T>, words: (one: T) => string): string[] {
  const more = total - shown.length;
  return [...shown.map(words), ...(more > 0 ? [`and ${counted(more, 'row')} more`] : [])];
}

/** Describes the changes of a row, as in `amount was 1500, is 2500`; `see` masks a value by its column. */
export function changesWords(
  changes: readonly ValueChange[],
  see = (_column: string, text: string): string => text,
): string {
  return changes
    .map(({ column, was, now }) => {
      const shown = (value: ValueChange['was']) =>
        typeof value === 'string' ? quoted(see(column, value)) : (value ?? 'empty');
      const [from, to] = [shown(was), shown(now)];
      return `${column} was ${from}, is ${from === to ? 'another one that ends so too' : to}`;
    })
    .join('; ');
}

export const changedRows = ({ rows }: Pick<RefusalFacts['SENT_ROWS_CHANGED'], 'rows'>) =>
  listed(rows, ({ row, changes }) => `row ${row}: ${changesWords(changes)}`);

export const changedHead = ({ batch, hasSent, rows: { total } }: Omit<RefusalFacts['SENT_ROWS_CHANGED'], 'command'>) =>
  `Batch ${batch} ${hasSent ? 'was already sent from' : 'holds rows back'}, and ${total} of its rows ${total === 1 ? 'was' : 'were'} changed since. Nothing was sent.`;

export const unsentWords = ({ batch, unsent }: { readonly batch: string; readonly unsent: number }) =>
  `${counted(unsent, 'row')} of batch ${batch} ${unsent === 1 ? 'is' : 'are'} not sent yet, and ${unsent === 1 ? 'goes' : 'go'} on without it`;

export const invalidHead = ({ batch, hasSent, rows }: Omit<RefusalFacts['SENT_ROWS_INVALID'], 'command'>) =>
  `Batch ${batch} ${hasSent ? 'has already sent' : 'holds back'} ${counted(rows.total, 'row')} that this sheet now has with mistakes (row ${rows.shown.join(', ')}). Nothing was sent.`;

function changedOrOlder(
  facts: Worded<RefusalFacts['SENT_ROWS_CHANGED']> | Worded<RefusalFacts['SENT_ROWS_INVALID']>,
): string {
  const older =
    facts.unsent === 0 ? 'nothing is left to do with it' : `leave it; ${unsentWords(facts)}: ${facts.command}`;
  return `If this sheet is older than what was sent, ${older}. If its rows were changed since, put the old values back and run again`;
}

const otherMonth = 'If this is another month, or another sheet: give it a --batch name of its own (pays every row).';

const heldUntil = 'until somebody says that they repeat nothing';

export const addedWords = ({ added, held }: Pick<RefusalFacts['ROWS_ADDED'], 'added' | 'held'>) =>
  held === 0
    ? 'pays only those'
    : held === added
      ? `pays none of them: it holds them ${heldUntil}`
      : `holds ${held} of them ${heldUntil}, and pays the others`;

export const addedHead = ({ batch, sent, added, money, missing }: Omit<RefusalFacts['ROWS_ADDED'], 'command'>) =>
  `Batch ${batch} has already sent ${counted(sent, 'row')}, and this sheet brings ${counted(added, 'new row')} (${money.map(moneyOf).join(', ')})${missing > 0 ? ` and lacks ${missing}` : ''}. Nothing was sent.`;

type Changed =
  | 'SENT_ROWS_CHANGED'
  | 'SENT_ROWS_INVALID'
  | 'ROWS_ADDED'
  | 'ROWS_GIVEN_UP'
  | 'BATCH_PAID'
  | 'BATCH_PAID_IN_PART'
  | 'CORRECTED_ROW_PAID'
  | 'MAP_LEFT_OUT'
  | 'CLAIMS_UNKNOWN';

export const batchRefusals: { readonly [C in Changed]: (facts: Worded<RefusalFacts[C]>) => string } = {
  SENT_ROWS_CHANGED: (facts) =>
    lines(
      changedHead(facts),
      ...changedRows(facts),
      `${changedOrOlder(facts)}; to pay something more, add it as a new row with a row_id of its own and --add.`,
      otherMonth,
    ),
  SENT_ROWS_INVALID: (facts) => lines(invalidHead(facts), `${changedOrOlder(facts)}.`),
  ROWS_ADDED: (facts) =>
    lines(addedHead(facts), `If the new rows are meant: ${facts.command} (${addedWords(facts)}).`, otherMonth),
  ROWS_GIVEN_UP: ({ rows, command }) =>
    lines(
      `A person said of ${counted(rows.total, 'row')} of this sheet: not to be paid. Nothing was sent.`,
      ...listed(rows, ({ row, ...said }) => `row ${row} was ${givenUpWords(said)}`),
      'Take them out of the sheet, and run it again.',
      `If they are owed all the same, make a plan, which tells of them, and run that: ${command}`,
    ),
  BATCH_PAID: ({ batch, paidAt }) =>
    lines(
      `Nothing was sent: every row of this sheet was paid on ${timeWords(paidAt)} as batch ${batch}.`,
      'If it shall be paid again for a new period, run it with --batch and a new name.',
    ),
  BATCH_PAID_IN_PART: ({ batch, lastPaidAt, unpaid }) =>
    lines(
      `Nothing was sent: rows of this sheet were paid as batch ${batch}, the last on ${timeWords(lastPaidAt)}, and not from this ledger; ${counted(unpaid, 'row')} ${unpaid === 1 ? 'was' : 'were'} not.`,
      'If the sheet is for a new period, run it with --batch and a new name.',
      'If it is that batch, and what is left shall be paid, run it again with --add.',
    ),
  CORRECTED_ROW_PAID: ({ row, batch, payment, status }) =>
    `Row ${row} of batch ${batch} was corrected because its payment ${payment} had expired, but the service now says '${status ?? 'nothing'}' of it. Nothing was sent: it would be paid twice. Put the old values back and run again.`,
  MAP_LEFT_OUT: ({ batch, map, withMap, withoutMap }) =>
    lines(
      `Batch ${batch} was read with the map ${map}, and this sheet came without one, so its columns could mean something else. Nothing was sent.`,
      `If they are the same columns: ${withMap}`,
      `If the columns now say all that the map said: ${withoutMap}`,
    ),
  CLAIMS_UNKNOWN: ({ claimed, known, ledger, service }) =>
    `This file is a result, and says of ${counted(claimed, 'row')} that something was sent for them; this ledger (${ledger}) and ${service} know that of ${known === 0 ? 'none' : known}. Nothing was sent. It was made with another ledger, address or key: use those (payrun ledger rebind moves a batch to another key). To pay the rows all the same, take the column payrun_status out of the file, or give a new --batch name and --confirm-repeat REASON.`,
};
