/** `retry`: sends unpaid rows again, and continues the batch. */
import type { Note, NotedPlan } from '../domain/note.ts';
import { tagOf } from '../domain/rows/tag.ts';
import { type BatchFacts, isListed, type LedgerRow, proposalWaits } from '../ledger/ledger.ts';
import { withRemembered } from '../pipeline/controls/batch-limits.ts';
import { refuseOverCaps } from '../pipeline/controls/caps.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { AdvanceOrder } from '../pipeline/order.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { type ApprovedRetry, type ApproveOrder, openRetry } from '../pipeline/plans/approved.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { resultPlace } from '../pipeline/results/report.ts';
import { recordStopOnSignal } from '../pipeline/sending/signals.ts';
import { findRow, openBatch, requireOpen, requireStillExpired, rowsNamed } from './resolve-row.ts';
import { resume } from './run-batch.ts';

export interface RetryOrder extends AdvanceOrder {
  readonly approve: ApproveOrder | null;
  /** Keys or numbers of rows, each alone or several with commas. */
  readonly named: readonly string[];
  /** Keys of rows. If `named` is empty too, every unpaid row is sent again, or the rows that the plan chose. */
  readonly keys: readonly string[];
}

export async function retryRows(deps: Deps, order: RetryOrder, name: string): Promise<Outcome> {
  await requirePolicy(deps, name);
  const over = new AbortController();
  recordStopOnSignal(deps, name, over.signal);
  const batch = await openBatch(deps, name);
  const approved = await openRetry(deps, order.approve, batch, { ...order, ...resultPlace(batch, order) });
  const byKey = await Promise.all(order.keys.map((key) => findRow(deps, batch, key)));
  const notes = await markForRetry(deps, batch, [...(await rowsNamed(deps, batch, order.named)), ...byKey], approved);
  over.abort();
  const outcome = await resume(deps, order, name);
  // The first note names the plan of the retry. A later note `under-plan` is about the batch's other rows.
  const others = outcome.notes.map((note) =>
    approved !== null && note.note === 'under-plan' ? ({ ...note, of: 'rest' } as const) : note,
  );
  return { ...outcome, notes: [...notes, ...others] };
}

/** Prepares unpaid rows of the newest sheet for sending again. An expired row gets a new revision. Throws while a plan waits. */
export async function markForRetry(
  deps: Deps,
  batch: BatchFacts,
  /** The chosen rows. If there are none: the rows that the plan chose, or every unpaid row. */
  said: readonly LedgerRow[],
  /** The plan of the retry, if one is required. It must show each row as unpaid. */
  approved: ApprovedRetry | null = null,
): Promise<Note[]> {
  const { ledger } = deps;
  const notes: Note[] = [];
  const again: LedgerRow[] = [];
  const chosen = said.length > 0 ? said : await unpaidRows(deps, batch, approved?.chosen ?? null);
  for (const row of new Map(chosen.map((one) => [one.id, one])).values()) {
    requireOpen(row, ['refused', 'expired'], 'retry');
    if (!isListed(row, batch)) {
      notes.push({ note: 'retry-lacks-row', batch: batch.name, row: row.key });
      continue;
    }
    if (row.state === 'expired') await requireStillExpired(deps, row);
    again.push(row);
  }
  const proposal = ledger.proposalOf(batch.name);
  if (proposal !== null) throw proposalWaits(batch.name, proposal);
  await refuseOverCaps(
    withRemembered(deps, batch),
    batch,
    again.map(({ id }) => id),
  );
  let plan: NotedPlan | null = null;
  if (approved !== null && again.length > 0) {
    const differences = (await Promise.all(again.map(approved.differences))).flat();
    if (differences.length > 0) await approved.refuse(differences);
    plan = await approved.record();
  }
  // The batch continues afterwards, and then also sends rows that were never sent.
  const unsent = await ledger.rows({
    batch: batch.name,
    since: batch.listedSince,
    states: ['planned', 'ready'],
    limit: 1,
  });
  // Changes rows only after all were checked, so that a refused command leaves no row for the next command to send.
  for (const row of again) {
    const revision = row.state === 'expired' ? row.revision + 1 : row.revision;
    await ledger.retry(row, { revision, tag: tagOf(batch.tagScope, batch.name, row.key, revision) });
  }
  const also = unsent.length > 0;
  if (again.length === 0) notes.push({ note: 'retry-empty', isNothingUnpaid: notes.length === 0, also });
  else notes.push({ note: 'retried', rows: again.length, plan, also });
  return notes;
}

export async function unpaidRows(deps: Deps, batch: BatchFacts, keys: readonly string[] | null): Promise<LedgerRow[]> {
  if (keys !== null) return await Promise.all(keys.map((key) => findRow(deps, batch, key)));
  const rows: LedgerRow[] = [];
  for (let afterId = 0; ; ) {
    const page = await deps.ledger.rows({ batch: batch.name, states: ['refused', 'expired'], afterId, limit: 500 });
    const last = page.at(-1);
    if (last === undefined) return rows;
    afterId = last.id;
    rows.push(...page);
  }
}
