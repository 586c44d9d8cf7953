/** The words of every refusal. Elsewhere refusals are compared as codes and facts. */
import { it } from 'vitest';
import { refusalExamples as example } from '../../scripts/refusal-examples.ts';
import type { ErrorCode, RefusalFacts, RowRefusalCode, SheetRefusalCode } from '../../src/base/refusal.ts';
import { refusalWords } from '../../src/messages/refusals.ts';
import { expectRefusalWords, refusalCases, type Said } from './cases.ts';
import { enlarged, expectFigures } from './figures.ts';

const [k4] = example.ROWS_DROPPED.rows.shown;
const two = { shown: [k4!, { ...k4!, key: 'k5' }], total: 2 };
const none = { shown: [], total: 0 };
const rand = (amount: string) => ({ amount, unit: 'whole', currency: 'ZAR' });

/** `row-refusals.test.ts` and `sheet-refusals.test.ts` have the words of the other refusals. */
const said: Said<Pick<RefusalFacts, Exclude<ErrorCode, RowRefusalCode | SheetRefusalCode>>> = {
  CREDENTIALS_MISSING: [
    example.CREDENTIALS_MISSING,
    'Payrun does not know the payout service, because these settings are missing: PAYRUN_API_KEY. Set PAYRUN_BASE_URL, PAYRUN_API_KEY and PAYRUN_API_SECRET, or use --sandbox for the embedded service.',
    'Payrun does not know the payout service, because these settings are missing: PAYRUN_API_KEY.',
  ],
  FILE_UNREADABLE: [example.FILE_UNREADABLE, 'Payrun cannot read november.xlsx: there is no such file.'],
  SHEET_COPY_GONE: [
    example.SHEET_COPY_GONE,
    `The copy of the sheet of batch nov is missing: pay.db.files/sheets/november.csv. No payment is lost: payrun list nov shows each row.
  Restore the folder pay.db.files/sheets from a backup. Or submit the same sheet again, which pays nothing twice: payrun run november.csv --batch nov`,
    `The copy of the sheet of batch nov is missing: pay.db.files/sheets/november.csv. No payment is lost.
Restore the folder pay.db.files/sheets from a backup. Or submit the same sheet again, which pays nothing twice.`,
  ],
  MAP_UNUSABLE: [
    [example.MAP_UNUSABLE, 'The map bank.json cannot be used: it names neither a column nor a value'],
    [
      { ...example.MAP_UNUSABLE, why: [{ fault: 'map-is-empty' }, { fault: 'no-file' }] },
      `The map bank.json cannot be used:
  it names neither a column nor a value
  there is no such file`,
      `The map bank.json cannot be used:
  it names neither a column nor a value.
  there is no such file.`,
    ],
  ],
  CORRECTIONS_UNUSABLE: [
    example.CORRECTIONS_UNUSABLE,
    "The corrections fixes.json cannot be used: the key 'to' is written twice inside the same braces; delete one of the two",
  ],
  HOT_FOLDER_REPLACED: [
    example.HOT_FOLDER_REPLACED,
    "The folder inbox cannot be watched: its subfolder 'taken' is missing. If the disk of the folder is not mounted, mount it again.",
  ],
  HOT_FOLDER_LOCK_DAMAGED: [
    example.HOT_FOLDER_LOCK_DAMAGED,
    'The folder inbox cannot be watched: its lock inbox/taken/lock is damaged (file is not a database). End every watcher of the folder, then delete the lock.',
  ],
  HOT_FOLDER_RECORD_UNREADABLE: [
    example.HOT_FOLDER_RECORD_UNREADABLE,
    'Payrun cannot read inbox/taken/nov/record.json, the record of an accepted sheet (it is not JSON: Unexpected end of JSON input). The watcher accepts no sheet until a person checks the folder inbox/taken/nov and moves it away.',
  ],
  FOLDER_UNWRITABLE: [
    example.FOLDER_UNWRITABLE,
    'Payrun cannot write to results: you have no write permission there. Choose another folder with --out.',
    'Payrun cannot write to results: you have no write permission there.',
  ],
  FOLDER_UNUSABLE: [example.FOLDER_UNUSABLE, 'The folder inbox cannot be watched: there is no such folder.'],
  DISK_UNWRITABLE: [
    example.DISK_UNWRITABLE,
    'Payrun cannot write to pay.db.files: its disk is full, or has no more room for this user. Nothing was sent. Make sure that the disk works and has room, then try again.',
  ],
  COPIES_UNWRITABLE: [
    example.COPIES_UNWRITABLE,
    'Payrun cannot store a copy of the sheet in pay.db.files: you have no write permission there. Nothing was sent. Give the user of the Payrun process write access to that folder, then try again.',
  ],
  FOLDER_BUSY: [
    example.FOLDER_BUSY,
    'Another watcher holds the folder inbox (process 41, since 2026-11-27 12:00:00 UTC). No sheet was accepted. Wait until that watcher ends.',
  ],
  LEDGER_HAS_NO_BATCH: [example.LEDGER_HAS_NO_BATCH, 'The ledger pay.db has no batch yet.'],
  LEDGER_ADDRESS_UNUSABLE: [
    example.LEDGER_ADDRESS_UNUSABLE,
    'The address of the ledger cannot be used: write an address such as postgres://user@host/database.',
  ],
  LEDGER_COPY_NEEDS_POSTGRES:
    'Payrun copies a ledger only between a file and Postgres. Nothing was copied. To move a ledger file, end the programs that use it, and move the file.',
  COPY_MEETS_OTHER_LEDGER: [
    [
      example.COPY_MEETS_OTHER_LEDGER,
      'The ledger pay.db was not copied: postgres://pay holds another ledger. Name another schema (?schema=NAME).',
      null,
    ],
    [
      { from: 'postgres://pay', to: 'pay.db', isPostgres: false },
      'The ledger postgres://pay was not copied: pay.db holds another ledger. Name another file.',
      null,
    ],
  ],
  COPY_MEETS_EARLIER_STATE: [
    [
      example.COPY_MEETS_EARLIER_STATE,
      'The ledger pay.db was not copied: postgres://pay holds an earlier state of this ledger. Send nothing from it. Name another schema (?schema=NAME), or drop the existing schema (DROP SCHEMA … CASCADE).',
      null,
    ],
    [
      { from: 'postgres://pay', to: 'pay.db', isPostgres: false },
      'The ledger postgres://pay was not copied: pay.db holds an earlier state of this ledger. Send nothing from it. Name another file, or move the existing file away.',
      null,
    ],
  ],
  COPY_WENT_APART: [
    example.COPY_WENT_APART,
    'The ledger pay.db was not copied: postgres://pay holds this ledger too, and both have changed separately. End the programs that use them, continue with the one that paid last, and keep the other one unused.',
    null,
  ],
  WORKERS_NEED_POSTGRES: [
    example.WORKERS_NEED_POSTGRES,
    'Workers and schedules need a ledger on Postgres, and pay.db is a file. Nothing was changed. Name a ledger on Postgres with --ledger or PAYRUN_LEDGER (docs/how-to/workers.md). To stop a run on this ledger, press Ctrl-C in its terminal.',
    null,
  ],
  SCHEDULE_UNUSABLE: [
    example.SCHEDULE_UNUSABLE,
    "The schedule --cron '0 8 * *' --zone 'UTC' cannot be used: it needs five fields (minute, hour, day, month and day of the week), none of them random (H).",
    null,
  ],
  CAP_UNUSABLE: [
    example.CAP_UNUSABLE,
    "The cap --cap 'ZAR:row=1.5' cannot be used: write it as ZAR:batch=2000000, with a whole number of at most 18 digits; the currencies are ZAR, NGN, and each has a cap for row, day.",
    null,
  ],
  EXPECT_UNUSABLE: [
    example.EXPECT_UNUSABLE,
    "The control total --expect 'rows=x' cannot be used: write it as 'rows=212', 'ZAR=1904300', 'BTC:sat=1290000', 'USDT:hundredths=151' or 'accounts=HASH', with digits alone.",
    null,
  ],
  PAY_WINDOWS_NEVER_MEET: [
    [
      example.PAY_WINDOWS_NEVER_MEET,
      'The pay window of batch nov (08:00-10:00) never overlaps the pay window that applies now (12:00-16:00 every day in Johannesburg). Nothing was sent. Submit the sheet again with another pay window: payrun run november.csv --batch nov --pay-window WINDOW',
      'The pay window of batch nov (08:00-10:00) never overlaps the pay window that applies now (12:00-16:00 every day in Johannesburg). Nothing was sent. Submit the sheet again with another pay window.',
    ],
    [
      {
        ...example.PAY_WINDOWS_NEVER_MEET,
        others: [
          { from: 720, until: 960, days: 'every', closed: [] },
          { from: 600, until: 660, days: 'every', closed: [] },
        ],
      },
      `The pay window of batch nov (08:00-10:00) never overlaps the pay window that applies now (12:00-16:00 every day in Johannesburg and 10:00-11:00 every day in Johannesburg). Nothing was sent. Submit the sheet again with another pay window: payrun run november.csv --batch nov --pay-window WINDOW`,
      `The pay window of batch nov (08:00-10:00) never overlaps the pay window that applies now (12:00-16:00 every day in Johannesburg and 10:00-11:00 every day in Johannesburg). Nothing was sent. Submit the sheet again with another pay window.`,
    ],
  ],
  WEBHOOKS_UNHEARD: [
    example.WEBHOOKS_UNHEARD,
    'Payrun cannot receive webhooks on 127.0.0.1:8080: the address is in use.',
  ],
  ROW_UNKNOWN: [
    example.ROW_UNKNOWN,
    "Batch nov has no row 'k9'. Name the row by its payrun_row, or by its number in the newest sheet, november.csv.",
  ],
  ROWS_AMBIGUOUS: [
    example.ROWS_AMBIGUOUS,
    "'4' can mean different rows of batch nov. Nothing was done. Repeat the command with --seen abc for row 4 (Wan B, 1,500 ZAR), or with --seen def for row k4 (Wan B, 1,500 ZAR, row 4 of the sheet).",
    "'4' can mean different rows of batch nov. Nothing was done. Choose the row on the page of the batch.",
  ],
  ROW_NOT_UNPAID: [
    example.ROW_NOT_UNPAID,
    "Row 'k4' of this sheet is no unpaid row of batch nov as it was sent.\n  To send corrected rows, plan the sheet without --retry.",
    "Row 'k4' of this sheet is no unpaid row of batch nov as it was sent.\nUpload a sheet to correct unpaid rows.",
  ],
  PLAN_MOVED:
    'The plan changed after you opened it, or waits no longer. Nothing was done. Read the plan of this sheet again.',
  ROW_MOVED: [
    { batch: 'nov', row: 'k4' },
    'Row k4 of batch nov changed after the command was printed. Nothing was done. Read the row as it is now, then decide: payrun explain nov k4',
    'Row k4 of batch nov changed after you opened it. Nothing was done. Read the row again, then decide.',
  ],
  BATCH_MOVED: [
    { batch: 'nov' },
    'The rows of batch nov changed after the command was printed. Nothing was done. Read the rows as they are now, then decide: payrun list nov',
    'The unpaid rows of batch nov changed after you opened it. Nothing was sent. Read the batch again, then decide.',
  ],
  PAUSE_MOVED: [
    [
      { batch: 'nov' },
      'The pause of batch nov began or ended after you saw it. Nothing was done. Read who paused what and why, then decide.',
    ],
    [
      { batch: null },
      'The pause of all batches began or ended after you saw it. Nothing was done. Read who paused what and why, then decide.',
    ],
  ],
  LEAD_MOVED: [
    { batch: 'nov' },
    'Another process opened, continued, stopped or scheduled batch nov first. This run sent nothing. Check the status of the batch, then decide.',
  ],
  PAYMENT_UNKNOWN: [example.PAYMENT_UNKNOWN, 'No row of this ledger has payment p1.'],
  TEMPLATE_FORMAT_UNKNOWN: 'Payrun writes a template only as .xlsx or .csv.',
  RESULT_FORMAT_UNKNOWN: [
    example.RESULT_FORMAT_UNKNOWN,
    "Payrun writes a result only as .csv or .xlsx, so 'nov.ods' is not possible.",
  ],
  WORKBOOK_ROWS_TOO_MANY: [
    example.WORKBOOK_ROWS_TOO_MANY,
    'The result needs 1,048,577 rows, and a sheet of a workbook has at most 1,048,576. Ask for CSV (--format csv).',
    'The result needs 1,048,577 rows, and a sheet of a workbook has at most 1,048,576. Ask for CSV.',
  ],
  WORKBOOK_CELLS_TOO_MANY: [
    {},
    'The result has too many cells: its workbook would unpack to more than 1 GiB. Ask for CSV (--format csv).',
    'The result has too many cells: its workbook would unpack to more than 1 GiB. Ask for CSV.',
  ],
  CONSOLE_BUSY: [
    example.CONSOLE_BUSY,
    'Another console uses the ledger pay.db (process 41, since 2026-11-27 12:00:00 UTC). Use that console, or end it first.',
  ],
  CONSOLE_HAS_NO_ACCOUNTS: [
    example.CONSOLE_HAS_NO_ACCOUNTS,
    '--listen 0.0.0.0 opens the console to other machines, but nobody has an account yet. Start the console without --listen. Create an account through the link that the console prints. Then start the console with --listen again.',
    null,
  ],
  CONSOLE_ADDRESS_UNUSABLE: [
    example.CONSOLE_ADDRESS_UNUSABLE,
    'The console cannot listen on 127.0.0.1:4000: the address is in use.',
  ],
  CONSOLE_PAGE_MISSING: [
    example.CONSOLE_PAGE_MISSING,
    'The console cannot start, because its page is missing from dist/page.',
  ],
  SERVICE_DATA_BUSY: [
    example.SERVICE_DATA_BUSY,
    'Another payout service uses the data folder pay-data (process 41, since 2026-11-27 12:00:00 UTC). Stop that service, or choose another folder with --data.',
    null,
  ],
  SERVICE_DATA_FOREIGN: [
    example.SERVICE_DATA_FOREIGN,
    'The secret (pepper) in the data folder pay-data does not belong to this database. With --data, name the folder that the other nodes use.',
    null,
  ],
  SERVICE_DATABASE_UNUSABLE: [
    example.SERVICE_DATABASE_UNUSABLE,
    "The service's database at db.example/payouts cannot be used: connection refused.",
  ],
  SERVICE_ADDRESS_UNUSABLE: [
    example.SERVICE_ADDRESS_UNUSABLE,
    'The service cannot listen on 127.0.0.1:80: the address is not allowed.',
  ],
  BASE_PATH_INVALID: [example.BASE_PATH_INVALID, "'v1' is not a base path. Write a path such as /payout/v1."],
  PUBLIC_URL_INVALID: [
    example.PUBLIC_URL_INVALID,
    "'pay' is not a public address. Write an address such as https://pay.example/v1.",
  ],
  FAULT_ROUTE_UNKNOWN: [
    example.FAULT_ROUTE_UNKNOWN,
    "A fault names 'GET /x', which is not a route of the service. The routes are *, GET /payments, webhook.",
  ],
  FAULT_KIND_MISPLACED: [
    example.FAULT_KIND_MISPLACED,
    "A fault of the kind 'repeat' has no effect on 'GET /payments'. Only webhook has the kinds repeat and postpone, and webhook has no other kinds.",
  ],
  TENANT_NAMELESS: 'A tenant needs a name.',
  TENANT_UNKNOWN: [example.TENANT_UNKNOWN, 'No tenant has the API key pk_1.'],
  USER_UNKNOWN: [example.USER_UNKNOWN, 'No user has the userId u1. GET /users lists the userId of each user.'],
  USER_DISABLED: [example.USER_DISABLED, 'The user u1 is disabled.'],
  SHEET_HAS_PROBLEMS: [example.SHEET_HAS_PROBLEMS, 'The sheet was refused: name is empty; write who is paid'],
  PAYEES_REFUSED: [
    [
      example.PAYEES_REFUSED,
      'The service did not accept 2 payees. Nothing was sent. Correct the rows of these payees, or pay the other rows with --skip-invalid.',
      'The service did not accept 2 payees. Nothing was sent. Correct the rows of these payees, or leave them out.',
    ],
    [
      { payees: 1 },
      'The service did not accept 1 payee. Nothing was sent. Correct the rows of this payee, or pay the other rows with --skip-invalid.',
      'The service did not accept 1 payee. Nothing was sent. Correct the rows of this payee, or leave them out.',
    ],
  ],
  SHEET_CHANGED: [
    example.SHEET_CHANGED,
    'The sheet november.xlsx changed after it was accepted or planned. Nothing was sent. Submit or plan the sheet again.',
  ],
  TOTALS_DIFFER: [
    [
      example.TOTALS_DIFFER,
      `The sheet does not match its control totals. Nothing was sent.
  --expect: 4 rows expected, the sheet has 3 to pay
  november.totals.json: 5,000 ZAR expected, the sheet has none
  november.totals.json: no total of this currency expected, the sheet has 9,000 sat
  november.totals.json: the sheet pays other accounts than expected
  Ask the person who made the sheet whether the sheet or a total is wrong. Do not copy the totals from the sheet itself.`,
      `The sheet does not match its control totals. Nothing was sent.
  Control total: 4 rows expected, the sheet has 3 to pay.
  november.totals.json: 5,000 ZAR expected, the sheet has none.
  november.totals.json: no total of this currency expected, the sheet has 9,000 sat.
  november.totals.json: the sheet pays other accounts than expected.
Ask the person who made the sheet whether the sheet or a total is wrong. Do not copy the totals from the sheet itself.`,
    ],
    [
      {
        differences: [
          { source: '--expect', of: 'rows', expected: 1, found: 3000 },
          { source: '--expect', of: 'money', money: 'ZAR', expected: '5000', found: '4000' },
          { source: '--expect', of: 'money', money: 'BTC:sat', expected: null, found: '9000' },
          { source: '--expect', of: 'accounts' },
        ],
      },
      `The sheet does not match its control totals. Nothing was sent.
  --expect: 1 row expected, the sheet has 3,000 to pay
  --expect: 5,000 ZAR expected, the sheet has 4,000 ZAR
  --expect: no total of this currency expected, the sheet has 9,000 sat
  --expect: the sheet pays other accounts than expected
  Ask the person who made the sheet whether the sheet or a total is wrong. Do not copy the totals from the sheet itself.`,
      `The sheet does not match its control totals. Nothing was sent.
  Control total: 1 row expected, the sheet has 3,000 to pay.
  Control total: 5,000 ZAR expected, the sheet has 4,000 ZAR.
  The sheet also has 9,000 sat, and no total was given for this currency. Give a total for every currency.
  Control total: the sheet pays other accounts than expected.
Ask the person who made the sheet whether the sheet or a total is wrong. Do not copy the totals from the sheet itself.`,
    ],
  ],
  TOTALS_MISSING: [
    example.TOTALS_MISSING,
    `Control totals are required here, and november.csv has none. Nothing was sent.
  Ask the person who made the sheet for its totals, but not through the channel of the sheet. Then put november.totals.json beside the sheet, or use --expect rows=N --expect ZAR=SUM.`,
    `Control totals are required here, and november.csv has none. Nothing was sent.
Ask the person who made the sheet for its totals, but not through the channel of the sheet. Then enter them here.`,
  ],
  OVER_CAP: [
    [
      example.OVER_CAP,
      `The payments of this sheet exceed a cap. Nothing was sent.
  row cap of 1,000 ZAR: row 7 pays 1,200 ZAR
  and 1 more row
  payee cap of 1,500 ZAR: 'Thandi' (row 4 and 2 more) gets 1,600 ZAR to 2 accounts under this name
  and 2 more payees
  batch cap of 5,000 ZAR: 4,000 ZAR was sent of it before, and 2,000 ZAR would be sent now
  day cap of 9,000 ZAR: on 2026-11-27, 9,001 ZAR would be sent
  Remove rows from the sheet, or ask the person who maintains payrun.config.json to raise the cap. Do not split an amount: Payrun adds up all rows and accounts of a payee. Give two payees with the same name fuller names.
  A new day begins at 2026-11-27 14:00 in Johannesburg.`,
      `The payments of this sheet exceed a cap. Nothing was sent.
  row cap of 1,000 ZAR: row 7 pays 1,200 ZAR.
  and 1 more row.
  payee cap of 1,500 ZAR: 'Thandi' (row 4 and 2 more) gets 1,600 ZAR to 2 accounts under this name.
  and 2 more payees.
  batch cap of 5,000 ZAR: 4,000 ZAR was sent of it before, and 2,000 ZAR would be sent now.
  day cap of 9,000 ZAR: on 2026-11-27, 9,001 ZAR would be sent.
Remove rows from the sheet, or ask the person who maintains payrun.config.json to raise the cap. Do not split an amount: Payrun adds up all rows and accounts of a payee. Give two payees with the same name fuller names.
A new day begins at 2026-11-27 14:00 in Johannesburg.`,
    ],
    [
      {
        over: [
          { money: 'ZAR', cap: '1500', of: 'payee', name: 'Thandi', row: 4, rows: 1, accounts: 1, amount: '1600' },
          { money: 'ZAR', cap: '5000', of: 'batch', before: '0', now: '6000' },
          { money: 'ZAR', cap: '9000', of: 'day', day: '2026-11-27', before: '8000', now: '2000' },
          { money: 'ZAR', cap: '9000', of: 'rows', more: 2 },
          { money: 'ZAR', cap: '9000', of: 'payees', more: 1 },
        ],
        dayEnds: null,
      },
      `The payments of this sheet exceed a cap. Nothing was sent.
  payee cap of 1,500 ZAR: 'Thandi' (row 4) gets 1,600 ZAR to one account
  batch cap of 5,000 ZAR: 6,000 ZAR would be sent
  day cap of 9,000 ZAR: on 2026-11-27, 8,000 ZAR was sent already, and 2,000 ZAR would be sent now
  and 2 more rows
  and 1 more payee
  Remove rows from the sheet, or ask the person who maintains payrun.config.json to raise the cap. Do not split an amount: Payrun adds up all rows and accounts of a payee. Give two payees with the same name fuller names.`,
      `The payments of this sheet exceed a cap. Nothing was sent.
  payee cap of 1,500 ZAR: 'Thandi' (row 4) gets 1,600 ZAR to one account.
  batch cap of 5,000 ZAR: 6,000 ZAR would be sent.
  day cap of 9,000 ZAR: on 2026-11-27, 8,000 ZAR was sent already, and 2,000 ZAR would be sent now.
  and 2 more rows.
  and 1 more payee.
Remove rows from the sheet, or ask the person who maintains payrun.config.json to raise the cap. Do not split an amount: Payrun adds up all rows and accounts of a payee. Give two payees with the same name fuller names.`,
    ],
  ],
  VARIANCE: [
    [
      example.VARIANCE,
      `The sheet failed the comparison with the last sheet of its series. Nothing was sent.
  the total went from 1,000 ZAR to 1,500 ZAR (+50.0 %)
  the amounts of 3 payees changed by more than 20 %
  If the difference is intended, run the sheet again with --confirm-variance "the reason". If not, correct the sheet.`,
      `The sheet failed the comparison with the last sheet of its series. Nothing was sent.
  the total went from 1,000 ZAR to 1,500 ZAR (+50.0 %).
  the amounts of 3 payees changed by more than 20 %.
If the difference is intended, say why, and plan the sheet again.`,
    ],
    [
      { beyond: [{ of: 'no-series' }] },
      `The sheet failed the comparison with the last sheet of its series. Nothing was sent.
  the sheet has no series: say which with --series NAME
  If the difference is intended, run the sheet again with --confirm-variance "the reason". If not, correct the sheet.`,
      `The sheet failed the comparison with the last sheet of its series. Nothing was sent.
  the sheet has no series.
If the difference is intended, say why, and plan the sheet again.`,
    ],
    [
      {
        beyond: [
          { of: 'first-of-series', series: 'pay' },
          { of: 'payees', payees: 1, percent: 20 },
        ],
      },
      `The sheet failed the comparison with the last sheet of its series. Nothing was sent.
  the first batch of series pay: there is nothing to compare it with
  the amounts of 1 payee changed by more than 20 %
  If the difference is intended, run the sheet again with --confirm-variance "the reason". If not, correct the sheet.`,
      `The sheet failed the comparison with the last sheet of its series. Nothing was sent.
  the first batch of series pay: there is nothing to compare it with.
  the amounts of 1 payee changed by more than 20 %.
If the difference is intended, say why, and plan the sheet again.`,
    ],
  ],
  LEDGER_BUSY: [
    example.LEDGER_BUSY,
    'Another run holds the ledger pay.db (process 41, since 2026-11-27 12:00:00 UTC). Nothing was sent. Wait until that run ends.',
  ],
  LEDGER_OF_OTHER_BUILD: [
    [
      example.LEDGER_OF_OTHER_BUILD,
      'The ledger pay.db is from payrun 0.1.0 (ledger format 40), and payrun 0.2.0 cannot read it. Nothing was sent. Finish the batches of the ledger with the version that made it, or name a new ledger with --ledger.',
      'The ledger pay.db is from payrun 0.1.0 (ledger format 40), and payrun 0.2.0 cannot read it. Nothing was sent. Finish the batches of the ledger with the version that made it.',
    ],
    [
      { ...example.LEDGER_OF_OTHER_BUILD, other: null },
      'The ledger pay.db is from a build of ledger format 40, and payrun 0.2.0 cannot read it. Nothing was sent. Finish the batches of the ledger with the version that made it, or name a new ledger with --ledger.',
      'The ledger pay.db is from a build of ledger format 40, and payrun 0.2.0 cannot read it. Nothing was sent. Finish the batches of the ledger with the version that made it.',
    ],
  ],
  LEDGER_UNUSABLE: [
    example.LEDGER_UNUSABLE,
    'The ledger pay.db cannot be used: it is the database of another program. Nothing was sent.',
  ],
  LEDGER_UNWRITABLE: [
    example.LEDGER_UNWRITABLE,
    'Payrun can no longer use the ledger pay.db: database or disk is full. Nothing more is sent. Check the disk of the ledger, and end other programs that hold the ledger. The next run finds the payments that were under way.',
  ],
  LEDGER_DAMAGED: [
    example.LEDGER_DAMAGED,
    'The ledger is damaged: row k4 of batch nov was changed outside Payrun. Nothing more is sent. Keep the file and restore a backup.',
  ],
  BATCH_UNKNOWN: [
    example.BATCH_UNKNOWN,
    'The ledger has no batch nov. `payrun list` lists the batches of the ledger.',
    'The ledger has no batch nov.',
  ],
  SENT_ROWS_CHANGED: [
    [
      example.SENT_ROWS_CHANGED,
      `This sheet changes 1 row that batch nov may have paid already. Nothing more was sent.
  row 7: amount was 1,500, is 2,500
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If this is the sheet of another month or of other payments: give it its own --batch name.
  If this sheet is older than the payments, do not use it. If not, put the values of batch nov back into these rows, and then: payrun run november.csv --batch nov
  To send the 1 unsent row of batch nov without this sheet: payrun resume nov
  To pay something more, add a new row with its own row_id and --add.`,
      `This sheet changes 1 row that batch nov may have paid already. Nothing more was sent.
  row 7: amount was 1,500, is 2,500.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If this is the sheet of another month or of other payments: plan it as a new batch.
If this sheet is older than the payments, do not use it. If not, put the values of batch nov back into these rows, and upload the sheet again.
To send the 1 unsent row of batch nov without this sheet, continue the batch.
To pay something more, add a new row with its own row id.`,
    ],
    [
      {
        ...example.SENT_ROWS_CHANGED,
        unsent: 2,
        rows: {
          shown: [
            {
              row: 7,
              changes: [
                { column: 'name', was: 'Thandi', now: null },
                { column: 'account', was: '…89', now: '…89' },
              ],
            },
          ],
          total: 2,
        },
      },
      `This sheet changes 2 rows that batch nov may have paid already. Nothing more was sent.
  row 7: name was 'Thandi', is empty; account was '…89', is another value with the same end
  and 1 row more
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If this is the sheet of another month or of other payments: give it its own --batch name.
  If this sheet is older than the payments, do not use it. If not, put the values of batch nov back into these rows, and then: payrun run november.csv --batch nov
  To send the 2 unsent rows of batch nov without this sheet: payrun resume nov
  To pay something more, add a new row with its own row_id and --add.`,
      `This sheet changes 2 rows that batch nov may have paid already. Nothing more was sent.
  row 7: name was 'Thandi', is empty; account was '…89', is another value with the same end.
  and 1 row more.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If this is the sheet of another month or of other payments: plan it as a new batch.
If this sheet is older than the payments, do not use it. If not, put the values of batch nov back into these rows, and upload the sheet again.
To send the 2 unsent rows of batch nov without this sheet, continue the batch.
To pay something more, add a new row with its own row id.`,
    ],
    [
      { ...example.SENT_ROWS_CHANGED, unsent: 0 },
      `This sheet changes 1 row that batch nov may have paid already. Nothing more was sent.
  row 7: amount was 1,500, is 2,500
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If this is the sheet of another month or of other payments: give it its own --batch name.
  If this sheet is older than the payments, do not use it. If not, put the values of batch nov back into these rows, and then: payrun run november.csv --batch nov
  To pay something more, add a new row with its own row_id and --add.`,
      `This sheet changes 1 row that batch nov may have paid already. Nothing more was sent.
  row 7: amount was 1,500, is 2,500.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If this is the sheet of another month or of other payments: plan it as a new batch.
If this sheet is older than the payments, do not use it. If not, put the values of batch nov back into these rows, and upload the sheet again.
To pay something more, add a new row with its own row id.`,
    ],
  ],
  ROWS_ADDED: [
    [
      example.ROWS_ADDED,
      `Batch nov has already sent 40 rows. This sheet adds 2 new rows (3,000 ZAR) and lacks 1 row of the batch. Nothing more was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  Payrun would hold 1 new row, because a person decides about possible repeats:
  row 3 looks like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference
  If this is the wrong sheet, do nothing. If this is the sheet of another month or of other payments: give it its own --batch name.
  If this sheet is the whole list now (Payrun closes row k4 (Wan B, 1,500 ZAR) unpaid): payrun run november.csv --batch nov --add --drop
  If this sheet only adds rows to the batch: payrun run november.csv --batch nov --add`,
      `Batch nov has already sent 40 rows. This sheet adds 2 new rows (3,000 ZAR) and lacks 1 row of the batch. Nothing more was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
Payrun would hold 1 new row, because a person decides about possible repeats:
  row 3 looks like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference.
If this is the wrong sheet, discard it. If this is the sheet of another month or of other payments: plan it as a new batch.
If this sheet is the whole list now (Payrun closes row k4 (Wan B, 1,500 ZAR) unpaid): use the button below.
If this sheet only adds rows to the batch: use the second button.`,
    ],
    [
      { ...example.ROWS_ADDED, held: none, missing: 0, dropped: none },
      `Batch nov has already sent 40 rows. This sheet adds 2 new rows (3,000 ZAR). Nothing more was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If this is the wrong sheet, do nothing. If this is the sheet of another month or of other payments: give it its own --batch name.
  If this sheet only adds rows to the batch: payrun run november.csv --batch nov --add`,
      `Batch nov has already sent 40 rows. This sheet adds 2 new rows (3,000 ZAR). Nothing more was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If this is the wrong sheet, discard it. If this is the sheet of another month or of other payments: plan it as a new batch.
If this sheet is the whole list now: use the button below.`,
    ],
    [
      {
        ...example.ROWS_ADDED,
        money: [rand('3000'), { amount: '900', unit: 'sat', currency: 'BTC' }],
        held: { ...example.ROWS_ADDED.held, total: 2 },
        missing: 2,
        dropped: two,
        addition: null,
      },
      `Batch nov has already sent 40 rows. This sheet adds 2 new rows (3,000 ZAR, 900 sat) and lacks 2 rows of the batch. Nothing more was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  Payrun would hold 2 new rows, because a person decides about possible repeats:
  row 3 looks like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference
  and 1 row more
  If this is the wrong sheet, do nothing. If this is the sheet of another month or of other payments: give it its own --batch name.
  If this sheet is the whole list now (Payrun closes rows k4 (Wan B, 1,500 ZAR), k5 (Wan B, 1,500 ZAR) unpaid): payrun run november.csv --batch nov --add --drop`,
      `Batch nov has already sent 40 rows. This sheet adds 2 new rows (3,000 ZAR, 900 sat) and lacks 2 rows of the batch. Nothing more was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
Payrun would hold 2 new rows, because a person decides about possible repeats:
  row 3 looks like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference.
  and 1 row more.
If this is the wrong sheet, discard it. If this is the sheet of another month or of other payments: plan it as a new batch.
If this sheet is the whole list now (Payrun closes rows k4 (Wan B, 1,500 ZAR), k5 (Wan B, 1,500 ZAR) unpaid): use the button below.`,
    ],
  ],
  ROWS_DROPPED: [
    [
      example.ROWS_DROPPED,
      `Row k4 (Wan B, 1,500 ZAR) of batch nov is not paid, and this sheet lacks it. Nothing was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If nobody should pay this row: payrun run november.csv --batch nov --drop
  If not, put the missing rows back, and run it again.`,
      `Row k4 (Wan B, 1,500 ZAR) of batch nov is not paid, and this sheet lacks it. Nothing was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If nobody should pay this row: use the button below.
If not: put the missing rows back into the sheet, and upload it again.`,
    ],
    [
      { ...example.ROWS_DROPPED, rows: two, money: [rand('1500'), { amount: '900', unit: 'sat', currency: 'BTC' }] },
      `Rows k4 (Wan B, 1,500 ZAR), k5 (Wan B, 1,500 ZAR) of batch nov are not paid, and this sheet lacks them (1,500 ZAR, 900 sat). Nothing was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If nobody should pay these rows: payrun run november.csv --batch nov --drop
  If not, put the missing rows back, and run it again.`,
      `Rows k4 (Wan B, 1,500 ZAR), k5 (Wan B, 1,500 ZAR) of batch nov are not paid, and this sheet lacks them (1,500 ZAR, 900 sat). Nothing was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If nobody should pay these rows: use the button below.
If not: put the missing rows back into the sheet, and upload it again.`,
    ],
  ],
  ADDITION_CHANGES_ROWS: [
    example.ADDITION_CHANGES_ROWS,
    `A sheet that adds rows may not change other rows, but this sheet changes 1 row of batch nov. Nothing was sent.
  row 4: amount was 1,500, is 2,500
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If this sheet is the whole list now: payrun run november.csv --batch nov --add --drop`,
    `A sheet that adds rows may not change other rows, but this sheet changes 1 row of batch nov. Nothing was sent.
  row 4: amount was 1,500, is 2,500.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If this sheet is the whole list now: plan it as the next version of that batch.`,
  ],
  ADDITION_ENDS_MISTAKES: [
    example.ADDITION_ENDS_MISTAKES,
    `The newest sheet of batch nov has 2 lines with a mistake and without an id. A sheet that only adds rows would end them. Nothing was sent.
  Put the new rows and the lines with mistakes into one sheet that has all rows: payrun run november.csv --batch nov --add --drop
  Or pay the new rows as a batch of their own.`,
    `The newest sheet of batch nov has 2 lines with a mistake and without an id. A sheet that only adds rows would end them. Nothing was sent.
Put the new rows and the lines with mistakes into one sheet that has all rows: upload it.
Or pay the new rows as a batch of their own.`,
  ],
  OLDER_VERSION: [
    example.OLDER_VERSION,
    `This sheet has an older version of 2 rows of batch nov. Nothing was sent.
  row 4 (Thandi Mokoena): amount was 2,500, is 1,500
  row 5 (Wan B): a newer sheet lacks the row
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  If this sheet is older, do not use it.
  If its rows are correct, make a plan of the sheet. The plan shows them: payrun plan november.csv --batch nov`,
    `This sheet has an older version of 2 rows of batch nov. Nothing was sent.
  row 4 (Thandi Mokoena): amount was 2,500, is 1,500.
  row 5 (Wan B): a newer sheet lacks the row.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
If this sheet is older, do not use it.
If its rows are correct, make a plan of the sheet. The plan shows them.`,
  ],
  BATCH_NAMES_ALIKE: [
    example.BATCH_NAMES_ALIKE,
    'No new batch can have the name Nov 2026, because there is batch nov-2026. Nothing was sent. If these payments belong to batch nov-2026, name that batch with --batch. If not, choose a different name.',
    'No new batch can have the name Nov 2026, because there is batch nov-2026. Nothing was sent. If these payments belong to batch nov-2026, name that batch. If not, choose a different name.',
  ],
  BATCH_UNNAMED: [
    [
      example.BATCH_UNNAMED,
      `Rows of this sheet are in a batch that is not finished. Nothing was sent. If this sheet is the new list of such a batch, name the batch:
  1 of the 5 rows is in batch nov: payrun run november.csv --batch nov
  If this is the sheet of another month or of other payments: give it its own --batch name.`,
      `Rows of this sheet are in a batch that is not finished. Nothing was sent. If this sheet is the new list of such a batch, name the batch:
  1 of the 5 rows is in batch nov.
If this is the sheet of another month or of other payments: plan it as a new batch.`,
    ],
    [
      {
        of: 5,
        batches: {
          shown: [...example.BATCH_UNNAMED.batches.shown, { ...example.BATCH_UNNAMED.batches.shown[0]!, rows: 2 }],
          total: 4,
        },
      },
      `Rows of this sheet are in batches that are not finished. Nothing was sent. If this sheet is the new list of such a batch, name the batch:
  1 of the 5 rows is in batch nov: payrun run november.csv --batch nov
  2 of the 5 rows are in batch nov: payrun run november.csv --batch nov
  and 2 batch names more
  If this is the sheet of another month or of other payments: give it its own --batch name.`,
      `Rows of this sheet are in batches that are not finished. Nothing was sent. If this sheet is the new list of such a batch, name the batch:
  1 of the 5 rows is in batch nov.
  2 of the 5 rows are in batch nov.
  and 2 batch names more.
If this is the sheet of another month or of other payments: plan it as a new batch.`,
    ],
  ],
  NOTHING_TO_ADD_TO: [
    [
      example.NOTHING_TO_ADD_TO,
      'This sheet cannot add rows to batch nov, because there is no such batch. Nothing was sent. Leave out --add, or name the batch with --batch: payrun list',
      'This sheet cannot add rows to batch nov, because there is no such batch. Nothing was sent.',
    ],
    [
      { ...example.NOTHING_TO_ADD_TO, batch: null },
      'No open batch has a row of this sheet, so the sheet does not say which batch it adds to. Nothing was sent. Leave out --add, or name the batch with --batch: payrun list',
      'No open batch has a row of this sheet, so the sheet does not say which batch it adds to. Nothing was sent.',
    ],
  ],
  ROWS_CLOSED: [
    [
      example.ROWS_CLOSED,
      `A person closed 1 row of this sheet. Nothing was sent.
  row 3 was closed by Nomsa: paid by hand
  To leave it closed, and pay the other rows (the new rows have 800 ZAR), remove it from the sheet, and run it again: payrun run november.csv --batch nov --add
  To pay it too, open it again, and then run the sheet with the command above: payrun reopen nov --row k3 --seen 0a1b2c3d4e5f --reason TEXT`,
      `A person closed 1 row of this sheet. Nothing was sent.
  row 3 was closed by Nomsa: paid by hand.
To leave it closed, and pay the other rows (the new rows have 800 ZAR), remove it from the sheet, and upload the sheet again.
To pay it too, an approver opens it again on its page.`,
    ],
    [
      {
        ...example.ROWS_CLOSED,
        rows: { shown: [{ row: 3, by: null, why: 'paid by hand' }], total: 2 },
        others: null,
        added: [],
      },
      `A person closed 2 rows of this sheet. Nothing was sent.
  row 3 was closed: paid by hand
  and 1 row more
  To leave them closed, do nothing: this sheet has no other row to send.
  To pay them too, open them again: payrun reopen nov --row k3 --seen 0a1b2c3d4e5f --reason TEXT`,
      `A person closed 2 rows of this sheet. Nothing was sent.
  row 3 was closed: paid by hand.
  and 1 row more.
To leave them closed, do nothing: this sheet has no other row to send.
To pay them too, an approver opens them again on their pages.`,
    ],
  ],
  BATCH_PAID: [
    example.BATCH_PAID,
    `Every row of this sheet was already paid on 2026-11-27 12:00:00 UTC as batch nov. Nothing more was sent.
  To pay the sheet again for a new period, run it with --batch and a new name.`,
    `Every row of this sheet was already paid on 2026-11-27 12:00:00 UTC as batch nov. Nothing more was sent.
To pay the sheet again for a new period, give the batch a new name.`,
  ],
  NOTHING_TO_SEND: [
    { batch: 'nov' },
    `This sheet changes nothing in batch nov, and the batch has no row left to send.
  To pay the sheet again for a new period, run it with --batch and a new name.`,
    `This sheet changes nothing in batch nov, and the batch has no row left to send.
To pay the sheet again for a new period, give the batch a new name.`,
  ],
  BATCH_PAID_IN_PART: [
    [
      example.BATCH_PAID_IN_PART,
      `Another ledger paid rows of this sheet as batch nov (last payment: 2026-11-27 12:00:00 UTC). 2 rows are not paid. Nothing more was sent.
  If the sheet is for a new period, run it with --batch and a new name.
  To pay the other rows of that batch, run the sheet again with --add.`,
      `Another ledger paid rows of this sheet as batch nov (last payment: 2026-11-27 12:00:00 UTC). 2 rows are not paid. Nothing more was sent.
If the sheet is for a new period, give the batch a new name.
To pay the other rows of that batch, upload the sheet again, and plan it as its next version.`,
    ],
    [
      { ...example.BATCH_PAID_IN_PART, unpaid: 1 },
      `Another ledger paid rows of this sheet as batch nov (last payment: 2026-11-27 12:00:00 UTC). 1 row is not paid. Nothing more was sent.
  If the sheet is for a new period, run it with --batch and a new name.
  To pay the other rows of that batch, run the sheet again with --add.`,
      `Another ledger paid rows of this sheet as batch nov (last payment: 2026-11-27 12:00:00 UTC). 1 row is not paid. Nothing more was sent.
If the sheet is for a new period, give the batch a new name.
To pay the other rows of that batch, upload the sheet again, and plan it as its next version.`,
    ],
  ],
  MAP_LEFT_OUT: [
    [
      example.MAP_LEFT_OUT,
      `Batch nov uses the map bank.json, but this sheet came without a map. Without this map, the columns could have another meaning. Nothing was sent.
  If the sheet has the columns of the map: payrun run november.csv --batch nov --map bank.json
  If the sheet needs no map: payrun run november.csv --batch nov --map none`,
      `Batch nov uses the map bank.json, but this sheet came without a map. Without this map, the columns could have another meaning. Nothing was sent.
Match the columns of the sheet here as the map does.`,
    ],
    [
      { ...example.MAP_LEFT_OUT, map: 'maps/bank.json' },
      `Batch nov uses the map maps/bank.json, but this sheet came without a map. Without this map, the columns could have another meaning. Nothing was sent.
  If the sheet has the columns of the map: payrun run november.csv --batch nov --map bank.json
  If the sheet needs no map: payrun run november.csv --batch nov --map none`,
      `Batch nov uses the map bank.json, but this sheet came without a map. Without this map, the columns could have another meaning. Nothing was sent.
Match the columns of the sheet here as the map does.`,
    ],
  ],
  CLAIMS_UNKNOWN: [
    [
      example.CLAIMS_UNKNOWN,
      'A result file says that 3 rows were sent. This ledger (pay.db) and https://pay.example do not know their payments. Nothing was sent. Use the ledger, address and key of that file. To pay anyway, remove the column payrun_status from the file, and submit it again.',
      'A result file says that 3 rows were sent. This ledger (pay.db) and https://pay.example do not know their payments. Nothing was sent. Use the ledger, address and key of that file. To pay anyway, remove the column payrun_status from the file, and submit it again.',
    ],
    [
      { ...example.CLAIMS_UNKNOWN, rows: 1, ledger: 'postgres://pay' },
      'A result file says that 1 row was sent. This ledger (postgres://pay) and https://pay.example do not know its payment. Nothing was sent. Use the ledger, address and key of that file. To pay anyway, remove the column payrun_status from the file, and submit it again.',
      'A result file says that 1 row was sent. This ledger (on PostgreSQL) and https://pay.example do not know its payment. Nothing was sent. Use the ledger, address and key of that file. To pay anyway, remove the column payrun_status from the file, and submit it again.',
    ],
  ],
  SHEET_LOOKS_PAID: [
    [
      example.SHEET_LOOKS_PAID,
      `Batch oct seems to have paid this sheet. Nothing was sent. 38 of the sheet's 40 rows look like earlier payments:
  row 3 looks like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference
  and 37 rows more
  If this is the wrong sheet, do nothing.
  If this sheet belongs to batch oct: payrun plan november.csv --batch oct --add
  To pay the rows again: payrun plan november.csv --batch nov --confirm-repeat "the reason"
  If you pay the same rows each month, put the month into their references, or set duplicates.window to fewer than 28 days.`,
      `Batch oct seems to have paid this sheet. Nothing was sent. 38 of the sheet's 40 rows look like earlier payments:
  row 3 looks like row 5 of batch oct, sent on 2026-11-27 12:00:00 UTC: the same payee, amount and reference.
  and 37 rows more.
If this is the wrong sheet, discard it.
If this sheet belongs to batch oct: plan it as the next version of that batch.
To pay the rows again: plan it as a new batch, and say why.
If you pay the same rows each month, put the month into their references.`,
    ],
    [
      {
        ...example.SHEET_LOOKS_PAID,
        held: 2,
        of: 2,
        rows: { shown: [{ row: 3, batch: 'oct', sentRow: 5, sentAt: null, differs: { what: 'account' } }], total: 2 },
        addition: null,
      },
      `Batch oct seems to have paid this sheet. Nothing was sent. 2 of the sheet's 2 rows look like earlier payments:
  row 3 looks like row 5 of batch oct, which waits, or which a person closed: only the account differs
  and 1 row more
  If this is the wrong sheet, do nothing.
  To pay the rows again: payrun plan november.csv --batch nov --confirm-repeat "the reason"
  If you pay the same rows each month, put the month into their references, or set duplicates.window to fewer than 28 days.`,
      `Batch oct seems to have paid this sheet. Nothing was sent. 2 of the sheet's 2 rows look like earlier payments:
  row 3 looks like row 5 of batch oct, which waits, or which a person closed: only the account differs.
  and 1 row more.
If this is the wrong sheet, discard it.
To pay the rows again: plan it as a new batch, and say why.
If you pay the same rows each month, put the month into their references.`,
    ],
  ],
  REPEATS_A_DOUBT: [
    example.REPEATS_A_DOUBT,
    'Row 4 looks like row 7 of batch oct, and row 7 may have been paid (in doubt). Nothing was sent. Payrun does not send row 4 until row 7 is settled, even if you give a reason. Run payrun reconcile oct.',
    'Row 4 looks like row 7 of batch oct, and row 7 may have been paid (in doubt). Nothing was sent. Payrun does not send row 4 until row 7 is settled, even if you give a reason. Search for row 7 on its page.',
  ],
  PROPOSAL_WAITS: [
    example.PROPOSAL_WAITS,
    `A plan of batch nov (x.csv, by Ama) waits. Nothing more of the batch is sent. Pay, decline or withdraw that plan first.
  payrun decline nov --by NAME --reason TEXT
  payrun withdraw nov --by NAME --reason TEXT
  Submit urgent rows as a batch with another name (--batch).`,
    `A plan of batch nov (x.csv, by Ama) waits. Nothing more of the batch is sent. Pay, decline or withdraw that plan first.
Submit urgent rows as a batch with another name.`,
  ],
  VERSION_CONFLICT: [
    [
      { ...example.VERSION_CONFLICT, paid: example.VERSION_CONFLICT.rows, rows: { shown: [], total: 0 } },
      `This sheet was compared with an older version of batch nov. Nothing of this sheet was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  Batch nov may have paid 1 row with other values than this sheet has. Put those values back:
  row 4 (Bea): amount was 1,500, is 2,500
  Compare the two sheets. If this sheet is the correct one, make its plan again: payrun plan november.csv --batch nov`,
      `This sheet was compared with an older version of batch nov. Nothing of this sheet was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
Batch nov may have paid 1 row with other values than this sheet has. Put those values back:
  row 4 (Bea): amount was 1,500, is 2,500.
If the rest of this sheet is correct, then make its plan below. If not, correct your file, and upload it again.`,
    ],
    [
      example.VERSION_CONFLICT,
      `This sheet was compared with an older version of batch nov. Nothing of this sheet was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  This sheet changes 1 row of the batch:
  row 4 (Bea): amount was 1,500, is 2,500
  Compare the two sheets. If this sheet is the correct one, make its plan again: payrun plan november.csv --batch nov`,
      `This sheet was compared with an older version of batch nov. Nothing of this sheet was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
This sheet changes 1 row of the batch:
  row 4 (Bea): amount was 1,500, is 2,500.
If this sheet is correct, make its plan below. If not, correct your file, and upload it again.`,
    ],
    [
      {
        ...example.VERSION_CONFLICT,
        rows: {
          shown: [
            { row: 5, payee: 'Joe', gone: 'removed', changes: [] },
            { row: 6, changes: [] },
          ],
          total: 2,
        },
        dropped: example.ROWS_DROPPED.rows,
        added: 2,
        command: null,
      },
      `This sheet was compared with an older version of batch nov. Nothing of this sheet was sent.
  The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
  This sheet changes 2 rows of the batch:
  row 5 (Joe): a newer sheet lacks the row
  row 6: a mistake
  This sheet lacks row k4 (Wan B, 1,500 ZAR), which its plan closes unpaid.
  This sheet adds 2 new rows.
  Compare the two sheets. If this sheet is the correct one, run it again.`,
      `This sheet was compared with an older version of batch nov. Nothing of this sheet was sent.
The newest sheet of batch nov is x.csv (by Ama, 2026-11-27 12:00:00 UTC).
This sheet changes 2 rows of the batch:
  row 5 (Joe): a newer sheet lacks the row.
  row 6: a mistake.
This sheet lacks row k4 (Wan B, 1,500 ZAR), which its plan closes unpaid.
This sheet adds 2 new rows.
If this sheet is correct, make its plan below. If not, correct your file, and upload it again.`,
    ],
  ],
  IDENTITY_CHANGED: [
    [
      example.IDENTITY_CHANGED,
      'Batch nov was sent with https://pay.example (key 12ab34cd…, tenant), and this run uses https://pay.example (key 56ef78ab…, tenant). Nothing was sent. Use the earlier address and key, or prove that the new address and key show the same payments: payrun ledger rebind nov --reason TEXT. A new --batch name would pay every row again.',
      'Batch nov was sent with https://pay.example (key 12ab34cd…, tenant), and this run uses https://pay.example (key 56ef78ab…, tenant). Nothing was sent. Use the earlier address and key. A new name of the batch would pay every row again.',
    ],
    [
      { ...example.IDENTITY_CHANGED, was: { service: 'https://pay.example', key: '12ab34cd', user: 'u1' } },
      'Batch nov was sent with https://pay.example (key 12ab34cd…, user u1), and this run uses https://pay.example (key 56ef78ab…, tenant). Nothing was sent. Use the earlier address and key, or prove that the new address and key show the same payments: payrun ledger rebind nov --reason TEXT. A new --batch name would pay every row again.',
      'Batch nov was sent with https://pay.example (key 12ab34cd…, user u1), and this run uses https://pay.example (key 56ef78ab…, tenant). Nothing was sent. Use the earlier address and key. A new name of the batch would pay every row again.',
    ],
  ],
  IDENTITY_UNPROVEN: [
    example.IDENTITY_UNPROVEN,
    'Batch nov keeps https://pay.example (key 12ab34cd…, tenant). With https://pay.example (key 56ef78ab…, tenant), the service does not show payment p1 of row k4 with its tag. Nothing was changed. Continue with the earlier address, key and user, or ask the service why the payment is missing.',
  ],
  PLAN_NOT_FOUND: [
    example.PLAN_NOT_FOUND,
    `Payrun found no plan sha256:12ab in the named file, beside the sheet or in the folder of --out. The plan was made elsewhere, or was changed later. Nothing was sent.
  nov.plan.json is plan sha256:34cd
  Run the file of the plan, or make a new plan: payrun plan november.csv --batch nov`,
    'Payrun found no plan sha256:12ab. The plan was made elsewhere, or was changed later. Nothing was sent. Make a new plan.',
  ],
  PLAN_UNREADABLE: [
    example.PLAN_UNREADABLE,
    'The plan nov.plan.json cannot be read: there is no such file. Nothing was sent.',
  ],
  PLAN_CHANGED: [
    [
      example.PLAN_CHANGED,
      'The plan nov.plan.json is not as Payrun wrote it: a part of it was changed, added or removed (line 3). Nothing was sent. Make a new plan.',
    ],
    [
      { ...example.PLAN_CHANGED, line: null },
      'The plan nov.plan.json is not as Payrun wrote it: a part of it was changed, added or removed. Nothing was sent. Make a new plan.',
    ],
  ],
  PLAN_EXPIRED: [
    example.PLAN_EXPIRED,
    'The plan nov.plan.json expired on 2026-11-27 12:00:00 UTC. Nothing was signed. Ask for a new plan.',
    'The plan expired on 2026-11-27 12:00:00 UTC. Nothing was signed. Ask for a new plan.',
  ],
  PLAN_DECLINED: [
    [
      example.PLAN_DECLINED,
      `Kofi declined plan sha256:12ab on 2026-11-27 12:00:00 UTC: row 4 is wrong. Nothing was sent.
  Make a new plan, and have it approved: payrun plan november.csv --batch nov`,
      `Kofi declined plan sha256:12ab on 2026-11-27 12:00:00 UTC: row 4 is wrong. Nothing was sent.
Make a new plan, and have it approved.`,
    ],
    [
      { ...example.PLAN_DECLINED, did: 'plan-withdrawn' },
      `Kofi withdrew plan sha256:12ab on 2026-11-27 12:00:00 UTC: row 4 is wrong. Nothing was sent.
  Make a new plan, and have it approved: payrun plan november.csv --batch nov`,
      `Kofi withdrew plan sha256:12ab on 2026-11-27 12:00:00 UTC: row 4 is wrong. Nothing was sent.
Make a new plan, and have it approved.`,
    ],
  ],
  PLAN_DIFFERS: [
    [
      example.PLAN_DIFFERS,
      `Plan sha256:12ab (nov.plan.json) differs from the payments of this run. Nothing was sent.
  row 4: amount was '1500', is '2500'
  Undo the differences and run the sheet again. Or make a new plan, and have it approved: payrun plan november.csv`,
      `Plan sha256:12ab differs from the payments of this run. Nothing was sent.
  row 4: amount was '1500', is '2500'.
Undo the differences. Or make a new plan, and have it approved.`,
    ],
    [
      { ...example.PLAN_DIFFERS, differences: { ...example.PLAN_DIFFERS.differences, total: 2 } },
      `Plan sha256:12ab (nov.plan.json) differs from the payments of this run. Nothing was sent.
  row 4: amount was '1500', is '2500'
  and 1 difference more
  Undo the differences and run the sheet again. Or make a new plan, and have it approved: payrun plan november.csv`,
      `Plan sha256:12ab differs from the payments of this run. Nothing was sent.
  row 4: amount was '1500', is '2500'.
  and 1 difference more.
Undo the differences. Or make a new plan, and have it approved.`,
    ],
  ],
  BATCH_LEAVES_PLAN: [
    example.BATCH_LEAVES_PLAN,
    `Batch nov runs under plan sha256:12ab, and this run differs from the plan: --canary was 3, is 0. Nothing was sent.
  Continue as the plan says, or make a new plan of the sheet: payrun plan november.csv --batch nov`,
    `Batch nov runs under plan sha256:12ab, and this run differs from the plan: the number of canaries was 3, is 0. Nothing was sent.
Continue as the plan says, or make a new plan of the sheet.`,
  ],
  RETRY_UNPLANNED: [
    example.RETRY_UNPLANNED,
    `Batch nov runs under a plan, and the plan does not contain the new payments of a retry. Nothing was sent.
  Make a new plan that sends the unpaid rows again: payrun plan november.csv --batch nov`,
    `Batch nov runs under a plan, and the plan does not contain the new payments of a retry. Nothing was sent.
Make a new plan that sends the unpaid rows again.`,
  ],
  APPROVALS_TOO_FEW: [
    [
      example.APPROVALS_TOO_FEW,
      `Plan sha256:12ab has 1 of 2 approvals (Kofi). The plan needs 2 because a payee gets 60,000 ZAR, above 50,000 ZAR. Nothing was sent.
  nov.Esi.sig.json does not count: 'Esi' is not an approver.
  These approvers may still sign the plan: Thandi.
  Have the plan approved, and run the sheet again: payrun approve nov.plan.json --key FILE`,
      `Plan sha256:12ab has 1 of 2 approvals (Kofi). The plan needs 2 because a payee gets 60,000 ZAR, above 50,000 ZAR. Nothing was sent.
  nov.Esi.sig.json does not count: 'Esi' is not an approver.
These approvers may still sign the plan: Thandi.`,
    ],
    [
      { ...example.APPROVALS_TOO_FEW, signed: [], needed: 1, notCounted: [], mayStillSign: [] },
      `Plan sha256:12ab has 0 of 1 approval. The plan needs 1 because a payee gets 60,000 ZAR, above 50,000 ZAR. Nothing was sent.
  No other approver of the policy may sign the plan. A person who is not an approver has to make a new plan.`,
      `Plan sha256:12ab has 0 of 1 approval. The plan needs 1 because a payee gets 60,000 ZAR, above 50,000 ZAR. Nothing was sent.
No other approver of the policy may sign the plan. A person who is not an approver has to make a new plan.`,
    ],
    [
      {
        ...example.APPROVALS_TOO_FEW,
        signed: ['Kofi', 'Ama'],
        needed: 3,
        notCounted: [{ file: 'out/x.sig.json', why: { fault: 'is-no-signature' } }],
        mayStillSign: ['Thandi', 'Esi'],
      },
      `Plan sha256:12ab has 2 of 3 approvals (Kofi, Ama). The plan needs 3 because a payee gets 60,000 ZAR, above 50,000 ZAR. Nothing was sent.
  out/x.sig.json does not count: it is not a signature of Payrun.
  These approvers may still sign the plan: Thandi, Esi.
  Have the plan approved, and run the sheet again: payrun approve nov.plan.json --key FILE`,
      `Plan sha256:12ab has 2 of 3 approvals (Kofi, Ama). The plan needs 3 because a payee gets 60,000 ZAR, above 50,000 ZAR. Nothing was sent.
  x.sig.json does not count: it is not a signature of Payrun.
These approvers may still sign the plan: Thandi, Esi.`,
    ],
  ],
  MAKER_REFUSED: [
    example.MAKER_REFUSED,
    `The maker of plan sha256:12ab is 'Esi', who is not one of the makers in policy.json. Nothing was sent.
  A maker in the policy makes a new plan of the sheet.`,
    `The maker of plan sha256:12ab is 'Esi', who is no longer a preparer. Nothing was sent.
A preparer makes a new plan of the sheet.`,
  ],
  OWN_SHEET: 'You prepared or paid a sheet of this batch. Another approver signs the plan.',
  APPROVED_ALREADY: 'You approved this plan already. Nothing more was signed.',
  OWN_TO_DISCARD:
    'You made this plan or its batch yourself, so another person declines it. You can withdraw it, or change its sheet.',
  NOT_OWN_PLAN:
    'You made neither this plan nor its batch, so it still waits. An approver declines it, or its maker withdraws it.',
  OWN_APPROVAL: 'You approved this plan, so nothing was sent. Another person pays it.',
  MAKER_UNSIGNABLE: [
    example.MAKER_UNSIGNABLE,
    "The maker of the plan nov.plan.json is 'Esi', who is not one of the makers in policy.json, so no signature counts. Nothing was signed. Ask for a new plan.",
    "The maker of the plan nov.plan.json is 'Esi', who is no longer a preparer, so no signature counts. Nothing was signed. Ask for a new plan.",
  ],
  SIGNATURE_USELESS: [
    example.SIGNATURE_USELESS,
    "The signature of Esi would not count under policy.json: 'Esi' is not an approver. No signature was written.",
  ],
  SIGNED_PLAN_MISSING: [
    [
      example.SIGNED_PLAN_MISSING,
      `A policy is in force, so Payrun pays a sheet only under a plan. No valid plan is beside this sheet. Nothing was sent.
  Make a plan of this sheet: payrun plan november.csv --batch nov --maker NAME`,
      `A policy is in force, so Payrun pays a sheet only under a plan. No valid plan is beside this sheet. Nothing was sent.
Make a plan of this sheet.`,
    ],
    [
      { ...example.SIGNED_PLAN_MISSING, isTrial: true },
      `A policy is in force, so Payrun pays a sheet only under a plan. No valid plan is beside this sheet. Nothing was sent.
  Make a plan of this sheet: payrun plan november.csv --batch nov --maker NAME
  To try the sheet without approvals, name another ledger of the sandbox: --ledger FILE`,
      `A policy is in force, so Payrun pays a sheet only under a plan. No valid plan is beside this sheet. Nothing was sent.
Make a plan of this sheet.`,
    ],
  ],
  SIGNED_PLANS_SEVERAL: [
    example.SIGNED_PLANS_SEVERAL,
    `The policy asks for approvals, and several signed plans are beside the sheet: nov.plan.json, nov.plan-2.json. Nothing was sent.
  Run the file of one plan instead of the sheet.`,
    `The policy asks for approvals, and several signed plans are beside the sheet: nov.plan.json, nov.plan-2.json. Nothing was sent.
Make a plan of this sheet, and have it approved.`,
  ],
  BATCH_UNAPPROVED: [
    [
      example.BATCH_UNAPPROVED,
      `The policy asks for approvals, and batch nov got its newest sheet (november.csv) without a plan. Nothing was sent.
  Make a plan of this sheet, and have it approved: payrun plan november.csv --batch nov`,
      `The policy asks for approvals, and batch nov got its newest sheet (november.csv) without a plan. Nothing was sent.
Make a plan of this sheet, and have it approved.`,
    ],
    [
      { ...example.BATCH_UNAPPROVED, sheet: null },
      `The policy asks for approvals, and batch nov runs under a plan that needed no approval. Nothing was sent.
  Make a plan of this sheet, and have it approved: payrun plan november.csv --batch nov`,
      `The policy asks for approvals, and batch nov runs under a plan that needed no approval. Nothing was sent.
Make a plan of this sheet, and have it approved.`,
    ],
    [
      { ...example.BATCH_UNAPPROVED, sheet: 'in/november.csv' },
      `The policy asks for approvals, and batch nov got its newest sheet (in/november.csv) without a plan. Nothing was sent.
  Make a plan of this sheet, and have it approved: payrun plan november.csv --batch nov`,
      `The policy asks for approvals, and batch nov got its newest sheet (november.csv) without a plan. Nothing was sent.
Make a plan of this sheet, and have it approved.`,
    ],
  ],
  REASON_PLACEHOLDER: [
    example.REASON_PLACEHOLDER,
    "The reason 'TEXT' is only the placeholder of a printed command. Nothing was sent or changed. Say why in your own words, which the trail keeps.",
  ],
  RELEASE_NEEDS_KEY: [
    [
      example.RELEASE_NEEDS_KEY,
      'The decision about row k4 of batch nov does not count, and nothing was sent or changed. The batch runs under a policy, so one of its approvers must decide, with their own key: --key FILE.',
      'The decision about row k4 of batch nov does not count, and nothing was sent or changed. The batch runs under a policy, so one of its approvers must decide.',
    ],
    [
      { ...example.RELEASE_NEEDS_KEY, rows: null, signs: 'console' },
      'The decision about all absent rows of batch nov does not count, and nothing was sent or changed. The batch runs under a policy, so one of its approvers must decide, on a page of the console.',
      'The decision about all absent rows of batch nov does not count, and nothing was sent or changed. The batch runs under a policy, so one of its approvers must decide.',
    ],
  ],
  RELEASE_BY_MAKER: [
    [
      example.RELEASE_BY_MAKER,
      "The decision about row k4 of batch nov does not count, and nothing was sent or changed. 'Ama Mensah' prepared or paid this batch, or another batch with the same row, so a second person must decide, with their own key: --key FILE.",
      "The decision about row k4 of batch nov does not count, and nothing was sent or changed. 'Ama Mensah' prepared or paid this batch, or another batch with the same row, so a second person must decide.",
    ],
    [
      { ...example.RELEASE_BY_MAKER, rows: ['k4', 'k5'], signs: 'no' },
      "The decision about rows k4, k5 of batch nov does not count, and nothing was sent or changed. 'Ama Mensah' prepared or paid this batch, or another batch with the same row, so a second person must decide: --by NAME names that person.",
      "The decision about rows k4, k5 of batch nov does not count, and nothing was sent or changed. 'Ama Mensah' prepared or paid this batch, or another batch with the same row, so a second person must decide.",
    ],
  ],
  RELEASE_MAKER_UNKNOWN: [
    example.RELEASE_MAKER_UNKNOWN,
    'The decision about all absent rows of batch nov does not count, and nothing was sent or changed. Payrun does not know who ran the batch, so it cannot check for a second person. Run the sheet again first.',
  ],
  RELEASE_SIGNATURE_USELESS: [
    example.RELEASE_SIGNATURE_USELESS,
    "The decision about rows k4, k5 of batch nov does not count, and nothing was sent or changed. The signature of 'Esi' does not count: 'Esi' is not an approver.",
  ],
  POLICY_NOT_FOUND: [
    example.POLICY_NOT_FOUND,
    'This folder has no policy, and payments need the approvals of /srv/pay/policy.json. Nothing was sent. Run the command in the folder of that policy, or name the policy with PAYRUN_POLICY or `policy` in payrun.config.json.',
    'This folder has no policy, and payments need the approvals of /srv/pay/policy.json. Nothing was sent. Ask an administrator to put that file back.',
  ],
  POLICY_DIFFERS: [
    example.POLICY_DIFFERS,
    'Payments from this ledger need the policy /srv/pay/policy.json, and policy.json differs from it. Nothing was sent. Use /srv/pay/policy.json, or change that file.',
  ],
  POLICY_UNUSABLE: [
    [
      example.POLICY_UNUSABLE,
      'Nothing was sent. The policy policy.json cannot be used: currencies[1]: ZAR is named twice',
    ],
    [
      { path: 'policy.json', why: [...example.POLICY_UNUSABLE.why, { fault: 'no-file' }] },
      `Nothing was sent. The policy policy.json cannot be used:
  currencies[1]: ZAR is named twice
  there is no such file`,
      `Nothing was sent. The policy policy.json cannot be used:
  currencies[1]: ZAR is named twice.
  there is no such file.`,
    ],
  ],
  KEY_UNUSABLE: [
    [
      example.KEY_UNUSABLE,
      'The key ama.key cannot be used: it is not a private key of Payrun. Nothing was signed. Name the file of a key, or restore it from a copy.',
    ],
    [
      { ...example.KEY_UNUSABLE, path: null },
      'The key of the console cannot be used: it is not a private key of Payrun. Nothing was signed. Restore the key from a copy.',
    ],
  ],
  PASSPHRASE_WRONG: [
    [
      { path: 'ama.key' },
      'The passphrase does not open the key ama.key. Nothing was signed. Enter it again. If it is right, the key was changed: restore it from a copy.',
    ],
    [
      { path: null },
      'The passphrase does not open the key of the console. Nothing was signed. Enter it again. If it is right, the key was changed: restore it from a copy.',
    ],
  ],
  SERVICE_UNREACHABLE: [
    example.SERVICE_UNREACHABLE,
    'The payout service at https://pay.example cannot be reached: POST /token: nothing listens there (connection refused)',
  ],
  SERVICE_ANSWER: [
    [
      example.SERVICE_ANSWER,
      "Payrun cannot use the payout service's answer to GET /payments: the list repeats its pages, and has no end",
    ],
    [
      { ...example.SERVICE_ANSWER, what: null },
      'Payrun cannot use an answer of the payout service: the list repeats its pages, and has no end',
    ],
  ],
  SERVICE_UNREADABLE: [
    [
      example.SERVICE_UNREADABLE,
      'The payout service at https://pay.example left 5 payments in doubt, and also one row that Payrun sent alone as a test. Nothing more is sent. The last error was: POST /payments: no answer in time (request).',
    ],
    [
      { ...example.SERVICE_UNREADABLE, reason: null },
      'The payout service at https://pay.example left 5 payments in doubt, and also one row that Payrun sent alone as a test. Nothing more is sent. The last error was: no reason given.',
    ],
  ],
  REFUSED_IN_A_ROW: [
    example.REFUSED_IN_A_ROW,
    'The payout service refused 10 payments one after another. Nothing more is sent. The last reason was: POST /payments answered 422: “no such account”. Find the common cause before you send the other rows.',
  ],
  SERVICE_REFUSED: [
    example.SERVICE_REFUSED,
    'The payout service did not carry out the command: POST /merchants answered 422: “name is required”. Correct the cause, then run the command again.',
  ],
  CALL_IN_DOUBT: [
    example.CALL_IN_DOUBT,
    'The payout service may have carried out the command: POST /merchants answered 503, with no reason. List what it has before you run the command again.',
  ],
  SERVICE_LACKS: [example.SERVICE_LACKS, 'The service has no payment p1.'],
  DOCUMENTS_NOT_LISTED: [
    example.DOCUMENTS_NOT_LISTED,
    'The service has payment p1, but no list of its documents at a path that Payrun knows.',
  ],
  CREDENTIALS_REFUSED: [
    [
      example.CREDENTIALS_REFUSED,
      'The payout service refused the credentials: POST /token answered 401: “no such key”',
    ],
    [
      { ...example.CREDENTIALS_REFUSED, hint: 'new-token-too' },
      'The payout service refused the credentials: POST /token answered 401: “no such key” (also with a new token)',
    ],
    [
      { ...example.CREDENTIALS_REFUSED, hint: 'user-unknown' },
      'The payout service refused the credentials: POST /token answered 401: “no such key” (the user is unknown, disabled, or of another tenant; see PAYRUN_USER_ID)',
    ],
    [
      { ...example.CREDENTIALS_REFUSED, hint: 'user-token-needed' },
      "The payout service refused the credentials: POST /token answered 401: “no such key”. This service may want a user's token: set PAYRUN_USER_ID (interface 5.7)",
    ],
  ],
  SERVICE_BUSY: [
    example.SERVICE_BUSY,
    'The payout service repeatedly reported too many requests: POST /payments answered 429, with no reason',
  ],
  TAG_LOST: [
    [
      example.TAG_LOST,
      "The service did not return payment p1 with its tag 'K7Q2' within 20 s. Nothing more is sent, because Payrun needs the tag to find a payment after a lost answer.",
    ],
    [
      { ...example.TAG_LOST, seen: 'K7Q3' },
      "The service returned payment p1 with the tag 'K7Q3' instead of 'K7Q2'. Nothing more is sent, because Payrun needs the tag to find a payment after a lost answer.",
    ],
  ],
  PASS_INCOMPLETE: [
    example.PASS_INCOMPLETE,
    "Payrun cannot rely on the service's list of payments: it no longer contains payment p1, which it contained a moment ago. Nothing more is sent.",
  ],
  PAID_ELSEWHERE: [
    [
      example.PAID_ELSEWHERE,
      'Another ledger paid rows of this batch. Payments that this ledger does not know may still be under way. Nothing more is sent before 2026-11-27 12:00:00 UTC. Continue the batch after that time.',
    ],
    [
      { ...example.PAID_ELSEWHERE, rows: 2 },
      'Another ledger paid 2 rows of this ledger. Payments that this ledger does not know may still be under way. Nothing more is sent before 2026-11-27 12:00:00 UTC. Continue the batch after that time.',
    ],
  ],
  SENT_ELSEWHERE: [
    example.SENT_ELSEWHERE,
    'A ledger other than pay.db sent payments to https://pay.example with these credentials. The last of these payments was sent before 2026-11-27 12:00:00 UTC. Payments that this ledger does not know may still be under way. Nothing more is sent before 2026-11-27 12:00:00 UTC. Continue the batch after that time.',
  ],
  LEDGER_RESTORED: [
    example.LEDGER_RESTORED,
    'The ledger pay.db is older than its last payments, so it is a restored copy. Payments that this ledger does not know may still be under way. Nothing more is sent before 2026-11-27 12:00:00 UTC. Continue the batch after that time.',
  ],
  PAID_TWICE: [
    [
      example.PAID_TWICE,
      'A row has two payments at the service (k4 of batch nov). Nothing more is sent. Ask the service to stop or return one of these payments. To send the other rows: payrun resolve nov --row k4 --seen 0a1b2c3d4e5f --known --reason TEXT',
      'A row has two payments at the service (k4 of batch nov). Nothing more is sent. Ask the service to stop or return one of these payments. After that, say so on the page of the row.',
    ],
    [
      {
        ...example.PAID_TWICE,
        rows: {
          shown: [
            { row: 'k4', batch: 'nov' },
            { row: 'k5', batch: 'oct' },
          ],
          total: 3,
        },
      },
      '3 rows have two payments at the service (k4 of batch nov, k5 of batch oct, …). Nothing more is sent. Ask the service to stop or return one payment of each row. To send the other rows: payrun resolve nov --row k4 --seen 0a1b2c3d4e5f --known --reason TEXT',
      '3 rows have two payments at the service (k4 of batch nov, k5 of batch oct, …). Nothing more is sent. Ask the service to stop or return one payment of each row. After that, say so on the page of the row.',
    ],
  ],
  COPIES_PAID: [
    [
      example.COPIES_PAID,
      'A payee may be paid twice, by row 4 of batch oct (payment p1, 900 ZAR) and by row 5 of batch nov (in doubt, 900 ZAR). Nothing more is sent. Ask the service to stop or return one of these payments. To send the other rows: payrun resolve nov --row k4 --seen 0a1b2c3d4e5f --known --reason TEXT',
      'A payee may be paid twice, by row 4 of batch oct (payment p1, 900 ZAR) and by row 5 of batch nov (in doubt, 900 ZAR). Nothing more is sent. Ask the service to stop or return one of these payments. After that, say so on the page of the row.',
    ],
    [
      {
        ...example.COPIES_PAID,
        copies: {
          shown: [
            { row: { number: 4, batch: 'oct', payment: 'p1', ...rand('900') }, copy: null },
            {
              row: { number: 6, batch: 'oct', payment: 'p3', ...rand('70') },
              copy: { number: 7, batch: 'nov', payment: 'p4', ...rand('70') },
            },
          ],
          total: 3,
        },
      },
      'The service paid row 4 of batch oct (payment p1, 900 ZAR) after it had reported the row as unpaid. A person closed this row, or the newest sheet lacks it. A payee may be paid twice, by row 6 of batch oct (payment p3, 70 ZAR) and by row 7 of batch nov (payment p4, 70 ZAR). … Nothing more is sent. Ask the service to stop or return one of these payments. To send the other rows: payrun resolve nov --row k4 --seen 0a1b2c3d4e5f --known --reason TEXT',
      'The service paid row 4 of batch oct (payment p1, 900 ZAR) after it had reported the row as unpaid. A person closed this row, or the newest sheet lacks it. A payee may be paid twice, by row 6 of batch oct (payment p3, 70 ZAR) and by row 7 of batch nov (payment p4, 70 ZAR). … Nothing more is sent. Ask the service to stop or return one of these payments. After that, say so on the page of the row.',
    ],
  ],
  PAYMENT_UNDONE: [
    [
      example.PAYMENT_UNDONE,
      'The service reported 2 rows as paid, but no longer reports them as paid (k4 of batch nov, k5 of batch nov). Nothing more is sent. Ask the service whether the money left. The result shows the new status.',
    ],
    [
      { rows: { shown: [{ row: 'k4', batch: 'nov' }], total: 1 } },
      'The service reported 1 row as paid, but no longer reports it as paid (k4 of batch nov). Nothing more is sent. Ask the service whether the money left. The result shows the new status.',
    ],
  ],
  DEPOSIT_CHANGED: [
    [
      example.DEPOSIT_CHANGED,
      "The service changed the deposit details of 1 payment. Row k4, payment p1: first 'account: 123', now 'account: 456'. Deposit nothing. Ask the service through a contact that you already had. Nothing more is sent until you confirm the details: payrun resolve nov --row k4 --seen 0a1b2c3d4e5f --known --reason TEXT",
      "The service changed the deposit details of 1 payment. Row k4, payment p1: first 'account: 123', now 'account: 456'. Deposit nothing. Ask the service through a contact that you already had. Nothing more is sent until you confirm the details.",
    ],
    [
      {
        ...example.DEPOSIT_CHANGED,
        changes: {
          shown: [
            {
              row: 'k4',
              payment: 'p1',
              was: [{ name: 'account', value: 'a' }],
              now: [{ name: 'account', value: 'b' }],
            },
            {
              row: 'k5',
              payment: 'p2',
              was: [{ name: 'account', value: 'c' }],
              now: [{ name: 'account', value: 'd' }],
            },
          ],
          total: 3,
        },
      },
      "The service changed the deposit details of 3 payments. Row k4, payment p1: first 'account: a', now 'account: b'. Row k5, payment p2: first 'account: c', now 'account: d'. … Deposit nothing. Ask the service through a contact that you already had. Nothing more is sent until you confirm the details: payrun resolve nov --row k4 --seen 0a1b2c3d4e5f --known --reason TEXT",
      "The service changed the deposit details of 3 payments. Row k4, payment p1: first 'account: a', now 'account: b'. Row k5, payment p2: first 'account: c', now 'account: d'. … Deposit nothing. Ask the service through a contact that you already had. Nothing more is sent until you confirm the details.",
    ],
  ],
  CANARY_OPEN: [
    [
      example.CANARY_OPEN,
      '1 of the 3 rows that Payrun sent first (canaries) is paid. Nothing more is sent until all canaries are paid. After that, continue the batch.',
    ],
    [
      { rows: 3, paid: 2 },
      '2 of the 3 rows that Payrun sent first (canaries) are paid. Nothing more is sent until all canaries are paid. After that, continue the batch.',
    ],
  ],
  CANARY_UNPAID: [
    [
      example.CANARY_UNPAID,
      'Row 3, which Payrun sent first as a canary, is not paid. The service refused the payment: POST /payments answered 422: “no such account”. Nothing more is sent. Find the cause, then send the row again, or send the other rows without it.',
    ],
    [
      { ...example.CANARY_UNPAID, reason: null },
      'Row 3, which Payrun sent first as a canary, is not paid. The ledger has no reason for it. Nothing more is sent. Find the cause, then send the row again, or send the other rows without it.',
    ],
  ],
  RAIL_SHUT: [
    [
      example.RAIL_SHUT,
      '2 rows exceed the amount that the rail accepts in one payment at this hour. Payrun sends these rows after 2026-11-27 12:00:00 UTC. Continue the batch after that time.',
    ],
    [
      { ...example.RAIL_SHUT, rows: 1 },
      '1 row exceeds the amount that the rail accepts in one payment at this hour. Payrun sends this row after 2026-11-27 12:00:00 UTC. Continue the batch after that time.',
    ],
  ],
  OUTSIDE_PAY_WINDOW: [
    example.OUTSIDE_PAY_WINDOW,
    'The pay window (08:00-16:00 every day in Johannesburg) is closed. Nothing is sent before 2026-11-27 12:00:00 UTC. Continue the batch after that time.',
  ],
  PAUSED: [
    [
      example.PAUSED,
      'Batch nov is paused (ask the bank). Nothing more of the batch is sent, and the calls under way have ended. To end the pause: payrun pause nov --end --seen 7. Then: payrun resume nov',
      'Batch nov is paused (ask the bank). Nothing more of the batch is sent, and the calls under way have ended. An approver or an administrator can end the pause here.',
    ],
    [
      { ...example.PAUSED, paused: null },
      'All batches are paused (ask the bank). Nothing more of batch nov is sent, and the calls under way have ended. To end the pause: payrun pause --end --seen 7. Then: payrun resume nov',
      'All batches are paused (ask the bank). Nothing more of batch nov is sent, and the calls under way have ended. This pause ends at a terminal.',
    ],
  ],
  STOPPED_BEFORE: [
    [
      example.STOPPED_BEFORE,
      'Ada stopped batch nov. Its unsent rows wait until a person continues the batch: payrun resume nov',
      'Ada stopped batch nov. Its unsent rows wait until a person continues the batch.',
    ],
    [
      { ...example.STOPPED_BEFORE, by: null },
      'A person stopped batch nov. Its unsent rows wait until a person continues the batch: payrun resume nov',
      'A person stopped batch nov. Its unsent rows wait until a person continues the batch.',
    ],
    [
      { ...example.STOPPED_BEFORE, by: null, why: { code: 'PAUSED', facts: example.PAUSED } },
      'A pause stopped batch nov. Its unsent rows wait until a person continues the batch: payrun resume nov',
      'A pause stopped batch nov. Its unsent rows wait until a person continues the batch.',
    ],
    [
      { ...example.STOPPED_BEFORE, by: null, why: { code: 'PROPOSAL_WAITS', facts: example.PROPOSAL_WAITS } },
      'A plan stopped batch nov. Its unsent rows wait until a person continues the batch: payrun resume nov',
      'A plan stopped batch nov. Its unsent rows wait until a person continues the batch.',
    ],
    [
      { ...example.STOPPED_BEFORE, by: null, why: { code: 'REFUSED_IN_A_ROW', facts: { count: 9, reason: null } } },
      'Payrun stopped batch nov. The payout service refused 9 payments one after another. Nothing more is sent. The last reason was: no reason given. Find the common cause before you send the other rows. Then: payrun resume nov',
      'Payrun stopped batch nov. The payout service refused 9 payments one after another. Nothing more is sent. The last reason was: no reason given. Find the common cause before you send the other rows. Then continue the batch.',
    ],
    [
      { ...example.STOPPED_BEFORE, by: null, why: null },
      'Batch nov waits. Its unsent rows wait until a person continues the batch: payrun resume nov',
      'Batch nov waits. Its unsent rows wait until a person continues the batch.',
    ],
  ],
  HOUR_MISSED: [
    example.HOUR_MISSED,
    'No worker came in time for the scheduled time 2026-11-27 12:00:00 UTC of batch nov. Nothing was sent. To send the rows now: payrun resume nov',
    'No worker came in time for the scheduled time 2026-11-27 12:00:00 UTC of batch nov. Nothing was sent.',
  ],
  STOPPED: [
    [example.STOPPED, 'SIGINT stopped the run. Nothing more was sent, and the calls under way have ended.'],
    [{ signal: null, hasEnded: false }, 'A signal stopped the run. Nothing more was sent.'],
  ],
};

it.each(refusalCases(said))('%j', (refusal, words) => {
  expectRefusalWords(refusal, words);
  expectFigures(refusalWords({ code: refusal.code, facts: enlarged(refusal.facts) }));
});
