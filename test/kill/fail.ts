/** One trial: the n-th call fails; the run must end with a documented exit, and the same command mends what it left. */
import { type FaultName, faults } from './faults.ts';
import { type Finding, judgeEnd, judgePayments, judgeRows } from './judge.ts';
import { newWatcher } from './seams.ts';
import { mend, tell } from './strike.ts';
import { documentOf, newWorld, runHere } from './world.ts';

export interface Failed {
  readonly fault: FaultName;
  readonly n: number;
  /** False where the run has no n-th call of this kind: then all of them were tried. */
  readonly fired: boolean;
  readonly findings: readonly Finding[];
  readonly story: readonly string[];
}

export async function failNth(fault: FaultName, n: number, rows = 3): Promise<Failed> {
  const world = await newWorld({ rows, concurrency: 3, documents: 1 });
  const loose: unknown[] = [];
  const onLoose = (error: unknown) => loose.push(error);
  process.on('unhandledRejection', onLoose);
  process.on('uncaughtException', onLoose);
  try {
    const { at, act } = faults[fault];
    const watcher = newWatcher(world.folder, [{ name: at, k: n, act }]);
    const ran = await runHere(world, watcher);
    const story = [tell(world, `${fault}:${n}`, ran), `${ran.out.slice(0, 500)} ${ran.err}`];
    const findings = [...judgeEnd(ran), ...(await judgePayments(world))];
    // A run that ends before its batch is there, or by a failing machine, has told nothing of the rows.
    if (documentOf(ran)?.batch != null) findings.push(...(await judgeRows(world, ran)));
    if (watcher.fired()) findings.push(...(await mend(world, story)));
    // What nobody waited for would have ended a process with a stack trace.
    await new Promise((done) => setImmediate(done));
    for (const error of loose) findings.push({ kind: 'crash', words: String((error as Error).stack ?? error) });
    return { fault, n, fired: watcher.fired(), findings, story };
  } finally {
    process.off('unhandledRejection', onLoose);
    process.off('uncaughtException', onLoose);
    await world.close();
  }
}
