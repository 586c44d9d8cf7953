/** The words of reasons why a person's decision about a row is refused. */
import type { FaultFacts, RowDecisionKind } from '../../base/faults/fault.ts';
import { atTerminal } from '../audience.ts';
import { timeWords } from '../format/times.ts';
import type { FaultWords } from '../passage.ts';

const rules: { readonly [D in RowDecisionKind]: string } = {
  paid: 'only a row that is in doubt or held can be settled as paid',
  'not-paid': 'only a row that is in doubt or held can be settled as not paid',
  'release-absent': 'only a row that was proven absent can be released',
  'release-repeat': 'only a row that is held as a repeat can be released',
  known: 'only for a row with two payments can a person confirm both',
  drop: 'only a row without a payment can be closed',
  retry: 'only an unpaid row can be sent again',
};

export const rowFaults = {
  'row-is-in-other-state': ({ state, asked }) => `it is ${state}, and ${rules[asked]}`,
  'account-is-as-before': ({ state, command }, to) =>
    `${state === 'held' ? 'it is held for another reason' : `it is ${state}`}${atTerminal(to, ` (${command})`)}, and only a row whose payee's account changed can be released`,
  'account-alone-holds-it': ({ command }, to) =>
    `it is held for the changed account of its payee alone, and was not sent; a second person releases it for payment${atTerminal(to, `: ${command}`)}`,
  'row-looks-paid': ({ command }, to) =>
    `Payrun holds it because it looks like an earlier payment${atTerminal(to, `; to pay it: ${command}`)}`,
  'payment-is-of-other-row': ({ payment, row, batch }) => `payment ${payment} is that of row ${row} of batch ${batch}`,
  'payment-is-unknown': ({ payment }) => `the service has no payment ${payment}`,
  'payment-is-expired': ({ payment }) => `payment ${payment} has expired: it pays nothing`,
  'payment-pays-otherwise': ({ payment }) => `payment ${payment} does not pay the row's merchant, amount and reference`,
  'payment-is-alive': ({ payment, status }) =>
    `its payment ${payment} had expired, but ${status === null ? 'the service now gives it no status' : `its status is now '${status}'`}`,
  'payment-is-known': ({ payment }) => `the service still shows payment ${payment}`,
  'payment-is-there': ({ payment }, to) =>
    `the service has payment ${payment} under its tag; if that pays the row, ${to === 'page' ? 'say that it was paid' : `use --paid ${payment}`}`,
  'payment-was-accepted': ({ payment }, to) =>
    `it has payment ${payment}; if that was never paid out, ${to === 'page' ? 'say that it was not paid' : 'use --not-paid'}`,
  'payment-may-still-appear': ({ after }) =>
    `it was sent recently, and its payment may still appear at the service; ask again after ${timeWords(after)}`,
  'row-may-be-paid': 'Payrun sent it, and it may be paid; say how its payment ended',
  'row-is-closed': ({ command }, to) =>
    `a person closed it${atTerminal(to, `; to see why, and how to open it again: ${command}`)}`,
  'row-is-open': 'nobody closed it',
  'row-is-not-listed': 'the newest sheet lacks it; plan a sheet that has it',
} satisfies Partial<FaultWords<FaultFacts>>;
