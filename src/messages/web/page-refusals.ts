/** The words of core refusals that name a command at the terminal, and on the page what a person does there. */

import { timeWords } from '../../base/clock.ts';
import type { ErrorCode, RefusalFacts } from '../../base/refusal.ts';
import { counted, grouped } from '../../base/words.ts';
import { faultWords } from '../faults/fault-words.ts';
import { fieldName } from '../field-words.ts';
import { givenUpWords, likeRow } from '../leaving.ts';
import {
  addedHead,
  addedWords,
  changedHead,
  changedRows,
  invalidHead,
  listed,
  unsentWords,
} from '../refusals/batch-refusals.ts';
import { stillSignWords } from '../refusals/plan-refusals.ts';
import { depositWords } from '../refusals.ts';

/** More ways for the person who planned a sheet. */
export interface PlanAdvice {
  /** The batch's name comes from the file, and is no decision of a person. */
  readonly isSuggested?: boolean;
  /** No other batch has this name, so that a reason is enough. */
  readonly isFree?: boolean;
}

export type Refusals = {
  readonly [C in ErrorCode]?: (facts: RefusalFacts[C], advice?: PlanAdvice) => string;
};

/** One paragraph a line; the lines of a list are indented. */
const lines = (...all: readonly (string | readonly string[])[]) =>
  all
    .flatMap((one) => (typeof one === 'string' ? [one] : one.map((item) => `  ${item}.`)))
    .filter((line) => line !== '')
    .join('\n');

const fileName = (path: string) => path.split('/').at(-1) ?? path;

const putBack = 'put the old values back, and hand the sheet in anew';
const tickAdd = 'tick that the sheet adds new rows';
const ownName = (which = '') =>
  `give the batch a name of its own${which}; each row is a payment of its own then, and of those that look paid a reason is asked for.`;
const otherMonth = `If this is another month, or another sheet: ${ownName()}`;

const older = (facts: { readonly batch: string; readonly unsent: number }) =>
  facts.unsent === 0 ? 'nothing is left to do with it' : `leave it; ${unsentWords(facts)}`;

/** Rows that were sent are corrected too late; rows that are only held back are not. */
function changedWords(facts: RefusalFacts['SENT_ROWS_CHANGED'], advice: PlanAdvice = {}): string {
  const more = `to pay something more, add it as a new row with a row id of its own, and ${tickAdd}.`;
  const rows = {
    ...facts.rows,
    shown: facts.rows.shown.map(({ row, changes }) => ({
      row,
      changes: changes.map((one) => ({ ...one, column: fieldName(one.column, 'page') })),
    })),
  };
  const which =
    facts.hasSent && advice.isSuggested === true ? ', another than its file gives it with or without a number' : '';
  return lines(
    changedHead(facts),
    changedRows({ rows }),
    facts.hasSent
      ? `If this sheet is older than what was sent, or these are corrections that came too late, discard it: the rows are not sent once more.${facts.unsent === 0 ? '' : ` ${unsentWords(facts)}.`} To send what else it has: ${putBack}; ${more}`
      : `If this sheet is older than what was sent, ${older(facts)}. If its rows were changed since, ${putBack}; ${more}`,
    `If this is another month, or another sheet: ${ownName(which)}`,
  );
}

function againWords(lead: string, needsName: boolean, advice: PlanAdvice = {}): string {
  const how = needsName && advice.isFree !== true ? 'give the batch a name of its own, and say why' : 'say why';
  return `${lead}: ${how}; rows that look paid are paid again then.`;
}

export const pageRefusals = {
  FOLDER_UNWRITABLE: ({ path, why }) => `Cannot write to ${path}: ${faultWords(why)}.`,
  BATCH_UNKNOWN: ({ batch }) => `The ledger has no batch ${batch}.`,
  SENT_ROWS_CHANGED: changedWords,
  SENT_ROWS_INVALID: (facts) =>
    lines(
      invalidHead(facts),
      `If this sheet is older than what was sent, ${older(facts)}. If its rows were changed since, ${putBack}.`,
    ),
  ROWS_ADDED: (facts) =>
    lines(
      addedHead(facts),
      `If the new rows are meant: ${tickAdd} to the batch; ${facts.held === 0 ? 'only those are paid' : `it ${addedWords(facts)}`}.`,
      otherMonth,
    ),
  ROWS_GIVEN_UP: ({ rows }) =>
    lines(
      `A person said of ${counted(rows.total, 'row')} of this sheet: not to be paid. Nothing was sent.`,
      listed(rows, ({ row, ...said }) => `row ${row} was ${givenUpWords(said)}`),
      'Take them out of the sheet, and hand it in anew; or, if they are owed all the same, make a new plan, which tells of them.',
    ),
  BATCH_PAID: ({ batch, paidAt }) =>
    `Nothing was sent: every row of this sheet was paid on ${timeWords(paidAt)} as batch ${batch}. If it shall be paid again for a new period, give the batch a new name.`,
  BATCH_PAID_IN_PART: ({ batch, lastPaidAt, unpaid }) =>
    `Nothing was sent: rows of this sheet were paid as batch ${batch}, the last on ${timeWords(lastPaidAt)}, and not from this ledger; ${counted(unpaid, 'row')} ${unpaid === 1 ? 'was' : 'were'} not. If the sheet is for a new period, give the batch a new name. If it is that batch, and what is left shall be paid, ${tickAdd}.`,
  CORRECTED_ROW_PAID: ({ row, batch, payment, status }) =>
    `Row ${row} of batch ${batch} was corrected because its payment ${payment} had expired, but the service now says '${status ?? 'nothing'}' of it. Nothing was sent: it would be paid twice. Put the old values back, and hand the sheet in anew.`,
  MAP_LEFT_OUT: ({ batch, map }) =>
    `Batch ${batch} was read with the map ${fileName(map)}, and this sheet came without one, so its columns could mean something else. Nothing was sent. Match its columns here as that map does.`,
  CLAIMS_UNKNOWN: ({ claimed, known, ledger, service }) =>
    `This file is a result, and says of ${counted(claimed, 'row')} that something was sent for them; this ledger (${ledger}) and ${service} know that of ${known === 0 ? 'none' : known}. Nothing was sent. It was made with another ledger, address or key: use those. To pay the rows all the same, take the column payrun_status out of the file, or give the batch a new name, and say why it is paid again.`,
  SHEET_LOOKS_PAID: ({ batch, held, of, rows }, advice) =>
    lines(
      `Nothing was sent: batch ${batch} paid this sheet. ${grouped(held)} of its ${counted(of, 'row')} look like earlier payments:`,
      listed(rows, likeRow),
      `To add its other rows to batch ${batch}: give the batch that name, and ${tickAdd}.`,
      againWords('To pay the rows again', true, advice),
    ),
  REPEATS_A_DOUBT: ({ row, other, batch }) =>
    `Row ${row} is like row ${other} of batch ${batch}, which is in doubt: it may have been paid. Nothing was sent, and no reason to pay again counts until that is settled.`,
  UNNAMED_CORRECTION_WAITS: ({ row, file, by, batch, how }) =>
    `Nothing of this sheet is sent. Row ${row} goes to another account in the sheet ${file}, handed in at the console by ${by} for batch ${batch}, and its plan ${how}. If this is the same sheet, have that one paid. If these are other payments, give the batch a name of its own.`,
  APPROVED_ROWS_DIFFER: ({ how }) =>
    `Nothing of this sheet is sent: ${how}. What was approved is changed only by what is approved: if its rows shall be paid as they are in it, hand it in here, and have its plan approved; else leave it.`,

  PLAN_NOT_FOUND: ({ plan }) =>
    `There is no plan ${plan}: it was never made here, or was changed since. Nothing was sent. Make a new one.`,
  PLAN_EXPIRED: ({ expiredAt }) =>
    `The plan was good until ${timeWords(expiredAt)}: it is not signed any more. Make a new one.`,
  PLAN_DECLINED: ({ plan, by, at, reason }) =>
    `Plan ${plan} was declined by ${by}, ${timeWords(at)}: ${reason}. Nothing was sent. Make a new plan, and have it approved.`,
  BATCH_LEAVES_PLAN: ({ batch, plan, difference }) =>
    `Batch ${batch} runs under plan ${plan}, and would not be paid as that says: ${difference}. Nothing was sent. Go on as the plan says, or make a new plan of the sheet.`,
  RETRY_UNPLANNED: ({ batch }) =>
    `Batch ${batch} runs under a plan, and to send its unpaid rows again makes new payments, of which that plan says nothing. Nothing was sent. Make a plan of how it stands now.`,
  APPROVALS_TOO_FEW: ({ plan, signed, needed, because, notCounted, mayStillSign }) =>
    lines(
      `Plan ${plan} has ${signed.length} of ${counted(needed, 'approval')}${signed.length === 0 ? '' : ` (${signed.join(', ')})`}: ${faultWords(because)}.`,
      notCounted.map((one) => `${fileName(one.file)} does not count: ${faultWords(one.why)}`),
      stillSignWords(mayStillSign),
      'Nothing was sent.',
    ),
  SIGNED_PLAN_MISSING: () =>
    'The policy asks for approvals, and no signed plan that is still good lies beside the sheet. Nothing was sent.',
  BATCH_UNAPPROVED: ({ batch, sheet }) =>
    `The policy asks for approvals, and batch ${batch} ${sheet === null ? 'runs under a plan whose approvals were not asked for' : `has ${fileName(sheet)} as its newest sheet, which came without a plan`}. Nothing was sent. Make a plan of its sheet, and have it approved.`,

  DEPOSIT_CHANGED: ({ changes: { shown, total } }) =>
    `The service changed the deposit details of ${counted(total, 'payment')}. ${shown.map(depositWords).join(' ')}${total > shown.length ? ' …' : ''} Deposit nothing there, and do not take the newer ones: ask the service, by a way that you knew before. Nothing more is sent until somebody has, and says so.`,
  CANARY_UNPAID: ({ row, reason }) =>
    `Row ${row}, which went ahead of the others, is not paid: ${reason} Nothing more is sent. Find out why; then send it again, or make a new plan.`,
  PAUSED: ({ batch, reason }) =>
    `Batch ${batch} is paused (${reason}): nothing more of it is sent, and what was under way has ended.`,
  STOPPED_BEFORE: ({ batch }) =>
    `A person stopped batch ${batch}: what is left of it is not sent before somebody goes on with it.`,
} satisfies Refusals;
