/** The lock that gives each ledger only one sender. */
import { realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { PayrunError } from '../../../base/errors.ts';
import { holdFile, type Lock } from '../../../base/lock.ts';
import { wordsOf } from '../../../messages/refusals.ts';
import { busyWith, faultAtStart } from '../faults.ts';

/** Two paths may lead to one file, so the real path is used. */
export const lockPathOf = (ledgerPath: string) => `${realpathSync(ledgerPath)}.lock`;

export function holdLock(ledgerPath: string, now: number): Lock {
  const path = lockPathOf(ledgerPath);
  try {
    return holdFile(path, now, (holder, cause) => busyWith(ledgerPath, holder, cause));
  } catch (error) {
    if (error instanceof PayrunError) throw error;
    // The lock's file holds no data, so its damage is not the ledger's.
    const detail = `its lock ${path}: ${wordsOf(error)}`;
    throw new PayrunError('LEDGER_UNUSABLE', { path: ledgerPath, detail }, { cause: error });
  }
}

export function holdConsoleFile(ledgerPath: string, now: number, refusal = otherConsole(ledgerPath)): Lock {
  return holdFile(`${realpathSync(ledgerPath)}.console`, now, refusal);
}

export function otherConsole(ledger: string): (holder: string) => PayrunError {
  return (holder) =>
    new PayrunError('USAGE', {
      detail: `another console works on the ledger ${ledger}${holder}: use that one, or end it first`,
    });
}

/** While another program writes, no intent could be written. */
export function requireFree(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    throw faultAtStart(error, path);
  }
}
