/** Locks with one holder each. The operating system drops a lock when the holder's process dies. */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { LedgerFault } from './faults/fault.ts';
import { isBusy, openSqlite } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/** Identifies this process with its threads. A process id is not enough: two containers may use the same one. */
const ownToken = (() => {
  const name = 'payrun lock owner';
  const known = getEnvironmentData(name);
  if (typeof known === 'string') return known;
  const token = randomBytes(8).toString('hex');
  setEnvironmentData(name, token);
  return token;
})();

/** Takes the lock: an open write transaction on a small SQLite file. Throws `held()` if another holder has the lock. */
export function holdFile(path: string, now: number, held: (holder: LedgerFault, cause: unknown) => Error): Lock {
  let db: DatabaseSync | null = null;
  try {
    db = openSqlite(path);
    // One transaction writes process id and token, so that a reader never mixes the values of two processes.
    db.exec(
      `PRAGMA busy_timeout=0;
       BEGIN IMMEDIATE;
       CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, pid INTEGER, since INTEGER);
       CREATE TABLE IF NOT EXISTS token (one INTEGER PRIMARY KEY, value TEXT)`,
    );
    db.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?)').run(process.pid, now);
    db.prepare('INSERT OR REPLACE INTO token VALUES (1, ?)').run(ownToken);
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

/** True if another process has the lock. An unknown holder counts as another process. */
export function isHeldElsewhere(path: string): boolean {
  const db = openSqlite(path);
  try {
    db.exec('PRAGMA busy_timeout=0; BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (!isBusy(error)) throw error;
    const holder = holderOf(path);
    return holder?.pid !== process.pid || holder.token !== ownToken;
  } finally {
    db.close();
  }
}

function holderFault(path: string): LedgerFault {
  const holder = holderOf(path);
  return holder === null
    ? { fault: 'held-by-unknown' }
    : { fault: 'held-by-process', process: holder.pid, since: holder.since };
}

interface Holder {
  readonly pid: number;
  readonly since: number;
  readonly token: string;
}

function holderOf(path: string): Holder | null {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const holder = 'SELECT pid, since, (SELECT value FROM token) AS token FROM holder';
      return (db.prepare(holder).get() as Holder | undefined) ?? null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}
