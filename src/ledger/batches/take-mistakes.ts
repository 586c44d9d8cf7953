/** Imports a sheet's lines with mistakes as invalid rows. */
import { sha256 } from '../../base/digest.ts';
import { assert } from '../../base/errors.ts';
import type { FoundProblem } from '../../base/problem.ts';
import { tagOf } from '../../domain/rows/tag.ts';
import { because } from '../../domain/sending/reason.ts';
import type { LedgerRow } from '../facts.ts';
import { mayBePaid, notSentStates, selectRows } from '../rows/columns.ts';
import type { Moving } from '../rows/transitions.ts';
import type { Sql } from '../store/sql.ts';
import { isAlone } from './batch-comparison.ts';

/** Clears the unsent rows whose line has a mistake, and adds a row for each new `row_id`. Returns the rows' ids. */
export function takeMistakes(sql: Sql, batch: string, scope: string, sheet: number): readonly number[] {
  const lines = sql.all<MistakenLine>(
    `SELECT i.number, i.key, i.name_key AS name, i.content, p.id, p.state FROM temp.draft_invalid i
     LEFT JOIN payout p ON p.batch = ? AND p.key = i.key
     WHERE ${isAlone} AND (p.id IS NULL AND i.row_id IS NOT NULL OR p.state IN (${notSentStates}, 'invalid') OR p.state = 'held' AND NOT ${mayBePaid('p')}) ORDER BY i.number`,
    batch,
  );
  return lines.map(({ number, key, name, content, id: known }) => {
    const id = known ?? addMistaken(sql, { batch, key, tag: tagOf(scope, batch, key, 0), sheet });
    sql.run(
      `UPDATE payout SET (number, sheet, content_sheet, amount, unit, currency, from_country, country, destination, collection, merchant_id, missed, allowed, service_details) =
       (CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), 0, 'whole', '', NULL, '', '', NULL, NULL, NULL, NULL, NULL) WHERE id = ?`,
      number,
      sheet,
      sheet,
      id,
    );
    sql.run('DELETE FROM payout_content WHERE payout = ?', id);
    sql.run("INSERT INTO payout_content SELECT CAST(? AS BIGINT), '', '', ?, ?", id, content, sha256(content));
    sql.run('DELETE FROM payee WHERE payout = ?', id);
    sql.run("INSERT INTO payee VALUES (?, NULL, ?, '')", id, name);
    sql.run('DELETE FROM document WHERE payout = ?', id);
    return id;
  });
}

interface MistakenLine {
  readonly number: number;
  readonly key: string;
  readonly name: string;
  readonly content: string;
  readonly id: number | null;
}

const addMistaken = (sql: Sql, row: { batch: string; key: string; tag: string; sheet: number }): number =>
  sql.one<{ id: number }>(
    `INSERT INTO payout (batch, key, number, sheet, first_sheet, content_sheet, state, revision, tag, amount, unit, currency, country, destination)
     VALUES (?,?,0,?,?,?,'planned',0,?,0,'whole','','','') RETURNING id`,
    row.batch,
    row.key,
    row.sheet,
    row.sheet,
    row.sheet,
    row.tag,
  )!.id;

/** Moves the rows to `invalid`. Call this after the sheet's trail entry, which records new rows as planned. */
export function recordMistakes(
  { sql, moving }: { readonly sql: Sql; readonly moving: Moving },
  sheet: number,
  rows: readonly number[],
): void {
  for (const id of rows) {
    const row = sql.one<LedgerRow>(`${selectRows} WHERE id = ?`, id);
    const line = sql.one<{ problems: string }>(
      'SELECT problems FROM invalid_row WHERE sheet = ? AND payout = ?',
      sheet,
      id,
    );
    assert(row !== null && line !== null, 'a row with a mistake has its line');
    const problems = JSON.parse(line.problems) as FoundProblem[];
    moving.move({ row, from: row.state, to: 'invalid', reason: because({ kind: 'has-mistakes', problems }) });
  }
}
