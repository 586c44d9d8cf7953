/** Runs a file of the hot folder, or resumes the batch that the file became before a crash. */
import type { SheetFacts } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { RunOrder } from '../pipeline/order.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { resume, run } from './run-batch.ts';

interface HotOrder extends RunOrder {
  readonly seen: { readonly at: number };
  /** The batch that the watcher recorded for the file. */
  readonly recorded: string | null;
}

export async function runOrResume(deps: Deps, order: HotOrder, onBegan: () => void): Promise<Outcome> {
  const { file, sha256 = null, seen, recorded } = order;
  // A watcher that crashed did not record the batch. Other sheets may have had the path, so hash and time count too.
  const became = ({ origin, options, receivedAt }: SheetFacts) =>
    origin === file && options.sha256 === sha256 && receivedAt >= seen.at;
  const batches = await deps.ledger.batches.list();
  const own =
    batches.find(({ name }) => name === recorded) ??
    batches.find(({ name }) => deps.ledger.batches.sheetsOf(name).some(became));
  if (own === undefined) return await run(deps, order);
  onBegan();
  return await resume(deps, { ...order, batch: own.name });
}
