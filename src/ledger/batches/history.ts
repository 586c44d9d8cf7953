/** Finds earlier batches with the same rows or the same sums as a draft. */
import type { Ledger } from '../contract.ts';
import type { EarlierBatch } from '../facts.ts';
import { addressOfBatch, sentStates } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';

export function openHistory(sql: Sql) {
  return {
    // Searches all sheets of each batch, because the draft may match only an older sheet.
    batchesAlike: async ({ batch, address, digest, sums, since }) =>
      sql.all<EarlierBatch>(
        `SELECT batch, file, rows, same, coalesce(sentAt, received) AS at, sentAt IS NOT NULL AS sent FROM (
           SELECT s.batch, s.name AS file, s.row_count AS rows, s.digest = ?3 AS same, s.received_at AS received,
             (SELECT max(submitted_at) FROM payout WHERE batch = s.batch AND state IN (${sentStates})) AS sentAt,
             row_number() OVER (PARTITION BY s.batch ORDER BY s.digest = ?3 DESC, s.id) AS place
           FROM sheet s JOIN batch b ON b.name = s.batch
           WHERE s.batch <> ?1 AND ${addressOfBatch('b')} = ?2
             AND (s.digest = ?3 OR json_extract(s.options, '$.sums') = ?4) AND s.received_at >= ?5
           ) alike WHERE place = 1 ORDER BY same DESC, at DESC LIMIT 3`,
        batch,
        address,
        digest,
        sums,
        since,
      ),
  } satisfies Partial<Ledger>;
}
