/** Parts of SQL that several statements share. */

import { closableStates, rowStates, wordOf } from '../../domain/rows/row-states.ts';
import type { ReasonKind } from '../../domain/sending/reason.ts';
import type { AmountSpan } from '../facts.ts';

export const rowColumns = `id, batch, key, number, sheet, first_sheet AS firstSheet, state, revision, tag, content, content_hash AS contentHash, amount, unit, currency,
  from_country AS fromCountry, country, destination, merchant_id AS merchantId, payment_id AS paymentId, paid_amount AS paidAmount, payment_status AS paymentStatus,
  reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, sent_moment AS sentMoment, missed, allowed, released, evidence, closed`;

/** The columns of a row. They are few, because every run reads each row twice. */
export const shownColumns = `id, batch, key, number, state, tag, merchant_id AS merchantId, payment_id AS paymentId,
  payment_status AS paymentStatus, reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, evidence, closed`;

/** A row with its content. CROSS JOIN fixes the order of the tables, so conditions on `payout` choose the rows. */
export const rowTables = 'payout CROSS JOIN payout_content ON payout = id';

export const selectRows = `SELECT ${rowColumns} FROM ${rowTables}`;

/** Returns a condition for rows outside at least one span. The spans come from the code, so the SQL needs no escaping. */
export function beyondSpans(spans: readonly AmountSpan[]): string {
  const each = spans.map(
    ({ country, currency, least, most }) =>
      `(country = '${country}' AND currency = '${currency}' AND NOT amount BETWEEN ${least} AND ${most})`,
  );
  return each.length === 0 ? 'FALSE' : `(${each.join(' OR ')})`;
}

/** Quotes words for SQL without escaping. Pass only words from the code. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

export const notSentStates = quoted(rowStates.filter((state) => wordOf[state] === 'not sent'));

/** Returns the service address of an identity. Batches at one address are compared with each other, whatever key pays them. */
const addressIn = (identity: string) => `substr(${identity}, 1, instr(${identity}, '|') - 1)`;
export const addressOfBatch = (batch: string) => addressIn(`${batch}.identity`);
export const addressOf = (name: string) => `(SELECT ${addressIn('identity')} FROM batch WHERE name = ${name})`;
/** True if the batch `name` is at the address. The list of names helps the planner, and `+` avoids an index that rarely helps. */
export const isAt = (name: string, address: string) =>
  `+${name} IN (SELECT name FROM batch WHERE ${addressIn('identity')} = ${address})`;

/** True if the row has a reason of this kind. A person's own text cannot match, since JSON escapes its quotes. */
export const hasReason = (row: string, kind: ReasonKind) =>
  `coalesce(instr(${row}.reason, '"kind":"${kind}"') > 0, FALSE)`;

/** True if a person closed this row by name. Rows that a sheet closed, by lacking them, do not count. */
export const closedByName = (row: string) => `(${row}.closed IS NOT NULL AND instr(${row}.closed, '"sheet":') = 0)`;

/** True if the row is held only because its payee's account changed. */
export const withheld = (row: string) => `(${row}.state = 'held' AND ${hasReason(row, 'account-changed')})`;

/** The states that count as sent in duplicate checks and corrections. */
export const sentStates = quoted(
  rowStates.filter((state) => ['paid', 'pending', 'in doubt', 'held', 'paid twice'].includes(wordOf[state])),
);

/** True if the row was sent. A row that is held only because its payee's account changed was never sent. */
export const wasSent = (row: string) => `(${row}.state IN (${sentStates}) AND NOT ${withheld(row)})`;

const heldUnasked = ['looks-paid', 'account-changed', 'merchant-ambiguous', 'merchant-unreadable'] as const;

/** True if the row may have a payment. A row that was held before it was sent has none, nor has an absent row that a person closed. */
export const mayBePaid = (
  row: string,
) => `(${row}.state IN (${sentStates}) AND NOT (${row}.state = 'absent' AND ${row}.closed IS NOT NULL) AND NOT (${row}.state = 'held'
  AND ${row}.attempts = 0 AND ${row}.submitted_at IS NULL AND ${row}.payment_id IS NULL AND (${heldUnasked.map((kind) => hasReason(row, kind)).join(' OR ')})))`;

/** True for rows of the batch's newest whole list, and of sheets that were added to it. */
export const isListed = (row: string) => `${row}.sheet >= (SELECT listed_since FROM batch WHERE name = ${row}.batch)`;

/** True if the row was sent, or a scan found its payment. Unlike `wasSent`, this leaves out held rows without an attempt or a payment. */
export const wasTried = (row: string) =>
  `(${wasSent(row)} AND (${row}.state <> 'held' OR ${row}.attempts > 0 OR ${row}.submitted_at IS NOT NULL OR ${row}.payment_id IS NOT NULL))`;

/** Folds a reference for comparison, because people and spreadsheets change its spaces and capitals. */
export const foldedReference = (reference: string) => `lower(replace(${reference}, ' ', ''))`;

/** Selects a sheet other than the newest of batch ?1. If there is none, all rows came with that sheet. */
export const anyOtherSheet =
  'SELECT 1 FROM sheet WHERE id IS DISTINCT FROM (SELECT sheet FROM batch WHERE name = ?1) LIMIT 1';

/** Selects entries by kind. Parses only entries with the kind's text, because some are very long. */
export const toldAs = (...whats: readonly string[]) =>
  `payout IS NULL AND (${whats.map((what) => `instr(entry, ',"${what}",') > 0`).join(' OR ')}) AND json_extract(entry, '$[3]') IN (${quoted(whats)})`;

/** True unless a person closed the row. A closed row whose payment appears later counts as open. */
export const isOpen = (row: string) => `(${row}.closed IS NULL OR ${row}.state NOT IN (${quoted(closableStates)}))`;

/** Pads the list with its last value to the next power of two. Few lengths then occur, each with its own prepared statement. */
export function filled(values: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, place) => values[Math.min(place, values.length - 1)]!);
}

export const marksFor = (values: readonly string[]) => filled(values).fill('?').join();
