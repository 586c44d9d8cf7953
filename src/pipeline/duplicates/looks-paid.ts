/** Says as a fact which payment a row looks like, and what differs. */
import { fold } from '../../domain/rows/text.ts';
import type { NearDifference, ReasonOf } from '../../domain/sending/reason.ts';
import type { Lookalike, NearTwin, Twin } from '../../ledger/ledger.ts';

export const nearOf = ({
  differs,
  sentAmount,
  sentCurrency,
  sentReference,
  name,
  sentName,
}: NearTwin): NearDifference => {
  const was = fold(name) === fold(sentName) ? null : sentName;
  if (differs === 'account') return { what: 'account' };
  return differs === 'amount'
    ? { what: 'amount', amount: sentAmount, currency: sentCurrency, name: was }
    : { what: 'reference', reference: sentReference, name: was };
};

export const twinPaid = (
  { twin: row, batch, sentAt }: Twin,
  differs: NearDifference | null = null,
): ReasonOf<'looks-paid'> => ({
  kind: 'looks-paid',
  to: { row, batch, sentAt },
  differs,
});

export const seenPaid = ({ paymentId, at }: Lookalike): ReasonOf<'looks-paid'> => ({
  kind: 'looks-paid',
  to: { paymentId, at },
  differs: null,
});
