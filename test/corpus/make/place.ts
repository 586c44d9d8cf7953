/** Puts a sheet of the corpus in its place, and above its text the sentence on what it is and the commands that read it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const corpus = join(import.meta.dirname, '..');

export interface Place {
  /** `csv/semicolons.csv`. */
  readonly name: string;
  /** One sentence: what the sheet is, and what a careful reader should do with it. */
  readonly about: string;
  /** What follows `payrun check FILE`, for each command; without them, one command with nothing. */
  readonly flags?: readonly string[];
}

export function place({ name, about, flags = [''] }: Place, content: string | Uint8Array): void {
  mkdirSync(dirname(join(corpus, name)), { recursive: true });
  writeFileSync(join(corpus, name), content);
  placeText({ name, about, flags });
}

/** What the product said below stays until it is asked again; the diff then shows what changed. */
export function placeText({ name, about, flags = [''] }: Place): void {
  const path = join(corpus, `${name}.txt`);
  const commands = flags.map((more) => `$ payrun check ${basename(name)}${more === '' ? '' : ` ${more}`}`);
  const head = `${about}\n\n`;
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const same =
    before.startsWith(head) &&
    before
      .split('\n')
      .filter((line) => line.startsWith('$ '))
      .join('\n') === commands.join('\n');
  if (!same) writeFileSync(path, `${head}${commands.join('\n\n')}\n`);
}
