/** Finds rows that look like a row to be sent: at most one of account, amount and reference differs. */
import { matchedMs } from '../../domain/sending/match.ts';
import type { FoundMatch, MatchTimes } from '../facts.ts';
import {
  anyOtherSheet,
  closedByName,
  foldedReference,
  goesAgain,
  isAt,
  isListed,
  isOpen,
  sentStates,
  waitingStates,
} from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';

/** Leaves out the API key in `identity`, because a new key sees the same payments. */
export function matchTimes(identity: string, now: number): MatchTimes {
  return { address: identity.split('|')[0] ?? identity, since: now - matchedMs, now };
}

const said = (content: string, what: string) => `json_extract(${content}, '$.${what}')`;

const folded = (content: string) => foldedReference(said(content, 'reference'));

/** Selects draft rows to be sent. ?1 is the batch, ?2 the address, ?3 the time `MatchTimes.since`, ?4 the present. */
const draftRows = `SELECT known.id AS payout, d.number, d.amount, d.unit, d.currency, d.likeness, d.name_key, d.account,
    ${folded('d.content')} AS reference, CASE WHEN c.digest = d.digest THEN known.content_sheet END AS version,
    CASE WHEN c.digest = d.digest THEN coalesce(known.submitted_at, s.received_at) ELSE CAST(?4 AS BIGINT) END AS since
  FROM temp.draft d LEFT JOIN payout known ON known.batch = ?1 AND known.key = d.key
  LEFT JOIN payout_content c ON c.payout = known.id LEFT JOIN sheet s ON s.id = known.content_sheet
  WHERE known.id IS NULL OR known.state IN (${waitingStates}, 'invalid') OR ${goesAgain('known', 'c', 'd')}`;

const inBatch = 'p.batch = ?1 AND p.sheet >= (SELECT listed_since FROM batch WHERE name = ?1)';
/** True for rows in the newest sheet of batch ?1. That sheet may repeat an older row under another key. */
const inNewestSheet = 'p.sheet = (SELECT sheet FROM batch WHERE name = ?1)';

const batchRows = (
  which: string,
) => `SELECT p.id AS payout, p.number, p.amount, p.unit, p.currency, c.likeness, y.name_key, y.account,
    ${folded('c.content')} AS reference, p.content_sheet AS version, coalesce(p.submitted_at, s.received_at) AS since
  FROM payout p JOIN payout_content c ON c.payout = p.id JOIN payee y ON y.payout = p.id JOIN sheet s ON s.id = p.content_sheet
  WHERE CAST(?4 AS BIGINT) > 0 AND ${which}`;

/** The standing of the compared row `p`. Null leaves `p` out, for example because `p` ended unpaid. */
const standing = `CASE
    WHEN p.state IN ('succeeded', 'duplicate_paid') THEN 'ended'
    WHEN p.batch = ?1 AND ${closedByName('p')} THEN 'closed'
    WHEN p.state IN ('sending', 'in_doubt', 'absent') AND p.closed IS NULL THEN 'doubt'
    WHEN p.state IN (${sentStates}) THEN 'open'
    WHEN p.state IN (${waitingStates}) AND p.closed IS NULL AND ${isListed('p')} THEN 'waits' END`;

const otherRows = (
  isListed: string,
) => `SELECT p.id AS other, p.batch, p.number AS otherNumber, p.revision, p.amount, p.unit, p.currency,
    c.likeness, y.account, y.name_key, ${folded('c.content')} AS reference, p.content_sheet AS otherVersion,
    coalesce(p.submitted_at, p.accepted_at) AS sentAt, coalesce(p.settled_at, p.submitted_at, p.accepted_at) AS at, CASE WHEN ${isListed} THEN 1 ELSE 0 END AS listed, ${standing} AS standing
  FROM (SELECT payout FROM payee WHERE account IN (SELECT account FROM own)
    UNION SELECT payout FROM payee WHERE name_key IN (SELECT name_key FROM own)) beside
  JOIN payout p ON p.id = beside.payout JOIN payout_content c ON c.payout = p.id JOIN payee y ON y.payout = p.id
  WHERE ${isAt('p.batch', '?2')}`;

const sameMoney = 'own.amount = w.amount AND own.unit = w.unit AND own.currency = w.currency';

/** If `every` is false, keeps the rows that were paid last and sent last, per standing and sheet. A payee may have thousands of rows. */
function agreeing(differs: string, keys: string, unlike: string, every: boolean): string {
  const equal = keys.split(', ').map((key) => `own.${key} = w.${key}`);
  const place = (time: string) =>
    `row_number() OVER (PARTITION BY ${keys}, standing, listed, otherVersion ORDER BY coalesce(${time}, 0) DESC, other)`;
  const newest = `(SELECT * FROM (SELECT *, ${place('at')} AS paid, ${place('sentAt')} AS sent FROM others) placed WHERE 1 IN (paid, sent))`;
  return `SELECT own.payout, own.number, own.since, own.version, '${differs}' AS differs, w.other
    FROM own JOIN ${every ? 'others' : newest} w ON ${equal.join(' AND ')} WHERE ${unlike}`;
}

const isOlder = 'w.otherVersion < a.version';

/**
 * Leaves out pairs of rows from the same sheet, because the check of that sheet already compared these rows. `waitsHere`
 * is true for an unsent row of batch ?1 that the row `a` repeats.
 */
const pairs = (own: string, isListed: string, every = false, waitsHere = isOlder) => `WITH own AS MATERIALIZED (${own}),
  others AS MATERIALIZED (SELECT * FROM (${otherRows(isListed)}) found
    WHERE standing <> 'ended' OR (standing = 'ended' AND (batch = ?1 OR at >= ?3))),
  pair AS (SELECT a.payout, a.number, a.version, a.differs, w.*,
      CASE WHEN w.sentAt > a.since THEN 1 ELSE 0 END AS meanwhile
    FROM (${agreeing('nothing', 'likeness', 'TRUE', true)}
      UNION ALL ${agreeing('amount', 'account, reference', `NOT (${sameMoney})`, every)}
      UNION ALL ${agreeing('account', 'name_key, reference, amount, unit, currency', 'own.account <> w.account', every)}
      UNION ALL ${agreeing('reference', 'account, amount, unit, currency', 'own.reference <> w.reference', every)}) a
    JOIN others w ON w.other = a.other
    WHERE w.other IS DISTINCT FROM a.payout AND w.otherVersion IS DISTINCT FROM a.version
      AND (w.standing <> 'waits' OR w.batch <> ?1 OR ${waitsHere}))`;

/** The name contains the revision, because a person must allow each payment of a row separately. */
const matchName = `'row ' || pair.other || '/' || pair.revision`;

/** A person's word covers a row with the content that it had. New content has no version yet, so each match counts again. */
const newestPairs = (own: string, isListed: string, waitsHere = isOlder) => `${pairs(own, isListed, false, waitsHere)}
  SELECT found.payout, found.number, found.name, found.differs, found.batch, found.otherNumber, found.standing, found.listed, found.meanwhile, found.sentAt, found.at,
    found.amount, found.currency, ${said('c.content', 'reference')} AS reference
  FROM (SELECT pair.*, ${matchName} AS name, row_number() OVER (PARTITION BY pair.number, pair.payout, differs, standing, meanwhile, pair.batch = ?1, listed
      ORDER BY coalesce(at, 0) DESC, other) AS place
    FROM pair LEFT JOIN payout mine ON mine.id = pair.payout AND pair.version IS NOT NULL
    WHERE coalesce(instr(mine.allowed, '"' || ${matchName} || '"'), 0) = 0) found
  JOIN payout_content c ON c.payout = found.other WHERE place = 1 ORDER BY found.number, coalesce(found.at, 0) DESC, found.other, found.differs`;

const everyPair = (own: string, isListed: string) =>
  `${pairs(own, isListed, true)} SELECT DISTINCT payout, ${matchName} AS name FROM pair WHERE standing <> 'waits' OR batch = ?1 ORDER BY payout, name`;

const inDraft = 'p.batch = ?1 AND EXISTS (SELECT 1 FROM temp.draft d WHERE d.key = p.key AND d.digest = c.digest)';

/** A row of the draft is newer than each unsent row of the batch. A whole list closes the unsent rows that it lacks. */
const isNewer = `(a.version IS NULL OR ${isOlder})`;
const matchesOfWhole = newestPairs(draftRows, inDraft, `w.listed = 1 AND ${isNewer}`);
const matchesOfAdded = newestPairs(draftRows, inDraft, isNewer);
const matchesOfBatch = newestPairs(
  batchRows(`${inBatch} AND p.state IN (${waitingStates}) AND ${isOpen('p')}`),
  inNewestSheet,
);

export function matchNames(sql: Sql, batch: string, which: string, { address, since, now }: MatchTimes) {
  const pairsOfRows = everyPair(batchRows(which), inNewestSheet);
  const named = sql.all<{ payout: number; name: string }>(pairsOfRows, batch, address, since, now);
  return Map.groupBy(named, ({ payout }) => payout);
}

export function openMatches(sql: Sql) {
  const read = (text: string, batch: string, { address, since, now }: MatchTimes) =>
    sql
      .all<FoundRecord>(text, batch, address, since, now)
      .map(({ listed, meanwhile, ...match }) => ({ ...match, isListed: listed === 1, wasMeanwhile: meanwhile === 1 }));
  return {
    /** Returns ledger rows that look like draft rows to be sent: for each draft row, the newest row of each kind. */
    matchesOfDraft: async (batch: string, isAddition: boolean, times: MatchTimes) =>
      sql.one('SELECT 1 FROM sheet LIMIT 1') === null
        ? []
        : read(isAddition ? matchesOfAdded : matchesOfWhole, batch, times),
    matchesOfRows: async (batch: string, times: MatchTimes) =>
      sql.one(anyOtherSheet, batch) === null ? [] : read(matchesOfBatch, batch, times),
    /** Returns the names of sent or closed rows that look like this row. The name `row 12/3` means id 12, revision 3. */
    matchNames: async (batch: string, row: number, times: MatchTimes) =>
      (matchNames(sql, batch, `p.id = ${row}`, times).get(row) ?? []).map(({ name }) => name),
  };
}

type FoundRecord = Omit<FoundMatch, 'isListed' | 'wasMeanwhile'> & {
  readonly listed: 0 | 1;
  readonly meanwhile: 0 | 1;
};
