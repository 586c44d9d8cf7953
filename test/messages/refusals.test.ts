/** The words of every refusal. Elsewhere refusals are compared as codes and facts. */
import { expect, it } from 'vitest';
import { refusalExamples } from '../../scripts/refusal-examples.ts';
import type { ErrorCode } from '../../src/base/refusal.ts';
import { refusalWords } from '../../src/messages/refusals.ts';
import { enlarged, expectFigures } from './figures.ts';

const said: { readonly [C in ErrorCode]: string } = {
  USAGE: '--cap was given twice',
  CONFIG: 'PAYRUN_CONFIG names pay.json, and there is no such file',
  CREDENTIALS_MISSING:
    'No payout service is configured: PAYRUN_API_KEY not set. Set PAYRUN_BASE_URL, PAYRUN_API_KEY and PAYRUN_API_SECRET, or use --sandbox for the embedded service.',
  FILE_UNREADABLE: 'Cannot read november.xlsx: there is no such file.',
  SHEET_COPY_GONE: `Cannot read pay.db.files/sheets/november.csv: the copy of the sheet that batch nov was paid from is gone. Nothing that was paid is lost: payrun list nov shows each row.
  Put the folder pay.db.files/sheets back from a backup, or hand in the same sheet again, which makes a new copy and sends nothing twice: payrun run november.csv --batch nov`,
  MAP_UNUSABLE: 'The map bank.json cannot be used: it names no column and no value',
  CORRECTIONS_UNUSABLE:
    "The corrections fixes.json cannot be used: 'to' stands twice in one place, and only the last would count",
  HOT_FOLDER_REPLACED: 'The folder inbox cannot be watched: it is not the folder any more that was watched.',
  HOT_FOLDER_LOCK_DAMAGED:
    'The folder inbox cannot be watched: inbox/taken/lock is damaged (file is not a database): while no watcher is at work, delete it.',
  HOT_FOLDER_RECORD_UNREADABLE:
    'The folder inbox/taken/nov cannot be watched: record.json in it does not say what was taken (no JSON); nothing is taken before a person has looked, and moved that folder away.',
  FOLDER_UNWRITABLE: 'Cannot write to out: you may not write there; choose another folder with --out.',
  FOLDER_UNUSABLE: 'The folder inbox cannot be watched: there is no such folder.',
  DISK_UNWRITABLE:
    'pay.db.files cannot be written: its disk is full. Nothing was sent. See that its disk works and has room; the same command then goes on.',
  COPIES_UNWRITABLE:
    'No copy of the sheet can be kept in pay.db.files: you may not write there. Nothing was sent. Let the user that Payrun runs as write there; the same command then goes on.',
  FOLDER_BUSY:
    'Another watcher holds the folder inbox (process 41, since 2026-11-27 12:00:00 UTC). Wait for it to end; nothing was taken.',
  LEDGER_HAS_NO_BATCH: 'the ledger pay.db has no batch yet',
  LEDGER_ADDRESS_UNUSABLE: 'the ledger is no address such as postgres://user@host/database',
  LEDGER_COPY_NEEDS_POSTGRES:
    'a ledger is copied from a file to a Postgres, or back; a file is moved as it is, while nothing uses it',
  LEDGER_COPY_REFUSED:
    'postgres://pay holds another ledger already; to copy pay.db, name another schema (?schema=NAME), or drop the one that is there (DROP SCHEMA … CASCADE)',
  WORKERS_NEED_POSTGRES:
    'workers share a ledger on Postgres, and pay.db is a file, which one process at a time sends from: name a Postgres with --ledger or PAYRUN_LEDGER (docs/how-to/workers.md)',
  SCHEDULE_UNUSABLE:
    "--cron '0 8 * *' --zone 'UTC': expected five fields, which are minute, hour, day, month and day of the week",
  CAP_UNUSABLE: "--cap 'ZAR:row=1.5': write a whole number of at most 18 digits, in digits alone",
  EXPECT_UNUSABLE: "--expect 'rows=x': write a whole number, in digits alone",
  PAY_WINDOWS_NEVER_MEET:
    'batch nov was begun with --pay-window 08:00-10:00, which never meets the one of now, 12:00-16:00; hand its sheet in again with one that does: payrun run november.csv --batch nov --pay-window WINDOW',
  WEBHOOKS_UNHEARD: 'Webhooks cannot be heard on 127.0.0.1:8080: the address is in use.',
  ROW_UNKNOWN: "batch nov has no row 'k9'; say its payrun_row, or its number in the sheet",
  ROWS_AMBIGUOUS: "'k4,k5' is a row of batch nov and a list of its rows as well; name one row at a time",
  ROW_NOT_UNPAID: "--retry-row 'k4' is no unpaid row of batch nov",
  ROW_STAYS: 'Row k4 of batch nov stays as it is: the service has no payment p1.',
  PAYMENT_UNKNOWN: 'no row of this ledger has payment p1',
  TEMPLATE_FORMAT_UNKNOWN: 'A template is written as .xlsx or .csv.',
  RESULT_FORMAT_UNKNOWN: "A result is written as .csv or .xlsx, not as 'nov.ods'.",
  WORKBOOK_ROWS_TOO_MANY:
    'A sheet of a workbook ends at row 1,048,576, and this result has a row 1,048,577. Ask for CSV (--format csv).',
  WORKBOOK_CELLS_TOO_MANY:
    'A workbook of so many cells would unpack to more than 1 GiB, which Payrun does not read. Ask for CSV (--format csv).',
  CONSOLE_BUSY:
    'another console works on the ledger pay.db (process 41, since 2026-11-27 12:00:00 UTC): use that one, or end it first',
  CONSOLE_HAS_NO_ACCOUNTS:
    '--listen 0.0.0.0 lets other machines ask, and nobody has an account yet: start the console without it, open the link that it prints, and then start it again',
  CONSOLE_ADDRESS_UNUSABLE: 'the console cannot listen on 127.0.0.1:4000: listen EADDRINUSE',
  CONSOLE_PAGE_MISSING: "the console's page is missing from dist/page",
  SERVICE_DATA_BUSY:
    'Another payout service runs on the data in data (process 41, since 2026-11-27 12:00:00 UTC). Stop it, or choose another folder with --data.',
  SERVICE_DATA_FOREIGN:
    'The data folder data does not belong to this database: its pepper is another. Name the folder that the other nodes use, with --data.',
  SERVICE_DATABASE_UNUSABLE: "The service's database at db.example/payouts cannot be used: connection refused.",
  SERVICE_ADDRESS_UNUSABLE: 'The service cannot listen on 127.0.0.1:80: the address is not allowed.',
  BASE_PATH_INVALID: "'v1' is not a base path such as /payout/v1.",
  PUBLIC_URL_INVALID: "'pay' is not a public address such as https://pay.example/v1.",
  FAULT_ROUTE_UNKNOWN: "A fault is for 'GET /x', which is no route of the service. There are: *, GET /payments, push.",
  FAULT_KIND_MISPLACED:
    "A fault of the kind 'copies' does nothing for 'GET /payments': copies and delay are for push, and nothing else is.",
  TENANT_NAMELESS: 'A tenant needs a name.',
  TENANT_UNKNOWN: 'No tenant has the API key pk_1.',
  USER_UNKNOWN: 'No user has the userId u1; POST /users and GET /users name it.',
  USER_DISABLED: 'The user u1 is disabled.',
  SHEET_REFUSED: 'The file is empty. A sheet needs a header and at least one row.',
  SHEET_HAS_PROBLEMS: 'The sheet was refused: name is empty; write who is paid',
  PAYEES_REFUSED:
    'The service did not take 2 of the payees, so nothing was sent. Mend these rows, or pay the others with --skip-invalid.',
  SHEET_CHANGED:
    'The sheet november.xlsx is not the one any more that was taken: its bytes were changed since. Nothing was sent.',
  TOTALS_DIFFER: `The sheet is not what its control totals say. Nothing was sent.
  --expect: 4 rows expected, the sheet has 3 to pay
  november.totals.json: 5,000 ZAR expected, the sheet has none
  november.totals.json: no total of this currency expected, the sheet has 9,000 sat
  november.totals.json: other accounts expected than the sheet pays
  Find out which of the two is wrong, from whoever made the sheet; do not take the totals from the sheet itself.`,
  TOTALS_MISSING: `Control totals are required here, and nothing says what november.csv must come to. Nothing was sent.
  Ask whoever made the sheet for its totals, by another way than the sheet came: november.totals.json beside it, or --expect rows=N --expect ZAR=SUM.`,
  OVER_CAP: `More would be sent than the caps of this desk allow. Nothing was sent.
  row cap of 1,000 ZAR: row 7 pays 1,200 ZAR
  and 1 more row
  payee cap of 1,500 ZAR: 'Thandi' (row 4 and 2 more) gets 1,600 ZAR to 2 accounts under this name
  and 2 more payees
  batch cap of 5,000 ZAR: 4,000 ZAR was sent of it before, and 2,000 ZAR would be sent now
  day cap of 9,000 ZAR: on 2026-11-27, 9,001 ZAR would be sent
  Take the rows that are over out of the sheet, or have whoever keeps payrun.config.json raise the cap. Never cut an amount in two to come under it: a payee is counted over all of its rows and accounts, and two people of one name are told apart by fuller names.
  A new day begins at 2026-11-27 14:00 in Johannesburg.`,
  VARIANCE: `The sheet is not like the last of its series. Nothing was sent.
  the total went from 1,000 ZAR to 1,500 ZAR (+50.0 %)
  the amounts of 3 payees changed by more than 20 %
  Look at it with payrun plan; if it is meant, run it again with --confirm-variance "the reason".`,
  LEDGER_BUSY:
    'Another run holds the ledger pay.db (process 41, since 2026-11-27 12:00:00 UTC). Wait for it to end; nothing was sent.',
  LEDGER_OF_OTHER_BUILD:
    'The ledger pay.db was made by payrun 0.1.0 (ledger format 40), and payrun 0.2.0 cannot read it. Nothing was sent. Finish its batches with the build that made it, or name a new ledger with --ledger.',
  LEDGER_UNUSABLE: 'The ledger pay.db cannot be used: it is the database of another program. Nothing was sent.',
  LEDGER_UNWRITABLE:
    'The ledger pay.db can no longer be used: database or disk is full. Nothing more is sent; what was in flight is looked for by the next run. See that its disk works and has room, and that no other program holds it, and run it again.',
  PAUSED_LEDGER_WAS_COPIED:
    'The ledger that was to be paused cannot be used: by now it is copied to postgres://pay, and nothing is paused. Nothing was sent.',
  LEDGER_DAMAGED:
    'The ledger is damaged: the content of row k4 of batch nov was changed outside Payrun. Nothing more is sent. Keep the file and restore a backup.',
  BATCH_UNKNOWN: 'The ledger has no batch nov. `payrun list` names the ones it has.',
  SENT_ROWS_CHANGED: `Batch nov was already sent from, and 1 of its rows was changed since. Nothing was sent.
  row 7: amount was 1,500, is 2,500
  If this sheet is older than what was sent, leave it; 1 row of batch nov is not sent yet, and goes on without it: payrun resume nov. If its rows were changed since, put the old values back and run again; to pay something more, add it as a new row with a row_id of its own and --add.
  If this is another month, or another sheet: give it a --batch name of its own.`,
  SENT_ROWS_INVALID: `Batch nov has already sent 2 rows that this sheet now has with mistakes (row 7, 9). Nothing was sent.
  If this sheet is older than what was sent, nothing is left to do with it. If its rows were changed since, put the old values back and run again.`,
  ROWS_ADDED: `Batch nov has already sent 40 rows, and this sheet brings 2 new rows (3,000 ZAR) and lacks 1. Nothing was sent.
  If this is the whole list now: payrun run november.csv --batch nov --add --drop (it holds 1 of the new rows until somebody says that they repeat nothing; 1 row that it lacks ends unpaid)
  If it only adds rows, and the batch keeps the others: payrun run november.csv --batch nov --add
  If this is another month, or another sheet: give it a --batch name of its own.`,
  ROWS_DROPPED: `This sheet lacks 1 row of batch nov that is not paid (1,500 ZAR). Nothing was sent.
  If it is not to be paid: payrun run november.csv --batch nov --drop
  Else put the missing rows back, and run it again.`,
  ADDITION_CHANGES_ROWS: `A sheet that only adds rows changes none, and 1 row of this one differs from batch nov. Nothing was sent.
  row 4: amount was 1,500, is 2,500
  If this is the whole list now: payrun run november.csv --batch nov --add --drop`,
  OLDER_VERSION: `This sheet gives 2 rows of batch nov back what a newer sheet changed or took out. Nothing was sent.
  row 4: the batch now has Thandi Mokoena, 2,500 ZAR
  row 5: a newer sheet took it out
  If it is an older sheet, leave it.
  If its rows hold after all, make a plan, which shows them, and run that: payrun plan november.csv --batch nov`,
  NOTHING_TO_ADD_TO: `There is no batch nov to which this sheet could add rows. Leave --add away, or name the batch with --batch.`,
  ROWS_CLOSED: `A person closed 1 row of this sheet. Nothing was sent.
  row 3 was closed by Nomsa: paid by hand
  To pay the other rows, take these out of the sheet.
  To pay these too, open them again: payrun reopen nov --row k3 --reason TEXT
  Or make a plan that shows them: payrun plan november.csv --batch nov`,
  BATCH_PAID: `Nothing was sent: every row of this sheet was paid on 2026-11-27 12:00:00 UTC as batch nov.
  If it shall be paid again for a new period, run it with --batch and a new name.`,
  BATCH_PAID_IN_PART: `Nothing was sent: rows of this sheet were paid as batch nov, the last on 2026-11-27 12:00:00 UTC, and not from this ledger; 2 rows were not.
  If the sheet is for a new period, run it with --batch and a new name.
  If it is that batch, and what is left shall be paid, run it again with --add.`,
  EXPIRED_ROW_PAID: `The payment p1 of row 4 of batch nov had expired, and the service now says 'PAID' of it. Nothing was sent: the row may be paid. Put the row back as it was, and run it again.`,
  MAP_LEFT_OUT: `Batch nov was read with the map bank.json, and this sheet came without one, so its columns could mean something else. Nothing was sent.
  If they are the same columns: payrun run november.csv --batch nov --map bank.json
  If the columns now say all that the map said: payrun run november.csv --batch nov --map none`,
  CLAIMS_UNKNOWN:
    'This file is a result, and says of 3 rows that something was sent for them; this ledger (pay.db) and https://pay.example know that of none. Nothing was sent. It was made with another ledger, address or key: use those (payrun ledger rebind moves a batch to another key). To pay the rows all the same, take the column payrun_status out of the file, or give a new --batch name and --confirm-repeat REASON.',
  SHEET_LOOKS_PAID: `Nothing was sent: batch oct paid this sheet. 38 of its 40 rows look like earlier payments:
  row 3 like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference and 37 more.
  To add its other rows to batch oct: payrun run november.csv --batch oct --add
  To pay the rows again: payrun run november.csv --batch NEWNAME --confirm-repeat "the reason"
  If you pay the same rows each week, set duplicates.window to fewer days.`,
  REPEATS_A_DOUBT:
    'Row 4 is like row 7 of batch oct, which is in doubt: it may have been paid. Nothing was sent, and no reason to pay again counts until that is settled. Run payrun reconcile oct.',
  PROPOSAL_WAITS: `A plan of batch nov waits for approval at the console: x.csv, handed in by Ama. Until it is paid, declined or discarded, nothing of the batch is sent, and no other sheet of it comes in.
  Rows that cannot wait: hand them in as a batch of their own (--batch NAME).`,
  VERSION_CONFLICT: `Another sheet came into batch nov after this one was taken: x.csv, on 2026-11-27 12:00:00 UTC. Nothing of this sheet was sent.
  Compare the two. If this sheet still holds, run it again, or make its plan again.`,
  IDENTITY_CHANGED:
    'Batch nov was sent from as https://pay.example, key 12ab…; this run is https://pay.example, key 34cd…, which may not see the earlier payments. Nothing was sent. Continue with that address and key, or show that this one sees the payments: payrun ledger rebind nov --reason TEXT. A new --batch name would pay every row again.',
  IDENTITY_UNPROVEN:
    'Batch nov stays with https://pay.example, key 12ab…: https://pay.example, key 34cd… does not show payment p1 of row k4 with its tag, so it may not be the same account. Nothing was changed. Go on with the address, key and user that the batch was sent with, or ask the service why the payment is not shown.',
  PLAN_NOT_FOUND: `There is no plan sha256:12ab beside the sheet, nor in --out: it was never made here, or was changed since. Nothing was sent.
  nov.plan.json is plan sha256:34cd
  Name its file with --plan, or make a new plan: payrun plan FILE`,
  PLAN_UNREADABLE: 'The plan nov.plan.json cannot be read: there is no such file. Nothing was sent.',
  PLAN_CHANGED:
    'The plan nov.plan.json is not as it was written: line 3: it does not belong there. Nothing was sent. Make a new one: payrun plan FILE',
  PLAN_PAGE_DIFFERS: `nov.plan.html is not the page of this plan: it says something else, or another version of Payrun made it. Nothing was signed.
  Ask who made the plan for its page again, or take this one away: what is signed is shown here too.`,
  PLAN_EXPIRED:
    'The plan nov.plan.json was good until 2026-11-27 12:00:00 UTC: it is not signed any more. Make a new one: payrun plan FILE',
  PLAN_DECLINED: `Plan sha256:12ab was declined by Kofi, 2026-11-27 12:00:00 UTC: row 4 is wrong. Nothing was sent.
  Make a new plan, and have it approved: payrun plan FILE --batch nov`,
  PLAN_DIFFERS: `Plan sha256:12ab (nov.plan.json) is not what would be paid now. Nothing was sent.
  row 4: amount was '1500', is '2500'
  Put back what differs and run it again; or make a new plan, and have it approved: payrun plan FILE`,
  BATCH_LEAVES_PLAN: `Batch nov runs under plan sha256:12ab, and would not be paid as that says: --canary was 3, is 0. Nothing was sent.
  Go on as the plan says, or make a new plan of the sheet, and run that: payrun plan november.csv --batch nov`,
  RETRY_UNPLANNED: `Batch nov runs under a plan, and to send its unpaid rows again makes new payments, of which that plan says nothing. Nothing was sent.
  Make a plan of how it stands now, and retry with its digest: payrun plan november.csv --batch nov`,
  APPROVALS_TOO_FEW: `Plan sha256:12ab has 1 of 2 approvals (Kofi): a payee gets 60,000 ZAR, above 50,000 ZAR.
  nov.Esi.sig.json does not count: 'Esi' is no approver.
  These may still sign it: Thandi.
  Have it approved, and run it again: payrun approve nov.plan.json --key FILE
  Nothing was sent.`,
  MAKER_REFUSED: `Plan sha256:12ab was made by 'Esi', who is none of the makers of policy.json.
  Make a new one: payrun plan FILE --maker NAME
  Nothing was sent.`,
  MAKER_UNSIGNABLE: `The plan nov.plan.json was made by 'Esi', who is none of the makers of policy.json: no signature lets it be paid. Nothing was signed.
  Ask for a new one: payrun plan FILE --maker NAME`,
  SIGNATURE_USELESS: "The signature of Esi would not count by policy.json: 'Esi' is no approver. Nothing was written.",
  SIGNED_PLAN_MISSING: `The policy asks for approvals, and no signed plan that is still good lies beside the sheet. Nothing was sent.
  Make one with the same options: payrun plan FILE. It names the next step.`,
  SIGNED_PLANS_SEVERAL: `The policy asks for approvals, and several signed plans lie beside the sheet: nov.plan.json, nov.plan-2.json. Nothing was sent.
  Say which one with --approve DIGEST.`,
  BATCH_UNAPPROVED: `The policy asks for approvals, and batch nov has november.csv as its newest sheet, which came without a plan. Nothing was sent.
  Make a plan of its sheet, have it approved, and run that: payrun plan november.csv --batch nov`,
  SHEET_UNAPPROVED: `Batch nov was approved under a policy, and this sheet has no approval for what it adds or changes. Nothing was sent.
  Have it approved where the batch was, at the console or under its policy; or pay it as a batch of its own.`,
  RETRY_UNAPPROVED: `Batch nov was approved under a policy, and to send its unpaid rows again needs a new approval. Nothing was sent.
  Retry it where it was approved, at the console or under its policy.`,
  RELEASE_UNAPPROVED: "Row k4 of batch nov stays held: 'Esi' is no approver. Nothing was sent.",
  POLICY_NOT_FOUND:
    'No policy is found here, and payments need the approvals of the one at /srv/pay/policy.json. Nothing was sent. Give the command in its folder, or name it with PAYRUN_POLICY or `policy` in payrun.config.json.',
  POLICY_DIFFERS:
    'The policy policy.json is not the one that payments here need, which is at /srv/pay/policy.json. Nothing was sent. Use that one, or change it where it is.',
  POLICY_UNUSABLE: 'The policy policy.json cannot be used: currencies[1]: ZAR stands twice. Nothing was sent.',
  KEY_UNUSABLE: 'The key ama.key cannot be used: the passphrase is another one, or the file was changed.',
  SERVICE_UNREACHABLE: 'The payout service at https://pay.example cannot be reached: connection refused',
  SERVICE_ANSWER: 'The payout service answered GET /payments in a way that cannot be used: a marker came twice',
  SERVICE_UNREADABLE:
    'The payout service at https://pay.example left 5 payments in doubt, and one row sent alone as well, so nothing more is sent. The last: no answer in time',
  REFUSED_IN_A_ROW:
    'The payout service refused 10 payments one after another, so nothing more is sent. The last: no such account. Find out what they have in common before the rest goes on.',
  SERVICE_REFUSED: 'POST /merchants answered 422: name is required',
  SERVICE_LACKS: 'The service has no payment p1',
  DOCUMENTS_NOT_LISTED: 'The service lists no documents for payment p1 at a path that is known here',
  CREDENTIALS_REFUSED: 'The payout service refused the credentials: POST /token answered 401: no such key',
  SERVICE_BUSY: 'The payout service kept answering "too many requests": POST /payments: 429',
  TAG_LOST:
    "Payment p1 did not come back with its tag 'K7Q2' within 20 s. Without its tag a payment cannot be found again after a lost answer, so nothing more is sent.",
  PASS_INCOMPLETE:
    "The service's list of payments cannot be relied on: it lacks payment p1, which it held a moment ago. Nothing more is sent.",
  PAID_ELSEWHERE:
    'Rows of this batch were paid from elsewhere. Requests that this ledger does not know of may still be under way, so nothing more is sent before 2026-11-27 12:00:00 UTC; the same command then looks again and goes on.',
  SENT_ELSEWHERE:
    'Payments were sent to https://pay.example with these credentials, the last before 2026-11-27 12:00:00 UTC, and not from the ledger pay.db. Requests that this ledger does not know of may still be under way, so nothing more is sent before 2026-11-27 12:00:00 UTC; the same command then looks again and goes on.',
  LEDGER_RESTORED:
    'The ledger pay.db is older than what was sent from it: it was restored from a copy. Requests that this ledger does not know of may still be under way, so nothing more is sent before 2026-11-27 12:00:00 UTC; the same command then looks again and goes on.',
  PAID_TWICE:
    'A row has two payments at the service (k4 of batch nov). Nothing more is sent. Ask the service to stop or return one of each; once that is under way, payrun resolve nov --row k4 --known --reason TEXT lets the other rows go on.',
  COPIES_PAID:
    'A payee may be paid twice: row 4 of batch oct (payment p1, 900 ZAR) had ended unpaid and is paid, and meanwhile row 5 of batch nov (payment in doubt, 900 ZAR) was sent: the same payee, amount and reference. Nothing more is sent. Ask the service to stop or return one of each two; once that is under way, or if both are meant, payrun resolve nov --row k4 --known --reason TEXT lets the other rows go on.',
  PAYMENT_UNDONE:
    'The service no longer says that 2 rows it had paid out (k4 of batch nov, k5 of batch nov) were paid; the result has what it says now. Nothing was sent after that. Ask the service whether the money left.',
  DEPOSIT_CHANGED:
    "The service changed the deposit details of 1 payment. Row k4, payment p1: first 'account 123', now 'account 456'. Deposit nothing there, and do not take the newer ones: ask the service, by a way that you knew before. Nothing more is sent until somebody has, and says so: payrun resolve nov --row k4 --known --reason TEXT",
  CANARY_OPEN:
    'Sent ahead of the others: 3 rows, of which 1 paid by now. Nothing more is sent before all are. The same command follows them, and goes on.',
  CANARY_UNPAID:
    'Row 3, which went ahead of the others, is not paid: The service refused the payment: no such account. Nothing more is sent. Find out why; then send it again (payrun retry nov), or let the others go without it with --canary 0, and under a plan by a new one.',
  RAIL_SHUT:
    '2 rows would be more than the rail takes in one payment at this hour, and not sent before 2026-11-27 12:00:00 UTC; the same command then goes on.',
  OUTSIDE_PAY_WINDOW:
    'Outside the pay window (08:00-16:00): nothing is sent before 2026-11-27 12:00:00 UTC; the same command then goes on.',
  PAUSED:
    'Batch nov is paused (ask the bank): nothing more of it is sent, and what was under way has ended. Once it may go on: payrun pause --end, with the batch where it was paused by its name; then payrun resume nov.',
  STOPPED_BEFORE:
    'A person stopped batch nov: what is left of it is not sent before somebody goes on with it. To go on: payrun resume nov.',
  STOPPED: 'Stopped by SIGINT: nothing new was sent, and what was in flight has ended.',
};

it.each(Object.entries(said) as [ErrorCode, string][])('%s', (code, words) => {
  expect(refusalWords({ code, facts: refusalExamples[code] })).toBe(words);
  expectFigures(refusalWords({ code, facts: enlarged(refusalExamples[code]) }));
});
