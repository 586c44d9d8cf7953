/** Rewrites test/golden/pages: `node test/golden/rewrite.ts pages`, or without a name. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesFolder, readPages } from './golden-pages.ts';

const read = await readPages();
if (read === null) throw new Error('this machine has no Chromium');
rmSync(pagesFolder, { recursive: true, force: true });
mkdirSync(pagesFolder);
for (const [name, text] of read.pages) writeFileSync(join(pagesFolder, `${name}.txt`), text);
process.stdout.write(`${read.pages.size} pages were written\n`);
