/** Explains a command line that cannot be read: the mistake, the likely meaning, and where to find help. */
import { editDistance } from '../../domain/rows/text.ts';

/** A command line that cannot be read. The message is a code of `faultCodes` and its values, with tabs between them. */
export class Mistyped extends Error {}

// The library's types lack its plural forms.
const both = (code: string) => ({ one: code, other: code }) as unknown as string;

/** The library's own sentences, replaced by codes with their values. A heading becomes a blank, because the library ignores an empty text. */
export const faultCodes = {
  'Not enough non-option arguments: got %s, need at least %s': both('word-missing\t%s\t%s'),
  'Unknown command: %s': both('word-unknown\t%s'),
  'Unknown argument: %s': both('option-unknown\t%s'),
  'Missing required argument: %s': both('option-missing\t%s'),
  'Not enough arguments following: %s': 'value-missing\t%s',
  'Invalid values:': ' ',
  'Argument: %s, Given: %s, Choices: %s': 'value-unknown\t%s\t%s\t%s',
};

type HelpOf = (words: readonly string[]) => Promise<string>;

export async function whatWasMeant(fault: string, argv: readonly string[], helpOf: HelpOf): Promise<string> {
  const { words, help } = await deepestCommand(argv, helpOf);
  const command = ['payrun', ...words].join(' ');
  const more = `${command} --help tells more`;
  const noOption = (name: string) => `there is no --${name}${meant(name, optionsIn(help), '--')} ${more}`;
  const [code = '', first = '', given = '', choices = ''] = fault.trim().split('\t');
  switch (code) {
    case 'word-missing': {
      // A misspelt flag takes the next word as its value, so a missing word may be such a flag's fault.
      const unknown = argv
        .map((one) => /^--([a-z][\w-]*)/i.exec(one)?.[1])
        .find((name) => name !== undefined && !optionsIn(help).includes(name.replace(/^no-/, '')));
      return unknown === undefined ? `a word is missing: ${help.split('\n', 1)[0]}; ${more}` : noOption(unknown);
    }
    case 'value-unknown': {
      const name = optionsIn(help).includes(first) ? `--${first}` : first;
      return `${name} ${given} is none of ${choices}; ${more}`.replaceAll('"', '');
    }
    case 'word-unknown': {
      if (commandsIn(help).length === 0)
        return `'${first}' is too much for ${command}; a name with spaces stands in quotes; ${more}`;
      const word = argv.filter((one) => !one.startsWith('-'))[words.length] ?? '';
      const name = [...words, word].join(' ');
      return `there is no command '${name}'${meant(word, commandsIn(help), [...words, ''].join(' '))} ${more}`;
    }
    case 'value-missing':
      return `--${first} needs something after it; ${more}`;
    case 'option-missing':
      return `${command} takes --${first.split(', ').join(' and --')}; ${more}`;
    case 'option-unknown': {
      const [option = ''] = first.split(/,\s/);
      if (option.length > 1 || argv.some((one) => one === `--${option}` || one.startsWith(`--${option}=`)))
        return noOption(option);
      return `there is no -${option}; ${more}`;
    }
    default:
      return `${fault.replaceAll(/\s+/g, ' ').trim()}; ${more}`;
  }
}

async function deepestCommand(argv: readonly string[], helpOf: HelpOf) {
  const words: string[] = [];
  let help = await helpOf([]);
  for (const word of argv) {
    if (!commandsIn(help).includes(word)) break;
    words.push(word);
    help = await helpOf(words);
  }
  return { words, help };
}

/** Returns the first word of each command that the help text lists below its own command. */
function commandsIn(help: string): string[] {
  const [title = ''] = help.split('\n', 1);
  const own = /^payrun((?: [a-z-]+)*)/.exec(title)?.[1] ?? '';
  const listed = /\nCommands:\n((?: {2}.*\n)+)/.exec(help)?.[1] ?? '';
  return [...listed.matchAll(/^ {2}payrun((?: [a-z-]+)+)/gm)].map(
    ([, words = '']) => words.slice(own.length).trim().split(' ')[0] ?? '',
  );
}

function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}--([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
}

/** Returns `; did you mean …?`, or only `;` if no name is similar. The caller adds the rest. */
function meant(word: string, names: readonly string[], before: string): string {
  const near = names
    .map((name) => ({ name, distance: distanceOf(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(word.length, name.length) / 3)))
    .toSorted((one, other) => one.distance - other.distance)[0];
  return near === undefined ? ';' : `; did you mean ${before}${near.name}?`;
}

/** Returns the edit distance, but two swapped neighbouring letters count as one mistake. */
function distanceOf(word: string, name: string): number {
  const swapped = Array.from(
    { length: Math.max(0, word.length - 1) },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  );
  return Math.min(editDistance(word, name), ...swapped.map((one) => 1 + editDistance(one, name)));
}
