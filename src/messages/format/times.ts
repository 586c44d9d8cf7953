/** Writes times in the zone of the person who reads them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { timesIn, utcTime } from './zoned-times.ts';

let last = { zone: 'UTC', write: utcTime };
const readers = new AsyncLocalStorage<typeof last>();

/** Keeps the last zone, because making a writer of times takes long. */
function timesOf(zone: string): typeof last {
  if (zone !== last.zone) last = { zone, write: timesIn(zone) };
  return last;
}

export function isZone(name: string): boolean {
  try {
    timesOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Calls `act`, whose `timeWords` are then in the zone. Throws a RangeError for an unknown zone. */
export const inZone = <T>(zone: string, act: () => T): T => readers.run(timesOf(zone), act);

/** Returns the zone of the person who reads the texts; UTC without one. */
export const readerZone = (): string => readers.getStore()?.zone ?? 'UTC';

export const timeWords = (ms: number): string => (readers.getStore()?.write ?? utcTime)(ms);

/** `at` is an ISO time, such as the ledger stores in facts. */
export const isoTimeWords = (at: string): string => timeWords(Date.parse(at));
