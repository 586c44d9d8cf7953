/** Locks with one holder each. The operating system drops a lock when the holder's process dies. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { LedgerFault } from './faults/fault.ts';
import { isBusy, openSqlite } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/** A check of the lock takes it for a moment, so a new holder waits longer than another check. */
const [checkMs, holdMs] = [20, 500];

/** Takes the lock: an open write transaction on a small SQLite file. Throws `held()` if another holder has the lock. */
export function holdFile(path: string, now: number, held: (holder: LedgerFault, cause: unknown) => Error): Lock {
  let db: DatabaseSync | null = null;
  try {
    db = openSqlite(path);
    db.exec(
      `PRAGMA busy_timeout=${holdMs};
       BEGIN IMMEDIATE;
       CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, pid INTEGER, since INTEGER)`,
    );
    db.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?)').run(process.pid, now);
    db.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    db?.close();
    throw isBusy(error) ? held(holderFault(path), error) : error;
  }
  const open = db;
  return {
    release() {
      try {
        open.exec('ROLLBACK');
      } finally {
        // Closing the database releases the lock, even if ROLLBACK failed.
        open.close();
      }
    },
  };
}

export function isFileHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = new DatabaseSync(path, { timeout: checkMs });
  try {
    db.exec('BEGIN IMMEDIATE');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    db.close();
  }
}

function holderFault(path: string): LedgerFault {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const holder = db.prepare('SELECT pid AS process, since FROM holder').get();
      if (holder !== undefined) return { fault: 'held-by-process', ...(holder as { process: number; since: number }) };
    } finally {
      db.close();
    }
  } catch {
    // The lock's file is unreadable for a moment while its holder creates it.
  }
  return { fault: 'held-by-unknown' };
}
