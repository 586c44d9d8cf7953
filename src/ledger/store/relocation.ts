/** Recognizes a ledger that was copied to another database, and an unfinished copy. Neither of them may send. */
import type { LedgerFault } from '../../base/faults/fault.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import { unusable } from './faults.ts';
import type { Sql } from './sql.ts';

/** `copiedTo` is the address of the new ledger. `copyOf` is the address of the ledger that the copy is made from. */
export type Elsewhere = { readonly copiedTo: string } | { readonly copyOf: string };

const copied = 'copied to ';
const unfinished = 'unfinished, copied from ';

export const homeOf = (elsewhere: Elsewhere): string =>
  'copiedTo' in elsewhere ? `${copied}${elsewhere.copiedTo}` : `${unfinished}${elsewhere.copyOf}`;

/** Reads `home` from the database each time, because another process may copy the ledger while the ledger is open. */
export const homeNow = (sql: Sql): string | null => sql.value<string>('SELECT path FROM ledger');

export function elsewhereAt(home: string | null): Elsewhere | null {
  if (home?.startsWith(copied)) return { copiedTo: home.slice(copied.length) };
  if (home?.startsWith(unfinished)) return { copyOf: home.slice(unfinished.length) };
  return null;
}

export const elsewhereFault = (elsewhere: Elsewhere, path: string): LedgerFault =>
  'copiedTo' in elsewhere
    ? { fault: 'ledger-was-copied', to: elsewhere.copiedTo }
    : { fault: 'ledger-is-unfinished-copy', of: elsewhere.copyOf, command: finishing(elsewhere.copyOf, path) };

/** Throws for a copied ledger and for an unfinished copy, because both ledgers would pay the same rows. */
export function refuseElsewhere(home: string | null, path: string): void {
  const elsewhere = elsewhereAt(home);
  if (elsewhere !== null) throw unusable(path, elsewhereFault(elsewhere, path));
}

const finishing = (from: string, to: string): ActionNamed => ({ action: 'copy-ledger', from, to });

export const elsewhereAction = (elsewhere: Elsewhere, path: string, batch: string): ActionNamed =>
  'copiedTo' in elsewhere
    ? { action: 'open-copy', batch, ledger: elsewhere.copiedTo }
    : finishing(elsewhere.copyOf, path);
