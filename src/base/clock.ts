/** The clock and random numbers. Callers get a `Clock` as a parameter, so that tests can replace it. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Wall-clock time, milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds on a clock that never goes back; comparable only within one process. */
  monotonic(): number;
  /** Milliseconds since the machine started, including sleep. Two values are comparable if their `boot` is the same. */
  uptime(): { readonly boot: string; readonly ms: number };
  /** Resolves after the delay, or as soon as the signal is aborted. An aborted signal causes no error. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  after(delayMs: number, act: () => void): () => void;
  random(): number;
  randomHex(bytes: number): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime() {
    // Node's `uptime()` is slow, so `asked` keeps the result for half a second, or until the clock goes back.
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

/** Returns an id that stays the same until the machine restarts. If the system has none, each process makes its own. */
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

export const isoTime = (ms: number): string => new Date(ms).toISOString();
