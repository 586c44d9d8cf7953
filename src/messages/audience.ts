/** Adapts sentences to their reader, who is at a terminal or on a page of the console. */
import type { Action, Some } from '../base/refusal.ts';
import { counted } from './format/numbers.ts';

export { capital, ended } from '../base/words.ts';

/** A reader at a terminal gets flags and commands. A reader of a page gets what can be done there. */
export type Audience = 'terminal' | 'page';

export const atTerminal = (to: Audience, words: string): string => (to === 'terminal' ? words : '');

const consoleFiles: Readonly<Record<string, string>> = {
  'columns.json': 'the columns as they were matched',
  documents: 'the uploaded documents',
};

/** Hides the console's folders and the ledger's server, which only an administrator may see. */
function textOnPage(text: string): string {
  if (/^postgres(?:ql)?:\/\//.test(text)) return 'on PostgreSQL';
  if (!/\/uploads\/[0-9a-f]{32}\//.test(text)) return text;
  const name = fileName(text);
  return consoleFiles[name] ?? name;
}

export function mapTexts<T>(facts: T, change: (text: string) => string): T {
  if (typeof facts === 'string') return change(facts) as T;
  if (typeof facts !== 'object' || facts === null) return facts;
  if (Array.isArray(facts)) return facts.map((one) => mapTexts(one, change)) as T;
  return Object.fromEntries(Object.entries(facts).map(([name, one]) => [name, mapTexts(one, change)])) as T;
}

export const factsOnPage = <T>(facts: T): T => mapTexts(facts, textOnPage);

export const fileName = (path: string): string => path.split('/').at(-1) ?? path;

/** Returns the lines of paragraphs and lists. Indents every line after the first at a terminal, and the items of lists on a page. */
export function lines(to: Audience, ...all: readonly (string | readonly string[])[]): string[] {
  const shown =
    to === 'page' ? all.map((one) => (typeof one === 'string' ? one : one.map((item) => `  ${item}.`))) : all;
  return shown
    .flat()
    .filter((line) => line !== '')
    .map((line, at) => (to === 'page' || at === 0 ? line : `  ${line}`));
}

export function listed<T>({ shown, total }: Some<T>, words: (one: T) => string, of = 'row'): string[] {
  const more = total - shown.length;
  return [...shown.map(words), ...(more > 0 ? [`and ${counted(more, of)} more`] : [])];
}

export type ProblemTable<Facts> = {
  readonly [C in keyof Facts]: (facts: Readonly<Facts[C]>, audience: Audience) => string;
};

/** Facts in which words have replaced next actions and faults. */
export type Worded<Fact> = Fact extends string | number | boolean | null | undefined
  ? Fact
  : Fact extends Action | { readonly fault: string }
    ? string
    : Fact extends readonly (infer One)[]
      ? readonly Worded<One>[]
      : { readonly [F in keyof Fact]: Worded<Fact[F]> };

export type FaultWords<Kinds> = {
  readonly [F in keyof Kinds]: string | ((facts: Worded<Kinds[F]>, to: Audience) => string);
};
