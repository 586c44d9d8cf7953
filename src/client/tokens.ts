/** Gets tokens from the service, keeps them, and replaces them in time (interface 5). */
import type { Clock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import { expiryIn, fieldNames, messageOf, tokenIn } from './answers.ts';
import type { Http, HttpAnswer } from './exchange.ts';
import { CallFailure } from './failure.ts';
import { withRetries } from './retry.ts';

export interface Tokens {
  current(): Promise<string>;
  /** Replaces the token `bad`, which got 401 or 403. If another call replaced `bad` before, returns the newer token. */
  renew(bad: string): Promise<string>;
}

/** `expiry` is Unix time in milliseconds; null if the answer has none. */
export interface MintedToken {
  readonly token: string;
  readonly expiry: number | null;
}

interface Minted extends MintedToken {
  readonly refreshAtMs: number;
}

interface TokenSource {
  readonly http: Http;
  readonly clock: Clock;
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  readonly userId: string | null;
  readonly tokenField?: string;
}

/** The shortest time between two requests for a token. The service has a rate limit for them (interface 5.4). */
const mintGapMs = 1000;
/** How long a user token is valid (interface 4.2), if the answer has no `expiry`. */
const userTokenLifeMs = 24 * 60 * 60 * 1000;

export interface AllTokens {
  readonly tenant: Tokens;
  readonly caller: Tokens;
  /** Gets a token for use outside this client. The client does not keep this token. */
  mintTenant(): Promise<MintedToken>;
  mintUser(userId: string): Promise<MintedToken>;
}

export function openTokens(source: TokenSource): AllTokens {
  const { clock, userId } = source;
  const tenant = keep(clock, () => mintTenantToken(source));
  const shown = ({ token, expiry }: Minted): MintedToken => ({ token, expiry });
  return {
    tenant,
    caller: userId === null ? tenant : keep(clock, () => mintUserToken(source, tenant, userId)),
    mintTenant: async () => shown(await mintTenantToken(source)),
    mintUser: async (id) => shown(await mintUserToken(source, tenant, id)),
  };
}

/** Keeps a token until shortly before its expiry. Calls that need a new token at the same time share one request. */
function keep(clock: Clock, mint: () => Promise<Minted>): Tokens {
  let minted: Minted | null = null;
  let minting: Promise<Minted> | null = null;
  let lastMintMs = Number.NEGATIVE_INFINITY;

  async function fresh(): Promise<string> {
    minting ??= (async () => {
      try {
        const waitMs = lastMintMs + mintGapMs - clock.monotonic();
        if (waitMs > 0) await clock.sleep(waitMs);
        lastMintMs = clock.monotonic();
        minted = await mint();
        return minted;
      } finally {
        minting = null;
      }
    })();
    return (await minting).token;
  }

  return {
    current: async () => (minted !== null && clock.monotonic() < minted.refreshAtMs ? minted.token : await fresh()),
    renew: async (bad) => (minted !== null && minted.token !== bad ? minted.token : await fresh()),
  };
}

async function mintTenantToken(source: TokenSource): Promise<Minted> {
  const { http, clock, apiKey, apiSecret } = source;
  const answer = await withRetries(clock, async () =>
    requireToken(
      await http.send({
        method: 'POST',
        path: '/token',
        json: { apiKey: apiKey.reveal(), apiSecret: apiSecret.reveal() },
      }),
      'POST /token',
      apiSecret,
    ),
  );
  return read(answer, source, 'POST /token', null);
}

async function mintUserToken(source: TokenSource, tenant: Tokens, userId: string): Promise<Minted> {
  const { http, clock } = source;
  const ask = async (token: string) =>
    await http.send({ method: 'POST', path: '/tokens/user', json: { userId }, token });
  const answer = await withRetries(clock, async () => {
    const token = await tenant.current();
    const first = await ask(token);
    const last = first.status === 401 || first.status === 403 ? await ask(await tenant.renew(token)) : first;
    return requireToken(last, 'POST /tokens/user', source.apiSecret);
  });
  return read(answer, source, 'POST /tokens/user', userTokenLifeMs);
}

/** Throws unless the status is 2xx: a CallFailure if a retry may help, else a PayrunError. */
function requireToken(answer: HttpAnswer, what: string, secret: Secret): HttpAnswer {
  const { status, body, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return answer;
  const reason = messageOf(body)?.replaceAll(secret.reveal(), '[secret]') ?? null;
  const answered = { fault: 'call-was-answered', call: what, status, reason } as const;
  // The interface does not show the rate limit for tokens, and the status of a call above the limit (interface 5.4).
  // After a 429 the client waits as long as the answer says, but at most two minutes.
  if (status === 429 || status >= 500) throw new CallFailure('not-sent', answered, retryAfterMs);
  if (what === 'POST /token' && ![400, 401, 403, 422].includes(status))
    throw new PayrunError('SERVICE_ANSWER', { what, why: { fault: 'answer-has-odd-status', status, reason } });
  const hint = status === 404 && what === 'POST /tokens/user' ? 'user-unknown' : null;
  throw new PayrunError('CREDENTIALS_REFUSED', { why: answered, hint });
}

function read(answer: HttpAnswer, source: TokenSource, what: string, defaultLifeMs: number | null): Minted {
  const token = tokenIn(answer.body, source.tokenField);
  if (token === null)
    throw new PayrunError('SERVICE_ANSWER', {
      what,
      why: { fault: 'answer-has-no-token', fields: fieldNames(answer.body) },
    });
  const expiry = expiryIn(answer.body);
  if (expiry !== null && expiry < 1e11)
    throw new PayrunError('SERVICE_ANSWER', { what, why: { fault: 'answer-has-other-form' } });
  // Prefers the service's time, because this machine's clock may be wrong.
  const now = answer.dateMs ?? source.clock.now();
  const lifeMs = expiry === null ? (defaultLifeMs ?? 60 * 60 * 1000) : Math.max(0, expiry - now);
  return { token, expiry, refreshAtMs: source.clock.monotonic() + lifeMs - Math.min(120_000, lifeMs / 5) };
}
