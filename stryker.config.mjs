/**
 * `npm run test:mutants`: Stryker changes the pure rules in small ways, and the tests beside them must notice. The report is
 * reports/mutants.html.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutants.config.ts', related: false },
  mutate: [
    'src/domain/rows/row-states.ts',
    'src/client/{failure,answers,retry}.ts',
    'src/pipeline/reconcile/match-payments.ts',
    'src/domain/**/*.ts',
  ],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // A loaded machine is no endless loop.
  timeoutMS: 10_000,
  reporters: ['clear-text', 'json', 'html'],
  jsonReporter: { fileName: 'reports/mutants.json' },
  htmlReporter: { fileName: 'reports/mutants.html' },
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
  tempDirName: '.stryker-tmp',
  // Stryker would rewrite it with the compiler's interface, which TypeScript 7 does not have; nothing here is compiled.
  tsconfigFile: 'none',
};
