/** Lists unpaid rows for the mailed summary, so that its reader sees which payees were not paid. */
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { reasonWords } from '../../messages/reasons.ts';

export interface UnpaidRow {
  readonly row: number;
  readonly payee: string;
  readonly reason: string;
}

const shownRows = 5;
const maxReason = 160;

export async function unpaidRows(
  ledger: Ledger,
  { name, listedSince: since }: BatchFacts,
): Promise<readonly UnpaidRow[]> {
  const rows = await ledger.rows({ batch: name, since, states: ['refused', 'expired'], limit: shownRows });
  return rows.map(({ number, content, reason, state }) => {
    const why = reasonWords(reason) ?? state;
    return {
      row: number,
      payee: rowOfContent(content, number).name,
      reason: why.length > maxReason ? `${why.slice(0, maxReason - 1)}…` : why,
    };
  });
}
