/** Explains a command line that cannot be read: the mistake, the likely meaning, and where to find help. */
import { editDistance } from '../../domain/rows/text.ts';
import { programName, typed } from '../../messages/format/program.ts';
import { type CommandTable, everyCommand, wordOf } from './command-table.ts';

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

export function whatWasMeant(fault: string, argv: readonly string[], table: CommandTable): string {
  const rows = everyCommand(table);
  const { path, usage, below = {}, options } = rows.findLast((row) => isPrefix(row.path.split(' '), argv)) ?? rows[0]!;
  const command = path === '' ? programName() : typed(path);
  const more = `${command} --help shows more`;
  const names = Object.keys(options);
  const noOption = (name: string) => `there is no --${name}${meant(name, names, '--')} ${more}`;
  const [code = '', first = '', given = '', choices = ''] = fault.trim().replaceAll('"', "'").split('\t');
  switch (code) {
    case 'word-missing': {
      // A misspelt flag takes the next word as its value, so a missing word may be such a flag's fault.
      const unknown = argv
        .map((one) => /^--([a-z][\w-]*)/i.exec(one)?.[1])
        .find((name) => name !== undefined && !names.includes(name.replace(/^no-/, '')));
      return unknown === undefined ? `a word is missing: ${typed(usage)}; ${more}` : noOption(unknown);
    }
    case 'value-unknown': {
      const name = names.includes(first) ? `--${first}` : first;
      return `${name} ${given} is none of ${choices}; ${more}`;
    }
    case 'word-unknown': {
      const known = Object.keys(below).map(wordOf);
      if (known.length === 0)
        return `'${first}' is too much for ${command}; a name with spaces stands in quotes; ${more}`;
      const above = path === '' ? '' : `${path} `;
      const word = argv.filter((one) => !one.startsWith('-'))[path.split(' ').filter(Boolean).length] ?? '';
      return `there is no command '${above}${word}'${meant(word, known, above)} ${more}`;
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

const isPrefix = (path: readonly string[], argv: readonly string[]) => path.every((word, at) => word === argv[at]);

/** Returns `; did you mean …?`, or only `;` if no name is similar. The caller adds the rest. */
function meant(word: string, names: readonly string[], before: string): string {
  const near = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    // Two swapped letters are a distance of 2, and a usual slip. Between names of three letters it would be chance.
    .filter(({ name, distance }) => {
      const shorter = Math.min(word.length, name.length);
      return distance <= (shorter < 4 ? 1 : Math.max(2, Math.floor(shorter / 3)));
    })
    .toSorted((one, other) => one.distance - other.distance)[0];
  return near === undefined ? ';' : `; did you mean ${before}${near.name}?`;
}
