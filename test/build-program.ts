/** Builds the program that tests start (program.ts), as it is published: once for each state of its sources. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/payrun-program');
const dayMs = 86_400_000;

/** Before the first test: what the workers start is named to them by their environment. */
export default async function provide(): Promise<void> {
  process.env.PAYRUN_TEST_PROGRAM ??= join(await programOfSources(), 'main.mjs');
}

async function programOfSources(): Promise<string> {
  const folder = join(cache, digestOfSources());
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(cache).map((name) => join(cache, name)))
    if (statSync(other).mtimeMs < Date.now() - dayMs) rmSync(other, { recursive: true, force: true });
  const half = `${folder}.${process.pid}`;
  await buildProgram(half);
  try {
    renameSync(half, folder);
  } catch (error) {
    // Another run was quicker with the same sources.
    if (!existsSync(folder)) throw error;
    rmSync(half, { recursive: true, force: true });
  }
  return folder;
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const name of globSync(['src/**/*.*', 'build.ts', 'package-lock.json'], { cwd: root }).sort())
    hash.update(`${name}\0`).update(readFileSync(join(root, name)));
  return hash.digest('hex').slice(0, 16);
}
