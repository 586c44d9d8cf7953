/** Defines the command line: the commands, and the arguments of each. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import yargs, { type Argv } from 'yargs';
import { version } from '../../base/build.ts';
import { PayrunError } from '../../base/errors.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { shellWord } from '../../pipeline/outcome.ts';
import {
  type Args,
  type CommandContext,
  type Handle,
  type Handler,
  refuseRepeats,
  tellFailure,
  usage,
} from '../compose/command-context.ts';
import { seen } from '../observe/observe.ts';
import { withEndpoints } from './endpoints.ts';
import * as options from './options.ts';
import { spoken } from './program.ts';
import { faultCodes, Mistyped, whatWasMeant } from './usage-errors.ts';

const helpWidth = 100;

/** Ends the parsing when a command is chosen. yargs would continue and render a help text that nobody needs. */
class Chosen extends Error {}

export async function runCommand(argv: readonly string[], started: CommandContext): Promise<number> {
  // Programs read this output, so commands in it keep the name `payrun`.
  const verbatim = argv.includes('--json') || argv[0] === 'completion';
  const world = { ...started, streams: spoken(started.streams, started.program ?? 'payrun', verbatim) };
  const { err, out } = world.streams;
  let [chosen, given]: [(() => Promise<number>) | null, Args] = [null, {}];
  const handle: Handle = (handler) => (args) => {
    refuseRepeats(args);
    given = args;
    chosen = async () => await seen(args, world, version, () => handler(args, world));
    throw new Chosen();
  };
  try {
    const helped = await parsed(argv, handle, world.cwd);
    if (helped !== '') out.write(`${helped}\n`);
    return (await (chosen as (() => Promise<number>) | null)?.()) ?? 0;
  } catch (error) {
    if (error instanceof PayrunError) return tellFailure(error, { ...given, json: argv.includes('--json') }, world);
    err.write(
      `payrun: ${wordsOf(error)}\n${error instanceof Error && world.env.PAYRUN_DEBUG ? `${error.stack}\n` : ''}`,
    );
    return 1;
  }
}

async function parsed(asked: readonly string[], handle: Handle, cwd: string): Promise<string> {
  const words = asked.map((word) => (word === '-h' ? '--help' : word));
  const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  try {
    return await read(argv, handle);
  } catch (error) {
    if (!(error instanceof Mistyped)) throw error;
    const file = spacedFile(asked, cwd);
    if (file !== null) throw usage(`too many words; did you mean ${shellWord(file)}, with its quotes?`);
    throw usage(await whatWasMeant(error.message, argv, helpOf));
  }
}

export async function helpOf(words: readonly string[], width: number | null = helpWidth): Promise<string> {
  return await read([...words, '--help'], () => () => {}, width);
}

async function read(argv: readonly string[], handle: Handle, width: number | null = helpWidth): Promise<string> {
  let helped = '';
  try {
    const cli = commands(yargs([...argv]).updateStrings(faultCodes), handle, width);
    await cli.parseAsync([...argv], {}, (error, _args, text) => {
      helped = text;
      if (error) throw error;
    });
  } catch (error) {
    if (!(error instanceof Chosen)) throw error;
  }
  return helped;
}

const toldOf =
  (handler: Handler): Handler =>
  async (args, world) =>
    await (await import('../observe/notify.ts')).notifying(args, world, async (within) => await handler(args, within));

function commands(cli: Argv, handle: Handle, width: number | null): Argv {
  const file = (y: Argv) => y.positional('file', { type: 'string', demandOption: true, describe: 'CSV or XLSX' });
  const batch = (y: Argv, describe = "The batch's name") => y.positional('batch', { type: 'string', describe });
  const { json, ledger, output, payer, result, service } = options;
  const own = cli
    .scriptName('payrun')
    .usage('$0 <command>\n\nPays a sheet of payouts: never twice, never a lost row, never a hidden doubt.')
    .command(
      'run <file>',
      'Pay a sheet: check it, send and follow payments, attach documents, write the result',
      (y) =>
        file(y).options({
          ...output,
          ...payer,
          ...options.corrections,
          ...options.batch,
          ...options.sending,
          ...options.approved,
          ...options.fresh,
          ...options.maker,
        }),
      handle(toldOf(async (args, world) => (await import('../commands/pay.ts')).runFile(args, world))),
    )
    .command(
      'check <file>',
      'List every problem of a sheet, also in a checked workbook; needs no service',
      (y) => file(y).options({ ...output, ...options.corrections, ...options.checked }),
      handle(async (args, world) => (await import('../commands/status.ts')).checkFile(args, world)),
    )
    .command(
      'plan <file>',
      'Show what paying a sheet would do, and write a plan with a digest and a page',
      (y) => file(y).options({ ...output, ...payer, ...options.making }),
      handle(async (args, world) => (await import('../commands/pay.ts')).planFile(args, world)),
    )
    .command(
      'approve <plan>',
      'Show what a plan pays, and sign its digest',
      (y) =>
        y
          .positional('plan', { type: 'string', demandOption: true, describe: 'The file of the plan' })
          .options({ ...json, ...options.approving }),
      handle(async (args, world) => (await import('../commands/approve.ts')).approvePlan(args, world)),
    )
    .command('keys', "Make an approver's key, or show the owner of a key", (y) =>
      y
        .command(
          'new <name>',
          'Make a key: NAME.key is yours alone, NAME.pub goes into the policy',
          (k) =>
            k
              .positional('name', { type: 'string', demandOption: true, describe: 'The name of its owner' })
              .options({ ...json, ...options.keyFolder }),
          handle(async (args, world) => (await import('../commands/approve.ts')).newKey(args, world)),
        )
        .command(
          'show <file>',
          'Name and fingerprint of a key, private or public; needs no passphrase',
          (k) =>
            k
              .positional('file', { type: 'string', demandOption: true, describe: 'NAME.key or NAME.pub' })
              .options(json),
          handle(async (args, world) => (await import('../commands/approve.ts')).showKey(args, world)),
        )
        .demandCommand(1, 'name new or show'),
    )
    .command(
      'resume <batch>',
      'Continue a batch',
      (y) => batch(y).options({ ...output, ...payer, ...options.resuming }),
      handle(toldOf(async (args, world) => (await import('../commands/pay.ts')).resumeBatch(args, world))),
    )
    .command(
      'status [batch]',
      'Show the state of a batch and its next steps',
      (y) =>
        batch(y, "The batch's name (default: the newest batch)").options({ ...json, ...ledger, ...options.exitCode }),
      handle(async (args, world) => (await import('../commands/status.ts')).statusOf(args, world)),
    )
    .command(
      'list [batch]',
      'List the batches of a ledger, or the rows of a batch',
      (y) => batch(y, 'The batch whose rows to list').options({ ...json, ...ledger }),
      handle(async (args, world) => (await import('../commands/status.ts')).listOf(args, world)),
    )
    .command(
      'report <batch>',
      'Write the result again',
      (y) =>
        batch(y)
          .options({ ...json, ...ledger, ...result, ...options.page })
          .conflicts('html', 'format'),
      handle(async (args, world) => (await import('../commands/report.ts')).reportOf(args, world)),
    )
    .command(
      'funding <batch>',
      'Ask the service again where to deposit which amount; a changed account is an alarm',
      (y) => batch(y).options({ ...service, ...options.offline }),
      handle(async (args, world) => (await import('../commands/funding.ts')).fundingOfBatch(args, world)),
    )
    .command(
      'reconcile [batch]',
      'Search for the payments of rows in doubt; sends nothing',
      (y) => batch(y, "The batch's name (default: the newest batch)").options({ ...output, ...payer, ...result }),
      handle(async (args, world) => (await import('../commands/settle.ts')).reconcileRows(args, world)),
    )
    .command(
      'resolve <batch>',
      "Decide about a row that the service's list does not settle",
      (y) => batch(y).options({ ...output, ...payer, ...result, ...options.approval, ...options.resolving }),
      handle(async (args, world) => (await import('../commands/settle.ts')).resolveRows(args, world)),
    )
    .command(
      'release <batch>',
      "Release a row that is held because its payee's account changed; needs a second person",
      (y) => batch(y).options({ ...output, ...payer, ...result, ...options.release }),
      handle(async (args, world) => (await import('../commands/settle.ts')).releaseHeld(args, world)),
    )
    .command(
      'drop <batch>',
      'Close rows, so that they are never sent',
      (y) => batch(y).options({ ...output, ...payer, ...result, ...options.closing }),
      handle(async (args, world) => (await import('../commands/settle.ts')).closeRows('drop', args, world)),
    )
    .command(
      'reopen <batch>',
      'Open rows again that a person closed',
      (y) => batch(y).options({ ...output, ...payer, ...result, ...options.reopening }),
      handle(async (args, world) => (await import('../commands/settle.ts')).closeRows('reopen', args, world)),
    )
    .command(
      'retry <batch>',
      'Send unpaid rows again, and continue the batch',
      (y) => batch(y).options({ ...output, ...payer, ...options.resuming, ...options.retrying }),
      handle(toldOf(async (args, world) => (await import('../commands/settle.ts')).retryRows(args, world))),
    )
    .command(
      'explain <batch> <row>',
      'Show everything that the ledger knows about a row',
      (y) =>
        batch(y)
          .positional('row', options.row)
          .options({ ...json, ...ledger }),
      handle(async (args, world) => (await import('../commands/settle.ts')).explainRow(args, world)),
    )
    .command(
      'rehearse <file>',
      'Pay the sheet at an embedded service with faults and kills, and check the outcome',
      (y) => file(y).options({ ...output, ...options.sheet, ...options.rehearsal }),
      handle(async (args, world) => (await import('../rehearse/rehearse.ts')).rehearseFile(args, world)),
    )
    .command(
      'listen',
      'Receive webhooks, and print the state of the payments that they name',
      (y) => y.options(options.listening).epilogue(options.webhookWords),
      handle(async (args, world) => (await import('../commands/listen.ts')).listen(args, world)),
    )
    .command(
      'watch <folder>',
      'Pay each sheet in a hot folder, and answer with ACK, NACK, DUPS and RESULT',
      (y) =>
        y
          .positional('folder', { type: 'string', demandOption: true, describe: 'The folder for the sheets' })
          .options(options.watching),
      handle(async (args, world) => (await import('../commands/watch.ts')).watchFolder(args, world)),
    )
    .command(
      'console',
      'The web console: upload, check, approve, pay and download in a browser',
      (y) => y.options(options.serveConsole),
      handle(async (args, world) => (await import('../commands/console.ts')).openConsole(args, world, version)),
    )
    .command(
      'worker',
      'Join the fleet of a ledger on Postgres, and send rows of open batches until stopped',
      (y) => y.options(options.working),
      handle(async (args, world) => (await import('../commands/work.ts')).joinFleet(args, world)),
    )
    .command(
      'pause [batch]',
      'Stop sending for one batch of a ledger on Postgres, or for all batches',
      (y) => batch(y, "The batch's name (default: all batches of the ledger)").options(options.pausing),
      handle(async (args, world) => (await import('../commands/work.ts')).pauseBatches(args, world)),
    )
    .command(
      'schedule [batch]',
      'Let the fleet continue a batch at fixed hours',
      (y) => batch(y).options(options.scheduling),
      handle(async (args, world) => (await import('../commands/work.ts')).scheduleBatch(args, world)),
    )
    .command('ledger', 'Copy the ledger to another database; move a batch to another key, user or address', (y) =>
      y
        .command(
          'rebind <batch>',
          'Continue a batch with another key, user or address',
          (inner) => batch(inner).options({ ...output, ...payer, ...options.reason }),
          handle(async (args, world) => (await import('../commands/settle.ts')).rebindBatch(args, world)),
        )
        .command(
          'copy <to>',
          'Copy the ledger from its file to a Postgres, or back; the old ledger sends nothing more',
          (inner) =>
            inner.options(options.copying).positional('to', {
              type: 'string',
              demandOption: true,
              describe: 'The path of a new file, or postgres://user@host/database with an empty schema',
            }),
          handle(async (args, world) => (await import('../commands/copy-ledger.ts')).copyLedgerTo(args, world)),
        )
        .demandCommand(1, 'ledger takes a command: copy, rebind'),
    )
    .command('audit', 'Check the ledger, its trail and a result against each other', (y) =>
      y
        .command(
          'verify [pack]',
          'Check that nothing was changed, lost or added; needs no service',
          (t) =>
            t
              .positional('pack', { type: 'string', describe: 'The evidence pack to check (default: the ledger)' })
              .options(options.verifying),
          handle(async (args, world) =>
            args.pack === undefined
              ? (await import('../commands/audit.ts')).auditVerify(args, world)
              : (await import('../evidence/pack.ts')).verifyPack(args, world),
          ),
        )
        .command(
          'export [batch]',
          'Write the evidence of a batch to one file; without a batch the trail, a line of JSON for each entry',
          (t) => batch(t, 'The batch (default: write the trail)').options(options.exporting),
          handle(async (args, world) =>
            args.batch === undefined
              ? (await import('../commands/audit.ts')).auditExport(args, world)
              : (await import('../evidence/pack.ts')).exportPack(args, world),
          ),
        )
        .demandCommand(1, 'name verify or export'),
    )
    .command(
      'template',
      'Write a blank sheet with drop-downs',
      (y) => y.options(options.template),
      handle(async (args, world) => (await import('./templates.ts')).templateFile(args, world)),
    )
    .command(
      'banks [country]',
      'The banks that Payrun knows by name, alias and code',
      (y) => y.positional('country', { type: 'string', describe: 'SouthAfrica, Nigeria or Kenya' }).options(json),
      handle(async (args, world) => (await import('./templates.ts')).banksOf(args, world)),
    )
    .command(
      'completion <shell>',
      'Print what a shell needs to complete commands and options: source <(payrun completion bash)',
      (y) => y.positional('shell', { choices: ['bash', 'zsh', 'fish'], demandOption: true, describe: 'Which shell' }),
      handle(async (args, world) => (await import('../commands/completion.ts')).printCompletion(args, world, helpOf)),
    )
    .command(
      'service',
      'Run the payout service by itself',
      (y) =>
        y
          .options(options.serving)
          .epilogue(options.faultsFormat)
          .command(
            'tenant add <name>',
            'Add a tenant and print its key and secret, once',
            (t) =>
              t
                .positional('name', { type: 'string', demandOption: true, describe: "The tenant's name, for people" })
                .options({ ...options.data, ...json }),
            handle(async (args, world) => (await import('../commands/serve.ts')).tenantAdd(args, world)),
          )
          .command(
            'user verify <userid>',
            'Mark a user as verified: the given name can then no longer be changed by the user',
            (u) =>
              u.options({ ...options.data, ...json }).positional('userid', {
                type: 'string',
                demandOption: true,
                describe: 'The userId that POST /users and GET /users tell',
              }),
            handle(async (args, world) => (await import('../commands/serve.ts')).userVerify(args, world)),
          ),
      handle(async (args, world) => (await import('../commands/serve.ts')).serviceAlone(args, world)),
    );
  return withEndpoints(own, handle)
    .demandCommand(1, 'name a command')
    .strict()
    .strictCommands()
    .help()
    .version(version)
    .wrap(width)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // Throws, so that the handler does not run: a command with an unknown flag must send nothing.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw new Mistyped(message ?? error?.message ?? 'the command line cannot be read');
    });
}

/** Returns a file whose unquoted name arrived as several words; null for none. */
function spacedFile(argv: readonly string[], cwd: string): string | null {
  const words = argv.slice(1);
  for (let from = 0; from < words.length; from += 1)
    for (let to = words.length; to > from + 1; to -= 1) {
      const name = words.slice(from, to).join(' ');
      if (existsSync(resolve(cwd, name))) return name;
    }
  return null;
}
