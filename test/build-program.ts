/** Builds the package that tests install, and the program in it that they start (program.ts): once for each state of its sources. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from '../scripts/build.ts';
import { keptOnce, root } from './kept-once.ts';

/** Before the first test; the environment names the program to the workers that start it. */
export default async function provide(): Promise<void> {
  const patterns = ['src/**/*.*', 'scripts/*.ts', 'package*.json', 'tsconfig*.json'];
  const sources = globSync(patterns, { cwd: root }).map((name) => join(root, name));
  process.env.PAYRUN_TEST_PROGRAM ??= join(await keptOnce('payrun-package', sources, buildPackage), 'program/main.mjs');
}
