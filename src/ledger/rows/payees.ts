/** Compares the payees of a sheet or batch with the payees and accounts that this ledger has paid. */
import type { KnownOtherwise, LastPaid, OddPayee } from '../facts.ts';
import type { Sql } from '../store/sql.ts';
import { addressOf, anyOtherSheet, goesAgain, notSentStates, quoted, waitingStates } from './columns.ts';

export function openPayees(sql: Sql) {
  return {
    /** Finds draft rows whose payee is new or has another account. The functions below return these rows. */
    lookAtPayees(batch: string, address: string) {
      sql.exec('DELETE FROM temp.draft_odd');
      if (sql.one('SELECT 1 FROM sheet LIMIT 1') === null) return;
      sql.besideLedger(() =>
        sql.run(
          `WITH ${oddOf(draftRows, draftSiblings)}, ${lastOfAccounts}
           INSERT INTO temp.draft_odd SELECT one.number, verdict, odd.last, of_account.last,
             CASE WHEN ambiguous THEN 1 ELSE 0 END
           FROM ${oddRows} JOIN of_account ON of_account.account = one.account AND of_account.since IS NOT DISTINCT FROM one.since
           WHERE one.released IS DISTINCT FROM ${boundTo('one')}`,
          batch,
          address,
        ),
      );
    },
    /** Returns the rows that have a payee's new account. Leaves out names that two people may share. */
    changedInDraft: () =>
      sql.column<number>("SELECT number FROM temp.draft_odd WHERE verdict = 'changed' AND ambiguous = 0"),
    oddPayees: (verdict: 'changed' | 'elsewhere' | 'new', limit: number) =>
      sql.all<OddPayee>(
        `SELECT odd.number, odd.ambiguous, d.content, p.batch, p.number AS twin, c.content AS was, ${paidAt} AS paidAt
         FROM temp.draft_odd odd JOIN temp.draft d ON d.number = odd.number
         LEFT JOIN payout p ON p.id = odd.last LEFT JOIN payout_content c ON c.payout = p.id
         WHERE odd.verdict = ? ORDER BY odd.number LIMIT ?`,
        verdict,
        limit,
      ),
    knownOtherwise: (limit: number) =>
      sql.all<KnownOtherwise>(
        `SELECT odd.number, d.content, p.batch, p.number AS twin, c.content AS was, ${paidAt} AS paidAt
         FROM temp.draft_odd odd JOIN temp.draft d ON d.number = odd.number JOIN payout p ON p.id = odd.account_last
         JOIN payee y ON y.payout = p.id AND y.name_key <> d.name_key JOIN payout_content c ON c.payout = p.id
         ORDER BY odd.number LIMIT ?`,
        limit,
      ),
    /** Returns unsent rows with a payee's new account. Leaves out released rows and names that two people may share. */
    changedPayees: async (batch: string, address: string) => {
      if (sql.one(anyOtherSheet, batch) === null) return [];
      return sql.all<LastPaid & { row: number }>(
        `WITH ${oddOf(batchRows, batchSiblings)}
         SELECT one.row, p.batch, p.number AS twin, c.content AS was, ${paidAt} AS paidAt
         FROM ${oddRows} JOIN payout p ON p.id = last JOIN payout_content c ON c.payout = p.id
         WHERE verdict = 'changed' AND NOT ambiguous AND one.released IS DISTINCT FROM ${boundTo('one')} ORDER BY one.row`,
        batch,
        address,
      );
    },
    /** Returns other batches with a similar row, or with a row to the same account whose payment has not succeeded. */
    batchesBeside: async (batch: string, key: string) =>
      sql.column<string>(
        `SELECT p.batch FROM payout own JOIN payout_content o ON o.payout = own.id
             JOIN payout_content c ON c.likeness = o.likeness JOIN payout p ON p.id = c.payout
             WHERE own.batch = ?1 AND own.key = ?2 AND p.batch <> ?1
           UNION SELECT p.batch FROM payout own JOIN payee o ON o.payout = own.id
             JOIN payee y ON y.account = o.account JOIN payout p ON p.id = y.payout
             WHERE own.batch = ?1 AND own.key = ?2 AND p.batch <> ?1 AND p.state <> 'succeeded'`,
        batch,
        key,
      ),
  };
}

/** The text that a release stores: the row's digest and the payee. A changed row needs a new release. */
export const boundTo = (one: string) => `(${one}.digest || ' ' || coalesce(${one}.id_key, ${one}.name_key))`;

const paidAt = 'coalesce(p.submitted_at, p.accepted_at, p.settled_at)';

/** In this and the following statements, ?1 is the batch and ?2 is the service address. */
const draftRows = `SELECT d.number, d.id_key, d.name_key, d.account, d.digest, p.released,
    CASE WHEN c.digest = d.digest THEN p.content_sheet END AS since
  FROM temp.draft d LEFT JOIN payout p ON p.batch = ?1 AND p.key = d.key
  LEFT JOIN payout_content c ON c.payout = p.id
  WHERE p.id IS NULL OR p.state IN (${waitingStates}) OR ${goesAgain('p', 'c', 'd')}`;
const draftSiblings = 'SELECT name_key, account FROM temp.draft WHERE id_key IS NULL';

const newest = '(SELECT listed_since FROM batch WHERE name = ?1)';
const batchRows = `SELECT p.id AS row, y.id_key, y.name_key, y.account, c.digest, p.released, p.content_sheet AS since
  FROM payout p JOIN payee y ON y.payout = p.id JOIN payout_content c ON c.payout = p.id
  WHERE p.batch = ?1 AND +p.sheet >= ${newest} AND p.state IN (${notSentStates}) AND p.closed IS NULL`;
const batchSiblings = `SELECT y.name_key, y.account FROM payout q JOIN payee y ON y.payout = q.id
  WHERE q.batch = ?1 AND +q.sheet >= ${newest} AND y.id_key IS NULL`;

const paidStates = quoted(['accepted', 'succeeded', 'duplicate', 'duplicate_paid']);

/** A payment with content from the sheet `since` proves nothing, because the row's account came with the same sheet. */
const paid = (where: string, since: string) => `FROM payee k CROSS JOIN payout p ON p.id = k.payout
  WHERE ${where} AND p.content_sheet IS DISTINCT FROM ${since} AND p.state IN (${paidStates})
    AND ${addressOf('p.batch')} = ?2`;
const isPaid = (where: string, since = 'pair.since') => `EXISTS (SELECT 1 ${paid(where, since)})`;

const countryOf = (account: string) => `substr(${account}, 1, instr(${account}, '|'))`;
const sameCountry = `${countryOf('k.account')} = ${countryOf('pair.account')}`;

const latest = `ORDER BY ${paidAt} DESC, k.payout DESC LIMIT 1`;

/** Finds the newest other batch that paid the payee. Its accounts are the known ones, and no older account is. */
const lastBatch = (where: string) => `(SELECT p.batch ${paid(where, 'pair.since')} AND p.batch <> ?1 ${latest})`;
const sameName = 'k.name_key = pair.name_key';
const isKnown = (where: string, batch: string) =>
  isPaid(`${where} AND k.account = pair.account AND p.batch IN (?1, ${batch})`);

/** Builds `odd`: the payees that are new or have another account. Compares payees by id first, and then by name. */
const oddOf = (rows: string, siblings: string) => `
  one AS MATERIALIZED (${rows}),
  pair AS (SELECT DISTINCT id_key, name_key, account, since FROM one),
  dated AS MATERIALIZED (SELECT *, ${lastBatch('k.id_key = pair.id_key')} AS of_id,
      ${lastBatch(`${sameName} AND ${sameCountry}`)} AS of_name FROM pair),
  judged AS (SELECT *, CASE
      WHEN id_key IS NOT NULL AND ${isKnown('k.id_key = pair.id_key', 'pair.of_id')} THEN 'known'
      WHEN id_key IS NOT NULL AND ${isPaid('k.id_key = pair.id_key')} THEN 'id'
      WHEN ${isKnown(sameName, 'pair.of_name')} THEN 'known'
      WHEN ${isPaid(`${sameName} AND ${sameCountry}`)} THEN 'name'
      WHEN ${isPaid(sameName)} THEN 'elsewhere' ELSE 'new' END AS found FROM dated pair),
  seen AS MATERIALIZED (SELECT *, CASE WHEN found IN ('id', 'name') THEN 'changed' ELSE found END AS verdict, CASE found
      WHEN 'new' THEN NULL
      WHEN 'id' THEN (SELECT k.payout ${paid('k.id_key = pair.id_key', 'pair.since')} ${latest})
      WHEN 'name' THEN (SELECT k.payout ${paid(`${sameName} AND ${sameCountry}`, 'pair.since')} ${latest})
      ELSE (SELECT k.payout ${paid(sameName, 'pair.since')} ${latest}) END AS last
    FROM judged pair WHERE found <> 'known'),
  twice AS MATERIALIZED (SELECT DISTINCT pair.name_key, pair.account FROM (SELECT sibling.*, seen.of_name
      FROM (${siblings}) sibling JOIN seen ON seen.name_key = sibling.name_key AND found = 'name' AND id_key IS NULL) pair
    WHERE ${isPaid(`${sameName} AND k.account = pair.account AND p.batch IN (?1, pair.of_name)`, 'NULL')}),
  odd AS MATERIALIZED (SELECT *, found = 'name' AND id_key IS NULL
      AND EXISTS (SELECT 1 FROM twice WHERE twice.name_key = seen.name_key AND twice.account <> seen.account) AS ambiguous FROM seen)`;

const lastOfAccounts = `of_account AS MATERIALIZED (
  SELECT account, since, (SELECT k.payout ${paid('k.account = pair.account', 'pair.since')} ${latest}) AS last
  FROM (SELECT DISTINCT account, since FROM seen) pair)`;

const oddRows = `one JOIN odd ON odd.name_key = one.name_key AND odd.account = one.account
  AND odd.id_key IS NOT DISTINCT FROM one.id_key AND odd.since IS NOT DISTINCT FROM one.since`;
