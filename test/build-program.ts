/**
 * Builds the package that tests install, and the program in it that they start (program.ts): once for each state of its sources.
 * Unpacks the browser at the same time, so that no test waits for it, and two files do not both unpack it.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from '../scripts/build.ts';
import { keptOnce, root } from './kept-once.ts';
import { canRun, packedBrowser } from './packed-browser.ts';

/** Before the first test; the environment names the program to the workers that start it. */
export default async function provide(): Promise<void> {
  const patterns = ['src/**/*.*', 'scripts/*.ts', 'package*.json', 'tsconfig*.json'];
  const sources = globSync(patterns, { cwd: root }).map((name) => join(root, name));
  const browser = canRun ? packedBrowser() : null;
  const [folder] = await Promise.all([keptOnce('payrun-package', sources, buildPackage), browser]);
  process.env.PAYRUN_TEST_PROGRAM ??= join(folder, 'program/main.mjs');
}
