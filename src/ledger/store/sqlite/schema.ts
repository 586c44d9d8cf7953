/** The ledger's tables, as a list of migrations that only ever grows; and the private tables of a sheet being checked. */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { sha256 } from '../../../base/digest.ts';
import { PayrunError } from '../../../base/errors.ts';
import { payeeOf } from '../../../domain/accounts/payee.ts';
import { rowOfContent } from '../../../domain/rows/digest.ts';
import { openSql } from '../sql.ts';
import { openTrail } from '../trail.ts';
import { keepBackup } from './backup.ts';

const newLedger = 'INSERT INTO ledger VALUES (lower(hex(randomblob(8))), NULL)';

/** For settling doubts: when each attempt was made, which scan missed it, and the tags of earlier revisions. */
const doubtTables = `
  CREATE TABLE ledger (id TEXT NOT NULL, path TEXT) STRICT;
  ${newLedger};
  ALTER TABLE payout ADD COLUMN accepted_at INTEGER;
  ALTER TABLE batch ADD COLUMN quiet_until INTEGER;
  ALTER TABLE batch ADD COLUMN listed_at INTEGER;
  ALTER TABLE payout ADD COLUMN sent_moment TEXT;
  ALTER TABLE payout ADD COLUMN missed TEXT;
  ALTER TABLE payout ADD COLUMN not_repeat TEXT;
  ALTER TABLE payout ADD COLUMN evidence TEXT;
  CREATE TABLE earlier (
    tag TEXT PRIMARY KEY, payout INTEGER NOT NULL, revision INTEGER NOT NULL, payment_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trail_whole ON trail (seq) WHERE payout IS NULL;
  CREATE TABLE gone (payment_id TEXT PRIMARY KEY, reason TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** As published: the tables of an older ledger never change here. */
const firstTables = `
  CREATE TABLE batch (
    name TEXT PRIMARY KEY, identity TEXT NOT NULL, service TEXT NOT NULL, tag_scope TEXT NOT NULL,
    created_at INTEGER NOT NULL, sheet INTEGER NOT NULL, repeat_reason TEXT
  ) STRICT;
  CREATE TABLE sheet (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, name TEXT NOT NULL, origin TEXT NOT NULL, copy TEXT NOT NULL,
    digest TEXT NOT NULL, received_at INTEGER NOT NULL, options TEXT NOT NULL, row_count INTEGER NOT NULL, invalid INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE invalid_row (sheet INTEGER NOT NULL, number INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (sheet, number)) STRICT, WITHOUT ROWID;
  CREATE TABLE payout (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, sheet INTEGER NOT NULL,
    first_sheet INTEGER NOT NULL, state TEXT NOT NULL, revision INTEGER NOT NULL, tag TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL, likeness TEXT NOT NULL, content TEXT NOT NULL, content_hash TEXT NOT NULL,
    amount INTEGER NOT NULL, unit TEXT NOT NULL, currency TEXT NOT NULL, from_country TEXT, country TEXT NOT NULL,
    destination TEXT NOT NULL, collection TEXT, merchant_id TEXT, payment_id TEXT, payment_status TEXT, reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0, submitted_at INTEGER, settled_at INTEGER, told TEXT,
    UNIQUE (batch, key)
  ) STRICT;
  -- No index over the state of every row: each commit of a payment would rewrite it. A batch's rows are read in the order of their ids.
  CREATE INDEX payout_batch ON payout (batch);
  CREATE INDEX payout_sending ON payout (batch) WHERE state = 'sending';
  CREATE INDEX payout_doubt ON payout (batch) WHERE state = 'in_doubt';
  CREATE INDEX payout_number ON payout (sheet, number);
  CREATE INDEX payout_likeness ON payout (likeness);
  CREATE UNIQUE INDEX payout_payment ON payout (payment_id) WHERE payment_id IS NOT NULL;
  CREATE TABLE merchant (
    identity TEXT NOT NULL, destination TEXT NOT NULL, country TEXT NOT NULL, state TEXT NOT NULL,
    merchant_id TEXT, content TEXT NOT NULL, reason TEXT, number INTEGER NOT NULL,
    PRIMARY KEY (identity, destination)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE document (
    id INTEGER PRIMARY KEY, payout INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
    size_bytes INTEGER NOT NULL, state TEXT NOT NULL, document_id TEXT, reason TEXT, UNIQUE (payout, name)
  ) STRICT;
  CREATE INDEX document_state ON document (state, id);
  CREATE TABLE trail (seq INTEGER PRIMARY KEY, payout INTEGER, entry TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE INDEX trail_payout ON trail (payout) WHERE payout IS NOT NULL;
`;

/** The content of a payout lies apart from its state: each commit rewrites whole pages, and content does not change. */
const contentTable = `
  CREATE TABLE payout_content (
    payout INTEGER PRIMARY KEY, digest TEXT NOT NULL, likeness TEXT NOT NULL, content TEXT NOT NULL, content_hash TEXT NOT NULL
  ) STRICT;
  INSERT INTO payout_content SELECT id, digest, likeness, content, content_hash FROM payout ORDER BY id;
  DROP INDEX payout_likeness;
  ALTER TABLE payout DROP COLUMN digest;
  ALTER TABLE payout DROP COLUMN likeness;
  ALTER TABLE payout DROP COLUMN content;
  ALTER TABLE payout DROP COLUMN content_hash;
  CREATE INDEX payout_likeness ON payout_content (likeness);
`;

/** A phone is one payee whatever network a sheet names for it; as `likenessOf` has it. */
const likenessOfPhones = `
  UPDATE payout_content SET likeness = sha256_hex(json_array('Kenya|' || json_extract(content, '$.destination.contactNumber'),
    json_extract(content, '$.amount'), json_extract(content, '$.unit'), json_extract(content, '$.currency'), json_extract(content, '$.reference')))
  WHERE json_extract(content, '$.destination.country') = 'Kenya';
`;

/** A payment that a person accepted may have another amount; before this version only the trail had it. */
const paidAmounts = `
  ALTER TABLE payout ADD COLUMN paid_amount INTEGER;
  CREATE INDEX payout_otherwise ON payout (batch) WHERE paid_amount IS NOT NULL;
  UPDATE payout SET paid_amount = (SELECT json_extract(entry, '$[4].paid.amount') FROM trail WHERE trail.payout = payout.id
      AND json_extract(entry, '$[4].paymentId') IS NOT NULL ORDER BY seq DESC LIMIT 1)
    WHERE payment_id IS NOT NULL AND state <> 'expired'
      AND id IN (SELECT payout FROM trail WHERE json_extract(entry, '$[4].paid.amount') IS NOT NULL);
  UPDATE payout SET paid_amount = NULL WHERE paid_amount = amount;
`;

/** A phone is one payee at the service too: the keys of Kenyan destinations end with it. */
const merchantPhones = `
  CREATE INDEX merchant_phone ON merchant (identity, substr(destination, -13)) WHERE country = 'Kenya';
`;

/** A row that seemed unpaid and one that was sent meanwhile, perhaps its corrected copy; `known`: what a person said of it. */
const copies = `
  CREATE TABLE copy (
    payout INTEGER NOT NULL, copy INTEGER NOT NULL, differs TEXT NOT NULL, known TEXT, PRIMARY KEY (payout, copy)
  ) STRICT, WITHOUT ROWID;
`;

/** The payee of each payout, so that a changed account is noticed, and the releases by a second person. */
const payees = `
  CREATE TABLE payee (
    payout INTEGER PRIMARY KEY, id_key TEXT, name_key TEXT NOT NULL, account TEXT NOT NULL
  ) STRICT;
  INSERT INTO payee SELECT id, NULL, payee_name(content), payee_account(content)
    FROM payout JOIN payout_content ON payout = id ORDER BY id;
  CREATE INDEX payee_id ON payee (id_key, account) WHERE id_key IS NOT NULL;
  CREATE INDEX payee_name ON payee (name_key, account);
  CREATE INDEX payee_account ON payee (account);
  ALTER TABLE payout ADD COLUMN released TEXT;
`;

/** The console: accounts, rights and uploads. Secrets are hashed, keys locked by a password, and every change is in the trail. */
const consoleTables = `
  CREATE TABLE account (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, role TEXT NOT NULL, active INTEGER NOT NULL,
    password TEXT, code_secret TEXT, code_step INTEGER, key_file TEXT, public_key TEXT,
    created_at INTEGER NOT NULL, seen_at INTEGER
  ) STRICT;
  CREATE TABLE session (
    hash TEXT PRIMARY KEY, account INTEGER NOT NULL, begun_at INTEGER NOT NULL, seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_account ON session (account);
  CREATE TABLE link (
    hash TEXT PRIMARY KEY, account INTEGER, made_at INTEGER NOT NULL, good_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE login_try (
    id INTEGER PRIMARY KEY, who TEXT NOT NULL, address TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX login_try_who ON login_try (who, address, at);
  CREATE INDEX login_try_address ON login_try (address, at);
  CREATE TABLE console_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE upload (
    id TEXT PRIMARY KEY, file TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, account INTEGER NOT NULL,
    at INTEGER NOT NULL, state TEXT NOT NULL, message TEXT, header TEXT, batch TEXT, plan TEXT, facts TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX upload_at ON upload (at);
  CREATE INDEX upload_batch ON upload (batch) WHERE batch IS NOT NULL;
  CREATE TABLE correction (
    id INTEGER PRIMARY KEY, upload TEXT NOT NULL, row_number INTEGER, column_index INTEGER NOT NULL,
    was TEXT NOT NULL, becomes TEXT NOT NULL, account INTEGER NOT NULL, at INTEGER NOT NULL, undone_at INTEGER
  ) STRICT;
  CREATE INDEX correction_upload ON correction (upload, id);
  CREATE TABLE job (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, account INTEGER NOT NULL, upload TEXT, batch TEXT, started_at INTEGER NOT NULL,
    ended_at INTEGER, state TEXT NOT NULL, message TEXT, "exit" INTEGER
  ) STRICT;
  CREATE INDEX job_upload ON job (upload) WHERE upload IS NOT NULL;
  CREATE INDEX job_batch ON job (batch) WHERE batch IS NOT NULL;
  CREATE TABLE column_choice (
    header TEXT PRIMARY KEY, choice TEXT NOT NULL, account INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Several processes send one batch (fleet.ts): who has claimed a row and until when, what is open, and who is there. */
const fleet = `
  ALTER TABLE payout ADD COLUMN worker TEXT;
  ALTER TABLE payout ADD COLUMN lease_until INTEGER;
  CREATE TABLE opening (
    batch TEXT PRIMARY KEY, sheet INTEGER NOT NULL, epoch INTEGER NOT NULL, leader TEXT NOT NULL, terms TEXT NOT NULL, room INTEGER NOT NULL,
    until INTEGER NOT NULL, not_before INTEGER NOT NULL, reached INTEGER NOT NULL, turn INTEGER NOT NULL, sent INTEGER NOT NULL,
    ended INTEGER NOT NULL, refused INTEGER NOT NULL, doubts INTEGER NOT NULL, unsettled INTEGER NOT NULL, last_words TEXT,
    last_doubt_at INTEGER NOT NULL, closed TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE worker (name TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE pause (batch TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** A correction of several rows, as JSON: each run of rows by its first and last. */
const correctedRows = 'ALTER TABLE correction ADD COLUMN row_runs TEXT;';

/** The order of sheets and of the console's plans. `after_sheet` is the newest accepted sheet at that time. */
const turns = `
  CREATE TABLE turn (turn INTEGER NOT NULL PRIMARY KEY, batch TEXT, what TEXT NOT NULL, after_sheet INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX turn_batch ON turn (batch, turn);
  CREATE INDEX turn_what ON turn (what);
  INSERT INTO turn SELECT row_number() OVER (ORDER BY at, id), batch, digest, NULL FROM (
    SELECT id, json_extract(facts, '$.plan.request.batch') AS batch, json_extract(facts, '$.plan.digest') AS digest,
      coalesce(CAST(json_extract(facts, '$.plan.madeAt') AS BIGINT), at) AS at
    FROM upload) plan
  WHERE batch IS NOT NULL AND digest IS NOT NULL;
`;

/** One for each version: what is published is never changed, only followed by another. */
const migrations: readonly string[] = [
  firstTables,
  `${contentTable}${doubtTables}`,
  likenessOfPhones,
  `${paidAmounts}${merchantPhones}`,
  copies,
  payees,
  consoleTables,
  fleet,
  correctedRows,
  turns,
];

/** Temporary tables lie in a private file that SQLite deletes with the connection. Their undo log stays in memory. */
export const draftTables = `
  PRAGMA temp_store=FILE;
  PRAGMA temp.journal_mode=MEMORY;
  PRAGMA temp.cache_size=-16384;
  CREATE TEMP TABLE draft (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, likeness TEXT NOT NULL, content TEXT NOT NULL,
    amount INTEGER NOT NULL, unit TEXT NOT NULL, currency TEXT NOT NULL, from_country TEXT, country TEXT NOT NULL,
    destination TEXT NOT NULL, collection TEXT, id_key TEXT, name_key TEXT NOT NULL, account TEXT NOT NULL
  ) STRICT;
  CREATE INDEX temp.draft_destination ON draft (destination);
  CREATE INDEX temp.draft_phone ON draft (substr(destination, -13)) WHERE country = 'Kenya';
  CREATE TEMP TABLE draft_document (
    number INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX temp.draft_document_row ON draft_document (number);
  CREATE TEMP TABLE draft_invalid (
    number INTEGER PRIMARY KEY, key TEXT, row_id TEXT, name TEXT, name_key TEXT, account TEXT, reference TEXT, amount TEXT
  ) STRICT;
  CREATE TEMP TABLE draft_new (number INTEGER PRIMARY KEY, tag TEXT NOT NULL) STRICT;
  CREATE TEMP TABLE draft_odd (
    number INTEGER PRIMARY KEY, verdict TEXT NOT NULL, last INTEGER, account_last INTEGER,
    ambiguous INTEGER NOT NULL, held INTEGER NOT NULL
  ) STRICT;
  CREATE TEMP TABLE draft_problem (
    id INTEGER PRIMARY KEY, number INTEGER, col TEXT, code TEXT NOT NULL, severity TEXT NOT NULL, message TEXT NOT NULL, value TEXT, suggestion TEXT
  ) STRICT;
  CREATE INDEX temp.draft_problem_row ON draft_problem (severity, number);
  CREATE TEMP TABLE seen_payment (
    id TEXT PRIMARY KEY, tag TEXT, merchant_id TEXT, amount INTEGER, reference TEXT, status TEXT, ending TEXT NOT NULL, at INTEGER, latest INTEGER, meant INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.seen_payment_payee ON seen_payment (merchant_id, reference);
  CREATE TEMP TABLE seen_merchant (
    destination TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, phone TEXT, PRIMARY KEY (destination, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.seen_merchant_phone ON seen_merchant (phone) WHERE phone IS NOT NULL;
  CREATE INDEX temp.seen_merchant_name ON seen_merchant (lower(name)) WHERE destination = '';
`;

export const schemaVersion = migrations.length;

/** Before anything is written: not even the way of writing of another program's database is changed. */
export function requireOwn(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (versionOf(db) === 0 && db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined)
      throw new PayrunError('LEDGER_UNUSABLE', { path, detail: 'it is the database of another program' });
  } finally {
    db.close();
  }
}

/** A ledger that is only read is left as it is: its tables must be this version's already. */
export function prepareTables(db: DatabaseSync, path: string, clock: Clock, readOnly: boolean): void {
  addFunctions(db);
  if (readOnly) requireThisVersion(db, path);
  else migrate(db, path, clock);
  db.exec(draftTables);
}

/** Functions that migrations and statements call besides SQLite's own. */
function addFunctions(db: DatabaseSync): void {
  db.function('sha256_hex', { deterministic: true }, (text) => sha256(String(text)));
  db.function('payee_name', { deterministic: true }, (content) => payeeOf(rowOfContent(String(content), 0)).name);
  db.function('payee_account', { deterministic: true }, (content) => payeeOf(rowOfContent(String(content), 0)).account);
}

/** Returns the migrations since a version. */
export function stepsSince(version: number): readonly string[] {
  return migrations.slice(version);
}

/** The tables of an empty ledger. */
export function makeTables(db: DatabaseSync): void {
  addFunctions(db);
  makeNewest(db);
}

/** The result of all migrations, computed once: each ALTER reads all tables again. */
let newest: string | null = null;

function makeNewest(db: DatabaseSync): void {
  for (const step of newest === null ? migrations : [newest]) db.exec(step);
  if (newest !== null) return;
  const made = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all();
  newest = [...made.map(({ sql }) => sql), newLedger].join(';\n');
}

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly needed: 0 | 1;
}

/** Of all tables, as the newest version makes them. */
export function newestColumns(): Column[] {
  const db = new DatabaseSync(':memory:');
  try {
    makeTables(db);
    const all = db.prepare(
      `SELECT t.name AS "table", c.name, c.type, c."notnull" OR c.pk > 0 AS needed
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.rowid, c.cid`,
    );
    return all.all() as unknown as Column[];
  } finally {
    db.close();
  }
}

function requireThisVersion(db: DatabaseSync, path: string): void {
  const found = versionOf(db);
  if (found > schemaVersion) throw new PayrunError('LEDGER_NEWER', { path, found, known: schemaVersion });
  if (found < schemaVersion)
    throw new PayrunError('LEDGER_UNUSABLE', {
      path,
      detail: `an older version of Payrun wrote it (schema ${found}, this one knows ${schemaVersion}); payrun list --ledger ${path} brings it up to date, with a backup beside it`,
    });
}

function versionOf(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function migrate(db: DatabaseSync, path: string, clock: Clock): void {
  const found = versionOf(db);
  if (found === schemaVersion) return;
  if (found > schemaVersion) throw new PayrunError('LEDGER_NEWER', { path, found, known: schemaVersion });
  if (found > 0) keepBackup(db, path, found);
  db.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the lock: another process may have migrated while this one waited.
    const now = versionOf(db);
    if (now === 0) makeNewest(db);
    else for (const step of migrations.slice(now)) db.exec(step);
    // What is told from here on may be told in a newer form.
    if (now > 0 && now < schemaVersion) {
      const { id, path: home } = db.prepare('SELECT id, path FROM ledger').get() as { id: string; path: string | null };
      const data = { from: now, to: schemaVersion, ledger: id, path: home };
      openTrail(openSql(db, path), clock).append({ batch: null, row: null, what: 'migrated', data });
    }
    db.exec(`PRAGMA user_version=${schemaVersion}`);
    db.exec('COMMIT');
  } catch (error) {
    // A full disk rolls back by itself; a second rollback would hide the first error.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** What damage, or another hand, left in the file. */
export function sqliteFaults(db: DatabaseSync): string[] {
  return [...tableFaults(db), ...ownFaults(db)];
}

/** A changed table or index would let the program itself read the ledger wrongly. */
function tableFaults(db: DatabaseSync): string[] {
  const listed = (one: DatabaseSync) =>
    new Map(
      (
        one.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all() as {
          type: string;
          name: string;
          tbl_name: string;
          sql: string | null;
        }[]
      ).map((made) => [`${made.type} ${made.name}`, JSON.stringify([made.tbl_name, made.sql])]),
    );
  const fresh = new DatabaseSync(':memory:');
  try {
    makeTables(fresh);
    const [found, expected] = [listed(db), listed(fresh)];
    const names = [...new Set([...found.keys(), ...expected.keys()])].sort();
    return names
      .filter((name) => found.get(name) !== expected.get(name))
      .map((name) => `${name} ${found.has(name) ? 'is not as this version makes it' : 'is missing'}`);
  } finally {
    fresh.close();
  }
}

function ownFaults(db: DatabaseSync): string[] {
  const lines = db.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
  return lines.map((line) => line.integrity_check).filter((line) => line !== 'ok');
}
