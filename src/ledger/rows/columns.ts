/** Words of SQL that stand in several statements. */
import type { AmountSpan } from '../facts.ts';
import { rowStates, wordOf } from './states.ts';

/** What a row is read from. */
export const rowColumns = `id, batch, key, number, sheet, first_sheet AS firstSheet, state, revision, tag, content, content_hash AS contentHash, amount, unit, currency,
  from_country AS fromCountry, country, destination, merchant_id AS merchantId, payment_id AS paymentId, paid_amount AS paidAmount, payment_status AS paymentStatus,
  reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, sent_moment AS sentMoment, missed, not_repeat AS notRepeat, released, evidence`;

/** What a result shows of a row: twice in every run, for each of its rows. */
export const shownColumns = `id, batch, key, number, state, tag, merchant_id AS merchantId, payment_id AS paymentId,
  payment_status AS paymentStatus, reason, attempts, submitted_at AS submittedAt, settled_at AS settledAt, told, evidence`;

/** CROSS JOIN keeps the order: what decides which rows are read stands in the first table. */
export const rowTables = 'payout CROSS JOIN payout_content ON payout = id';

export const selectRows = `SELECT ${rowColumns} FROM ${rowTables}`;

/** Whether one of the spans does not take the row; numbers and names of our own tables only. */
export function beyondSpans(spans: readonly AmountSpan[]): string {
  const each = spans.map(
    ({ country, currency, least, most }) =>
      `(country = '${country}' AND currency = '${currency}' AND NOT amount BETWEEN ${least} AND ${most})`,
  );
  return each.length === 0 ? 'FALSE' : `(${each.join(' OR ')})`;
}

/** For `IN (…)`: only our own words ever go in here. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

export const notSentStates = quoted(rowStates.filter((state) => wordOf[state] === 'not sent'));

/** The service's address, with which an identity begins: batches there are compared whatever the key. */
const addressIn = (identity: string) => `substr(${identity}, 1, instr(${identity}, '|') - 1)`;
/** Of a row of `batch`, by its alias. */
export const addressOfBatch = (batch: string) => addressIn(`${batch}.identity`);
/** Of the batch of that name. */
export const addressOf = (name: string) => `(SELECT ${addressIn('identity')} FROM batch WHERE name = ${name})`;
/**
 * The batch of that name is at that address. As a list of names a planner can tell how many rows are left: of the other form it thinks
 * that there are next to none, and compares each with each. No index leads to them: most of what is asked for is in few batches.
 */
export const isAt = (name: string, address: string) =>
  `+${name} IN (SELECT name FROM batch WHERE ${addressIn('identity')} = ${address})`;

/** How the reason of a row begins that is held for its payee's account alone: nothing of it was sent. */
export const accountChanged = 'Account changed';

/** Held for its payee's account alone. */
export const withheld = (row: string) =>
  `(${row}.state = 'held' AND coalesce(${row}.reason, '') LIKE '${accountChanged}:%')`;

/** The states that count as sent for a twin or a changed row (design 4.1). */
export const sentStates = quoted(
  rowStates.filter((state) => ['paid', 'pending', 'in doubt', 'held', 'paid twice'].includes(wordOf[state])),
);

/** A row that is held for its payee's account alone was never sent: it may be corrected, and left out. */
export const wasSent = (row: string) => `(${row}.state IN (${sentStates}) AND NOT ${withheld(row)})`;

/** The same, and something of it left, or was found: one that is held for what it looks like need be neither. */
export const wasTried = (row: string) =>
  `(${wasSent(row)} AND (${row}.state <> 'held' OR ${row}.attempts > 0 OR ${row}.submitted_at IS NOT NULL OR ${row}.payment_id IS NOT NULL))`;

const momentOf = (entry: string) => `CAST(json_extract(${entry}.entry, '$[0]') AS BIGINT)`;

/** When a person said that the row repeats nothing, which is of what had been sent by then; null where nobody has. */
export const saidAt = (
  row: string,
) => `CASE WHEN ${row}.not_repeat IS NOT NULL THEN (SELECT max(${momentOf('t')}) FROM trail t
  WHERE t.payout = ${row}.id AND json_extract(t.entry, '$[4].said') = 'not a repeat') END`;

/** The trail of the row names the payment in what was there to read when that was said. */
export const wasShown = (payment: string, row: string, said: string) =>
  `EXISTS (SELECT 1 FROM trail t WHERE t.payout = ${row} AND ${momentOf('t')} <= ${said} AND instr(t.entry, ${payment}) > 0)`;

/** Whether the ledger has any sheet beside the newest of the batch of that name: where it has none, all its rows first came with that one. */
export const anyOtherSheet =
  'SELECT 1 FROM sheet WHERE id IS DISTINCT FROM (SELECT sheet FROM batch WHERE name = ?1) LIMIT 1';

/** By which the trail tells a row's correction from its other moves. */
export const correctedWhy = 'corrected in the sheet';

/** Entries about no single row that tell of one of these. Only what has the word is read as JSON: a batch may have entries of a hundred thousand payees. */
export const toldAs = (...whats: readonly string[]) =>
  `payout IS NULL AND (${whats.map((what) => `instr(entry, ',"${what}",') > 0`).join(' OR ')}) AND json_extract(entry, '$[3]') IN (${quoted(whats)})`;

/** The move of row `p` that the trail told last, or the word since then that nothing is owed for it. */
export const lastTold = `(SELECT entry FROM trail t
  WHERE t.payout = p.id AND (json_extract(entry, '$[3]') = 'move' OR json_extract(entry, '$[4].said') = 'given up')
  ORDER BY seq DESC LIMIT 1)`;

/** Since row `p` moved last, a person said that nothing is owed for it. */
export const isGivenUp = `json_extract(${lastTold}, '$[4].said') = 'given up'`;

/** Held for its payee's account alone, and looked at once more with each sheet of its batch. */
export const judgedAnew = (row: 'p') => `(${withheld(row)} AND NOT coalesce(${isGivenUp}, FALSE))`;

/** For `IN (…)`, filled up with the last one: the texts of a few lengths are prepared, and not one for each number of values. */
export function filled(values: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, place) => values[Math.min(place, values.length - 1)]!);
}

export const marksFor = (values: readonly string[]) => filled(values).fill('?').join();
