/** Defines the options that commands share, with their texts for `--help`. */
import type { Argv } from 'yargs';
import { accountChecks } from '../../domain/accounts/account-number.ts';
import { numberFormats } from '../../domain/amounts/money.ts';
import type { RepeatedOptions } from '../../domain/next-action.ts';
import { defaultDocuments, documentKinds } from '../../domain/rows/document.ts';
import { shippedMaps } from '../../sheet/sheet.ts';
import { withCanary, withGuards, withWindow } from '../compose/limits.ts';

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

const valued = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;
const needed = (describe: string) => ({ type: 'string', requiresArg: true, demandOption: true, describe }) as const;
const listed = (describe: string) => ({ type: 'string', array: true, nargs: 1, describe }) as const;
const switched = (describe: string) => ({ type: 'boolean', describe }) as const;

export function withJson<T>(yargs: Argv<T>) {
  return yargs.option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' });
}

export function withOutput<T>(yargs: Argv<T>) {
  return withJson(yargs).option('quiet', {
    type: 'boolean',
    default: false,
    describe: 'Print nothing if the exit code is 0',
  });
}

export function withLedger<T>(yargs: Argv<T>) {
  return yargs
    .option(
      'ledger',
      valued('The ledger: a file (default: under $XDG_STATE_HOME/payrun), or postgres://user@host/database'),
    )
    .option('sandbox', { type: 'boolean', default: false, describe: 'Use the embedded service: no real money' });
}

export function withService<T>(yargs: Argv<T>) {
  return withPayer(withJson(yargs));
}

function withLog<T>(yargs: Argv<T>) {
  return yargs.option(
    'log',
    valued('Append a line of JSON for each event to this file, or with - to stderr (default: PAYRUN_LOG, else none)'),
  );
}

function withFigures<T>(yargs: Argv<T>) {
  return yargs.option(
    'metrics-port',
    valued('Serve metrics for Prometheus, /health and /ready on this [HOST:]PORT; 0: any port'),
  );
}

export function withPayer<T>(yargs: Argv<T>) {
  return withLog(withLedger(yargs)).option(
    'as-user',
    valued("Use this user's token (default: PAYRUN_USER_ID, else the tenant's token)"),
  );
}

export function withList<T>(yargs: Argv<T>) {
  return yargs.option('all', { type: 'boolean', default: false, describe: 'Read the list to its end' });
}

export function withFields<T>(yargs: Argv<T>) {
  return yargs
    .positional('fields', {
      type: 'string',
      array: true,
      describe: "name=value …, as the service's interface names them",
    })
    .option('body', valued('A file with these fields as a JSON object'));
}

export function withSheet<T>(yargs: Argv<T>) {
  return withReading(yargs).option(
    'expect',
    listed('A control total of the sheet: rows=212, ZAR=1904300, accounts=HASH; may be given again'),
  );
}

function withReading<T>(yargs: Argv<T>) {
  return yargs
    .option('sheet', valued('The sheet of the workbook to read'))
    .option('map', {
      type: 'string',
      requiresArg: true,
      describe: `A map that says which column is which: a file, or ${shippedMaps.map(({ name }) => name).join(', ')}`,
    })
    .option(
      'only',
      listed('Pay only the rows with this value: COLUMN=VALUE, or COLUMN= for an empty cell; may be given again'),
    )
    .option('ignore-column', listed('Pay all rows, whatever this unread column says; may be given again'))
    .option('documents', valued("The folder of supporting documents (default: the sheet's)"))
    .option('documents-policy', {
      choices: ['require', 'warn', 'off'] as const,
      default: 'require' as const,
      describe:
        'A payment above 50,000 ZAR without a document is an error (require), a warning (warn) or nothing (off)',
    })
    .option('from-country', valued('The funding source of rows without one'))
    .option('number-format', {
      choices: numberFormats,
      describe: 'How the sheet writes numbers; needed if 1,500 or 1.500 occurs',
    })
    .option('account-checks', {
      choices: accountChecks,
      describe: "How a failed check digit counts; by-rule: as an error, if the bank's rule is published",
      default: 'by-rule' as const,
    })
    .option('include-hidden', { type: 'boolean', default: false, describe: 'Pay hidden and filtered rows too' })
    .option('skip-invalid', { type: 'boolean', default: false, describe: 'Leave bad rows out and pay the good ones' });
}

export function withCorrections<T>(yargs: Argv<T>) {
  return withSheet(yargs).option('corrections', valued('A file with corrections of cells, and who made them'));
}

export function withBatch<T>(yargs: Argv<T>) {
  return yargs
    .option('batch', valued("The batch's name (default: from its rows)"))
    .option('batch-if-new', valued("The batch's name, if the rows of the sheet are in no batch yet"))
    .option('add', switched('Pay the rows that this file adds; without --drop, the batch keeps its other rows'))
    .option('drop', switched('Close the rows of the batch that this sheet lacks, so that they are never paid'))
    .option('confirm-repeat', valued('The reason to pay again rows that look paid; needs a new --batch'))
    .option(
      'series',
      valued(
        "The series of the batch, such as payroll: compare it with the last batch (default: the batch's own series)",
      ),
    )
    .option('variance', valued('How far an amount or a total of a series may change without a warning (default: 10%)'))
    .option('confirm-variance', valued('The reason for a larger change, if a setting stops the run'))
    .option('allow-momo-push', {
      type: 'string',
      describe: 'How many rows may ask a phone in Kenya for money (default: 5; without a number: any)',
    });
}

export function withResult<T>(yargs: Argv<T>) {
  return yargs.option('out', valued("Folder of the result (default: the sheet's)")).option('format', {
    choices: ['csv', 'xlsx'] as const,
    describe: "Format of the result (default: the sheet's; csv above 20,000 rows)",
  });
}

export function withChecked<T>(yargs: Argv<T>) {
  return withGuards(yargs)
    .option('out', valued("Folder of the checked workbook (default: the sheet's)"))
    .option('totals', {
      type: 'boolean',
      default: false,
      describe: 'Write the control totals of the sheet, so that you can send them by another way',
    })
    .option('write', {
      type: 'boolean',
      default: false,
      describe: 'Write the checked workbook even if nothing is wrong',
    });
}

export function withSending<T>(yargs: Argv<T>) {
  return withCanary(withWindow(withGuards(withResult(yargs))))
    .option('concurrency', {
      type: 'string',
      requiresArg: true,
      default: '8',
      describe: 'Payments under way at a time, 1 to 64',
    })
    .option('wait', {
      type: 'string',
      requiresArg: true,
      default: '2m',
      describe: 'How long to follow payments: 30s, 2m, 0 for not at all',
    })
    .option('update-names', {
      type: 'boolean',
      default: false,
      describe: 'Rename known payees at the service as in the sheet',
    })
    .option(
      'webhook-url',
      valued('The address to which the service reports changes of new payments (default: PAYRUN_WEBHOOK_URL)'),
    )
    .option(
      'listen',
      valued('Receive webhooks on this [HOST:]PORT while the run follows payments, for fewer requests'),
    );
}

export function withWatching<T>(yargs: Argv<T>) {
  return withFigures(withApproval(withSending(withReading(withPayer(withOutput(yargs))))))
    .option('once', {
      type: 'boolean',
      default: false,
      describe: 'Run the sheets that are there, and end; for cron and timers',
    })
    .option('every', {
      type: 'string',
      requiresArg: true,
      default: '5s',
      describe: 'How often to scan the folder',
    })
    .option('still', {
      type: 'string',
      requiresArg: true,
      default: '10s',
      describe: 'A file is complete if it did not change for so long, or has a mark: NAME.done, NAME.ready',
    })
    .option('documents', valued('The folder of supporting documents (default: the hot folder)'))
    .option('out', valued('Where the answers go: NAME.ACK, NAME.RESULT… (default: out in the hot folder)'));
}

export function withMaker<T>(yargs: Argv<T>) {
  return yargs.option(
    'maker',
    valued('The maker of the sheet, who may not release its held rows; for a run without a plan'),
  );
}

export function withMaking<T>(yargs: Argv<T>) {
  return withCanary(withWindow(withGuards(yargs)))
    .option('out', valued("Folder of the plan (default: the sheet's)"))
    .option('maker', valued('The maker of the plan (default: the user who is logged in)'))
    .option('retry-row', listed('Send only this unpaid row again under the plan; may be given again'))
    .option('expires', {
      type: 'string',
      requiresArg: true,
      default: '24h',
      describe: 'How long the plan is valid: 4h, 24h; at most 720h',
    })
    .option('update-names', {
      type: 'boolean',
      default: false,
      describe: 'Rename known payees at the service as in the sheet',
    });
}

export function withApproval<T>(yargs: Argv<T>) {
  return yargs.option(
    'policy',
    valued('The file of the policy (default: PAYRUN_POLICY, else payrun.policy.json here)'),
  );
}

export function withApproved<T>(yargs: Argv<T>) {
  return withApproval(yargs)
    .option('approve', valued("Pay this plan and nothing else: the plan's digest, or at least its first 32 digits"))
    .option('plan', valued('The file of that plan (default: beside the sheet, or in --out)'));
}

export function withFresh<T>(yargs: Argv<T>) {
  return yargs.option('fresh', {
    type: 'boolean',
    default: false,
    describe: "With --sandbox: delete the sandbox's ledger and data first",
  });
}

export function withData<T>(yargs: Argv<T>) {
  return yargs
    .option('data', valued('Folder of its data (default: under $XDG_STATE_HOME/payrun)'))
    .option(
      'database',
      valued('postgres://… without a password, in place of SQLite in that folder; or set PAYRUN_SERVICE_DATABASE'),
    );
}

export function withResolve<T>(yargs: Argv<T>) {
  return yargs
    .option('row', valued("The row's row_id (payrun_row), or its number if no row has that id"))
    .option('paid', valued('The id of the payment that pays the row; Payrun compares the two'))
    .option('not-paid', switched('No payment pays the row; accepted after two complete scans of the list'))
    .option('not-a-repeat', switched('Pay the held row, although it looks like an earlier payment'))
    .option('known', switched('Somebody deals with the two payments of the row: continue with the other rows'))
    .option('release-absent', switched('Send rows again that were proven absent (with --row: only that row)'))
    .option('key', valued('The key of an approver, if a policy is in force'))
    .option('payment', valued('The id of the payment, with --gone'))
    .option('gone', switched('The service no longer knows a payment that it accepted: do not search for it'))
    .option('reason', valued('The reason, which the trail keeps'));
}

export function withClosing<T>(yargs: Argv<T>) {
  return yargs
    .option('row', needed("The row's row_id (payrun_row), or its number if no row has that id; commas between several"))
    .option('reason', needed('The reason, which the trail keeps'));
}

export function withRelease<T>(yargs: Argv<T>) {
  return yargs
    .option('row', needed("The row's row_id (payrun_row), or its number if no row has that id"))
    .option('reason', needed('How the payee was asked, and by whom; the trail keeps this reason'))
    .option('by', valued('The person who releases the row, if there is no policy (default: the user who is logged in)'))
    .option('key', valued('The key of an approver, if a policy is in force'))
    .option('policy', valued('The file of the policy (default: PAYRUN_POLICY, else payrun.policy.json here)'));
}

export function withListening<T>(yargs: Argv<T>) {
  return withFigures(withLog(yargs))
    .option('json', { type: 'boolean', default: false, describe: 'Print one line of JSON for each webhook' })
    .option('port', valued('Port to listen on (default: 9000; 0: any)'))
    .option('host', valued('Address to listen on (default: 127.0.0.1)'))
    .option('unsigned', {
      type: 'boolean',
      default: false,
      describe: 'Accept calls about payments of this ledger without a signature too',
    })
    .option('ledger', valued('The ledger file (default: under $XDG_STATE_HOME/payrun)'))
    .option('as-user', valued("Use this user's token (default: PAYRUN_USER_ID, else the tenant's token)"))
    .epilogue(webhookWords);
}

const webhookWords = `Give the address of this listener with run --webhook-url, or in PAYRUN_WEBHOOK_URL. If both commands
have PAYRUN_WEBHOOK_SECRET (or PAYRUN_WEBHOOK_SECRET_FILE), each call must be signed with it. Payrun
trusts no call: it reads each named payment at the service. For calls from other machines, put a proxy
with https in front.`;

export function withRetry<T>(yargs: Argv<T>) {
  return yargs
    .option('rows', valued('The rows to send again, with commas between (default: every unpaid row)'))
    .option('retry-row', listed('One row to send again, whose payrun_row may have commas; may be given again'));
}

export function withRehearsal<T>(yargs: Argv<T>) {
  return yargs
    .option('kills', valued('How many runs to kill (default: 10)'))
    .option('seed', valued('The seed of the random faults, which the command prints (default: a new one)'))
    .option('minutes', valued('How long the rehearsal may take (default: 2)'))
    .option('keep', valued('Keep ledger, service and result in this new folder (default: remove them)'));
}

/** test/docs.test.ts compares this text with the schema of the faults. */
const faultsFormat = `The file of --faults is a list of rules in JSON. Each chooses calls, and does one thing to them:

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

/** Keeps an option of `service` out of its subcommands (`global: false` in yargs). */
const global = false;

export function withWorking<T>(yargs: Argv<T>) {
  return withFigures(withPayer(withJson(yargs)))
    .option(
      'concurrency',
      valued('The most rows that this worker has under way (1-64, default: 8); the run limits the fleet'),
    )
    .option('lead', {
      type: 'boolean',
      default: true,
      describe: 'Lead scheduled batches, and batches whose leader is gone; --no-lead: only send rows',
    });
}

export function withServing<T>(yargs: Argv<T>) {
  return withLog(withJson(withData(yargs)))
    .option('port', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'Port to listen on (default: 8080; 0: any)',
    })
    .option('host', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'Address to listen on (default: 127.0.0.1; 0.0.0.0: all of this machine)',
    })
    .option('rail-limits', {
      type: 'string',
      choices: ['on', 'off'],
      requiresArg: true,
      global,
      describe: 'Refuse amounts above what the rails take at this hour (default: on)',
    })
    .option('deployment', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'With --database: nodes of one name take the same tokens (default: default)',
    })
    .option('base-path', { type: 'string', requiresArg: true, global, describe: 'What stands before every path: /v1' })
    .option('public-url', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'Behind a proxy: how others reach the service, with the base path',
    })
    .option('faults', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'A file with the faults to make on purpose; below',
    })
    .option('until-eof', { type: 'boolean', default: false, global, describe: 'End when stdin ends' })
    .option('requests-per-minute', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'Calls with a token a minute for each tenant (default: 0, no limit)',
    })
    .option('tokens-per-minute', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'Tokens a minute for each key, and as many wrong secrets (default: 60; 0: no limit)',
    })
    .option('momo-accounts', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'Mobile-money accounts that a profile may have (default: 10)',
    })
    .option('documents-kinds', {
      type: 'string',
      requiresArg: true,
      global,
      describe: `Documents that payments may have: ${documentKinds.join(',')} (default: ${defaultDocuments.kinds.join(',')})`,
    })
    .option('documents-max-size', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'How large each may be (default: 10MB)',
    })
    .option('uploads', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'Files that a tenant may upload in all (default: 100000)',
    })
    .option('upload-space', {
      type: 'string',
      requiresArg: true,
      global,
      describe: 'MiB that they may take (default: 20480)',
    })
    .epilogue(faultsFormat);
}

export function withConsole<T>(yargs: Argv<T>) {
  return withFigures(withLog(withLedger(withJson(yargs))))
    .option('port', valued('Port to listen on (default: 7777; 0: any)'))
    .option('listen', valued('Address to listen on (default: 127.0.0.1, this machine only)'))
    .option('behind-proxy', valued('How browsers reach it through a proxy: https://NAME'))
    .option('tls-cert', valued('Certificate, with its chain, as PEM'))
    .option('tls-key', valued('Its private key, as PEM'));
}
