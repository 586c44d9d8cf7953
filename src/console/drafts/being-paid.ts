/** Finds out if a run pays the batch of a corrected sheet before anybody has approved the corrections. */
import type { Ledger } from '../../ledger/ledger.ts';
import { messageOf, type OwnMessage } from '../../messages/web/messages.ts';
import type { Jobs } from '../batches/jobs.ts';
import type { Reader } from '../batches/reading.ts';
import type { PlanFacts } from './sheet-records.ts';

/** Returns why the waiting plan would stop a paying run; null if it would not. */
export async function whyOvertaken(
  ledger: Ledger,
  jobs: Jobs,
  reader: Reader,
  { path, request: { batch } }: Pick<PlanFacts, 'path' | 'request'>,
): Promise<OwnMessage | null> {
  // The console cannot know about runs of a ledger in a file. The plan then stops a terminal's run.
  if (!jobs.isRunning(batch) && (await ledger.fleet?.isOpened(batch)) !== true) return null;
  if ((await ledger.batch(batch)) === null)
    return jobs.isRunning(batch) ? messageOf('BATCH_COMING_IN', { batch }) : null;
  const row = await reader.ask('overtaken', batch, path);
  return row === null ? null : messageOf('BATCH_BEING_PAID', { how: row });
}
