/** Opens SQLite files: power cuts lose no commit, and only the owner has access. Adapts `node:sqlite` to Kysely. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';
import { folderFault, PayrunError } from './errors.ts';
import { makeFolder } from './folder.ts';

export function openSqlite(path: string): DatabaseSync {
  makeFolder(dirname(path));
  // Creates a missing file, for the owner only. Opens no existing file: closing it would drop this process's locks.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path, { timeout: 5000 });
  // Payments often rewrite the same pages, so SQLite copies the log to the file only after 4000 pages (16 MB).
  db.exec(
    'PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=4000; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384',
  );
  return db;
}

export function forKysely(db: DatabaseSync): SqliteDatabase {
  return {
    close: () => db.close(),
    prepare(sql) {
      const statement = db.prepare(sql);
      const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...bind(parameters)),
        run: (parameters) => {
          const done = statement.run(...bind(parameters));
          return { changes: done.changes, lastInsertRowid: done.lastInsertRowid };
        },
        iterate: (parameters) => statement.iterate(...bind(parameters)),
      };
    },
  };
}

/** True for SQLITE_BUSY: another connection has locked the file. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === 5;

/** Returns the lowest byte of SQLite's code, which says what failed. The higher bytes give details. */
export const primaryCode = (error: unknown): number => sqliteCode(error) & 0xff;

export const sqliteCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? (error.errcode as number) : 0;

const diskFaults = ['ENOSPC', 'EDQUOT', 'EIO'];
/** SQLITE_IOERR and SQLITE_FULL. */
const diskCodes = [10, 13];

export function diskFault(error: unknown, path: string): PayrunError | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!diskFaults.includes(code) && !diskCodes.includes(primaryCode(error))) return null;
  return new PayrunError('DISK_UNWRITABLE', { path, why: folderFault(error) }, { cause: error });
}
