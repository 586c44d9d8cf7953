/** The words on the page of refusals that name a command at the terminal: typed by hand. */
import { expect, it } from 'vitest';
import { refusalExamples } from '../../scripts/refusal-examples.ts';
import type { ErrorCode, Refusal } from '../../src/base/refusal.ts';
import { type PageMessage, pageWords } from '../../src/messages/web/messages.ts';

const said: { readonly [C in ErrorCode]?: string } = {
  FOLDER_UNWRITABLE: `Cannot write to out: you may not write there.`,
  BATCH_UNKNOWN: `The ledger has no batch nov.`,
  SENT_ROWS_CHANGED: `Batch nov was already sent from, and 1 of its rows was changed since. Nothing was sent.
  row 7: amount was 1,500, is 2,500.
If this sheet is older than what was sent, or these are corrections that came too late, discard it: the rows are not sent once more. 1 row of batch nov is not sent yet, and goes on without it. To send what else it has: put the old values back, and hand the sheet in anew; to pay something more, add it as a new row with a row id of its own, and tick that the sheet adds new rows.
If this is another month, or another sheet: give the batch a name of its own.`,
  SENT_ROWS_INVALID: `Batch nov has already sent 2 rows that this sheet now has with mistakes (row 7, 9). Nothing was sent.
If this sheet is older than what was sent, nothing is left to do with it. If its rows were changed since, put the old values back, and hand the sheet in anew.`,
  ROWS_ADDED: `Batch nov has already sent 40 rows, and this sheet brings 2 new rows (3,000 ZAR) and lacks 1. Nothing was sent.
If this is the whole list now: tick that the sheet adds new rows, and tick that rows which it lacks are not paid (it holds 1 of the new rows until somebody says that they repeat nothing; 1 row that it lacks ends unpaid).
If it only adds rows, and the batch keeps the others: tick that the sheet adds new rows.
If this is another month, or another sheet: give the batch a name of its own.`,
  ROWS_DROPPED: `This sheet lacks 1 row of batch nov that is not paid (1,500 ZAR). Nothing was sent.
If it is not to be paid: tick that rows which it lacks are not paid.
Else put the missing rows back, and hand the sheet in anew.`,
  ADDITION_CHANGES_ROWS: `A sheet that only adds rows changes none, and 1 row of this one differs from batch nov. Nothing was sent.
  row 4: amount was 1,500, is 2,500.
If this is the whole list now: tick that the sheet adds new rows, and tick that rows which it lacks are not paid.`,
  OLDER_VERSION: `This sheet gives 2 rows of batch nov back what a newer sheet changed or took out. Nothing was sent.
  row 4: the batch now has Thandi Mokoena, 2,500 ZAR.
  row 5: a newer sheet took it out.
If it is an older sheet, leave it.
If its rows hold after all, make a plan of it, which shows them.`,
  NOTHING_TO_ADD_TO: `There is no batch nov to which this sheet could add rows.`,
  ROWS_CLOSED: `A person closed 1 row of this sheet. Nothing was sent.
  row 3 was closed by Nomsa: paid by hand.
To pay the other rows, take these out of the sheet, and hand it in again.
To pay these too, make a plan: it shows them, and an approver decides.`,
  BATCH_PAID: `Nothing was sent: every row of this sheet was paid on 2026-11-27 12:00:00 UTC as batch nov.
If it shall be paid again for a new period, give the batch a new name.`,
  BATCH_PAID_IN_PART: `Nothing was sent: rows of this sheet were paid as batch nov, the last on 2026-11-27 12:00:00 UTC, and not from this ledger; 2 rows were not.
If the sheet is for a new period, give the batch a new name.
If it is that batch, and what is left shall be paid, tick that the sheet adds new rows.`,
  EXPIRED_ROW_PAID: `The payment p1 of row 4 of batch nov had expired, and the service now says 'PAID' of it. Nothing was sent: the row may be paid. Put the row back as it was, and hand the sheet in anew.`,
  MAP_LEFT_OUT: `Batch nov was read with the map bank.json, and this sheet came without one, so its columns could mean something else. Nothing was sent.
Match its columns here as that map does.`,
  CLAIMS_UNKNOWN: `This file is a result, and says of 3 rows that something was sent for them; this ledger (pay.db) and https://pay.example know that of none. Nothing was sent. It was made with another ledger, address or key: use those. To pay the rows all the same, take the column payrun_status out of the file, or give the batch a new name, and say why it is paid again.`,
  SHEET_LOOKS_PAID: `Nothing was sent: batch oct paid this sheet. 38 of its 40 rows look like earlier payments:
  row 3 like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference.
  and 37 rows more.
To add its other rows to batch oct: give the batch that name, and tick that the sheet adds new rows.
To pay the rows again: give the batch a name of its own, and say why.`,
  REPEATS_A_DOUBT: `Row 4 is like row 7 of batch oct, which is in doubt: it may have been paid. Nothing was sent, and no reason to pay again counts until that is settled.`,
  PROPOSAL_WAITS: `A plan of batch nov waits for approval at the console: x.csv, handed in by Ama. Until it is paid, declined or discarded, nothing of the batch is sent, and no other sheet of it comes in.
Rows that cannot wait: give them a batch name of their own.`,
  VERSION_CONFLICT: `Another sheet came into batch nov after this one was taken: x.csv, on 2026-11-27 12:00:00 UTC. Nothing of this sheet was sent.
Compare the two. If this sheet still holds, make its plan again.`,
  PLAN_NOT_FOUND: `There is no plan sha256:12ab: it was never made here, or was changed since. Nothing was sent. Make a new one.`,
  PLAN_EXPIRED: `The plan was good until 2026-11-27 12:00:00 UTC: it is not signed any more. Make a new one.`,
  PLAN_DECLINED: `Plan sha256:12ab was declined by Kofi, 2026-11-27 12:00:00 UTC: row 4 is wrong. Nothing was sent.
Make a new plan, and have it approved.`,
  BATCH_LEAVES_PLAN: `Batch nov runs under plan sha256:12ab, and would not be paid as that says: --canary was 3, is 0. Nothing was sent.
Go on as the plan says, or make a new plan of the sheet.`,
  RETRY_UNPLANNED: `Batch nov runs under a plan, and to send its unpaid rows again makes new payments, of which that plan says nothing. Nothing was sent.
Make a plan of how it stands now.`,
  APPROVALS_TOO_FEW: `Plan sha256:12ab has 1 of 2 approvals (Kofi): a payee gets 60,000 ZAR, above 50,000 ZAR.
  nov.Esi.sig.json does not count: 'Esi' is no approver.
These may still sign it: Thandi.
Nothing was sent.`,
  SIGNED_PLAN_MISSING: `The policy asks for approvals, and no signed plan that is still good lies beside the sheet. Nothing was sent.`,
  BATCH_UNAPPROVED: `The policy asks for approvals, and batch nov has november.csv as its newest sheet, which came without a plan. Nothing was sent.
Make a plan of its sheet, and have it approved.`,
  DEPOSIT_CHANGED: `The service changed the deposit details of 1 payment. Row k4, payment p1: first 'account 123', now 'account 456'. Deposit nothing there, and do not take the newer ones: ask the service, by a way that you knew before. Nothing more is sent until somebody has, and says so.`,
  CANARY_UNPAID: `Row 3, which went ahead of the others, is not paid: The service refused the payment: no such account. Nothing more is sent. Find out why; then send it again, or make a new plan.`,
  PAUSED: `Batch nov is paused (ask the bank): nothing more of it is sent, and what was under way has ended.`,
  STOPPED_BEFORE: `A person stopped batch nov: what is left of it is not sent before somebody goes on with it.`,
};

const refusal = <C extends ErrorCode>(code: C, change: Partial<(typeof refusalExamples)[C]> = {}) =>
  ({ code, facts: { ...(refusalExamples[code] as object), ...change } }) as Refusal;

it.each(Object.entries(said))('%s', (code, words) => {
  expect(pageWords(refusal(code as ErrorCode))).toBe(words);
});

it('names no flag and no command on a page, but for refusals of what a terminal alone can ask for', () => {
  const codes = Object.keys(refusalExamples) as ErrorCode[];
  const named = codes.filter((code) => /(?:^|[\s(`])--[a-z]|payrun [a-z]/m.test(pageWords(refusal(code))));
  expect(named).toEqual([
    'USAGE',
    'WORKERS_NEED_POSTGRES',
    'SCHEDULE_UNUSABLE',
    'CAP_UNUSABLE',
    'EXPECT_UNUSABLE',
    'CONSOLE_HAS_NO_ACCOUNTS',
    'SERVICE_DATA_BUSY',
    'SERVICE_DATA_FOREIGN',
    'BATCH_LEAVES_PLAN',
  ]);
});

it.each<[PageMessage, string]>([
  [
    refusal('SENT_ROWS_CHANGED', { hasSent: false }),
    'If this sheet is older than what was sent, leave it; 1 row of batch nov is not sent yet, and goes on without it. If its rows were changed since, put the old values back, and hand the sheet in anew; to pay something more, add it as a new row with a row id of its own, and tick that the sheet adds new rows.',
  ],
  [
    { ...refusal('SENT_ROWS_CHANGED'), advice: { isSuggested: true } },
    'If this is another month, or another sheet: give the batch a name of its own, another than its file gives it with or without a number.',
  ],
  [{ ...refusal('SHEET_LOOKS_PAID'), advice: { isFree: true } }, 'To pay the rows again: say why.'],
  [
    refusal('ROWS_ADDED', { held: 0, missing: 0, dropped: 0 }),
    'If the new rows are meant: tick that the sheet adds new rows.',
  ],
])('%j has the line: %s', (message, line) => expect(pageWords(message).split('\n')).toContain(line));
