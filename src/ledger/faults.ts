/** What SQLite reports, as expected failures: a damaged file, one that another program keeps, a disk that takes nothing more. */
import { PayrunError, wordsOf } from '../base/errors.ts';
import { isBusy, primaryCode, sqliteCode } from '../base/sqlite.ts';

/** SQLITE_READONLY, IOERR, FULL and CANTOPEN: the disk fails, or takes nothing more. */
const diskFaults = [8, 10, 13, 14];
/** SQLITE_CORRUPT and NOTADB: the file is there, and is no ledger any more. */
const damages = [11, 26];
/** SQLITE_IOERR_SHORT_READ: the file ends before its last page does. */
const cutOff = 522;

/** Payments may be under way: it does not say that nothing was sent. What is not expected here is a bug, and stays what it is. */
export function faultAtWork(error: unknown, path: string): unknown {
  if (isDamage(error)) return damaged(error, path);
  if (!isBusy(error) && !diskFaults.includes(primaryCode(error))) return error;
  return new PayrunError('LEDGER_UNWRITABLE', { path, detail: wordsOf(error) }, { cause: error });
}

/** Before anything is sent. */
export function faultAtStart(error: unknown, path: string): PayrunError {
  if (error instanceof PayrunError) return error;
  if (isDamage(error)) return damaged(error, path);
  if (isBusy(error)) return busyWith(path, `, or another program does (${wordsOf(error)})`, error);
  return new PayrunError('LEDGER_UNUSABLE', { path, detail: wordsOf(error) }, { cause: error });
}

/** `holder`: who has it, in words that follow the path. */
export function busyWith(path: string, holder: string, cause: unknown): PayrunError {
  return new PayrunError('LEDGER_BUSY', { path, holder }, { cause });
}

function isDamage(error: unknown): boolean {
  return damages.includes(primaryCode(error)) || sqliteCode(error) === cutOff;
}

function damaged(cause: unknown, path: string): PayrunError {
  return new PayrunError('LEDGER_DAMAGED', { detail: `${path}: ${wordsOf(cause)}` }, { cause });
}
