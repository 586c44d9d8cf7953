/** A rail carries payments to payees. The rails here move no money: they only decide when and how a payment ends. */
import { sha256 } from '../../base/digest.ts';
import type { PayoutCountry } from '../../domain/accounts/country.ts';
import type { PaymentRow } from '../store/store.ts';

export type Order = Pick<
  PaymentRow,
  'id' | 'destination_country' | 'reference' | 'slow' | 'needs_deposit' | 'created_at'
>;

/** Makes every payment end after this time. Without it, `tempo` decides. */
export interface Settle {
  readonly afterMs: number;
}

/** The shortest and longest time of a payout that is not slow: short, but long enough to see the payment under way. */
const tempo: { readonly [C in PayoutCountry]: { readonly minMs: number; readonly maxMs: number } } = {
  SouthAfrica: { minMs: 600, maxMs: 2500 },
  Nigeria: { minMs: 500, maxMs: 2000 },
  Kenya: { minMs: 400, maxMs: 1500 },
  BTC: { minMs: 400, maxMs: 800 },
};

const dayMs = 24 * 60 * 60_000;

/** Words in a payment's reference that decide how the payment ends, for tests. */
const words = { expire: /\bEXPIRE\b/, noDeposit: /\bNODEPOSIT\b/ };

export function courseOf(
  order: Order,
  settle: Settle | null,
): Pick<PaymentRow, 'deposit_at' | 'processing_at' | 'ends_at' | 'ends_as'> {
  const { created_at, reference } = order;
  const needsDeposit = order.needs_deposit === 1;
  if (needsDeposit && words.noDeposit.test(reference)) {
    // The interface does not show how long a payment waits for its deposit (2.8, 4.20). This service waits 24 hours.
    return { deposit_at: null, processing_at: null, ends_at: created_at + dayMs, ends_as: 'expired' };
  }
  const { depositMs, payoutMs } = durations(order, settle);
  const begin = needsDeposit ? created_at + depositMs : created_at;
  return {
    deposit_at: needsDeposit ? begin : null,
    // A payment that needs no deposit is `pending` for a third of its time, so that a client can see this status.
    processing_at: needsDeposit ? begin : begin + Math.round(payoutMs / 3),
    ends_at: begin + payoutMs,
    ends_as: words.expire.test(reference) ? 'expired' : 'success',
  };
}

function durations({ id, destination_country, slow, needs_deposit }: Order, settle: Settle | null) {
  if (settle !== null) {
    const depositMs = needs_deposit === 1 ? Math.floor(settle.afterMs / 2) : 0;
    return { depositMs, payoutMs: settle.afterMs - depositMs };
  }
  const { minMs, maxMs } = tempo[destination_country];
  const ordinaryMs = minMs + chance(`payrun|${id}`) * (maxMs - minMs);
  return { depositMs: 700, payoutMs: Math.round(ordinaryMs * (slow === 1 ? 4 : 1)) };
}

/** Returns a number in [0, 1) that depends only on the text. */
export const chance = (text: string): number => Number.parseInt(sha256(text).slice(0, 8), 16) / 2 ** 32;
