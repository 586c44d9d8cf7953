/** The ledger on SQLite: one file, one sender, every move with its trail line in the same transaction. */
import { realpathSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { hashBatch, hashSheet, type ImportedDocument, type ImportedRow, spansOf, toldHash } from '../audit/bulk.ts';
import { readEntry } from '../audit/chain.ts';
import type { Clock } from '../base/clock.ts';
import { sha256 } from '../base/digest.ts';
import { assert, PayrunError, wordsOf } from '../base/errors.ts';
import { openSqlite } from '../base/sqlite.ts';
import { tagOf } from '../domain/tag.ts';
import { quoted, rowColumns, rowTables } from './columns.ts';
import { committer } from './commit.ts';
import type {
  BatchFacts,
  ChangedRow,
  Comparison,
  CountLine,
  Ledger,
  LedgerDocument,
  LedgerMerchant,
  LedgerRow,
  Move,
  RowFacts,
  SeenMerchant,
  Twin,
} from './contract.ts';
import { openDraft, readTotal, type TotalRecord, totalColumns } from './draft.ts';
import { openEvidence } from './evidence.ts';
import { requireLocalDisk, requireRoom } from './ground.ts';
import { holdLock } from './lock.ts';
import { openPasses } from './passes.ts';
import {
  type DocumentState,
  documentMoves,
  mayMoveRow,
  merchantMoves,
  type RowState,
  rowStates,
  wordOf,
} from './states.ts';
import { makeTables, prepareTables } from './tables.ts';
import { openTrail } from './trail.ts';

/** In the plural of SQL: the states that count as sent for a twin or a changed row (design 4.1). */
const sentStates = quoted(
  rowStates.filter((state) => ['paid', 'pending', 'in doubt', 'held', 'paid twice'].includes(wordOf[state])),
);

/** A row sent since a moment, at the same address: what another row can be the repeat of. */
const sentTwin = `p.state IN (${sentStates}) AND p.submitted_at >= ?
  AND (SELECT substr(identity, 1, instr(identity, '|') - 1) FROM batch WHERE name = p.batch) = ?`;
/** Nothing exists under the row's tag: a try that was refused, or never left, has created nothing. */
const neverSent = `own.state IN ('planned', 'ready', 'refused') AND own.payment_id IS NULL AND own.revision = 0`;

const merchantColumns = 'destination, country, state, merchant_id AS merchantId, content, reason, number';
const documentColumns = `d.id, d.payout AS row, p.key AS rowKey, p.payment_id AS paymentId, d.name, d.path, d.sha256, d.size_bytes AS sizeBytes, d.state, d.reason`;

/** `path` null opens a ledger that exists for this process only: what `check` needs to look at a sheet. */
export function openLedger(path: string | null, clock: Clock, options: { readonly readOnly?: true } = {}): Ledger {
  const where = path ?? '(none)';
  const db = openTables(path, where, clock, options.readOnly === true);
  db.function('sha256_hex', { deterministic: true }, (text) => sha256(String(text)));
  db.function('tag_of', { deterministic: true }, (scope, batch, key, revision) =>
    tagOf(String(scope), String(batch), String(key), Number(revision)),
  );
  const commits = committer(db, (error) => writingFault(error, where));
  let lock: { release(): void } | null = null;

  // Each text is prepared once: there are a few dozen, and some are asked for every row.
  const prepared = new Map<string, StatementSync>();
  function prepare(sql: string): StatementSync {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  }
  const all = <T>(sql: string, ...parameters: SQLInputValue[]): T[] => prepare(sql).all(...parameters) as T[];
  const each = <T>(sql: string, ...parameters: SQLInputValue[]) => prepare(sql).iterate(...parameters) as Iterable<T>;
  const one = <T>(sql: string, ...parameters: SQLInputValue[]): T | null =>
    (prepare(sql).get(...parameters) as T | undefined) ?? null;

  const { head, append: trail } = openTrail(db, clock);

  const updateRow =
    db.prepare(`UPDATE payout SET state = ?, merchant_id = coalesce(?, merchant_id), payment_id = coalesce(?, payment_id),
    payment_status = coalesce(?, payment_status), reason = CASE ? WHEN 1 THEN ? ELSE reason END, attempts = attempts + ?,
    submitted_at = coalesce(?, submitted_at), accepted_at = coalesce(?, accepted_at), settled_at = coalesce(?, settled_at), told = coalesce(?, told),
    sent_moment = coalesce(?, sent_moment), missed = CASE ? WHEN 1 THEN ? ELSE missed END, not_repeat = coalesce(?, not_repeat), evidence = coalesce(?, evidence),
    revision = coalesce(?, revision), tag = coalesce(?, tag)
    WHERE id = ? AND state = ?`);

  function applyMove(move: Move): void {
    assert(mayMoveRow(move.from, move.to), `no row moves from ${move.from} to ${move.to}`);
    const { row, from, to } = move;
    // The entry's own moment is the one that the row bears: it is not written twice.
    const moment = momentOf[to];
    const at = (moment === undefined ? undefined : move[moment]) ?? clock.now();
    update(row, from, to, moment === undefined ? move : { ...move, [moment]: at });
    const data = { from, to, ...movedFacts(move, to === 'sending', move.data) };
    trail({ at, batch: row.batch, row: row.key, what: 'move', data }, row.id);
  }

  function update(row: LedgerRow, from: RowState, to: RowState, facts: RowFacts): void {
    const done = updateRow.run(
      to,
      facts.merchantId ?? null,
      facts.paymentId ?? null,
      facts.paymentStatus ?? null,
      facts.reason === undefined ? 0 : 1,
      facts.reason ?? null,
      facts.attempted ?? 0,
      facts.submittedAt ?? null,
      facts.acceptedAt ?? null,
      facts.settledAt ?? null,
      facts.told ?? null,
      facts.sentMoment ?? null,
      facts.missed === undefined ? 0 : 1,
      facts.missed ?? null,
      facts.notRepeat ?? null,
      facts.evidence ?? null,
      facts.revision ?? null,
      facts.tag ?? null,
      row.id,
      from,
    );
    assert(done.changes === 1, `row ${row.key} of batch ${row.batch} is no longer ${from}`);
    // The tag that the row bore until now may still come to light with a payment.
    if (facts.tag !== undefined && facts.tag !== row.tag) rememberEarlier(row);
  }

  /** One line for one statement; without the rows' ids nobody could tell later where each of them stood. */
  function trailMany(batch: string, from: RowState, to: RowState, rows: readonly { id: number }[]): void {
    assert(mayMoveRow(from, to), `no row moves from ${from} to ${to}`);
    if (rows.length === 0) return;
    const ids = spansOf(rows.map(({ id }) => id));
    trail({ batch, row: null, what: 'move', data: { from, to, rows: rows.length, ids } });
  }

  /** Binds what the import leaves behind, so that an auditor sees a change of any of it (audit/verify.ts). */
  function importedHashes(name: string): { read: string; imported: string } {
    const { tagScope, createdAt, repeatReason, sheet } = findBatch(name) as BatchFacts;
    const read = hashSheet({ ...sheet, options: JSON.stringify(sheet.options), rowCount: sheet.rows });
    for (const { number, reason } of each<{ number: number; reason: string }>(
      'SELECT number, reason FROM invalid_row WHERE sheet = ? ORDER BY number',
      sheet.id,
    ))
      read.invalid(number, reason);
    const imported = hashBatch(name, tagScope, createdAt, repeatReason);
    for (const row of each<ImportedRow>(
      `SELECT id, key, number, sheet, first_sheet AS firstSheet, content_hash AS contentHash FROM ${rowTables} WHERE batch = ? ORDER BY id`,
      name,
    ))
      imported.row(row);
    for (const document of each<ImportedDocument>(
      `SELECT payout, name, path, sha256, size_bytes AS sizeBytes FROM document
       WHERE payout IN (SELECT id FROM payout WHERE batch = ?) ORDER BY payout, name`,
      name,
    ))
      imported.document(document);
    return { read: read.end(), imported: imported.end() };
  }

  const sheetOf = (id: number) => {
    const found = one<{
      id: number;
      name: string;
      origin: string;
      copy: string;
      digest: string;
      received_at: number;
      options: string;
      row_count: number;
      invalid: number;
    }>('SELECT * FROM sheet WHERE id = ?', id);
    assert(found !== null, `sheet ${id} is in the ledger`);
    return {
      id: found.id,
      name: found.name,
      origin: found.origin,
      copy: found.copy,
      digest: found.digest,
      receivedAt: found.received_at,
      options: JSON.parse(found.options) as Record<string, unknown>,
      rows: found.row_count,
      invalid: found.invalid,
    };
  };
  const batchFacts = (record: BatchRecord): BatchFacts => ({
    name: record.name,
    identity: record.identity,
    service: record.service,
    tagScope: record.tag_scope,
    createdAt: record.created_at,
    repeatReason: record.repeat_reason,
    quietUntil: record.quiet_until,
    listedAt: record.listed_at,
    lookedAt: record.looked_at,
    sheet: sheetOf(record.sheet),
  });
  const findBatch = (name: string): BatchFacts | null => {
    const record = one<BatchRecord>('SELECT * FROM batch WHERE name = ?', name);
    return record === null ? null : batchFacts(record);
  };

  function changedRows(batch: string, states: string): ChangedRow[] {
    return all<ChangedRow>(
      `SELECT draft.number, draft.key, p.state, p.payment_id AS paymentId, c.content AS was, draft.content AS now FROM temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key
       JOIN payout_content c ON c.payout = p.id WHERE c.digest <> draft.digest AND p.state IN (${states}) ORDER BY draft.number`,
      batch,
    );
  }

  function compare(batch: string): Comparison {
    const n = (sql: string): number => one<{ n: number }>(sql, batch)?.n ?? 0;
    const joined = 'FROM temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key';
    return {
      known: findBatch(batch) !== null,
      added: n(
        `SELECT count(*) AS n FROM temp.draft WHERE NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft.key)`,
      ),
      same: n(`SELECT count(*) AS n ${joined} JOIN payout_content c ON c.payout = p.id WHERE c.digest = draft.digest`),
      corrected: changedRows(batch, quoted(rowStates.filter((s) => !sentStates.includes(`'${s}'`)))),
      changedAfterSending: changedRows(batch, sentStates),
      invalidSent: all<{ number: number; key: string }>(
        `SELECT i.number, i.key FROM temp.draft_invalid i JOIN payout p ON p.batch = ? AND p.key = i.key WHERE p.state IN (${sentStates}) ORDER BY i.number`,
        batch,
      ),
      missing: n(
        'SELECT count(*) AS n FROM payout p WHERE p.batch = ? AND NOT EXISTS (SELECT 1 FROM temp.draft WHERE draft.key = p.key)',
      ),
      sent: n(`SELECT count(*) AS n FROM payout p WHERE p.batch = ? AND p.state IN (${sentStates})`),
      addedTotals: all<TotalRecord>(
        `SELECT ${totalColumns} FROM temp.draft WHERE NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft.key)
         GROUP BY currency, unit, from_country ORDER BY 1, 2, 3`,
        batch,
      ).map(readTotal),
    };
  }

  /** A row that runs again under a new tag is still answerable for the payments under its old one. */
  function rememberEarlier({
    tag,
    id,
    revision,
    paymentId,
  }: Pick<LedgerRow, 'tag' | 'id' | 'revision' | 'paymentId'>): void {
    prepare('INSERT OR REPLACE INTO earlier (tag, payout, revision, payment_id) VALUES (?,?,?,?)').run(
      tag,
      id,
      revision,
      paymentId,
    );
  }

  /** Corrected rows: nothing was paid under their tag, or what was has expired and a new revision begins. */
  function correctRows(batch: string, scope: string, sheet: number): void {
    const forgetDocuments = db.prepare('DELETE FROM document WHERE payout = ?');
    const changed = all<{
      id: number;
      key: string;
      state: RowState;
      revision: number;
      number: number;
      tag: string;
      paymentId: string | null;
    }>(
      `SELECT p.id, p.key, p.state, p.revision, p.tag, p.payment_id AS paymentId, draft.number FROM temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key
       JOIN payout_content c ON c.payout = p.id WHERE c.digest <> draft.digest AND p.state NOT IN (${sentStates})`,
      batch,
    );
    const replace =
      db.prepare(`UPDATE payout SET (number, amount, unit, currency, from_country, country, destination, collection) =
      (SELECT number, amount, unit, currency, from_country, country, destination, collection FROM temp.draft WHERE key = payout.key),
      sheet = ?, state = 'planned', missed = NULL, merchant_id = NULL, payment_id = NULL, payment_status = NULL, reason = NULL, told = NULL, settled_at = NULL,
      revision = ?, tag = ? WHERE id = ?`);
    const replaceContent = db.prepare(`UPDATE payout_content SET (digest, likeness, content, content_hash) =
      (SELECT digest, likeness, content, sha256_hex(content) FROM temp.draft WHERE key = ?) WHERE payout = ?`);
    for (const row of changed) {
      const revision = row.state === 'expired' ? row.revision + 1 : row.revision;
      if (revision > row.revision) rememberEarlier(row);
      assert(mayMoveRow(row.state, 'planned'), `a row that is ${row.state} is not corrected`);
      replace.run(sheet, revision, tagOf(scope, batch, row.key, revision), row.id);
      replaceContent.run(row.key, row.id);
      // A new payment wants its documents anew: those that the sheet names are taken in with it.
      forgetDocuments.run(row.id);
      const data = {
        from: row.state,
        to: 'planned',
        why: 'corrected in the sheet',
        revision,
        number: row.number,
        earlier: { paymentId: row.paymentId, tag: row.tag },
      };
      trail({ batch, row: row.key, what: 'move', data }, row.id);
    }
  }

  const identity = one<{ id: string; path: string | null }>('SELECT id, path FROM ledger') ?? { id: '', path: null };
  const place = path === null ? where : realpathSync(path);

  const ledger: Ledger = {
    path: where,
    id: identity.id,
    moved: identity.path !== null && identity.path !== place,
    draft: openDraft(db),
    passes: openPasses(db),

    async close() {
      lock?.release();
      lock = null;
      db.close();
    },

    async hold() {
      assert(path !== null, 'a ledger without a file sends nothing');
      requireRoom(path);
      lock ??= holdLock(path, clock.now());
    },

    async settleIn() {
      prepare('UPDATE ledger SET path = ?').run(place);
    },

    async recover() {
      const dying = all<LedgerRow>(`SELECT ${rowColumns} FROM ${rowTables} WHERE state = 'sending'`);
      const reason = 'The run ended while this payment was being sent.';
      commits.alone(() => {
        for (const row of dying) applyMove({ row, from: 'sending', to: 'in_doubt', reason });
        const merchants = db.prepare("UPDATE merchant SET state = 'in_doubt' WHERE state = 'creating'").run().changes;
        const documents = db
          .prepare(
            "UPDATE document SET state = 'in_doubt', reason = 'The run ended during the upload.' WHERE state = 'uploading'",
          )
          .run().changes;
        if (Number(merchants) + Number(documents) > 0) {
          const data = { merchants: Number(merchants), documents: Number(documents), to: 'in_doubt' };
          trail({ batch: null, row: null, what: 'recovered', data });
        }
      });
      return dying.length;
    },

    batches: async () => all<BatchRecord>('SELECT * FROM batch ORDER BY created_at DESC, name').map(batchFacts),
    batch: async (name) => findBatch(name),
    batchesOfDraft: async () =>
      all(
        'SELECT p.batch, count(*) AS rows FROM temp.draft JOIN payout p ON p.key = draft.key GROUP BY p.batch ORDER BY 2 DESC, 1',
      ),
    compare: async (batch) => compare(batch),
    twins: async (batch, since, address) =>
      all<Twin>(
        `SELECT NULL AS row, draft.number, draft.currency, draft.amount, p.batch, p.number AS twin, max(p.submitted_at) AS sentAt
         FROM temp.draft JOIN payout_content c ON c.likeness = draft.likeness JOIN payout p ON p.id = c.payout
         LEFT JOIN payout own ON own.batch = ? AND own.key = draft.key
         WHERE ${sentTwin} AND p.id IS NOT own.id
           AND (own.id IS NULL OR (${neverSent} AND own.first_sheet <> p.first_sheet))
         GROUP BY draft.number ORDER BY draft.number`,
        batch,
        since,
        address,
      ),
    twinsOfBatch: async (batch, since, address) =>
      all<Twin>(
        `SELECT own.id AS row, own.number, own.currency, own.amount, p.batch, p.number AS twin, max(p.submitted_at) AS sentAt
         FROM payout own JOIN payout_content mine ON mine.payout = own.id
         JOIN payout_content c ON c.likeness = mine.likeness AND c.payout <> own.id JOIN payout p ON p.id = c.payout
         WHERE own.batch = ? AND own.sheet = (SELECT sheet FROM batch WHERE name = own.batch)
           AND ${sentTwin} AND ${neverSent} AND own.not_repeat IS NULL AND own.first_sheet <> p.first_sheet
         GROUP BY own.id ORDER BY own.number`,
        batch,
        since,
        address,
      ),

    async importDraft({ batch, identity, service, tagScope, repeatReason, sheet }) {
      return commits.alone(() => {
        const now = clock.now();
        const before = findBatch(batch);
        const scope = before?.tagScope ?? tagScope;
        const comparison = compare(batch);
        const { rows, invalid } = ledger.draft.counts();
        const digest = ledger.draft.digest();
        const added = db
          .prepare(
            'INSERT INTO sheet (batch, name, origin, copy, digest, received_at, options, row_count, invalid) VALUES (?,?,?,?,?,?,?,?,?)',
          )
          .run(batch, sheet.name, sheet.origin, sheet.copy, digest, now, JSON.stringify(sheet.options), rows, invalid);
        const id = Number(added.lastInsertRowid);
        correctRows(batch, scope, id);
        // What was sent keeps the content that was sent; what was not may have a new name, tag or documents.
        db.prepare(`UPDATE payout SET sheet = ?, number = draft.number,
            collection = CASE WHEN payout.state IN (${sentStates}) THEN payout.collection ELSE draft.collection END
          FROM temp.draft WHERE payout.batch = ? AND payout.key = draft.key`).run(id, batch);
        db.prepare(`UPDATE payout_content SET content = draft.content, content_hash = sha256_hex(draft.content)
          FROM temp.draft JOIN payout p ON p.batch = ? AND p.key = draft.key
          WHERE payout_content.payout = p.id AND p.state NOT IN (${sentStates})`).run(batch);
        db.prepare(`INSERT INTO payout (batch, key, number, sheet, first_sheet, state, revision, tag, amount, unit, currency, from_country, country, destination, collection)
          SELECT ?, key, number, ?, ?, 'planned', 0, tag_of(?, ?, key, 0), amount, unit, currency, from_country, country, destination, collection
          FROM temp.draft WHERE NOT EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft.key) ORDER BY number`).run(
          batch,
          id,
          id,
          scope,
          batch,
          batch,
        );
        db.prepare(`INSERT INTO payout_content (payout, digest, likeness, content, content_hash)
          SELECT p.id, draft.digest, draft.likeness, draft.content, sha256_hex(draft.content)
          FROM payout p JOIN temp.draft ON draft.number = p.number WHERE p.sheet = ? AND p.first_sheet = ? ORDER BY p.id`).run(
          id,
          id,
        );
        // A file that the sheet no longer names must not leave.
        db.prepare(`DELETE FROM document WHERE state IN ('due', 'missing') AND payout IN (SELECT id FROM payout WHERE batch = ? AND sheet = ?)
          AND NOT EXISTS (SELECT 1 FROM payout p JOIN temp.draft_document d ON d.number = p.number AND d.name = document.name WHERE p.id = document.payout)`).run(
          batch,
          id,
        );
        db.prepare(`INSERT INTO document (payout, name, path, sha256, size_bytes, state)
          SELECT p.id, d.name, d.path, d.sha256, d.size_bytes, 'due' FROM temp.draft_document d
          JOIN temp.draft ON draft.number = d.number JOIN payout p ON p.batch = ? AND p.key = draft.key
          ON CONFLICT (payout, name) DO UPDATE SET path = excluded.path, sha256 = excluded.sha256, size_bytes = excluded.size_bytes WHERE state IN ('due', 'missing')`).run(
          batch,
        );
        db.prepare(`INSERT INTO invalid_row SELECT ?, number, group_concat(message, ' ') FROM temp.draft_problem
          WHERE severity = 'error' AND number IS NOT NULL GROUP BY number`).run(id);
        db.prepare(
          'INSERT INTO batch (name, identity, service, tag_scope, created_at, sheet, repeat_reason) VALUES (?,?,?,?,?,?,?) ON CONFLICT (name) DO UPDATE SET sheet = excluded.sheet, identity = excluded.identity, service = excluded.service',
        ).run(batch, identity, service, scope, now, id, repeatReason);
        trail({
          batch,
          row: null,
          what: 'sheet',
          data: {
            sheet: id,
            name: sheet.name,
            digest,
            rows,
            invalid,
            added: comparison.added,
            same: comparison.same,
            missing: comparison.missing,
            ...(repeatReason === null ? {} : { repeat: repeatReason }),
            ids: spansOf(all<{ id: number }>('SELECT id FROM payout WHERE first_sheet = ?', id).map((row) => row.id)),
            ...importedHashes(batch),
            identity,
            service,
          },
        });
        const facts = findBatch(batch);
        assert(facts !== null, 'the batch was just written');
        return facts;
      });
    },

    async rows({ batch, states, sheet, afterId = 0, limit }) {
      const wheres = ['id > ?'];
      const values: SQLInputValue[] = [afterId];
      if (batch !== undefined) {
        wheres.push('batch = ?');
        values.push(batch);
      }
      // One state in these words is what the partial indexes of doubtful rows answer to.
      if (states !== undefined)
        wheres.push(states.length === 1 ? `state = '${states[0]}'` : `state IN (${quoted(states)})`);
      if (sheet !== undefined) {
        wheres.push('+sheet = ?');
        values.push(sheet);
      }
      return all<LedgerRow>(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE ${wheres.join(' AND ')} ORDER BY id LIMIT ?`,
        ...values,
        limit,
      );
    },
    firstReadyOfKinds: async (batch, sheet) =>
      all<LedgerRow>(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE id IN (SELECT min(id) FROM payout WHERE batch = ? AND state = 'ready' AND +sheet = ?
           GROUP BY country, from_country) ORDER BY id`,
        batch,
        sheet,
      ),
    readyKinds: async (batch, sheet) =>
      all(
        `SELECT country, from_country AS "from", collection, count(*) AS rows FROM payout WHERE batch = ? AND state = 'ready' AND +sheet = ? GROUP BY country, from_country, collection`,
        batch,
        sheet,
      ),
    rowsByNumber: async (batch, sheet, afterNumber, limit) =>
      all<LedgerRow>(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE sheet = ? AND number > ? AND +batch = ? ORDER BY number LIMIT ?`,
        sheet,
        afterNumber,
        batch,
        limit,
      ),
    otherRows: async (batch, sheet, afterId, limit) =>
      all<LedgerRow>(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE batch = ? AND sheet <> ? AND id > ? ORDER BY id LIMIT ?`,
        batch,
        sheet,
        afterId,
        limit,
      ),
    row: async (id) => one<LedgerRow>(`SELECT ${rowColumns} FROM ${rowTables} WHERE id = ?`, id),
    rowByKey: async (batch, key) =>
      one<LedgerRow>(`SELECT ${rowColumns} FROM ${rowTables} WHERE batch = ? AND key = ?`, batch, key),
    rowByTag: async (tag) => one<LedgerRow>(`SELECT ${rowColumns} FROM ${rowTables} WHERE tag = ?`, tag),
    rowByPayment: async (id) =>
      one<LedgerRow>(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE payment_id = ? OR id IN (SELECT payout FROM earlier WHERE payment_id = ?) LIMIT 1`,
        id,
        id,
      ),
    invalidRows: async (sheet, afterNumber, limit) =>
      all(
        'SELECT number, reason FROM invalid_row WHERE sheet = ? AND number > ? ORDER BY number LIMIT ?',
        sheet,
        afterNumber,
        limit,
      ),
    counts: async (batch) =>
      all<TotalRecord & { state: RowState }>(
        `SELECT state, ${totalColumns} FROM payout WHERE batch = ? GROUP BY currency, unit, from_country, state ORDER BY currency, unit, from_country, state`,
        batch,
      ).map((record): CountLine => ({ ...readTotal(record), state: record.state })),

    everSent: async (batch) =>
      one('SELECT 1 FROM payout WHERE batch = ? AND (attempts > 0 OR payment_id IS NOT NULL) LIMIT 1', batch) !== null,
    markGone: async (paymentId, reason) =>
      commits.alone(() => {
        prepare('INSERT OR REPLACE INTO gone VALUES (?,?,?)').run(paymentId, reason, clock.now());
        trail({ batch: null, row: null, what: 'gone', data: { paymentId, reason } });
      }),
    retry: async (row, { revision, tag, reason }) =>
      commits.alone(() => {
        assert(mayMoveRow(row.state, 'planned'), `a row that is ${row.state} is not sent again`);
        if (tag !== row.tag) rememberEarlier(row);
        const done = prepare(
          `UPDATE payout SET state = 'planned', revision = ?, tag = ?, merchant_id = NULL, payment_id = NULL, payment_status = NULL,
           reason = NULL, told = NULL, settled_at = NULL, missed = NULL WHERE id = ? AND state = ?`,
        ).run(revision, tag, row.id, row.state);
        assert(done.changes === 1, `row ${row.key} of batch ${row.batch} is no longer ${row.state}`);
        prepare("UPDATE document SET state = 'due', document_id = NULL, reason = NULL WHERE payout = ?").run(row.id);
        const earlier = { paymentId: row.paymentId, tag: row.tag };
        const data = { from: row.state, to: 'planned', why: 'sent again', revision, reason, earlier };
        trail({ batch: row.batch, row: row.key, what: 'move', data }, row.id);
      }),
    newestPaid: async (batch, limit) =>
      all<LedgerRow>(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE batch = ? AND payment_id IS NOT NULL ORDER BY submitted_at DESC LIMIT ?`,
        batch,
        limit,
      ),
    trailOf: async (rowId) =>
      all<{ entry: string }>('SELECT entry FROM trail WHERE payout = ? ORDER BY seq', rowId).map(({ entry }) =>
        readEntry(entry),
      ),
    hasEarlier: async () => one('SELECT 1 FROM earlier WHERE payment_id IS NOT NULL LIMIT 1') !== null,
    hashAt: (seq) => one<{ hash: string }>('SELECT hash FROM trail WHERE seq = ?', seq)?.hash ?? null,
    lastTried: async (batch) =>
      one<{ at: number | null }>(
        "SELECT max(submitted_at) AS at FROM payout WHERE batch = ? AND state IN ('planned', 'ready') AND attempts > 0",
        batch,
      )?.at ?? null,
    lastRefused: async (batch) =>
      one<{ at: number | null }>(
        "SELECT max(submitted_at) AS at FROM payout WHERE batch = ? AND state = 'refused' AND attempts > 0",
        batch,
      )?.at ?? null,
    unknownDoubles: async (batch) =>
      one<{ n: number }>(
        `SELECT count(*) AS n FROM payout p WHERE batch = ? AND state IN ('duplicate', 'duplicate_paid') AND NOT EXISTS
           (SELECT 1 FROM trail WHERE payout = p.id AND json_extract(entry, '$[4].said') = 'known')`,
        batch,
      )?.n ?? 0,
    hasSent: async (batch) =>
      one(`SELECT 1 FROM payout WHERE batch = ? AND state IN (${sentStates}) LIMIT 1`, batch) !== null,
    everAccepted: async (batch) =>
      one('SELECT 1 FROM payout WHERE batch = ? AND attempts > 0 AND payment_id IS NOT NULL LIMIT 1', batch) !== null,
    bind: async (batch, identity, service) =>
      commits.alone(() => {
        const before = findBatch(batch);
        assert(before !== null, `batch ${batch} is in the ledger`);
        if (before.identity === identity && before.service === service) return before;
        prepare('UPDATE batch SET identity = ?, service = ? WHERE name = ?').run(identity, service, batch);
        trail({ batch, row: null, what: 'bound', data: { identity, service } });
        return { ...before, identity, service };
      }),
    proveList: async (batch) =>
      commits.alone(() => {
        const at = clock.now();
        prepare('UPDATE batch SET listed_at = ? WHERE name = ?').run(at, batch);
        trail({ batch, row: null, what: 'listed', data: { at } });
      }),
    doubtLists: async () =>
      commits.alone(() => {
        const { changes } = prepare('UPDATE batch SET listed_at = NULL WHERE listed_at IS NOT NULL').run();
        if (changes > 0) trail({ batch: null, row: null, what: 'listed', data: { at: null } });
      }),
    recordPass: async (batch, began, complete, data) =>
      commits.alone(() => {
        if (complete) prepare('UPDATE batch SET looked_at = ? WHERE name = ?').run(began, batch);
        trail({ batch, row: null, what: 'pass', data: { ...data, began, complete } });
      }),
    keepQuiet: async (batch, until) =>
      commits.alone(() => {
        prepare('UPDATE batch SET quiet_until = ? WHERE name = ?').run(until, batch);
        trail({ batch, row: null, what: 'quiet', data: { until } });
      }),
    lastDoubt: async (batch) =>
      one<{ at: number | null }>(
        "SELECT max(submitted_at) AS at FROM payout WHERE batch = ? AND state = 'in_doubt'",
        batch,
      )?.at ?? null,
    lastSent: async (batch) =>
      one<{ at: number | null }>('SELECT max(submitted_at) AS at FROM payout WHERE batch = ?', batch)?.at ?? null,

    move: (move) => commits.share(() => applyMove(move)),
    moveAll: async (moves) =>
      commits.alone(() => {
        for (const move of moves) applyMove(move);
      }),
    note: (row, facts, data) =>
      commits.share(() => {
        update(row, row.state, row.state, facts);
        trail({ batch: row.batch, row: row.key, what: 'note', data: movedFacts(facts, false, data) }, row.id);
      }),

    wantMerchants: async (batch, sheet, identity) =>
      commits.alone(() => {
        // Rows that an earlier run made ready are matched again: their merchant may lead elsewhere by now.
        const again = all<{ id: number }>(
          "UPDATE payout SET state = 'planned', merchant_id = NULL WHERE batch = ? AND state = 'ready' AND sheet = ? RETURNING id",
          batch,
          sheet,
        );
        trailMany(batch, 'ready', 'planned', again);
        db.prepare(`INSERT INTO merchant (identity, destination, country, state, content, number)
          SELECT ?, destination, country, 'wanted', (SELECT content FROM payout_content WHERE payout = id), min(number)
          FROM payout WHERE batch = ? AND state = 'planned' AND sheet = ? GROUP BY destination
          ON CONFLICT (identity, destination) DO UPDATE SET content = excluded.content, number = excluded.number,
            state = CASE WHEN state = 'refused' THEN 'wanted' ELSE state END`).run(identity, batch, sheet);
        return one<{ n: number }>(
          `SELECT count(DISTINCT destination) AS n FROM payout WHERE batch = ? AND state = 'planned' AND sheet = ?`,
          batch,
          sheet,
        )?.n as number;
      }),
    async seeMerchants(identity, merchants) {
      const wanted = db.prepare('SELECT 1 FROM merchant WHERE identity = ? AND destination = ?');
      const insert = db.prepare('INSERT OR REPLACE INTO temp.seen_merchant VALUES (?,?,?)');
      for (const merchant of merchants)
        if (wanted.get(identity, merchant.destination) !== undefined)
          insert.run(merchant.destination, merchant.id, merchant.name);
    },
    forgetSeen: () => db.exec('DELETE FROM temp.seen_merchant'),
    seenFor: (destination) =>
      all<SeenMerchant>(
        'SELECT id, destination, name FROM temp.seen_merchant WHERE destination = ? ORDER BY id',
        destination,
      ),
    merchants: async (batch, sheet, identity, states, after, limit) =>
      all<LedgerMerchant>(
        `SELECT ${merchantColumns} FROM merchant WHERE identity = ? AND destination > ? AND state IN (${quoted(states)})
          AND destination IN (SELECT destination FROM payout WHERE batch = ? AND sheet = ? AND state IN ('planned', 'ready')) ORDER BY destination LIMIT ?`,
        identity,
        after,
        batch,
        sheet,
        limit,
      ),
    moveMerchants(identity, moves) {
      const change = db.prepare(
        `UPDATE merchant SET state = ?, merchant_id = ?, reason = ? WHERE identity = ? AND destination = ? AND state = ?`,
      );
      return commits.share(() => {
        for (const { merchant, to, merchantId, reason } of moves) {
          assert(merchantMoves[merchant.state].includes(to), `no merchant moves from ${merchant.state} to ${to}`);
          const id = to === 'known' ? (merchantId ?? merchant.merchantId) : null;
          const done = change.run(to, id, reason ?? null, identity, merchant.destination, merchant.state);
          assert(done.changes === 1, `the merchant of row ${merchant.number} is no longer ${merchant.state}`);
          trail({
            batch: null,
            row: null,
            what: 'merchant',
            data: {
              destination: merchant.destination,
              from: merchant.state,
              to,
              merchantId: id,
              reason: reason ?? null,
            },
          });
        }
      });
    },
    readyRows: async (batch, sheet, identity) =>
      commits.alone(() => {
        // One trail line for all of them: which merchant each row pays stands in the line of its intent.
        const done = all<{ id: number }>(
          `UPDATE payout SET state = 'ready', reason = NULL, merchant_id = m.merchant_id FROM merchant m
           WHERE payout.batch = ? AND payout.state = 'planned' AND payout.sheet = ?
             AND m.identity = ? AND m.destination = payout.destination AND m.state = 'known' RETURNING payout.id`,
          batch,
          sheet,
          identity,
        );
        trailMany(batch, 'planned', 'ready', done);
        return done.length;
      }),

    documents: async (batch, states, afterId, limit) =>
      all<LedgerDocument>(
        `SELECT ${documentColumns} FROM document d JOIN payout p ON p.id = d.payout WHERE p.batch = ? AND d.state IN (${quoted(states)}) AND d.id > ?
         AND p.payment_id IS NOT NULL ORDER BY d.id LIMIT ?`,
        batch,
        afterId,
        limit,
      ),
    async documentCounts(batch) {
      const counts: Record<DocumentState, number> = { due: 0, uploading: 0, attached: 0, in_doubt: 0, missing: 0 };
      for (const { state, n } of all<{ state: DocumentState; n: number }>(
        'SELECT d.state, count(*) AS n FROM document d JOIN payout p ON p.id = d.payout WHERE p.batch = ? AND p.payment_id IS NOT NULL GROUP BY d.state',
        batch,
      ))
        counts[state] = n;
      return counts;
    },
    documentsOf: async (rowId) =>
      all<LedgerDocument>(
        `SELECT ${documentColumns} FROM document d JOIN payout p ON p.id = d.payout WHERE d.payout = ? ORDER BY d.id`,
        rowId,
      ),
    moveDocument(document, to, facts = {}) {
      return commits.share(() => {
        assert(documentMoves[document.state].includes(to), `no document moves from ${document.state} to ${to}`);
        const done = db
          .prepare(
            'UPDATE document SET state = ?, document_id = coalesce(?, document_id), reason = ? WHERE id = ? AND state = ?',
          )
          .run(to, facts.documentId ?? null, facts.reason ?? null, document.id, document.state);
        assert(
          done.changes === 1,
          `document ${document.name} of row ${document.rowKey} is no longer ${document.state}`,
        );
        const batch = one<{ batch: string }>('SELECT batch FROM payout WHERE id = ?', document.row)?.batch ?? null;
        const data = { name: document.name, sha256: document.sha256, from: document.state, to, ...facts };
        trail({ batch, row: document.rowKey, what: 'document', data }, document.row);
      });
    },

    record: (entry) => commits.share(() => trail(entry)),
    trail: async (batch, limit) =>
      all<{ entry: string }>(
        `SELECT entry FROM (SELECT t.seq, t.entry FROM payout p JOIN trail t ON t.payout = p.id
           WHERE p.batch = ? AND p.state <> 'succeeded' ORDER BY t.seq DESC LIMIT ?) ORDER BY seq`,
        batch,
        limit,
      ).map(({ entry }) => readEntry(entry)),
    head: async () => head(),
    evidence: () => openEvidence(db, makeTables),
    eachTrail: () =>
      db.prepare('SELECT seq, entry AS text, hash FROM trail ORDER BY seq').iterate() as Iterable<{
        seq: number;
        text: string;
        hash: string;
      }>,
  };
  return ledger;
}

function openTables(path: string | null, where: string, clock: Clock, readOnly: boolean): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    if (path !== null) requireLocalDisk(path);
    db = path === null ? new DatabaseSync('') : readOnly ? new DatabaseSync(path, { readOnly }) : openSqlite(path);
    prepareTables(db, where, clock, readOnly);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof PayrunError) throw error;
    // SQLITE_CORRUPT and SQLITE_NOTADB: the file is there, and is no ledger any more.
    throw [11, 26].includes(sqliteCode(error))
      ? new PayrunError('LEDGER_DAMAGED', { detail: `${where}: ${wordsOf(error)}` })
      : new PayrunError('LEDGER_UNUSABLE', { path: where, detail: wordsOf(error) });
  }
}

function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? (error.errcode as number) & 0xff : 0;
}

/** SQLITE_FULL, SQLITE_IOERR and SQLITE_READONLY: an expected end of the run, and not a bug. */
function writingFault(error: unknown, path: string): unknown {
  if (![13, 10, 8].includes(sqliteCode(error))) return error;
  return new PayrunError('LEDGER_UNWRITABLE', { path, detail: wordsOf(error) }, { cause: error });
}

interface BatchRecord {
  name: string;
  identity: string;
  service: string;
  tag_scope: string;
  created_at: number;
  sheet: number;
  repeat_reason: string | null;
  quiet_until: number | null;
  listed_at: number | null;
  looked_at: number | null;
}

/** Which of a row's moments a move to a state sets. */
const momentOf: { readonly [S in RowState]?: 'submittedAt' | 'acceptedAt' | 'settledAt' } = {
  sending: 'submittedAt',
  accepted: 'acceptedAt',
  succeeded: 'settledAt',
  expired: 'settledAt',
};

/**
 * What an auditor reads of a move: ids and words, and of the raw answer a hash. Everything that the row bears afterwards must follow
 * from it, so that nothing beside it may bear the same name; an intent clears reason and missed without saying so, since it is written
 * for every payment.
 */
function movedFacts(facts: RowFacts, intent: boolean, beside: Move['data'] = {}): Record<string, unknown> {
  const { merchantId, paymentId, paymentStatus, revision, notRepeat, evidence, reason, missed, submittedAt, told } =
    facts;
  const data: Record<string, unknown> = { ...beside };
  const tell = (name: string, value: unknown) => {
    if (value !== undefined) data[name] = value;
  };
  tell('merchantId', merchantId);
  tell('paymentId', paymentId);
  tell('paymentStatus', paymentStatus);
  tell('revision', revision);
  tell('notRepeat', notRepeat);
  tell('evidence', evidence);
  if (!intent || reason !== null) tell('reason', reason);
  if (!intent || missed !== null) tell('missed', missed);
  if (!intent) tell('submittedAt', submittedAt);
  if (told !== undefined) tell('told', toldHash(told));
  return data;
}
