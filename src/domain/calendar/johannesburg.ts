/** Dates, times and public holidays in Johannesburg. Times are milliseconds since 1970 UTC. */

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;
/** Africa/Johannesburg has been two hours ahead of UTC all year since 1944. */
const aheadMs = 2 * hourMs;

/** Only the `getUTC…` methods of the returned Date are valid. They give the time in Johannesburg. */
export const inJohannesburg = (at: number): Date => new Date(at + aheadMs);

export const dayStart = (at: number): number => Math.floor((at + aheadMs) / dayMs) * dayMs - aheadMs;

export const dayName = (at: number): string => inJohannesburg(at).toISOString().slice(0, 10);

export const isWeekend = (at: number): boolean => [0, 6].includes(inJohannesburg(at).getUTCDay());

/** Fixed dates of the Public Holidays Act 36 of 1994. Holidays of one year only, such as election days, are missing. */
const fixedHolidays = ['01-01', '03-21', '04-27', '05-01', '06-16', '08-09', '09-24', '12-16', '12-25', '12-26'];

/** True on a public holiday. If a holiday with a fixed date falls on a Sunday, the next Monday is a holiday too. */
export function isHoliday(at: number): boolean {
  const date = inJohannesburg(at);
  const isFixed = (moment: number) => fixedHolidays.includes(dayName(moment).slice(5));
  if (isFixed(at) || (date.getUTCDay() === 1 && isFixed(at - dayMs))) return true;
  const easter = easterSunday(date.getUTCFullYear());
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return midnight === easter - 2 * dayMs || midnight === easter + dayMs;
}

/** Returns midnight UTC, by Gauss's method for the Gregorian calendar as Meeus describes it. */
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
