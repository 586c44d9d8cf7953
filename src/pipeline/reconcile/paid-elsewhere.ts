/** Stops a batch of which another ledger, or a lost ledger, paid rows. Called after the scan, which finds those payments. */
import { PayrunError } from '../../base/errors.ts';
import type { BatchFacts } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { standing, unknownClaims } from '../figures.ts';
import { endedRefusal } from '../plans/plan.ts';
import { foreignRepeatMs } from './list-scan.ts';

export async function refuseUnknownClaims({ ledger, service }: Deps, batch: BatchFacts): Promise<void> {
  const { rows } = await standing(ledger, batch);
  const claims = unknownClaims(batch, rows);
  if (claims === null) return;
  throw new PayrunError('CLAIMS_UNKNOWN', { ...claims, ledger: ledger.path, service: service.label });
}

/** Throws if another ledger paid part of the batch long ago. With `--add`, the person says that the rest belongs to the batch. */
export async function refusePaidInPart({ ledger }: Deps, batch: BatchFacts): Promise<void> {
  const last = await ledger.rows.lastSent(batch.name);
  if (last === null || last >= batch.createdAt - foreignRepeatMs || batch.sheet.options.add === true) return;
  const kinds = await ledger.rows.readyKinds(batch.name, batch.listedSince);
  const unpaid = kinds.reduce((sum, { rows }) => sum + rows, 0);
  if (unpaid > 0) throw new PayrunError('BATCH_PAID_IN_PART', { batch: batch.name, lastPaidAt: last, unpaid });
}

/** Returns the refusal if another ledger paid the whole batch more than a day ago; null if not. */
export async function paidLongAgo({ ledger, clock }: Deps, batch: BatchFacts): Promise<PayrunError | null> {
  const { rows, left_out } = await standing(ledger, batch);
  const allPaid = rows.paid > 0 && rows.paid === rows.total - left_out;
  return allPaid ? endedRefusal(await ledger.rows.lastSent(batch.name), batch.name, clock.now()) : null;
}
