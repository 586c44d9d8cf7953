/** Every folder of `cases` is a test: what Payrun says, writes and sends for one sheet, in text that an accountant can read. */
import { describe, test } from 'vitest';
import { commands } from '../../src/cli/args/command-line.ts';
import { everyCommand } from '../../src/cli/args/command-table.ts';
import { newDatabase } from '../database.ts';
import { caseNames, commandIn, expectationFiles, expected, linesOf, runCase } from './runner.ts';

test('each command has a case', async ({ expect }) => {
  const lines = (await Promise.all((await caseNames()).map(linesOf))).flat().map((line) => commandIn(line).command);
  const isShown = (path: string) => lines.some((line) => `${line} `.startsWith(`payrun ${path} `));
  const missing = everyCommand(commands).filter(({ run, path }) => run !== undefined && !isShown(path));
  expect(missing.map(({ usage }) => usage)).toEqual([]);
});

describe.concurrent('golden cases', async () => {
  for (const name of await caseNames())
    test(name, async ({ expect }) => {
      const [actual, before] = await Promise.all([runCase(name, newDatabase), expected(name)]);
      for (const file of expectationFiles)
        expect
          .soft(actual[file], `${file} of ${name} is another one now; if that is meant, npm run gen:golden rewrites it`)
          .toBe(before[file]);
    });
});
