/** What a database reports, as expected failures: damage, another program that holds it, a disk or a server that takes nothing more. */
import { PayrunError, wordsOf } from '../../base/errors.ts';
import { isBusy, primaryCode, sqliteCode } from '../../base/sqlite.ts';
import { PostgresFault } from './postgres/fault.ts';

/** SQLITE_READONLY, IOERR, FULL and CANTOPEN: the disk fails, or takes nothing more. */
const diskFaults = [8, 10, 13, 14];
/** SQLITE_CORRUPT and NOTADB: the file is there, and is no ledger any more. */
const damages = [11, 26];
/** SQLITE_IOERR_SHORT_READ: the file ends before its last page does. */
const cutOff = 522;

/** Payments may be under way: it does not say that nothing was sent. What is not expected here is a bug, and stays what it is. */
export function faultAtWork(error: unknown, path: string): unknown {
  if (isDamage(error)) return damaged(error, path);
  if (!isTaken(error) && !diskFaults.includes(primaryCode(error)) && !failsToServe(error)) return error;
  return new PayrunError('LEDGER_UNWRITABLE', { path, detail: wordsOf(error) }, { cause: error });
}

/** Before anything is sent. */
export function faultAtStart(error: unknown, path: string): PayrunError {
  if (error instanceof PayrunError) return error;
  if (isDamage(error)) return damaged(error, path);
  if (isTaken(error)) return busyWith(path, `, or another program does (${wordsOf(error)})`, error);
  return new PayrunError('LEDGER_UNUSABLE', { path, detail: wordsOf(error) }, { cause: error });
}

/** The server was there, and went away or is not ready yet: waiting mends that, and it is no mistake of the settings. */
export function isPassingFault(error: unknown): boolean {
  if (!(error instanceof PayrunError)) return false;
  const state = stateOf(error.cause);
  // Not allowed, and read-only, stay so.
  return state !== null && (error.code === 'LEDGER_UNWRITABLE' ? !/^(?:25|42)/.test(state) : state.startsWith('57P'));
}

/** `holder`: who has it, in words that follow the path. */
export function busyWith(path: string, holder: string, cause: unknown): PayrunError {
  return new PayrunError('LEDGER_BUSY', { path, holder }, { cause });
}

/** The server went away, was told to end, or let it wait too long: that says nothing of what the ledger holds. */
export function isUnanswered(error: unknown): boolean {
  const state = error instanceof PayrunError ? stateOf(error.cause) : null;
  return state !== null && (!isSqlState(state) || /^(?:08|57|55P03)/.test(state));
}

/** What is none is the system's word on the connection, or the client's own that it has none. */
const isSqlState = (state: string) => /^[0-5FHPX][0-9A-Z]{4}$/.test(state);

/** Another process writes it: SQLITE_BUSY, or lock_not_available. */
export function isTaken(error: unknown): boolean {
  return isBusy(error) || stateOf(error) === '55P03';
}

/** The server's classes 08, 25, 42501, 53, 57 and 58: no connection, read-only, not allowed, no room, stopped, its disk; 40: chosen to give way. */
function failsToServe(error: unknown): boolean {
  const state = stateOf(error);
  return state !== null && (!isSqlState(state) || /^(?:08|25(?!P02)|40|42501|53|57|58)/.test(state));
}

function stateOf(error: unknown): string | null {
  return error instanceof PostgresFault ? error.code : null;
}

function isDamage(error: unknown): boolean {
  return (
    damages.includes(primaryCode(error)) || sqliteCode(error) === cutOff || /^XX00[12]$/.test(stateOf(error) ?? '')
  );
}

function damaged(cause: unknown, path: string): PayrunError {
  return new PayrunError('LEDGER_DAMAGED', { detail: `${path}: ${wordsOf(cause)}` }, { cause });
}
