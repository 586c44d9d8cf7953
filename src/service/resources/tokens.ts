/** The handlers of POST /token and POST /tokens/user (interface 4.1, 4.2, 5). */
import type { z } from 'zod';
import type { tokenAnswer, tokenRequest, userTokenRequest } from '../../wire/token.ts';
import { minuteBudget } from '../http/budget.ts';
import { type Call, type GuardedCall, HttpRefusal } from '../http/call.ts';
import type { ServiceDeps } from './deps.ts';
import { activeUser } from './users.ts';

interface TokenDeps extends ServiceDeps {
  /** The most tokens in a minute for each API key; 0 for no limit. Wrong secrets have the same limit. */
  readonly tokensPerMinute: number;
}

type TokenAnswer = z.infer<typeof tokenAnswer>;

export function tokensResource({ store, secrets, keys, clock, tokensPerMinute }: TokenDeps) {
  // The interface does not show the rate limit of POST /token (interface 5.4). This service makes 60 tokens in a
  // minute for each key, by default. Further calls get 429, with Retry-After in seconds. Wrong secrets have the same
  // limit, and do not block the right secret.
  const minted = minuteBudget(clock, tokensPerMinute, 'Too many tokens were asked for');
  const failedFrom = minuteBudget(clock, tokensPerMinute, 'Too many wrong keys and secrets came from this address');
  const failedFor = minuteBudget(clock, tokensPerMinute, 'Too many wrong secrets came for this key');
  async function mint(call: Call<z.infer<typeof tokenRequest>>): Promise<TokenAnswer> {
    const { apiKey, apiSecret } = call.body;
    const found = await store.tenants.byKey(apiKey);
    if (!secrets.matches(apiSecret, found?.secret_hmac) || found === undefined) {
      // The interface does not show the statuses of a refused POST /token (interface 5.9). This service answers 400 for
      // a missing field, and 401 for a wrong secret or an unknown key. Both 401 answers have the same words, so that
      // nobody learns which keys exist.
      failedFrom(call.address);
      failedFor(apiKey);
      throw new HttpRefusal(401, 'API secret and key invalid');
    }
    minted(apiKey);
    return keys.mint({ tenantId: found.tenant_id, userId: null });
  }

  async function mintForUser(call: GuardedCall<z.infer<typeof userTokenRequest>>): Promise<TokenAnswer> {
    const { tenantId } = call.caller;
    const user = await activeUser(store, tenantId, call.body.userId);
    return keys.mint({ tenantId, userId: user.user_id });
  }

  return { mint, mintForUser };
}
