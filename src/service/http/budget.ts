/** Limits the calls of each key in a minute. A key is a tenant's id, an API key or an IP address. */
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { HttpRefusal } from './call.ts';

/** The maximum number of keys in memory. A caller can invent many keys. A further key replaces the oldest key. */
const mostKeys = 10_000;

/** Returns a function that counts a call, and throws a Refusal (429) above the limit. 0 means no limit. */
export function minuteBudget(clock: Clock, perMinute: number, tooMany: string): (key: string) => void {
  let minute = 0;
  const spent = new Map<string, number>();
  return (name) => {
    if (perMinute === 0) return;
    const key = sha256(name);
    const now = clock.now();
    if (Math.floor(now / 60_000) !== minute) {
      minute = Math.floor(now / 60_000);
      spent.clear();
    }
    const count = (spent.get(key) ?? 0) + 1;
    spent.set(key, count);
    if (spent.size > mostKeys) for (const oldest of spent.keys().take(1)) spent.delete(oldest);
    if (count <= perMinute) return;
    const waitSeconds = Math.max(1, Math.ceil(((minute + 1) * 60_000 - now) / 1000));
    throw new HttpRefusal(429, `${tooMany}; try again in ${waitSeconds} s`, { 'retry-after': String(waitSeconds) });
  };
}
