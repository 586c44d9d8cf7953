/** One sender for each ledger: a lock that the operating system drops when its process dies, however it dies. */
import { realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { openSqlite } from '../base/sqlite.ts';
import { busyWith, faultAtStart, isBusy } from './faults.ts';

/**
 * The lock is a write transaction held open on a small SQLite file beside the ledger: its file lock ends with the process, and
 * readers can still see who holds it.
 */
export function holdLock(ledgerPath: string, now: number): { release(): void } {
  // Two spellings of one file are one ledger.
  const path = `${realpathSync(ledgerPath)}.lock`;
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
    if (isBusy(error)) throw busyWith(ledgerPath, holderWords(path), error);
    // It holds nothing that could be lost, so it is never called a damaged ledger.
    const detail = `its lock ${path}: ${wordsOf(error)}`;
    throw new PayrunError('LEDGER_UNUSABLE', { path: ledgerPath, detail }, { cause: error });
  }
  const held = db;
  return {
    release() {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

/** A program that knows nothing of the lock may write in the ledger itself: where no intent can be written, nothing is begun. */
export function requireFree(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    throw faultAtStart(error, path);
  }
}

function holderWords(path: string): string {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    const holder = db.prepare('SELECT pid, since FROM holder').get() as { pid: number; since: number } | undefined;
    db.close();
    return holder === undefined ? '' : ` (process ${holder.pid}, since ${new Date(holder.since).toISOString()})`;
  } catch {
    return '';
  }
}
