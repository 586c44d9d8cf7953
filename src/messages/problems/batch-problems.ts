/** The words of the problems between a sheet and its batch. */
import { quoted, shellWord } from '../../base/words.ts';
import type { BatchProblems } from '../../domain/problems/batch-problems.ts';
import type { SheetColumn } from '../../domain/problems/sheet-problems.ts';
import { type Audience, atTerminal, type ProblemTable } from '../audience.ts';
import { fieldName } from '../field-words.ts';
import { counted, grouped, moneyOf, percentWords, sumWords } from '../format/numbers.ts';
import { johannesburgWords } from '../format/zoned-times.ts';
import { calculateAgain } from './advice.ts';
import { documentProblems } from './document-problems.ts';
import { payeeControlProblems } from './payee-control-problems.ts';
import { alikeRowWords, repeatProblems } from './repeat-problems.ts';

const columnWords = ({ column, header }: SheetColumn) => `column ${column} ${quoted(header)}`;

function repeated({ row, fix }: BatchProblems['ROW_REPEATED'], audience: Audience): string {
  const ways = {
    'end-to-end-ids': ['give each an EndToEndId of its own', 'take one out'],
    'other-ids': [`write a ${fieldName('row_id', audience)} here that no other row has`, 'delete one'],
    'id-column': [`add a ${fieldName('row_id', audience)} column that tells them apart`, 'delete one'],
  } as const;
  const [own, out] = ways[fix];
  const otherwise = audience === 'page' ? 'plan the good rows alone, which leaves this one out' : out;
  return `${alikeRowWords(row, audience)}; if both are intended, ${own}, else ${otherwise}`;
}

function railLimit({ amount, currency, least, most, fits, isHeld }: BatchProblems['RAIL_LIMIT']): string {
  const when =
    fits === null
      ? 'at any hour'
      : `now; ${isHeld ? 'Payrun sends' : 'the rail accepts'} it from ${johannesburgWords(fits)} on`;
  return `${sumWords(currency, amount)} is outside the ${grouped(least)} to ${sumWords(currency, most)} that the rail accepts in one payment ${when}; keep the payment in one row`;
}

function executionDate(facts: BatchProblems['EXECUTION_DATE']): string {
  if ('column' in facts) {
    const says = facts.says === null ? 'holds a formula without a current result' : `says ${quoted(facts.says)}`;
    return `${columnWords(facts)} ${says}, which is not read as a day; write it like 2026-12-24, or leave the row out`;
  }
  const { day, isPast, of, rows, mostDaysAway } = facts;
  const whose = rows === null ? 'this row' : counted(rows, of === null ? 'transaction' : 'row');
  const pays =
    mostDaysAway === null
      ? 'when it is run'
      : `today, more than ${mostDaysAway} days away from it; correct the day, or leave the row out`;
  const says = of === null ? 'the file asks for' : `${columnWords(of)} says`;
  return `${says} ${day}, which ${isPast ? 'is past' : 'is still to come'}, for ${whose}; Payrun pays ${pays}`;
}

const unmerge = 'its cells are merged, and only the first row of each has the value: unmerge them, and fill each cell';

/** Quotes the value for the shell if plain quotes do not protect it. */
const inQuotes = (text: string) => (/["$`\\!]/.test(text) ? shellWord(text) : `"${text}"`);

function choiceUnread(facts: BatchProblems['CHOICE_UNREAD'], audience: Audience): string {
  const { header, values, others, unknown, isMerged, choices } = facts;
  const said = [
    ...values.map(
      ({ text, rows }) => `${text === '' ? 'nothing' : `'${text.slice(0, 40)}'`} in ${counted(rows, 'row')}`,
    ),
    ...(others === 0 ? [] : [`other values in ${counted(others, 'row')}`]),
    ...(unknown === 0 ? [] : [`a formula without a current result, or an error, in ${counted(unknown, 'row')}`]),
  ];
  const ignoring = `--ignore-column ${shellWord(header)} pays all`;
  const terminal = audience === 'terminal';
  const mend = unknown > 0 ? calculateAgain(audience) : isMerged ? unmerge : null;
  const next =
    header === '' || (mend === null && choices.length === 0)
      ? 'give the column a name of its own, and say which rows to pay'
      : mend !== null
        ? `${mend}${terminal ? `; or ${ignoring} rows` : ''}`
        : terminal
          ? `say which rows to pay: ${choices.map((one) => `--only ${inQuotes(one)}`).join(' or ')} pays those rows, ${ignoring}`
          : 'say here which rows to pay';
  return `${columnWords(facts)} is not read, and has ${said.join(', ')}, so nothing is paid; ${next}`;
}

function marked(facts: BatchProblems['ROW_MARKED'], audience: Audience): string {
  const place = 'field' in facts ? fieldName(facts.field, audience) : columnWords(facts);
  const otherwise =
    audience === 'page' || 'field' in facts || facts.header === ''
      ? ''
      : `; if the column means something else: --ignore-column ${shellWord(facts.header)}`;
  return `${place} says '${facts.says}', as people mark a row that must not be paid; delete the row, or correct the cell${otherwise}`;
}

function varies({ name, batch, currency, unit, was, now }: BatchProblems['VARIES']): string {
  const money = (amount: string) => moneyOf({ amount, currency, unit });
  if (now === null) return `${name} got ${money(was ?? '0')} in batch ${batch}, and is not in this sheet`;
  if (was === null) return `${name} gets ${money(now)}, and was not in batch ${batch}`;
  return `${name} gets ${money(now)}; in batch ${batch} it was ${money(was)} (${percentWords(BigInt(was), BigInt(now))})`;
}

export const batchProblems: ProblemTable<BatchProblems> = {
  SHEET_WITHOUT_ROWS: () => 'the sheet has no rows to pay',
  ROW_REPEATED: repeated,
  ROW_ALIKE: ({ row, reference, here }, audience) =>
    `${alikeRowWords(row, audience, reference === here ? null : [reference, here])}: check that both are intended`,
  ROW_ID_REPEATED: ({ row, id }, to) =>
    `row ${row} has the same ${fieldName(id, to)}; each ${id === 'EndToEndId' ? 'transaction' : 'row'} needs its own`,
  ...documentProblems,
  RAIL_LIMIT: railLimit,
  SUM_TOO_LARGE: ({ currency }) => `the ${currency} amounts exceed what Payrun can count exactly; split the batch`,
  CURRENCY_UNREAD: (facts, audience) =>
    `${columnWords(facts)} is not read, but names currencies: row ${facts.row} says ${facts.says}, and would be paid in ${facts.currency}; if the amounts are in these currencies, name the column 'currency', or say so ${audience === 'page' ? 'where columns are matched' : 'with --map'}, and correct those rows; if it means something else, delete it, or give it null in a map`,
  UNIT_UNREAD: (facts, audience) =>
    `${columnWords(facts)} is not read, and seems to say what the amounts count: row ${facts.row} says ${facts.says}; write whole units into the column amount, or ${audience === 'page' ? 'match the columns here and say what it counts' : 'say with --map what it counts ("values": {"amount_unit": "cents"})'}; then delete the column, or give it null in a map`,
  EXECUTION_DATE: executionDate,
  CHOICE_UNREAD: choiceUnread,
  ROW_MARKED: marked,
  TOTAL_DIFFERS: ({ row, says, sum }) =>
    `the totals row (row ${row}) ${says === null ? 'is calculated and the file holds no current result' : `says ${says}`}, but the rows add up to ${moneyOf(sum)}; correct the rows or the total, or delete the totals row`,
  COLLECTION_PROMPTS: ({ prompts, most }, audience) =>
    `${grouped(prompts)} rows would each ask a phone for money, and at most ${grouped(most)} may; use BANK_TRANSFER in ${fieldName('collection_method', audience)}${atTerminal(audience, `, or --allow-momo-push ${prompts} if that is intended`)}`,
  COLLECTION_NEEDS_USER: ({ prompts }, to) =>
    `${counted(prompts, 'row asks', 'rows ask')} a phone in Kenya for money, which needs a user whose profile has a default account: set PAYRUN_USER_ID, or write BANK_TRANSFER in ${fieldName('collection_method', to)}`,
  ...repeatProblems,
  APPROVAL_SPLIT: ({ currency, unit, day, above, approvals }) =>
    `together with the other payments of today, ${moneyOf({ amount: day, unit, currency })} would go out, and one batch of more than ${moneyOf({ amount: above, unit, currency })} needs ${counted(approvals, 'approval')}; check that no payment was split`,
  VARIES: varies,
  ...payeeControlProblems,
};
