/** Time and chance: the only place that reads a clock or draws a random number, so that tests can replace both. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Wall-clock time, milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds on a clock that only goes forward; comparable within one process. */
  monotonic(): number;
  /** Milliseconds since the machine started, sleep included; comparable as long as `boot` is the same. */
  uptime(): { readonly boot: string; readonly ms: number };
  /** Waits; an aborted signal ends the wait early without throwing. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` later, unless the returned function is called before that. */
  after(delayMs: number, act: () => void): () => void;
  /** A number in [0, 1), for jitter. */
  random(): number;
  /** Lower-case hex digits, for names that nobody must guess. */
  randomHex(bytes: number): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime() {
    // Asking the system costs more than all else about an intent; a machine that slept shows it on the wall clock.
    const now = Date.now();
    if (now < asked.at || now - asked.at >= 500) asked = { at: now, ms: Math.floor(uptime() * 1000) };
    return { boot: bootId(), ms: asked.ms + (now - asked.at) };
  },
  async sleep(delayMs, signal) {
    try {
      await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  randomHex: (bytes) => randomBytes(bytes).toString('hex'),
};

let asked = { at: Number.NEGATIVE_INFINITY, ms: 0 };
let boot: string | null = null;

/** One word for one start of the machine; where the system has none, the process itself is as long as we can see. */
function bootId(): string {
  boot ??= readBootId() ?? `process-${randomBytes(4).toString('hex')}`;
  return boot;
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 13);
  } catch {
    return null;
  }
}

/** ISO 8601 in UTC with milliseconds, as the interface writes times (interface 2). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Writes moments for one reader, in a time zone that is named beside each. */
export interface ZoneWords {
  readonly zone: string;
  /** `2026-11-21 05:03:26 GMT+2`. */
  time(ms: number): string;
  /** Returns a sentence with its moments, as `timeWords` wrote them, in the zone. */
  sentence(words: string): string;
}

/** Throws a RangeError for a zone that is not known here. */
export function wordsInZone(zone: string): ZoneWords {
  const two = '2-digit';
  const day = { year: 'numeric', month: two, day: two } as const;
  const hour = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset', ...day, ...hour });
  const time = (ms: number) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const offset = /^GMT(?:\+0)?$/.test(parts.timeZoneName ?? '') ? 'UTC' : parts.timeZoneName;
    return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second} ${offset}`;
  };
  const utc = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g;
  return {
    zone,
    time,
    sentence: (words) => words.replaceAll(utc, (_, date: string, at: string) => time(Date.parse(`${date}T${at}Z`))),
  };
}

/** For people: `2026-11-21 03:03:26 UTC`. */
export function timeWords(ms: number): string {
  return `${isoTime(ms).slice(0, 19).replace('T', ' ')} UTC`;
}
