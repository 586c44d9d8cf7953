/** Parts of SQL that several statements share. */
import type { AmountSpan } from '../facts.ts';
import { rowStates, wordOf } from './states.ts';

/** Columns of a row. */
export const rowColumns = `id, batch, key, number, sheet, first_sheet AS firstSheet, state, revision, tag, content, content_hash AS contentHash, amount, unit, currency,
  from_country AS fromCountry, country, destination, merchant_id AS merchantId, payment_id AS paymentId, paid_amount AS paidAmount, payment_status AS paymentStatus,
  reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, sent_moment AS sentMoment, missed, not_repeat AS notRepeat, released, evidence`;

/** Columns that a result shows, read twice in every run for each row. */
export const shownColumns = `id, batch, key, number, state, tag, merchant_id AS merchantId, payment_id AS paymentId,
  payment_status AS paymentStatus, reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, evidence`;

/** CROSS JOIN keeps the order, so that the first table's conditions choose the rows. */
export const rowTables = 'payout CROSS JOIN payout_content ON payout = id';

export const selectRows = `SELECT ${rowColumns} FROM ${rowTables}`;

/** SQL that is true when a span excludes the row; it holds only our own numbers and names. */
export function beyondSpans(spans: readonly AmountSpan[]): string {
  const each = spans.map(
    ({ country, currency, least, most }) =>
      `(country = '${country}' AND currency = '${currency}' AND NOT amount BETWEEN ${least} AND ${most})`,
  );
  return each.length === 0 ? 'FALSE' : `(${each.join(' OR ')})`;
}

/** Returns a list for `IN (…)`; pass only our own words. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

export const notSentStates = quoted(rowStates.filter((state) => wordOf[state] === 'not sent'));

/** SQL for an identity's address: batches there are compared whatever their key. */
const addressIn = (identity: string) => `substr(${identity}, 1, instr(${identity}, '|') - 1)`;
/** The address of a row of `batch`, by its alias. */
export const addressOfBatch = (batch: string) => addressIn(`${batch}.identity`);
/** The address of a batch by its name. */
export const addressOf = (name: string) => `(SELECT ${addressIn('identity')} FROM batch WHERE name = ${name})`;
/**
 * SQL that is true when the batch is at that address. A list of names lets the planner estimate the rows; other forms make it expect
 * almost none and compare each with each. No index is used, since most questions concern few batches.
 */
export const isAt = (name: string, address: string) =>
  `+${name} IN (SELECT name FROM batch WHERE ${addressIn('identity')} = ${address})`;

/** SQL that is true for a row held for its payee's account alone. */
export const withheld = (row: string) =>
  `(${row}.state = 'held' AND coalesce(json_extract(${row}.reason, '$[0].kind'), '') = 'account-changed')`;

/** The states that count as sent for duplicates and changed rows. */
export const sentStates = quoted(
  rowStates.filter((state) => ['paid', 'pending', 'in doubt', 'held', 'paid twice'].includes(wordOf[state])),
);

/** SQL that is true for a sent row. A row held for its payee's account was never sent, and may be corrected or left out. */
export const wasSent = (row: string) => `(${row}.state IN (${sentStates}) AND NOT ${withheld(row)})`;

/** Does the same for rows that were tried or found; a held look-alike need be neither. */
export const wasTried = (row: string) =>
  `(${wasSent(row)} AND (${row}.state <> 'held' OR ${row}.attempts > 0 OR ${row}.submitted_at IS NOT NULL OR ${row}.payment_id IS NOT NULL))`;

const momentOf = (entry: string) => `CAST(json_extract(${entry}.entry, '$[0]') AS BIGINT)`;

/** When a person said that the row repeats no earlier payment; null when nobody did. */
export const saidAt = (
  row: string,
) => `CASE WHEN ${row}.not_repeat IS NOT NULL THEN (SELECT max(${momentOf('t')}) FROM trail t
  WHERE t.payout = ${row}.id AND json_extract(t.entry, '$[4].said') = 'not a repeat') END`;

/** SQL that is true when the row's trail had shown that payment to the person. */
export const wasShown = (payment: string, row: string, said: string) =>
  `EXISTS (SELECT 1 FROM trail t WHERE t.payout = ${row} AND ${momentOf('t')} <= ${said} AND instr(t.entry, ${payment}) > 0)`;

/** SQL that is true when the batch has more than one sheet; otherwise all rows came with that one. */
export const anyOtherSheet =
  'SELECT 1 FROM sheet WHERE id IS DISTINCT FROM (SELECT sheet FROM batch WHERE name = ?1) LIMIT 1';

/** The reason by which the trail marks a row's correction. */
export const correctedWhy = 'corrected in the sheet';

/** SQL for entries of these kinds about no row. Only entries with the word are parsed, since a batch may have very long ones. */
export const toldAs = (...whats: readonly string[]) =>
  `payout IS NULL AND (${whats.map((what) => `instr(entry, ',"${what}",') > 0`).join(' OR ')}) AND json_extract(entry, '$[3]') IN (${quoted(whats)})`;

/** The newest move of row `p`, or the later decision that it is given up. */
export const lastTold = `(SELECT entry FROM trail t
  WHERE t.payout = p.id AND (json_extract(entry, '$[3]') = 'move' OR json_extract(entry, '$[4].said') = 'given up')
  ORDER BY seq DESC LIMIT 1)`;

/** SQL that is true when a person gave row `p` up since its last move. */
export const isGivenUp = `json_extract(${lastTold}, '$[4].said') = 'given up'`;

/** SQL for rows held for their payee's account that each new sheet judges again. */
export const judgedAnew = (row: 'p') => `(${withheld(row)} AND NOT coalesce(${isGivenUp}, FALSE))`;

/** Pads a list for `IN (…)` with its last value, so that few statement texts are prepared. */
export function filled(values: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, place) => values[Math.min(place, values.length - 1)]!);
}

export const marksFor = (values: readonly string[]) => filled(values).fill('?').join();
