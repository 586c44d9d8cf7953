/** Reads the commands from the program's own help into a table, for completions and the manual page. */
import { assert } from '../../base/errors.ts';

export interface CommandRow {
  /** The words after `payrun`; empty for the program itself. */
  readonly words: string;
  /** Text such as `explain <batch> <row>`. */
  readonly usage: string;
  readonly about: string;
  readonly below: readonly Below[];
  readonly positionals: readonly Argument[];
  readonly options: readonly Argument[];
  readonly more: string;
}

export interface Below {
  readonly word: string;
  readonly about: string;
}

export interface Argument {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly fallback: string | null;
}

export type HelpOf = (words: readonly string[], width: null) => Promise<string>;

export async function commandTable(helpOf: HelpOf, words: readonly string[] = []): Promise<readonly CommandRow[]> {
  const command = commandOf(words.join(' '), await helpOf(words, null));
  const table = [command];
  for (const { word } of command.below) table.push(...(await commandTable(helpOf, [...words, ...word.split(' ')])));
  return table;
}

function commandOf(words: string, help: string): CommandRow {
  const [usage, about] = help.split('\n\n');
  assert(usage !== undefined && about !== undefined, `the help of '${words}' has a usage and a sentence`);
  const rows = (heading: string) =>
    (help.split(`\n${heading}:\n`)[1]?.split('\n\n')[0] ?? '').split('\n').filter((line) => line.startsWith('  '));
  // A subcommand may have several words: the help of `service` lists `tenant add`.
  const below = rows('Commands').map((row) => {
    const [, typed = '', told = ''] = /^ {2}(.*?) {2,}(.*)$/.exec(row) ?? [];
    const word = typed
      .replace(/^payrun /, '')
      .slice(words.length)
      .replace(/ [<[].*$/, '')
      .trim();
    return { word, about: told };
  });
  return {
    words,
    usage: usage.replace(/^payrun ?/, ''),
    about,
    below,
    positionals: rows('Positionals').map(argumentOf),
    options: rows('Options').map(argumentOf),
    more: help.split('\nOptions:\n')[1]?.split('\n\n').slice(1).join('\n\n').trimEnd() ?? '',
  };
}

function argumentOf(row: string): Argument {
  const [, name = '', told = ''] = /^ {2}(?:-\w, )?(?:--)?(\S+) +(.*)$/.exec(row) ?? [];
  // Square brackets after the sentence hold the type, the choices and the default.
  const [about = '', ...marks] = told.split(/ {2,}(?=\[)|(?<=\]) (?=\[)/);
  const mark = (kind: string) => marks.find((one) => one.startsWith(`[${kind}: `))?.slice(kind.length + 3, -1) ?? null;
  return {
    name,
    about,
    takesValue: !marks.includes('[boolean]'),
    choices: [...(mark('choices') ?? '').matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice),
    fallback: mark('default'),
  };
}
