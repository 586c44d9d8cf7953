/** Reads the command line, and runs the command that it names. */
import yargs, { type Argv } from 'yargs';
import { version } from '../../base/build.ts';
import { inProgram, programName } from '../../messages/format/program.ts';
import { wordsOf } from '../../messages/refusals.ts';
import {
  type Args,
  type CommandContext,
  isExpected,
  refuseMistakes,
  tellFailure,
  usage,
} from '../compose/command-context.ts';
import { seen } from '../observe/observe.ts';
import { exitOf } from '../render/exit-code.ts';
import { batchCommands } from './batch-commands.ts';
import { about, type CommandTable, positionalsOf, type Run, wordOf } from './command-table.ts';
import { endpointCommands } from './endpoints.ts';
import { operatorCommands } from './operator-commands.ts';
import { faultCodes, Mistyped, whatWasMeant } from './usage-errors.ts';

export const commands: CommandTable = { ...batchCommands, ...operatorCommands, ...endpointCommands };

const helpWidth = 100;

/** Ends the parsing when a command is chosen. yargs would continue and render a help text that nobody needs. */
class Chosen extends Error {
  readonly run: Run;
  readonly args: Args;

  constructor(run: Run, args: Args) {
    super();
    this.run = run;
    this.args = args;
  }
}

export const runCommand = async (argv: readonly string[], world: CommandContext): Promise<number> =>
  await inProgram(world.program ?? 'payrun', async () => await runLine(argv, world));

async function runLine(argv: readonly string[], world: CommandContext): Promise<number> {
  const { err, out } = world.streams;
  let given: Args = {};
  try {
    const found = await parsed(argv);
    if (!(found instanceof Chosen)) {
      if (found !== '') out.write(`${found}\n`);
      return exitOf('done');
    }
    const { run, args } = found;
    refuseMistakes(args);
    given = args;
    return exitOf(await seen(args, world, version, async () => await run(args, world, commands)));
  } catch (error) {
    if (isExpected(error)) return exitOf(tellFailure(error, { ...given, json: argv.includes('--json') }, world));
    err.write(
      `payrun: ${wordsOf(error)}\n${error instanceof Error && world.env.PAYRUN_DEBUG ? `${error.stack}\n` : ''}`,
    );
    return exitOf('machine');
  }
}

async function parsed(asked: readonly string[]): Promise<Chosen | string> {
  const words = asked.map((word) => (word === '-h' ? '--help' : word));
  const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  try {
    return await read(argv);
  } catch (error) {
    if (!(error instanceof Mistyped)) throw error;
    throw usage(whatWasMeant(error.message, argv, commands));
  }
}

/** Returns the command, or the help that was asked for. */
async function read(argv: readonly string[]): Promise<Chosen | string> {
  const cli = yargs([...argv])
    .updateStrings(faultCodes)
    .scriptName(programName())
    .usage(`$0 <command>\n\n${about}`)
    .demandCommand(1, 'name a command')
    .strict()
    .strictCommands()
    .help()
    .version(version)
    .wrap(helpWidth)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // Throws, so that the handler does not run: a command with an unknown flag must send nothing.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw new Mistyped(message ?? error?.message ?? 'the command line cannot be read');
    });
  let help = '';
  try {
    await define(cli, commands).parseAsync([...argv], {}, (error, _args, text) => {
      help = text;
      if (error) throw error;
    });
    return help;
  } catch (error) {
    if (error instanceof Chosen) return error;
    throw error;
  }
}

export const helpOf = async (command: string): Promise<string> =>
  (await read([...command.split(' ').filter(Boolean), '--help'])) as string;

function define(cli: Argv, table: CommandTable): Argv {
  for (const [usage, { about: words, positionals, options = {}, more, below, run }] of Object.entries(table)) {
    const build = (y: Argv) => {
      // The commands below have their own options.
      for (const [name, option] of Object.entries(options))
        y.option(name, below === undefined ? option : { ...option, global: false });
      for (const [name, positional] of positionalsOf(usage, positionals)) y.positional(name, positional);
      if (more !== undefined) y.epilogue(more);
      if (below === undefined) return y;
      const list = Object.keys(below).map(wordOf).join(', ');
      return define(run === undefined ? y.demandCommand(1, `${usage} takes one of these words: ${list}`) : y, below);
    };
    cli.command(usage, words, build, (args) => {
      // yargs reads `--no-maker` as `maker: false`, also for an option with a value. The option then counts as absent.
      const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== false));
      if (run !== undefined) throw new Chosen(run, given);
    });
  }
  return cli;
}
