/** Signs and checks the bearer tokens; the signing key lives in memory only, so each start makes all earlier tokens invalid. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../base/clock.ts';
import type { Caller } from './call.ts';

const issuer = 'payrun-service';
const audience = 'payrun-service-api';

/** Interface 8: about 1 hour; 24 hours. */
const lifetimeMs = { tenant: 60 * 60_000, user: 24 * 60 * 60_000 };

export interface Keys {
  /** `expiry` is Unix time in milliseconds, and exactly the token's `exp`. */
  mint(caller: Caller): Promise<{ token: string; expiry: number }>;
  /** The caller whom the token names, or null for any token that is not ours or not valid now. */
  check(token: string): Promise<Caller | null>;
  /** What a deployment does: a new key; every token minted before is invalid. */
  rotate(): void;
}

interface Known {
  readonly caller: Caller;
  readonly expiry: number;
}

/** As many tokens are remembered as checked; a client uses one for an hour, so few are needed. */
const rememberedTokens = 1000;

export function openKeys(clock: Clock): Keys {
  let signing = newKey(clock);
  const known = new Map<string, Known>();

  async function verify(token: string): Promise<Known | null> {
    const current = signing;
    try {
      const { payload } = await jwtVerify(
        token,
        (header): KeyObject => {
          if (header.kid !== current.kid) throw new errors.JWSInvalid('the token was signed by another key');
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
      // The key may have been changed while we looked.
      return caller === null || current !== signing ? null : { caller, expiry: payload.exp! * 1000 };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  return {
    async mint(caller) {
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
    async check(token) {
      let found = known.get(token) ?? null;
      if (found === null) {
        found = await verify(token);
        if (found === null) return null;
        if (known.size >= rememberedTokens) known.clear();
        known.set(token, found);
      }
      return clock.now() < found.expiry ? found.caller : null;
    },
    rotate() {
      signing = newKey(clock);
      known.clear();
    },
  };
}

function newKey(clock: Clock): { kid: string; key: KeyObject } {
  return { kid: clock.randomHex(8), key: createSecretKey(clock.randomHex(32), 'hex') };
}

function callerOf(payload: JWTPayload): Caller | null {
  const { tenant, typ, userId } = payload;
  if (typeof tenant !== 'string') return null;
  if (typ === 'tenant') return userId === undefined ? { tenantId: tenant, userId: null } : null;
  return typ === 'user' && typeof userId === 'string' ? { tenantId: tenant, userId } : null;
}
