/** The words of refusals of a person's decision about a row. */
import type { RowDecisionKind, RowOfBatch, RowRefusalCode } from '../../base/refusal.ts';
import { atTerminal } from '../audience.ts';
import { timeWords } from '../format/times.ts';
import type { RefusalWords } from '../passage.ts';
import { reasonWords } from '../reasons.ts';

const rules: { readonly [D in RowDecisionKind]: string } = {
  paid: 'only a row that is in doubt or held can be settled as paid',
  'not-paid': 'only a row that is in doubt or held can be settled as not paid',
  'release-absent': 'only a row that was proven absent can be released',
  'release-repeat': 'only a row that is held as a repeat can be released',
  known: 'only for a row with two payments can a person confirm both',
  drop: 'only a row without a payment can be closed',
  retry: 'only an unpaid row can be sent again',
};

const statusNow = (status: string | null) =>
  status === null ? 'the service now gives it no status' : `its status is now '${status}'`;

const unchanged = ({ batch, row }: RowOfBatch) => `Row ${row} of batch ${batch} was not changed`;

export const rowRefusals: Pick<RefusalWords, RowRefusalCode> = {
  ROW_IN_OTHER_STATE: ({ state, asked, ...of }) => `${unchanged(of)}: it is ${state}, and ${rules[asked]}.`,
  ROW_ACCOUNT_UNCHANGED: ({ state, command, ...of }, to) =>
    `${unchanged(of)}: ${state === 'held' ? 'it is held for another reason' : `it is ${state}`}${atTerminal(to, ` (${command})`)}, and only a row whose payee's account changed can be released.`,
  ROW_HELD_FOR_ACCOUNT: ({ command, ...of }, to) =>
    `${unchanged(of)}: it is held for the changed account of its payee alone, and was not sent; a second person releases it for payment${to === 'page' ? '.' : `: ${command}`}`,
  ROW_LOOKS_PAID: ({ batch, row, reason, command }, to) =>
    `Row ${row} of batch ${batch} stays held. ${reasonWords(reason)}${atTerminal(to, ` To pay it, if it repeats no payment: ${command}`)}`,
  PAYMENT_OF_OTHER_ROW: ({ payment, other, ...of }) =>
    `${unchanged(of)}: payment ${payment} is that of row ${other.row} of batch ${other.batch}.`,
  PAYMENT_NOT_AT_SERVICE: ({ payment, ...of }) => `${unchanged(of)}: the service has no payment ${payment}.`,
  PAYMENT_EXPIRED: ({ payment, ...of }) => `${unchanged(of)}: payment ${payment} has expired: it pays nothing.`,
  PAYMENT_DIFFERS: ({ payment, ...of }) =>
    `${unchanged(of)}: payment ${payment} does not pay the row's merchant, amount and reference.`,
  PAYMENT_ALIVE: ({ batch, row, number, payment, status }) =>
    `Row ${row} (number ${number}) of batch ${batch} may be paid: its payment ${payment} had expired, but ${statusNow(status)}. Nothing was changed or sent. Leave the row as it was, and continue the batch.`,
  PAYMENT_NOT_GONE: ({ payment, ...of }) => `${unchanged(of)}: the service still shows payment ${payment}.`,
  PAYMENT_FOUND: ({ payment, ...of }, to) =>
    `${unchanged(of)}: the service has payment ${payment} under its tag; if that pays the row, ${to === 'page' ? 'say that it was paid' : `use --paid ${payment}`}.`,
  PAYMENT_MAY_APPEAR: ({ after, ...of }) =>
    `${unchanged(of)}: it was sent recently, and its payment may still appear at the service; ask again after ${timeWords(after)}.`,
  ROW_MAY_BE_PAID: (of) => `${unchanged(of)}: Payrun sent it, and it may be paid; say how its payment ended.`,
  ROW_IS_CLOSED: ({ command, ...of }, to) =>
    `${unchanged(of)}: a person closed it${to === 'page' ? '.' : `; to see why, and how to open it again: ${command}`}`,
  ROW_IS_OPEN: (of) => `${unchanged(of)}: nobody closed it.`,
  ROW_NOT_LISTED: ({ command, ...of }, to) =>
    `${unchanged(of)}: the newest sheet lacks it; put the row back into the sheet, ${to === 'page' ? 'and upload it again.' : `then: ${command}`}`,
  ROW_HAS_MISTAKE: ({ command, ...of }, to) =>
    `${unchanged(of)}: its line in the newest sheet has a mistake; correct the line, ${to === 'page' ? 'and upload the sheet again.' : `then: ${command}`}`,
};
