/** Finds the built page. Builds the page first if its sources are beside this file. */
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

/** Returns the folder of the built page. `cache` keeps one build for each state of the sources. */
export async function pageFolder(cache: string, onBuild: () => void): Promise<string> {
  if (!existsSync(join(page, 'main.tsx'))) {
    if (existsSync(join(page, 'index.html'))) return page;
    throw new PayrunError('CONSOLE_PAGE_MISSING', { folder: page });
  }
  const sources = readdirSync(page).map((name) => join(page, name));
  return await builtOnce(cache, sources, async (folder) => {
    onBuild();
    await buildPage(folder);
  });
}

export async function buildPage(outDir: string): Promise<readonly string[]> {
  // Imports vite only here, because the published package has the built page instead of vite.
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

export async function builtOnce(
  cache: string,
  files: readonly string[],
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(cache, digestOf(files));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // Builds in a temporary folder, so that no process uses an unfinished build.
  const half = mkdtempSync(`${folder}.`);
  try {
    await make(half);
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Ignores the error if another process has finished the same build first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
