/** Builds the program that tests start (program.ts), as it is published: once for each state of its sources. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../scripts/build.ts';
import { keptOnce, root } from './kept-once.ts';

/** Before the first test; the environment names the program to the workers that start it. */
export default async function provide(): Promise<void> {
  const sources = globSync(['src/**/*.*', 'scripts/build.ts', 'package-lock.json'], { cwd: root }).map((name) =>
    join(root, name),
  );
  process.env.PAYRUN_TEST_PROGRAM ??= join(await keptOnce('payrun-program', sources, buildProgram), 'main.mjs');
}
