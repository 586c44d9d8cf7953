/** Sums the amounts that Payrun compares with the caps: amounts to send now, and amounts sent before. */
import type { Cap, CapFigures } from '../../domain/amounts/cap.ts';
import type { AmountUnit } from '../../domain/amounts/money.ts';
import { addressOfBatch, goesAgain, isListed, notSentStates, sentStates, waitingStates } from '../rows/columns.ts';
import type { Sql, SqlValue } from '../store/sql.ts';
import { type Halves, halfMask, halvesOf, lowBits, wholeOf, withWhole } from './draft.ts';

export interface CapOrder {
  readonly batch: string;
  /** Null means the draft rows to be sent. A list means the batch's unsent rows, and the rows with these ids. */
  readonly retried: readonly number[] | null;
  readonly money: { readonly currency: string; readonly unit: AmountUnit };
  readonly cap: Cap;
  /** The cap per day counts payments sent from `from` until before `until` (milliseconds since 1970). */
  readonly day: { readonly address: string; readonly from: number; readonly until: number };
}

const named = 5;

export function openCapping(sql: Sql) {
  return {
    async capFigures({ batch, retried, money: { currency, unit }, cap, day }: CapOrder) {
      const asked = [batch, currency, unit, day.address, day.from, day.until, JSON.stringify(retried ?? [])];
      const tables = `${askedFor}, now AS (${retried === null ? ofDraft : ofBatch}), before AS (${sentBefore})`;
      const all = <T>(select: string, ...more: SqlValue[]) => sql.all<T>(`${tables} ${select}`, ...asked, ...more);
      const sumOf = (from: string) => wholeOf(all<Halves>(`SELECT ${halvesOf} FROM ${from}`)[0]!);
      const rowsOver = (most: string) =>
        all<{ number: number; amount: number; over: number }>(largestRows, BigInt(most), named).map(
          ({ amount, ...row }) => ({ ...row, amount: BigInt(amount) }),
        );
      const payee = BigInt(cap.payee ?? 0);
      const [high, low] = [payee >> BigInt(lowBits), payee & BigInt(halfMask)];
      return {
        rows: cap.row === undefined ? [] : rowsOver(cap.row),
        payees: cap.payee === undefined ? [] : all<PayeeRecord>(largestPayees, high, high, low, named).map(withWhole),
        now: sumOf('now'),
        before: cap.batch === undefined ? 0n : sumOf('before WHERE own'),
        today: cap.day === undefined ? 0n : sumOf('before WHERE today'),
      } satisfies CapFigures;
    },
    /** Sums the unsent rows of other batches at `day.address` whose approved plans were imported within `day`. */
    async approvedToSend({ batch, money: { currency, unit }, day }: Pick<CapOrder, 'batch' | 'money' | 'day'>) {
      const asked = [batch, currency, unit, day.address, day.from, day.until];
      return wholeOf(sql.one<Halves>(`SELECT ${halvesOf} FROM (${approvedRows})`, ...asked)!);
    },
  };
}

const askedFor = `WITH asked (batch, currency, unit, address, since, until, retried) AS (SELECT CAST(? AS TEXT),
  CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT))`;

const ofDraft = `SELECT d.number, d.amount, d.country, d.destination, d.name_key AS person, d.content
  FROM asked JOIN temp.draft d ON d.currency = asked.currency AND d.unit = asked.unit
  LEFT JOIN payout p ON p.batch = asked.batch AND p.key = d.key LEFT JOIN payout_content c ON c.payout = p.id
  WHERE p.id IS NULL OR p.state IN (${waitingStates}) OR ${goesAgain('p', 'c', 'd')}`;

const ofBatch = `SELECT p.number, p.amount, p.country, p.destination, y.name_key AS person, c.content
  FROM asked JOIN payout p ON p.batch = asked.batch AND p.currency = asked.currency AND p.unit = asked.unit
  JOIN payout_content c ON c.payout = p.id JOIN payee y ON y.payout = p.id
  WHERE (p.state IN (${notSentStates}) AND p.closed IS NULL AND ${isListed('p')})
    OR p.id IN (SELECT value FROM json_each(asked.retried))`;

/** Selects the sent rows of this batch (`own`), and the day's sent rows of all batches at the address (`today`). */
const sentBefore = `SELECT * FROM (
    SELECT p.id, coalesce(p.paid_amount, p.amount) AS amount, p.country, p.destination, p.batch = asked.batch AS own,
      coalesce(p.submitted_at >= asked.since AND p.submitted_at < asked.until
        AND ${addressOfBatch('b')} = asked.address, FALSE) AS today
    FROM asked JOIN payout p ON p.currency = asked.currency AND p.unit = asked.unit AND p.state IN (${sentStates})
    JOIN batch b ON b.name = p.batch)
  WHERE own OR today`;

/** Selects unsent rows of other batches whose approved plans were imported that day. Payrun may send these rows too. */
const approvedRows = `SELECT p.amount FROM payout p JOIN batch b ON b.name = p.batch JOIN sheet s ON s.id = b.sheet
  WHERE p.batch <> ? AND p.currency = ? AND p.unit = ? AND p.sheet >= b.listed_since AND ${addressOfBatch('b')} = ?
    AND s.received_at >= ? AND s.received_at < ? AND json_extract(s.options, '$.plan.policy') IS NOT NULL
    AND p.closed IS NULL AND p.state IN (${waitingStates})`;

const largestRows = `SELECT number, amount, count(*) OVER () AS over FROM now WHERE amount > ? ORDER BY amount DESC, number LIMIT ?`;

type PayeeRecord = Omit<CapFigures['payees'][number], 'amount'> & Halves;

/** In Kenya, the same phone number at two mobile networks counts as one account. */
const account = `CASE country WHEN 'Kenya' THEN 'Kenya|' || substr(destination, -13) ELSE destination END`;

const paid = `paid AS MATERIALIZED (
  SELECT account, country, person, min(name) AS name, min(number) AS number, count(number) AS rows, ${halvesOf}
  FROM (SELECT number, amount, country, ${account} AS account, person, json_extract(content, '$.name') AS name FROM now
    UNION ALL SELECT NULL, amount, country, ${account}, (SELECT name_key FROM payee WHERE payout = before.id),
      (SELECT json_extract(content, '$.name') FROM payout_content WHERE payout = before.id)
    FROM before)
  GROUP BY account, country, person)`;

/** Sums by account, or by country and name. `having` can leave out names that have only one account. */
const payees = (key: string, accounts: string, having: string) => `
  SELECT min(name) AS name, min(number) AS number, sum(rows) AS rows, ${accounts} AS accounts,
    sum(high) + (CAST(sum(low) AS BIGINT) >> ${lowBits}) AS high, CAST(sum(low) AS BIGINT) & ${halfMask} AS low
  FROM paid GROUP BY ${key} HAVING sum(rows) > 0${having}`;

const largestPayees = `, ${paid}
  SELECT *, count(*) OVER () AS over FROM (
    ${payees('account', '1', '')} UNION ALL ${payees('country, person', 'count(*)', ' AND count(*) > 1')})
  WHERE high > ? OR (high = ? AND low > ?) ORDER BY high DESC, low DESC, number LIMIT ?`;
