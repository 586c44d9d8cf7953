/** The words of every refusal on a page, typed by hand where they differ from the terminal's. */
import { expect, it } from 'vitest';
import { refusalExamples } from '../../scripts/refusal-examples.ts';
import type { ErrorCode, Refusal, RowRefusalCode, SheetRefusalCode } from '../../src/base/refusal.ts';
import { refusalWords } from '../../src/messages/refusals.ts';
import { type PageMessage, pageWords } from '../../src/messages/web/messages.ts';

type Code = Exclude<ErrorCode, RowRefusalCode | SheetRefusalCode>;

/** The page says the same as the terminal. */
const same = Symbol('same');
/** Only a command that the console lacks is refused so, and no trail has it: no page shows it. */
const atTerminal = Symbol('at a terminal alone');

/** `row-refusals.test.ts` and `sheet-refusals.test.ts` have the words of the other refusals. */
const said: { readonly [C in Code]: string | typeof same | typeof atTerminal } = {
  CREDENTIALS_MISSING: `Payrun does not know the payout service, because these settings are missing: PAYRUN_API_KEY.`,
  FILE_UNREADABLE: same,
  SHEET_COPY_GONE: `The copy of the sheet of batch nov is missing: pay.db.files/sheets/november.csv. No payment is lost.
Restore the folder pay.db.files/sheets from a backup. Or submit the same sheet again, which pays nothing twice.`,
  MAP_UNUSABLE: same,
  CORRECTIONS_UNUSABLE: same,
  FOLDER_UNWRITABLE: `Payrun cannot write to results: you have no write permission there.`,
  FOLDER_UNUSABLE: atTerminal,
  HOT_FOLDER_REPLACED: atTerminal,
  HOT_FOLDER_LOCK_DAMAGED: atTerminal,
  HOT_FOLDER_RECORD_UNREADABLE: atTerminal,
  DISK_UNWRITABLE: same,
  COPIES_UNWRITABLE: same,
  FOLDER_BUSY: atTerminal,
  LEDGER_HAS_NO_BATCH: same,
  LEDGER_ADDRESS_UNUSABLE: atTerminal,
  LEDGER_COPY_NEEDS_POSTGRES: atTerminal,
  COPY_MEETS_OTHER_LEDGER: atTerminal,
  COPY_MEETS_EARLIER_STATE: atTerminal,
  COPY_WENT_APART: atTerminal,
  WORKERS_NEED_POSTGRES: atTerminal,
  SCHEDULE_UNUSABLE: atTerminal,
  CAP_UNUSABLE: atTerminal,
  EXPECT_UNUSABLE: atTerminal,
  PAY_WINDOWS_NEVER_MEET: `The pay window of batch nov (08:00-10:00) never overlaps the pay window that applies now (12:00-16:00 every day in Johannesburg). Nothing was sent. Submit the sheet again with another pay window.`,
  WEBHOOKS_UNHEARD: atTerminal,
  ROW_UNKNOWN: same,
  ROWS_AMBIGUOUS: same,
  ROW_NOT_UNPAID: `Row 'k4' is not an unpaid row of batch nov.`,
  MOVED: same,
  PAYMENT_UNKNOWN: same,
  TEMPLATE_FORMAT_UNKNOWN: atTerminal,
  RESULT_FORMAT_UNKNOWN: atTerminal,
  WORKBOOK_ROWS_TOO_MANY: `The result needs 1,048,577 rows, and a sheet of a workbook has at most 1,048,576. Ask for CSV.`,
  WORKBOOK_CELLS_TOO_MANY: `The result has too many cells: its workbook would unpack to more than 1 GiB. Ask for CSV.`,
  CONSOLE_BUSY: atTerminal,
  CONSOLE_HAS_NO_ACCOUNTS: atTerminal,
  CONSOLE_ADDRESS_UNUSABLE: atTerminal,
  CONSOLE_PAGE_MISSING: atTerminal,
  SERVICE_DATA_BUSY: atTerminal,
  SERVICE_DATA_FOREIGN: atTerminal,
  SERVICE_DATABASE_UNUSABLE: atTerminal,
  SERVICE_ADDRESS_UNUSABLE: atTerminal,
  BASE_PATH_INVALID: atTerminal,
  PUBLIC_URL_INVALID: atTerminal,
  FAULT_ROUTE_UNKNOWN: atTerminal,
  FAULT_KIND_MISPLACED: atTerminal,
  TENANT_NAMELESS: atTerminal,
  TENANT_UNKNOWN: atTerminal,
  USER_UNKNOWN: atTerminal,
  USER_DISABLED: atTerminal,
  SHEET_HAS_PROBLEMS: same,
  PAYEES_REFUSED: `The service did not accept 2 payees. Nothing was sent. Correct the rows of these payees, or leave them out.`,
  SHEET_CHANGED: same,
  TOTALS_DIFFER: `The sheet does not match its control totals. Nothing was sent.
  Control total: 4 rows expected, the sheet has 3 to pay.
  november.totals.json: 5,000 ZAR expected, the sheet has none.
  november.totals.json: no total of this currency expected, the sheet has 9,000 sat.
  november.totals.json: the sheet pays other accounts than expected.
Ask the person who made the sheet whether the sheet or a total is wrong. Do not copy the totals from the sheet itself.`,
  TOTALS_MISSING: `Control totals are required here, and november.csv has none. Nothing was sent.
Ask the person who made the sheet for its totals, but not through the channel of the sheet. Then enter them here.`,
  OVER_CAP: `The payments of this sheet exceed a cap. Nothing was sent.
  row cap of 1,000 ZAR: row 7 pays 1,200 ZAR.
  and 1 more row.
  payee cap of 1,500 ZAR: 'Thandi' (row 4 and 2 more) gets 1,600 ZAR to 2 accounts under this name.
  and 2 more payees.
  batch cap of 5,000 ZAR: 4,000 ZAR was sent of it before, and 2,000 ZAR would be sent now.
  day cap of 9,000 ZAR: on 2026-11-27, 9,001 ZAR would be sent.
Remove rows from the sheet, or ask the person who maintains payrun.config.json to raise the cap. Do not split an amount: Payrun adds up all rows and accounts of a payee. Give two payees with the same name fuller names.
A new day begins at 2026-11-27 14:00 in Johannesburg.`,
  VARIANCE: `The sheet failed the comparison with the last sheet of its series. Nothing was sent.
  the total went from 1,000 ZAR to 1,500 ZAR (+50.0 %).
  the amounts of 3 payees changed by more than 20 %.
If the difference is intended, say why, and plan the sheet again.`,
  LEDGER_BUSY: same,
  LEDGER_OF_OTHER_BUILD: `The ledger pay.db is from payrun 0.1.0 (ledger format 40), and payrun 0.2.0 cannot read it. Nothing was sent. Finish the batches of the ledger with the version that made it.`,
  LEDGER_UNUSABLE: same,
  LEDGER_UNWRITABLE: same,
  LEDGER_DAMAGED: same,
  BATCH_UNKNOWN: `The ledger has no batch nov.`,
  SENT_ROWS_CHANGED: `This sheet changes 1 row that batch nov has already sent. Nothing more was sent.
  row 7: amount was 1,500, is 2,500.
If this sheet is older than the payments, or its corrections came too late, discard it: Payrun does not send the rows again. 1 row of batch nov is not sent yet, and Payrun can send it without this sheet. To send its other rows: put the old values back, and submit the sheet again. To pay something more, add a new row with its own row id, and tick that the sheet adds new rows.
If this is the sheet of another month or of other payments: give the batch a name of its own.`,
  SENT_ROWS_INVALID: `This sheet has mistakes in 2 rows that batch nov has already sent (rows 7, 9). Nothing more was sent.
If this sheet is older than the payments, do not use it. If somebody changed its rows later, put the old values back, and submit the sheet again.`,
  ROWS_ADDED: `Batch nov has already sent 40 rows. This sheet adds 2 new rows (3,000 ZAR) and lacks 1 row of the batch. Nothing more was sent.
If this sheet is the whole list now: tick that the sheet adds new rows, and tick that the rows which the sheet lacks are not paid (Payrun holds 1 of the new rows until a person says that they repeat no payment; 1 row that the sheet lacks ends unpaid).
If this sheet only adds rows to the batch: tick that the sheet adds new rows.
If this is the sheet of another month or of other payments: give the batch a name of its own.`,
  ROWS_DROPPED: `1 row of batch nov is not paid, and this sheet lacks it (1,500 ZAR). Nothing was sent.
If nobody should pay this row: tick that the rows which the sheet lacks are not paid.
If not, put the missing rows back, and submit the sheet again.`,
  ADDITION_CHANGES_ROWS: `A sheet that adds rows may not change other rows, but this sheet changes 1 row of batch nov. Nothing was sent.
  row 4: amount was 1,500, is 2,500.
If this sheet is the whole list now: tick that the sheet adds new rows, and tick that the rows which the sheet lacks are not paid.`,
  OLDER_VERSION: `A newer sheet changed or removed 2 rows of batch nov, and this sheet has the old content. Nothing was sent.
  row 4: the batch now has Thandi Mokoena, 2,500 ZAR.
  row 5: a newer sheet removed the row.
If this sheet is older, do not use it.
If its rows are correct, make a plan of the sheet. The plan shows them.`,
  NOTHING_TO_ADD_TO: `This sheet cannot add rows to batch nov, because there is no such batch.`,
  ROWS_CLOSED: `A person closed 1 row of this sheet. Nothing was sent.
  row 3 was closed by Nomsa: paid by hand.
To pay the other rows, remove these rows from the sheet, and submit the sheet again.
To pay these rows too, make a plan: it shows them, and an approver decides.`,
  BATCH_PAID: `Every row of this sheet was already paid on 2026-11-27 12:00:00 UTC as batch nov. Nothing more was sent.
To pay the sheet again for a new period, give the batch a new name.`,
  BATCH_PAID_IN_PART: `Another ledger paid rows of this sheet as batch nov (last payment: 2026-11-27 12:00:00 UTC). 2 rows are not paid. Nothing more was sent.
If the sheet is for a new period, give the batch a new name.
To pay the other rows of that batch, tick that the sheet adds new rows.`,
  EXPIRED_ROW_PAID: `Payment p1 of row 4 of batch nov had expired, but its status is now 'PAID', so the row may be paid. Nothing was sent. Put the old values of the row back, and submit the sheet again.`,
  MAP_LEFT_OUT: `Batch nov uses the map bank.json, but this sheet came without a map. Without this map, the columns could have another meaning. Nothing was sent.
Match the columns of the sheet here as the map does.`,
  CLAIMS_UNKNOWN: `This result says that 3 rows were sent, but this ledger (pay.db) and https://pay.example know none of them. Nothing was sent. Use the ledger, address and key of the result. To pay anyway, give the batch a new name and say why.`,
  SHEET_LOOKS_PAID: `Batch oct seems to have paid this sheet. Nothing was sent. 38 of the sheet's 40 rows look like earlier payments:
  row 3 like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference.
  and 37 rows more.
To continue batch oct with the rows that it lacks: give the batch that name, and tick that the sheet adds new rows.
To pay the rows again: give the batch a name of its own, and say why.`,
  REPEATS_A_DOUBT: `Row 4 looks like row 7 of batch oct, and row 7 may have been paid (in doubt). Nothing was sent. Payrun does not send row 4 until row 7 is settled, even if you give a reason. Search for row 7 on its page.`,
  PROPOSAL_WAITS: `A plan of batch nov (x.csv, uploaded by Ama) waits for approval at the console. Nothing more of the batch is sent. Pay, decline or discard that plan first.
Submit urgent rows as their own batch.`,
  VERSION_CONFLICT: `Batch nov received a newer sheet (x.csv, on 2026-11-27 12:00:00 UTC) after this sheet was accepted. Nothing of this sheet was sent.
Compare the two sheets. If this sheet is the correct one, make its plan again.`,
  IDENTITY_CHANGED: `Batch nov was sent with https://pay.example (key 12ab34cd…, tenant), and this run uses https://pay.example (key 56ef78ab…, tenant). Nothing was sent. Use the earlier address and key. A new name of the batch would pay every row again.`,
  IDENTITY_UNPROVEN: atTerminal,
  PLAN_NOT_FOUND: `Payrun found no plan sha256:12ab. The plan was made elsewhere, or was changed later. Nothing was sent. Make a new plan.`,
  PLAN_UNREADABLE: same,
  PLAN_CHANGED: `The plan nov.plan.json is not as Payrun wrote it: a part of it was changed, added or removed (line 3). Nothing was sent. Make a new plan.`,
  PLAN_EXPIRED: `The plan expired on 2026-11-27 12:00:00 UTC. Nothing was signed. Ask for a new plan.`,
  PLAN_DECLINED: `Kofi declined plan sha256:12ab on 2026-11-27 12:00:00 UTC: row 4 is wrong. Nothing was sent.
Make a new plan, and have it approved.`,
  PLAN_DIFFERS: `Plan sha256:12ab differs from the payments of this run. Nothing was sent.
  row 4: amount was '1500', is '2500'.
Undo the differences. Or make a new plan, and have it approved.`,
  BATCH_LEAVES_PLAN: `Batch nov runs under plan sha256:12ab, and this run differs from the plan: the number of canaries was 3, is 0. Nothing was sent.
Continue as the plan says, or make a new plan of the sheet.`,
  RETRY_UNPLANNED: `Batch nov runs under a plan, and the plan does not contain the new payments of a retry. Nothing was sent.
Make a new plan that sends the unpaid rows again.`,
  APPROVALS_TOO_FEW: `Plan sha256:12ab has 1 of 2 approvals (Kofi). The plan needs 2 because a payee gets 60,000 ZAR, above 50,000 ZAR. Nothing was sent.
  nov.Esi.sig.json does not count: 'Esi' is not an approver.
These approvers may still sign the plan: Thandi.`,
  OWN_SHEET: same,
  OWN_TO_DISCARD: same,
  OWN_APPROVAL: same,
  MAKER_REFUSED: `The maker of plan sha256:12ab is 'Esi', who is no longer a preparer. Nothing was sent.
A preparer makes a new plan of the sheet.`,
  MAKER_UNSIGNABLE: `The maker of the plan nov.plan.json is 'Esi', who is no longer a preparer, so no signature counts. Nothing was signed. Ask for a new plan.`,
  SIGNATURE_USELESS: atTerminal,
  SIGNED_PLAN_MISSING: `The policy asks for approvals, and no valid signed plan is beside the sheet. Nothing was sent.
Make a plan of this sheet, and have it approved.`,
  SIGNED_PLANS_SEVERAL: `The policy asks for approvals, and several signed plans are beside the sheet: nov.plan.json, nov.plan-2.json. Nothing was sent.
Make a plan of this sheet, and have it approved.`,
  BATCH_UNAPPROVED: `The policy asks for approvals, and batch nov got its newest sheet (november.csv) without a plan. Nothing was sent.
Make a plan of this sheet, and have it approved.`,
  SHEET_UNAPPROVED: `Batch nov was approved under a policy, and the new and changed rows of this sheet have no approval. Nothing was sent.
Have the sheet approved where the batch was approved, at the console or under its policy. Or pay the sheet as its own batch.`,
  RELEASE_NEEDS_KEY:
    'The decision about row k4 of batch nov does not count, and nothing was sent or changed. The batch runs under a policy, so one of its approvers must sign.',
  RELEASE_BY_MAKER:
    "The decision about row k4 of batch nov does not count, and nothing was sent or changed. 'Ama Mensah' prepared or paid this batch, or another batch with the same row, so a second person must decide.",
  RELEASE_MAKER_UNKNOWN: same,
  RELEASE_SIGNATURE_USELESS: same,
  POLICY_NOT_FOUND: `This folder has no policy, and payments need the approvals of /srv/pay/policy.json. Nothing was sent. Ask an administrator to put that file back.`,
  POLICY_DIFFERS: same,
  POLICY_UNUSABLE: same,
  KEY_UNUSABLE: same,
  SERVICE_UNREACHABLE: same,
  SERVICE_ANSWER: same,
  SERVICE_UNREADABLE: same,
  REFUSED_IN_A_ROW: same,
  SERVICE_REFUSED: same,
  SERVICE_LACKS: same,
  DOCUMENTS_NOT_LISTED: same,
  CREDENTIALS_REFUSED: same,
  SERVICE_BUSY: same,
  TAG_LOST: same,
  PASS_INCOMPLETE: same,
  PAID_ELSEWHERE: same,
  SENT_ELSEWHERE: same,
  LEDGER_RESTORED: same,
  PAID_TWICE: `A row has two payments at the service (k4 of batch nov). Nothing more is sent. Ask the service to stop or return one of these payments. After that, say so on the page of the row.`,
  COPIES_PAID: `A payee may be paid twice, by row 4 of batch oct (payment p1, 900 ZAR) and by row 5 of batch nov (in doubt, 900 ZAR). Nothing more is sent. Ask the service to stop or return one of these payments. After that, say so on the page of the row.`,
  PAYMENT_UNDONE: same,
  DEPOSIT_CHANGED: `The service changed the deposit details of 1 payment. Row k4, payment p1: first 'account 123', now 'account 456'. Deposit nothing. Ask the service through a contact that you already had. Nothing more is sent until you confirm the details.`,
  CANARY_OPEN: same,
  CANARY_UNPAID: `Row 3, which Payrun sent first as a canary, is not paid. The service refused the payment: POST /payments answered 422: no such account. Nothing more is sent. Find the cause, then send the row again, or send the other rows without it.`,
  RAIL_SHUT: same,
  OUTSIDE_PAY_WINDOW: same,
  PAUSED: `Batch nov is paused (ask the bank). Nothing more of the batch is sent, and the calls under way have ended. An approver or an administrator can end the pause of the batch here. A pause of all batches ends at a terminal.`,
  STOPPED_BEFORE: `A person stopped batch nov. Its unsent rows wait until a person continues the batch.`,
  STOPPED: same,
};

const codes = Object.keys(said) as Code[];

const refusal = <C extends ErrorCode>(code: C, change: Partial<(typeof refusalExamples)[C]> = {}) =>
  ({ code, facts: { ...(refusalExamples[code] as object), ...change } }) as Refusal;

const met = codes.filter((code) => said[code] !== atTerminal);

it.each(met.map((code) => [code, said[code]] as const))('%s', (code, words) => {
  expect(pageWords(refusal(code))).toBe(words === same ? refusalWords(refusal(code)) : words);
});

it('names no flag and no command on a page, but for refusals that a terminal alone meets', () => {
  expect(met.filter((code) => /(?:^|[\s(`])--[a-z]|payrun [a-z]/m.test(pageWords(refusal(code))))).toEqual([]);
});

it.each<[PageMessage, string]>([
  [
    refusal('SENT_ROWS_CHANGED', { hasSent: false }),
    'If this sheet is older than the payments, do not use it. 1 row of batch nov is not sent yet, and Payrun can send it without this sheet. If somebody changed its rows later, put the old values back, and submit the sheet again. To pay something more, add a new row with its own row id, and tick that the sheet adds new rows.',
  ],
  [
    refusal('SENT_ROWS_CHANGED'),
    'If this is the sheet of another month or of other payments: give the batch a name of its own.',
  ],
  [refusal('SHEET_LOOKS_PAID'), 'To pay the rows again: give the batch a name of its own, and say why.'],
  [
    refusal('ROWS_ADDED', { held: 0, missing: 0, dropped: 0 }),
    'If the new rows are intended: tick that the sheet adds new rows.',
  ],
])('%j has the line: %s', (message, line) => expect(pageWords(message).split('\n')).toContain(line));
