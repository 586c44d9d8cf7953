/** `drop` closes rows, so that they are never sent. `reopen` gives closed rows the state that they had before. */
import { PayrunError } from '../base/errors.ts';
import { someOf } from '../base/refusal.ts';
import { closableStates, isListed } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { notedRow } from '../pipeline/doubt-step.ts';
import { planAgain, signingOf } from '../pipeline/opened-with.ts';
import type { BatchOrder } from '../pipeline/order.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { requireStillExpired } from '../pipeline/settle/settle.ts';
import type { RowsToClose } from './batch/command.ts';
import { concluded } from './batch/conclude-batch.ts';
import { openRows, placeOf, requireOpen } from './batch/row-decisions.ts';
import { type AskSigner, signedUnderPolicy } from './release-row.ts';

/** Checks all rows before any row changes. Skips rows that are closed already. */
export async function dropRows(deps: Deps, order: BatchOrder & RowsToClose): Promise<Outcome> {
  const { batch, rows } = await openRows(deps, order);
  const open = rows.filter(({ closed }) => closed === null);
  for (const row of open) {
    if (row.state === 'held') throw new PayrunError('ROW_MAY_BE_PAID', placeOf(row));
    requireOpen(row, closableStates, 'drop');
    await requireStillExpired(deps, row);
  }
  return await concluded(deps, order, batch, async () => {
    await deps.ledger.rows.closeRows(open, { by: deps.actor.name, why: order.reason });
    return { notes: [{ note: 'rows-dropped', batch: batch.name, rows: someOf(rows, notedRow) }], alarm: null };
  });
}

/** Throws unless each row is closed and in the newest sheet. Under a policy, an approver who did not work on the batch must sign. */
export async function reopenRows(deps: Deps, order: BatchOrder & RowsToClose, askSigner: AskSigner): Promise<Outcome> {
  const { reason } = order;
  const by = await askSigner(reason);
  await requirePolicy(deps, order.batch);
  const { batch, rows } = await openRows(deps, order);
  for (const row of rows) {
    if (row.closed === null) throw new PayrunError('ROW_IS_OPEN', placeOf(row));
    if (isListed(row, batch)) continue;
    const command = planAgain(batch, await signingOf(deps.ledger));
    throw new PayrunError('ROW_NOT_LISTED', { ...placeOf(row), command });
  }
  await signedUnderPolicy(deps, batch, { rows, released: 'reopen' }, by);
  return await concluded(deps, order, batch, async () => {
    await deps.ledger.rows.reopenRows(rows, { by: by?.name ?? deps.actor.name, why: reason });
    return { notes: [{ note: 'rows-reopened', batch: batch.name, rows: someOf(rows, notedRow) }], alarm: null };
  });
}
