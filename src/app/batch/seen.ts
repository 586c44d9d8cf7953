/** Refuses a command whose rows changed after the person saw them. */
import { sha256 } from '../../base/digest.ts';
import { PayrunError } from '../../base/errors.ts';
import { type BatchFacts, type Ledger, type LedgerRow, wordOfRow } from '../../ledger/ledger.ts';
import type { Seen } from '../../pipeline/order.ts';

/** Identifies a row's state. The text differs after each change that a person should see before a decision. */
export const standingOf = ({ state, revision, contentHash, reason, paymentId, closed }: LedgerRow): string =>
  sha256(JSON.stringify([state, revision, contentHash, reason, paymentId, closed]));

/** Identifies what a batch can still send: its unsent rows by their sums, and each unpaid row by its state. */
export async function standingOfBatch(ledger: Ledger, batch: string): Promise<string> {
  const lines = (await ledger.rows.counts(batch)).filter((line) => line.listed && wordOfRow(line) === 'not sent');
  const unsent = lines.map(({ state, currency, unit, rows, amount }) => [state, currency, unit, rows, String(amount)]);
  return sha256(JSON.stringify([unsent, await ledger.rows.unpaidStates(batch)]));
}

/** Throws if a row in `seen`, or the batch, has changed. A command that changes rows holds the ledger's lock. */
export async function requireSeen(
  ledger: Ledger,
  batch: BatchFacts,
  { rows = {}, standing }: Seen = {},
): Promise<void> {
  for (const [key, seen] of Object.entries(rows)) {
    const row = await ledger.rows.rowByKey(batch.name, key);
    if (row === null) throw new PayrunError('ROW_UNKNOWN', { batch: batch.name, row: key });
    if (standingOf(row) !== seen) throw new PayrunError('ROW_MOVED', { batch: batch.name, row: key });
  }
  if (standing !== undefined && (await standingOfBatch(ledger, batch.name)) !== standing)
    throw new PayrunError('BATCH_MOVED', { batch: batch.name });
}
