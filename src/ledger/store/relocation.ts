/** Recognizes a ledger that was copied to another database, and an unfinished copy. Neither of them may send. */
import type { LedgerFault } from '../../base/faults/fault.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import type { Home } from '../../domain/trail.ts';
import type { Writing } from './commit.ts';
import { unusable } from './faults.ts';
import type { Sql } from './sql.ts';

export type Elsewhere = Extract<Home, { readonly copiedTo: string } | { readonly copyOf: string }>;

/** Reads the database each time, because another process may copy the ledger while the ledger is open. */
export function homeNow(sql: Sql): Home | null {
  const home = sql.value<string>('SELECT home FROM ledger');
  if (home === null) return null;
  try {
    return JSON.parse(home) as Home;
  } catch {
    // An audit reports the damage, so the ledger must still open.
    return { at: home };
  }
}

export function elsewhereNow(sql: Sql): Elsewhere | null {
  const home = homeNow(sql);
  return home !== null && ('copiedTo' in home || 'copyOf' in home) ? home : null;
}

export function moveHome({ sql, trail }: Pick<Writing, 'sql' | 'trail'>, home: Home): void {
  const ledger = sql.value<string>('SELECT id FROM ledger');
  sql.run('UPDATE ledger SET home = ?', JSON.stringify(home));
  trail.append({ batch: null, what: 'home', data: { ledger, home } });
}

export const elsewhereFault = (elsewhere: Elsewhere, path: string): LedgerFault =>
  'copiedTo' in elsewhere
    ? { fault: 'ledger-was-copied', to: elsewhere.copiedTo }
    : { fault: 'ledger-is-unfinished-copy', of: elsewhere.copyOf, command: finishing(elsewhere.copyOf, path) };

/** Throws for a copied ledger and for an unfinished copy, because both ledgers would pay the same rows. */
export function refuseElsewhere(sql: Sql, path: string): void {
  const elsewhere = elsewhereNow(sql);
  if (elsewhere !== null) throw unusable(path, elsewhereFault(elsewhere, path));
}

const finishing = (from: string, to: string): ActionNamed => ({ action: 'copy-ledger', from, to });

export const elsewhereAction = (elsewhere: Elsewhere, path: string, batch: string): ActionNamed =>
  'copiedTo' in elsewhere
    ? { action: 'open-copy', batch, ledger: elsewhere.copiedTo }
    : finishing(elsewhere.copyOf, path);
