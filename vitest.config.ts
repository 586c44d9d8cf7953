import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { cacheFolder } from './test/kept-once.ts';

/**
 * Files that change what all tests of their process share, such as modules and the environment; and those of which a
 * process is what is tested.
 */
const alone = globSync('test/**/*.test.ts').filter(
  (file) =>
    /^test\/(kill|console\/page)\//.test(file) || /\bvi\.(mock|spyOn|stubEnv)\(/.test(readFileSync(file, 'utf8')),
);

/** The longest in their order, so that none of them runs by itself at the end. */
const longest = [
  'tables/versions',
  'simulation/simulation',
  'console/page/page',
  'console/page/golden',
  'workers/fleet',
  'kill/faults',
  'console/live',
  'package',
  'kill/kills',
  'cli/copying',
  'tables/duplicates',
  'golden/golden',
  'sheet/reader',
  'campaign/campaign',
  'fuzz/fuzz',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeFromEnd = ({ moduleId }: TestSpecification) =>
      longest.toReversed().findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return (await super.sort(files)).toSorted((a, b) => placeFromEnd(b) - placeFromEnd(a));
  }
}

/** Of each thread, and of the process that reads a workbook: here they start from their sources, as where nothing was built. */
const fromSources = ['console/thread', 'console/inspections', 'ledger/databases'].map((name) => `test/${name}.test.ts`);

/** What the program starts beside itself is started as it is published (build-program.ts), and does not read its sources each time. */
const asPublished: Plugin = {
  name: 'as-published',
  enforce: 'pre',
  transform: (code) =>
    code.replace(
      /join\(import\.meta\.dirname, `([a-z-]+)\$\{extname\(import\.meta\.filename\)\}`\)/,
      (_, name) => `join(process.env.PAYRUN_TEST_PROGRAM, '../${name}.mjs')`,
    ),
};

const readerFile = join(import.meta.dirname, 'src/sheet/xlsx/process/reader.ts');

/** Workbooks are read in the test's own process: the process that the program starts for it has tests of its own. */
const readsHere: Plugin = {
  name: 'reads-here',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/reader.ts') && importer !== undefined && join(dirname(importer), source) === readerFile
      ? join(import.meta.dirname, 'test/sheet/here.ts')
      : null,
};

export default defineConfig({
  test: {
    // Threads and processes that tests start find their modules compiled, in a folder of this checkout.
    env: { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') },
    globalSetup: ['test/postgres-server.ts', 'test/build-program.ts', 'test/packed-browser.ts'],
    setupFiles: ['test/setup.ts'],
    // The others are run one after the other by workers that have loaded the program, and are warm.
    projects: [
      { extends: true, test: { name: 'from sources', include: fromSources } },
      { extends: true, plugins: [asPublished], test: { name: 'alone', include: alone, exclude: fromSources } },
      {
        extends: true,
        plugins: [asPublished, readsHere],
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...fromSources],
          isolate: false,
        },
      },
    ],
    // Real servers, real processes and real files: a test may wait, but none may hang.
    // Most tests of whole runs wait for answers and clocks, not for the processor.
    maxConcurrency: 16,
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // `npm test` leaves these out, and `npm run test:long -- stories` runs them.
    tags: [{ name: 'long', description: 'One more story of a kind that another test stands for.' }],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 80_000 } },
    reporters: process.env.CI ? ['dot', './test/count-reporter.ts'] : ['default', './test/count-reporter.ts'],
  },
});
