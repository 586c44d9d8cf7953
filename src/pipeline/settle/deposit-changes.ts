/** Finds changed deposit details that a person has to check. */
import type { DepositFacts } from '../../base/refusal.ts';
import type { NoteOf } from '../../domain/note.ts';
import type { DepositChange, Ledger } from '../../ledger/ledger.ts';

export async function openChanges({ rows }: Ledger, batch: string): Promise<readonly DepositChange[]> {
  return (await rows.changedDeposits(batch)).filter(({ known }) => known === null);
}

export const depositFacts = ({ key, paymentId, was, now }: DepositChange): DepositFacts => ({
  row: key,
  payment: paymentId,
  was,
  now,
});

export const changeNote = (change: DepositChange): NoteOf<'deposit-changed'> => ({
  note: 'deposit-changed',
  ...depositFacts(change),
});

export const shownChanges = 5;
