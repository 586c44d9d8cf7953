/** The advice in each notification, typed by hand. */
import { expect, it } from 'vitest';
import { type NoticeKind, noticeWords } from '../../src/messages/mail.ts';

const said: { readonly [K in NoticeKind]: string } = {
  alarm:
    'Look at once: payrun status nov. Nothing more of the batch is sent. Ask the service to stop or return the payments that are wrong.',
  'in doubt':
    'Rows in doubt may have been paid: do not pay them in another way. payrun status nov names the rows, and when a search can settle them. To search: payrun reconcile nov',
  held: 'payrun list nov shows the held rows. payrun explain says why a row is held, and who may release it.',
  waits:
    'Nothing was sent. Add what the sheet lacks: a signed plan (payrun approve), or its control totals in the hot folder.',
  refused: 'Nothing was sent. The output of the command, or the NACK in the hot folder, says why and what to do.',
  stopped:
    'The output of the command says why. Remove the cause, then run the same command again: it pays nothing twice.',
  missed:
    'A scheduled time passed and rows are not sent: no worker was there, or the batch was paused. payrun status nov shows how it stands. To send the rows: payrun resume nov',
  unpaid:
    'payrun report nov writes the result, which says why each row is unpaid. Remove the cause, then send the rows again: payrun retry nov',
};

it.each(Object.entries(said) as [NoticeKind, string][])('%s', (what, words) => {
  expect(noticeWords[what](' nov')).toBe(words);
  expect(noticeWords[what](''), 'without a batch').toBe(words.replaceAll(' nov', ''));
});
