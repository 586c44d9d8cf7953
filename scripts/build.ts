/**
 * `npm run build`: bundles the published program with its libraries and the console's page, so that a start opens a few
 * files instead of hundreds. Tests that start the program start this bundle.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { buildPage } from '../src/console/build-page.ts';
import { billOf, bundledIn, noticesOf } from './third-party.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** The programs, threads and exported modules. All are in one folder, so that each finds the others beside it. */
const entries = {
  main: 'cli/main.ts',
  'command-thread': 'cli/perform/command-thread.ts',
  'count-thread': 'cli/compose/count-thread.ts',
  'reader-process': 'sheet/xlsx/process/reader-process.ts',
  'reading-thread': 'console/batches/reading-thread.ts',
  'inspection-thread': 'console/inspection/inspection-thread.ts',
  'postgres-thread': 'ledger/store/postgres/postgres-thread.ts',
  client: 'client/client.ts',
  index: 'index.ts',
};

/** Builds the program. Returns the source files that it contains. */
async function buildProgram(folder: string): Promise<readonly string[]> {
  await using bundle = await rolldown({
    cwd: source,
    input: entries,
    platform: 'node',
    // Only a source checkout builds the page with vite. The other two are optional parts of libraries, and are not installed.
    external: ['vite', 'pg-native', '@aws-sdk/client-s3'],
    resolve: { alias: { 'string-width': join(import.meta.dirname, 'text-width.ts') } },
  });
  // Modules find each other by name, because the confined reader may not look for a package.json.
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' };
  const { output } = await bundle.write({ dir: folder, ...names, sourcemap: true });
  const page = await buildPage(join(folder, 'page'));
  return [...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])), ...page];
}

/**
 * Writes the types of the exported modules, including the types from libraries, which a user of the package does not have.
 * Checks none of them, because `npm run typecheck` does.
 */
async function buildTypes(folder: string): Promise<readonly string[]> {
  // The folder is inside node_modules, from where TypeScript finds the libraries' types.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const declarations = mkdtempSync(join(cache, 'payrun-types-'));
  try {
    await promisify(execFile)(process.execPath, [
      tsc,
      '-p',
      join(root, 'tsconfig.build.json'),
      '--noCheck',
      '--outDir',
      declarations,
    ]);
    await using bundle = await rolldown({
      input: { index: join(declarations, 'index.d.ts'), client: join(declarations, 'client/client.d.ts') },
      platform: 'node',
      plugins: [dts({ dtsInput: true, tsconfig: join(root, 'tsconfig.json') })],
      // Silent, because it lists each file that it leaves out. It throws for a real failure.
      logLevel: 'silent',
      // No exported type refers to these modules.
      external: [/^node:/, 'fastify', 'exceljs', 'kysely'],
    });
    const names = { entryFileNames: '[name].ts', chunkFileNames: '[name].ts' };
    const { output } = await bundle.write({ dir: folder, ...names });
    return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  } finally {
    rmSync(declarations, { recursive: true });
  }
}

/** Fills the folder `dist` of the package. */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const parts = await Promise.all([buildProgram(join(folder, 'program')), buildTypes(join(folder, 'types'))]);
  const packages = bundledIn(parts.flat());
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages));
  writeFileSync(join(folder, 'bom.cdx.json'), billOf(packages, root));
}

if (import.meta.main) await buildPackage(join(root, 'dist'));
