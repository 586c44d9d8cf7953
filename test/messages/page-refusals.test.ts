/** The words on the page of refusals that name a command at the terminal: typed by hand. */
import { expect, it } from 'vitest';
import { refusalExamples } from '../../scripts/refusal-examples.ts';
import type { ErrorCode, Refusal } from '../../src/base/refusal.ts';
import { type PageMessage, pageWords } from '../../src/messages/web/messages.ts';

const said: { readonly [C in ErrorCode]?: string } = {
  FOLDER_UNWRITABLE: `Cannot write to out: you may not write there.`,
  BATCH_UNKNOWN: `The ledger has no batch nov.`,
  SENT_ROWS_CHANGED: `Batch nov was already sent from, and 1 of its rows was changed since. Nothing was sent.
  row 7: amount was 1500, is 2500.
If this sheet is older than what was sent, or these are corrections that came too late, discard it: the rows are not sent once more. 1 row of batch nov is not sent yet, and goes on without it. To send what else it has: put the old values back, and hand the sheet in anew; to pay something more, add it as a new row with a row id of its own, and tick that the sheet adds new rows.
If this is another month, or another sheet: give the batch a name of its own.`,
  SENT_ROWS_INVALID: `Batch nov has already sent 2 rows that this sheet now has with mistakes (row 7, 9). Nothing was sent.
If this sheet is older than what was sent, nothing is left to do with it. If its rows were changed since, put the old values back, and hand the sheet in anew.`,
  ROWS_ADDED: `Batch nov has already sent 40 rows, and this sheet brings 2 new rows (3,000 ZAR) and lacks 1. Nothing was sent.
If the new rows are meant: tick that the sheet adds new rows to the batch; it holds 1 of them until somebody says that they repeat nothing, and pays the others.
If this is another month, or another sheet: give the batch a name of its own.`,
  ROWS_GIVEN_UP: `A person said of 1 row of this sheet: not to be paid. Nothing was sent.
  row 4 was given up by Ama: left in October.
Take them out of the sheet, and hand it in anew; or, if they are owed all the same, make a new plan, which tells of them.`,
  BATCH_PAID: `Nothing was sent: every row of this sheet was paid on 2026-11-27 12:00:00 UTC as batch nov.
If it shall be paid again for a new period, give the batch a new name.`,
  BATCH_PAID_IN_PART: `Nothing was sent: rows of this sheet were paid as batch nov, the last on 2026-11-27 12:00:00 UTC, and not from this ledger; 2 rows were not.
If the sheet is for a new period, give the batch a new name.
If it is that batch, and what is left shall be paid, tick that the sheet adds new rows.`,
  CORRECTED_ROW_PAID: `Row 4 of batch nov was corrected because its payment p1 had expired, but the service now says 'PAID' of it. Nothing was sent: it would be paid twice. Put the old values back, and hand the sheet in anew.`,
  MAP_LEFT_OUT: `Batch nov was read with the map bank.json, and this sheet came without one, so its columns could mean something else. Nothing was sent.
Match its columns here as that map does.`,
  CLAIMS_UNKNOWN: `This file is a result, and says of 3 rows that something was sent for them; this ledger (pay.db) and https://pay.example know that of none. Nothing was sent. It was made with another ledger, address or key: use those. To pay the rows all the same, take the column payrun_status out of the file, or give the batch a new name, and say why it is paid again.`,
  SHEET_LOOKS_PAID: `Nothing was sent: batch oct paid this sheet. 38 of its 40 rows look like earlier payments:
  row 3 like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference.
  and 37 rows more.
To add its other rows to batch oct: give the batch that name, and tick that the sheet adds new rows.
To pay the rows again: give the batch a name of its own, and say why.`,
  REPEATS_A_DOUBT: `Row 4 is like row 7 of batch oct, which is in doubt: it may have been paid. Nothing was sent, and no reason to pay again counts until that is settled.`,
  UNNAMED_CORRECTION_WAITS: `Nothing of this sheet is sent. Row 4 goes to another account in the sheet x.csv, handed in at the console by Ama for batch nov, and its plan waits for approval. If this is the same sheet, have that one paid. If these are other payments, give the batch a name of its own.`,
  APPROVED_ROWS_DIFFER: `Nothing of this sheet is sent: row 4 pays another account here. What was approved is changed only by what is approved: if its rows shall be paid as they are in it, hand it in here, and have its plan approved; else leave it.`,
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
    'ROW_AMBIGUOUS',
    'ROWS_AMBIGUOUS',
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
    refusal('ROWS_ADDED', { held: 0 }),
    'If the new rows are meant: tick that the sheet adds new rows to the batch; only those are paid.',
  ],
])('%j has the line: %s', (message, line) => expect(pageWords(message).split('\n')).toContain(line));
