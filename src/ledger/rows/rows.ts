/** Reads and counts the rows of a batch. */
import { assert } from '../../base/errors.ts';
import type { RowState } from '../../domain/rows/row-states.ts';
import { isForeignWord } from '../../domain/sending/payment.ts';
import { readCounts } from '../batches/draft.ts';
import type { AmountSpan, LedgerRow, RowQuery, SheetRow } from '../facts.ts';
import type { Sql, SqlValue } from '../store/sql.ts';
import { beyondSpans, isOpen, quoted, rowTables, selectRows, shownColumns, waitingStates } from './columns.ts';

const alike = `(SELECT p.number FROM payout_content c CROSS JOIN payout p ON p.id = c.payout
  WHERE c.likeness = payout_content.likeness AND c.likeness <> '' AND c.payout < payout.id AND p.sheet = payout.sheet
  ORDER BY c.payout DESC LIMIT 1) AS alike`;

/** True if the row was ever in doubt, refused or accepted. False if each attempt made the row ready again. */
const everTaken = `EXISTS (SELECT 1 FROM trail t WHERE t.payout = payout.id AND json_extract(t.entry, '$[3]') = 'move'
  AND json_extract(t.entry, '$[4].to') IN ('in_doubt', 'refused', 'accepted'))`;

/** True if the newest sheet that lists the row `p` has it with a mistake. */
export const isMistaken =
  'p.id IN (SELECT i.payout FROM invalid_row i JOIN payout q ON q.id = i.payout AND q.sheet = i.sheet)';

const withNewest = 'payout p JOIN batch b ON b.name = p.batch';

export function rowOf(sql: Sql, id: number): LedgerRow {
  const row = sql.one<LedgerRow>(`${selectRows} WHERE id = ?`, id);
  assert(row !== null, 'the ledger has the named row');
  return row;
}

export function openRows(sql: Sql) {
  const rowsWhere = (where: string, ...values: SqlValue[]) =>
    sql.all<LedgerRow>(`${selectRows} WHERE ${where}`, ...values);
  const rowWhere = (where: string, ...values: SqlValue[]) =>
    sql.one<LedgerRow>(`${selectRows} WHERE ${where}`, ...values);
  const any = (batch: string, where: string) =>
    sql.one(`SELECT 1 FROM payout WHERE batch = ? AND ${where} LIMIT 1`, batch) !== null;
  const lastSubmitted = (batch: string, only = '') =>
    sql.value<number>(`SELECT max(submitted_at) FROM payout WHERE batch = ? ${only}`, batch);

  return {
    async list({ batch, states, closed, since, afterId = 0, within = [], beyond, limit }: RowQuery) {
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
    firstReadyOfKinds: async (batch: string, since: number, within: readonly AmountSpan[] = []) =>
      rowsWhere(
        `id IN (SELECT min(id) FROM payout WHERE batch = ? AND state = 'ready' AND closed IS NULL AND +sheet >= ? AND NOT ${beyondSpans(within)}
           GROUP BY country, from_country) ORDER BY id`,
        batch,
        since,
      ),
    readyKinds: async (batch: string, since: number) =>
      sql.all<{ country: string; from: string | null; collection: string | null; rows: number }>(
        `SELECT country, from_country AS "from", collection, count(*) AS rows FROM payout
         WHERE batch = ? AND state = 'ready' AND closed IS NULL AND +sheet >= ? GROUP BY country, from_country, collection
         ORDER BY country, from_country NULLS FIRST, collection NULLS FIRST`,
        batch,
        since,
      ),
    /** Returns the sheet's rows in the order of the sheet. `otherRows` returns the rows that the sheet lacks. */
    rowsByNumber: async (batch: string, sheet: number, afterNumber: number, limit: number) =>
      sql.all<SheetRow>(
        `SELECT ${shownColumns}, ${alike} FROM ${rowTables}
         WHERE sheet = ? AND number > ? AND +batch = ? ORDER BY number LIMIT ?`,
        sheet,
        afterNumber,
        batch,
        limit,
      ),
    otherRows: async (batch: string, sheet: number, afterId: number, limit: number) =>
      rowsWhere(
        `batch = ? AND sheet <> ? AND id > ? AND id NOT IN (SELECT payout FROM invalid_row WHERE sheet = ? AND payout IS NOT NULL)
         ORDER BY id LIMIT ?`,
        batch,
        sheet,
        afterId,
        sheet,
        limit,
      ),
    newestPaid: async (batch: string, limit: number) =>
      rowsWhere('batch = ? AND payment_id IS NOT NULL ORDER BY submitted_at DESC NULLS LAST LIMIT ?', batch, limit),
    row: async (id: number) => rowWhere('id = ?', id),
    rowByKey: async (batch: string, key: string) => rowWhere('batch = ? AND key = ?', batch, key),
    rowByTag: async (tag: string) => rowWhere('tag = ? OR id = (SELECT payout FROM earlier WHERE tag = ?)', tag, tag),
    rowByPayment: async (id: string) => rowWhere('payment_id = ?', id),
    /** Returns the payments of the row that expired. The service may still pay one of them. */
    expiredPayments: async (row: number) =>
      sql.column<string>(
        `SELECT payment_id FROM payout WHERE id = ?1 AND state = 'expired' AND payment_id IS NOT NULL
         UNION SELECT payment_id FROM earlier WHERE payout = ?1 AND payment_id IS NOT NULL ORDER BY payment_id`,
        row,
      ),
    earlierPayment: async (id: string) =>
      sql.one<{ row: number; revision: number; tag: string }>(
        'SELECT payout AS row, revision, tag FROM earlier WHERE payment_id = ?',
        id,
      ),
    /**
     * True if a row of the batch (null: of any batch) had a payment under an earlier revision. A revision above 0 shows an
     * earlier payment. A payment without an attempt shows that another ledger sent the row.
     */
    hasEarlierPayments: async (batch: string | null) =>
      batch === null
        ? sql.one('SELECT 1 FROM earlier WHERE payment_id IS NOT NULL LIMIT 1') !== null
        : any(
            batch,
            `(revision > 0 OR (attempts = 0 AND payment_id IS NOT NULL)
              OR id IN (SELECT payout FROM earlier WHERE payment_id IS NOT NULL))`,
          ),

    counts: async (batch: string) =>
      readCounts(
        sql,
        `SELECT p.*, NOT ${isOpen('p')} AS shut, p.sheet >= b.listed_since AND NOT (p.state IN ('refused', 'expired')
           AND ${isMistaken}) AS listed
         FROM ${withNewest} WHERE p.batch = ?`,
        batch,
      ),
    mistaken: async (batch: string): Promise<ReadonlySet<number>> =>
      new Set(sql.column<number>(`SELECT id FROM payout p WHERE batch = ? AND ${isMistaken}`, batch)),
    unpaidStates: async (batch: string) =>
      sql.all<{ id: number; state: RowState; revision: number; sheet: number }>(
        `SELECT id, state, revision, sheet FROM payout WHERE batch = ? AND state IN ('refused', 'expired') AND ${isOpen('payout')} ORDER BY id`,
        batch,
      ),
    rowsByState: async () =>
      sql.all<{ state: RowState; rows: number }>('SELECT state, count(*) AS rows FROM payout GROUP BY state'),
    /** Counts ended payments whose status at the service is neither `success` nor `expired`. */
    endedOtherwise: async (batch: string) =>
      sql
        .all<{ status: string; state: RowState; rows: number }>(
          `SELECT payment_status AS status, state, count(*) AS rows FROM payout
           WHERE batch = ? AND state IN ('succeeded', 'expired') AND payment_status NOT IN ('success', 'expired')
           GROUP BY payment_status, state ORDER BY payment_status, state`,
          batch,
        )
        .filter(({ status }) => isForeignWord(status)),
    paidOtherwise: async (batch: string, limit: number) =>
      rowsWhere('batch = ? AND paid_amount IS NOT NULL ORDER BY id LIMIT ?', batch, limit),
    /** True if a row of the batch has a payment, or an attempt that was accepted, refused or left in doubt. */
    everSent: async (batch: string) =>
      any(batch, `(payment_id IS NOT NULL OR (attempts > 0 AND (state NOT IN (${waitingStates}) OR ${everTaken})))`),
    everAccepted: async (batch: string) => any(batch, 'attempts > 0 AND payment_id IS NOT NULL'),
    /** Returns rows with two payments, unless a person knows of both. Null for `batch` searches all batches. */
    unknownDoubles: async (batch: string | null) =>
      rowsWhere(
        `${batch === null ? '' : 'batch = ? AND '}state IN ('duplicate', 'duplicate_paid') AND NOT EXISTS (SELECT 1 FROM trail WHERE trail.payout = payout.id
           AND json_extract(entry, '$[4].said') = 'known' AND json_extract(entry, '$[4].about') = payout.reason) ORDER BY id`,
        ...(batch === null ? [] : [batch]),
      ),
    lastSent: async (batch: string) => lastSubmitted(batch),
    /** Returns when Payrun last sent a row that has a payment; null without such a row. */
    lastListed: async (batch: string) => lastSubmitted(batch, 'AND payment_id IS NOT NULL'),
    /** Returns the rows in doubt that were sent first and last: the service's list can settle them first and last. */
    outerDoubts: async (batch: string) =>
      ['submitted_at, missed IS NULL', 'submitted_at DESC, missed IS NOT NULL'].flatMap((order) =>
        sql.all<Pick<LedgerRow, 'submittedAt' | 'missed'>>(
          `SELECT submitted_at AS submittedAt, missed FROM payout WHERE batch = ? AND state = 'in_doubt' AND submitted_at IS NOT NULL
           ORDER BY ${order} LIMIT 1`,
          batch,
        ),
      ),
    /** Returns when Payrun last tried to send a row that waits for another attempt; null without such a row. */
    lastTried: async (batch: string) => lastSubmitted(batch, "AND state IN ('planned', 'ready') AND attempts > 0"),
  };
}

/** Yields pages until one is empty. `read` gets the last item of the page before. */
export async function* pagesOf<T>(read: (last: T | undefined) => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield page;
}

/** Yields pages of at most `size` rows, in the order of their ids. Rows may change between two pages. */
export const rowPages = (
  ledger: { readonly rows: Pick<ReturnType<typeof openRows>, 'list'> },
  query: Omit<RowQuery, 'afterId' | 'limit'>,
  size = 500,
): AsyncIterable<readonly LedgerRow[]> =>
  pagesOf<LedgerRow>((last) => ledger.rows.list({ ...query, afterId: last?.id ?? 0, limit: size }));

export async function* eachRow(...asked: Parameters<typeof rowPages>): AsyncIterable<LedgerRow> {
  for await (const page of rowPages(...asked)) yield* page;
}
