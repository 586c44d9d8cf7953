/** `retry`: sends unpaid rows again. Under a policy or a plan, only a new plan may send them again. */
import { PayrunError } from '../base/errors.ts';
import type { Note } from '../domain/note.ts';
import { type BatchFacts, eachRow, isListed, type LedgerRow } from '../ledger/ledger.ts';
import { withRemembered } from '../pipeline/controls/batch-limits.ts';
import { refuseOverCaps } from '../pipeline/controls/caps.ts';
import type { Deps } from '../pipeline/deps.ts';
import { planAgain, planOf, signingOf } from '../pipeline/opened-with.ts';
import type { BatchOrder } from '../pipeline/order.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { recordDenied, requireApproved } from '../pipeline/plans/approved.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { recordStopOnSignal } from '../pipeline/sending/signals.ts';
import type { Options } from './batch/command.ts';
import { openBatch, requireOpen, requireStillExpired, rowsNamed } from './batch/row-decisions.ts';
import { resume } from './run-batch.ts';

/** Marks the rows, and continues the batch. */
export async function retryRows(deps: Deps, order: BatchOrder & Pick<Options, 'rows'>): Promise<Outcome> {
  const { batch: name, rows: named = 'all' } = order;
  await requirePolicy(deps, name);
  const over = new AbortController();
  recordStopOnSignal(deps, name, over.signal);
  const batch = await openBatch(deps, order);
  const unpaid = { batch: name, states: ['refused', 'expired'] } as const;
  const rows =
    named === 'all' ? await Array.fromAsync(eachRow(deps.ledger, unpaid)) : await rowsNamed(deps, batch, named);
  for (const row of rows) requireOpen(row, unpaid.states, 'retry');
  if (rows.length > 0) await requireUnplanned(deps, batch);
  const notes = await markForRetry(deps, batch, rows);
  over.abort();
  const outcome = await resume(deps, order);
  return { ...outcome, notes: [...notes, ...outcome.notes] };
}

/** Throws if the batch runs under a plan, because that plan does not contain the new payments. */
async function requireUnplanned(deps: Deps, batch: BatchFacts): Promise<void> {
  const plan = planOf(batch);
  if (plan === null) {
    if (deps.policy !== undefined) await requireApproved(deps, batch);
    return;
  }
  const command = planAgain(batch, await signingOf(deps.ledger), 'unpaid');
  const error = new PayrunError('RETRY_UNPLANNED', { batch: batch.name, command });
  throw await recordDenied(deps, batch.name, plan.digest, error);
}

/** Prepares unpaid rows for sending again. Throws while a hold stands. */
async function markForRetry(deps: Deps, batch: BatchFacts, unpaid: readonly LedgerRow[]): Promise<Note[]> {
  const { ledger } = deps;
  const notes: Note[] = [];
  const again: LedgerRow[] = [];
  const invalid = await ledger.batches.invalidRows(batch.sheet.id, 0, batch.sheet.invalid);
  const mistaken = new Set(invalid.map(({ payout }) => payout));
  for (const row of unpaid) {
    if (!isListed(row, batch) || mistaken.has(row.id)) {
      notes.push({ note: 'retry-lacks-row', batch: batch.name, row: row.key });
      continue;
    }
    if (row.state === 'expired') await requireStillExpired(deps, row);
    again.push(row);
  }
  ledger.holds.requireNone(batch.name);
  await refuseOverCaps(
    withRemembered(deps, batch),
    batch,
    again.map(({ id }) => id),
  );
  // The batch continues afterwards, and then also sends rows that were never sent.
  const unsent = await ledger.rows.list({
    batch: batch.name,
    since: batch.listedSince,
    states: ['planned', 'ready'],
    limit: 1,
  });
  // Changes rows only after all were checked, so that a refused command leaves no row for the next command to send.
  await ledger.rows.retryRows(again);
  const also = unsent.length > 0;
  if (again.length === 0) notes.push({ note: 'retry-empty', also });
  else notes.push({ note: 'retried', rows: again.length, also });
  return notes;
}
