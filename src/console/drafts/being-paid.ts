/** Finds whether a corrected sheet's batch is being paid before anybody has approved the corrections. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { Jobs } from '../batches/jobs.ts';
import type { Reader } from '../batches/reading.ts';
import type { PlanFacts } from './sheet-records.ts';

/** Returns a reason if the plan, while it waits for approval, would stop a run that is paying. */
export async function whyOvertaken(
  ledger: Ledger,
  jobs: Jobs,
  reader: Reader,
  { path, request: { batch } }: Pick<PlanFacts, 'path' | 'request'>,
): Promise<string | null> {
  const paid = await whilePaid(ledger, jobs, batch);
  if (paid === null) return null;
  if ((await ledger.batch(batch)) === null)
    return jobs.isRunning(batch)
      ? `Batch ${batch} is being taken in just now. Wait a moment; then make the plan.`
      : null;
  const row = await reader.ask('overtaken', batch, path);
  return row === null ? null : `${row}. ${paid}; then make the plan.`;
}

/** For a ledger in a file the batch is unknown here; the plan stops a terminal's run. */
async function whilePaid({ fleet }: Ledger, jobs: Jobs, batch: string): Promise<string | null> {
  if (!jobs.isRunning(batch) && (await fleet?.isOpened(batch)) !== true) return null;
  return 'The batch is being paid just now, and it would be sent as it was. Stop the batch on its page first, and wait until that has ended';
}
