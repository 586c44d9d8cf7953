/** Limits of payment rails for one payment, by time of day. The interface says only that limits exist (interface 8). */
import type { PayoutCountry } from '../accounts/country.ts';
import { dayMs, hourMs, inJohannesburg, isHoliday, isWeekend } from './johannesburg.ts';

type Rail = 'bank' | 'momo';

interface RailLimit {
  /** `least` and `most` are in whole units of the destination's currency. */
  readonly least: number;
  readonly most: number;
}

export interface RailLimits {
  /** `open`: on business days until 16:00 in Johannesburg. The other limit applies at all other times. */
  readonly SouthAfrica: { readonly open: RailLimit; readonly otherwise: RailLimit };
  readonly Kenya: { readonly [R in Rail]: RailLimit };
}

/** Sources, read on 2026-11-20: docs.electrumsoftware.com (South Africa), tariffs of 2025 and ipsl.co.ke (Kenya). */
export const railLimits: RailLimits = {
  SouthAfrica: { open: { least: 1, most: 5_000_000 }, otherwise: { least: 1, most: 250_000 } },
  Kenya: { momo: { least: 1, most: 250_000 }, bank: { least: 10, most: 999_999 } },
};

/** `at` is in milliseconds since 1970 UTC. Returns null if the rail has no limit. */
export function railLimitAt(
  country: PayoutCountry,
  rail: Rail,
  at: number,
  limits: RailLimits = railLimits,
): RailLimit | null {
  if (country === 'Kenya') return limits.Kenya[rail];
  if (country !== 'SouthAfrica') return null;
  return isClearingTime(at) ? limits.SouthAfrica.open : limits.SouthAfrica.otherwise;
}

const isClearingTime = (at: number): boolean =>
  !isWeekend(at) && !isHoliday(at) && inJohannesburg(at).getUTCHours() < 16;

export interface RailSpan extends RailLimit {
  readonly country: 'SouthAfrica' | 'Kenya';
  readonly currency: 'ZAR' | 'KES';
}

export function railSpansAt(at: number): readonly RailSpan[] {
  return [
    { country: 'SouthAfrica', currency: 'ZAR', ...railLimitAt('SouthAfrica', 'bank', at)! },
    { country: 'Kenya', currency: 'KES', ...railLimitAt('Kenya', 'momo', at)! },
  ];
}

/** How far ahead `fitsRailAt` searches. Banks are never closed for so long. */
const longestMs = 14 * dayMs;

/** Returns when the rail first accepts the amount: `at` or a later full hour. Null if never within `longestMs`. */
export function fitsRailAt(country: RailSpan['country'], amount: number, at: number): number | null {
  for (let moment = at; moment <= at + longestMs; moment = (Math.floor(moment / hourMs) + 1) * hourMs) {
    const span = railSpansAt(moment).find((one) => one.country === country)!;
    if (amount >= span.least && amount <= span.most) return moment;
  }
  return null;
}
