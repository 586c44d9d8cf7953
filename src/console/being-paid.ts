/** A sheet that mends a batch which is being paid just now: its rows would go out as they were, before anybody has approved the mended ones. */
import type { Ledger } from '../ledger/ledger.ts';
import type { Jobs } from './jobs.ts';
import type { Reader } from './reading.ts';
import type { PlanFacts } from './sheet-records.ts';

/**
 * Why this plan cannot wait for approval, and what to do: it would stop whoever pays, at their next intent (ledger/turns.ts), and what
 * is under way goes out all the same.
 */
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

async function whilePaid(ledger: Ledger, jobs: Jobs, batch: string): Promise<string | null> {
  const { fleet } = ledger;
  const stop = 'Stop the batch on its page first, and wait until that has ended';
  const now = `The batch is being paid just now, and it would be sent as it was. ${stop}`;
  if (jobs.isRunning(batch)) return now;
  // Whatever holds the ledger, nothing of it is sent.
  if (fleet !== null && (await fleet.pausedFor(batch)) !== null) return null;
  if ((await fleet?.isOpened(batch)) === true) return now;
  if (!ledger.isHeldElsewhere()) return null;
  const elsewhere = 'A run that was not begun here is under way, perhaps of this batch, and it would be sent as it was';
  return `${elsewhere}. ${fleet === null ? 'Stop that run first, with Ctrl-C at its terminal, or wait until it has ended' : stop}`;
}
