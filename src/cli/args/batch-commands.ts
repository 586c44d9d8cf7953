/** Defines the commands about sheets, plans and batches. */
import type { BareCommand } from '../../app/batch/command.ts';
import { text } from '../compose/command-context.ts';
import { type CommandTable, optionsOf, type Run } from './command-table.ts';
import * as groups from './options.ts';
import { listed, needed, off, switched, valued } from './options.ts';

const approverKey = { key: valued('The key of an approver, if a policy is in force') };
const rowWords = "The row's row_id (payrun_row), or its number in the sheet";
const closing = { row: needed(`${rowWords}; commas between several`), ...groups.seen, ...groups.reason };

type Word = (name: string) => string;
const closed = (word: Word) => ({ batch: word('batch'), named: [{ list: word('row') }], reason: word('reason') });

/** Returns the handler of a command about the sheet or the batch that its arguments name. */
export const perform =
  (read: (word: Word) => BareCommand): Run =>
  async (args, world) =>
    (await import('../commands/pay.ts')).give(
      args,
      read((name) => text(args, name) ?? ''),
      world,
    );

const planning = optionsOf(['output', 'payer', 'corrections', 'batch', 'approval', 'limits'], {
  out: valued("Folder of the plan (default: the sheet's)"),
  maker: valued('The maker of the plan (default: the user who is logged in)'),
  retry: off('Plan this alone: send every unpaid row of the sheet again'),
  'retry-row': listed('Plan this alone: send this unpaid row again; may be given again'),
  expires: valued('How long the plan is valid: 4h, 24h; at most 720h', { default: '24h' }),
  ...groups.updateNames,
});

export const batchCommands: CommandTable = {
  'run <file>': {
    about: 'Pay a sheet: check it, send and follow payments, attach documents, write the result',
    positionals: { file: 'CSV or XLSX; or a plan, which names its sheet and has its own options' },
    options: optionsOf(['output', 'payer', 'corrections', 'batch', 'sending', 'approval'], {
      approve: valued("Pay this plan and nothing else: the plan's digest, or at least its first 32 digits"),
      fresh: off("With --sandbox: delete the sandbox's ledger and data first"),
      maker: valued('The maker of the sheet, who may not release its held rows; for a run without a plan'),
    }),
    run: perform((word) => ({ do: 'run', file: word('file') })),
  },
  'check <file>': {
    about: 'List every problem of a sheet, also in a checked workbook; needs no service',
    options: optionsOf(['output', 'corrections', 'guards'], {
      out: valued("Folder of the checked workbook (default: the sheet's)"),
      totals: off('Write the control totals of the sheet, so that you can send them by another way'),
      write: off('Write the checked workbook even if nothing is wrong'),
    }),
    run: async (...given) => (await import('../commands/status.ts')).checkFile(...given),
  },
  'plan <file>': {
    about: 'Show what paying a sheet would do, and write a plan with a digest and a page',
    options: planning,
    run: perform((word) => ({ do: 'plan', file: word('file') })),
  },
  'propose <file>': {
    about: 'Hold a batch, and write a plan that waits for approval',
    options: { ...planning, batch: needed("The batch's name") },
    run: perform((word) => ({ do: 'propose', file: word('file'), batch: word('batch') })),
  },
  'decline <batch>': {
    about: 'Decline the plan that waits for a batch; nothing is sent until a person continues the batch',
    options: optionsOf(['ledger', 'reason'], { by: valued('Who declines (default: the user who is logged in)') }),
    run: async (...given) => (await import('../commands/work.ts')).endPlan('plan-declined')(...given),
  },
  'withdraw <batch>': {
    about: 'Withdraw your plan that waits for a batch; nothing is sent until a person continues the batch',
    options: optionsOf(['ledger', 'reason'], { by: valued('Who withdraws (default: the user who is logged in)') }),
    run: async (...given) => (await import('../commands/work.ts')).endPlan('plan-withdrawn')(...given),
  },
  'approve <plan>': {
    about: 'Show what a plan pays, and sign its digest',
    options: optionsOf(['json'], { key: needed('Your private key: NAME.key'), ...groups.approval }),
    run: async (...given) => (await import('../commands/approve.ts')).approvePlan(...given),
  },
  keys: {
    about: "Make an approver's key, or show the owner of a key",
    below: {
      'new <name>': {
        about: 'Make a key: NAME.key is yours alone, NAME.pub goes into the policy',
        positionals: { name: 'The name of its owner' },
        options: optionsOf(['json'], { out: valued('Folder of the two files (default: this one)') }),
        run: async (...given) => (await import('../commands/approve.ts')).newKey(...given),
      },
      'show <file>': {
        about: 'Name and fingerprint of a key, private or public; needs no passphrase',
        positionals: { file: 'NAME.key or NAME.pub' },
        options: groups.json,
        run: async (...given) => (await import('../commands/approve.ts')).showKey(...given),
      },
    },
  },
  'resume <batch>': {
    about: 'Continue a batch',
    options: optionsOf(['output', 'payer', 'resuming']),
    run: perform((word) => ({ do: 'resume', batch: word('batch') })),
  },
  'status [batch]': {
    about: 'Show the state of a batch and its next steps',
    positionals: { batch: "The batch's name (default: the newest batch)" },
    options: optionsOf(['json', 'ledger'], { 'exit-code': off("Exit with the batch's own code") }),
    run: async (...given) => (await import('../commands/status.ts')).statusOf(...given),
  },
  'list [batch]': {
    about: 'List the batches of a ledger, or the rows of a batch',
    positionals: { batch: 'The batch whose rows to list' },
    options: optionsOf(['json', 'ledger']),
    run: async (...given) => (await import('../commands/status.ts')).listOf(...given),
  },
  'report <batch>': {
    about: 'Write the result again',
    options: optionsOf(['json', 'ledger', 'result'], {
      html: { ...switched('Write a page to read and print instead of a sheet'), conflicts: 'format' },
      zone: valued("The time zone of the page's times, such as Africa/Johannesburg (default: this machine's)", {
        implies: 'html',
      }),
    }),
    run: async (...given) => (await import('../commands/status.ts')).reportOf(...given),
  },
  'funding <batch>': {
    about: 'Ask the service again where to deposit which amount; a changed account is an alarm',
    options: optionsOf(['service'], { offline: off('Show the details in the ledger, without asking the service') }),
    run: async (...given) => (await import('../commands/funding.ts')).fundingOfBatch(...given),
  },
  'reconcile [batch]': {
    about: 'Search for the payments of rows in doubt; sends nothing',
    positionals: { batch: "The batch's name (default: the newest batch)" },
    options: optionsOf(['output', 'payer', 'result']),
    run: perform((word) => ({ do: 'reconcile', batch: word('batch') || undefined })),
  },
  'resolve <batch>': {
    about: "Decide about a row that the service's list does not settle",
    options: optionsOf(['output', 'payer', 'result', 'approval'], {
      row: valued(rowWords),
      ...groups.seen,
      paid: valued('The id of the payment that pays the row; Payrun compares the two'),
      'not-paid': switched('No payment pays the row; accepted after two complete scans of the list'),
      'not-a-repeat': switched('Pay the held row, although it looks like an earlier payment'),
      known: switched('Somebody deals with the two payments of the row: continue with the other rows'),
      'release-absent': switched('Send rows again that were proven absent (with --row: only that row)'),
      ...approverKey,
      payment: valued('The id of the payment, with --gone'),
      gone: switched('The service no longer knows a payment that it accepted: do not search for it'),
      ...groups.keptReason,
    }),
    run: async (...given) => (await import('../commands/settle.ts')).resolveRows(...given),
  },
  'release <batch>': {
    about: "Release a row that is held because its payee's account changed; needs a second person",
    options: optionsOf(['output', 'payer', 'result'], {
      row: needed(rowWords),
      ...groups.seen,
      reason: needed('How the payee was asked, and by whom; the trail keeps this reason'),
      by: valued('The person who releases the row, if there is no policy (default: the user who is logged in)'),
      ...approverKey,
      ...groups.approval,
    }),
    run: perform((word) => ({
      do: 'release',
      batch: word('batch'),
      row: word('row'),
      reason: word('reason'),
      by: word('by') || undefined,
    })),
  },
  'drop <batch>': {
    about: 'Close rows, so that they are never sent',
    options: optionsOf(['output', 'payer', 'result'], { ...closing }),
    run: perform((word) => ({ do: 'drop', ...closed(word) })),
  },
  'reopen <batch>': {
    about: 'Open rows again that a person closed',
    options: optionsOf(['output', 'payer', 'result'], { ...closing, ...groups.approval, ...approverKey }),
    run: perform((word) => ({ do: 'reopen', ...closed(word) })),
  },
  'retry <batch>': {
    about: 'Send unpaid rows again, and continue the batch',
    options: optionsOf(['output', 'payer', 'resuming'], {
      rows: valued('The rows to send again, with commas between (default: every unpaid row)'),
      ...groups.seen,
      'retry-row': listed('One row to send again, whose payrun_row may have commas; may be given again'),
    }),
    run: perform((word) => ({ do: 'retry', batch: word('batch') })),
  },
  'explain <batch> <row>': {
    about: 'Show everything that the ledger knows about a row',
    positionals: { row: rowWords },
    options: optionsOf(['json', 'ledger']),
    run: async (...given) => (await import('../commands/settle.ts')).explainRow(...given),
  },
  'rehearse <file>': {
    about: 'Pay the sheet at an embedded service with faults and kills, and check the outcome',
    options: optionsOf(['output', 'sheet'], {
      kills: valued('How many runs to kill (default: 10)'),
      seed: valued('The seed of the random faults, which the command prints (default: a new one)'),
      minutes: valued('How long the rehearsal may take (default: 2)'),
      keep: valued('Keep ledger, service and result in this new folder (default: remove them)'),
    }),
    run: async (...given) => (await import('../rehearse/rehearse.ts')).rehearseFile(...given),
  },
};
