/** The rules for the plan of an uploaded sheet: which rows it may skip, which batch it names, and whether it is kept. */
import type { Problem } from '../base/problem.ts';
import { matchedMs } from '../domain/sending/match.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import type { Options } from './batch/command.ts';

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

type BatchChoice = { readonly isNew?: boolean | undefined; readonly isOfOtherService: boolean } & Pick<
  Options,
  'add' | 'confirmRepeat'
>;

/**
 * True if a person chose the batch, or if a batch of another service has the rows. If not, the rows decide when the plan is
 * made, since another program may have sent them.
 */
export const isBatchChosen = ({ isNew, isOfOtherService, add, confirmRepeat }: BatchChoice): boolean =>
  isOfOtherService || isNew === true || add === true || confirmRepeat !== undefined;

/** Returns why a plan that does nothing is not kept; null if the plan is kept. */
export function whyNotKept({ written, rows, batch, notes, findings }: Outcome, asked: string) {
  const closes = findings?.problems.some(({ code }) => code === 'ROW_DROPPED');
  const changes = notes.some((one) => one.note === 'rows-of-batch' && one.added + one.differing > 0);
  if (written === undefined || rows.not_sent > 0 || closes || changes) return null;
  const name = batch ?? asked;
  if (rows.held > 0) return { why: 'all-held', batch: name, held: rows.held } as const;
  const sent = rows.total - rows.invalid - rows.closed;
  return { why: 'nothing-to-send', batch: name, sent, of: rows.total } as const;
}

/** Returns the newest decline of a plan with the same rows or batch name. It counts for 35 days, and until the batch gets another version. */
export async function declineBefore(
  { ledger, clock }: Pick<Deps, 'ledger' | 'clock'>,
  { batch, rows }: Readonly<Record<'batch' | 'rows', string>>,
) {
  const [no, known] = [await ledger.trail.declinedBefore(batch, rows), await ledger.batches.batch(batch)];
  return no === null || no.at < Math.max(clock.now() - matchedMs, known?.sheet.receivedAt ?? 0) ? null : no;
}
