/** Takes the locks of a ledger on SQLite: one for the sender, and one for the console. */
import { realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { PayrunError, systemFault } from '../../../base/errors.ts';
import type { LedgerFault } from '../../../base/faults/fault.ts';
import { holdFile, isFileHeld, type Lock } from '../../../base/lock.ts';
import { busyWith, faultAtStart, unusable } from '../faults.ts';

export const isLockHeld = (ledgerPath: string) => isFileHeld(`${realpathSync(ledgerPath)}.lock`);

export function holdLock(ledgerPath: string, now: number): Lock {
  // Uses the real path of the ledger, because two paths may lead to one file.
  const path = `${realpathSync(ledgerPath)}.lock`;
  try {
    return holdFile(path, now, (holder, cause) => busyWith(ledgerPath, holder, cause));
  } catch (error) {
    if (error instanceof PayrunError) throw error;
    throw unusable(ledgerPath, { fault: 'file-is-damaged', path, why: systemFault(error) }, error);
  }
}

export const holdConsoleFile = (ledgerPath: string, now: number, refusal = otherConsole(ledgerPath)): Lock =>
  holdFile(`${realpathSync(ledgerPath)}.console`, now, refusal);

export const otherConsole = (ledger: string) => (holder: LedgerFault) =>
  new PayrunError('CONSOLE_BUSY', { ledger, holder });

/** Throws while another program writes, because Payrun could then not write an intent. */
export function requireFree(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    throw faultAtStart(error, path);
  }
}
