/** Interface 5: authentication. */
import { expect } from 'vitest';
import {
  type Body,
  expectGood,
  expectRefused,
  form,
  momo,
  newEmail,
  pdf,
  section,
  tokenIn,
  valuesIn,
} from './subject.ts';

const hour = 60 * 60 * 1000;
const claimsOf = (token: string): Body => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
const expiryIn = (body: Body): number =>
  valuesIn(body).find((value) => typeof value === 'number' && value > 1e12) as number;

section('5. Authentication', ({ says, saysWith }) => {
  says(
    'An apiKey and apiSecret pair is reused to obtain tokens.',
    async ({ anonymous, credentials, with: withToken }) => {
      for (let count = 0; count < 3; count += 1) {
        const token = tokenIn((await anonymous('POST', '/token', credentials)).body);
        expectGood(await withToken(token)('GET', '/users'), 200);
      }
    },
  );

  saysWith('choice')('Minting a new token on every request is rate limited.', async ({ another }) => {
    const { url, credentials, tenant } = await another({ tokensPerMinute: 5 });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(credentials) };
    const mints = await Promise.all(Array.from({ length: 11 }, () => fetch(`${url}/token`, init)));
    const refused = mints.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expectGood(await tenant('GET', '/users'), 200);
  });

  says(
    'POST /token with the pair returns a token and expiry. No auth header is sent on this call.',
    async ({ anonymous, credentials }) => {
      const answer = await anonymous('POST', '/token', credentials);
      expectGood(answer);
      tokenIn(answer.body);
    },
  );

  says('Every other protected call carries Authorization: Bearer <ACCESS_TOKEN>.', async ({ anonymous, tenant }) => {
    expect((await anonymous('GET', '/users')).status).toBe(401);
    expectGood(await tenant('GET', '/users'), 200);
  });

  says('Token lifetime is about one hour; the exact moment is in expiry.', async ({ anonymous, credentials }) => {
    const { headers, body } = await anonymous('POST', '/token', credentials);
    const now = Date.parse(headers.get('date') ?? '') || Date.now();
    const left = expiryIn(body) - now;
    expect(left).toBeGreaterThan(0.5 * hour);
    expect(left).toBeLessThan(1.5 * hour);
  });

  saysWith('clock')('A token is good until its expiry, and not after it.', async ({ another }) => {
    const { anonymous, credentials, with: withToken, moveClock } = await another({ stands: true });
    const { body, headers } = await anonymous('POST', '/token', credentials);
    const call = withToken(tokenIn(body));
    expectGood(await call('GET', '/users'), 200);
    // The service tells its time in full seconds.
    moveClock(expiryIn(body) - Date.parse(headers.get('date')!) - 5000);
    expectGood(await call('GET', '/users'), 200);
    moveClock(6000);
    expect((await call('GET', '/users')).status).toBe(401);
  });

  saysWith('clock')('A user token is valid 24 hours.', async ({ another }) => {
    const { user, moveClock } = await another({ stands: true });
    const { call } = await user();
    moveClock(24 * hour - 10_000);
    expectGood(await call('GET', '/profile'), 200);
    moveClock(11_000);
    expect((await call('GET', '/profile')).status).toBe(401);
  });

  saysWith('restart')(
    'The signing secret is regenerated on each deployment, so a token can become invalid early. On 401 or 403 a client should re-authenticate once and retry the call once.',
    async ({ another }) => {
      const { tenant, anonymous, credentials, with: withToken, restart } = await another();
      expectGood(await tenant('GET', '/users'), 200);
      await restart();
      expect([401, 403]).toContain((await tenant('GET', '/users')).status);
      const { body } = await anonymous('POST', '/token', credentials);
      expectGood(await withToken(tokenIn(body))('GET', '/users'), 200);
    },
  );

  says(
    'Token kinds: a tenant token and a user token (scoped to one user, carries a userId claim).',
    async ({ tenantToken, someone }) => {
      expect(claimsOf(tenantToken).userId).toBeUndefined();
      expect(claimsOf(someone.token).userId).toBe(someone.userId);
    },
  );

  says('Endpoints that accept a user token require the claim to equal the path userId.', async ({ user, someone }) => {
    const { userId } = await user();
    expectRefused(await someone.call('GET', `/users/${userId}`));
    expectRefused(await someone.call('PATCH', `/users/${userId}`, {}));
    expectRefused(
      await someone.call('POST', `/users/${userId}/kyc-documents`, form({ documentType: 'other', file: pdf() })),
    );
  });

  says(
    'Tenant-only endpoints: POST /tokens/user, POST /users, GET /users, DELETE /users/{userId}.',
    async ({ user, someone }) => {
      const { userId } = await user();
      for (const answer of [
        await someone.call('POST', '/tokens/user', { userId: someone.userId }),
        await someone.call('POST', '/users', { email: newEmail(), name: 'A' }),
        await someone.call('GET', '/users'),
        await someone.call('DELETE', `/users/${userId}`),
      ]) {
        expect(answer.status).toBe(403);
      }
    },
  );

  says(
    'Recommended use: a user edits and reads their own data with PATCH and GET /profile and /profile/momo endpoints using a user token; creating a payment and uploading KYC documents also use a user token.',
    async ({ user, merchant }) => {
      const { call, userId } = await user();
      expectGood(await call('PATCH', '/profile', { sector: 'Retail' }), 200);
      expectGood(await call('POST', '/profile/momo', momo()), 201);
      expectGood(await call('POST', `/users/${userId}/kyc-documents`, form({ documentType: 'selfie', file: pdf() })));
      const { id: merchantId } = await merchant();
      expectGood(await call('POST', '/payments', { merchantId, amount: 100, reference: 'Pay' }));
    },
  );

  says(
    'Public endpoints needing no authentication: POST /token, GET /utils/banks/:country, GET /utils/countries.',
    async ({ anonymous, credentials }) => {
      expectGood(await anonymous('POST', '/token', credentials));
      expectGood(await anonymous('GET', '/utils/banks/SouthAfrica'), 200);
      expectGood(await anonymous('GET', '/utils/countries'), 200);
    },
  );

  says(
    'A missing or empty apiKey or apiSecret, or an unrecognised key, is rejected.',
    async ({ anonymous, credentials }) => {
      const { apiKey, apiSecret } = credentials;
      for (const body of [{}, { apiKey }, { apiSecret }, { apiKey: '', apiSecret }, { apiKey, apiSecret: '' }]) {
        expectRefused(await anonymous('POST', '/token', body));
      }
      expectRefused(await anonymous('POST', '/token', { apiKey: 'unknown', apiSecret }));
    },
  );

  says(
    'A secret that does not match the key is rejected with message `API secret and key invalid`. Error bodies have the form { message: string }.',
    async ({ anonymous, credentials }) => {
      const answer = await anonymous('POST', '/token', { apiKey: credentials.apiKey, apiSecret: 'wrong' });
      expectRefused(answer);
      expect(answer.body).toEqual({ message: 'API secret and key invalid' });
    },
  );
});
