/** Imports a sheet into its batch in one transaction: new rows, corrected rows, documents and invalid lines. */
import { hashBatch, hashSheet, type ImportedDocument, type ImportedRow, spansOf } from '../../audit/bulk.ts';
import type { TrailEntry } from '../../audit/chain.ts';
import { assert } from '../../base/errors.ts';
import type { Each } from '../../base/words.ts';
import { type Closed, mayMoveRow, type RowChange } from '../../domain/rows/row-states.ts';
import { tagOf } from '../../domain/rows/tag.ts';
import { rowsWith } from '../../domain/rows/version-table.ts';
import { matchNames, matchTimes } from '../duplicates/matches.ts';
import type { BatchFacts, LedgerRow, SheetFacts } from '../facts.ts';
import { differs, insertOf, mayBePaid, notSentStates, rowTables, selectRows } from '../rows/columns.ts';
import { sendAgain } from '../rows/recovery.ts';
import { rowOf } from '../rows/rows.ts';
import type { Moving, SentFacts } from '../rows/transitions.ts';
import type { Writing } from '../store/commit.ts';
import type { Sql } from '../store/sql.ts';
import { compareDraft, isAlone, isBroken, repeatsHead } from './batch-comparison.ts';
import { countLoose, findBatch, requireHead } from './batches.ts';
import { takeClaims } from './claims.ts';
import type { Draft } from './draft.ts';
import { openProposal, requireNoProposal } from './holds.ts';
import { openLead } from './lead.ts';
import { recordMistakes, takeMistakes } from './take-mistakes.ts';

export interface ImportOrder extends Each<'batch identity service', string> {
  /** The ledger's newest sheet when Payrun read the file. A later sheet with other rows causes VERSION_CONFLICT. */
  readonly base: number;
  /** The turn of the stop that the version ends; null ends no stop. */
  readonly turn?: number | null;
  readonly plan: string | null;
  /** The id of the plan's hold when the run checked the plan; null if the plan was not proposed. */
  readonly proposal?: number | null;
  readonly mayRepeat: boolean;
  /** When the plan of the sheet was made; absent without a plan. */
  readonly saidAt?: number | undefined;
  readonly isAddition: boolean;
  readonly repeatReason: string | null;
  readonly sheet: Omit<SheetFacts, 'id' | 'rows' | 'invalid' | 'receivedAt' | 'digest'>;
  readonly entries?: readonly Pick<TrailEntry, 'what' | 'data'>[];
}

export interface RetryOrder {
  readonly by: string | null;
  readonly turn: number | null;
  /** The plan of the retry, and the copy of the head's sheet that stands beside the plan's copy. */
  readonly under?:
    | (Pick<ImportOrder, 'proposal' | 'entries' | 'saidAt'> & Record<'plan' | 'copy', string> & { options: object })
    | null;
}

interface Needs extends Writing {
  readonly draft: Draft;
  readonly moving: Moving;
}

export function openImporting(needs: Needs) {
  const { sql, commits, trail, clock, draft } = needs;

  return {
    importDraft: async (order: ImportOrder) =>
      commits.alone(() => {
        const { batch, identity, service, repeatReason, sheet, plan, isAddition } = order;
        requireNoProposal(sql, batch, order);
        const now = clock.now();
        const before = findBatch(sql, batch);
        const change = compareDraft(sql, batch);
        if (before !== null && order.mayRepeat && repeatsHead(change, isAddition)) {
          takeClaims(sql, batch, now, order.saidAt);
          return before;
        }
        requireHead(sql, batch, order.base);
        const digest = draft.digest();
        const { rows, invalid } = draft.counts();
        const { name, origin, copy } = sheet;
        const read = { digest, receivedAt: now, options: JSON.stringify(sheet.options), rowCount: rows, invalid };
        const id = sql.value<number>(...insertOf('sheet', { batch, name, origin, copy, ...read }, 'RETURNING id'))!;
        reopenRows(needs, batch);
        correctRows(needs, batch, id);
        refreshRows(sql, batch, id);
        const listedSince = isAddition && before !== null ? before.listedSince : id;
        addRows(sql, batch, id);
        const mistaken = takeMistakes(sql, batch, id);
        takeDocuments(sql, batch, id);
        takeClaims(sql, batch, now, order.saidAt);
        if (!isAddition) closeMissing(needs, batch, id, { by: preparerOf(sheet.options), why: { sheet: sheet.name } });
        sql.run(
          `INSERT INTO invalid_row SELECT CAST(? AS BIGINT), number,
             (SELECT p.id FROM temp.draft_invalid i JOIN payout p ON p.batch = ? AND p.key = i.key WHERE i.number = draft_problem.number AND ${isAlone}),
             '[' || string_agg('{"code":"' || code || '","facts":' || facts || '}', ',' ORDER BY id) || ']' FROM temp.draft_problem
           WHERE severity = 'error' AND number IS NOT NULL GROUP BY number`,
          id,
          batch,
        );
        const payer = { identity, service };
        sql.run(
          ...insertOf(
            'batch',
            { name: batch, ...payer, createdAt: now, sheet: id, listedSince, repeatReason },
            `ON CONFLICT (name) DO UPDATE SET sheet = excluded.sheet, listed_since = excluded.listed_since,
             identity = excluded.identity, service = excluded.service`,
          ),
        );
        openLead(sql, batch, order.turn ?? null);
        const facts = findBatch(sql, batch);
        assert(facts !== null, 'the batch was just written');
        recordVersion(needs, facts, {
          added: change.added,
          ...(isAddition ? { addition: true } : {}),
          same: rowsWith(change, 'same'),
          missing: rowsWith(change, 'missing'),
          ...(repeatReason === null ? {} : { repeat: repeatReason }),
        });
        recordMistakes(needs, id, mistaken);
        if (before === null && repeatReason !== null) allowRepeats(needs, facts, repeatReason);
        for (const { what, data } of order.entries ?? []) trail.append({ batch, what, data });
        if (plan !== null) openProposal(sql, batch, plan);
        return facts;
      }),
    /** Opens the head again as the next version, which sends these unpaid rows again. Its rows, its file and that file's time stay. */
    retryRows: async (
      { name: batch, sheet: { id: head, options } }: BatchFacts,
      rows: readonly LedgerRow[],
      { by, turn, under = null }: RetryOrder,
    ) =>
      commits.alone(() => {
        requireNoProposal(sql, batch, under ?? undefined);
        requireHead(sql, batch, head);
        takeClaims(sql, batch, clock.now(), under?.saidAt ?? 0);
        const id = sql.value<number>(
          `INSERT INTO sheet (batch, name, origin, copy, digest, received_at, options, row_count, invalid)
           SELECT batch, name, origin, coalesce(CAST(? AS TEXT), copy), digest, received_at, CAST(? AS TEXT), row_count, invalid
           FROM sheet WHERE id = ? RETURNING id`,
          under?.copy ?? null,
          JSON.stringify({ ...options, by: by ?? undefined, ...under?.options }),
          head,
        )!;
        for (const row of rows) sendAgain(needs, row);
        sql.run('UPDATE payout SET sheet = ? WHERE sheet = ?', id, head);
        const invalid = 'SELECT CAST(? AS BIGINT), number, payout, problems FROM invalid_row WHERE sheet = ?';
        sql.run(`INSERT INTO invalid_row ${invalid}`, id, head);
        sql.run('UPDATE batch SET sheet = ? WHERE name = ?', id, batch);
        openLead(sql, batch, turn);
        const facts = findBatch(sql, batch)!;
        recordVersion(needs, facts, { added: 0, same: facts.sheet.rows, missing: 0, retried: rows.length });
        for (const { what, data } of under?.entries ?? []) trail.append({ batch, what, data });
        if (under !== null) openProposal(sql, batch, under.plan);
        return facts;
      }),
  };
}

function recordVersion({ sql, trail }: Needs, facts: BatchFacts, change: Readonly<Record<string, unknown>>): void {
  const { name: batch, identity, service } = facts;
  const { id, name, digest, rows, invalid, options } = facts.sheet;
  const { sha256, by } = options;
  trail.append({
    batch,
    what: 'sheet',
    data: {
      sheet: id,
      name,
      ...(typeof sha256 === 'string' ? { sha256 } : {}),
      digest,
      rows,
      invalid,
      loose: countLoose(sql, id),
      ...change,
      ...(typeof by === 'string' ? { by } : {}),
      ids: spansOf(sql.column<number>('SELECT id FROM payout WHERE first_sheet = ? ORDER BY id', id)),
      ...importedHashes(sql, facts),
      identity,
      service,
    },
  });
}

/** Allows each row that would be sent to repeat the similar payments that the ledger has now, but no later payment. */
function allowRepeats({ sql, clock, moving }: Needs, { name: batch, identity }: BatchFacts, why: string): void {
  const times = matchTimes(identity, clock.now());
  for (const [id, matches] of matchNames(sql, batch, `p.batch = ?1 AND p.state IN (${notSentStates})`, times)) {
    const allowed = JSON.stringify(matches.map(({ name }) => name));
    moving.note(rowOf(sql, id), { allowed }, { said: 'not a repeat', why });
  }
}

const preparerOf = (options: Readonly<Record<string, unknown>>) =>
  typeof options.by === 'string' ? options.by : typeof options.maker === 'string' ? options.maker : null;

/** Closes the rows that the new sheet lacks. Rows that may already be paid and rows with a mistake stay open. */
function closeMissing({ sql, clock, moving }: Needs, batch: string, sheet: number, said: Pick<Closed, 'by' | 'why'>) {
  const missing = `SELECT p.id FROM payout p WHERE p.batch = ? AND p.sheet < ? AND p.closed IS NULL AND NOT ${mayBePaid('p')} AND NOT ${isBroken}`;
  const closed = JSON.stringify({ ...said, at: clock.now() } satisfies Closed);
  for (const row of sql.all<LedgerRow>(`${selectRows} WHERE id IN (${missing}) ORDER BY id`, batch, sheet))
    moving.note(row, { closed }, { said: 'closed' });
}

function reopenRows({ sql, moving }: Needs, batch: string): void {
  const closed = `SELECT p.id FROM payout p WHERE p.batch = ? AND p.closed IS NOT NULL AND NOT ${mayBePaid('p')} AND (p.key IN (SELECT key FROM temp.draft) OR p.key IN (SELECT key FROM temp.draft_invalid))`;
  for (const row of sql.all<LedgerRow>(`${selectRows} WHERE id IN (${closed}) ORDER BY id`, batch))
    moving.note(row, { closed: null }, { said: 'reopened' });
}

/** Gives changed rows the draft's content, unless they may be paid. An expired row gets a new revision and tag. */
function correctRows({ sql, trail, moving }: Needs, batch: string, sheet: number): void {
  type ChangedRow = SentFacts & Pick<LedgerRow, 'key' | 'state' | 'number' | 'allowed'>;
  // A person's word about similar payments stays while the money does.
  const changed = sql.all<ChangedRow & { before: string; after: string; replaced: string; contentSheet: number }>(
    `SELECT p.id, p.key, p.state, p.revision, p.tag, p.payment_id AS paymentId, p.submitted_at AS submittedAt, p.settled_at AS settledAt, draft.number, c.content AS before, draft.content AS after,
       CASE WHEN c.digest = draft.digest THEN c.content_hash ELSE c.digest END AS replaced,
       CASE WHEN c.digest = draft.digest THEN p.allowed END AS allowed,
       CASE WHEN c.digest = draft.digest THEN p.content_sheet ELSE CAST(? AS BIGINT) END AS contentSheet
     FROM temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key
     JOIN payout_content c ON c.payout = p.id WHERE ${differs('p', 'c', 'draft')} AND NOT ${mayBePaid('p')} ORDER BY draft.number`,
    sheet,
    batch,
  );
  for (const row of changed) {
    const revision = row.state === 'expired' ? row.revision + 1 : row.revision;
    if (revision > row.revision) moving.rememberEarlier(row);
    assert(mayMoveRow(row.state, 'planned'), `a row that is ${row.state} is not corrected`);
    sql.run(
      `UPDATE payout SET (number, amount, unit, currency, from_country, country, destination, collection) =
       (SELECT number, amount, unit, currency, from_country, country, destination, collection FROM temp.draft WHERE key = payout.key),
       sheet = ?, content_sheet = ?, state = 'planned', missed = NULL, allowed = ?, merchant_id = NULL, payment_id = NULL, paid_amount = NULL, payment_status = NULL, reason = NULL, service_details = NULL, settled_at = NULL,
       revision = ?, tag = ? WHERE id = ?`,
      sheet,
      row.contentSheet,
      row.allowed,
      revision,
      tagOf(batch, row.key, revision),
      row.id,
    );
    sql.run(
      `UPDATE payout_content SET (digest, likeness, content, content_hash) =
       (SELECT digest, likeness, content, sha256_hex(content) FROM temp.draft WHERE key = ?) WHERE payout = ?`,
      row.key,
      row.id,
    );
    sql.run(
      'UPDATE payee SET (id_key, name_key, account) = (SELECT id_key, name_key, account FROM temp.draft WHERE key = ?) WHERE payout = ?',
      row.key,
      row.id,
    );
    // The new payment needs each document uploaded again. `takeDocuments` then adds the documents of the sheet.
    sql.run('DELETE FROM document WHERE payout = ?', row.id);
    const data = {
      from: row.state,
      to: 'planned',
      change: 'corrected' satisfies RowChange,
      changed: changedFields(row.before, row.after),
      replaced: row.replaced,
      ...(row.allowed === null ? {} : { allowed: row.allowed }),
      revision,
      number: row.number,
      earlier: { paymentId: row.paymentId, tag: row.tag },
    };
    trail.append({ batch, row: row.key, what: 'move', data }, row.id);
  }
}

/** Returns only the names of the changed fields, because the trail must not hold the old values. */
function changedFields(before: string, after: string): string {
  const [was = {}, now = {}] = [before, after].map((content) => JSON.parse(content) as Record<string, unknown>);
  const isOther = (name: string) => JSON.stringify(was[name]) !== JSON.stringify(now[name]);
  return Object.keys(now).filter(isOther).join(' ') || 'documents';
}

function refreshRows(sql: Sql, batch: string, sheet: number): void {
  sql.run(
    `UPDATE payout SET sheet = ?, number = draft.number FROM temp.draft WHERE payout.batch = ? AND payout.key = draft.key`,
    sheet,
    batch,
  );
  // An unpaid row stays unpaid if its line has a mistake, and the new sheet does not lack the row.
  sql.run(
    `UPDATE payout AS p SET sheet = ?, number = i.number FROM temp.draft_invalid i WHERE i.key = p.key AND ${isAlone} AND p.batch = ? AND p.closed IS NULL AND p.state IN ('refused', 'expired')`,
    sheet,
    batch,
  );
}

const tagsAtOnce = 1000;

function addRows(sql: Sql, batch: string, sheet: number): void {
  sql.run('DELETE FROM temp.draft_new');
  let tags: [number: number, tag: string][] = [];
  const keep = () => {
    sql.many('INSERT INTO temp.draft_new VALUES (?,?)', tags);
    tags = [];
  };
  for (const { number, key } of sql.each<{ number: number; key: string }>(
    `SELECT number, key FROM temp.draft
     WHERE NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft.key) ORDER BY number`,
    batch,
  )) {
    tags.push([number, tagOf(batch, key, 0)]);
    if (tags.length === tagsAtOnce) keep();
  }
  keep();
  sql.run(
    `INSERT INTO payout (batch, key, number, sheet, first_sheet, content_sheet, state, revision, tag, amount, unit, currency, from_country, country, destination, collection)
     SELECT CAST(? AS TEXT), key, draft.number, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), 'planned', 0, tag, amount, unit, currency, from_country, country, destination, collection
     FROM temp.draft JOIN temp.draft_new n ON n.number = draft.number ORDER BY draft.number`,
    batch,
    sheet,
    sheet,
    sheet,
  );
  sql.run(
    `INSERT INTO payout_content (payout, digest, likeness, content, content_hash)
     SELECT p.id, draft.digest, draft.likeness, draft.content, sha256_hex(draft.content)
     FROM payout p JOIN temp.draft ON draft.number = p.number WHERE p.sheet = ? AND p.first_sheet = ? ORDER BY p.id`,
    sheet,
    sheet,
  );
  sql.run(
    `INSERT INTO payee SELECT p.id, draft.id_key, draft.name_key, draft.account
     FROM payout p JOIN temp.draft ON draft.number = p.number WHERE p.sheet = ? AND p.first_sheet = ? ORDER BY p.id`,
    sheet,
    sheet,
  );
}

function takeDocuments(sql: Sql, batch: string, sheet: number): void {
  // Removes documents that the sheet no longer names, to prevent their upload.
  sql.run(
    `DELETE FROM document WHERE state IN ('due', 'missing') AND payout IN (SELECT id FROM payout WHERE batch = ? AND sheet = ?)
     AND NOT EXISTS (SELECT 1 FROM payout p JOIN temp.draft_document d ON d.number = p.number AND d.name = document.name WHERE p.id = document.payout)`,
    batch,
    sheet,
  );
  sql.run(
    `INSERT INTO document (payout, name, path, sha256, size_bytes, state)
     SELECT p.id, d.name, d.path, d.sha256, d.size_bytes, 'due' FROM temp.draft_document d
     JOIN temp.draft ON draft.number = d.number JOIN payout p ON p.batch = ? AND p.key = draft.key
     ORDER BY d.number ON CONFLICT (payout, name) DO UPDATE SET path = excluded.path, sha256 = excluded.sha256, size_bytes = excluded.size_bytes
     WHERE document.state IN ('due', 'missing')`,
    batch,
  );
}

/** Returns hashes of the imported data. A later audit compares these hashes with the ledger (audit/verify.ts). */
function importedHashes(sql: Sql, batch: BatchFacts): { read: string; imported: string } {
  const { name, sheet } = batch;
  const read = hashSheet({ ...sheet, options: JSON.stringify(sheet.options), rowCount: sheet.rows });
  for (const { number, payout, problems } of sql.each<{ number: number; payout: number | null; problems: string }>(
    'SELECT number, payout, problems FROM invalid_row WHERE sheet = ? ORDER BY number',
    sheet.id,
  ))
    read.invalid(number, payout, problems);
  const imported = hashBatch(batch);
  for (const row of sql.each<ImportedRow>(
    `SELECT id, key, number, sheet, first_sheet AS firstSheet, content_sheet AS contentSheet, content_hash AS contentHash FROM ${rowTables} WHERE batch = ? ORDER BY id`,
    name,
  ))
    imported.row(row);
  for (const document of sql.each<ImportedDocument>(
    `SELECT id, payout, name, path, sha256, size_bytes AS sizeBytes FROM document
     WHERE payout IN (SELECT id FROM payout WHERE batch = ?) ORDER BY payout, name`,
    name,
  ))
    imported.document(document);
  return { read: read.end(), imported: imported.end() };
}
