/** The words of the page that shows a plan. */
import type { ShownMoney } from '../../base/words.ts';
import { counted, grouped, moneyOf } from '../format/numbers.ts';

export const planPageWords = {
  corrected: 'Corrected cells: not as the file has them',
  warnings: 'To look at',
  created: 'New payees, to be created',
  renamed: 'Payees to be renamed',
  unclear: 'Payees that Payrun cannot distinguish from others: not paid',
  payeeHeader: ['First row', 'Name', 'Name at the service', 'Account', 'Rows'],
  noNewPayee: 'No payee is new to the service.',
  rowHeader: ['Row', 'Name', 'Account', 'Amount', 'Funded from', 'Reference', 'Documents', 'Standing'],
  totalsHeader: ['Currency', 'Funded from', 'Rows', 'Amount', 'To be sent: rows', 'Amount'],
  documents: { require: 'required', warn: 'asked for', off: 'not asked for' },
  prompts: 'Phones asked for money',
  rails: 'Above what a rail takes',
  railRule: { hold: 'not sent before it takes it', warn: 'reported, and sent', off: 'sent' },
  breaker: 'Sending stops after',
  held: ({ rows, sums }: { readonly rows: number; readonly sums: readonly ShownMoney[] }) =>
    `${counted(rows, 'row')} held (${sums.map(moneyOf).join(', ')}): not sent by this plan. A row that somebody releases after this payment needs no other approval. If somebody releases a row before it, make a new plan.`,
  more: (count: number) => `and ${grouped(count)} more, in the plan’s own file`,
} as const;
