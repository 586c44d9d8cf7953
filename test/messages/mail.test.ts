/** The advice in each notification, typed by hand. */
import { expect, it } from 'vitest';
import { type CommandResult, noticeOf } from '../../src/cli/observe/notify.ts';
import type { NoticeKind } from '../../src/messages/mail.ts';
import { expectPlaced, place } from './placed.ts';

const said: { readonly [K in NoticeKind]: string } = {
  alarm:
    'Look at once: payrun status nov --ledger a.db --sandbox. Nothing more of the batch is sent. Ask the service to stop or return the payments that are wrong.',
  'in doubt':
    'Rows in doubt may have been paid: do not pay them in another way. payrun status nov --ledger a.db --sandbox names the rows, and when a search can settle them. To search: payrun reconcile nov --as-user u1 --ledger a.db --sandbox',
  held: 'payrun list nov --ledger a.db --sandbox shows the held rows and the reasons. To see what to do: payrun status nov --ledger a.db --sandbox',
  waits: 'Nothing was sent. Add what the sheet lacks: a signed plan, or its control totals in the hot folder.',
  refused: 'Nothing was sent. The output of the command, or the NACK in the hot folder, says why and what to do.',
  stopped:
    'The output of the command says why. Remove the cause, then run the same command again: it pays nothing twice.',
  missed:
    'A scheduled time passed and rows are not sent: no worker was there, or the batch was stopped. payrun status nov --ledger a.db --sandbox shows how it stands. To send the rows: payrun resume nov --as-user u1 --ledger a.db --sandbox',
  unpaid:
    'payrun report nov --ledger a.db --sandbox writes the result, which says why each row is unpaid. Remove the cause, then send the rows again: payrun retry nov --as-user u1 --ledger a.db --sandbox',
};

const doubtful = { batch: null, service: 'sandbox', rows: { in_doubt: 1 } as never };

/** An end of a command that is notified so. */
const ends: { readonly [K in NoticeKind]: Partial<CommandResult> } = {
  alarm: { end: 'alarm' },
  'in doubt': { end: 'doubt', outcome: doubtful },
  held: { end: 'doubt' },
  waits: { waits: true },
  refused: { end: 'sheet' },
  stopped: { end: 'machine' },
  missed: { missed: true },
  unpaid: { end: 'unpaid' },
};

it.each(Object.entries(said) as [NoticeKind, string][])('%s', (what, words) => {
  const ended = { end: 'done', code: null, outcome: null, batch: 'nov', sheet: null } as const;
  expect(noticeOf({ ...ended, ...ends[what] }, place)).toMatchObject({ what, what_to_do: words });
  expect(noticeOf({ ...ended, ...ends[what], batch: null }, place)?.what_to_do).toBe(words.replaceAll(' nov', ''));
  expectPlaced(() => noticeOf({ ...ended, ...ends[what] }, place)?.what_to_do ?? '', 'payrun');
});
