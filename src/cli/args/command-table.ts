/** The form of the table of commands, from which the parser, the completions and the manual page are made. */
import type { PositionalOptions } from 'yargs';
import type { Args, CommandContext } from '../compose/command-context.ts';
import type { TerminalEnd } from '../render/exit-code.ts';
import type { OptionTable } from './options.ts';
import * as options from './options.ts';

const groups = { ...options };
type Groups = typeof groups;
type GroupName = { [N in keyof Groups]: Groups[N] extends OptionTable ? N : never }[keyof Groups];

export const optionsOf = (names: readonly GroupName[], own: OptionTable = {}): OptionTable =>
  Object.assign({}, ...names.map((name) => groups[name]), own);

export type Run = (args: Args, world: CommandContext, all: CommandTable) => Promise<TerminalEnd>;

interface Command {
  readonly about: string;
  /** The meaning of the arguments that the usage names, where it is not the usual one. */
  readonly positionals?: Readonly<Record<string, string>>;
  readonly options?: OptionTable;
  readonly more?: string;
  readonly below?: CommandTable;
  readonly run?: Run;
}

export type CommandTable = Readonly<Record<string, Command>>;

export interface CommandRow extends Command {
  /** The words after the program's name; empty for the program itself. */
  readonly path: string;
  readonly usage: string;
  readonly options: OptionTable;
}

const usualArguments: Readonly<Record<string, PositionalOptions>> = {
  file: { describe: 'CSV or XLSX' },
  batch: { describe: "The batch's name" },
  plan: { describe: 'The file of the plan' },
  folder: { describe: 'The folder for the sheets' },
  to: { describe: 'The path of a new file, or postgres://user@host/database with an empty schema' },
  pack: { describe: 'The evidence pack to check (default: the ledger)' },
  country: { describe: 'SouthAfrica, Nigeria or Kenya' },
  shell: { describe: 'Which shell', choices: ['bash', 'zsh', 'fish'] },
  userid: { describe: 'The userId that POST /users and GET /users tell' },
  user: { describe: "The user's userId" },
  email: { describe: 'The e-mail address' },
  phone: { describe: '+254 and nine digits' },
  account: { describe: "The account's id" },
  merchant: { describe: "The merchant's id" },
  payment: { describe: "The payment's id" },
  fields: { describe: "name=value …, as the service's interface names them" },
};

/** Returns the arguments that the usage names, in their order. */
export function positionalsOf(usage: string, meanings: Command['positionals'] = {}): [string, PositionalOptions][] {
  return Array.from(usage.matchAll(/[<[](\w+)/g), ([, name = '']) => {
    const own = meanings[name];
    return [name, { type: 'string', ...usualArguments[name], ...(own === undefined ? {} : { describe: own }) }];
  });
}

export const wordOf = (usage: string): string => usage.split(' ', 1)[0] ?? '';

const usualOptions: OptionTable = {
  help: { type: 'boolean', describe: 'Show help' },
  version: { type: 'boolean', describe: 'Show version number' },
};

export const about = 'Pays a sheet of payouts: never twice, never a lost row, never a hidden doubt.';

/** Returns the program itself, then each command before the commands below it. */
export function everyCommand(below: CommandTable): readonly CommandRow[] {
  return [{ about, below, path: '', usage: '<command>', options: usualOptions }, ...rowsOf(below, '')];
}

function rowsOf(table: CommandTable, above: string): CommandRow[] {
  return Object.entries(table).flatMap(([usage, command]) => {
    const path = `${above}${wordOf(usage)}`;
    const row = { ...command, path, usage: `${above}${usage}`, options: { ...usualOptions, ...command.options } };
    return [row, ...rowsOf(command.below ?? {}, `${path} `)];
  });
}
