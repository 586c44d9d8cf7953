/** `npm run test:coverage`: which branches of the payer's protocol the tests of whole runs and its tables take, file by file. */
import { defineConfig } from 'vitest/config';
import suite from '../vitest.config.ts';

export default defineConfig({
  ...suite,
  test: {
    ...suite.test,
    include: ['test/{pipeline,protocol,cli,client,ledger}/**/*.test.ts'],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: [
        'src/ledger/states.ts',
        'src/client/failure.ts',
        'src/client/retry.ts',
        'src/pipeline/{pay,reconcile,pass,passes,moves,missing,resolve}.ts',
      ],
      // What is left are guards that only the types ask for, and two that no service was found to lead to.
      thresholds: {
        'src/{client,ledger}/*.ts': { branches: 100 },
        'src/pipeline/{moves,reconcile}.ts': { branches: 96 },
        'src/pipeline/{pass,pay,resolve}.ts': { branches: 97 },
        'src/pipeline/passes.ts': { branches: 95 },
        'src/pipeline/missing.ts': { branches: 94 },
      },
      reporter: ['text', 'json'],
      reportOnFailure: true,
      reportsDirectory: 'reports/coverage',
    },
  },
});
