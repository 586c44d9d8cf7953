/** Tells why a row is held, and whether it surely has no payment. */
import { reasonOf } from '../domain/sending/reason.ts';
import type { LedgerRow } from '../ledger/ledger.ts';

export const isLookalike = ({ reason }: Pick<LedgerRow, 'reason'>) => reasonOf(reason, 'looks-paid') !== null;

export const isHeldForAccountChange = ({ state, reason }: Pick<LedgerRow, 'state' | 'reason'>) =>
  state === 'held' && reasonOf(reason, 'account-changed') !== null;

/** True if the held row surely has no payment: it was never sent, or Payrun held it as a look-alike after attempts that paid nothing. */
export const isKnownUnpaid = ({
  attempts,
  revision,
  paymentId,
  reason,
}: Pick<LedgerRow, 'attempts' | 'revision' | 'paymentId' | 'reason'>) =>
  paymentId === null && ((attempts === 0 && revision === 0) || reasonOf(reason, 'looks-paid') !== null);

/** Returns the state after the release of a held, unsent row. A row without a merchant is planned again, to get a merchant first. */
export const unheld = ({ merchantId }: Pick<LedgerRow, 'merchantId'>) => (merchantId === null ? 'planned' : 'ready');
