/** Deposit details that changed, for whoever has to be told of them. */
import type { DepositChange, Ledger } from '../../ledger/ledger.ts';

/** Those of which nobody has said to know. */
export async function openChanges({ changedDeposits }: Ledger, batch: string): Promise<readonly DepositChange[]> {
  return (await changedDeposits(batch)).filter(({ known }) => known === null);
}

export function changeWords({ key, paymentId, was, now }: DepositChange): string {
  return `Row ${key}, payment ${paymentId}: first '${was}', now '${now}'.`;
}

export const shownChanges = 5;
