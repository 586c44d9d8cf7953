/** The words in a result: what its columns mean, and why a row was not sent. */
import type { DepositFacts, Refusal } from '../../base/refusal.ts';
import type { RowWord } from '../../domain/rows/row-states.ts';
import type { Audience } from '../audience.ts';
import { timeWords } from '../format/times.ts';
import { depositWords, detailsWords, storedWords } from '../refusals.ts';

export const columnMeanings = {
  payrun_status: 'Status: paid, pending, not sent, unpaid, in doubt, held, paid twice, invalid, closed or left out.',
  payrun_reason: 'Why the row has its status. Some statuses need no reason.',
  payment_id: 'The id of the payment at the service.',
  payrun_payment_status: "The service's own status of the payment, word for word.",
  payrun_status_log: "The service's own text about the payment.",
  payrun_amount_settled: 'The settled amount, in the unit of the service. For bitcoin this is usually sat, not BTC.',
  payrun_fees: 'The fees (otcFees), in the unit of the service.',
  payrun_destination_currency:
    'The currency that the payee gets, as the service reports it. Do not use it as the unit of the amounts.',
  payrun_merchant_id: "The id of the payee's merchant at the service.",
  payrun_documents: "How many of the row's documents are attached, such as 1 of 2, and why the others are not.",
  payrun_deposit_details: 'The account and amount of the deposit, for a row that is funded from another country.',
  payrun_tag: 'The tag by which Payrun finds the payment. Give the tag to the service when you ask about the row.',
  payrun_batch: 'The name of the batch.',
  payrun_row: "The row's key in the batch: its row_id, or a text made from its values.",
  payrun_attempts: 'How many times Payrun began to send the payment.',
  payrun_submitted_at: 'When Payrun last began to send the payment, in UTC.',
  payrun_settled_at: 'When Payrun saw that the payment had ended, in UTC.',
  payrun_evidence: 'The list scans that ended a doubt, and other rows or payments that look like this row.',
};

/** The text that stands first among the reasons of a transaction in an answer to a bank file. */
export const transactionWords = {
  paid: null,
  pending: 'sent, and not paid out yet',
  'not sent': 'not sent yet',
  unpaid: 'not paid',
  'in doubt': 'sent, and not known whether it was paid: do not pay it again',
  held: 'held until a person decides: do not pay it again',
  'paid twice': 'paid twice: ask for one of the payments back',
  invalid: 'not paid: the transaction has to be fixed',
  closed: 'not paid: a person closed it',
} satisfies Readonly<Record<RowWord, string | null>>;

/** Why a row was not sent. The result finds most reasons itself, so no row of the ledger has them. */
export type UnsentReason =
  | { readonly why: 'sending' | 'not-in-head' | 'not-chosen' }
  /** The result was written when a run began. `at` in milliseconds. */
  | { readonly why: 'run-began'; readonly at: number }
  /** Why the batch is stopped, or waits until a time. */
  | { readonly why: 'stopped'; readonly refusal: Refusal };

export function unsentWords(reason: UnsentReason, to: Audience): string {
  switch (reason.why) {
    case 'sending':
      return 'It was being sent when this was written: not known whether it arrived.';
    case 'not-in-head':
      return 'Not in the newest sheet: nothing is sent for it.';
    case 'not-chosen':
      return 'Other rows were chosen: this is no row of the batch, and nothing is sent for it.';
    case 'run-began':
      return `Written when the run began, ${timeWords(reason.at)}. The row may have been paid since: do not pay it elsewhere.`;
    case 'stopped':
      return `The run stopped before it was sent: ${storedWords(reason.refusal, to)}`;
  }
}

export const depositWarning = (facts: Parameters<typeof depositWords>[0]) =>
  `Changed deposit details, ask the service before you deposit. ${depositWords(facts)}`;

export const resultTitles = {
  columns: 'The columns that Payrun added',
  trailNote:
    'What happened to rows that are not paid, none where all are; and where the whole trail ended, to check this file by.',
};

/** The sheet for deposits. A changed deposit is `known` if a person has confirmed it, with the person's reason. */
export const fundingWords = {
  title: 'Funding',
  header: [
    'Status',
    'From',
    'Deposit to (copy exactly)',
    'Amount to deposit',
    'In',
    'Reference (copy exactly)',
    'Pays',
    'Currency',
    'Unit',
    'Row',
    'Payment',
    'Changed since it was first read',
  ],
  changed: ({ now, known }: Pick<DepositFacts, 'now'> & { readonly known: string | null }) =>
    `${known === null ? 'ALARM, ask the service' : `Known (${known})`}; now: ${detailsWords(now)}`,
};
