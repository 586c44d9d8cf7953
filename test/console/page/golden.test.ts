/** The pages of the console as people read them: a change of a text shows in test/golden/pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { elsewhere } from './browser.ts';
import { pagesFolder, readPages } from './golden-pages.ts';

const stored = (file: string) => readFileSync(join(pagesFolder, file), 'utf8');

it.skipIf(elsewhere)('each page reads as it is written down', async () => {
  const read = await readPages();
  if (read === null) throw new Error('this machine has no Chromium');
  expect([read.alarms, read.barriers]).toEqual([[], []]);
  const files = readdirSync(pagesFolder);
  expect([...read.pages.keys()].map((name) => `${name}.txt`).sort()).toEqual(files.sort());
  for (const [name, text] of read.pages)
    expect
      .soft(text, `${name} is another one now; if that is meant, npm run gen:golden rewrites it`)
      .toBe(stored(`${name}.txt`));
});

it('each address of the console has a page there', async () => {
  vi.stubGlobal('location', { pathname: '/', search: '' });
  const { addresses, addressOf } = await import('../../../src/console/page/route.ts');
  vi.unstubAllGlobals();
  const paths = readdirSync(pagesFolder).map((file) => stored(file).split('\n', 1)[0] ?? '');
  const shown = new Set(paths.map((path) => addressOf(path.split('/').filter(Boolean))));
  expect(addresses.filter((address) => !shown.has(address))).toEqual([]);
});
