/** Imports a sheet's lines with mistakes as invalid rows. */
import { sha256 } from '../../base/digest.ts';
import { assert } from '../../base/errors.ts';
import type { FoundProblem } from '../../base/problem.ts';
import { tagOf } from '../../domain/rows/tag.ts';
import { because } from '../../domain/sending/reason.ts';
import { replacing, waitingStates } from '../rows/columns.ts';
import { rowOf } from '../rows/rows.ts';
import type { Moving } from '../rows/transitions.ts';
import type { Sql } from '../store/sql.ts';
import { isAlone } from './batch-comparison.ts';

/** A row whose line has a mistake, and the digest of the content that the line replaces; null or empty for none. */
type Mistaken = readonly [id: number, replaced: string | null];

/** Clears the unsent rows whose line has a mistake, and adds a row for each new id. */
export function takeMistakes(sql: Sql, batch: string, sheet: number): readonly Mistaken[] {
  type Found = Record<'key' | 'name' | 'content', string> & { number: number; id: number | null; was: string | null };
  const lines = sql.all<Found>(
    `SELECT i.number, i.key, i.name_key AS name, i.content, p.id, c.digest AS was FROM temp.draft_invalid i
     LEFT JOIN payout p ON p.batch = ? AND p.key = i.key LEFT JOIN payout_content c ON c.payout = p.id
     WHERE ${isAlone} AND (p.id IS NULL AND i.id IS NOT NULL OR p.state IN (${waitingStates}, 'invalid')) ORDER BY i.number`,
    batch,
  );
  return lines.map(({ number, key, name, content, id: known, was }) => {
    const id =
      known ??
      sql.value<number>(
        `INSERT INTO payout (batch, key, number, sheet, first_sheet, content_sheet, state, revision, tag, amount, unit, currency, country, destination)
         VALUES (?1, ?2, 0, ?3, ?3, ?3, 'planned', 0, ?4, 0, 'whole', '', '', '') RETURNING id`,
        batch,
        key,
        sheet,
        tagOf(batch, key, 0),
      )!;
    sql.run(
      `UPDATE payout SET (number, sheet, content_sheet, amount, unit, currency, from_country, country, destination, collection, merchant_id, missed, allowed, service_details) =
       (CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), 0, 'whole', '', NULL, '', '', NULL, NULL, NULL, NULL, NULL) WHERE id = ?`,
      number,
      sheet,
      sheet,
      id,
    );
    const unread = { digest: '', likeness: '', content, contentHash: sha256(content) };
    sql.run(...replacing('payout_content', 'payout', { payout: id, ...unread }));
    sql.run(...replacing('payee', 'payout', { payout: id, idKey: null, nameKey: name, account: '' }));
    sql.run('DELETE FROM document WHERE payout = ?', id);
    return [id, was];
  });
}

/** Moves the rows to `invalid`. Call this after the sheet's trail entry, which records new rows as planned. */
export function recordMistakes(
  { sql, moving }: { readonly sql: Sql; readonly moving: Moving },
  sheet: number,
  rows: readonly Mistaken[],
): void {
  for (const [id, replaced] of rows) {
    const row = rowOf(sql, id);
    const line = sql.value<string>('SELECT problems FROM invalid_row WHERE sheet = ? AND payout = ?', sheet, id);
    assert(line !== null, 'a row with a mistake has its line');
    const reason = because({ kind: 'has-mistakes', problems: JSON.parse(line) as FoundProblem[] });
    moving.move({ row, from: row.state, to: 'invalid', reason, ...(replaced ? { data: { replaced } } : {}) });
  }
}
