/** Runs `payrun completion`: prints the script with which a shell completes commands, options and their values. */
import type { Options } from 'yargs';
import { type CommandRow, everyCommand, positionalsOf, type Run, wordOf } from '../args/command-table.ts';

interface Place {
  readonly path: string;
  readonly next: ReadonlyMap<string, string>;
  readonly options: readonly (readonly [name: string, option: Options])[];
}

export const printCompletion: Run = async (args, { streams }, table) => {
  const shell = args.shell as keyof typeof scripts;
  streams.out.write(scripts[shell](everyCommand(table).map(placeOf)));
  return 'done';
};

const scripts = { bash, zsh, fish };

function placeOf({ path, usage, positionals, below = {}, options }: CommandRow): Place {
  const choices = positionalsOf(usage, positionals).flatMap(([, { choices: some = [] }]) => some);
  return {
    path,
    next: new Map([
      ...Object.entries(below).map(([of, { about }]) => [wordOf(of), about] as const),
      ...choices.map((choice) => [String(choice), ''] as const),
    ]),
    options: Object.entries(options),
  };
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const steps = (places: readonly Place[]) =>
  places.filter(({ path }) => path !== '').map(({ path }) => quoted(path.includes(' ') ? path : ` ${path}`));

function body(places: readonly Place[], list: (found: ReadonlyMap<string, string>) => string, before: string): string {
  const cases = (all: readonly (readonly [at: string, found: ReadonlyMap<string, string>])[], indent: number) =>
    all
      .filter(([, found]) => found.size > 0)
      .map(([at, found]) => `${' '.repeat(indent)}${quoted(at)}) found=${list(found)} ;;\n`)
      .join('');
  const choosing = places.flatMap(({ path, options }) =>
    options.map(
      ([name, { choices = [] }]) => [`${path} --${name}`, new Map(choices.map((one) => [String(one), '']))] as const,
    ),
  );
  const optionsAt = places.map(
    ({ path, options }) =>
      [path, new Map(options.map(([name, { describe = '' }]) => [`--${name}`, describe]))] as const,
  );
  const wordsAt = places.map(({ path, next }) => [path, next] as const);
  return `case "$at ${before}" in
${cases(choosing, 4)}    *)
      case "$typed" in
        -*)
          case "$at" in
${cases(optionsAt, 12)}          esac
          ;;
        *)
          case "$at" in
${cases(wordsAt, 12)}          esac
          ;;
      esac
      ;;
  esac`;
}

function bash(places: readonly Place[]): string {
  return `# payrun in bash: source <(payrun completion bash)
_payrun() {
  local typed=\${COMP_WORDS[COMP_CWORD]} at= found= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${steps(places).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  ${body(places, (found) => quoted([...found.keys()].join(' ')), `\${COMP_WORDS[COMP_CWORD - 1]}`)}
  COMPREPLY=($(compgen -W "$found" -- "$typed"))
}
complete -o default -F _payrun payrun
`;
}

function zsh(places: readonly Place[]): string {
  const entry = ([name, about]: [string, string]) => quoted(`${name.replaceAll(':', '\\:')}:${about}`);
  return `#compdef payrun
# payrun in zsh: source <(payrun completion zsh), or this file as _payrun in a folder of $fpath
_payrun() {
  local typed=$PREFIX at= word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${steps(places).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  ${body(places, (found) => `(${[...found].map(entry).join(' ')})`, `\${words[CURRENT-1]}`)}
  if ((\${#found})); then _describe payrun found; else _files; fi
}
if [[ \${funcstack[1]} == _payrun ]]; then _payrun "$@"; else compdef _payrun payrun; fi
`;
}

function fish(places: readonly Place[]): string {
  const word = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
  return `# payrun in fish: payrun completion fish | source
function __payrun_at
    set -l at ''
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${steps(places).join(' ')}
                set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
${places
  .flatMap(({ path, next, options }) => {
    const here = `complete -c payrun -n ${word(`__payrun_at "${path}"`)}`;
    return [
      ...[...next].map(([name, about]) => `${here} -f -a ${word(name)} -d ${word(about)}`),
      ...options.map(([name, { describe = '', type, choices = [] }]) => {
        const takes = choices.length > 0 ? ` -x -a ${word(choices.join(' '))}` : type === 'boolean' ? '' : ' -r';
        return `${here} -l ${name}${takes} -d ${word(describe)}`;
      }),
    ];
  })
  .join('\n')}
`;
}
