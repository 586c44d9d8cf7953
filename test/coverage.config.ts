/** `npm run test:coverage`: which branches of the payer's protocol the tests of whole runs and its tables take, file by file. */
import { defineConfig } from 'vitest/config';
import suite from '../vitest.config.ts';

const { projects: _, ...options } = suite.test!;

export default defineConfig({
  ...suite,
  test: {
    ...options,
    include: ['test/{pipeline,protocol,cli,client,ledger,workers,approval}/**/*.test.ts'],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: [
        'src/domain/rows/row-states.ts',
        'src/client/failure.ts',
        'src/client/retry.ts',
        'src/pipeline/sending/{pay,send-row}.ts',
        'src/pipeline/controls/canary.ts',
        'src/pipeline/reconcile/{reconcile,list-scan,run-scans,match-payments,absence}.ts',
        'src/pipeline/settle/settle.ts',
        'src/app/batch/row-decisions.ts',
      ],
      thresholds: { branches: 100 },
      reporter: ['text', 'json'],
      reportOnFailure: true,
      reportsDirectory: 'reports/coverage',
    },
  },
});
