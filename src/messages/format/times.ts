/** Writes times in the zone of the person who reads them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { timesIn, utcTime } from './zoned-times.ts';

interface ZonedTimes {
  readonly zone: string;
  readonly write: (ms: number) => string;
}

const readers = new AsyncLocalStorage<ZonedTimes>();

export function isZone(name: string): boolean {
  try {
    return timesIn(name)(0) !== '';
  } catch {
    return false;
  }
}

/** Calls `act`, whose `timeWords` are then in the zone. Throws a RangeError for an unknown zone. */
export const inZone = <T>(zone: string, act: () => T): T => readers.run({ zone, write: timesIn(zone) }, act);

/** Returns the zone of the person who reads the texts; UTC without one. */
export const readerZone = (): string => readers.getStore()?.zone ?? 'UTC';

export const timeWords = (ms: number): string => (readers.getStore()?.write ?? utcTime)(ms);

/** `at` is an ISO time, such as the ledger stores in facts. */
export const isoTimeWords = (at: string): string => timeWords(Date.parse(at));
