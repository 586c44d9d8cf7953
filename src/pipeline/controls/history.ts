/** Compares a sheet with earlier batches. A repetition gives a warning or a note. */
import type { Problem } from '../../base/problem.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import type { Note } from '../../domain/note.ts';
import { batchProblem, type LikeBatch } from '../../domain/problems/batch-problems.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { controlTotalsOf } from './control-totals.ts';

/** The likeness of an earlier batch to the sheet. `content`: every row is the same. `totals`: only the sums are the same. */
export type Alike = 'content' | 'totals';
export type Grade = 'warning' | 'note';

/** The severity of a repetition by its age in days. The first line that fits decides. */
const grades: readonly { readonly alike: Alike; readonly days: number; readonly grade: Grade }[] = [
  { alike: 'content', days: 35, grade: 'warning' },
  { alike: 'content', days: 400, grade: 'note' },
  { alike: 'totals', days: 35, grade: 'warning' },
  { alike: 'totals', days: 400, grade: 'note' },
];

export const gradeOf = (alike: Alike, ageMs: number): Grade | null =>
  grades.find((one) => one.alike === alike && ageMs <= one.days * dayMs)?.grade ?? null;

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
  const found = await ledger.batchesAlike({
    batch,
    address,
    digest: ledger.draft.digest(),
    sums,
    since: now - 400 * dayMs,
  });
  const [one] = found.filter((earlier) => earlier.same === 1 || Math.max(earlier.rows, rows) > 1);
  if (one === undefined) return noHistory;
  const grade = gradeOf(one.same === 1 ? 'content' : 'totals', now - one.at);
  const alike: LikeBatch = {
    batch: one.batch,
    file: one.file,
    rows: one.rows,
    same: one.same === 1 ? 'content' : one.rows === rows ? 'totals and count' : 'totals',
    totals: controlTotalsOf(ledger.draft).totals,
    at: one.at,
    isSent: one.sent === 1,
  };
  if (grade === 'note') return { warnings: [], notes: [{ note: 'like-earlier-batch', ...alike }], alike };
  const code = one.same === 1 ? 'BATCH_REPEATED' : 'TOTALS_REPEATED';
  return { warnings: [batchProblem(code, 'warning', alike)], notes: [], alike };
}

export const historyEntries = ({ alike }: History) => (alike === null ? [] : [{ what: 'history', data: { alike } }]);
