/** Compares each payee's sum in a draft with the sum in the previous batch of the series. */
import type { Ledger } from '../contract.ts';
import type { PayeeMoney } from '../facts.ts';
import { addressOfBatch, isOpen, wasSent } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';

const lastRows = `payout p JOIN payee y ON y.payout = p.id
  WHERE p.batch = ?1 AND +p.sheet >= (SELECT listed_since FROM batch WHERE name = ?1) AND p.state NOT IN ('refused', 'expired', 'invalid') AND ${isOpen('p')}`;

export function openVariance(sql: Sql) {
  return {
    lastOfSeries: async (series, batch, address) =>
      sql.one<{ name: string }>(
        `SELECT b.name FROM batch b JOIN sheet s ON s.id = b.sheet
         WHERE b.name <> ?2 AND json_extract(s.options, '$.series') = ?1
           AND ${addressOfBatch('b')} = ?3
           AND b.created_at <= coalesce((SELECT created_at FROM batch WHERE name = ?2), b.created_at)
           AND EXISTS (SELECT 1 FROM payout p WHERE p.batch = b.name AND ${wasSent('p')})
         ORDER BY b.created_at DESC, b.sheet DESC LIMIT 1`,
        series,
        batch,
        address,
      )?.name ?? null,
    moneyByPayee(last) {
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
  } satisfies Partial<Ledger>;
}
