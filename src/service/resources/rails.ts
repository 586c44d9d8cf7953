/** A rail carries payments to payees. The rails here move no money: they only decide when and how a payment ends. */
import { sha256 } from '../../base/digest.ts';
import type { PayoutCountry } from '../../domain/accounts/country.ts';
import type { Course } from './payment-life.ts';

export interface Order {
  readonly id: string;
  readonly country: PayoutCountry;
  readonly reference: string;
  readonly slow: boolean;
  readonly needsDeposit: boolean;
  readonly collectFrom: string | null;
  readonly createdAt: number;
}

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

export function courseOf(order: Order, settle: Settle | null): Course {
  const { createdAt, needsDeposit, collectFrom } = order;
  if (needsDeposit && words.noDeposit.test(order.reference)) {
    // The interface does not show how long a payment waits for its deposit (2.8, 4.20). This service waits 24 hours.
    const endsAt = createdAt + dayMs;
    return { createdAt, needsDeposit, collectFrom, depositAt: null, processingAt: null, endsAt, endsAs: 'expired' };
  }
  const { depositMs, payoutMs } = durations(order, settle);
  const depositAt = needsDeposit ? createdAt + depositMs : null;
  const begin = depositAt ?? createdAt;
  return {
    createdAt,
    needsDeposit,
    collectFrom,
    depositAt,
    // A payment that needs no deposit is `pending` for a third of its time, so that a client can see this status.
    processingAt: needsDeposit ? begin : begin + Math.round(payoutMs / 3),
    endsAt: begin + payoutMs,
    endsAs: words.expire.test(order.reference) ? 'expired' : 'success',
  };
}

function durations({ id, country, slow, needsDeposit }: Order, settle: Settle | null) {
  if (settle !== null) {
    const depositMs = needsDeposit ? Math.floor(settle.afterMs / 2) : 0;
    return { depositMs, payoutMs: settle.afterMs - depositMs };
  }
  const { minMs, maxMs } = tempo[country];
  const ordinaryMs = minMs + chance(`payrun|${id}`) * (maxMs - minMs);
  return { depositMs: 700, payoutMs: Math.round(ordinaryMs * (slow ? 4 : 1)) };
}

/** Returns a number in [0, 1) that depends only on the text. */
export function chance(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 8), 16) / 2 ** 32;
}
