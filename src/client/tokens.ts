/** Gets tokens from the service, keeps them, and replaces them in time (interface 5). */
import type { Clock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import type { ServiceFault } from '../base/faults/fault.ts';
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
  readonly tokenField: string | undefined;
}

/** The shortest time between two requests for a token. The service has a rate limit for them (interface 5.4). */
const mintGapMs = 1000;

export type AllTokens = ReturnType<typeof openTokens>;

export function openTokens(source: TokenSource) {
  const { clock, userId } = source;
  const tenant = keep(clock, () => mintTenantToken(source));
  const shown = ({ token, expiry }: Minted): MintedToken => ({ token, expiry });
  return {
    tenant,
    caller: userId === null ? tenant : keep(clock, () => mintUserToken(source, tenant, userId)),
    /** Gets a token for use outside this client. The client does not keep this token. */
    mintTenant: async () => shown(await mintTenantToken(source)),
    mintUser: async (id: string) => shown(await mintUserToken(source, tenant, id)),
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
  const { http, apiKey, apiSecret } = source;
  return await mintBy(source, 'POST /token', async () => {
    const json = { apiKey: apiKey.reveal(), apiSecret: apiSecret.reveal() };
    return await http.send({ method: 'POST', path: '/token', json });
  });
}

async function mintUserToken(source: TokenSource, tenant: Tokens, userId: string): Promise<Minted> {
  const ask = async (token: string) =>
    await source.http.send({ method: 'POST', path: '/tokens/user', json: { userId }, token });
  return await mintBy(source, 'POST /tokens/user', async () => {
    const token = await tenant.current();
    const first = await ask(token);
    return first.status === 401 || first.status === 403 ? await ask(await tenant.renew(token)) : first;
  });
}

/** The calls that get a token, and how long it is valid if the answer has no `expiry` (interface 4.2). */
const lifeMs = { 'POST /token': 60 * 60 * 1000, 'POST /tokens/user': 24 * 60 * 60 * 1000 };
type TokenCall = keyof typeof lifeMs;

async function mintBy(source: TokenSource, what: TokenCall, ask: () => Promise<HttpAnswer>): Promise<Minted> {
  const answer = await withRetries(source.clock, async () => requireToken(await ask(), what, source.apiSecret));
  const { body, dateMs } = answer;
  const unusable = (why: ServiceFault) => new PayrunError('SERVICE_ANSWER', { what, why });
  const token = tokenIn(body, source.tokenField);
  if (token === null) throw unusable({ fault: 'answer-has-no-token', fields: fieldNames(body) });
  const expiry = expiryIn(body);
  if (expiry !== null && expiry < 1e11) throw unusable({ fault: 'answer-has-other-form' });
  // Prefers the service's time, because this machine's clock may be wrong.
  const leftMs = expiry === null ? lifeMs[what] : Math.max(0, expiry - (dateMs ?? source.clock.now()));
  return { token, expiry, refreshAtMs: source.clock.monotonic() + leftMs - Math.min(120_000, leftMs / 5) };
}

/** Throws unless the status is 2xx: a CallFailure if a retry may help, else a PayrunError. */
function requireToken(answer: HttpAnswer, what: TokenCall, secret: Secret): HttpAnswer {
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
