/** One sender for each ledger: a lock that the operating system drops when its process dies, however it dies. */
import { realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PayrunError } from '../base/errors.ts';
import { openSqlite } from '../base/sqlite.ts';

/**
 * The lock is a write transaction held open on a small SQLite file beside the ledger: its file lock ends with the process, and
 * readers can still see who holds it.
 */
export function holdLock(ledgerPath: string, now: number): { release(): void } {
  // Two spellings of one file are one ledger.
  const path = `${realpathSync(ledgerPath)}.lock`;
  const db = openSqlite(path);
  try {
    db.exec(
      'PRAGMA busy_timeout=0; CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, pid INTEGER, since INTEGER)',
    );
    db.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?)').run(process.pid, now);
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    throw new PayrunError('LEDGER_BUSY', { path: ledgerPath, holder: holderWords(path) });
  }
  return {
    release() {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && ((error.errcode as number) & 0xff) === 5;
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
