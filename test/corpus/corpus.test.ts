/** Every sheet of the corpus against its text, and the corpus against what it promises to hold. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { caseNames, corpusFolder, hasSheet, runCase, textPath } from './runner.ts';

const names = await caseNames();

describe.concurrent('sheets of the corpus', () => {
  for (const name of names)
    test(name, async ({ expect }) => {
      // What is read otherwise, and is meant to be, `npm run gen:corpus` writes; the diff is the review.
      await expect(await runCase(name)).toMatchFileSnapshot(textPath(name));
    });
});

test('every sheet has its text, every text its sheet, and each begins with a sentence', async () => {
  const texts = names.map((name) => readFileSync(join(corpusFolder, `${name}.txt`), 'utf8'));
  for (const [index, text] of texts.entries())
    expect(text, names[index]).toMatch(/^[^\n]{3,300}[.:]\n\n\$ payrun check /);
  for (const name of names) expect(hasSheet(name), name).toBe(true);
  const folders = [...new Set(names.map((name) => name.split('/')[0]!))];
  const orphans = folders.flatMap((folder) =>
    readdirSync(join(corpusFolder, folder))
      .filter((file) => file.endsWith('.txt') && !names.includes(`${folder}/${file.slice(0, -4)}`))
      .map((file) => `${folder}/${file}`),
  );
  // What this system cannot make (pipes, /proc) still has its text.
  expect(orphans.filter((name) => !name.startsWith('large/'))).toEqual([]);
});

test('the list of kinds is whole, and names sheets that are there', () => {
  const page = readFileSync(join(corpusFolder, 'README.md'), 'utf8');
  const kinds = page.split('## Hostile kinds')[1]!.split('## Habits')[0]!;
  const numbers = [...kinds.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 48 }, (_, k) => k + 1));
  const named = [...page.matchAll(/\b(?:[a-z]+)\/[a-z0-9-]+\.[a-z]+\b/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(100);
  const possible = [...names, ...readdirSync(join(corpusFolder, 'large')).map((file) => `large/${file.slice(0, -4)}`)];
  expect(named.filter((name) => !possible.includes(name))).toEqual([]);
});
