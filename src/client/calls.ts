/** The parts of every endpoint's function: a call with the right token, what counts as done, and lists read to their end. */
import type { Clock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { messageOf, pageOf, property } from './answers.ts';
import type { Http, HttpAnswer, HttpRequest } from './exchange.ts';
import { CallFailure, outcomeOf } from './failure.ts';
import { withRetries } from './retry.ts';
import type { Tokens } from './tokens.ts';

/** The token of a call: the caller's own, which may be a user's, or the tenant's (interface 5.6). */
export type As = 'caller' | 'tenant';

export interface Calls {
  /** Once more with a new token on 401 and 403 (interface 5.5); any other answer is the caller's to judge. Not for POST /payments. */
  call(request: HttpRequest, as?: As): Promise<HttpAnswer>;
  /** Something changes: sent once. Throws CallFailure, whose outcome says what may have happened; `also`: further statuses that refuse here. */
  change(request: HttpRequest, as?: As, also?: readonly number[]): Promise<HttpAnswer>;
  /** Nothing changes: repeated where that may help. Throws CallFailure. */
  read(request: HttpRequest, as?: As): Promise<HttpAnswer>;
  /** Reads by id; null when the service has none. */
  found(request: HttpRequest, as?: As): Promise<HttpAnswer | null>;
  /** Reads without a token (interface 5.8). */
  readPublic(request: HttpRequest): Promise<HttpAnswer>;
  /** A list to its null marker, a page at a time; items as they came. */
  pages(path: string, query: Readonly<Record<string, string>>, as?: As): AsyncIterable<readonly unknown[]>;
}

/** One page of a list: what was read of it, and the items without an id that can be read, as they came: a caller must see that there are some. */
export interface ReadPage<T> {
  readonly items: readonly T[];
  readonly unreadable: readonly unknown[];
}

export function readPage<T>(came: readonly unknown[], read: (item: unknown) => T | null): ReadPage<T> {
  const items: T[] = [];
  const unreadable: unknown[] = [];
  for (const one of came) {
    const item = read(one);
    if (item === null) unreadable.push(one);
    else items.push(item);
  }
  return { items, unreadable };
}

/** A page of a list may be large; a record's answer is not. */
export const maxListBytes = 32 * 1024 * 1024;
/** A page may hold nothing where a service filters what it has cut, or be one that came before; so many one after the other never end. */
const mostStalePages = 100;

const idIn = (item: unknown) => property(item, 'id') ?? item;

/** The answer of a call that was done; throws CallFailure for any other. `refused`: further statuses that refuse at this service. */
export function done(request: HttpRequest, answer: HttpAnswer, refused: readonly number[] = []): HttpAnswer {
  const outcome = outcomeOf(answer.status, answer.body, refused);
  if (outcome === 'done') return answer;
  const words = messageOf(answer.body) ?? 'no reason given';
  throw new CallFailure(outcome, `${request.method} ${request.path} answered ${answer.status}: ${words}`, {
    status: answer.status,
    retryAfterMs: answer.retryAfterMs,
  });
}

export function openCalls(
  http: Http,
  tokens: { readonly [A in As]: Tokens },
  clock: Clock,
  refused: readonly number[] = [],
): Calls {
  const call: Calls['call'] = async (request, as = 'caller') => {
    const token = await tokens[as].current();
    const answer = await http.send({ ...request, token });
    if (answer.status !== 401 && answer.status !== 403) return answer;
    const again = await http.send({ ...request, token: await tokens[as].renew(token) });
    if (again.status === 401)
      throw new PayrunError('CREDENTIALS_REFUSED', {
        detail: `${request.method} ${request.path} answered 401 with a new token too: ${messageOf(again.body) ?? 'no reason given'}`,
      });
    return again;
  };

  const read: Calls['read'] = async (request, as) =>
    await withRetries(clock, async () => done(request, await call({ maxAnswerBytes: maxListBytes, ...request }, as)));

  return {
    call,
    change: async (request, as, also = []) => done(request, await call(request, as), [...refused, ...also]),
    read,
    async found(request, as) {
      try {
        return await read(request, as);
      } catch (error) {
        if (error instanceof CallFailure && error.status === 404) return null;
        throw error;
      }
    },
    readPublic: async (request) =>
      await withRetries(clock, async () =>
        done(request, await http.send({ maxAnswerBytes: maxListBytes, ...request })),
      ),
    async *pages(path, query, as) {
      const seen = new Set<string>();
      const known = new Set<string>();
      let stale = 0;
      let marker: string | null = null;
      do {
        const answer: HttpAnswer = await read(
          { method: 'GET', path, query: { ...query, ...(marker === null ? {} : { offset: marker }) } },
          as,
        );
        const page = pageOf(answer.body);
        if (page === null)
          throw new PayrunError('SERVICE_ANSWER', { what: `GET ${path}`, detail: 'no page of items with a marker' });
        const ends = page.items.length === 0 ? '' : JSON.stringify([page.items[0], page.items.at(-1)].map(idIn));
        stale = ends === '' || known.has(ends) ? stale + 1 : 0;
        known.add(ends);
        if (stale > mostStalePages)
          throw new PayrunError('SERVICE_ANSWER', {
            what: `GET ${path}`,
            detail: `${stale} pages in a row that held nothing, or began and ended as an earlier one`,
          });
        yield page.items;
        marker = page.offsetMarker;
        if (marker !== null && seen.has(marker))
          throw new PayrunError('SERVICE_ANSWER', { what: `GET ${path}`, detail: 'a marker came twice' });
        if (marker !== null) seen.add(marker);
      } while (marker !== null);
    },
  };
}
