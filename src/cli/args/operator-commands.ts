/** Defines the commands for operators and auditors, and the commands that need no batch. */
import { defaultDocuments, documentKinds } from '../../domain/rows/document.ts';
import { perform } from './batch-commands.ts';
import { type CommandTable, optionsOf } from './command-table.ts';
import * as groups from './options.ts';
import { off, valued } from './options.ts';

const webhookWords = `Give the address of this listener with run --webhook-url, or in PAYRUN_WEBHOOK_URL. If both commands
have PAYRUN_WEBHOOK_SECRET (or PAYRUN_WEBHOOK_SECRET_FILE), each call must be signed with it. Payrun
trusts no call: it reads each named payment at the service. For calls from other machines, put a proxy
with https in front.`;

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

const stored = {
  data: valued('Folder of its data (default: under $XDG_STATE_HOME/payrun)'),
  database: valued(
    'postgres://… without a password, in place of SQLite in that folder; or set PAYRUN_SERVICE_DATABASE',
  ),
  ...groups.json,
  ...groups.log,
};

export const operatorCommands: CommandTable = {
  listen: {
    about: 'Receive webhooks, and print the state of the payments that they name',
    options: optionsOf(['log', 'figures'], {
      json: off('Print one line of JSON for each webhook'),
      port: valued('Port to listen on (default: 9000; 0: any)'),
      host: valued('Address to listen on (default: 127.0.0.1)'),
      unsigned: off('Accept calls about payments of this ledger without a signature too'),
      ledger: valued('The ledger file (default: under $XDG_STATE_HOME/payrun)'),
      ...groups.asUser,
    }),
    more: webhookWords,
    run: async (...given) => (await import('../commands/listen.ts')).listen(...given),
  },
  'watch <folder>': {
    about: 'Pay each sheet in a hot folder, and answer with ACK, NACK, DUPS and RESULT',
    options: optionsOf(['output', 'payer', 'reading', 'sending', 'approval', 'figures'], {
      once: off('Run the sheets that are there, and end; for cron and timers'),
      every: valued('How often to scan the folder', { default: '5s' }),
      still: valued('A file is complete if it did not change for so long, or has a mark: NAME.done, NAME.ready', {
        default: '10s',
      }),
      documents: valued('The folder of supporting documents (default: the hot folder)'),
      out: valued('Where the answers go: NAME.ACK, NAME.RESULT… (default: out in the hot folder)'),
    }),
    run: async (...given) => (await import('../commands/watch.ts')).watchFolder(...given),
  },
  console: {
    about: 'The web console: upload, check, approve, pay and download in a browser',
    options: optionsOf(['json', 'ledger', 'log', 'figures'], {
      port: valued('Port to listen on (default: 7777; 0: any)'),
      listen: valued('Address to listen on (default: 127.0.0.1, this machine only)'),
      'behind-proxy': valued('How browsers reach it through a proxy: https://NAME'),
      'tls-cert': valued('Certificate, with its chain, as PEM'),
      'tls-key': valued('Its private key, as PEM'),
    }),
    run: async (...given) => (await import('../commands/console.ts')).openConsole(...given),
  },
  worker: {
    about: 'Join the fleet of a ledger on Postgres, and send rows of open batches until stopped',
    options: optionsOf(['service', 'figures'], {
      concurrency: valued('The most rows that this worker has under way (1-64, default: 8); the run limits the fleet'),
      lead: {
        type: 'boolean',
        default: true,
        describe: 'Lead scheduled batches, and batches whose leader is gone; --no-lead: only send rows',
      },
    }),
    run: async (...given) => (await import('../commands/work.ts')).joinFleet(...given),
  },
  'pause [batch]': {
    about: 'Stop sending for one batch, or for all batches of the ledger',
    positionals: { batch: "The batch's name (default: all batches of the ledger)" },
    options: optionsOf(['ledger', 'json', 'keptReason'], {
      end: off('End the pause'),
      ...groups.seen,
      list: off('List the pauses: who, since when and why'),
    }),
    run: async (...given) => (await import('../commands/work.ts')).pauseBatches(...given),
  },
  'schedule [batch]': {
    about: 'Let the fleet continue a batch at fixed hours',
    options: optionsOf(['ledger', 'json'], {
      cron: valued('When: minute, hour, day, month, weekday'),
      zone: valued('Time zone (default: Africa/Johannesburg)'),
      expires: valued('How late a worker may still start', { default: '4h' }),
      end: off('End the schedule'),
      list: off('List the schedules and their next times'),
    }),
    run: async (...given) => (await import('../commands/work.ts')).scheduleBatch(...given),
  },
  ledger: {
    about: 'Copy the ledger to another database; move a batch to another key, user or address',
    below: {
      'rebind <batch>': {
        about: 'Continue a batch with another key, user or address',
        options: optionsOf(['output', 'payer', 'reason']),
        run: perform((word) => ({ do: 'rebind', batch: word('batch'), reason: word('reason') })),
      },
      'copy <to>': {
        about: 'Copy the ledger from its file to a Postgres, or back; the old ledger sends nothing more',
        options: optionsOf(['json'], {
          ledger: valued('The ledger to copy (default: the ledger that other commands use)'),
        }),
        run: async (...given) => (await import('../commands/copy-ledger.ts')).copyLedgerTo(...given),
      },
    },
  },
  audit: {
    about: 'Check the ledger, its trail and a result against each other',
    below: {
      'verify [pack]': {
        about: 'Check that nothing was changed, lost or added; needs no service',
        options: optionsOf(['json', 'ledger'], {
          policy: valued("With a pack: the policy with the approvers' keys, to check their signatures"),
          trail: valued('An exported trail to check; with --ledger, compare the ledger with it'),
          result: valued('A result file to compare, CSV or XLSX'),
        }),
        run: async (args, world) =>
          args.pack === undefined
            ? (await import('../commands/audit.ts')).auditVerify(args, world)
            : (await import('../evidence/check-pack.ts')).verifyPack(args, world),
      },
      'export [batch]': {
        about: 'Write the evidence of a batch to one file; without a batch the trail, a line of JSON for each entry',
        positionals: { batch: 'The batch (default: write the trail)' },
        options: optionsOf(['json', 'ledger'], {
          out: valued('The new file to write (default: BATCH.evidence.zip in this folder)'),
        }),
        run: async (args, world) =>
          args.batch === undefined
            ? (await import('../commands/audit.ts')).auditExport(args, world)
            : (await import('../evidence/pack.ts')).exportPack(args, world),
      },
    },
  },
  template: {
    about: 'Write a blank sheet with drop-downs',
    options: {
      country: valued('Only the columns of this country'),
      csv: off('CSV instead of XLSX'),
      out: valued('The file to write (default: payouts.xlsx here)'),
    },
    run: async (...given) => (await import('./templates.ts')).templateFile(...given),
  },
  'banks [country]': {
    about: 'The banks that Payrun knows by name, alias and code',
    options: groups.json,
    run: async (...given) => (await import('./templates.ts')).banksOf(...given),
  },
  'completion <shell>': {
    about: 'Print what a shell needs to complete commands and options',
    more: 'In bash: source <($0 completion bash)',
    run: async (...given) => (await import('../commands/completion.ts')).printCompletion(...given),
  },
  service: {
    about: 'Run the payout service by itself',
    options: {
      ...stored,
      port: valued('Port to listen on; 0: any', { default: '8080' }),
      host: valued('Address to listen on (default: 127.0.0.1; 0.0.0.0: all of this machine)'),
      'rail-limits': valued('Refuse amounts above what the rails take at this hour (default: on)', {
        choices: ['on', 'off'],
      }),
      deployment: valued('With --database: nodes of one name take the same tokens (default: default)'),
      'base-path': valued('What stands before every path: /v1'),
      'public-url': valued('Behind a proxy: how others reach the service, with the base path'),
      faults: valued('A file with the faults to make on purpose; below'),
      'until-eof': off('End when stdin ends'),
      'requests-per-minute': valued('Calls with a token a minute for each tenant; 0: no limit', { default: '0' }),
      'tokens-per-minute': valued('Tokens a minute for each key, and as many wrong secrets; 0: no limit', {
        default: '60',
      }),
      'momo-accounts': valued('Mobile-money accounts that a profile may have', { default: '10' }),
      'documents-kinds': valued(
        `Documents that payments may have: ${documentKinds.join(',')} (default: ${defaultDocuments.kinds.join(',')})`,
      ),
      'documents-max-size': valued('How large each may be (default: 10MB)'),
      uploads: valued('Files that a tenant may upload in all', { default: '100000' }),
      'upload-space': valued('MiB that they may take', { default: '20480' }),
    },
    more: faultsFormat,
    below: {
      tenant: {
        about: 'Add a tenant',
        below: {
          'add <name>': {
            about: 'Add a tenant and print its key and secret, once',
            positionals: { name: "The tenant's name, for people" },
            options: stored,
            run: async (...given) => (await import('../commands/serve.ts')).tenantAdd(...given),
          },
        },
      },
      user: {
        about: 'Mark a user as verified',
        below: {
          'verify <userid>': {
            about: 'Mark a user as verified: the given name can then no longer be changed by the user',
            options: stored,
            run: async (...given) => (await import('../commands/serve.ts')).userVerify(...given),
          },
        },
      },
    },
    run: async (...given) => (await import('../commands/serve.ts')).serviceAlone(...given),
  },
};
