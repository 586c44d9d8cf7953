/** Makes and checks bearer tokens. Each deployment of the service replaces the signing key (interface 5.5). */
import { createSecretKey } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../base/clock.ts';
import type { Caller } from './call.ts';
import type { Secrets } from './secrets.ts';

const issuer = 'payrun-service';
const audience = 'payrun-service-api';

const lifetimeMs = { tenant: 60 * 60_000, user: 24 * 60 * 60_000 };

export type Keys = Awaited<ReturnType<typeof openKeys>>;

/** Salt and pepper (secrets.ts) together make the signing key. All nodes of a deployment have the same salt. */
export interface Salts {
  current(): Promise<string>;
  renew(): Promise<string>;
}

interface KeyDeps {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly salts: Salts;
}

interface Known {
  readonly caller: Caller;
  readonly expiry: number;
}

/** The maximum number of checked tokens in memory. At this number, the service forgets all of them. */
const rememberedTokens = 1000;

const lookAgainMs = 1000;

export async function openKeys({ clock, secrets, salts }: KeyDeps) {
  let signing = keyFrom(await salts.current());
  let lookedAt = clock.monotonic();
  const known = new Map<string, Known>();

  function keyFrom(salt: string) {
    const kid = secrets.derive('signing key id', salt).subarray(0, 8).toString('hex');
    return { kid, key: createSecretKey(secrets.derive('signing key', salt)) };
  }

  function use(key: typeof signing): void {
    if (key.kid === signing.kid) return;
    signing = key;
    known.clear();
  }

  async function keyOf(kid: string | undefined) {
    if (kid !== signing.kid && clock.monotonic() - lookedAt >= lookAgainMs) {
      lookedAt = clock.monotonic();
      use(keyFrom(await salts.current()));
    }
    if (kid !== signing.kid) throw new errors.JWSInvalid('the token was signed by another key');
    return signing;
  }

  async function verify(token: string): Promise<Known | null> {
    let current: typeof signing | undefined;
    try {
      const { payload } = await jwtVerify(
        token,
        async (header) => {
          current = await keyOf(header.kid);
          return current.key;
        },
        {
          algorithms: ['HS256'],
          issuer,
          audience,
          typ: 'JWT',
          requiredClaims: ['exp', 'iat', 'tenant', 'typ'],
          clockTolerance: 0,
          currentDate: new Date(clock.now()),
        },
      );
      const caller = callerOf(payload);
      return caller === null || current !== signing ? null : { caller, expiry: payload.exp! * 1000 };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  return {
    /** `expiry` is the token's `exp`, in milliseconds since 1970. */
    async mint(caller: Caller): Promise<{ token: string; expiry: number }> {
      const typ = caller.userId === null ? 'tenant' : 'user';
      const now = clock.now();
      const expiresAt = Math.floor((now + lifetimeMs[typ]) / 1000);
      const claims: JWTPayload = { tenant: caller.tenantId, typ, jti: clock.randomHex(16) };
      if (caller.userId !== null) claims.userId = caller.userId;
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signing.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(expiresAt)
        .sign(signing.key);
      return { token, expiry: expiresAt * 1000 };
    },
    /** Returns null for an invalid or expired token, and for a token that an earlier key signed. */
    async check(token: string): Promise<Caller | null> {
      let found = known.get(token) ?? null;
      if (found === null) {
        found = await verify(token);
        if (found === null) return null;
        if (known.size >= rememberedTokens) known.clear();
        known.set(token, found);
      }
      return clock.now() < found.expiry ? found.caller : null;
    },
    /** Replaces the signing key. All earlier tokens become invalid. */
    async rotate(): Promise<void> {
      use(keyFrom(await salts.renew()));
    },
  };
}

function callerOf(payload: JWTPayload): Caller | null {
  const { tenant, typ, userId } = payload;
  if (typeof tenant !== 'string') return null;
  if (typ === 'tenant') return userId === undefined ? { tenantId: tenant, userId: null } : null;
  return typ === 'user' && typeof userId === 'string' ? { tenantId: tenant, userId } : null;
}
