/** How the sheet that is being checked stands to the batches that the ledger has. */
import { findBatch } from './batches.ts';
import { sentStates } from './columns.ts';
import type { Ledger } from './contract.ts';
import { readTotal, type TotalRecord, totalColumns } from './draft.ts';
import type { ChangedRow, Comparison } from './facts.ts';
import type { Sql } from './sql.ts';

/** Both take the batch's name. */
const knownRows = 'temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key';
const newRows = 'temp.draft WHERE NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft.key)';

export function openComparing(sql: Sql): Pick<Ledger, 'batchesOfDraft' | 'compare'> {
  return {
    batchesOfDraft: async () =>
      sql.all(
        'SELECT p.batch, count(*) AS rows FROM temp.draft JOIN payout p ON p.key = draft.key GROUP BY p.batch ORDER BY 2 DESC, 1',
      ),
    compare: async (batch) => compareDraft(sql, batch),
  };
}

export function compareDraft(sql: Sql, batch: string): Comparison {
  const count = (rows: string) => sql.one<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, batch)?.n ?? 0;
  const changed = (states: string) =>
    sql.all<ChangedRow>(
      `SELECT draft.number, draft.key, p.state, p.payment_id AS paymentId, c.content AS was, draft.content AS now
       FROM ${knownRows} JOIN payout_content c ON c.payout = p.id
       WHERE c.digest <> draft.digest AND p.state ${states} ORDER BY draft.number`,
      batch,
    );
  return {
    known: findBatch(sql, batch) !== null,
    added: count(newRows),
    same: count(`${knownRows} JOIN payout_content c ON c.payout = p.id WHERE c.digest = draft.digest`),
    corrected: changed(`NOT IN (${sentStates})`),
    changedAfterSending: changed(`IN (${sentStates})`),
    invalidSent: sql.all(
      `SELECT i.number, i.key FROM temp.draft_invalid i JOIN payout p ON p.batch = ? AND p.key = i.key
       WHERE p.state IN (${sentStates}) ORDER BY i.number`,
      batch,
    ),
    missing: count('payout p WHERE p.batch = ? AND NOT EXISTS (SELECT 1 FROM temp.draft WHERE draft.key = p.key)'),
    sent: count(`payout WHERE batch = ? AND state IN (${sentStates})`),
    addedTotals: sql
      .all<TotalRecord>(
        `SELECT ${totalColumns} FROM ${newRows} GROUP BY currency, unit, from_country ORDER BY 1, 2, 3`,
        batch,
      )
      .map(readTotal),
  };
}
