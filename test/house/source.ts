/** The files of src/ as the tests of the house read them, and the comparison with the exceptions of the house. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect } from 'vitest';
import { type Node, parsed } from './syntax.ts';

export const source = join(import.meta.dirname, '../../src');

export const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();

const codes = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]));

export const codeOf = (file: string) => codes.get(file) ?? '';

export const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

const trees = new Map<string, readonly Node[]>();

export function nodesIn(file: string): readonly Node[] {
  if (!trees.has(file)) trees.set(file, parsed(codeOf(file), file));
  return trees.get(file)!;
}

/** Returns how often something occurs in each file in which it occurs. */
export function countIn(names: readonly string[], find: (file: string) => number): ReadonlyMap<string, number> {
  return new Map(names.map((file) => [file, find(file)] as const).filter(([, count]) => count > 0));
}

/** Expects in each place exactly what its exception allows, and nothing elsewhere: an exception follows each decrease. */
export function expectAtMost(
  found: ReadonlyMap<string, number>,
  allowed: Readonly<Record<string, number>>,
  what: string,
): void {
  const more = [...found].filter(([place, count]) => count > (allowed[place] ?? 0));
  expect(more.map(([place, count]) => `${place}: ${count} ${what}, at most ${allowed[place] ?? 0}`)).toEqual([]);
  const less = Object.keys(allowed).filter((place) => (found.get(place) ?? 0) < allowed[place]!);
  expect(less.map((place) => `${place}: set ${found.get(place) ?? 0} in house-exceptions.ts`)).toEqual([]);
}

/** Returns a row for each piece of code, and whether it must be found. Three spaces or a new line end a piece. */
export function cases({ raw: [text = ''] }: TemplateStringsArray): (readonly [code: string, isFound: boolean])[] {
  const [found = '', harmless = ''] = text.split('Harmless:').map((part) => part.trim());
  const rows = (part: string, isFound: boolean) => part.split(/ {3,}|\n\s*/).map((code) => [code, isFound] as const);
  return [...rows(found, true), ...rows(harmless, false)];
}
