/**
 * Opens a SQLite file the way money needs it: write-ahead log, every commit on the disk before it counts, readable by
 * its owner only; and dresses it for Kysely, which expects the shape of another driver.
 */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';
import { folderWords, PayrunError } from './errors.ts';
import { makeFolder } from './folder.ts';

export function openSqlite(path: string): DatabaseSync {
  makeFolder(dirname(path));
  // Made before SQLite does it, so that the file is never readable by others, not even for a moment. One that is there is not opened:
  // to close it again would drop the locks of every other connection of this process.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path, { timeout: 5000 });
  // A payment rewrites pages that the next ones rewrite too: from a log of 16 MB each goes to the file once for many.
  db.exec(
    'PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=4000; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384',
  );
  return db;
}

/** The few lines that let Kysely's SQLite dialect speak to node:sqlite. */
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

/** Another program holds the file: SQLITE_BUSY. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5;
}

/** The lowest byte says what happened, the others where. */
export function primaryCode(error: unknown): number {
  return sqliteCode(error) & 0xff;
}

/** 0 for what is no error of SQLite. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? (error.errcode as number) : 0;
}

const diskFaults = ['ENOSPC', 'EDQUOT', 'EIO'];
/** The same, as a small database says it: SQLITE_IOERR and SQLITE_FULL. */
const diskCodes = [10, 13];

/** Returns the failure of a disk; null for other errors, such as a folder without write access. */
export function diskFault(error: unknown, path: string): PayrunError | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!diskFaults.includes(code) && !diskCodes.includes(primaryCode(error))) return null;
  return new PayrunError('DISK_UNWRITABLE', { path, detail: folderWords(error) }, { cause: error });
}
