/** One holder for each thing: a lock that the operating system drops when its process dies, however it dies. */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { timeWords } from './clock.ts';
import { isBusy, openSqlite } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/** Identifies this process and its threads: the first process of each container has the same id. */
const ownToken = (() => {
  const name = 'payrun: whose locks these are';
  const known = getEnvironmentData(name);
  if (typeof known === 'string') return known;
  const token = randomBytes(8).toString('hex');
  setEnvironmentData(name, token);
  return token;
})();

/**
 * The lock is a write transaction held open on a small SQLite file: its file lock ends with the process, and readers can still
 * see who holds it. Where another process does, `held` makes the error, from words on who that follow a name.
 */
export function holdFile(path: string, now: number, held: (holder: string, cause: unknown) => Error): Lock {
  let db: DatabaseSync | null = null;
  try {
    db = openSqlite(path);
    // Write number and token together, so that a reader gets both of one process.
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
    throw isBusy(error) ? held(holderWords(path), error) : error;
  }
  const open = db;
  return {
    release() {
      try {
        open.exec('ROLLBACK');
      } finally {
        // Release the lock of a moved or deleted file too.
        open.close();
      }
    },
  };
}

/** True when another process holds it, or an unknown one. */
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

function holderWords(path: string): string {
  const holder = holderOf(path);
  return holder === null ? '' : ` (process ${holder.pid}, since ${timeWords(holder.since)})`;
}

interface Holder {
  readonly pid: number;
  readonly since: number;
  /** null: of an earlier version. */
  readonly token: string | null;
}

function holderOf(path: string): Holder | null {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'token'").get() !== undefined;
      const token = has ? '(SELECT value FROM token)' : 'NULL';
      return (db.prepare(`SELECT pid, since, ${token} AS token FROM holder`).get() as Holder | undefined) ?? null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}
