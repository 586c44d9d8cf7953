/** Rewrites what the cases of the corpus expect: all of them, or those whose name holds one of the words. The diff is the review. */
import { writeFile } from 'node:fs/promises';
import { caseNames, expected, runCase, textPath } from './runner.ts';

const words = process.argv.slice(2);
let changed = 0;
for (const name of await caseNames()) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const text = await runCase(name);
  if (text === (await expected(name))) continue;
  await writeFile(textPath(name), text);
  process.stdout.write(`${name}\n`);
  changed++;
}
process.stdout.write(`${changed} cases were rewritten\n`);
