/** `reconcile`: searches for payments of rows in doubt. */
import type { Note } from '../domain/note.ts';
import { rightsOf } from '../domain/sending/actor.ts';
import type { BatchFacts } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { AdvanceOrder } from '../pipeline/order.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { alarmIn, reconcile } from '../pipeline/reconcile/reconcile.ts';
import type { Options } from './batch/command.ts';
import { concludeAbandoned, concluded } from './batch/conclude-batch.ts';
import { batchNamed } from './batch/find-batch.ts';
import { openBatch } from './batch/row-decisions.ts';

/** If the batch's leader left only the result to write, a worker writes the result and does no more. */
export async function reconcileRows(deps: Deps, said: AdvanceOrder & Pick<Options, 'batch'>): Promise<Outcome> {
  const { name } = await batchNamed(deps.ledger, said.batch ?? null);
  const order = { ...said, batch: name };
  const owed = rightsOf(deps.actor).continuesStopped ? null : await concludeAbandoned(deps, order, name);
  if (owed !== null) return owed;
  const batch = await openBatch(deps, order);
  return await concluded(deps, order, batch, async () => {
    const { pages, payments, adopted, absent, incomplete, alarm } = await reconcileBatch(deps, batch);
    const notes: Note[] = [
      { note: 'scan-read', payments, pages, found: adopted, absent },
      ...(incomplete === null ? [] : [{ note: 'absence-unproven', incomplete } as const]),
    ];
    return { notes, alarm };
  });
}

/** The service shows whole seconds, so two times may be this much further apart than they seem. */
const dateStepMs = 1000;

/** Scans the list. If a payment of a row in doubt is missing, waits as long as the proof needs, and scans again. */
export async function reconcileBatch(deps: Deps, batch: BatchFacts) {
  const { ledger, clock, limits, stop } = deps;
  const first = await reconcile(deps, batch);
  const alarm = await alarmIn(deps, first);
  const rows = await ledger.rows.list({ batch: batch.name, states: ['in_doubt'], limit: 1000 });
  if (first.incomplete !== null || stop.aborted || rows.every(({ missed }) => missed === null))
    return { ...first, alarm };
  await clock.sleep(limits.doubt.confirmMs + dateStepMs, stop);
  if (stop.aborted) return { ...first, alarm };
  const second = await reconcile(deps, batch);
  return { ...second, alarm: alarm ?? (await alarmIn(deps, second)) };
}
