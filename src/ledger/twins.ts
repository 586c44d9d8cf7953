/** Rows that look like one sent before: the same destination, amount, unit, currency and reference (design 4.1). */
import { sentStates } from './columns.ts';
import type { Ledger } from './contract.ts';
import type { Twin } from './facts.ts';
import type { Sql } from './sql.ts';

export function openTwins(sql: Sql): Pick<Ledger, 'twins' | 'twinsOfBatch'> {
  return {
    twins: async (batch, since, address) => sql.all<Twin>(twinsOf(draftRows), batch, since, address),
    twinsOfBatch: async (batch, since, address) => sql.all<Twin>(twinsOf(batchRows), batch, since, address),
  };
}

/** `mine`: the batch's row of the same key; null where it has none yet. */
const draftRows = `SELECT NULL AS row, draft.number, draft.currency, draft.amount, draft.likeness, known.id AS mine
  FROM temp.draft LEFT JOIN payout known ON known.batch = ? AND known.key = draft.key`;

/** Of the newest sheet, what a run would send: a refused row stays unpaid until somebody sends it again. Not those that a person said repeat nothing. */
const batchRows = `SELECT id AS row, number, currency, amount, likeness, id AS mine
  FROM payout JOIN payout_content ON payout = id
  WHERE batch = ? AND sheet = (SELECT sheet FROM batch WHERE name = payout.batch) AND not_repeat IS NULL AND state <> 'refused'`;

/** A try that was refused, or never left, has created nothing; an expired one of an earlier revision has. */
const neverSent = `own.state IN ('planned', 'ready', 'refused') AND own.payment_id IS NULL AND own.revision = 0`;

/** Each of the rows, if nothing of it was ever sent, with the newest that was since a moment, at one address and in another sheet. */
const twinsOf = (rows: string) => `SELECT one.row, one.number, one.currency, one.amount,
    p.batch, p.number AS twin, max(p.submitted_at) AS sentAt
  FROM (${rows}) one LEFT JOIN payout own ON own.id = one.mine
  JOIN payout_content c ON c.likeness = one.likeness JOIN payout p ON p.id = c.payout
  WHERE p.state IN (${sentStates}) AND p.submitted_at >= ?
    AND (SELECT substr(identity, 1, instr(identity, '|') - 1) FROM batch WHERE name = p.batch) = ?
    AND (own.id IS NULL OR (${neverSent} AND own.first_sheet <> p.first_sheet))
  GROUP BY one.number ORDER BY one.number`;
