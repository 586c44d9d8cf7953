/** The options that commands share, with the words that `--help` prints. */
import type { Argv } from 'yargs';
import { accountChecks } from '../domain/account-number.ts';
import { numberFormats } from '../domain/money.ts';
import { shippedMaps } from '../sheet/sheet.ts';

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
    .option('ledger', {
      type: 'string',
      requiresArg: true,
      describe: 'The ledger file (default: under $XDG_STATE_HOME/payrun)',
    })
    .option('sandbox', { type: 'boolean', default: false, describe: 'Use the embedded service: no real money' });
}

export function withSheet<T>(yargs: Argv<T>) {
  return yargs
    .option('sheet', { type: 'string', requiresArg: true, describe: 'Which sheet of a workbook' })
    .option('map', {
      type: 'string',
      requiresArg: true,
      describe: `Which column is which: a file, or ${shippedMaps.map(({ name }) => name).join(', ')}`,
    })
    .option('documents', {
      type: 'string',
      requiresArg: true,
      describe: "The folder of supporting documents (default: the sheet's)",
    })
    .option('documents-policy', {
      choices: ['require', 'warn', 'off'] as const,
      default: 'require' as const,
      describe: 'What a payment above 50,000 ZAR without a document is: an error, a warning, nothing',
    })
    .option('from-country', { type: 'string', requiresArg: true, describe: 'Funding source of rows that name none' })
    .option('number-format', {
      choices: numberFormats,
      describe: 'How the sheet writes numbers; asked for where 1,500 or 1.500 occurs',
    })
    .option('account-checks', {
      choices: accountChecks,
      describe: "A failed check digit; by-rule: an error where the bank's rule is published",
      default: 'by-rule' as const,
    })
    .option('include-hidden', { type: 'boolean', default: false, describe: 'Pay hidden and filtered rows too' })
    .option('skip-invalid', { type: 'boolean', default: false, describe: 'Leave bad rows out and pay the good ones' });
}

export function withBatch<T>(yargs: Argv<T>) {
  return yargs
    .option('batch', { type: 'string', requiresArg: true, describe: "The batch's name (default: from its rows)" })
    .option('add', {
      type: 'boolean',
      default: false,
      describe: 'Pay the rows that this sheet adds to a batch that was sent from',
    })
    .option('confirm-repeat', {
      type: 'string',
      requiresArg: true,
      describe: 'The reason for paying again what looks paid; with a new --batch',
    })
    .option('allow-momo-push', {
      type: 'boolean',
      default: false,
      describe: 'Let more than five rows ask a phone in Kenya for money',
    });
}

export function withResult<T>(yargs: Argv<T>) {
  return yargs
    .option('out', { type: 'string', requiresArg: true, describe: "Folder of the result (default: the sheet's)" })
    .option('format', { choices: ['csv', 'xlsx'] as const, describe: "Format of the result (default: the sheet's)" });
}

export function withSending<T>(yargs: Argv<T>) {
  return withResult(yargs)
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
      describe: 'Rename known payees as the sheet spells them',
    });
}

export function withFresh<T>(yargs: Argv<T>) {
  return yargs.option('fresh', {
    type: 'boolean',
    default: false,
    describe: "With --sandbox: delete the sandbox's ledger and data first",
  });
}

export function withData<T>(yargs: Argv<T>) {
  return yargs.option('data', {
    type: 'string',
    requiresArg: true,
    describe: 'Folder of its data (default: under $XDG_STATE_HOME/payrun)',
  });
}

export function withResolve<T>(yargs: Argv<T>) {
  return yargs
    .option('row', { type: 'string', requiresArg: true, describe: 'Its payrun_row, or its number in the sheet' })
    .option('paid', {
      type: 'string',
      requiresArg: true,
      describe: 'The payment that pays the row; it is fetched and compared',
    })
    .option('not-paid', {
      type: 'boolean',
      describe: 'No payment pays the row; taken after two complete readings of the list',
    })
    .option('not-a-repeat', {
      type: 'boolean',
      describe: 'The held row is meant, though it looks like one paid before',
    })
    .option('known', {
      type: 'boolean',
      describe: 'The two payments of the row are known of: the other rows may go on',
    })
    .option('release-absent', { type: 'boolean', describe: 'Rows that were proven absent may be sent again' })
    .option('payment', { type: 'string', requiresArg: true, describe: 'With --gone: the payment' })
    .option('gone', { type: 'boolean', describe: 'The service no longer knows a payment of ours: do not look for it' })
    .option('reason', { type: 'string', requiresArg: true, describe: 'Why; the trail keeps it' });
}

export function withRetry<T>(yargs: Argv<T>) {
  return yargs.option('rows', {
    type: 'string',
    requiresArg: true,
    describe: 'Which ones, with commas between (default: every unpaid row)',
  });
}

export function withRehearsal<T>(yargs: Argv<T>) {
  return yargs
    .option('kills', { type: 'string', requiresArg: true, describe: 'How many runs are killed (default: 10)' })
    .option('seed', {
      type: 'string',
      requiresArg: true,
      describe: 'Where faults and moments are drawn from; printed (default: a new one)',
    })
    .option('minutes', { type: 'string', requiresArg: true, describe: 'How long it may take (default: 2)' })
    .option('keep', {
      type: 'string',
      requiresArg: true,
      describe: 'Keep ledger, service and result in this new folder (default: all is removed)',
    });
}

export function withFaults<T>(yargs: Argv<T>) {
  return yargs
    .option('faults', {
      type: 'string',
      requiresArg: true,
      describe: 'A file of JSON with the faults to make on purpose',
    })
    .option('until-eof', { type: 'boolean', default: false, describe: 'End when stdin ends' })
    .option('tokens-per-minute', {
      type: 'string',
      requiresArg: true,
      describe: 'Calls of POST /token a minute for each key (default: 60; 0: no limit)',
    });
}
