/** Compares the sheet that is being checked with the batches in the ledger. */
import { readEntry } from '../../audit/chain.ts';
import { accountMark, foldedPayee, mayBeMended, payeeWords } from '../../domain/accounts/payee.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { Ledger } from '../contract.ts';
import {
  type BatchFacts,
  type ChangedRow,
  type Comparison,
  type DraftBatch,
  type GivenUp,
  idOf,
  type PlannedRow,
  type SentBefore,
  type SkippedBeside,
  type SkippedRow,
  sheetOf,
  skippedOf,
} from '../facts.ts';
import {
  addressOf,
  addressOfBatch,
  hasReason,
  judgedAnew,
  lastTold,
  notSentStates,
  sentStates,
  wasSent,
  wasTried,
  withheld,
} from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';
import { findBatch } from './batches.ts';
import { type CountRecord, countColumns, readCount, readTotal, type TotalRecord, totalColumns } from './draft.ts';
import { skippedRows } from './skipped.ts';

const knownRows = 'temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key';
const newRows = 'temp.draft WHERE NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft.key)';
const missingRows = 'payout p WHERE p.batch = ? AND NOT EXISTS (SELECT 1 FROM temp.draft WHERE draft.key = p.key)';

/** `c` is the content of row `p`, `draft` the sheet's row with its key. */
const stays = `(draft.key IS NULL OR draft.digest = c.digest OR ${wasSent('p')})`;
/** A row that is held only because its payee's account changed is judged again. */
const judged = `CASE WHEN ${judgedAnew('p')} THEN 'planned' ELSE p.state END`;
const notSent = `(p.state IN (${notSentStates}) OR ${withheld('p')})`;
/** An unsent row of `draft_odd` with `held` has a payee whose account changed. */
const unlessHeld = (state: string) => `CASE WHEN ${state} IN (${notSentStates})
  AND draft.number IN (SELECT number FROM temp.draft_odd WHERE held = 1) THEN 'held' ELSE ${state} END`;
const isAlone = 'NOT EXISTS (SELECT 1 FROM temp.draft good WHERE good.key = i.key)';
const withContent = 'JOIN payout_content c ON c.payout = p.id';

const sameAmount = 'p.amount = draft.amount AND p.currency = draft.currency';
const sameReference = "json_extract(c.content, '$.reference') = json_extract(draft.content, '$.reference')";
/** A correction has the same payee, or the same amount and reference. */
const alike = `(p.destination = draft.destination OR (${sameAmount} AND ${sameReference}))`;
/** The key alone proves nothing, because a file may number its rows again. */
const corrected = `((${sameAmount} AND ${sameReference}) OR (p.destination = draft.destination AND ((${sameAmount}) OR ${sameReference})))`;

/** The payment was requested, whatever the result. A held row may never have been requested. */
const asked = `(p.state NOT IN (${notSentStates}) AND (p.state <> 'held' OR p.submitted_at IS NOT NULL))`;

const rowsWithDraft = `
  SELECT ${unlessHeld(judged)} AS state, draft.key IS NOT NULL AS listed, p.currency, p.unit, p.from_country, p.amount, p.paid_amount
  FROM payout p ${withContent} LEFT JOIN temp.draft ON draft.key = p.key WHERE p.batch = ? AND ${stays}
  UNION ALL
  SELECT ${unlessHeld("'planned'")}, TRUE, draft.currency, draft.unit, draft.from_country, draft.amount, NULL
  FROM temp.draft LEFT JOIN payout p ON p.batch = ? AND p.key = draft.key LEFT ${withContent}
  WHERE p.id IS NULL OR NOT ${stays}`;

/** The state is the one after the import. Takes the batch's name. */
const draftRows = `
  SELECT draft.number, draft.key, draft.digest, draft.content, draft.destination,
    ${unlessHeld(`(CASE WHEN p.id IS NULL OR NOT ${stays} THEN 'planned' ELSE ${judged} END)`)} AS state, p.released IS NOT NULL AS letGo,
    (SELECT string_agg(CAST(json_array(name, sha256, size_bytes) AS TEXT), ',' ORDER BY name)
     FROM temp.draft_document d WHERE d.number = draft.number) AS documents
  FROM temp.draft LEFT JOIN payout p ON p.batch = ? AND p.key = draft.key LEFT ${withContent}`;

const openRows = `SELECT number FROM (${draftRows}) planned WHERE state IN (${notSentStates})`;

type PlannedRecord = Omit<PlannedRow, 'documents' | 'letGo'> & { documents: string | null; letGo: 0 | 1 };

type DocumentParts = readonly (readonly [string, string, number])[];

function readPlanned({ number, key, digest, content, state, letGo, documents }: PlannedRecord): PlannedRow {
  return {
    number,
    key,
    digest,
    content,
    state,
    letGo: letGo === 1,
    documents: (JSON.parse(`[${documents ?? ''}]`) as DocumentParts).map(([name, sha256, sizeBytes]) => ({
      name,
      sha256,
      sizeBytes,
    })),
  };
}

export type Comparing = Pick<
  Ledger,
  | 'batchesOfDraft'
  | 'askedOfDraft'
  | 'sentOfDraft'
  | 'compare'
  | 'countsWithDraft'
  | 'leftOutByDraft'
  | 'skippedBesideDraft'
  | 'addedBesideDraft'
  | 'givenUpInDraft'
  | 'documentsToAttach'
  | 'otherDocumentsInDraft'
  | 'plannedRows'
  | 'plannedRow'
  | 'plannedMerchants'
  | 'createdMerchants'
>;

export function openComparing(sql: Sql): Comparing {
  return {
    *plannedRows(batch) {
      for (const record of sql.each<PlannedRecord>(`${draftRows} ORDER BY draft.number`, batch))
        yield readPlanned(record);
    },
    plannedRow(batch, key) {
      const record = sql.one<PlannedRecord>(`${draftRows} WHERE draft.key = ?`, batch, key);
      return record === null ? null : readPlanned(record);
    },
    plannedMerchants: (batch, identity) =>
      sql.each(
        `SELECT first.destination, d.content, first.number, first.rows, m.merchant_id AS merchantId
         FROM (SELECT destination, min(number) AS number, count(*) AS rows FROM (${draftRows}) planned
           WHERE state IN (${notSentStates}) GROUP BY destination) first
         JOIN temp.draft d ON d.number = first.number
         LEFT JOIN merchant m ON m.identity = ? AND m.destination = first.destination ORDER BY first.number`,
        batch,
        identity,
      ),
    createdMerchants: () =>
      new Set(
        sql
          .all<{ destination: string }>(
            `SELECT json_extract(entry, '$[4].destination') AS destination FROM trail
             WHERE payout IS NULL AND json_extract(entry, '$[3]') = 'merchant' AND json_extract(entry, '$[4].to') = 'creating'`,
          )
          .map(({ destination }) => destination),
      ),
    batchesOfDraft: async () =>
      sql
        .all<Omit<DraftBatch, 'corrected'> & { corrected: string | null }>(
          `SELECT p.batch, count(*) AS rows, count(*) FILTER (WHERE draft.digest = c.digest) AS same,
           count(*) FILTER (WHERE ${alike}) AS alike, ${addressOfBatch('batch')} AS address,
           count(*) FILTER (WHERE draft.digest = c.digest AND ${asked}) AS sent,
           count(*) FILTER (WHERE draft.digest = c.digest AND p.state = 'succeeded') AS paid,
           count(*) FILTER (WHERE draft.digest = c.digest AND p.state = 'held' AND NOT ${asked}) AS held,
           count(*) FILTER (WHERE draft.digest <> c.digest AND ${wasSent('p')}) AS changed,
           string_agg(CAST(draft.number AS TEXT), ' ' ORDER BY draft.number)
             FILTER (WHERE draft.digest <> c.digest AND ${wasSent('p')} AND ${corrected}) AS corrected,
           (SELECT count(*) FROM temp.draft_invalid i JOIN payout q ON q.key = i.key WHERE q.batch = p.batch AND ${wasSent('q')} AND ${isAlone}) AS broken,
           max(p.submitted_at) FILTER (WHERE draft.digest = c.digest AND p.state IN (${sentStates})) AS "sentAt"
         FROM temp.draft JOIN payout p ON p.key = draft.key ${withContent} JOIN batch ON batch.name = p.batch
         GROUP BY p.batch, batch.created_at, batch.identity ORDER BY same DESC, alike DESC, batch.created_at DESC, p.batch`,
        )
        .map(({ corrected: numbers, ...one }) => ({ ...one, corrected: numbers?.split(' ').map(Number) ?? [] })),
    askedOfDraft: async (address) =>
      sql
        .all<{ number: number }>(
          `SELECT number FROM temp.draft WHERE EXISTS (SELECT 1 FROM payout p ${withContent}
             WHERE p.key = draft.key AND c.digest = draft.digest AND ${asked} AND ${addressOf('p.batch')} = ?)`,
          address,
        )
        .map(({ number }) => number),
    sentOfDraft: async (address, since) =>
      sql
        .all<SentBefore>(
          `SELECT draft.number, p.batch, p.number AS twin, p.submitted_at AS "sentAt",
             CASE WHEN draft.digest <> c.digest THEN c.content END AS was,
             CASE WHEN draft.digest <> c.digest THEN draft.content END AS now
           FROM temp.draft JOIN payout p ON p.key = draft.key ${withContent}
           WHERE p.submitted_at >= ? AND ${addressOf('p.batch')} = ? AND ${wasSent('p')}
             AND (draft.digest = c.digest OR ${corrected})
           ORDER BY draft.number, draft.digest <> c.digest, p.submitted_at DESC, p.id DESC`,
          since,
          address,
        )
        .filter(({ number }, at, all) => all[at - 1]?.number !== number),
    compare: async (batch) => compareDraft(sql, batch),
    countsWithDraft: async (batch) =>
      sql
        .all<CountRecord>(
          `SELECT state, listed, ${countColumns} FROM (${rowsWithDraft})
           GROUP BY currency, unit, from_country, state, listed ORDER BY currency, unit, from_country NULLS FIRST, state`,
          batch,
          batch,
        )
        .map(readCount),
    leftOutByDraft: async (batch, limit) =>
      sql
        .all<{ key: string }>(`SELECT key FROM ${missingRows} AND ${notSent} ORDER BY id LIMIT ?`, batch, limit)
        .map(({ key }) => key),
    skippedBesideDraft: async (batch) => skippedBeside(sql, batch),
    givenUpInDraft: async (batch) => {
      const rows = sql.all<{ number: number; entry: string }>(
        `SELECT number, entry FROM (SELECT draft.number, ${lastTold} AS entry
           FROM ${knownRows} WHERE ${hasReason('p', 'given-up')}) told ORDER BY number`,
        batch,
      );
      const known = rows.flatMap(({ number, entry }) => {
        const { said, why, by } = readEntry(entry).data as unknown as GivenUp & { said?: string };
        return said === 'given up' ? [{ number, why, by }] : [];
      });
      const found = [...skippedBeside(sql, batch).again, ...known];
      const open = found.length === 0 ? [] : sql.all<{ number: number }>(openRows, batch);
      const sent = new Set(open.map(({ number }) => number));
      return found.map((row) => ({ ...row, sends: sent.has(row.number) }));
    },
    addedBesideDraft: async (batch) => addedBeside(sql, batch),
    documentsToAttach: async (batch) =>
      sql.one<{ n: number }>(
        `SELECT count(*) AS n FROM temp.draft_document d JOIN temp.draft ON draft.number = d.number
         WHERE NOT EXISTS (SELECT 1 FROM payout p ${withContent} JOIN document ON document.payout = p.id
           WHERE p.batch = ? AND p.key = draft.key AND ${stays} AND document.name = d.name AND document.state = 'attached')`,
        batch,
      )?.n ?? 0,
    *otherDocumentsInDraft(batch) {
      const same = 'd.name = own.name AND d.sha256 = own.sha256';
      for (const { key } of sql.each<{ key: string }>(
        `SELECT draft.key FROM temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key
         WHERE EXISTS (SELECT 1 FROM document own WHERE own.payout = p.id AND (own.state IN ('due', 'missing') OR NOT ${wasSent('p')})
             AND NOT EXISTS (SELECT 1 FROM temp.draft_document d WHERE d.number = draft.number AND ${same}))
           OR (NOT ${wasSent('p')} AND EXISTS (SELECT 1 FROM temp.draft_document d WHERE d.number = draft.number
             AND NOT EXISTS (SELECT 1 FROM document own WHERE own.payout = p.id AND ${same})))
         ORDER BY draft.number`,
        batch,
      ))
        yield key;
    },
  };
}

export function compareDraft(sql: Sql, batch: string): Comparison {
  const count = (rows: string) => sql.one<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, batch)?.n ?? 0;
  const changed = (states: string) =>
    sql.all<ChangedRow>(
      `SELECT draft.number, draft.key, p.state, p.payment_id AS paymentId, c.content AS was, draft.content AS now
       FROM ${knownRows} ${withContent}
       WHERE c.digest <> draft.digest AND ${states} ORDER BY draft.number`,
      batch,
    );
  const missing = sql.one<{ rows: number; leftOut: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE ${notSent}) AS leftOut FROM ${missingRows}`,
    batch,
  );
  return {
    known: findBatch(sql, batch) !== null,
    added: count(newRows),
    same: count(`${knownRows} ${withContent} WHERE c.digest = draft.digest`),
    corrected: changed(`NOT ${wasSent('p')}`),
    changedAfterSending: changed(wasSent('p')),
    invalidSent: sql.all(
      `SELECT i.number, i.key FROM temp.draft_invalid i JOIN payout p ON p.batch = ? AND p.key = i.key
       WHERE ${wasSent('p')} AND ${isAlone} ORDER BY i.number`,
      batch,
    ),
    missing: missing?.rows ?? 0,
    leftOut: missing?.leftOut ?? 0,
    sent: count(`payout p WHERE batch = ? AND ${wasTried('p')}`),
    addedTotals: sql
      .all<TotalRecord>(
        `SELECT ${totalColumns} FROM ${newRows} GROUP BY currency, unit, from_country
         ORDER BY currency, unit, from_country NULLS FIRST`,
        batch,
      )
      .map(readTotal),
  };
}

/** The ledger has no rows for mistakes; a sheet's options list them. */
export function skippedBeside(sql: Sql, batch: string): SkippedBeside {
  const facts = findBatch(sql, batch);
  const skipped = facts === null ? [] : skippedRows(sql, facts);
  const invalid = sql
    .all<SeenRecord>(
      `SELECT i.key, i.row_id AS "rowId", i.name, i.name_key AS "nameKey", i.account, i.reference, i.amount, q.number,
         (SELECT string_agg(col, ' ' ORDER BY id) FROM temp.draft_problem p WHERE p.number = q.number AND p.severity = 'error') AS wrong
       FROM (SELECT DISTINCT number FROM temp.draft_problem WHERE severity = 'error' AND number IS NOT NULL) q
       LEFT JOIN temp.draft_invalid i ON i.number = q.number ORDER BY q.number`,
    )
    .map(readSeen);
  if (facts === null || skipped.length === 0) return { lost: [], invalid, again: [] };
  const before = beforeOf(sql, facts, skipped);
  const here = [...addedRows(sql, batch), ...backRows(sql, facts), ...wrongRows(sql, batch, invalid, before)];
  const found = findHere(before, here, movedRows(sql, batch));
  const shared = keysOfSeveral(skipped);
  // The ledger's own missing rows are reported elsewhere, except rows that a person gave up or whose key is shared.
  const isTold = ({ row, isOwn }: Before) => isOwn && saidOf(row) === undefined && !shared.includes(row.key);
  const lost = before.filter((one) => !found.has(one.row) && !isTold(one));
  const said = new Map([...found].map(([row, { number }]) => [number, saidOf(row)]));
  const gone = new Set(invalid.map(({ number }) => number));
  return {
    lost: lost.map(({ row, of }) => ({ ...row, sheet: row.sheet ?? facts.sheet.name, of })),
    invalid: invalid.map((row) => {
      const gaveUp = said.get(row.number);
      return gaveUp === undefined ? row : { ...row, gaveUp };
    }),
    again: [...said].flatMap(([number, one]) => (one === undefined || gone.has(number) ? [] : [{ number, ...one }])),
  };
}

const saidOf = ({ givenUp, gaveUp }: SkippedRow) => givenUp ?? gaveUp;

interface Before {
  readonly row: SkippedRow;
  readonly of: number;
  readonly isOwn: boolean;
  readonly isBeside: boolean;
}

/** Among rows with the same key, rows that the ledger has come first. */
function beforeOf(sql: Sql, facts: BatchFacts, skipped: readonly SkippedRow[]): Before[] {
  const owned = new Set<string | null>();
  const before = skipped.map((row) => {
    const of = sheetOf(row, facts);
    const known = sql.one<{ sheet: number; name: string }>(
      'SELECT sheet, name_key AS name FROM payout JOIN payee ON payout = id WHERE batch = ? AND key = ?',
      facts.name,
      row.key,
    );
    const isBeside = known !== null && known.sheet >= of;
    const isOwn = known !== null && !isBeside && !owned.has(row.key) && [known.name, null].includes(row.name);
    if (isOwn) owned.add(row.key);
    return { row, of, isOwn, isBeside };
  });
  return before.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
}

/** `since`: the id of the last sheet that contained the row, if the ledger has it. */
type Here = SkippedRow & { readonly since?: number };

/**
 * Finds for each earlier row with a mistake its row in the present sheet; each row is used once. The steps, in order:
 * 1. the same key and name;
 * 2. the same row_id, if no other row has it, and the same account, or a similar name if an account is not known;
 * 3. the same name and account, or the same name if an account is not known, or the same account and a similar name;
 * 4. for a row without a name, the same line number.
 * From step 3 on, the reference or the amount must be the same too, because a payee may have several payments.
 */
function findHere(
  before: readonly Before[],
  here: readonly Here[],
  moved: ReadonlySet<number>,
): ReadonlyMap<SkippedRow, Here> {
  const found = new Map<SkippedRow, Here>();
  const free = new Set(here);
  const pass = (
    rows: readonly Before[],
    called: (row: SkippedRow) => string | number | null,
    isOther: (row: SkippedRow, one: Here) => boolean = () => false,
  ): void => {
    // In reverse order, so that the first of many rows is removed without moving the others.
    const groups = Map.groupBy([...free].reverse(), called);
    for (const { row, of } of rows) {
      const name = called(row);
      const group = found.has(row) || name === null ? [] : (groups.get(name) ?? []);
      const at = group.findLastIndex((one) => (one.since ?? 0) < of && !isOther(row, one));
      for (const one of at < 0 ? [] : group.splice(at, 1)) {
        found.set(row, one);
        free.delete(one);
      }
    }
  };
  const shared = new Set([
    ...before.flatMap(({ row, isBeside }) => (isBeside ? [row.key] : [])),
    ...keysOfSeveral(before.map(({ row }) => row)),
    ...keysOfSeveral(here),
  ]);
  const ownId = (row: SkippedRow) => (shared.has(row.key) ? null : idOf(row));
  pass(before, ({ key, name }) => (key === null ? null : JSON.stringify([key, name])));
  // If the sheet numbers its rows again, a row_id may now belong to another row, as the name shows.
  const waiting = Map.groupBy(
    before.flatMap(({ row }) => (found.has(row) ? [] : [row])),
    ({ name }) => name,
  );
  const isOtherPayment = (row: SkippedRow, one: Here) => {
    const isElsewhere = idOf(row) !== null && row.key !== one.key;
    // A row that the batch has under another row_id is that other row, whatever it contains.
    if (isElsewhere && one.since !== undefined) return true;
    const same = paidParts.filter((part) => row[part] != null && row[part] === one[part]);
    const isSurely = isElsewhere && ownId(row) !== null;
    return same.length === 0 || (isSurely && paidParts.some((part) => !same.includes(part) && isRight(row, part)));
  };
  const isAnother = (row: SkippedRow, one: Here) =>
    one.name !== null &&
    (waiting.get(one.name) ?? []).some(
      (it) => it !== row && (!sameAccount(row, one) || (sameAccount(it, one) && !namesMayBeOne(row, one))),
    );
  const isMended = (row: SkippedRow, one: Here) =>
    sameAccount(row, one) || (!otherAccount(row, one) && namesMayBeOne(row, one));
  pass(before, ownId, (row, one) => moved.has(one.number) || isAnother(row, one) || !isMended(row, one));
  const others = before.filter(({ row }) => !found.has(row) || ownId(row) === null);
  const named = ({ name, account }: SkippedRow) =>
    name === null || account == null ? null : JSON.stringify([name, account]);
  pass(others, named, isOtherPayment);
  pass(
    others,
    ({ name }) => name,
    (row, one) => otherAccount(row, one) || isOtherPayment(row, one),
  );
  pass(
    others.filter(({ row }) => ownId(row) === null),
    ({ account }) => account ?? null,
    (row, one) => !namesMayBeOne(row, one) || isOtherPayment(row, one),
  );
  const nameless = others.filter(({ row }) => row.name === null);
  const isElse = (row: SkippedRow, one: Here) =>
    otherAccount(row, one) ||
    isOtherPayment(row, one) ||
    (idOf(row) !== null && idOf(one) !== null && row.key !== one.key);
  pass(nameless, ({ number }) => number, isElse);
  return found;
}

const sameAccount = (one: SkippedRow, other: SkippedRow) => one.account != null && one.account === other.account;
const otherAccount = (one: SkippedRow, other: SkippedRow) =>
  one.account != null && other.account != null && one.account !== other.account;

const paidParts = ['reference', 'amount'] as const;
/** False for rows of earlier versions, which did not record mistakes. */
const isRight = ({ wrong }: SkippedRow, part: string) =>
  wrong !== undefined && wrong?.split(' ').includes(part) !== true;

function namesMayBeOne(one: SkippedRow, other: SkippedRow): boolean {
  if (one.name === null || other.name === null || one.name === other.name) return true;
  return mayBeMended(one.words ?? one.name, other.words ?? other.name);
}

/** The sheet no longer uses the old key for that payee. */
const movedRows = (sql: Sql, batch: string) =>
  new Set(
    sql
      .all<{ number: number }>(
        `SELECT draft.number FROM temp.draft JOIN payout_content c ON c.likeness = draft.likeness
         JOIN payout p ON p.id = c.payout AND p.batch = ? AND p.key <> draft.key
         JOIN payee y ON y.payout = p.id AND y.name_key = draft.name_key
         WHERE NOT EXISTS (SELECT 1 FROM temp.draft other WHERE other.key = p.key AND other.name_key = y.name_key)`,
        batch,
      )
      .map(({ number }) => number),
  );

const keysOfSeveral = (rows: readonly SkippedRow[]) =>
  [...Map.groupBy(rows, ({ key }) => key)].flatMap(([key, { length }]) => (length > 1 ? [key] : []));

interface SeenRecord {
  readonly key: string | null;
  readonly rowId: string | null;
  readonly name: string | null;
  readonly nameKey: string | null;
  readonly account: string | null;
  readonly reference: string | null;
  readonly amount: string | null;
  readonly wrong?: string | null;
  readonly number: number;
  readonly since?: number;
}

const readSeen = ({ rowId, name, nameKey, account, ...row }: SeenRecord): Here => ({
  ...row,
  hasId: rowId !== null,
  name: nameKey,
  words: name === null ? null : payeeWords(name),
  account: account === null ? null : accountMark(account),
});

const seenColumns = `draft.key, json_extract(draft.content, '$.rowId') AS "rowId", json_extract(draft.content, '$.name') AS name,
  draft.name_key AS "nameKey", draft.account, json_extract(draft.content, '$.reference') AS reference, CAST(draft.amount AS TEXT) AS amount,
  draft.number`;

const addedRows = (sql: Sql, batch: string) =>
  sql.all<SeenRecord>(`SELECT ${seenColumns} FROM ${newRows} ORDER BY draft.number`, batch).map(readSeen);

const backRows = (sql: Sql, { name, sheet }: BatchFacts) =>
  sql
    .all<SeenRecord>(
      `SELECT ${seenColumns}, p.sheet AS since FROM ${knownRows}
       WHERE p.sheet < ? AND NOT ${wasSent('p')} ORDER BY draft.number`,
      name,
      sheet.id,
    )
    .map(readSeen);

/** Rows that the ledger has and that have a mistake for the first time are left out. */
function wrongRows(sql: Sql, batch: string, invalid: readonly SkippedRow[], before: readonly Before[]) {
  const known = sql.all<{ number: number }>(
    `SELECT i.number FROM temp.draft_invalid i JOIN payout p ON p.batch = ? AND p.key = i.key
     JOIN payee y ON y.payout = p.id AND y.name_key = i.name_key WHERE ${isAlone}`,
    batch,
  );
  const numbers = new Set(known.map(({ number }) => number));
  const owned = new Set(before.flatMap(({ row, isOwn }) => (isOwn ? [row.key] : [])));
  return invalid.filter(({ number, key }) => owned.has(key) || !numbers.has(number));
}

function addedBeside(sql: Sql, batch: string): number {
  const sheet = findBatch(sql, batch)?.sheet;
  const waiting = sql
    .all<{ key: string; content: string }>(
      `SELECT p.key, c.content FROM payout p ${withContent} WHERE p.batch = ? AND ${notSent}
         AND NOT EXISTS (SELECT 1 FROM temp.draft WHERE draft.key = p.key)`,
      batch,
    )
    .map(({ key, content }) => ({ key, name: foldedPayee(rowOfContent(content, 0).name) }));
  const mendable = [...(sheet === undefined ? [] : skippedOf(sheet)), ...waiting];
  const keys = new Set(mendable.map(({ key }) => key));
  const names = new Set(mendable.flatMap((row) => (idOf(row) === null ? [row.name] : [])));
  return sql
    .all<{ key: string; name: string }>(`SELECT draft.key, draft.name_key AS name FROM ${newRows}`, batch)
    .filter(({ key, name }) => !keys.has(key) && !names.has(name)).length;
}
