/** Compares a draft with the batches in the ledger. */
import { type RowState, readClosed } from '../../domain/rows/row-states.ts';
import {
  type LineKind,
  lineKinds,
  type RowStanding,
  rowStandings,
  withEffect,
} from '../../domain/rows/version-table.ts';
import type { BatchFacts, DraftBatch, LedgerRow, PlannedMerchant, PlannedRow } from '../facts.ts';
import {
  addressOfBatch,
  differs,
  hasNewDocument,
  isListed,
  isOpen,
  isRetried,
  mayBePaid,
  notSentStates,
  selectRows,
  sentStates,
  waitingStates,
} from '../rows/columns.ts';
import { isMistaken, rowOf } from '../rows/rows.ts';
import type { Sql } from '../store/sql.ts';
import { countLoose, findBatch } from './batches.ts';
import { readCounts, readTotals } from './draft.ts';

export const isBroken = 'EXISTS (SELECT 1 FROM temp.draft_invalid i WHERE i.key = p.key)';
/** True if `i` is the first invalid line with its key, and no valid draft row has the key. */
export const isAlone = `NOT EXISTS (SELECT 1 FROM temp.draft good WHERE good.key = i.key)
  AND NOT EXISTS (SELECT 1 FROM temp.draft_invalid above WHERE above.key = i.key AND above.number < i.number)`;
const knownRows = 'temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key';
const isSent = `p.state IN (${sentStates})`;
const newRows = 'temp.draft WHERE NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft.key)';
/** A line with a mistake and an id is a row too: a later sheet may correct it without `--add`. */
const newMistakes = `temp.draft_invalid i WHERE i.id IS NOT NULL AND ${isAlone} AND NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = i.key)`;
/** True for a row that a whole list closes if no draft row has its key. */
const ends = `(NOT ${isBroken} AND ${isListed('p')} AND p.closed IS NULL AND NOT ${mayBePaid('p')})`;
const droppedRows = `payout p WHERE p.batch = ? AND NOT EXISTS (SELECT 1 FROM temp.draft WHERE draft.key = p.key) AND ${ends}`;

const isOther = differs('p', 'c', 'draft');
const stays = `(draft.key IS NULL OR NOT (${isOther} OR ${isRetried('p')}) OR ${mayBePaid('p')})`;
const unlessHeld = (state: string) => `CASE WHEN ${state} IN (${notSentStates})
  AND draft.number IN (SELECT number FROM temp.draft_held) THEN 'withheld' ELSE ${state} END`;
const withContent = 'JOIN payout_content c ON c.payout = p.id';

const hasOtherDocument = `EXISTS (SELECT 1 FROM temp.draft_document f JOIN document own ON own.payout = p.id AND own.name = f.name
  WHERE f.number = draft.number AND own.sha256 <> f.sha256 AND own.state NOT IN ('due', 'missing'))`;

const sameAmount = 'p.amount = draft.amount AND p.currency = draft.currency';
const sameReference = "json_extract(c.content, '$.reference') = json_extract(draft.content, '$.reference')";
const alike = `(p.destination = draft.destination OR (${sameAmount} AND ${sameReference}))`;

const rowsWithDraft = (isAddition: boolean) => `
  SELECT CASE WHEN draft.key IS NULL AND ${isBroken} AND p.state IN (${waitingStates}, 'invalid') THEN 'invalid' ELSE ${unlessHeld('p.state')} END AS state,
    draft.key IS NULL AND (NOT ${isOpen('p')}${isAddition ? '' : ` OR ${ends}`}) AS shut, (draft.key IS NOT NULL${isAddition ? ` OR ${isListed('p')}` : ''}) AS listed, p.currency, p.unit, p.from_country, p.amount, p.paid_amount
  FROM payout p ${withContent} LEFT JOIN temp.draft ON draft.key = p.key WHERE p.batch = ? AND ${stays}
  UNION ALL
  SELECT ${unlessHeld("'planned'")}, FALSE, TRUE, draft.currency, draft.unit, draft.from_country, draft.amount, NULL
  FROM temp.draft LEFT JOIN payout p ON p.batch = ? AND p.key = draft.key LEFT ${withContent}
  WHERE p.id IS NULL OR NOT ${stays}`;

const draftRows = `
  SELECT draft.number, draft.key, draft.digest, draft.content, draft.destination,
    ${unlessHeld(`(CASE WHEN p.id IS NULL OR NOT ${stays} THEN 'planned' ELSE p.state END)`)} AS state,
    (SELECT string_agg(CAST(json_array(name, sha256, size_bytes) AS TEXT), ',' ORDER BY name)
     FROM temp.draft_document d WHERE d.number = draft.number) AS documents
  FROM temp.draft LEFT JOIN payout p ON p.batch = ? AND p.key = draft.key LEFT ${withContent}`;

type PlannedRecord = Omit<PlannedRow, 'documents'> & { readonly documents: string | null };

function readPlanned({ documents, ...row }: PlannedRecord): PlannedRow {
  const parts = JSON.parse(`[${documents ?? ''}]`) as (readonly [name: string, sha256: string, sizeBytes: number])[];
  return { ...row, documents: parts.map(([name, sha256, sizeBytes]) => ({ name, sha256, sizeBytes })) };
}

export function openComparing(sql: Sql) {
  return {
    *plannedRows(batch: string) {
      for (const record of sql.each<PlannedRecord>(`${draftRows} ORDER BY draft.number`, batch))
        yield readPlanned(record);
    },
    plannedRow(batch: string, key: string) {
      const record = sql.one<PlannedRecord>(`${draftRows} WHERE draft.key = ?`, batch, key);
      return record === null ? null : readPlanned(record);
    },
    plannedMerchants: (batch: string, identity: string) =>
      sql.each<PlannedMerchant>(
        `SELECT first.destination, d.content, first.number, first.rows, m.merchant_id AS merchantId
         FROM (SELECT destination, min(number) AS number, count(*) AS rows FROM (${draftRows}) planned
           WHERE state IN (${notSentStates}) GROUP BY destination) first
         JOIN temp.draft d ON d.number = first.number
         LEFT JOIN merchant m ON m.identity = ? AND m.destination = first.destination ORDER BY first.number`,
        batch,
        identity,
      ),
    /** Returns batches with alike rows of the draft. The batch with the most unchanged rows comes first. */
    batchesOfDraft: async () =>
      sql.all<DraftBatch>(
        `SELECT p.batch, count(*) AS rows, count(*) FILTER (WHERE ${alike}) AS alike, ${addressOfBatch('batch')} AS address,
         count(*) FILTER (WHERE draft.digest = c.digest) AS same,
         (SELECT count(*) FROM payout p WHERE p.batch = batch.name AND p.state <> 'succeeded' AND ${standing} NOT LIKE 'closed%') AS open,
         count(*) FILTER (WHERE draft.digest = c.digest AND p.state = 'succeeded') AS paid,
         count(*) FILTER (WHERE draft.digest = c.digest AND p.state = 'withheld') AS held
         FROM temp.draft JOIN payout p ON p.key = draft.key ${withContent} JOIN batch ON batch.name = p.batch
         GROUP BY p.batch, batch.name, batch.created_at, batch.identity HAVING count(*) FILTER (WHERE ${alike}) > 0
         ORDER BY same DESC, alike DESC, batch.created_at DESC, p.batch`,
      ),
    compare: async (batch: string) => compareDraft(sql, batch),
    /** Counts the rows of the batch as a version of the draft would make them. */
    countsWithDraft: async (batch: string | null, isAddition: boolean) =>
      readCounts(sql, rowsWithDraft(isAddition), batch, batch),
    /** Counts the open rows that the draft lacks, and the closed rows that a version of the draft would open again. */
    async gapsOfDraft(batch: string) {
      const rows = standingsOf(sql, batch);
      const lacks = rows['may be paid'].missing + rows.unpaid.missing + rows['never sent'].missing;
      return { lacks, reopens: withEffect({ rows }, 'returns') };
    },
    /** Returns the unpaid rows that the draft lacks. An import with `--drop` would close these rows. */
    droppedByDraft: async (batch: string, limit: number) =>
      sql.all<{ key: string; content: string }>(
        `SELECT gone.key, c.content FROM (SELECT p.id, p.key FROM ${droppedRows}) gone
           JOIN payout_content c ON c.payout = gone.id ORDER BY gone.id LIMIT ?`,
        batch,
        limit,
      ),
    /** Returns lines of the draft whose row a person closed. Leaves out rows that a sheet closed, and those paid after all. */
    closedInDraft: async (batch: string) =>
      sql
        .all<{ number: number; id: number; closed: string }>(
          `SELECT here.number, p.id, p.closed FROM (SELECT number, key FROM temp.draft UNION ALL SELECT i.number, i.key FROM temp.draft_invalid i WHERE ${isAlone}) here
           JOIN payout p ON p.batch = ? AND p.key = here.key WHERE NOT ${isOpen('p')} ORDER BY here.number`,
          batch,
        )
        .flatMap(({ closed, number, id }) => {
          const { why, ...said } = readClosed(closed);
          return typeof why === 'string' ? [{ number, row: rowOf(sql, id), ...said, why }] : [];
        }),
    unpaidInDraft: async (batch: string) =>
      sql.all<LedgerRow>(
        `${selectRows} WHERE id IN (SELECT p.id FROM ${knownRows} ${withContent}
           WHERE p.state IN ('refused', 'expired') AND p.closed IS NULL AND ${isListed('p')} AND NOT ${isMistaken} AND NOT ${isOther}) ORDER BY id`,
        batch,
      ),
    documentsToAttach: async (batch: string | null) =>
      sql.value<number>(
        `SELECT count(*) FROM temp.draft_document d JOIN temp.draft ON draft.number = d.number
         WHERE NOT EXISTS (SELECT 1 FROM payout p ${withContent} JOIN document ON document.payout = p.id
           WHERE p.batch = ? AND p.key = draft.key AND ${stays} AND document.name = d.name AND document.state = 'attached')`,
        batch,
      ) ?? 0,
  };
}

export type Comparison = ReturnType<typeof compareDraft>;

/** True if the sheet makes no new version: it has the rows of the newest sheet and, as a whole list, all rows of the version. */
export const repeatsHead = ({ isHead, isWhole }: Comparison, isAddition: boolean): boolean =>
  isHead && (isAddition || isWhole);

export function compareDraft(sql: Sql, batch: string) {
  const count = (rows: string) => sql.value<number>(`SELECT count(*) FROM ${rows}`, batch) ?? 0;
  const known = findBatch(sql, batch);
  const changed = (which: string) =>
    sql.all<{ number: number; key: string; state: RowState; paymentId: string | null; was: string; now: string }>(
      `SELECT draft.number, draft.key, p.state, p.payment_id AS paymentId, c.content AS was, draft.content AS now
       FROM ${knownRows} ${withContent}
       WHERE ${which} ORDER BY draft.number`,
      batch,
    );
  const mistaken = (rows: string) =>
    sql.all<{ number: number; key: string; state: RowState }>(
      `SELECT i.number, i.key, p.state FROM temp.draft_invalid i JOIN payout p ON p.batch = ? AND p.key = i.key
       WHERE ${rows} AND ${isAlone} ORDER BY i.number`,
      batch,
    );
  const added = count(newRows) + count(newMistakes);
  const returning = sql.all<{ number: number; was: string; now: string }>(
    `SELECT draft.number, draft.content AS now, CASE WHEN ${isDropped} THEN 'removed' WHEN c.digest = '' THEN 'mistake' ELSE c.content END AS was
     FROM ${knownRows} ${withContent} WHERE ${isDropped} OR ${isOlder} ORDER BY draft.number`,
    batch,
  );
  const sent = count(
    `payout p WHERE batch = ? AND (${isSent} OR ((p.attempts > 0 OR p.payment_id IS NOT NULL) AND p.state NOT IN (${notSentStates})))`,
  );
  return {
    known: known !== null,
    rows: standingsOf(sql, batch),
    added,
    older: returning.length,
    hasSent: sent > 0,
    loose: known === null ? 0 : countLoose(sql, known.sheet.id),
    /** True if the draft has the rows and documents of the batch's newest sheet, and both are free of mistakes. */
    isHead: known !== null && added === 0 && isHead(sql, known),
    /** True if the newest sheet has all rows of its version. An addition leaves out the rows of the version before. */
    isWhole: count(`payout p WHERE p.batch = ? AND ${isListed('p')} AND p.sheet < ${known?.sheet.id ?? 0}`) === 0,
    /** The draft changes these rows. Rows in `changedAfterSending` may already be paid, so they keep their content. */
    corrected: changed(`NOT ${isSent} AND ${isOther}`),
    changedAfterSending: changed(`${isSent} AND ${isOther}`),
    /** Sent rows with the same money that keep their other content and their attached documents. */
    kept: changed(`${isSent} AND NOT ${isOther} AND (c.content <> draft.content OR ${hasOtherDocument})`),
    /** Lines with mistakes whose rows may be paid already. Such a row does not become `invalid`: it would look unpaid. */
    invalidSent: mistaken(isSent),
    invalidUnsent: mistaken(`${standing} = 'never sent'`),
    /** Rows with an expired payment that the draft changes, lacks or sends again. Payrun reads their payments again, in case the service paid late. */
    expired: sql.all<Pick<LedgerRow, 'id' | 'batch' | 'key' | 'number'> & { isMissing: 0 | 1 }>(
      `SELECT p.id, p.batch, p.key, p.number, CASE WHEN draft.key IS NULL THEN 1 ELSE 0 END AS "isMissing"
       FROM payout p ${withContent} LEFT JOIN temp.draft ON draft.key = p.key
       WHERE p.batch = ? AND (p.state = 'expired' OR p.revision > 0) AND NOT ${mayBePaid('p')}
         AND (${line} = 'other' OR ${isRetried('p')} OR (${line} = 'missing' AND p.closed IS NULL AND ${isListed('p')}))
       ORDER BY p.number`,
      batch,
    ),
    /** Draft rows that bring back old content, or a row that a newer sheet removed or has a mistake in (`isGone`). */
    returning: [...returning, ...mistaken(isDropped).map(({ number }) => ({ number, was: 'removed', now: '' }))],
    sent,
    addedTotals: readTotals(sql, newRows, batch),
    droppedTotals: readTotals(sql, droppedRows, batch),
  };
}

/** True if a newer sheet replaced the content of an unpaid row, and the draft has the old content again. */
const isOlder = `(NOT ${isSent} AND c.content <> draft.content
  AND EXISTS (SELECT 1 FROM trail t WHERE t.payout = p.id AND json_extract(t.entry, '$[4].replaced')
    IN (CASE WHEN c.digest <> draft.digest THEN draft.digest END, sha256_hex(draft.content))))`;
const isDropped = `(NOT ${mayBePaid('p')} AND NOT ${isListed('p')})`;

const standing = `CASE WHEN ${mayBePaid('p')} THEN 'may be paid' WHEN ${isSent} THEN 'closed in doubt'
  WHEN p.closed IS NOT NULL OR NOT ${isListed('p')} THEN 'closed' WHEN p.state IN ('refused', 'expired') THEN 'unpaid' ELSE 'never sent' END`;
const line = `CASE WHEN draft.key IS NOT NULL THEN CASE WHEN ${isOther} THEN 'other' ELSE 'same' END
  WHEN ${isBroken} THEN 'mistake' ELSE 'missing' END`;

function standingsOf(sql: Sql, batch: string) {
  const counts = sql.all<{ standing: RowStanding; line: LineKind; n: number }>(
    `SELECT standing, line, count(*) AS n FROM (SELECT ${standing} AS standing, ${line} AS line
       FROM payout p ${withContent} LEFT JOIN temp.draft ON draft.key = p.key WHERE p.batch = ?) judged GROUP BY standing, line`,
    batch,
  );
  const count = (is: RowStanding, as: LineKind) => counts.find((one) => one.standing === is && one.line === as)?.n ?? 0;
  const each = (is: RowStanding) => Object.fromEntries(lineKinds.map((as) => [as, count(is, as)]));
  const standings = Object.fromEntries(rowStandings.map((is) => [is, each(is)]));
  return standings as Record<RowStanding, Record<LineKind, number>>;
}

/** True if the draft equals the newest sheet of the batch. A sheet with mistakes never counts as equal. */
function isHead(sql: Sql, { name, sheet }: BatchFacts): boolean {
  if (sheet.invalid > 0 || sql.one("SELECT 1 FROM temp.draft_problem WHERE severity = 'error' LIMIT 1") !== null)
    return false;
  const others = `SELECT 1 FROM ${knownRows} ${withContent} WHERE p.sheet <> ? OR ${isOther} OR ${hasNewDocument('p', 'draft')}
    OR EXISTS (SELECT 1 FROM document own WHERE own.payout = p.id AND own.state IN ('due', 'missing')
      AND NOT EXISTS (SELECT 1 FROM temp.draft_document d WHERE d.number = draft.number AND d.name = own.name)) LIMIT 1`;
  const rows = sql.value<number>('SELECT count(*) FROM temp.draft') ?? 0;
  return rows === sheet.rows && sql.one(others, name, sheet.id) === null;
}
