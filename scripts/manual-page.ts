/** Writes the manual page payrun(1) from the table of commands. `npm run gen:docs` runs it, and the program is installed with the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from 'yargs';
import { commands as table } from '../src/cli/args/command-line.ts';
import { type CommandRow, everyCommand, positionalsOf, wordOf } from '../src/cli/args/command-table.ts';

const root = join(import.meta.dirname, '..');

export function manualPage(): string {
  const [program, ...commands] = everyCommand(table);
  return [
    '.\\" Written by `npm run gen:docs` from the code; edit the code, not this page.',
    '.TH PAYRUN 1 "" "Payrun" "Payrun"',
    '.SH NAME',
    'payrun \\- pays a sheet of payouts',
    '.SH SYNOPSIS',
    '.B payrun',
    '.I COMMAND',
    '[ARGUMENTS] [OPTIONS]',
    '.SH DESCRIPTION',
    roff(program?.about ?? ''),
    '.PP',
    roff(
      'Durations are written 500ms, 20s, 2m, 1h or 0; an option may be given once; an option that is not listed stops the command, and nothing is sent.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(commandPart),
    '.SH EXIT STATUS',
    ...tableOf('reference/exit-codes.md').flatMap(([code, means]) => entry(code, means)),
    '.SH ENVIRONMENT',
    ...tableOf('reference/settings.md')
      .filter(([name]) => /^`[A-Z]/.test(name))
      .flatMap(([name, means]) => entry(name, means)),
    '.SH FILES',
    ...entry('payrun.config.json', 'Settings, in the folder where the command is given; or PAYRUN_CONFIG.'),
    ...entry('$XDG_STATE_HOME/payrun/ledger.db', 'The ledger, under ~/.local/state by default. Keep it.'),
    ...entry(
      '$XDG_DATA_HOME/payrun/witness/',
      'When payments were last sent; not to be kept in the backup of the ledger.',
    ),
    '.SH SEE ALSO',
    'The folder docs of the package.',
    '',
  ].join('\n');
}

function commandPart({ usage, about, positionals, below = {}, options, more = '' }: CommandRow): string[] {
  const own = Object.entries(options).filter(([name]) => name !== 'help' && name !== 'version');
  return [
    `.SS payrun ${roff(usage)}`,
    roff(`${about}${about.endsWith('.') ? '' : '.'}`),
    ...Object.entries(below).flatMap(([of, { about: told }]) => entry(wordOf(of), told)),
    ...positionalsOf(usage, positionals).flatMap(([name, { describe = '' }]) => entry(name.toUpperCase(), describe)),
    ...own.flatMap(([name, one]) =>
      entry(`--${name}${one.type === 'boolean' ? '' : ' VALUE'}`, `${one.describe ?? ''}${takes(one)}`),
    ),
    ...(more === '' ? [] : ['.PP', '.nf', ...more.replaceAll('$0', 'payrun').split('\n').map(roff), '.fi']),
  ];
}

function takes({ choices = [], default: fallback }: Options): string {
  const parts = [
    ...(choices.length === 0 ? [] : [`one of ${choices.join(', ')}`]),
    ...(fallback === undefined || fallback === false ? [] : [`default: ${fallback}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** Reads the first two columns of the tables in a page, from rows that begin with a number or code. */
function tableOf(page: string): [string, string][] {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)]
    .map(([, name = '', means = '']): [string, string] => [name, means])
    .filter(([name]) => /^(\d|`)/.test(name));
}

/** Returns a tag and its paragraph, without the page's Markdown. */
const entry = (tag: string, means: string) => ['.TP', `.B ${roff(plain(tag))}`, roff(plain(means))];
const plain = (text: string) =>
  text
    .replaceAll('`', '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '');

/** Escapes text for roff: a dot or an apostrophe at the start of a line would be a request, and a hyphen would become a dash. */
const roff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
