/** Explains a command line that cannot be read: the mistake, the likely meaning, and where to find help. */
import { editDistance } from '../../domain/rows/text.ts';

export class Mistyped extends Error {}

type HelpOf = (words: readonly string[]) => Promise<string>;

export async function whatWasMeant(message: string, argv: readonly string[], helpOf: HelpOf): Promise<string> {
  const { words, help } = await deepestCommand(argv, helpOf);
  const command = ['payrun', ...words].join(' ');
  const more = `${command} --help tells more`;
  const noOption = (name: string) => `there is no --${name}${meant(name, optionsIn(help), '--')} ${more}`;
  if (message.startsWith('Not enough non-option arguments')) {
    // A misspelt flag takes the next word as its value, so a missing word may be such a flag's fault.
    const unknown = argv
      .map((one) => /^--([a-z][\w-]*)/i.exec(one)?.[1])
      .find((name) => name !== undefined && !optionsIn(help).includes(name.replace(/^no-/, '')));
    if (unknown !== undefined) return noOption(unknown);
    return `a word is missing: ${help.split('\n', 1)[0]}; ${more}`;
  }
  const [, choice, given, choices] =
    /^Invalid values:\s*Argument: ([^,]+), Given: (.*), Choices: (.*)$/s.exec(message) ?? [];
  if (choice !== undefined) {
    const name = optionsIn(help).includes(choice) ? `--${choice}` : choice;
    return `${name} ${given} is none of ${choices!.trim()}; ${more}`.replaceAll('"', '');
  }
  const [, extra] = /^Unknown commands?: (.+)/.exec(message) ?? [];
  if (extra !== undefined && commandsIn(help).length === 0)
    return `'${extra}' is too much for ${command}; a name with spaces stands in quotes; ${more}`;
  if (extra !== undefined) {
    const word = argv.filter((one) => !one.startsWith('-'))[words.length] ?? '';
    const name = [...words, word].join(' ');
    return `there is no command '${name}'${meant(word, commandsIn(help), [...words, ''].join(' '))} ${more}`;
  }
  const [, bare] = /^Not enough arguments following: (\S+)$/.exec(message) ?? [];
  if (bare !== undefined) return `--${bare} needs something after it; ${more}`;
  const [, missing] = /^Missing required arguments?: (.+)$/.exec(message) ?? [];
  if (missing !== undefined) return `${command} takes --${missing.split(', ').join(' and --')}; ${more}`;
  const [, option] = /^Unknown arguments?: ([^,\s]+)/.exec(message) ?? [];
  if (option !== undefined && argv.some((one) => one === `--${option}` || one.startsWith(`--${option}=`)))
    return noOption(option);
  if (option?.length === 1) return `there is no -${option}; ${more}`;
  return `${message.replaceAll(/\s*\n\s*/g, ' ').trim()}; ${more}`;
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
