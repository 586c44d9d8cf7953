/** Opens a ledger on SQLite: one file on a disk of this machine. */
import { realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PayrunError, systemFault } from '../../../base/errors.ts';
import { holdFile, isFileHeld, type Lock } from '../../../base/lock.ts';
import { openSqlite } from '../../../base/sqlite.ts';
import { busyWith, faultAtStart, otherConsole, unusable } from '../faults.ts';
import { openSql } from '../sql.ts';
import type { OpenOptions, Store } from '../store.ts';
import { requireLocalDisk, requireRoom } from './filesystem-checks.ts';
import { prepareTables, requireOwn, sqliteFaults } from './schema.ts';

export function openSqliteStore(path: string | null, { readOnly, busyTimeoutMs }: OpenOptions): Store {
  const where = path ?? '(none)';
  const { db, id } = openFile(path, where, readOnly !== undefined);
  if (busyTimeoutMs !== undefined) db.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
  if (readOnly === 'at-one-moment') db.exec('BEGIN');
  let lock: { release(): void } | null = null;
  return {
    sql: openSql(db, where),
    where,
    id,
    place: path === null ? where : realpathSync(path),
    hold(now) {
      lock ??= holdLock(where, now);
      requireFree(db, where);
    },
    isHeld: () => path !== null && isLockHeld(where),
    holdConsole: (now, refusal) => holdConsoleFile(where, now, refusal),
    requireRoom: () => requireRoom(where),
    // Does nothing, because SQLite itself numbers new rows above the highest id of a table.
    renumber: () => {},
    faults: () => sqliteFaults(db),
    async close() {
      lock?.release();
      lock = null;
      db.close();
    },
  };
}

function openFile(path: string | null, where: string, readOnly: boolean): { db: DatabaseSync; id: string } {
  let db: DatabaseSync | null = null;
  try {
    if (path !== null) {
      requireLocalDisk(path);
      requireOwn(path);
    }
    db = path === null ? new DatabaseSync('') : readOnly ? new DatabaseSync(path, { readOnly }) : openSqlite(path);
    prepareTables(db, where, readOnly);
    const self = db.prepare('SELECT id FROM ledger').get() ?? { id: '' };
    return { db, ...(self as { id: string }) };
  } catch (error) {
    db?.close();
    throw faultAtStart(error, where);
  }
}

const isLockHeld = (ledgerPath: string) => isFileHeld(`${realpathSync(ledgerPath)}.lock`);

function holdLock(ledgerPath: string, now: number): Lock {
  // Uses the real path of the ledger, because two paths may lead to one file.
  const path = `${realpathSync(ledgerPath)}.lock`;
  try {
    return holdFile(path, now, (holder, cause) => busyWith(ledgerPath, holder, cause));
  } catch (error) {
    if (error instanceof PayrunError) throw error;
    throw unusable(ledgerPath, { fault: 'file-is-damaged', path, why: systemFault(error) }, error);
  }
}

const holdConsoleFile = (ledgerPath: string, now: number, refusal = otherConsole(ledgerPath)): Lock =>
  holdFile(`${realpathSync(ledgerPath)}.console`, now, refusal);

/** Throws while another program writes, because Payrun could then not write an intent. */
function requireFree(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    throw faultAtStart(error, path);
  }
}
