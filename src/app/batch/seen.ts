/** Refuses a command whose rows changed after the person saw them. */
import { sha256 } from '../../base/digest.ts';
import { PayrunError } from '../../base/errors.ts';
import type { BatchFacts, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { Seen } from '../../pipeline/order.ts';

/** Identifies a row's state. The text differs after each change that a person should see before a decision. */
export const standingOf = ({ state, revision, contentHash, reason, paymentId, closed }: LedgerRow): string =>
  sha256(JSON.stringify([state, revision, contentHash, reason, paymentId, closed]));

/** Identifies the batch's unpaid rows and their states, because one of them may be paid while another one expires. */
export async function unpaidStanding(ledger: Ledger, batch: string): Promise<string> {
  return sha256(JSON.stringify(await ledger.rows.unpaidStates(batch)));
}

/** Throws MOVED if a row in `seen`, or the unpaid rows, have changed. A command that changes rows holds the ledger's lock. */
export async function requireSeen(ledger: Ledger, batch: BatchFacts, { rows = {}, unpaid }: Seen = {}): Promise<void> {
  for (const [key, seen] of Object.entries(rows)) {
    const row = await ledger.rows.rowByKey(batch.name, key);
    if (row === null) throw new PayrunError('ROW_UNKNOWN', { batch: batch.name, row: key });
    if (standingOf(row) !== seen) throw new PayrunError('MOVED', {});
  }
  if (unpaid !== undefined && (await unpaidStanding(ledger, batch.name)) !== unpaid) throw new PayrunError('MOVED', {});
}
