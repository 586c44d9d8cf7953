/** Rows that sheets had with mistakes. They were not imported: only their sheet's options and the trail name them. */
import { readEntry } from '../../audit/chain.ts';
import { type BatchFacts, type GivenUp, type SkippedRow, skippedOf } from '../facts.ts';
import { toldAs } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';

/** The trail has what a person gave up after the newest sheet arrived. */
export function skippedRows(sql: Sql, { name, sheet }: Pick<BatchFacts, 'name' | 'sheet'>): readonly SkippedRow[] {
  const rows = skippedOf(sheet);
  if (rows.length === 0) return rows;
  const said = sql
    .all<{ entry: string }>(
      `SELECT entry FROM trail WHERE ${toldAs('given up')} AND json_extract(entry, '$[1]') = ? ORDER BY seq`,
      name,
    )
    .map(({ entry }) => readEntry(entry))
    .filter(({ data }) => data.sheet === sheet.id);
  const givenUp = new Map(
    said.map(({ at, data: { row, why, by } }) => [placeOf(row as SkippedRow), { why, by, at } as GivenUp]),
  );
  return rows.map((row) => {
    const found = givenUp.get(placeOf(row));
    return found === undefined ? row : { ...row, givenUp: found };
  });
}

const placeOf = ({ number, sheet, of }: SkippedRow) => JSON.stringify([number, sheet, of]);
