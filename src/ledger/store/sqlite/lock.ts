/** One sender for each ledger. */
import { realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { PayrunError, wordsOf } from '../../../base/errors.ts';
import { holdFile, type Lock } from '../../../base/lock.ts';
import { busyWith, faultAtStart } from '../faults.ts';

/** Two spellings of one file are one ledger. */
export const lockPathOf = (ledgerPath: string) => `${realpathSync(ledgerPath)}.lock`;

export function holdLock(ledgerPath: string, now: number): Lock {
  const path = lockPathOf(ledgerPath);
  try {
    return holdFile(path, now, (holder, cause) => busyWith(ledgerPath, holder, cause));
  } catch (error) {
    if (error instanceof PayrunError) throw error;
    // It holds nothing that could be lost, so it is never called a damaged ledger.
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

/** A program that knows nothing of the lock may write in the ledger itself: where no intent can be written, nothing is begun. */
export function requireFree(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    throw faultAtStart(error, path);
  }
}
