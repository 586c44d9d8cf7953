/** The options that several commands have, with their texts for `--help`. Each table is given to yargs as it is. */
import type { Options } from 'yargs';
import { wordsIn } from '../../base/words.ts';
import { accountChecks } from '../../domain/accounts/account-number.ts';
import { numberFormats } from '../../domain/amounts/money.ts';
import type { RepeatedOptions } from '../../domain/next-action.ts';
import { shippedMaps } from '../../sheet/sheet.ts';

export type OptionTable = Readonly<Record<string, Options>>;

/** Options for reading and paying a sheet. A printed next step repeats their values that differ from the defaults. */
export const repeatedNames: readonly (keyof RepeatedOptions)[] = wordsIn(
  'batchIfNew sheet includeHidden corrections numberFormat fromCountry documents documentsPolicy accountChecks skipInvalid',
  'allowMomoPush updateNames expect cap payWindow outside canary series variance maker webhookUrl listen concurrency out format',
);
export const repeatedDefaults: { readonly [O in keyof RepeatedOptions]?: string } = { concurrency: '8' };

export const valued = (describe: string, more: Options = {}): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...more,
});
export const needed = (describe: string) => valued(describe, { demandOption: true });
export const listed = (describe: string): Options => ({ type: 'string', array: true, nargs: 1, describe });
const chosen = (choices: readonly string[], describe: string): Options => ({ choices, describe });
export const switched = (describe: string): Options => ({ type: 'boolean', describe });
export const off = (describe: string): Options => ({ type: 'boolean', default: false, describe });

export const json: OptionTable = { json: off('Print one JSON document') };

export const seen: OptionTable = {
  seen: valued('The state that the printed command showed; if it changed, nothing is done'),
};

export const output: OptionTable = { ...json, quiet: off('Print nothing if the exit code is 0') };

export const ledger: OptionTable = {
  ledger: valued('The ledger: a file (default: under $XDG_STATE_HOME/payrun), or postgres://user@host/database'),
  sandbox: off('Use the embedded service: no real money'),
};

export const log: OptionTable = {
  log: valued(
    'Append a line of JSON for each event to this file, or with - to stderr (default: PAYRUN_LOG, else none)',
  ),
};

export const figures: OptionTable = {
  'metrics-port': valued('Serve metrics for Prometheus, /health and /ready on this [HOST:]PORT; 0: any port'),
};

export const asUser: OptionTable = {
  'as-user': valued("Use this user's token (default: PAYRUN_USER_ID, else the tenant's token)"),
};

export const payer: OptionTable = { ...ledger, ...log, ...asUser };

export const service: OptionTable = { ...json, ...payer };

export const reading: OptionTable = {
  sheet: valued('The sheet of the workbook to read'),
  map: valued(`A map that says which column is which: a file, or ${shippedMaps.map(({ name }) => name).join(', ')}`),
  only: listed('Pay only the rows with this value: COLUMN=VALUE, or COLUMN= for an empty cell; may be given again'),
  'ignore-column': listed('Pay all rows, whatever this unread column says; may be given again'),
  documents: valued("The folder of supporting documents (default: the sheet's)"),
  'documents-policy': {
    choices: ['require', 'warn', 'off'],
    describe: 'Above 50,000 ZAR, no document is an error (require, the default), a warning (warn) or nothing (off)',
  },
  'from-country': valued('The funding source of rows without one'),
  'number-format': chosen(numberFormats, 'How the sheet writes numbers; needed if 1,500 or 1.500 occurs'),
  'account-checks': {
    choices: accountChecks,
    describe: "How a failed check digit counts; by-rule, the default: as an error, if the bank's rule is published",
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
  'batch-if-new': valued('The name of a new batch, if the rows of the sheet are in no batch yet'),
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

export const guards: OptionTable = {
  cap: listed('Lower a cap on a row, payee, batch or day: ZAR:batch=2000000; may be given again'),
};

export const limits: OptionTable = {
  ...guards,
  'pay-window': valued('Send only in these hours in Johannesburg: 08:00-16:00, or 08:00-16:00,business'),
  outside: chosen(
    ['wait', 'stop'],
    'Outside the pay window: wait for it up to 24 hours, or stop and leave the rows unsent (default: stop)',
  ),
  canary: valued('Pay so many rows first, and send the others only after these are paid'),
};

export const updateNames: OptionTable = { 'update-names': off('Rename known payees at the service as in the sheet') };

export const sending: OptionTable = {
  ...result,
  ...limits,
  concurrency: valued('Payments under way at a time, 1 to 64', { default: repeatedDefaults.concurrency }),
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

export const resuming: OptionTable = {
  ...sending,
  ...approval,
  'skip-invalid': off('Continue without payees that the service refused'),
};

const reasonWords = 'The reason, which the trail keeps';
export const reason: OptionTable = { reason: needed(reasonWords) };
export const keptReason: OptionTable = { reason: valued(reasonWords) };
