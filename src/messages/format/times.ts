/** Writes times in the zone of the person who reads them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isoTime } from '../../base/clock.ts';

interface ZonedTimes {
  readonly zone: string;
  readonly write: (ms: number) => string;
}

const readers = new AsyncLocalStorage<ZonedTimes>();

export function isZone(name: string): boolean {
  try {
    return timesOf(name)(0) !== '';
  } catch {
    return false;
  }
}

/** Calls `act`, whose `timeWords` are then in the zone. Throws a RangeError for an unknown zone. */
export const inZone = <T>(zone: string, act: () => T): T => readers.run({ zone, write: timesOf(zone) }, act);

/** Returns the zone of the person who reads the texts; UTC without one. */
export const readerZone = (): string => readers.getStore()?.zone ?? 'UTC';

export const timeWords = (ms: number): string => (readers.getStore()?.write ?? utcTime)(ms);

const utcTime = (ms: number): string => `${isoTime(ms).slice(0, 19).replace('T', ' ')} UTC`;

function timesOf(zone: string): ZonedTimes['write'] {
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
