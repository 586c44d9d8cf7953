/** The advice in each notification, which is sent by mail or to a chat. */
import type { Place } from './next-actions.ts';

export type NoticeKind = 'alarm' | 'in doubt' | 'held' | 'waits' | 'refused' | 'stopped' | 'missed' | 'unpaid';

/** `of` is the batch's name as a word of a command, with a space before it; empty if no batch is known. */
export const noticeWords: { readonly [K in NoticeKind]: (of: string, place: Place) => string } = {
  alarm: (of, { ledger }) =>
    `Look at once: payrun status${of}${ledger}. Nothing more of the batch is sent. Ask the service to stop or return the payments that are wrong.`,
  'in doubt': (of, { user, ledger }) =>
    `Rows in doubt may have been paid: do not pay them in another way. payrun status${of}${ledger} names the rows, and when a search can settle them. To search: payrun reconcile${of}${user}${ledger}`,
  held: (of, { ledger }) =>
    `payrun list${of}${ledger} shows the held rows and the reasons. To see what to do: payrun status${of}${ledger}`,
  waits: () => 'Nothing was sent. Add what the sheet lacks: a signed plan, or its control totals in the hot folder.',
  refused: () => 'Nothing was sent. The output of the command, or the NACK in the hot folder, says why and what to do.',
  stopped: () =>
    'The output of the command says why. Remove the cause, then run the same command again: it pays nothing twice.',
  missed: (of, { user, ledger }) =>
    `A scheduled time passed and rows are not sent: no worker was there, or the batch was stopped. payrun status${of}${ledger} shows how it stands. To send the rows: payrun resume${of}${user}${ledger}`,
  unpaid: (of, { user, ledger }) =>
    `payrun report${of}${ledger} writes the result, which says why each row is unpaid. Remove the cause, then send the rows again: payrun retry${of}${user}${ledger}`,
};
