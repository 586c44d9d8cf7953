/** Sends calls with the right token, checks their answers, and reads lists to their end. */
import type { Clock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import type { ServiceFault } from '../base/faults/fault.ts';
import { messageOf, pageOf, property } from './answers.ts';
import type { Http, HttpAnswer, HttpRequest } from './exchange.ts';
import { CallFailure, callOutcome } from './failure.ts';
import { withRetries } from './retry.ts';
import type { Tokens } from './tokens.ts';

/** The owner of a call's token (interface 5.6). `caller` is the configured user, or the tenant if there is no user. */
type As = 'caller' | 'tenant';

export type Calls = ReturnType<typeof openCalls>;

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

/** The largest answer, in bytes, to a call that changes nothing. A page of a list can be large. */
export const maxListBytes = 32 * 1024 * 1024;
/** Payrun stops reading a list after more consecutive pages that are empty or repeat an earlier page. */
const mostStalePages = 100;

const idIn = (item: unknown) => property(item, 'id') ?? item;

const callOf = ({ method, path }: HttpRequest) => `${method} ${path}`;

const answered = (call: string, { status, body }: HttpAnswer) =>
  ({ fault: 'call-was-answered', call, status, reason: messageOf(body) }) as const;

/** Throws CallFailure unless the status is 2xx. `refused`: more statuses that mean a refusal. */
export function done(request: HttpRequest, answer: HttpAnswer, refused: readonly number[] = []): HttpAnswer {
  const outcome = callOutcome(answer.status, answer.body, refused);
  if (outcome === 'done') return answer;
  throw new CallFailure(outcome, answered(callOf(request), answer), answer.retryAfterMs);
}

export function openCalls(
  http: Http,
  tokens: { readonly [A in As]: Tokens },
  clock: Clock,
  refused: readonly number[] = [],
) {
  async function call(request: HttpRequest, as: As = 'caller'): Promise<HttpAnswer> {
    const token = await tokens[as].current();
    const answer = await http.send({ ...request, token });
    if (answer.status !== 401 && answer.status !== 403) return answer;
    const again = await http.send({ ...request, token: await tokens[as].renew(token) });
    if (again.status === 401)
      throw new PayrunError('CREDENTIALS_REFUSED', { why: answered(callOf(request), again), hint: 'new-token-too' });
    return again;
  }

  const read = async (request: HttpRequest, as?: As): Promise<HttpAnswer> =>
    await withRetries(clock, async () => done(request, await call({ maxAnswerBytes: maxListBytes, ...request }, as)));

  return {
    /** After 401 or 403, sends the request again with a new token (interface 5.5). Never use this for POST /payments. */
    call,
    /** For calls that change data. Repeats a call only after 401 or 403. `also`: more statuses that mean a refusal. */
    change: async (request: HttpRequest, as?: As, also: readonly number[] = []): Promise<HttpAnswer> =>
      done(request, await call(request, as), [...refused, ...also]),
    /** For calls that change nothing. Retries after some failures (retry.ts). */
    read,
    /** Like `read`, but returns null for 404. */
    async found(request: HttpRequest, as?: As): Promise<HttpAnswer | null> {
      try {
        return await read(request, as);
      } catch (error) {
        if (error instanceof CallFailure && error.status === 404) return null;
        throw error;
      }
    },
    /** Like `read`, but without a token (interface 5.8). */
    readPublic: async (request: HttpRequest): Promise<HttpAnswer> =>
      await withRetries(clock, async () =>
        done(request, await http.send({ maxAnswerBytes: maxListBytes, ...request })),
      ),
    /** Yields a list page by page, unparsed. Throws SERVICE_ANSWER if an answer is no page, or the list seems endless. */
    async *pages(path: string, query: Readonly<Record<string, string>>, as?: As): AsyncGenerator<readonly unknown[]> {
      const unusable = (why: ServiceFault) => new PayrunError('SERVICE_ANSWER', { what: `GET ${path}`, why });
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
        if (page === null) throw unusable({ fault: 'answer-has-other-form' });
        const ends = page.items.length === 0 ? '' : JSON.stringify([page.items[0], page.items.at(-1)].map(idIn));
        stale = ends === '' || known.has(ends) ? stale + 1 : 0;
        known.add(ends);
        if (stale > mostStalePages) throw unusable({ fault: 'answer-repeats-pages' });
        yield page.items;
        marker = page.offsetMarker;
        if (marker !== null && seen.has(marker)) throw unusable({ fault: 'answer-repeats-pages' });
        if (marker !== null) seen.add(marker);
      } while (marker !== null);
    },
  };
}
