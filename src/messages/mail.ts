/** The advice in each notification, which is sent by mail or to a chat. */

export type NoticeKind = 'alarm' | 'in doubt' | 'held' | 'waits' | 'refused' | 'stopped' | 'missed' | 'unpaid';

/** `batch` is the batch's name as a word of a command, with a space before it; empty if no batch is known. */
export const noticeWords: { readonly [K in NoticeKind]: (batch: string) => string } = {
  alarm: (batch) =>
    `Look at once: payrun status${batch}. Nothing more of the batch is sent. Ask the service to stop or return the payments that are wrong.`,
  'in doubt': (batch) =>
    `Rows in doubt may have been paid: do not pay them in another way. payrun status${batch} names the rows, and when a search can settle them. To search: payrun reconcile${batch}`,
  held: (batch) =>
    `payrun list${batch} shows the held rows. payrun explain says why a row is held, and who may release it.`,
  waits: () =>
    'Nothing was sent. Add what the sheet lacks: a signed plan (payrun approve), or its control totals in the hot folder.',
  refused: () => 'Nothing was sent. The output of the command, or the NACK in the hot folder, says why and what to do.',
  stopped: () =>
    'The output of the command says why. Remove the cause, then run the same command again: it pays nothing twice.',
  missed: (batch) =>
    `A scheduled time passed and rows are not sent: no worker was there, or the batch was paused. payrun status${batch} shows how it stands. To send the rows: payrun resume${batch}`,
  unpaid: (batch) =>
    `payrun report${batch} writes the result, which says why each row is unpaid. Remove the cause, then send the rows again: payrun retry${batch}`,
};
