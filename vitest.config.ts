import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { cacheFolder } from './test/kept-once.ts';

/**
 * Files that change what all tests of their process share, such as modules and the environment; and those of which a
 * process is what is tested.
 */
const alone = globSync('test/**/*.test.ts').filter(
  (file) =>
    /^test\/(kill|console\/page)\//.test(file) ||
    /\bvi\.(mock|spyOn|stubEnv)\(|\/kill\/seams\.ts'/.test(readFileSync(file, 'utf8')),
);

/** The longest in their order, so that none of them runs by itself at the end. */
const longest = [
  'console/page/page',
  'console/page/golden',
  'console/page/next-version',
  'kill/kills',
  'sheet/reader',
  'watch/watch',
  'kill/faults',
  'tables/versions',
  'simulation/simulation',
  'workers/fleet',
  'workers/stopped',
  'console/live',
  'package',
  'cli/copying',
  'corpus/corpus',
  'tables/duplicates',
  'golden/golden',
  'campaign/campaign',
  'fuzz/fuzz',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeFromEnd = ({ moduleId }: TestSpecification) =>
      longest.toReversed().findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    // A worker ends before a file that needs its own process, and the next worker loads the program again.
    const isAlone = ({ project }: TestSpecification) => Number(project.config.isolate);
    return (await super.sort(files)).toSorted((a, b) => isAlone(b) - isAlone(a) || placeFromEnd(b) - placeFromEnd(a));
  }
}

/** Of each thread, and of the process that reads a workbook: here they start from their sources, as where nothing was built. */
const fromSources = ['console/thread', 'console/inspections', 'ledger/databases'].map((name) => `test/${name}.test.ts`);

/** Node's own modules run faster than those of Vite, of which each import is a getter. */
const byNode = { experimental: { viteModuleRunner: false }, setupFiles: ['test/hooks.ts'] };

export default defineConfig({
  test: {
    // Threads and processes that tests start find their modules compiled, in a folder of this checkout.
    env: { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') },
    globalSetup: ['test/postgres-server.ts', 'test/build-program.ts'],
    setupFiles: ['test/setup.ts'],
    // The others are run one after the other by workers that have loaded the program, and are warm.
    projects: [
      { extends: true, test: { name: 'from sources', include: fromSources } },
      { extends: true, test: { ...byNode, name: 'alone', include: alone, exclude: fromSources } },
      {
        extends: true,
        test: {
          ...byNode,
          name: 'shared',
          // Nothing is mocked here. Workbooks, and rows for pages, are read in the test's own process.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          env: { PAYRUN_TEST_READER: 'here' },
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...fromSources],
          isolate: false,
        },
      },
    ],
    // Real servers, real processes and real files: a test may wait, but none may hang.
    // Most tests of whole runs wait for answers and clocks, not for the processor.
    maxConcurrency: 16,
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // `npm test` leaves these out, and `npm run test:long -- stories` runs them.
    tags: [{ name: 'long', description: 'One more story of a kind that another test stands for.' }],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 80_000 } },
    reporters: process.env.CI ? ['dot', './test/count-reporter.ts'] : ['default', './test/count-reporter.ts'],
  },
});
