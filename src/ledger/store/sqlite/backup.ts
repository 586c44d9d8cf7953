/** Keeps a backup of a ledger before a newer version changes its tables: an owner-only file beside it. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PayrunError, wordsOf } from '../../../base/errors.ts';
import { syncFolder } from '../../../base/folder.ts';

/** Returns the backup's path; null when another process changed the tables and made its own. */
export function keepBackup(db: DatabaseSync, path: string, version: number): string | null {
  const target = freeName(`${path}.v${version}`);
  // Write under another name until it is whole.
  const part = `${target}.${process.pid}.part`;
  try {
    // SQLite fills this empty file, so that others can never read it.
    closeSync(openSync(part, 'wx', 0o600));
    db.prepare('VACUUM INTO ?').run(part);
    if (versionOf(part) !== version) return null;
    sync(part);
    renameSync(part, target);
    syncFolder(dirname(target));
    return target;
  } catch (error) {
    throw new PayrunError(
      'LEDGER_UNUSABLE',
      { path, detail: `it has to be brought up to date, and no backup could be made before: ${wordsOf(error)}` },
      { cause: error },
    );
  } finally {
    if (existsSync(part)) rmSync(part);
  }
}

/** Returns a free name: an earlier backup may be the needed one. */
function freeName(first: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? first : `${first}-${number}`;
    if (!existsSync(name)) return name;
  }
}

function versionOf(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  } finally {
    db.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
