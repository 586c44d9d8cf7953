/** The tests that Stryker runs against each mutant: those of the pure rules, without the reporter and the long waits of the suite. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/domain/*.test.ts',
      'test/client/answers.test.ts',
      'test/ledger/states.test.ts',
      'test/pipeline/match-payments.test.ts',
    ],
    setupFiles: ['test/mutants.setup.ts'],
    // One evaluation of the modules for all files of a run: four times as fast.
    isolate: false,
    testTimeout: 20_000,
  },
});
