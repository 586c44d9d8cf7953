/** Rows that look like an earlier sent row, completely or except for one thing that somebody may have corrected. */
import type { Ledger } from '../contract.ts';
import type { NearTwin, WaitingTwin, WholeTwin } from '../facts.ts';
import { addressOfBatch, anyOtherSheet, isAt, notSentStates, saidAt, sentStates, wasSent } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';

export function openTwins(
  sql: Sql,
): Pick<Ledger, 'twins' | 'twinsOfBatch' | 'nearTwins' | 'nearTwinsOfBatch' | 'waitingTwins'> {
  /** The statements are long. Without other sheets or sent rows there is no twin. */
  const ofBatch = <T>(text: string, batch: string, since: number, address: string): T[] =>
    sql.one(anySent, address) === null || sql.one(anyOtherSheet, batch) === null
      ? []
      : sql.all<T>(text, batch, since, address);
  const ofDraft = <T>(text: string, batch: string, since: number, address: string): T[] =>
    sql.one(anySent, address) === null || (sql.one(anyOtherSheet, batch) === null && sql.one(anyNew, batch) === null)
      ? []
      : sql.all<T>(text, batch, since, address);
  const goesOn = (batch: string) => sql.one(`SELECT 1 WHERE ${firstSent} IS NOT NULL`, batch) !== null;
  return {
    twins: async (batch, since, address, adds = false) => {
      const brings = adds || goesOn(batch);
      return ofDraft<WholeTwin>(twinsOf(draftRows, notInDraft, '', brings ? 'TRUE' : 'FALSE'), batch, since, address);
    },
    twinsOfBatch: async (batch, since, address, again = false) =>
      ofBatch<WholeTwin>(
        twinsOf(again ? unpaidRows : batchRows, notInSheet, `, ${isUnnamed('p.batch')}`, 'FALSE', again),
        batch,
        since,
        address,
      ),
    nearTwins: async (...of) => ofDraft<NearTwin>(nearTwinsOf(draftRows, 'temp.draft', ''), ...of),
    nearTwinsOfBatch: async (batch, since, address, again = false) =>
      ofBatch<NearTwin>(
        nearTwinsOf(again ? unpaidRows : batchRows, `(${batchRows})`, `AND NOT (${inBatchRows})`, again),
        batch,
        since,
        address,
      ),
    waitingTwins: (batch, address, since, limit) =>
      sql.one(anyWaits, batch, address, since) === null
        ? []
        : sql.all<WaitingTwin>(waitingTwins, batch, address, since, limit),
  };
}

const said = (content: string, what: string) => `json_extract(${content}, '$.${what}')`;

const draftRows = `SELECT NULL AS row, draft.number, draft.key, draft.digest, draft.currency, draft.unit, draft.amount, draft.destination,
  draft.likeness, draft.content, known.id AS mine FROM temp.draft LEFT JOIN payout known ON known.batch = ?1 AND known.key = draft.key`;

const anyNew = `SELECT 1 FROM temp.draft WHERE NOT EXISTS (SELECT 1 FROM payout WHERE batch = ?1 AND key = draft.key) LIMIT 1`;

const rowsThat = (
  state: string,
) => `SELECT id AS row, number, key, digest, currency, unit, amount, destination, likeness, content, id AS mine
  FROM payout JOIN payout_content ON payout = id
  WHERE batch = ?1 AND sheet = (SELECT sheet FROM batch WHERE name = payout.batch) AND state ${state}`;

const notSaid = (sent: string, said: string) => `coalesce(${sent}.submitted_at > ${said}, TRUE)`;

/** A refused row stays unpaid until somebody sends it again. */
const batchRows = rowsThat("<> 'refused'");

const unpaidRows = rowsThat("IN ('refused', 'expired')");

const notInDraft = 'NOT EXISTS (SELECT 1 FROM temp.draft WHERE draft.key = p.key)';
const notInSheet = 'p.sheet <> (SELECT sheet FROM batch WHERE name = ?1)';

const inBatchRows = 'p.batch = ?1 AND p.sheet = (SELECT sheet FROM batch WHERE name = ?1) AND p.not_repeat IS NULL';

/** A refused or unsent attempt created no payment; an expired payment of an earlier revision did. */
const neverSent = `own.state IN ('planned', 'ready', 'refused') AND own.payment_id IS NULL AND own.revision = 0`;

/** The person may not know that the row's corrected copy was paid meanwhile. */
const sentAgain = (again: boolean) =>
  again
    ? 'own.attempts > 0'
    : `own.attempts > 0 AND own.state IN ('planned', 'ready')
  AND EXISTS (SELECT 1 FROM trail t WHERE t.payout = own.id AND json_extract(t.entry, '$[4].why') = 'sent again')`;

/** Row `own` was sent because `paid` seemed unpaid, and `paid` may be paid after all. */
const copyOf = (paid: string, own: string) =>
  `EXISTS (SELECT 1 FROM copy WHERE copy.payout = ${paid} AND copy.copy = ${own} AND copy.known IS NULL)`;

/** An expired row has created a payment once, so only a later payment can repeat it. */
const runsAgain = (again: boolean, corrected = 'FALSE') =>
  again
    ? `(own.revision > 0 OR own.state = 'expired')`
    : `((own.revision > 0 AND own.state IN ('planned', 'ready')) OR (own.state = 'expired' AND ${corrected}))`;

const isCorrected = 'one.digest <> (SELECT digest FROM payout_content WHERE payout = own.id)';

const sent = (since: string, address: string) =>
  `p.state IN (${sentStates}) AND p.submitted_at >= ${since} AND ${isAt('p.batch', address)}`;

const sentSince = sent('?2', '?3');

const anySent = `SELECT 1 FROM payout p WHERE ${sent('0', '?1')} LIMIT 1`;

const firstSent = `(SELECT min(q.submitted_at) FROM payout q WHERE q.batch = ?1 AND ${wasSent('q')})`;

const takenAt = '(SELECT received_at FROM sheet WHERE id = own.first_sheet)';

const waitsSince = `coalesce(own.submitted_at, ${takenAt})`;

const isSame = 'p.key = one.key AND c.digest = one.digest';

const wentOut = (row: string) => `${row}.state IN (${sentStates}) AND ${row}.submitted_at IS NOT NULL`;

/** Nobody had to give a reason to pay these rows again. */
const ownSent = `q.batch = ?1 AND ${wentOut('q')} AND q.not_repeat IS NULL
  AND (SELECT repeat_reason FROM batch WHERE name = q.batch) IS NULL`;

/** A monthly payroll pays the same rows each month. A batch that lacks one of them, or sent later, stays in doubt. */
const earlierMonths = `SELECT p.batch FROM payout q JOIN payout_content own ON own.payout = q.id
  JOIN payout_content c ON c.likeness = own.likeness AND c.digest = own.digest JOIN payout p ON p.id = c.payout AND p.key = q.key
  WHERE ${ownSent} AND p.batch <> ?1 AND ${wentOut('p')} AND p.submitted_at < ${firstSent}
  GROUP BY p.batch HAVING count(*) > 1 AND count(*) = (SELECT count(*) FROM payout q WHERE ${ownSent})`;

const ofAMonth = `(p.submitted_at < ${firstSent} AND p.batch IN (SELECT batch FROM months))`;

/** Another batch sent the row while it waited, or it came to a batch that had already sent. */
const asAnother = (
  brings: string,
) => `(p.batch <> ?1 AND CASE WHEN own.id IS NULL THEN ${brings} AND NOT coalesce(${ofAMonth}, FALSE)
    ELSE coalesce(${firstSent} < ${takenAt} AND NOT ${ofAMonth}, FALSE)
      OR coalesce(${waitsSince} < p.submitted_at, FALSE) END)`;

/** Spreadsheets or people change a column of ids. Only a different row_id may mean a different payment. */
const renumbered = (isGone: string) => `(p.batch = ?1 AND ${isGone}
    AND coalesce(ltrim(${said('c.content', 'rowId')}, '0') = ltrim(${said('one.content', 'rowId')}, '0'), TRUE))`;

const sinceTaken = (own: string, sent: string) =>
  `coalesce(${sent}.submitted_at > (SELECT received_at FROM sheet WHERE id = ${own}.first_sheet), FALSE) AS sinceTaken`;

/** The name may have been made from the batch's rows (pipeline/repeats.ts). */
const isUnnamed = (batch: string) => `length(${batch}) = 18 AND substr(${batch}, 1, 2) = 'b-'`;

/** For rows that were never sent: the newest sent row at one address in another sheet. `apart` separates kinds. */
const twinsOf = (
  rows: string,
  isGone: string,
  apart: string,
  brings: string,
  again = false,
) => `WITH months AS MATERIALIZED (${earlierMonths}) SELECT row, number, currency, amount, batch, twin, sentAt, sinceTaken, brought, asAnother, renumbered FROM (
  SELECT one.row, one.number, one.currency, one.amount, p.batch, p.number AS twin, p.submitted_at AS sentAt, ${sinceTaken('own', 'p')},
    CASE WHEN own.id IS NULL THEN 1 ELSE 0 END AS brought, ${asAnother(brings)} AS asAnother, ${renumbered(isGone)} AS renumbered,
    row_number() OVER (PARTITION BY one.number, p.batch = ?1, ${asAnother(brings)}, ${renumbered(isGone)}${apart} ORDER BY p.submitted_at DESC, p.id) AS place
  FROM (${rows}) one LEFT JOIN payout own ON own.id = one.mine
  JOIN payout_content c ON c.likeness = one.likeness JOIN payout p ON p.id = c.payout
  WHERE ${sent('0', '?3')} AND ${notSaid('p', saidAt('own'))} AND (p.submitted_at >= ?2 OR (${isSame} AND ${asAnother(brings)}) OR ${renumbered(isGone)}) AND (own.id IS NULL
    OR (own.first_sheet <> p.first_sheet AND ((${neverSent}) OR (${runsAgain(again, isCorrected)} AND (p.submitted_at > own.submitted_at OR ${copyOf('p.id', 'own.id')})))))
  ) found WHERE place = 1 ORDER BY number, sentAt DESC`;

/** A reference is letters, digits and spaces (domain/text.ts). */
const parts = (
  row: string,
  content: string,
) => `${row}.number, ${row}.destination, ${row}.amount, ${row}.currency, ${row}.unit,
  ${said(content, 'reference')} AS reference, lower(replace(${said(content, 'reference')}, ' ', '')) AS respelt, ${said(content, 'name')} AS name`;

/** Rows differ in amount, account or reference. A sent row that `sheet` still has does not count. `apart` excludes most early. */
const nearTwinsOf = (rows: string, sheet: string, apart: string, again = false) => `WITH
  since AS MATERIALIZED (
    SELECT p.id, p.batch, p.submitted_at, p.number, p.destination, p.amount, p.currency, p.unit, p.first_sheet
    FROM payout p WHERE ${sentSince} ${apart}),
  sent AS MATERIALIZED (
    SELECT p.id, p.batch, p.submitted_at, ${parts('p', 'c.content')}, p.first_sheet
    FROM since p JOIN payout_content c ON c.payout = p.id WHERE c.likeness NOT IN (SELECT likeness FROM ${sheet})),
  one AS MATERIALIZED (
    SELECT s.row, s.mine, ${parts('s', 's.content')}, own.first_sheet, own.revision, ${saidAt('own')} AS said_at, CASE WHEN ${sentAgain(again)} THEN own.submitted_at END AS tried_at
    FROM (${rows}) s LEFT JOIN payout own ON own.id = s.mine
    WHERE EXISTS (SELECT 1 FROM sent) AND (own.id IS NULL OR (${neverSent}) OR (${runsAgain(again)}))),
  near AS (${near('destination, reference', 'amount', `NOT (${sameMoney})`)}
    UNION ALL ${near('destination, amount, unit, currency', 'reference', 'one.reference <> sent.reference')}
    UNION ALL ${near('destination, amount, unit, currency, respelt', 'reference', 'one.reference <> sent.reference')}
    UNION ALL ${near('name, reference, amount, unit, currency', 'account', 'one.destination <> sent.destination')})
  SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY number, differs, isRespelt, batch = ?1, ${isUnnamed('batch')}, sinceTaken, sinceTried
    ORDER BY sentAt DESC) AS place FROM near) found
  WHERE place = 1 ORDER BY number, differs = 'reference', NOT isRespelt, sentAt DESC`;

const sameMoney = 'one.amount = sent.amount AND one.unit = sent.unit AND one.currency = sent.currency';

/** Takes only the newest of each sheet, because a payee may have thousands of rows. */
function near(keys: string, differs: string, unlike: string): string {
  const equal = keys.split(', ').map((key) => `one.${key} = sent.${key}`);
  return `SELECT one.row, one.number, one.currency, one.amount, sent.batch, sent.number AS twin, sent.submitted_at AS sentAt,
      ${sinceTaken('one', 'sent')}, sent.currency AS sentCurrency, sent.amount AS sentAmount, one.reference, sent.reference AS sentReference, one.name, sent.name AS sentName,
      coalesce(sent.submitted_at > one.tried_at OR ${copyOf('sent.id', 'one.mine')}, FALSE) AS sinceTried, '${differs}' AS differs, one.respelt = sent.respelt AS "isRespelt"
    FROM (SELECT *, row_number() OVER (PARTITION BY ${keys}, first_sheet ORDER BY submitted_at DESC, id) AS place FROM sent) sent
    JOIN one ON ${equal.join(' AND ')} WHERE sent.place = 1 AND ${unlike} AND ${notSaid('sent', 'one.said_at')} AND (one.first_sheet IS NULL
      OR (one.first_sheet <> sent.first_sheet AND (one.revision = 0 OR sent.submitted_at > one.tried_at OR ${copyOf('sent.id', 'one.mine')})))`;
}

/** ?1 is the draft's batch; sheets count since ?3. */
const waits = (
  content = '',
) => `FROM batch b JOIN sheet s ON s.id = b.sheet JOIN payout p ON p.batch = b.name AND p.sheet = b.sheet ${content}
  WHERE b.name <> ?1 AND ${addressOfBatch('b')} = ?2 AND s.received_at >= ?3
    AND (p.state IN (${notSentStates}) OR (p.state = 'held' AND p.submitted_at IS NULL))`;

const anyWaits = `SELECT 1 ${waits()} LIMIT 1`;

const waitingRows = `SELECT p.id, p.batch, p.number, p.state, p.destination, p.amount, p.unit, p.currency,
    ${said('c.content', 'reference')} AS reference, y.name_key
  ${waits('JOIN payout_content c ON c.payout = p.id JOIN payee y ON y.payout = p.id')}`;

/** Takes only the newest, because a payee may have many rows. */
const alikeWaits = (keys: string, differs: string, unlike: string) => {
  const equal = keys.split(', ').map((key) => `one.${key} = w.${key}`);
  return `SELECT one.number, w.id, w.batch, w.number AS twin, CASE WHEN w.state = 'held' THEN 1 ELSE 0 END AS held,
      '${differs}' AS differs, w.amount AS waitingAmount, w.currency AS waitingCurrency
    FROM (SELECT *, row_number() OVER (PARTITION BY ${keys} ORDER BY id DESC) AS place FROM waiting) w
    JOIN one ON ${equal.join(' AND ')} WHERE w.place = 1 AND ${unlike}`;
};

/** An equal waiting row comes before one with a difference. */
const waitingTwins = `WITH waiting AS MATERIALIZED (${waitingRows}),
  one AS MATERIALIZED (SELECT d.number, d.destination, d.amount, d.unit, d.currency, ${said('d.content', 'reference')} AS reference, d.name_key
    FROM temp.draft d LEFT JOIN payout own ON own.batch = ?1 AND own.key = d.key
    WHERE EXISTS (SELECT 1 FROM waiting) AND (own.id IS NULL OR NOT ${wasSent('own')})),
  alike AS (${alikeWaits('destination, reference, amount, unit, currency', 'nothing', 'TRUE')}
    UNION ALL ${alikeWaits('destination, reference', 'amount', `NOT (${sameMoney.replaceAll('sent.', 'w.')})`)}
    UNION ALL ${alikeWaits('name_key, reference, amount, unit, currency', 'account', 'one.destination <> w.destination')})
  SELECT number, batch, twin, held, differs, waitingAmount, waitingCurrency FROM (
    SELECT *, row_number() OVER (PARTITION BY number ORDER BY differs = 'nothing' DESC, id DESC) AS place FROM alike) found
  WHERE place = 1 ORDER BY number LIMIT ?4`;
