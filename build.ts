/**
 * `npm run build`: the program as it is published, with its libraries and the console's page within it, so that a start opens a few
 * files in place of some hundreds. Tests that start the program start it so, too.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildPage } from './src/console/build-page.ts';

const source = join(import.meta.dirname, 'src');

/** What is started or imported by its name. All lie in one folder, so that each finds the others beside it, as in its room. */
const entries = {
  main: 'cli/main.ts',
  'command-thread': 'cli/command-thread.ts',
  'reader-process': 'sheet/reader-process.ts',
  'reading-thread': 'console/reading-thread.ts',
  'look-thread': 'console/look-thread.ts',
  'postgres-thread': 'ledger/postgres-thread.ts',
  client: 'client/client.ts',
  index: 'index.ts',
};

export async function buildProgram(folder: string): Promise<void> {
  await using bundle = await rolldown({
    cwd: source,
    input: entries,
    platform: 'node',
    // With it only a source checkout builds the page; the others are not installed, and their libraries do without.
    external: ['vite', 'pg-native', '@aws-sdk/client-s3'],
  });
  // Modules by their names alone: the confined reader may not look for a package.json.
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' };
  await bundle.write({ dir: folder, ...names, sourcemap: true });
  await buildPage(join(folder, 'page'));
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, 'dist');
  rmSync(folder, { recursive: true, force: true });
  await buildProgram(join(folder, 'program'));
}
