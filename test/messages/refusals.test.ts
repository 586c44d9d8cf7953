/** The words of every refusal. Elsewhere refusals are compared as codes and facts. */
import { expect, it } from 'vitest';
import { refusalExamples } from '../../scripts/refusal-examples.ts';
import type { ErrorCode } from '../../src/base/refusal.ts';
import { refusalWords } from '../../src/messages/refusals.ts';

const said: { readonly [C in ErrorCode]: string } = {
  USAGE: '--cap was given twice',
  CONFIG: 'PAYRUN_CONFIG names pay.json, and there is no such file',
  CREDENTIALS_MISSING:
    'No payout service is configured: PAYRUN_API_KEY not set. Set PAYRUN_BASE_URL, PAYRUN_API_KEY and PAYRUN_API_SECRET, or use --sandbox for the embedded service.',
  FILE_UNREADABLE: 'Cannot read november.xlsx: there is no such file.',
  MAP_UNUSABLE: 'The map bank.json cannot be used: it is no object',
  CORRECTIONS_UNUSABLE: 'The corrections fixes.json cannot be used: it is no list',
  FOLDER_UNWRITABLE: 'Cannot write to out: you may not write there; choose another folder with --out.',
  FOLDER_UNUSABLE: 'The folder inbox cannot be watched: there is no such folder.',
  DISK_UNWRITABLE:
    'pay.db.files cannot be written: its disk is full. Nothing was sent. See that its disk works and has room; the same command then goes on.',
  COPIES_UNWRITABLE:
    'No copy of the sheet can be kept in pay.db.files: you may not write there. Nothing was sent. Let the user that Payrun runs as write there; the same command then goes on.',
  FOLDER_BUSY: 'Another watcher holds the folder inbox (process 41). Wait for it to end; nothing was taken.',
  SHEET_REFUSED: 'The sheet is empty.',
  SHEET_CHANGED:
    'The sheet november.xlsx is not the one any more that was taken: its bytes were changed since. Nothing was sent.',
  TOTALS_DIFFER: 'The sheet is not what its totals say.',
  OVER_CAP: 'More would be sent than the caps allow.',
  VARIANCE: 'The sheet is not like the last of its series.',
  LEDGER_BUSY: 'Another run holds the ledger pay.db (process 41). Wait for it to end; nothing was sent.',
  LEDGER_OF_OTHER_BUILD:
    'The ledger pay.db was made by payrun 0.1.0 (ledger format 40), and payrun 0.2.0 cannot read it. Nothing was sent. Finish its batches with the build that made it, or name a new ledger with --ledger.',
  LEDGER_UNUSABLE: 'The ledger pay.db cannot be used: it is the database of another program. Nothing was sent.',
  LEDGER_UNWRITABLE:
    'The ledger pay.db can no longer be used: database or disk is full. Nothing more is sent; what was in flight is looked for by the next run. See that its disk works and has room, and that no other program holds it, and run it again.',
  LEDGER_DAMAGED:
    'The ledger is damaged: the content of row k4 of batch nov was changed outside Payrun. Nothing more is sent. Keep the file and restore a backup.',
  BATCH_UNKNOWN: 'The ledger has no batch nov. `payrun list` names the ones it has.',
  BATCH_CHANGED: 'The batch was changed.',
  REPEATS_A_DOUBT:
    'Row 4 is like row 7 of batch oct, which is in doubt: it may have been paid. Nothing was sent, and no reason to pay again counts until that is settled. Run payrun reconcile oct.',
  CORRECTION_WAITS: 'A correction waits.',
  SHEET_OVERTAKEN: 'The sheet is overtaken.',
  IDENTITY_CHANGED:
    'Batch nov was sent from as https://pay.example, key 12ab…; this run is https://pay.example, key 34cd…, which may not see the earlier payments. Nothing was sent. Continue with that address and key, or show that this one sees the payments: payrun ledger rebind nov --reason TEXT. A new --batch name would pay every row again.',
  IDENTITY_UNPROVEN:
    'Batch nov stays with https://pay.example, key 12ab…: https://pay.example, key 34cd… does not show payment p1 of row k4 with its tag, so it may not be the same account. Nothing was changed. Go on with the address, key and user that the batch was sent with, or ask the service why the payment is not shown.',
  PLAN_REFUSED: 'The plan is refused.',
  APPROVAL_MISSING: 'An approval is missing.',
  POLICY_NOT_FOUND:
    'No policy is found here, and payments need the approvals of the one at /srv/pay/policy.json. Nothing was sent. Give the command in its folder, or name it with PAYRUN_POLICY or `policy` in payrun.config.json.',
  POLICY_DIFFERS:
    'The policy policy.json is not the one that payments here need, which is at /srv/pay/policy.json. Nothing was sent. Use that one, or change it where it is.',
  POLICY_UNUSABLE: 'The policy policy.json cannot be used: it names no approver. Nothing was sent.',
  KEY_UNUSABLE: 'The key ama.key cannot be used: the passphrase is wrong.',
  SERVICE_UNREACHABLE: 'The payout service at https://pay.example cannot be reached: connection refused',
  SERVICE_ANSWER: 'The payout service answered GET /payments in a way that cannot be used: a marker came twice',
  SERVICE_UNREADABLE:
    'The payout service at https://pay.example left 5 payments in doubt, and one row sent alone as well, so nothing more is sent. The last: no answer in time',
  REFUSED_IN_A_ROW:
    'The payout service refused 10 payments one after another, so nothing more is sent. The last: no such account. Find out what they have in common before the rest goes on.',
  SERVICE_REFUSED: 'POST /merchants: 422 name is required',
  CREDENTIALS_REFUSED: 'The payout service refused the credentials: POST /token answered 401: no such key',
  SERVICE_BUSY: 'The payout service kept answering "too many requests": POST /payments: 429',
  TAG_LOST: 'Payment p1 came back without its tag.',
  PASS_INCOMPLETE: "The service's list of payments cannot be relied on: a page was cut. Nothing more is sent.",
  OTHER_LEDGER:
    'Rows of this batch were paid from elsewhere. Requests that this ledger does not know of may still be under way, so nothing more is sent before 2026-11-27 12:00:00 UTC; the same command then looks again and goes on.',
  PAID_TWICE: 'Row k4 of batch nov has two payments.',
  PAYMENT_UNDONE:
    'The service no longer says that 2 rows it had paid out (k4 and k5 of batch nov) were paid; the result has what it says now. Nothing was sent after that. Ask the service whether the money left.',
  DEPOSIT_CHANGED:
    'The service changed the deposit details of 1 payment. Payment p1: account 123, then 456. Deposit nothing there, and do not take the newer ones: ask the service, by a way that you knew before. Nothing more is sent until somebody has, and says so: payrun resolve nov --row k4 --known --reason TEXT',
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
  PLANNED_SINCE:
    'A plan that goes on with batch nov was made at the console meanwhile: nothing more is sent before it is known whether that has rows of it otherwise. The same command looks, and goes on.',
  STOPPED_BEFORE:
    'A person stopped batch nov: what is left of it is not sent before somebody goes on with it. To go on: payrun resume nov.',
  STOPPED: 'Stopped by SIGINT: nothing new was sent, and what was in flight has ended.',
};

it.each(Object.entries(said) as [ErrorCode, string][])('%s', (code, words) => {
  expect(refusalWords({ code, facts: refusalExamples[code] })).toBe(words);
});
