/** Tells why a row is withheld. */
import { reasonOf } from '../domain/sending/reason.ts';
import type { LedgerRow } from '../ledger/ledger.ts';

export const isLookalike = ({ reason }: Pick<LedgerRow, 'reason'>) => reasonOf(reason, 'looks-paid') !== null;

export const isHeldForAccountChange = ({ reason }: Pick<LedgerRow, 'reason'>) =>
  reasonOf(reason, 'account-changed') !== null;

/** Returns the state after the release of a withheld row. A row without a merchant is planned again, to get a merchant first. */
export const unheld = ({ merchantId }: Pick<LedgerRow, 'merchantId'>) => (merchantId === null ? 'planned' : 'ready');
