/** Writes times in a zone. A page uses the same form as the server. */
import { inJohannesburg } from '../../domain/calendar/johannesburg.ts';

export const utcTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns the writer of times such as `2026-11-27 12:20:30 GMT+2`. Throws a RangeError for an unknown zone. */
export function timesIn(zone: string): (ms: number) => string {
  const two = '2-digit';
  const day = { year: 'numeric', month: two, day: two } as const;
  const hour = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset', ...day, ...hour });
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const offset = /^GMT(?:\+0)?$/.test(parts.timeZoneName ?? '') ? 'UTC' : parts.timeZoneName;
    return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second} ${offset}`;
  };
}

/** Leaves out the seconds and the zone of a written time. */
export const minuteOf = (written: string): string => written.slice(0, 'YYYY-MM-DD HH:MM'.length);

export const johannesburgWords = (ms: number): string =>
  `${minuteOf(inJohannesburg(ms).toISOString().replace('T', ' '))} in Johannesburg`;
