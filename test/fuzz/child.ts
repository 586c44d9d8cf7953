/** The process in which trials run, one after another, until it is told to end or dies: then its parent is unharmed, and tells. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Verdict } from './trial.ts';

export interface Answer extends Verdict {
  readonly seed: number;
  /** What this process used at most while the product was at work, in MiB. */
  readonly peak: number;
}

// This is the process that may die: another one for every workbook would take nearly all of the time.
const reader = import.meta.resolve('../../src/sheet/xlsx/process/reader.ts');
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === reader ? next('../sheet/here.ts', { ...context, parentURL: import.meta.url }) : found;
  },
});
const { runTrial } = await import('./trial.ts');

const folder = mkdtempSync(join(tmpdir(), 'payrun-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('disconnect', () => process.exit(0));

process.on('message', (seed: number) => void answer(seed));

process.send?.('ready');

async function answer(seed: number): Promise<void> {
  let most = 0;
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    // What the making of the sheet threw away is not the product's.
    globalThis.gc!();
    forgetPeak();
    try {
      return await work();
    } finally {
      most = Math.max(most, peak());
    }
  };
  const verdict = seed < 0 ? await counted(async () => exercise(seed)) : await runTrial(seed, folder, counted);
  process.send?.({ ...verdict, seed, peak: most } satisfies Answer);
}

/** Seeds below zero show that the parent sees what it must: a death, a hang, a thirst for memory. */
function exercise(seed: number): Verdict {
  if (seed === -1) process.abort();
  while (seed === -2);
  const kind = `exercise of ${seed === -3 ? Buffer.alloc(300 * 1024 ** 2, 1).length : 0} bytes`;
  return { kind, refused: true, fault: null };
}

/** Linux begins to count anew; elsewhere the peak of the whole process stands for that of the product. */
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Then the count goes on.
  }
}

function peak(): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
