/** Finds changed deposit details that a person has to check. */
import type { DepositChange, Ledger } from '../../ledger/ledger.ts';

export async function openChanges({ changedDeposits }: Ledger, batch: string): Promise<readonly DepositChange[]> {
  return (await changedDeposits(batch)).filter(({ known }) => known === null);
}

export function changeWords({ key, paymentId, was, now }: DepositChange): string {
  return `Row ${key}, payment ${paymentId}: first '${was}', now '${now}'.`;
}

export const shownChanges = 5;
