/** Compares a sheet with earlier batches. A repetition gives a warning or a note. */
import type { Problem } from '../../base/problem.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import type { Note } from '../../domain/note.ts';
import { batchProblem, type LikeBatch } from '../../domain/problems/batch-problems.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { controlTotalsOf } from './control-totals.ts';

/** A repetition of a batch of this age or younger gives a warning. A repetition of an older batch gives a note. */
const warnsForMs = 35 * dayMs;
const notesForMs = 400 * dayMs;

export interface History {
  readonly warnings: readonly Problem[];
  readonly notes: readonly Note[];
  readonly alike: LikeBatch | null;
}

export const noHistory: History = { warnings: [], notes: [], alike: null };

export function sumsOf({ draft }: Pick<Ledger, 'draft'>): string {
  return JSON.stringify(
    draft.totals().map(({ currency, unit, from, amount }) => [currency, unit, from, String(amount)]),
  );
}

export async function historyOf(
  ledger: Ledger,
  { batch, address, now }: { batch: string; address: string; now: number },
): Promise<History> {
  const { rows } = ledger.draft.counts();
  const sums = sumsOf(ledger);
  const digest = ledger.draft.digest();
  const found = await ledger.batches.batchesAlike({ batch, address, digest, sums, since: now - notesForMs });
  const one = found.find((earlier) => earlier.same === 1 || Math.max(earlier.rows, rows) > 1);
  if (one === undefined) return noHistory;
  const alike: LikeBatch = {
    batch: one.batch,
    file: one.file,
    rows: one.rows,
    same: one.same === 1 ? 'content' : one.rows === rows ? 'totals and count' : 'totals',
    totals: controlTotalsOf(ledger.draft).totals,
    at: one.at,
    isSent: one.sent === 1,
  };
  if (now - one.at > warnsForMs) return { warnings: [], notes: [{ note: 'like-earlier-batch', ...alike }], alike };
  const code = one.same === 1 ? 'BATCH_REPEATED' : 'TOTALS_REPEATED';
  return { warnings: [batchProblem(code, 'warning', alike)], notes: [], alike };
}

export const historyEntries = ({ alike }: History) =>
  alike === null ? [] : [{ what: 'history' as const, data: { alike } }];
