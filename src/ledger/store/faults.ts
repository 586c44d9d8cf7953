/** Turns errors of the database into errors of Payrun, such as damage, a lock or a full disk. */
import { faultOf, PayrunError } from '../../base/errors.ts';
import type { LedgerFault } from '../../base/faults/fault.ts';
import type { RefusalFacts } from '../../base/refusal.ts';
import { isBusy, primaryCode, sqliteCode } from '../../base/sqlite.ts';
import { PostgresFault } from './postgres/fault.ts';

/** The SQLite codes READONLY, IOERR, FULL and CANTOPEN. */
const diskFaults = [8, 10, 13, 14];
/** The SQLite codes CORRUPT and NOTADB. */
const damages = [11, 26];
/** The SQLite code IOERR_SHORT_READ: the file is too short. */
const cutOff = 522;

/** Returns the error to throw while payments may be under way. Returns an unexpected error unchanged. */
export function faultAtWork(error: unknown, path: string): unknown {
  if (isDamage(error)) return damaged(error, path);
  if (!isTaken(error) && !diskFaults.includes(primaryCode(error)) && !failsToServe(error)) return error;
  return new PayrunError('LEDGER_UNWRITABLE', { path, why: faultOf(error) }, { cause: error });
}

export function faultAtStart(error: unknown, path: string): PayrunError {
  if (error instanceof PayrunError) return error;
  if (isDamage(error)) return damaged(error, path);
  if (isTaken(error)) return busyWith(path, { fault: 'held-by-program', why: faultOf(error) }, error);
  return unusable(path, faultOf(error), error);
}

/** True if waiting may help, because the Postgres server is gone or not ready. */
export function isPassingFault(error: unknown): boolean {
  if (!(error instanceof PayrunError)) return false;
  const state = stateOf(error.cause);
  // Waiting does not help against missing rights (SQLSTATE 42) or a read-only server (25).
  return state !== null && (error.code === 'LEDGER_UNWRITABLE' ? !/^(?:25|42)/.test(state) : state.startsWith('57P'));
}

export const unusable = (path: string, why: RefusalFacts['LEDGER_UNUSABLE']['why'], cause?: unknown): PayrunError =>
  new PayrunError('LEDGER_UNUSABLE', { path, why }, { cause });

export const otherConsole = (ledger: string) => (holder: LedgerFault) =>
  new PayrunError('CONSOLE_BUSY', { ledger, holder });

export const busyWith = (path: string, holder: LedgerFault, cause: unknown): PayrunError =>
  new PayrunError('LEDGER_BUSY', { path, holder }, { cause });

/** True if the Postgres server did not answer, stopped the statement, or could not get a lock in time. */
export function isUnanswered(error: unknown): boolean {
  const state = error instanceof PayrunError ? stateOf(error.cause) : null;
  return state !== null && (!isSqlState(state) || /^(?:08|57|55P03)/.test(state));
}

const isSqlState = (state: string) => /^[0-5FHPX][0-9A-Z]{4}$/.test(state);

/** True if another process holds a lock: SQLITE_BUSY, or lock_not_available of Postgres. */
export const isTaken = (error: unknown): boolean => isBusy(error) || stateOf(error) === '55P03';

/** SQLSTATEs: 08 connection, 25 read-only (not 25P02), 40 conflict, 42501 rights, 53 resources, 57 stop, 58 disk. */
function failsToServe(error: unknown): boolean {
  const state = stateOf(error);
  return state !== null && (!isSqlState(state) || /^(?:08|25(?!P02)|40|42501|53|57|58)/.test(state));
}

const stateOf = (error: unknown): string | null => (error instanceof PostgresFault ? error.code : null);

function isDamage(error: unknown): boolean {
  return (
    damages.includes(primaryCode(error)) || sqliteCode(error) === cutOff || /^XX00[12]$/.test(stateOf(error) ?? '')
  );
}

const damaged = (cause: unknown, path: string): PayrunError =>
  new PayrunError('LEDGER_DAMAGED', { why: { fault: 'file-is-damaged', path, why: faultOf(cause) } }, { cause });
