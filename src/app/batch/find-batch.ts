/** Finds the batch that a command names, or the newest one if it names none, and the fleet of its ledger. */
import { PayrunError } from '../../base/errors.ts';
import type { BatchFacts, Fleet, Ledger } from '../../ledger/ledger.ts';

export async function batchNamed(ledger: Ledger, name: string | null): Promise<BatchFacts> {
  if (name === null) {
    const [newest] = await ledger.batches.list();
    if (newest === undefined) throw new PayrunError('LEDGER_HAS_NO_BATCH', { ledger: ledger.path });
    return newest;
  }
  const batch = await ledger.batches.batch(name);
  if (batch === null) throw new PayrunError('BATCH_UNKNOWN', { batch: name });
  return batch;
}

/** Locks the ledger, so that no other process changes a row, and returns the batch. Throws for an unknown batch. */
export async function leadBatch(ledger: Ledger, name: string): Promise<BatchFacts> {
  await ledger.hold();
  await ledger.rows.recover();
  return await batchNamed(ledger, name);
}

/** Throws for a ledger in a file, which has no fleet. */
export function requireFleet(ledger: Ledger): Fleet {
  if (ledger.fleet !== null) return ledger.fleet;
  throw new PayrunError('WORKERS_NEED_POSTGRES', { ledger: ledger.path });
}
