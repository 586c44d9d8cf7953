/** Reads and counts the rows of a batch. */

import type { RowState } from '../../domain/rows/row-states.ts';
import type { Doubt } from '../../domain/sending/doubt.ts';
import { isForeignWord } from '../../domain/sending/payment.ts';
import { type CountRecord, countColumns, readCount } from '../batches/draft.ts';
import type { Ledger } from '../contract.ts';
import type { EarlierPayment, LedgerRow, SheetRow } from '../facts.ts';
import type { Sql } from '../store/sql.ts';
import type { SqlValue } from '../store/sql-value.ts';
import {
  beyondSpans,
  isOpen,
  notSentStates,
  quoted,
  rowTables,
  selectRows,
  shownColumns,
  wasTried,
} from './columns.ts';

const alike = `(SELECT p.number FROM payout_content c CROSS JOIN payout p ON p.id = c.payout
  WHERE c.likeness = payout_content.likeness AND c.likeness <> '' AND c.payout < payout.id AND p.sheet = payout.sheet
  ORDER BY c.payout DESC LIMIT 1) AS alike`;

/** True if the row was ever in doubt, refused or accepted. False if each attempt made the row ready again. */
const everTaken = `EXISTS (SELECT 1 FROM trail t WHERE t.payout = payout.id AND json_extract(t.entry, '$[3]') = 'move'
  AND json_extract(t.entry, '$[4].to') IN ('in_doubt', 'refused', 'accepted'))`;

const withNewest = 'payout p JOIN batch b ON b.name = p.batch';

export function openRows(sql: Sql) {
  const rowsWhere = (where: string, ...values: SqlValue[]) =>
    sql.all<LedgerRow>(`${selectRows} WHERE ${where}`, ...values);
  const rowWhere = (where: string, ...values: SqlValue[]) =>
    sql.one<LedgerRow>(`${selectRows} WHERE ${where}`, ...values);
  const any = (batch: string, where: string) =>
    sql.one(`SELECT 1 FROM payout WHERE batch = ? AND ${where} LIMIT 1`, batch) !== null;
  const lastSubmitted = (batch: string, only = '') =>
    sql.one<{ at: number | null }>(`SELECT max(submitted_at) AS at FROM payout WHERE batch = ? ${only}`, batch)?.at ??
    null;

  return {
    async rows({ batch, states, closed, since, afterId = 0, within = [], beyond, limit }) {
      const wheres = ['id > ?'];
      const values: SqlValue[] = [afterId];
      if (batch !== undefined) {
        wheres.push('batch = ?');
        values.push(batch);
      }
      // A single state needs `=`, because the partial indexes on `sending` and `in_doubt` work only with `=`.
      if (states !== undefined)
        wheres.push(states.length === 1 ? `state = '${states[0]}'` : `state IN (${quoted(states)})`, isOpen('payout'));
      if (closed) wheres.push(`NOT ${isOpen('payout')}`);
      if (since !== undefined) {
        wheres.push('+sheet >= ?');
        values.push(since);
      }
      if (within.length > 0) wheres.push(`NOT ${beyondSpans(within)}`);
      if (beyond !== undefined) wheres.push(beyondSpans(beyond));
      return rowsWhere(`${wheres.join(' AND ')} ORDER BY id LIMIT ?`, ...values, limit);
    },
    firstReadyOfKinds: async (batch, since, within = []) =>
      rowsWhere(
        `id IN (SELECT min(id) FROM payout WHERE batch = ? AND state = 'ready' AND closed IS NULL AND +sheet >= ? AND NOT ${beyondSpans(within)}
           GROUP BY country, from_country) ORDER BY id`,
        batch,
        since,
      ),
    readyKinds: async (batch, since) =>
      sql.all(
        `SELECT country, from_country AS "from", collection, count(*) AS rows FROM payout
         WHERE batch = ? AND state = 'ready' AND closed IS NULL AND +sheet >= ? GROUP BY country, from_country, collection
         ORDER BY country, from_country NULLS FIRST, collection NULLS FIRST`,
        batch,
        since,
      ),
    rowsByNumber: async (batch, sheet, afterNumber, limit) =>
      sql.all<SheetRow>(
        `SELECT ${shownColumns}, ${alike} FROM ${rowTables}
         WHERE sheet = ? AND number > ? AND +batch = ? ORDER BY number LIMIT ?`,
        sheet,
        afterNumber,
        batch,
        limit,
      ),
    otherRows: async (batch, sheet, afterId, limit) =>
      rowsWhere(
        `batch = ? AND sheet <> ? AND id > ? AND id NOT IN (SELECT payout FROM invalid_row WHERE sheet = ? AND payout IS NOT NULL)
         ORDER BY id LIMIT ?`,
        batch,
        sheet,
        afterId,
        sheet,
        limit,
      ),
    newestPaid: async (batch, limit) =>
      rowsWhere('batch = ? AND payment_id IS NOT NULL ORDER BY submitted_at DESC NULLS LAST LIMIT ?', batch, limit),
    row: async (id) => rowWhere('id = ?', id),
    rowByKey: async (batch, key) => rowWhere('batch = ? AND key = ?', batch, key),
    rowByTag: async (tag) => rowWhere('tag = ? OR id = (SELECT payout FROM earlier WHERE tag = ?)', tag, tag),
    rowByPayment: async (id) => rowWhere('payment_id = ?', id),
    earlierPayment: async (id) =>
      sql.one<EarlierPayment>('SELECT payout AS row, revision, tag FROM earlier WHERE payment_id = ?', id),
    // A revision above 0 shows an earlier payment. A payment without an attempt shows that another ledger sent the row.
    hasEarlierPayments: async (batch) =>
      batch === null
        ? sql.one('SELECT 1 FROM earlier WHERE payment_id IS NOT NULL LIMIT 1') !== null
        : any(
            batch,
            `(revision > 0 OR (attempts = 0 AND payment_id IS NOT NULL)
              OR id IN (SELECT payout FROM earlier WHERE payment_id IS NOT NULL))`,
          ),

    counts: async (batch) =>
      sql
        .all<CountRecord>(
          `SELECT state, NOT ${isOpen('p')} AS shut, p.sheet >= b.listed_since AS listed, ${countColumns} FROM ${withNewest} WHERE p.batch = ?
           GROUP BY currency, unit, from_country, state, shut, listed ORDER BY currency, unit, from_country NULLS FIRST, state`,
          batch,
        )
        .map(readCount),
    rowsByState: async () => sql.all('SELECT state, count(*) AS rows FROM payout GROUP BY state'),
    leftOut: async (batch, limit) =>
      sql
        .all<{ key: string }>(
          `SELECT key FROM ${withNewest} WHERE p.batch = ? AND p.sheet < b.listed_since AND state IN (${notSentStates}) AND p.closed IS NULL ORDER BY id LIMIT ?`,
          batch,
          limit,
        )
        .map(({ key }) => key),
    endedOtherwise: async (batch) =>
      sql
        .all<{ status: string; state: RowState; rows: number }>(
          `SELECT payment_status AS status, state, count(*) AS rows FROM payout
           WHERE batch = ? AND state IN ('succeeded', 'expired') AND payment_status NOT IN ('success', 'expired')
           GROUP BY payment_status, state ORDER BY payment_status, state`,
          batch,
        )
        .filter(({ status }) => isForeignWord(status)),
    paidOtherwise: async (batch, limit) =>
      rowsWhere('batch = ? AND paid_amount IS NOT NULL ORDER BY id LIMIT ?', batch, limit),
    everSent: async (batch) =>
      any(batch, `(payment_id IS NOT NULL OR (attempts > 0 AND (state NOT IN (${notSentStates}) OR ${everTaken})))`),
    everAccepted: async (batch) => any(batch, 'attempts > 0 AND payment_id IS NOT NULL'),
    hasSent: async (batch) => any(batch, wasTried('payout')),
    unknownDoubles: async (batch) =>
      sql
        .all<{ key: string }>(
          `SELECT key FROM payout p WHERE batch = ? AND state IN ('duplicate', 'duplicate_paid') AND NOT EXISTS
             (SELECT 1 FROM trail WHERE payout = p.id AND json_extract(entry, '$[4].said') = 'known' AND json_extract(entry, '$[4].about') = p.reason) ORDER BY id`,
          batch,
        )
        .map(({ key }) => key),
    lastSent: async (batch) => lastSubmitted(batch),
    lastListed: async (batch) => lastSubmitted(batch, 'AND payment_id IS NOT NULL'),
    lastTried: async (batch) => lastSubmitted(batch, "AND state IN ('planned', 'ready') AND attempts > 0"),
    lastDoubt: async (batch) =>
      sql.one<Doubt>(
        `SELECT submitted_at AS sentAt, missed FROM payout WHERE batch = ? AND state = 'in_doubt' AND submitted_at IS NOT NULL
         ORDER BY submitted_at DESC, missed IS NOT NULL LIMIT 1`,
        batch,
      ),
  } satisfies Partial<Ledger>;
}
