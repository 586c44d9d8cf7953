import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Where `main.ts` has it: threads that tests start find their modules compiled.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    globalSetup: ['test/postgres-server.ts', 'test/build-program.ts'],
    // Real servers, real processes and real files: a test may wait, but none may hang.
    // Most tests of whole runs wait for answers and clocks, not for the processor.
    maxConcurrency: 16,
    maxWorkers: 3,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    reporters: process.env.CI ? ['dot', './test/count-reporter.ts'] : ['default', './test/count-reporter.ts'],
  },
});
