/** Defines the ledger's tables, and the temporary tables of a draft and a list scan. */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { build, ledgerFormat } from '../../../base/build.ts';
import { sha256 } from '../../../base/digest.ts';
import { PayrunError } from '../../../base/errors.ts';
import type { FindingSubject, TableFault } from '../../../base/faults/audit-finding.ts';
import type { Each } from '../../../base/words.ts';
import { unusable } from '../faults.ts';

/** `home` has the ledger's place at its last sending, or marks a copy. `build` is the version that made the ledger. */
const ledgerTable = `
  CREATE TABLE ledger (id TEXT NOT NULL, home TEXT, build TEXT NOT NULL) STRICT;
`;

/** An empty `hold.batch` covers all batches. `invalid_row.payout` is null for a line without a row. `copy.known` is a person's explanation of the copy. */
const batchTables = `
  CREATE TABLE batch (
    name TEXT PRIMARY KEY, identity TEXT NOT NULL, service TEXT NOT NULL,
    created_at INTEGER NOT NULL, sheet INTEGER NOT NULL, listed_since INTEGER NOT NULL, repeat_reason TEXT, quiet_until INTEGER, listed_at INTEGER
  ) STRICT;
  CREATE TABLE sheet (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, name TEXT NOT NULL, origin TEXT NOT NULL, copy TEXT NOT NULL,
    digest TEXT NOT NULL, received_at INTEGER NOT NULL, options TEXT NOT NULL, row_count INTEGER NOT NULL, invalid INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE invalid_row (
    sheet INTEGER NOT NULL, number INTEGER NOT NULL, payout INTEGER, problems TEXT NOT NULL, PRIMARY KEY (sheet, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE copy (
    payout INTEGER NOT NULL, copy INTEGER NOT NULL, known TEXT, PRIMARY KEY (payout, copy)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE hold (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, batch TEXT NOT NULL, "by" TEXT, at INTEGER NOT NULL, reason TEXT,
    digest TEXT, rows TEXT, file TEXT, upload TEXT, UNIQUE (kind, batch)
  ) STRICT;
`;

/** Contents have their own table, and no index covers all states, so that each commit rewrites few pages. */
const rowTables = `
  CREATE TABLE payout (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, sheet INTEGER NOT NULL,
    first_sheet INTEGER NOT NULL, content_sheet INTEGER NOT NULL, state TEXT NOT NULL, revision INTEGER NOT NULL, tag TEXT NOT NULL UNIQUE,
    amount INTEGER NOT NULL, unit TEXT NOT NULL, currency TEXT NOT NULL, from_country TEXT, country TEXT NOT NULL,
    destination TEXT NOT NULL, collection TEXT, merchant_id TEXT, payment_id TEXT, payment_status TEXT, reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0, submitted_at INTEGER, settled_at INTEGER, service_details TEXT, accepted_at INTEGER,
    sent_moment TEXT, missed TEXT, allowed TEXT, evidence TEXT, paid_amount INTEGER, released TEXT,
    worker TEXT, lease_until INTEGER, closed TEXT,
    UNIQUE (batch, key)
  ) STRICT;
  CREATE INDEX payout_batch ON payout (batch);
  CREATE INDEX payout_sending ON payout (batch) WHERE state = 'sending';
  CREATE INDEX payout_doubt ON payout (batch) WHERE state = 'in_doubt';
  CREATE INDEX payout_double ON payout (id) WHERE state IN ('duplicate', 'duplicate_paid');
  CREATE INDEX payout_number ON payout (sheet, number);
  CREATE UNIQUE INDEX payout_payment ON payout (payment_id) WHERE payment_id IS NOT NULL;
  CREATE INDEX payout_otherwise ON payout (batch) WHERE paid_amount IS NOT NULL;
  CREATE TABLE payout_content (
    payout INTEGER PRIMARY KEY, digest TEXT NOT NULL, likeness TEXT NOT NULL, content TEXT NOT NULL, content_hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX payout_likeness ON payout_content (likeness);
  CREATE TABLE earlier (
    tag TEXT PRIMARY KEY, payout INTEGER NOT NULL, revision INTEGER NOT NULL, payment_id TEXT, likeness TEXT NOT NULL, submitted_at INTEGER, settled_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX earlier_payout ON earlier (payout);
  CREATE TABLE claim (payout INTEGER PRIMARY KEY, payment_id TEXT, attempts INTEGER, at INTEGER NOT NULL) STRICT;
  CREATE TABLE gone (payment_id TEXT PRIMARY KEY, reason TEXT, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE document (
    id INTEGER PRIMARY KEY, payout INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
    size_bytes INTEGER NOT NULL, state TEXT NOT NULL, document_id TEXT, reason TEXT, UNIQUE (payout, name)
  ) STRICT;
  CREATE INDEX document_state ON document (state, id);
`;

/** `payee.account` of a Kenyan row is the phone without its network, because a phone has one owner in all networks. */
const payeeTables = `
  CREATE TABLE merchant (
    identity TEXT NOT NULL, destination TEXT NOT NULL, country TEXT NOT NULL, state TEXT NOT NULL,
    merchant_id TEXT, content TEXT NOT NULL, reason TEXT, number INTEGER NOT NULL,
    PRIMARY KEY (identity, destination)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX merchant_phone ON merchant (identity, substr(destination, -13)) WHERE country = 'Kenya';
  CREATE TABLE payee (
    payout INTEGER PRIMARY KEY, id_key TEXT, name_key TEXT NOT NULL, account TEXT NOT NULL
  ) STRICT;
  CREATE INDEX payee_id ON payee (id_key, account) WHERE id_key IS NOT NULL;
  CREATE INDEX payee_name ON payee (name_key, account);
  CREATE INDEX payee_account ON payee (account);
`;

const trailTable = `
  CREATE TABLE trail (seq INTEGER PRIMARY KEY, payout INTEGER, entry TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE INDEX trail_payout ON trail (payout) WHERE payout IS NOT NULL;
  CREATE INDEX trail_whole ON trail (seq) WHERE payout IS NULL;
`;

const fleetTables = `
  CREATE TABLE opening (
    batch TEXT PRIMARY KEY, since INTEGER NOT NULL, epoch INTEGER NOT NULL, leader TEXT NOT NULL, terms TEXT NOT NULL, room INTEGER NOT NULL,
    until INTEGER NOT NULL, not_before INTEGER NOT NULL, reached INTEGER NOT NULL, turn INTEGER NOT NULL, sent INTEGER NOT NULL,
    ended INTEGER NOT NULL, refused INTEGER NOT NULL, doubts INTEGER NOT NULL, unsettled INTEGER NOT NULL, last_words TEXT,
    last_doubt_at INTEGER NOT NULL, closed TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE lead (
    batch TEXT PRIMARY KEY, stands TEXT NOT NULL, stop TEXT, at INTEGER, turn INTEGER NOT NULL, owes_result INTEGER NOT NULL,
    cron TEXT, zone TEXT, next_at INTEGER, expires INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE worker (name TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

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
    was TEXT NOT NULL, becomes TEXT NOT NULL, account INTEGER NOT NULL, at INTEGER NOT NULL, undone_at INTEGER,
    row_runs TEXT
  ) STRICT;
  CREATE INDEX correction_upload ON correction (upload, id);
  CREATE TABLE job (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, account INTEGER NOT NULL, upload TEXT, batch TEXT, started_at INTEGER NOT NULL,
    state TEXT NOT NULL, message TEXT
  ) STRICT;
  CREATE INDEX job_upload ON job (upload) WHERE upload IS NOT NULL;
  CREATE INDEX job_batch ON job (batch) WHERE batch IS NOT NULL;
  CREATE TABLE column_choice (
    header TEXT PRIMARY KEY, choice TEXT NOT NULL, account INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const tables = [ledgerTable, batchTables, rowTables, payeeTables, trailTable, fleetTables, consoleTables].join('');

/** SQLite deletes these tables when the connection closes, so their journal needs no disk. */
export const draftTables = `
  PRAGMA temp_store=FILE;
  PRAGMA temp.journal_mode=MEMORY;
  PRAGMA temp.cache_size=-16384;
  CREATE TEMP TABLE draft (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, row_id TEXT, digest TEXT NOT NULL, likeness TEXT NOT NULL, content TEXT NOT NULL,
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
    number INTEGER PRIMARY KEY, key TEXT, id TEXT, name_key TEXT NOT NULL, content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX temp.draft_invalid_key ON draft_invalid (key);
  CREATE TEMP TABLE draft_new (number INTEGER PRIMARY KEY, tag TEXT NOT NULL) STRICT;
  CREATE TEMP TABLE draft_claim (key TEXT PRIMARY KEY, batch TEXT, payment_id TEXT, attempts INTEGER) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE draft_retry (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE draft_odd (
    number INTEGER PRIMARY KEY, verdict TEXT NOT NULL, last INTEGER, account_last INTEGER,
    ambiguous INTEGER NOT NULL
  ) STRICT;
  CREATE TEMP TABLE draft_held (number INTEGER PRIMARY KEY) STRICT;
  CREATE TEMP TABLE draft_problem (
    id INTEGER PRIMARY KEY, number INTEGER, col TEXT, code TEXT NOT NULL, severity TEXT NOT NULL, facts TEXT NOT NULL, value TEXT, suggestion TEXT
  ) STRICT;
  CREATE INDEX temp.draft_problem_row ON draft_problem (severity, number);
  CREATE TEMP TABLE seen_payment (
    id TEXT PRIMARY KEY, tag TEXT, merchant_id TEXT, amount INTEGER, reference TEXT, status TEXT, ending TEXT NOT NULL, at INTEGER, latest INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.seen_payment_payee ON seen_payment (merchant_id, reference);
  CREATE TEMP TABLE seen_merchant (
    destination TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, phone TEXT, PRIMARY KEY (destination, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.seen_merchant_phone ON seen_merchant (phone) WHERE phone IS NOT NULL;
  CREATE INDEX temp.seen_merchant_name ON seen_merchant (lower(name));
`;

export function requireOwn(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return;
  using db = new DatabaseSync(path, { readOnly: true });
  if (formatOf(db) !== 0) requireFormatOf(db, path);
  else if (db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined)
    throw unusable(path, { fault: 'ledger-is-of-other-program' });
}

export function prepareTables(db: DatabaseSync, path: string, readOnly: boolean): void {
  addFunctions(db);
  if (!readOnly && formatOf(db) === 0) makeLedger(db);
  requireFormatOf(db, path);
  db.exec(draftTables);
}

const requireFormatOf = (db: DatabaseSync, path: string) =>
  requireFormat(path, formatOf(db), () => db.prepare('SELECT build FROM ledger').get()?.build);

export function requireFormat(path: string, format: number, readBuild: () => unknown): void {
  if (format === ledgerFormat) return;
  let other: unknown;
  try {
    other = readBuild();
  } catch {
    // Ignores this error, because a ledger with format 10 or older has no column for its build.
  }
  const facts = { path, other: typeof other === 'string' ? other : null, format, build };
  throw new PayrunError('LEDGER_OF_OTHER_BUILD', facts);
}

const formatOf = (db: DatabaseSync) =>
  (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

function makeLedger(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    // Checks again under the lock, because another process may have created the tables.
    if (formatOf(db) === 0) {
      makeTables(db);
      db.prepare('INSERT INTO ledger VALUES (lower(hex(randomblob(8))), NULL, ?)').run(build);
      db.exec(`PRAGMA user_version=${ledgerFormat}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    // SQLite may have rolled back already, as on a full disk. A second rollback would then hide the first error.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function addFunctions(db: DatabaseSync): void {
  db.function('sha256_hex', { deterministic: true }, (text) => sha256(String(text)));
}

export function makeTables(db: DatabaseSync): void {
  addFunctions(db);
  db.exec(tables);
}

interface Column extends Each<'table name type', string> {
  readonly needed: 0 | 1;
}

/** Runs `read` on an empty ledger in memory, which has the tables of this build. */
export function inNewTables<T>(read: (db: DatabaseSync) => T): T {
  using db = new DatabaseSync(':memory:');
  makeTables(db);
  return read(db);
}

export function ledgerColumns(): Column[] {
  const all = `SELECT t.name AS "table", c.name, c.type, c."notnull" OR c.pk > 0 AS needed
    FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.rowid, c.cid`;
  return inNewTables((db) => db.prepare(all).all() as unknown as Column[]);
}

/** Compares the tables and indexes with those of this build, because this build could misread other tables. */
export function sqliteFaults(db: DatabaseSync): TableFault[] {
  const listed = (one: DatabaseSync) => {
    const made = one.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
    const parts = made as unknown as readonly { readonly type: FindingSubject; readonly name: string }[];
    // A trigger may have the name of an index.
    return new Map(parts.map((part) => [`${part.type} ${part.name}`, { part, text: JSON.stringify(part) }]));
  };
  const [found, expected] = [listed(db), inNewTables(listed)];
  const codeOf = (key: string) => (!found.has(key) ? 'missing' : expected.has(key) ? 'changed' : 'unexpected');
  const lines = db.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
  return [
    ...Array.from(new Map([...found, ...expected]))
      .filter(([key]) => found.get(key)?.text !== expected.get(key)?.text)
      .map(([key, { part }]): TableFault => ({ where: { name: part.name }, code: codeOf(key), what: part.type })),
    ...lines
      .filter(({ integrity_check: line }) => line !== 'ok')
      .map(({ integrity_check: found }): TableFault => ({ where: {}, code: 'damaged', what: 'database', found })),
  ];
}
