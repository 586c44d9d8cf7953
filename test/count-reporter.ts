/**
 * Ends every test run with the slowest folders and files, and with one plain line: `N passed, N failed, N skipped`.
 * Skipped tests have the tag `long`, or cannot run on this machine.
 */
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const slowest = 20;

function list(title: string, places: readonly { readonly name: string; readonly ms: number }[]): void {
  process.stdout.write(`\n${title}\n`);
  for (const { name, ms } of places.toSorted((one, other) => other.ms - one.ms).slice(0, slowest))
    process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)}  ${name}\n`);
}

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
    const files = modules.map((module) => ({
      name: relative(join(process.cwd(), 'test'), module.moduleId),
      ms: module.diagnostic().duration,
    }));
    const folders = Array.from(
      Map.groupBy(files, ({ name }) => name.split('/')[0]!),
      ([name, inside]) => ({ name, ms: inside.reduce((sum, { ms }) => sum + ms, 0) }),
    );
    if (modules.length > slowest) {
      list('The slowest folders of test/, in seconds:', folders);
      list('The slowest files of test/, in seconds:', files);
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  }
}
