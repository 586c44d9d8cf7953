/** The ledger's tables, as a list of migrations that only ever grows; and the private tables of a sheet being checked. */
import type { DatabaseSync } from 'node:sqlite';
import { PayrunError } from '../base/errors.ts';

const migrations: readonly string[] = [
  `
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
  CREATE UNIQUE INDEX payout_payment ON payout (payment_id) WHERE payment_id IS NOT NULL;
  -- What the sheet says of a payout, apart from where it stands: each commit rewrites whole pages, and this does not change.
  CREATE TABLE payout_content (
    payout INTEGER PRIMARY KEY, digest TEXT NOT NULL, likeness TEXT NOT NULL, content TEXT NOT NULL, content_hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX payout_likeness ON payout_content (likeness);
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
  `,
];

/** Temporary tables live in a file of their own that SQLite deletes with the connection: account numbers leave nothing behind. */
const draftTables = `
  PRAGMA temp_store=FILE;
  PRAGMA temp.cache_size=-16384;
  CREATE TEMP TABLE draft (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, likeness TEXT NOT NULL, content TEXT NOT NULL,
    amount INTEGER NOT NULL, unit TEXT NOT NULL, currency TEXT NOT NULL, from_country TEXT, country TEXT NOT NULL,
    destination TEXT NOT NULL, collection TEXT
  ) STRICT;
  CREATE INDEX temp.draft_destination ON draft (destination);
  CREATE TEMP TABLE draft_document (
    number INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL
  ) STRICT;
  CREATE TEMP TABLE draft_invalid (number INTEGER PRIMARY KEY, key TEXT NOT NULL) STRICT;
  CREATE TEMP TABLE draft_problem (
    id INTEGER PRIMARY KEY, number INTEGER, col TEXT, code TEXT NOT NULL, severity TEXT NOT NULL, message TEXT NOT NULL, value TEXT, suggestion TEXT
  ) STRICT;
  CREATE INDEX temp.draft_problem_row ON draft_problem (severity, number);
  CREATE TEMP TABLE seen_merchant (destination TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (destination, id)) STRICT, WITHOUT ROWID;
`;

export const schemaVersion = migrations.length;

export function prepareTables(db: DatabaseSync, path: string): void {
  migrate(db, path);
  db.exec(draftTables);
}

function migrate(db: DatabaseSync, path: string): void {
  const found = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (found === schemaVersion) return;
  if (found > schemaVersion) throw new PayrunError('LEDGER_NEWER', { path, found, known: schemaVersion });
  db.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the lock: another process may have migrated while this one waited.
    const now = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
    for (const step of migrations.slice(now)) db.exec(step);
    db.exec(`PRAGMA user_version=${schemaVersion}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
