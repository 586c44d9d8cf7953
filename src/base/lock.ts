/** One holder for each thing: a lock that the operating system drops when its process dies, however it dies. */
import { DatabaseSync } from 'node:sqlite';
import { timeWords } from './clock.ts';
import { isBusy, openSqlite } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/**
 * The lock is a write transaction held open on a small SQLite file: its file lock ends with the process, and readers can still
 * see who holds it. Where another process does, `held` makes the error, from words on who that follow a name.
 */
export function holdFile(path: string, now: number, held: (holder: string, cause: unknown) => Error): Lock {
  let db: DatabaseSync | null = null;
  try {
    db = openSqlite(path);
    db.exec(
      'PRAGMA busy_timeout=0; CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, pid INTEGER, since INTEGER)',
    );
    db.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?)').run(process.pid, now);
    db.exec('BEGIN IMMEDIATE');
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
        // A file that was moved away, or deleted, is let go all the same.
        open.close();
      }
    },
  };
}

/** Whether another process holds it; one of which nobody knows whose it is counts for another one. */
export function isHeldElsewhere(path: string): boolean {
  const db = openSqlite(path);
  try {
    db.exec('PRAGMA busy_timeout=0; BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return holderOf(path)?.pid !== process.pid;
  } finally {
    db.close();
  }
}

function holderWords(path: string): string {
  const holder = holderOf(path);
  return holder === null ? '' : ` (process ${holder.pid}, since ${timeWords(holder.since)})`;
}

function holderOf(path: string): { readonly pid: number; readonly since: number } | null {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    const holder = db.prepare('SELECT pid, since FROM holder').get() as { pid: number; since: number } | undefined;
    db.close();
    return holder ?? null;
  } catch {
    return null;
  }
}
