/** Reads rows and payees in pages for the console, with filters and a search. */
import type { RowState } from '../../domain/rows/row-states.ts';
import { fold } from '../../domain/rows/text.ts';
import type { LedgerRow, SheetFacts } from '../facts.ts';
import type { Sql, SqlValue } from '../store/sql.ts';
import { isOpen, quoted, rowColumns, rowTables } from './columns.ts';

export interface PageQuery {
  readonly batch?: string;
  readonly states?: readonly RowState[];
  readonly closed?: true;
  readonly q?: string;
  /** Selects only rows that a person released or declared to be no repeat. */
  readonly released?: boolean;
  /** True for a reader who may not see full account numbers. The search then ignores account numbers. */
  readonly masked?: boolean;
  readonly from: number;
  readonly limit: number;
}

interface RowSheet extends Pick<SheetFacts, 'name' | 'receivedAt' | 'options'> {
  /** The row's number in this sheet; null if the sheet did not correct the row. */
  readonly corrected: number | null;
  /** The names of the corrected fields, with spaces between them; null if the sheet did not correct the row. */
  readonly changed: string | null;
}

const openContent =
  "(json_extract(c.content, '$.name') || '\n' || coalesce(json_extract(c.content, '$.reference'), ''))";

export function openPages(sql: Sql) {
  const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

  function wanted({
    batch,
    states,
    closed,
    q,
    released = false,
    masked = false,
  }: Omit<PageQuery, 'from' | 'limit'>): [string, SqlValue[]] {
    const wheres = ['TRUE'];
    const values: SqlValue[] = [];
    if (batch !== undefined) {
      wheres.push('batch = ?');
      values.push(batch);
    }
    if (states !== undefined) wheres.push(`state IN (${quoted(states)})`, isOpen('payout'));
    if (closed) wheres.push(`NOT ${isOpen('payout')}`);
    if (released) wheres.push('(released IS NOT NULL OR allowed IS NOT NULL)');
    const text = q?.trim() ?? '';
    if (text !== '') {
      wheres.push(
        `(key = ? OR payment_id = ? OR tag = ? OR EXISTS (SELECT 1 FROM payout_content c WHERE c.payout = payout.id AND ${masked ? openContent : 'c.content'} LIKE ? ESCAPE '\\'))`,
      );
      values.push(text, text, text.toLowerCase(), like(text));
    }
    return [wheres.join(' AND '), values];
  }

  function page(where: string, values: SqlValue[], { from, limit }: Pick<PageQuery, 'from' | 'limit'>) {
    const ids = `SELECT id FROM payout WHERE ${where} ORDER BY id LIMIT ? OFFSET ?`;
    const rows = `SELECT ${rowColumns} FROM ${rowTables} WHERE id IN (${ids}) ORDER BY id`;
    return sql.all<LedgerRow>(rows, ...values, limit, from);
  }

  return {
    rows(query: PageQuery) {
      const [where, values] = wanted(query);
      const total = sql.value<number>(`SELECT count(*) FROM payout WHERE ${where}`, ...values) ?? 0;
      return { total, rows: page(where, values, query) };
    },
    search: (query: Omit<PageQuery, 'batch' | 'states' | 'from'>) => page(...wanted(query), { ...query, from: 0 }),
    payees: (q: string, limit: number, masked: boolean = false) =>
      sql.all<{ key: string; row: number; rows: number; paidAt: number | null }>(
        `SELECT name_key AS key, max(payout) AS row, count(*) AS rows,
           max(CASE WHEN p.state = 'succeeded' THEN p.settled_at END) AS paidAt FROM payee JOIN payout p ON p.id = payout
         WHERE p.state <> 'invalid' AND (name_key LIKE ?1 ESCAPE '\\'${masked ? '' : " OR id_key LIKE ?1 ESCAPE '\\'"}) GROUP BY name_key ORDER BY name_key LIMIT ?2`,
        like(fold(q)),
        limit,
      ),
    payeeRows: (key: string, limit: number) =>
      sql.all<LedgerRow>(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE id IN (SELECT payout FROM payee WHERE name_key = ? ORDER BY payout DESC LIMIT ?)
         ORDER BY submitted_at DESC NULLS FIRST, id DESC`,
        key,
        limit,
      ),
    sheetsOf: (row: number) =>
      sql
        .all<Omit<RowSheet, 'options'> & { options: string }>(
          // A correction's entry comes before the entry of its sheet, so the next `sheet` entry names that sheet.
          `WITH correction AS (
             SELECT CAST(json_extract(entry, '$[4].number') AS BIGINT) AS number, json_extract(entry, '$[4].changed') AS changed,
               (SELECT CAST(json_extract(s.entry, '$[4].sheet') AS BIGINT) FROM trail s WHERE s.seq > t.seq AND s.payout IS NULL AND json_extract(s.entry, '$[3]') = 'sheet' ORDER BY s.seq LIMIT 1) AS sheet
             FROM trail t WHERE payout = ?1 AND json_extract(entry, '$[3]') = 'move' AND json_extract(entry, '$[4].change') = 'corrected')
           SELECT name, received_at AS receivedAt, options, number AS corrected, changed FROM sheet LEFT JOIN correction ON correction.sheet = sheet.id
           WHERE number IS NOT NULL OR id IN (SELECT min(s.id) FROM payout p JOIN sheet s ON s.id IN (p.first_sheet, p.sheet) WHERE p.id = ?1 GROUP BY s.copy)
           ORDER BY id`,
          row,
        )
        .map((sheet) => ({ ...sheet, options: JSON.parse(sheet.options) as Record<string, unknown> })),
    evidenceTaken: (batch: string) =>
      sql.one<{ at: number; by: string; sha256: string }>(
        `SELECT CAST(json_extract(entry, '$[0]') AS BIGINT) AS at, json_extract(entry, '$[4].by') AS "by", json_extract(entry, '$[4].evidence') AS sha256
         FROM trail WHERE payout IS NULL AND json_extract(entry, '$[1]') = ? AND json_extract(entry, '$[3]') = 'person'
           AND json_extract(entry, '$[4].evidence') IS NOT NULL ORDER BY seq DESC LIMIT 1`,
        batch,
      ),
    row: (id: number) => sql.one<LedgerRow>(`SELECT ${rowColumns} FROM ${rowTables} WHERE id = ?`, id),
    version: sql.version,
  };
}
