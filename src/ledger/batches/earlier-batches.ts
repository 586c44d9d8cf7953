/** Finds earlier batches like a draft: with the same rows or sums, or of the same series. */
import type { PayeeMoney } from '../facts.ts';
import { addressOfBatch, isOpen, sentStates } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';

export interface EarlierBatch {
  readonly batch: string;
  readonly file: string;
  readonly rows: number;
  /** 1 if the batch has the same rows as the draft; 0 if only the sums are the same. */
  readonly same: 0 | 1;
  /** The time of the batch's last sending. If the batch sent nothing, the time of its import. */
  readonly at: number;
  readonly sent: 0 | 1;
}

const lastRows = `payout p JOIN payee y ON y.payout = p.id
  WHERE p.batch = ?1 AND +p.sheet >= (SELECT listed_since FROM batch WHERE name = ?1) AND p.state NOT IN ('refused', 'expired', 'invalid') AND ${isOpen('p')}`;

export function openEarlierBatches(sql: Sql) {
  return {
    /** Returns at most three other batches with the rows or sums of the draft. Batches with the same rows come first. */
    batchesAlike: async (draft: Record<'batch' | 'address' | 'digest' | 'sums', string> & { readonly since: number }) =>
      sql.all<EarlierBatch>(
        // Searches all sheets of each batch, because the draft may match only an older sheet.
        `SELECT batch, file, rows, same, coalesce(sentAt, received) AS at, sentAt IS NOT NULL AS sent FROM (
           SELECT s.batch, s.name AS file, s.row_count AS rows, s.digest = ?3 AS same, s.received_at AS received,
             (SELECT max(submitted_at) FROM payout WHERE batch = s.batch AND state IN (${sentStates})) AS sentAt,
             row_number() OVER (PARTITION BY s.batch ORDER BY s.digest = ?3 DESC, s.id) AS place
           FROM sheet s JOIN batch b ON b.name = s.batch
           WHERE s.batch <> ?1 AND ${addressOfBatch('b')} = ?2
             AND (s.digest = ?3 OR json_extract(s.options, '$.sums') = ?4) AND s.received_at >= ?5
           ) alike WHERE place = 1 ORDER BY same DESC, at DESC LIMIT 3`,
        draft.batch,
        draft.address,
        draft.digest,
        draft.sums,
        draft.since,
      ),
    lastOfSeries: async (series: string, batch: string, address: string) =>
      sql.value<string>(
        `SELECT b.name FROM batch b JOIN sheet s ON s.id = b.sheet
         WHERE b.name <> ?2 AND json_extract(s.options, '$.series') = ?1
           AND ${addressOfBatch('b')} = ?3
           AND b.created_at <= coalesce((SELECT created_at FROM batch WHERE name = ?2), b.created_at)
           AND EXISTS (SELECT 1 FROM payout p WHERE p.batch = b.name AND p.state IN (${sentStates}))
         ORDER BY b.created_at DESC, b.sheet DESC LIMIT 1`,
        series,
        batch,
        address,
      ),
    moneyByPayee(last: string) {
      // Compares by name if any row lacks a payee id, because a new id column would make every payee look new.
      const lacksIds = sql.one(
        `SELECT 1 FROM temp.draft WHERE id_key IS NULL UNION ALL SELECT 1 FROM ${lastRows} AND y.id_key IS NULL LIMIT 1`,
        last,
      );
      const who = lacksIds === null ? 'id_key' : 'name_key';
      return sql.each<PayeeMoney>(
        // Groups both batches in one list, because a full join would read one batch again for each row of the other.
        `SELECT currency, unit, was, now, number, CASE WHEN was IS DISTINCT FROM now THEN json_extract(coalesce(
             (SELECT content FROM temp.draft d WHERE d.number = money.number),
             (SELECT content FROM payout_content c WHERE c.payout = money.payout)), '$.name') END AS name
         FROM (SELECT currency, unit, sum(was) AS was, sum(now) AS now, min(number) AS number, min(payout) AS payout FROM (
             SELECT y.${who} AS who, p.currency, p.unit, coalesce(p.paid_amount, p.amount) AS was, NULL AS now, NULL AS number, p.id AS payout
             FROM ${lastRows}
             UNION ALL SELECT ${who}, currency, unit, NULL, amount, number, NULL FROM temp.draft)
           GROUP BY who, currency, unit) money`,
        last,
      );
    },
  };
}
