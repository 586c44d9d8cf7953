/** Finds changed deposit details that a person has to check. */
import type { NoteOf } from '../../domain/note.ts';
import type { DepositChange, Ledger } from '../../ledger/ledger.ts';

export async function openChanges({ changedDeposits }: Ledger, batch: string): Promise<readonly DepositChange[]> {
  return (await changedDeposits(batch)).filter(({ known }) => known === null);
}

export const changeNote = ({ key: row, paymentId: payment, was, now }: DepositChange): NoteOf<'deposit-changed'> => ({
  note: 'deposit-changed',
  row,
  payment,
  was,
  now,
});

export const shownChanges = 5;
