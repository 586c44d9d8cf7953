/** Lists unpaid rows for the summary, so that its reader sees which payees were not paid. */
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { StoredReasons } from '../../domain/sending/reason.ts';
import type { BatchFacts, Ledger, RowState } from '../../ledger/ledger.ts';

export interface UnpaidRow {
  readonly row: number;
  readonly payee: string;
  readonly reason: StoredReasons | null;
  readonly state: RowState;
}

const shownRows = 5;

export async function unpaidRows(
  ledger: Ledger,
  { name, listedSince: since }: BatchFacts,
): Promise<readonly UnpaidRow[]> {
  const rows = await ledger.rows.list({ batch: name, since, states: ['refused', 'expired'], limit: shownRows });
  return rows.map(({ number, content, reason, state }) => ({
    row: number,
    payee: rowOfContent(content, number).name,
    reason,
    state,
  }));
}
