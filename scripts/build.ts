/**
 * `npm run build`: the program as it is published, with its libraries and the console's page within it, so that a start opens a few
 * files in place of some hundreds. Tests that start the program start it so, too.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { buildPage } from '../src/console/build-page.ts';
import { billOf, bundledIn, noticesOf } from './third-party.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** What is started or imported by its name. All lie in one folder, so that each finds the others beside it, as in its room. */
const entries = {
  main: 'cli/main.ts',
  'command-thread': 'cli/perform/command-thread.ts',
  'count-thread': 'cli/compose/count-thread.ts',
  'reader-process': 'sheet/xlsx/process/reader-process.ts',
  'reading-thread': 'console/batches/reading-thread.ts',
  'look-thread': 'console/inspection/look-thread.ts',
  'postgres-thread': 'ledger/store/postgres/postgres-thread.ts',
  client: 'client/client.ts',
  index: 'index.ts',
};

/** Returns the files that went into it. */
export async function buildProgram(folder: string): Promise<readonly string[]> {
  await using bundle = await rolldown({
    cwd: source,
    input: entries,
    platform: 'node',
    // With it only a source checkout builds the page; the others are not installed, and their libraries do without.
    external: ['vite', 'pg-native', '@aws-sdk/client-s3'],
  });
  // Modules by their names alone: the confined reader may not look for a package.json.
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' };
  const { output } = await bundle.write({ dir: folder, ...names, sourcemap: true });
  const page = await buildPage(join(folder, 'page'));
  return [...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])), ...page];
}

/** What the package exports, with the types of the libraries that it speaks of: whoever installs it has no library but this one. */
async function buildTypes(folder: string): Promise<readonly string[]> {
  // Below the libraries, whose types are looked for from there.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const declarations = mkdtempSync(join(cache, 'payrun-types-'));
  try {
    execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', declarations]);
    await using bundle = await rolldown({
      input: { index: join(declarations, 'index.d.ts'), client: join(declarations, 'client/client.d.ts') },
      platform: 'node',
      plugins: [dts({ dtsInput: true, tsconfig: join(root, 'tsconfig.json') })],
      // It tells of each file that it leaves out; what it cannot do, it throws.
      logLevel: 'silent',
      // Nothing that is exported speaks of them.
      external: [/^node:/, 'fastify', 'exceljs', 'kysely'],
    });
    const names = { entryFileNames: '[name].ts', chunkFileNames: '[name].ts' };
    const { output } = await bundle.write({ dir: folder, ...names });
    return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  } finally {
    rmSync(declarations, { recursive: true });
  }
}

if (import.meta.main) {
  const folder = join(root, 'dist');
  rmSync(folder, { recursive: true, force: true });
  const modules = [...(await buildProgram(join(folder, 'program'))), ...(await buildTypes(join(folder, 'types')))];
  const packages = bundledIn(modules);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages));
  writeFileSync(join(folder, 'bom.cdx.json'), billOf(packages, root));
}
