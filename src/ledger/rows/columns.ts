/** Builds parts of SQL statements that several files share: columns, conditions and subqueries. */
import { columnOf } from '../../base/words.ts';
import { closableStates, rowStates, sentStates as sent, wordOf } from '../../domain/rows/row-states.ts';
import type { AmountSpan } from '../facts.ts';
import type { SqlValue } from '../store/sql.ts';

export const rowColumns = `id, batch, key, number, sheet, first_sheet AS firstSheet, state, revision, tag, content, content_hash AS contentHash, amount, unit, currency,
  from_country AS fromCountry, country, destination, merchant_id AS merchantId, payment_id AS paymentId, paid_amount AS paidAmount, payment_status AS paymentStatus,
  reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, service_details AS serviceDetails, sent_moment AS sentMoment, missed, allowed, released, evidence, closed`;

export const shownColumns = `id, batch, key, number, state, tag, merchant_id AS merchantId, payment_id AS paymentId,
  payment_status AS paymentStatus, reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, service_details AS serviceDetails, evidence, closed`;

/** CROSS JOIN makes SQLite read `payout` first, so that conditions on `payout` choose the rows. */
export const rowTables = 'payout CROSS JOIN payout_content ON payout = id';

export const selectRows = `SELECT ${rowColumns} FROM ${rowTables}`;

export function beyondSpans(spans: readonly AmountSpan[]): string {
  const each = spans.map(
    ({ country, currency, least, most }) =>
      `(country = '${country}' AND currency = '${currency}' AND NOT amount BETWEEN ${least} AND ${most})`,
  );
  return each.length === 0 ? 'FALSE' : `(${each.join(' OR ')})`;
}

/** Builds the INSERT of one row, whose facts have the names of the columns. `end` follows the values. */
export function insertOf(table: string, facts: Readonly<Record<string, SqlValue>>, end = ''): [string, ...SqlValue[]] {
  const names = Object.keys(facts).map((fact) => `"${columnOf(fact)}"`);
  const values = Object.values(facts);
  return [`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.map(() => '?').join()}) ${end}`, ...values];
}

/** Builds the INSERT of one row. Its facts replace those of a row with the same key. */
export function replacing(table: string, key: string, facts: Parameters<typeof insertOf>[1]) {
  const others = Object.keys(facts).filter((fact) => fact !== key);
  const sets = others.map(columnOf).map((column) => `${column} = excluded.${column}`);
  return insertOf(table, facts, `ON CONFLICT (${columnOf(key)}) DO UPDATE SET ${sets.join(', ')}`);
}

/** Quotes words for SQL without escaping them. Never pass text from a person or a sheet. */
export const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

export const notSentStates = quoted(rowStates.filter((state) => wordOf[state] === 'not sent'));

/** An identity begins with the service address and `|`. Checks use the address, to compare batches of all API keys. */
const addressIn = (identity: string) => `substr(${identity}, 1, instr(${identity}, '|') - 1)`;
export const addressOfBatch = (batch: string) => addressIn(`${batch}.identity`);
export const addressOf = (name: string) => `(SELECT ${addressIn('identity')} FROM batch WHERE name = ${name})`;
/** `+` keeps SQLite from using an index on the name, because that index would rarely help here. */
export const isAt = (name: string, address: string) =>
  `+${name} IN (SELECT name FROM batch WHERE ${addressIn('identity')} = ${address})`;

/** True if a person closed the row, and no payment of it appeared later. A row that a newer sheet closed has a `sheet` in `closed`. */
export const closedByName = (row: string) => `(NOT ${isOpen(row)} AND instr(${row}.closed, '"sheet":') = 0)`;

export const sentStates = quoted(sent);

/** The states of a row that is not sent yet. A withheld row is sent after a person released it. */
export const waitingStates = `${notSentStates}, 'withheld'`;

/** True if the row may already be paid. False for a closed absent row. */
export const mayBePaid = (row: string) =>
  `(${row}.state IN (${sentStates}) AND NOT (${row}.state = 'absent' AND ${row}.closed IS NOT NULL))`;

/** True if the draft row `d` names a file that the ledger's row lacks. A file attached to a payment stays. */
export const hasNewDocument = (row: string, d: string) => `EXISTS (SELECT 1 FROM temp.draft_document f
  WHERE f.number = ${d}.number AND NOT EXISTS (SELECT 1 FROM document own WHERE own.payout = ${row}.id AND own.name = f.name
    AND (own.sha256 = f.sha256 OR (own.state NOT IN ('due', 'missing') AND ${row}.state IN (${sentStates})))))`;

/** True if the draft row `d` has other content than the ledger's row and its content `c`. Only the money counts for a sent row. */
export const differs = (row: string, c: string, d: string) => `(CASE WHEN ${row}.state IN (${sentStates})
  THEN ${c}.digest <> ${d}.digest ELSE ${c}.content <> ${d}.content OR ${hasNewDocument(row, d)} END)`;

export const isRetried = (row: string) =>
  `(${row}.state IN ('refused', 'expired') AND ${row}.closed IS NULL AND ${isListed(row)} AND ${row}.key IN (SELECT key FROM temp.draft_retry))`;

/** True if the draft row `d` sends the ledger's row again: with other content, or as a person chose. */
export const goesAgain = (row: string, c: string, d: string) =>
  `(${isRetried(row)} OR (NOT ${mayBePaid(row)} AND ${differs(row, c, d)}))`;

export const isListed = (row: string) => `${row}.sheet >= (SELECT listed_since FROM batch WHERE name = ${row}.batch)`;

/** Ignores spaces and capitals in a reference, because people and spreadsheets change them. */
export const foldedReference = (reference: string) => `lower(replace(${reference}, ' ', ''))`;

export const anyOtherSheet =
  'SELECT 1 FROM sheet WHERE id IS DISTINCT FROM (SELECT sheet FROM batch WHERE name = ?1) LIMIT 1';

/** True for trail entries of these kinds without a row. `instr` is a fast first test, because parsing JSON is slow. */
export const isEntryOf = (...whats: readonly string[]) =>
  `payout IS NULL AND (${whats.map((what) => `instr(entry, ',"${what}",') > 0`).join(' OR ')}) AND json_extract(entry, '$[3]') IN (${quoted(whats)})`;

/** True for a row that nobody closed, and for a closed row whose payment appeared later. */
export const isOpen = (row: string) => `(${row}.closed IS NULL OR ${row}.state NOT IN (${quoted(closableStates)}))`;

/** Repeats the last value until the length is a power of two, so that few prepared statements are necessary. */
export function filled(values: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, place) => values[Math.min(place, values.length - 1)]!);
}

export const marksFor = (values: readonly string[]) => filled(values).fill('?').join();
