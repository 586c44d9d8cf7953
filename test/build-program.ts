/** Builds the program that tests start (program.ts), as it is published: once for each state of its sources. */
import { globSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';
import { builtOnce } from '../src/console/build-page.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/payrun-program');
const dayMs = 86_400_000;

/** Before the first test: what the workers start is named to them by their environment. */
export default async function provide(): Promise<void> {
  process.env.PAYRUN_TEST_PROGRAM ??= join(await programOfSources(), 'main.mjs');
}

async function programOfSources(): Promise<string> {
  const sources = globSync(['src/**/*.*', 'build.ts', 'package-lock.json'], { cwd: root });
  return await builtOnce(
    cache,
    sources.map((name) => join(root, name)),
    async (folder) => {
      mkdirSync(cache, { recursive: true });
      for (const other of readdirSync(cache).map((name) => join(cache, name)))
        if (statSync(other).mtimeMs < Date.now() - dayMs) rmSync(other, { recursive: true, force: true });
      await buildProgram(folder);
    },
  );
}
