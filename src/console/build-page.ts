/** Where the page's files lie: beside this file once they are built, else built here and now from their sources. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { PayrunError } from '../base/errors.ts';
import { codings } from './http/compress.ts';

const page = join(import.meta.dirname, 'page');

/** `cache` is a folder for what is built from sources, which are built once for each state they are in. */
export async function pageFolder(cache: string, say: (line: string) => void): Promise<string> {
  if (!existsSync(join(page, 'main.tsx'))) {
    if (existsSync(join(page, 'index.html'))) return page;
    throw new PayrunError('CONFIG', { detail: `the console's page is missing from ${page}` });
  }
  const sources = readdirSync(page).map((name) => join(page, name));
  return await builtOnce(cache, sources, async (folder) => {
    say('Building the page, once for these sources.');
    await buildPage(folder);
  });
}

/** Returns the files that went into it. */
export async function buildPage(outDir: string): Promise<readonly string[]> {
  // A package of the workshop alone: what is published has the page built.
  const { build } = await import('vite');
  const built = await build({
    root: page,
    configFile: join(page, 'vite.config.ts'),
    configLoader: 'native',
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
  compressFiles(outDir);
  return [built]
    .flat()
    .flatMap((one) => ('output' in one ? one.output : []))
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Beside each file that gets smaller by it: what is served to browsers that take it, compressed once and as far as it goes. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|css|html|svg)$/.test(name)) continue;
    const path = join(folder, name);
    const bytes = readFileSync(path);
    for (const [ending, small] of [
      [codings.br, brotliCompressSync(bytes)],
      [codings.gzip, gzipSync(bytes, { level: 9 })],
    ] as const)
      if (small.length < bytes.length) writeFileSync(path + ending, small);
  }
}

/** A folder in `cache` that is made once for each state that the files are in, whole or not at all. */
export async function builtOnce(
  cache: string,
  files: readonly string[],
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(cache, digestOf(files));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // A name that no earlier process left behind half made; only its owner may enter it.
  const half = mkdtempSync(`${folder}.`);
  try {
    await make(half);
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Another process was quicker with the same sources.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
