/** Finds changed deposit details that a person has to check. */
import type { DepositFacts } from '../../base/refusal.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import type { DepositChange, Ledger } from '../../ledger/ledger.ts';
import { rowAsSeen } from '../seen.ts';

export const openChanges = async ({ rows }: Ledger, batch: string): Promise<readonly DepositChange[]> =>
  (await rows.changedDeposits(batch)).filter(({ known }) => known === null);

export const depositFacts = ({ key, paymentId, was, now }: DepositChange): DepositFacts => ({
  row: key,
  payment: paymentId,
  was,
  now,
});

export const shownChanges = 5;

/** Returns notes about changed deposit details, and about payments that may wait for a deposit. */
export function depositNotes(
  batch: string,
  changes: readonly DepositChange[],
  totals: readonly { readonly from: string | null; readonly pending: number }[],
): Note[] {
  const waiting = totals.filter(({ from, pending }) => from !== 'BTC' && pending > 0);
  const sources = [...new Set(waiting.flatMap(({ from }) => from ?? []))];
  return [
    ...changes.slice(0, shownChanges).map((one) => ({ note: 'deposit-changed', ...depositFacts(one) }) as const),
    ...(sources.length === 0 || changes.length > 0 ? [] : [{ note: 'deposits-wait', batch, sources } as const]),
  ];
}

/** Returns the command that confirms the first of the changes; null without a change. */
export async function knowDeposit(ledger: Ledger, [first]: readonly DepositChange[]): Promise<ActionNamed | null> {
  const row = first === undefined ? null : await ledger.rows.row(first.row);
  return row && { action: 'resolve-known', ...(await rowAsSeen(ledger, row)), why: null };
}
