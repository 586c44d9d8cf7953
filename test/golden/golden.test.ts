/** Every folder of `cases` is a test: what Payrun says, writes and sends for one sheet, in text that an accountant can read. */
import { describe, test } from 'vitest';
import { caseNames, expectationFiles, expected, runCase } from './runner.ts';

describe.concurrent('golden cases', async () => {
  for (const name of await caseNames())
    test(name, async ({ expect }) => {
      const [actual, before] = await Promise.all([runCase(name), expected(name)]);
      for (const file of expectationFiles)
        expect
          .soft(actual[file], `${file} of ${name} is another one now; if that is meant, npm run gen:golden rewrites it`)
          .toBe(before[file]);
    });
});
