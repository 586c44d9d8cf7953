/** The options of the commands, with their texts for `--help`. Each table is given to yargs as it is. */
import type { Options, PositionalOptions } from 'yargs';
import { accountChecks } from '../../domain/accounts/account-number.ts';
import { numberFormats } from '../../domain/amounts/money.ts';
import type { RepeatedOptions } from '../../domain/next-action.ts';
import { defaultDocuments, documentKinds } from '../../domain/rows/document.ts';
import { shippedMaps } from '../../sheet/sheet.ts';
import { kycDocumentTypes } from '../../wire/kyc.ts';

/** Options for reading and paying a sheet, with their defaults. A printed next step repeats the values that differ. */
export const repeatedDefaults: {
  readonly [O in Exclude<keyof RepeatedOptions, 'map' | 'only' | 'ignoreColumn'>]: string | null;
} = {
  batchIfNew: null,
  sheet: null,
  includeHidden: null,
  corrections: null,
  numberFormat: null,
  fromCountry: null,
  documents: null,
  documentsPolicy: 'require',
  accountChecks: 'by-rule',
  skipInvalid: null,
  allowMomoPush: null,
  updateNames: null,
  expect: null,
  cap: null,
  payWindow: null,
  outside: null,
  canary: null,
  series: null,
  variance: null,
  maker: null,
  webhookUrl: null,
  listen: null,
  concurrency: '8',
  out: null,
  format: null,
};

type OptionTable = Readonly<Record<string, Options>>;

const valued = (describe: string, more: Options = {}): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...more,
});
const needed = (describe: string) => valued(describe, { demandOption: true });
const listed = (describe: string): Options => ({ type: 'string', array: true, nargs: 1, describe });
const chosen = (choices: readonly string[], describe: string): Options => ({ choices, describe });
const switched = (describe: string): Options => ({ type: 'boolean', describe });
const off = (describe: string): Options => ({ type: 'boolean', default: false, describe });

export const json: OptionTable = { json: off('Print one JSON document') };

export const output: OptionTable = { ...json, quiet: off('Print nothing if the exit code is 0') };

export const ledger: OptionTable = {
  ledger: valued('The ledger: a file (default: under $XDG_STATE_HOME/payrun), or postgres://user@host/database'),
  sandbox: off('Use the embedded service: no real money'),
};

const log: OptionTable = {
  log: valued(
    'Append a line of JSON for each event to this file, or with - to stderr (default: PAYRUN_LOG, else none)',
  ),
};

const figures: OptionTable = {
  'metrics-port': valued('Serve metrics for Prometheus, /health and /ready on this [HOST:]PORT; 0: any port'),
};

const asUser: OptionTable = {
  'as-user': valued("Use this user's token (default: PAYRUN_USER_ID, else the tenant's token)"),
};

export const payer: OptionTable = { ...ledger, ...log, ...asUser };

export const service: OptionTable = { ...json, ...payer };

export const token: OptionTable = {
  user: valued("A token of this user (userId), good for 24 hours; without: the tenant's, for an hour"),
};

export const list: OptionTable = { all: off('Read the list to its end') };

export const inactive: OptionTable = { inactive: off('List disabled users') };

export const kycDocument: OptionTable = {
  type: { choices: kycDocumentTypes, requiresArg: true, demandOption: true, describe: 'What the document is' },
};

export const label: OptionTable = { label: valued('A name for it') };

export const fieldsFile: OptionTable = { body: valued('A file with these fields as a JSON object') };

const reading: OptionTable = {
  sheet: valued('The sheet of the workbook to read'),
  map: valued(`A map that says which column is which: a file, or ${shippedMaps.map(({ name }) => name).join(', ')}`),
  only: listed('Pay only the rows with this value: COLUMN=VALUE, or COLUMN= for an empty cell; may be given again'),
  'ignore-column': listed('Pay all rows, whatever this unread column says; may be given again'),
  documents: valued("The folder of supporting documents (default: the sheet's)"),
  'documents-policy': {
    choices: ['require', 'warn', 'off'],
    default: 'require',
    describe: 'A payment above 50,000 ZAR without a document is an error (require), a warning (warn) or nothing (off)',
  },
  'from-country': valued('The funding source of rows without one'),
  'number-format': chosen(numberFormats, 'How the sheet writes numbers; needed if 1,500 or 1.500 occurs'),
  'account-checks': {
    choices: accountChecks,
    describe: "How a failed check digit counts; by-rule: as an error, if the bank's rule is published",
    default: 'by-rule',
  },
  'include-hidden': off('Pay hidden and filtered rows too'),
  'skip-invalid': off('Leave bad rows out and pay the good ones'),
};

export const sheet: OptionTable = {
  ...reading,
  expect: listed('A control total of the sheet: rows=212, ZAR=1904300, accounts=HASH; may be given again'),
};

export const corrections: OptionTable = {
  ...sheet,
  corrections: valued('A file with corrections of cells, and who made them'),
};

export const batch: OptionTable = {
  batch: valued("The batch's name (default: from its rows)"),
  'batch-if-new': valued("The batch's name, if the rows of the sheet are in no batch yet"),
  add: switched('Pay the rows that this file adds; without --drop, the batch keeps its other rows'),
  drop: switched('Close the rows of the batch that this sheet lacks, so that they are never paid'),
  'confirm-repeat': valued('The reason to pay again rows that look paid; needs a new --batch'),
  series: valued(
    "The series of the batch, such as payroll: compare it with the last batch (default: the batch's own series)",
  ),
  variance: valued('How far an amount or a total of a series may change without a warning (default: 10%)'),
  'confirm-variance': valued('The reason for a larger change, if a setting stops the run'),
  'allow-momo-push': {
    type: 'string',
    describe: 'How many rows may ask a phone in Kenya for money (default: 5; without a number: any)',
  },
};

export const result: OptionTable = {
  out: valued("Folder of the result (default: the sheet's)"),
  format: chosen(['csv', 'xlsx'], "Format of the result (default: the sheet's; csv above 20,000 rows)"),
};

export const page: OptionTable = {
  html: switched('Write a page to read and print instead of a sheet'),
  zone: valued("The time zone of the page's times, such as Africa/Johannesburg (default: this machine's)", {
    implies: 'html',
  }),
};

const guards: OptionTable = {
  cap: listed('Lower a cap on a row, payee, batch or day: ZAR:batch=2000000; may be given again'),
};

/** The limits of a run that pays, and of a plan. */
const limits: OptionTable = {
  ...guards,
  'pay-window': valued('Send only in these hours in Johannesburg: 08:00-16:00, or 08:00-16:00,business'),
  outside: chosen(
    ['wait', 'stop'],
    'Outside the pay window: wait for it up to 24 hours, or stop and leave the rows unsent (default: stop)',
  ),
  canary: valued('Pay so many rows first, and send the others only after these are paid'),
};

export const checked: OptionTable = {
  ...guards,
  out: valued("Folder of the checked workbook (default: the sheet's)"),
  totals: off('Write the control totals of the sheet, so that you can send them by another way'),
  write: off('Write the checked workbook even if nothing is wrong'),
};

const updateNames: OptionTable = { 'update-names': off('Rename known payees at the service as in the sheet') };

export const sending: OptionTable = {
  ...result,
  ...limits,
  concurrency: valued('Payments under way at a time, 1 to 64', { default: '8' }),
  wait: valued('How long to follow payments: 30s, 2m, 0 for not at all', { default: '2m' }),
  ...updateNames,
  'webhook-url': valued(
    'The address to which the service reports changes of new payments (default: PAYRUN_WEBHOOK_URL)',
  ),
  listen: valued('Receive webhooks on this [HOST:]PORT while the run follows payments, for fewer requests'),
};

export const approval: OptionTable = {
  policy: valued('The file of the policy (default: PAYRUN_POLICY, else payrun.policy.json here)'),
};

export const watching: OptionTable = {
  ...output,
  ...payer,
  ...reading,
  ...sending,
  ...approval,
  ...figures,
  once: off('Run the sheets that are there, and end; for cron and timers'),
  every: valued('How often to scan the folder', { default: '5s' }),
  still: valued('A file is complete if it did not change for so long, or has a mark: NAME.done, NAME.ready', {
    default: '10s',
  }),
  documents: valued('The folder of supporting documents (default: the hot folder)'),
  out: valued('Where the answers go: NAME.ACK, NAME.RESULT… (default: out in the hot folder)'),
};

export const maker: OptionTable = {
  maker: valued('The maker of the sheet, who may not release its held rows; for a run without a plan'),
};

export const making: OptionTable = {
  ...corrections,
  ...batch,
  ...approval,
  ...limits,
  out: valued("Folder of the plan (default: the sheet's)"),
  maker: valued('The maker of the plan (default: the user who is logged in)'),
  retry: off('Send every unpaid row of the sheet again under the plan'),
  'retry-row': listed('Send this unpaid row again under the plan; may be given again'),
  expires: valued('How long the plan is valid: 4h, 24h; at most 720h', { default: '24h' }),
  ...updateNames,
};

export const approved: OptionTable = {
  ...approval,
  approve: valued("Pay this plan and nothing else: the plan's digest, or at least its first 32 digits"),
  plan: valued('The file of that plan (default: beside the sheet, or in --out)'),
};

export const approving: OptionTable = { key: needed('Your private key: NAME.key'), ...approval };

export const keyFolder: OptionTable = { out: valued('Folder of the two files (default: this one)') };

export const fresh: OptionTable = { fresh: off("With --sandbox: delete the sandbox's ledger and data first") };

export const resuming: OptionTable = {
  ...sending,
  ...approval,
  'skip-invalid': off('Continue without payees that the service refused'),
};

const keptReason = 'The reason, which the trail keeps';

export const reason: OptionTable = { reason: needed(keptReason) };

export const exitCode: OptionTable = { 'exit-code': off("Exit with the batch's own code") };

export const offline: OptionTable = { offline: off('Show the details in the ledger, without asking the service') };

const rowWords = "The row's row_id (payrun_row), or its number if no row has that id";

export const row: PositionalOptions = { type: 'string', describe: rowWords };

const approverKey: OptionTable = { key: valued('The key of an approver, if a policy is in force') };

export const resolving: OptionTable = {
  row: valued(rowWords),
  paid: valued('The id of the payment that pays the row; Payrun compares the two'),
  'not-paid': switched('No payment pays the row; accepted after two complete scans of the list'),
  'not-a-repeat': switched('Pay the held row, although it looks like an earlier payment'),
  known: switched('Somebody deals with the two payments of the row: continue with the other rows'),
  'release-absent': switched('Send rows again that were proven absent (with --row: only that row)'),
  ...approverKey,
  payment: valued('The id of the payment, with --gone'),
  gone: switched('The service no longer knows a payment that it accepted: do not search for it'),
  reason: valued(keptReason),
};

export const closing: OptionTable = { row: needed(`${rowWords}; commas between several`), ...reason };

export const reopening: OptionTable = { ...closing, ...approval, ...approverKey };

export const release: OptionTable = {
  row: needed(rowWords),
  reason: needed('How the payee was asked, and by whom; the trail keeps this reason'),
  by: valued('The person who releases the row, if there is no policy (default: the user who is logged in)'),
  ...approverKey,
  ...approval,
};

export const listening: OptionTable = {
  ...log,
  ...figures,
  json: off('Print one line of JSON for each webhook'),
  port: valued('Port to listen on (default: 9000; 0: any)'),
  host: valued('Address to listen on (default: 127.0.0.1)'),
  unsigned: off('Accept calls about payments of this ledger without a signature too'),
  ledger: valued('The ledger file (default: under $XDG_STATE_HOME/payrun)'),
  ...asUser,
};

export const webhookWords = `Give the address of this listener with run --webhook-url, or in PAYRUN_WEBHOOK_URL. If both commands
have PAYRUN_WEBHOOK_SECRET (or PAYRUN_WEBHOOK_SECRET_FILE), each call must be signed with it. Payrun
trusts no call: it reads each named payment at the service. For calls from other machines, put a proxy
with https in front.`;

export const retrying: OptionTable = {
  rows: valued('The rows to send again, with commas between (default: every unpaid row)'),
  'retry-row': listed('One row to send again, whose payrun_row may have commas; may be given again'),
};

export const rehearsal: OptionTable = {
  kills: valued('How many runs to kill (default: 10)'),
  seed: valued('The seed of the random faults, which the command prints (default: a new one)'),
  minutes: valued('How long the rehearsal may take (default: 2)'),
  keep: valued('Keep ledger, service and result in this new folder (default: remove them)'),
};

export const working: OptionTable = {
  ...service,
  ...figures,
  concurrency: valued('The most rows that this worker has under way (1-64, default: 8); the run limits the fleet'),
  lead: {
    type: 'boolean',
    default: true,
    describe: 'Lead scheduled batches, and batches whose leader is gone; --no-lead: only send rows',
  },
};

export const pausing: OptionTable = {
  ...ledger,
  ...json,
  reason: valued(keptReason),
  end: off('End the pause'),
  list: off('List the pauses: who, since when and why'),
};

export const scheduling: OptionTable = {
  ...ledger,
  ...json,
  cron: valued('When: minute, hour, day, month, weekday'),
  zone: valued('Time zone (default: Africa/Johannesburg)'),
  end: off('End the schedule'),
  list: off('List the schedules and their next times'),
};

export const copying: OptionTable = {
  ...json,
  ledger: valued('The ledger to copy (default: the ledger that other commands use)'),
};

export const verifying: OptionTable = {
  ...json,
  ...ledger,
  policy: valued("With a pack: the policy with the approvers' keys, to check their signatures"),
  trail: valued('An exported trail to check; with --ledger, compare the ledger with it'),
  result: valued('A result file to compare, CSV or XLSX'),
};

export const exporting: OptionTable = {
  ...json,
  ...ledger,
  out: valued('The new file to write (default: BATCH.evidence.zip in this folder)'),
};

export const template: OptionTable = {
  country: valued('Only the columns of this country'),
  csv: off('CSV instead of XLSX'),
  out: valued('The file to write (default: payouts.xlsx here)'),
};

export const data: OptionTable = {
  data: valued('Folder of its data (default: under $XDG_STATE_HOME/payrun)'),
  database: valued(
    'postgres://… without a password, in place of SQLite in that folder; or set PAYRUN_SERVICE_DATABASE',
  ),
};

/** An option of `service` that its subcommands lack. */
const served = (describe: string, more: Options = {}) => valued(describe, { global: false, ...more });

export const serving: OptionTable = {
  ...data,
  ...json,
  ...log,
  port: served('Port to listen on (default: 8080; 0: any)'),
  host: served('Address to listen on (default: 127.0.0.1; 0.0.0.0: all of this machine)'),
  'rail-limits': served('Refuse amounts above what the rails take at this hour (default: on)', {
    choices: ['on', 'off'],
  }),
  deployment: served('With --database: nodes of one name take the same tokens (default: default)'),
  'base-path': served('What stands before every path: /v1'),
  'public-url': served('Behind a proxy: how others reach the service, with the base path'),
  faults: served('A file with the faults to make on purpose; below'),
  'until-eof': { ...off('End when stdin ends'), global: false },
  'requests-per-minute': served('Calls with a token a minute for each tenant (default: 0, no limit)'),
  'tokens-per-minute': served('Tokens a minute for each key, and as many wrong secrets (default: 60; 0: no limit)'),
  'momo-accounts': served('Mobile-money accounts that a profile may have (default: 10)'),
  'documents-kinds': served(
    `Documents that payments may have: ${documentKinds.join(',')} (default: ${defaultDocuments.kinds.join(',')})`,
  ),
  'documents-max-size': served('How large each may be (default: 10MB)'),
  uploads: served('Files that a tenant may upload in all (default: 100000)'),
  'upload-space': served('MiB that they may take (default: 20480)'),
};

/** test/docs.test.ts compares this text with the schema of the faults. */
export const faultsFormat = `The file of --faults is a list of rules in JSON. Each chooses calls, and does one thing to them:

  [{"route": "POST /payments", "nth": [2, 5], "action": {"kind": "drop", "at": "after"}},
   {"route": "*", "probability": 0.1, "action": {"kind": "delay", "at": "before", "ms": 500}}]

A rule counts the calls of its route with a valid token, from 1. It applies to all of them unless these
fields choose:
  route        As the interface writes it: "GET /payments/:id"; "*" is any; "webhook" is a call
               to a payment's webhookUrl
  nth          This call, or a list: these
  from         From this call on
  probability  How often, 0 to 1; drawn from the call's number and the rule's seed
  seed         A text or a number
  times        At most so often

The kinds of action, and what else each takes:
  delay    at, ms        Wait so long
  drop     at, how       End the connection without an answer
  late     ms, how       End the connection, and do the work so much later
  hang     at            Never answer
  answer   at, status    Answer this; with headers and a body, if they are given
  rotate                 Answer 401, to every token minted before
  identity               Answer 500 as when the identity provider fails, and do nothing
  cut      framing       Do the work, and send half of the answer
  trickle  msPerByte     Do the work, and send the answer byte by byte
  repeat   times         Of "webhook": call so often, whatever is answered
  postpone ms            Of "webhook": call so much later, and let others overtake

  at       "before" the work, or "after" it, when it is on the disk
  how      "reset" (default) or "close"
  ms       Milliseconds; msPerByte too
  status   200 to 599
  headers  {"retry-after": "2"}
  body     A text
  framing  What tells the end of the whole answer: "length", "chunked" or "close"`;

export const serveConsole: OptionTable = {
  ...json,
  ...ledger,
  ...log,
  ...figures,
  port: valued('Port to listen on (default: 7777; 0: any)'),
  listen: valued('Address to listen on (default: 127.0.0.1, this machine only)'),
  'behind-proxy': valued('How browsers reach it through a proxy: https://NAME'),
  'tls-cert': valued('Certificate, with its chain, as PEM'),
  'tls-key': valued('Its private key, as PEM'),
};
