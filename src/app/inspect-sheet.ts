/** Inspects a sheet for the console: checks it as `payrun check` does, and compares it with the payments in the ledger. */
import type { NoteOf } from '../domain/note.ts';
import type { DraftBatch, Ledger } from '../ledger/ledger.ts';
import { historyOf } from '../pipeline/controls/history.ts';
import { addPayeeProblems } from '../pipeline/controls/payee-control.ts';
import { addRailProblems, type RailPolicy } from '../pipeline/controls/rail-limits.ts';
import type { Deps } from '../pipeline/deps.ts';
import { duplicateProblem, duplicatesOfDraft } from '../pipeline/duplicates/duplicates.ts';
import { type CheckOrder, checkSheet, type SheetCheck } from '../pipeline/intake/check-rows.ts';
import { nameBatch } from '../pipeline/plans/plan.ts';

export interface LookOrder extends CheckOrder {
  readonly duplicatesWindow: number;
  readonly rails: RailPolicy;
  readonly now: number;
  /** The service at which the sheet would be paid: `sandbox`, or the base URL. */
  readonly address: string;
  /** The batch that the sheet's plan names; null before there is a plan. */
  readonly batch: string | null;
}

/** A batch at the same service that has alike rows of the sheet. `reopens` counts closed rows that the sheet has. */
type SharedBatch = Pick<DraftBatch, 'batch' | 'rows' | 'same' | 'paid' | 'held'> &
  Awaited<ReturnType<Ledger['versions']['gapsOfDraft']>>;

export interface Looked {
  readonly checked: SheetCheck;
  readonly seen: readonly SeenNote[];
  /** At most five batches. The batch that the sheet or its plan names comes first, then the one with the most equal rows. */
  readonly sharedWith: readonly SharedBatch[];
  /** Numbers of rows whose payee was never paid from this ledger. */
  readonly newPayees: ReadonlySet<number>;
}

export async function inspectSheet(ledger: Ledger, order: LookOrder, progress: Deps['progress']): Promise<Looked> {
  const { address, now } = order;
  const checked = await checkSheet(ledger.draft, order, progress);
  const batch = checked.ownBatch ?? '';
  addRailProblems(ledger.draft, order.rails, now, checked.ownBatch);
  addPayeeProblems(ledger, address, batch, 'hold');
  const shared = await sharedWith(ledger, address, order.batch ?? checked.ownBatch);
  // A sheet with every row of a batch unchanged is its next list. Its rows repeat no rows of that batch.
  const batchIfNew = shared.find(({ rows, same, lacks }) => same === rows && lacks === 0)?.batch ?? null;
  const { batch: named } = await nameBatch(ledger, { ...order, batchIfNew }, checked.ownBatch);
  const window = { now, windowDays: order.duplicatesWindow };
  const { duplicates } = await duplicatesOfDraft(
    ledger,
    { batch: named, identity: address, isAddition: false },
    window,
  );
  ledger.draft.addProblems(duplicates.map((one) => duplicateProblem(one, 'pays')));
  const history = await historyOf(ledger, { batch, address, now });
  const every = (await ledger.batches.list()).length === 0;
  const fresh = every ? ledger.versions.plannedRows(batch) : ledger.payees.oddPayees('new', maxRows);
  return {
    checked,
    sharedWith: shared,
    seen: history.alike === null ? [] : [{ note: 'like-earlier-batch', ...history.alike }],
    newPayees: new Set(Array.from<{ readonly number: number }, number>(fresh, ({ number }) => number)),
  };
}

/** Returns the batch `named` first, because the sheet or its plan names it. */
async function sharedWith(ledger: Ledger, address: string, named: string | null): Promise<readonly SharedBatch[]> {
  const batches = (await ledger.versions.batchesOfDraft())
    .filter((one) => one.address === address)
    .toSorted((one, other) => Number(other.batch === named) - Number(one.batch === named))
    .slice(0, mostShared);
  return await Promise.all(
    batches.map(async ({ batch, rows, same, paid, held }) => {
      return { batch, rows, same, paid, held, ...(await ledger.versions.gapsOfDraft(batch)) };
    }),
  );
}

const maxRows = 10_000_000;

const mostShared = 5;

type SeenNote = NoteOf<'like-earlier-batch'>;
