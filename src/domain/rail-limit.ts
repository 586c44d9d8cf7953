/** What a rail takes in one payment, and when: data with source and date. The interface says that limits exist (8), not what they are. */
import type { PayoutCountry } from './country.ts';

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

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Africa/Johannesburg has been two hours ahead of UTC since 1944, all year. */
const johannesburgMs = 2 * hourMs;

/** Monday to Friday, from midnight to 16:00 in Johannesburg, and no public holiday. */
function isClearingTime(at: number): boolean {
  const there = new Date(at + johannesburgMs);
  const weekday = there.getUTCDay();
  return weekday >= 1 && weekday <= 5 && there.getUTCHours() < 16 && !isHoliday(there);
}

/** Month and day, by the Public Holidays Act 36 of 1994; a day that is proclaimed for one year only, as for an election, is not known here. */
const fixedHolidays = ['1-1', '3-21', '4-27', '5-1', '6-16', '8-9', '9-24', '12-16', '12-25', '12-26'];

/** A date's own holiday, or the Monday after a holiday that fell on a Sunday. */
function isHoliday(date: Date): boolean {
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  const easter = easterSunday(date.getUTCFullYear());
  const easterHolidays = [easter - 2 * dayMs, easter + dayMs];
  const named = (ms: number) => fixedHolidays.includes(monthAndDay(ms)) || easterHolidays.includes(ms);
  return named(midnight) || (date.getUTCDay() === 1 && fixedHolidays.includes(monthAndDay(midnight - dayMs)));
}

function monthAndDay(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCMonth() + 1}-${date.getUTCDate()}`;
}

/** Gauss's reckoning of Easter in the Gregorian calendar, in the wording of Meeus; midnight UTC. */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const moonShift = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}
