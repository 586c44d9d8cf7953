/** `npm run test:interface`: the conformance suite against the implementation that PAYRUN_BASE_URL names; never by accident, with `npm test`. */
import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

const { projects: _, ...options } = suite.test!;

export default defineConfig({
  ...suite,
  test: {
    ...options,
    include: ['test/interface/**/*.test.ts'],
    globalSetup: [],
    // One file after the other: how often one may call is not shown.
    maxWorkers: 1,
    env: { PAYRUN_CONFORMANCE: 'elsewhere' },
  },
});
