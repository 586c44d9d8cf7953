/** Parts of SQL that several statements share. */

import { rowStates, wordOf } from '../../domain/rows/row-states.ts';
import type { ReasonKind } from '../../domain/sending/reason.ts';
import type { AmountSpan } from '../facts.ts';

export const rowColumns = `id, batch, key, number, sheet, first_sheet AS firstSheet, state, revision, tag, content, content_hash AS contentHash, amount, unit, currency,
  from_country AS fromCountry, country, destination, merchant_id AS merchantId, payment_id AS paymentId, paid_amount AS paidAmount, payment_status AS paymentStatus,
  reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, sent_moment AS sentMoment, missed, allowed, released, evidence`;

/** Every run reads these columns twice for each row. */
export const shownColumns = `id, batch, key, number, state, tag, merchant_id AS merchantId, payment_id AS paymentId,
  payment_status AS paymentStatus, reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, evidence`;

/** CROSS JOIN keeps the order of the tables, so that conditions on the first table choose the rows. */
export const rowTables = 'payout CROSS JOIN payout_content ON payout = id';

export const selectRows = `SELECT ${rowColumns} FROM ${rowTables}`;

/** The SQL contains only our own numbers and names. */
export function beyondSpans(spans: readonly AmountSpan[]): string {
  const each = spans.map(
    ({ country, currency, least, most }) =>
      `(country = '${country}' AND currency = '${currency}' AND NOT amount BETWEEN ${least} AND ${most})`,
  );
  return each.length === 0 ? 'FALSE' : `(${each.join(' OR ')})`;
}

/** Pass only our own words, because nothing is escaped. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

export const notSentStates = quoted(rowStates.filter((state) => wordOf[state] === 'not sent'));

/** Batches at one address are compared, whatever key pays them. */
const addressIn = (identity: string) => `substr(${identity}, 1, instr(${identity}, '|') - 1)`;
export const addressOfBatch = (batch: string) => addressIn(`${batch}.identity`);
export const addressOf = (name: string) => `(SELECT ${addressIn('identity')} FROM batch WHERE name = ${name})`;
/** From a list of names the planner estimates the rows well. `+` avoids an index, because most questions concern few batches. */
export const isAt = (name: string, address: string) =>
  `+${name} IN (SELECT name FROM batch WHERE ${addressIn('identity')} = ${address})`;

/** A person's own text cannot match: JSON escapes its quotes. */
export const hasReason = (row: string, kind: ReasonKind) =>
  `coalesce(instr(${row}.reason, '"kind":"${kind}"') > 0, FALSE)`;

/** The row is held for its payee's account alone. */
export const withheld = (row: string) => `(${row}.state = 'held' AND ${hasReason(row, 'account-changed')})`;

/** Duplicate checks and corrections treat these states as sent. */
export const sentStates = quoted(
  rowStates.filter((state) => ['paid', 'pending', 'in doubt', 'held', 'paid twice'].includes(wordOf[state])),
);

/** A row that is held only because its payee's account changed was never sent. */
export const wasSent = (row: string) => `(${row}.state IN (${sentStates}) AND NOT ${withheld(row)})`;

/** A row that is held because it looks paid may never have been tried or found. */
export const wasTried = (row: string) =>
  `(${wasSent(row)} AND (${row}.state <> 'held' OR ${row}.attempts > 0 OR ${row}.submitted_at IS NOT NULL OR ${row}.payment_id IS NOT NULL))`;

/** If there is no other sheet, all rows came with the newest sheet of batch ?1. */
export const anyOtherSheet =
  'SELECT 1 FROM sheet WHERE id IS DISTINCT FROM (SELECT sheet FROM batch WHERE name = ?1) LIMIT 1';

/** Only entries that contain the kind are parsed, because some are very long. */
export const toldAs = (...whats: readonly string[]) =>
  `payout IS NULL AND (${whats.map((what) => `instr(entry, ',"${what}",') > 0`).join(' OR ')}) AND json_extract(entry, '$[3]') IN (${quoted(whats)})`;

/** The row's newest change of state, or a later decision to give it up. */
export const lastTold = `(SELECT entry FROM trail t
  WHERE t.payout = p.id AND (json_extract(entry, '$[3]') = 'move' OR json_extract(entry, '$[4].said') = 'given up')
  ORDER BY seq DESC LIMIT 1)`;

/** A person gave the row up after its last change of state. */
export const isGivenUp = `json_extract(${lastTold}, '$[4].said') = 'given up'`;

/** Each new sheet judges such rows again. */
export const judgedAnew = (row: 'p') => `(${withheld(row)} AND NOT coalesce(${isGivenUp}, FALSE))`;

/** Padding with the last value keeps the number of prepared statements small. */
export function filled(values: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, place) => values[Math.min(place, values.length - 1)]!);
}

export const marksFor = (values: readonly string[]) => filled(values).fill('?').join();
