/** What a test run needs to have unpacked or built, kept for this checkout and made once for each state of its sources. */
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../src/console/build-page.ts';

export const root = join(import.meta.dirname, '..');
export const cacheFolder = join(root, 'node_modules/.cache');
const dayMs = 86_400_000;

/**
 * Returns the folder that `make` filled for these sources, in a cache that only its owner may enter. A half-made one
 * never bears the final name. Whatever else lies there for more than a day is removed.
 */
export async function keptOnce(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const cache = join(cacheFolder, name);
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o700);
  const folder = await builtOnce(cache, sources, make);
  for (const other of readdirSync(cache).map((entry) => join(cache, entry)))
    if (other !== folder && changedAt(other) < Date.now() - dayMs) rmSync(other, { recursive: true, force: true });
  return folder;
}

/** Another run may have removed it meanwhile. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
