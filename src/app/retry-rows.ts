/** `retry`: opens a version that sends unpaid rows again. Under a plan, only a new plan may send them again. */
import { PayrunError } from '../base/errors.ts';
import { type BatchFacts, isListed, type LedgerRow } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { correctedSheet, planAgain, planOf, signingOf } from '../pipeline/opened-with.ts';
import type { BatchOrder } from '../pipeline/order.ts';
import { recordDenied } from '../pipeline/plans/approved.ts';
import { requireSeen } from '../pipeline/seen.ts';
import { requireStillExpired } from '../pipeline/settle/settle.ts';
import type { Options } from './batch/command.ts';
import { placeOf, requireOpen, rowsNamed } from './batch/row-decisions.ts';
import { resume } from './run-batch.ts';

export async function retryRows(deps: Deps, { seen, rows = 'all', ...order }: BatchOrder & Pick<Options, 'rows'>) {
  return await resume(deps, order, async (batch) => {
    const asked = rows === 'all' ? undefined : await rowsNamed(deps, batch, { named: rows, seen });
    await requireSeen(deps.ledger, batch, seen, asked);
    return await rowsToRetry(deps, batch, asked);
  });
}

/** Throws under a plan, because that plan does not contain the new payments, and while a hold stands. */
async function rowsToRetry(deps: Deps, batch: BatchFacts, named?: readonly LedgerRow[]): Promise<LedgerRow[]> {
  const { ledger } = deps;
  const { name, listedSince: since } = batch;
  const every = { batch: name, since, states: unpaid, limit: Number.MAX_SAFE_INTEGER };
  const asked = named ?? (await ledger.rows.list(every));
  const signs = await signingOf(ledger);
  const mistaken = await ledger.rows.mistaken(batch.name);
  const rows: LedgerRow[] = [];
  for (const row of asked) {
    requireOpen(row, unpaid, 'retry');
    if (!isListed(row, batch))
      throw new PayrunError('ROW_NOT_LISTED', { ...placeOf(row), command: planAgain(batch, signs) });
    if (!mistaken.has(row.id)) rows.push(row);
    else if (named !== undefined)
      throw new PayrunError('ROW_HAS_MISTAKE', { ...placeOf(row), command: correctedSheet(batch, signs, [row]) });
  }
  const plan = planOf(batch);
  if (rows.length > 0 && plan !== null) {
    const error = new PayrunError('RETRY_UNPLANNED', {
      batch: name,
      command: planAgain(batch, signs, named === undefined ? 'all' : rows.map(({ key }) => key)),
    });
    throw await recordDenied(deps, name, plan.digest, error);
  }
  for (const row of rows) await requireStillExpired(deps, row);
  ledger.holds.requireNoHold(name);
  return rows;
}

const unpaid = ['refused', 'expired'] as const;
