/** Keeps sessions. The cookie has 256 random bits, the ledger their hash, and the page a token derived from them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import type { Account, People } from '../../ledger/ledger.ts';
import { type Role, roles } from '../api.ts';
import type { Who } from './route.ts';

const minuteMs = 60_000;
const idleMs = 30 * minuteMs;
const longestMs = 12 * 60 * minuteMs;
/** The shortest time between two writes of a session's last use. */
const seenEveryMs = 20_000;

export const csrfHeader = 'x-payrun-csrf';

export type Sessions = ReturnType<typeof openSessions>;

/** Over https the cookie's name begins with `__Host-`, so that no other site can set the cookie. */
export function openSessions(people: People, clock: Clock, secure: boolean) {
  const cookieName = secure ? '__Host-payrun' : 'payrun';
  const cookie = (value: string, more = '') =>
    `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}${more}`;
  const valueIn = (headers: IncomingHttpHeaders) => cookieIn(headers, cookieName);

  function sessionIn(headers: IncomingHttpHeaders, quietly = false) {
    const value = valueIn(headers);
    if (value === null) return null;
    const hash = sha256(value);
    const session = people.session(hash);
    const now = clock.now();
    if (session === null || now - session.begunAt >= longestMs || now - session.seenAt >= idleMs) return null;
    if (!quietly && now - session.seenAt >= seenEveryMs) people.seeSession(hash);
    return { value, account: session.account };
  }

  return {
    /** `quietly`: the request does not extend the session. */
    whoIs(headers: IncomingHttpHeaders, { quietly } = { quietly: false }): Who | null {
      const session = sessionIn(headers, quietly);
      const account = session && people.account(session.account);
      return account === null || !account.active ? null : whoOf(account);
    },
    tokenOf(headers: IncomingHttpHeaders): string | null {
      const session = sessionIn(headers, true);
      return session && tokenOf(session.value);
    },
    bearsToken(headers: IncomingHttpHeaders): boolean {
      const [value, given] = [valueIn(headers), headers[csrfHeader]];
      if (value === null || typeof given !== 'string') return false;
      const [mine, theirs] = [tokenOf(value), given].map((token) => Buffer.from(sha256(token)));
      return timingSafeEqual(mine!, theirs!);
    },
    /** Begins a session and ends the one of the request. Call it in a transaction (`act`). */
    begin(headers: IncomingHttpHeaders, account: number) {
      const before = valueIn(headers);
      if (before !== null) people.endSession(sha256(before));
      const now = clock.now();
      people.endSessionsBefore(now - longestMs, now - idleMs);
      const value = randomBytes(32).toString('base64url');
      people.beginSession(sha256(value), account);
      return { cookie: cookie(value), token: tokenOf(value) };
    },
    /** Call it in a transaction (`act`). */
    end(headers: IncomingHttpHeaders): void {
      const value = valueIn(headers);
      if (value !== null) people.endSession(sha256(value));
    },
    forgetCookie: cookie('', '; Max-Age=0'),
  };
}

export const whoOf = ({ id, name, role }: Account): Who => ({ id, name, role: roleOf(role) });

export const roleOf = (said: string): Role => roles.find((role) => role === said) ?? 'viewer';

const tokenOf = (value: string): string => createHmac('sha256', value).update('payrun page').digest('base64url');

/** Returns null for a malformed value, and for two cookies of the name, because another site may have set one of them. */
function cookieIn({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && /^[\w-]{43}$/.test(values[0]!) ? values[0]! : null;
}
