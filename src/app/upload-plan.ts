/** The rules for the plan of an uploaded sheet: which rows it may skip, and which decline still counts. */
import type { Problem } from '../base/problem.ts';
import { matchedMs } from '../domain/sending/match.ts';
import type { Ledger } from '../ledger/ledger.ts';

interface FoundRows {
  readonly problems: readonly Problem[];
  readonly counts: { readonly rows: number; readonly toFix: number };
}

/** Returns why rows with mistakes cannot be skipped; null if they can. A fault of the whole sheet has no row to skip. */
export function whyNotSkip({ problems, counts }: FoundRows) {
  if (counts.toFix >= counts.rows) return { why: 'no-row-payable' } as const;
  const problem = problems.find(({ row, severity }) => row === null && severity === 'error');
  return problem === undefined ? null : ({ why: 'sheet-fault', problem } as const);
}

/** Returns the newest decline of a plan with the same rows or batch name. It counts for 35 days, and until the batch gets another version. */
export async function declineBefore(
  ledger: Ledger,
  { batch, rows, now }: Readonly<Record<'batch' | 'rows', string> & { now: number }>,
) {
  const [no, known] = [await ledger.trail.declinedBefore(batch, rows), await ledger.batches.batch(batch)];
  return no === null || no.at < Math.max(now - matchedMs, known?.sheet.receivedAt ?? 0) ? null : no;
}
