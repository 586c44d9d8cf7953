/**
 * Ends every test run with its slowest files and one plain line, `N passed, N failed, N skipped`, for people and machines
 * that read only the end. Skipped are the tests with the tag `long`, and those that this machine cannot run.
 */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const slowestFiles = 20;

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    let skipped = 0;
    for (const module of modules) {
      // A file that cannot even be read has no tests to count, and must not pass unseen.
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
    }
    const root = process.cwd();
    const slowest = modules
      .map((module) => ({ file: relative(root, module.moduleId), ms: module.diagnostic().duration }))
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, slowestFiles);
    if (modules.length > slowestFiles) {
      process.stdout.write('\nThe slowest files, in seconds:\n');
      for (const { file, ms } of slowest) process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}\n`);
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  }
}
