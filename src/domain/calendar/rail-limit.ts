/** Limits of rails for one payment, by time, as data with source and date. The interface says only that limits exist (8). */
import type { PayoutCountry } from '../accounts/country.ts';
import { dayMs, hourMs, inJohannesburg, isHoliday, isWeekend } from './johannesburg.ts';

/** How a payee is reached; Lightning and Nigeria's banks have no limit of their own here. */
export type Rail = 'bank' | 'momo';

export interface RailLimit {
  /** Whole units of the destination's currency. */
  readonly least: number;
  readonly most: number;
}

export interface RailLimits {
  /** Real-time clearing: Monday to Friday 00:00 to 16:00 in Johannesburg, and all other hours, weekends and public holidays. */
  readonly SouthAfrica: { readonly open: RailLimit; readonly otherwise: RailLimit };
  readonly Kenya: { readonly [R in Rail]: RailLimit };
}

/** As public sources had it on 2026-11-20: the overview of South African real-time clearing at docs.electrumsoftware.com; Kenyan tariff pages of 2025 for mobile money, and the questions and answers at ipsl.co.ke for the bank rail. */
export const railLimits: RailLimits = {
  SouthAfrica: { open: { least: 1, most: 5_000_000 }, otherwise: { least: 1, most: 250_000 } },
  Kenya: { momo: { least: 1, most: 250_000 }, bank: { least: 10, most: 999_999 } },
};

/** The limit at a moment (milliseconds since 1970 UTC); null where the rail has none. */
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

/** Monday to Friday, from midnight to 16:00 in Johannesburg, and no public holiday. */
function isClearingTime(at: number): boolean {
  return !isWeekend(at) && !isHoliday(at) && inJohannesburg(at).getUTCHours() < 16;
}

/** The limits of one payment to a country, in its own currency. */
export interface RailSpan extends RailLimit {
  readonly country: 'SouthAfrica' | 'Kenya';
  readonly currency: 'ZAR' | 'KES';
}

/** Returns the limits of the rails that rows use; in Kenya that is mobile money. */
export function railSpansAt(at: number): readonly RailSpan[] {
  return [
    { country: 'SouthAfrica', currency: 'ZAR', ...railLimitAt('SouthAfrica', 'bank', at)! },
    { country: 'Kenya', currency: 'KES', ...railLimitAt('Kenya', 'momo', at)! },
  ];
}

/** Longer than any run of days on which banks are shut. */
const longestMs = 14 * dayMs;

/** When the rail first takes the amount, from a moment on and by the hour; null where it never does. */
export function fitsRailAt(country: RailSpan['country'], amount: number, at: number): number | null {
  for (let moment = at; moment <= at + longestMs; moment = (Math.floor(moment / hourMs) + 1) * hourMs) {
    const span = railSpansAt(moment).find((one) => one.country === country)!;
    if (amount >= span.least && amount <= span.most) return moment;
  }
  return null;
}
