/** A rail carries payments to payees. The rails here move no money: they only decide when and how a payment ends. */
import { sha256 } from '../../base/digest.ts';
import type { PayoutCountry } from '../../domain/accounts/country.ts';
import type { Course } from './payment-life.ts';

export interface Order {
  readonly id: string;
  readonly reference: string;
  readonly slow: boolean;
  readonly needsDeposit: boolean;
  readonly collectFrom: string | null;
  readonly createdAt: number;
}

export interface Rail {
  decide(order: Order): Course;
}

export type Rails = { readonly [C in PayoutCountry]: Rail };

export interface RailSettings {
  /** The seed and a payment's id decide how long the payout takes. */
  readonly seed?: string | number;
  /** The shortest and longest time of a payout that is not slow. `tempo` has the defaults of each country. */
  readonly minMs?: number;
  readonly maxMs?: number;
  readonly slowFactor?: number;
  readonly depositMs?: number;
  readonly depositWindowMs?: number;
}

/** `afterMs`: the time from creation to end. `depositWindowMs`: how long a payment waits for its deposit. */
export type Settle = { readonly afterMs: number; readonly depositWindowMs?: number } | RailSettings;

/** The default `minMs` and `maxMs` of each country: short, but long enough to see the payment under way. */
const tempo: { readonly [C in PayoutCountry]: { readonly minMs: number; readonly maxMs: number } } = {
  SouthAfrica: { minMs: 600, maxMs: 2500 },
  Nigeria: { minMs: 500, maxMs: 2000 },
  Kenya: { minMs: 400, maxMs: 1500 },
  BTC: { minMs: 400, maxMs: 800 },
};

const dayMs = 24 * 60 * 60_000;

/** Words in a payment's reference that decide how the payment ends, for tests. */
const words = { expire: /\bEXPIRE\b/, noDeposit: /\bNODEPOSIT\b/ };

export function sandboxRails(settle: Settle = {}): Rails {
  const rail = (country: PayoutCountry): Rail => ({ decide: (order) => courseOf(order, country, settle) });
  return { SouthAfrica: rail('SouthAfrica'), Nigeria: rail('Nigeria'), Kenya: rail('Kenya'), BTC: rail('BTC') };
}

function courseOf(order: Order, country: PayoutCountry, settle: Settle): Course {
  const { createdAt, needsDeposit, collectFrom } = order;
  if (needsDeposit && words.noDeposit.test(order.reference)) {
    // The interface does not show how long a payment waits for its deposit (2.8, 4.20). This service waits 24 hours.
    const endsAt = createdAt + (settle.depositWindowMs ?? dayMs);
    return { createdAt, needsDeposit, collectFrom, depositAt: null, processingAt: null, endsAt, endsAs: 'expired' };
  }
  const { depositMs, payoutMs } = durations(order, country, settle);
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

function durations(order: Order, country: PayoutCountry, settle: Settle): { depositMs: number; payoutMs: number } {
  if ('afterMs' in settle) {
    const depositMs = order.needsDeposit ? Math.floor(settle.afterMs / 2) : 0;
    return { depositMs, payoutMs: settle.afterMs - depositMs };
  }
  const { minMs = tempo[country].minMs, maxMs = tempo[country].maxMs, slowFactor = 4, depositMs = 700 } = settle;
  const ordinaryMs = minMs + chance(`${settle.seed ?? 'payrun'}|${order.id}`) * Math.max(0, maxMs - minMs);
  return { depositMs, payoutMs: Math.round(ordinaryMs * (order.slow ? slowFactor : 1)) };
}

/** Returns a number in [0, 1) that depends only on the text. */
export function chance(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 8), 16) / 2 ** 32;
}
