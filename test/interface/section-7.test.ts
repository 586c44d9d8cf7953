/** Interface 7: errors. */
import { expect } from 'vitest';
import { type Answer, expectRefused, momo, section } from './subject.ts';

const nobody = '6f1f3c1e-0d5b-4c0a-9a52-6a3f0a3c9d11';

function expectMessage({ body }: Answer): void {
  expect(body).toEqual({ message: expect.any(String) });
}

section('7. Errors', ({ says, saysWith }) => {
  says('POST /tokens/user: 400 / 401 / 403 / 404, see 4.2.', async ({ tenant, someone, anonymous }) => {
    expect((await tenant('POST', '/tokens/user', {})).status).toBe(400);
    expect((await anonymous('POST', '/tokens/user', { userId: nobody })).status).toBe(401);
    expect((await someone.call('POST', '/tokens/user', { userId: nobody })).status).toBe(403);
    expect((await tenant('POST', '/tokens/user', { userId: nobody })).status).toBe(404);
  });

  saysWith('fault')('DELETE /users/{userId}: 400 / 401 / 403 / 404 / 500, see 4.7.', async ({ another }) => {
    // The third call that gets past its token.
    const { tenant, someone, user, anonymous } = await another({
      faults: [{ route: 'DELETE /users/:userId', nth: 3, action: { kind: 'identity' } }],
    });
    const { userId } = await user();
    expect((await someone.call('DELETE', `/users/${someone.userId}`)).status).toBe(400);
    expect((await anonymous('DELETE', `/users/${userId}`)).status).toBe(401);
    expect((await someone.call('DELETE', `/users/${userId}`)).status).toBe(403);
    expect((await tenant('DELETE', `/users/${nobody}`)).status).toBe(404);
    expect((await tenant('DELETE', `/users/${userId}`)).status).toBe(500);
    expect((await tenant('DELETE', `/users/${userId}`)).status).toBe(200);
  });

  saysWith('second tenant')(
    'GET, PATCH /users/{userId}: 404, user of another tenant, or disabled.',
    async ({ user, tenant, otherTenant }) => {
      const { userId } = await user();
      for (const call of [otherTenant, tenant]) {
        if (call === tenant) await tenant('DELETE', `/users/${userId}`);
        expect((await call('GET', `/users/${userId}`)).status).toBe(404);
        expect((await call('PATCH', `/users/${userId}`, { lastName: 'B' })).status).toBe(404);
      }
    },
  );

  says('PATCH /users/{userId}: 400, unknown field in body.', async ({ someone, tenant }) => {
    expect((await tenant('PATCH', `/users/${someone.userId}`, { unheardOf: 1 })).status).toBe(400);
  });

  says('POST /profile/momo: 409, number already on the profile.', async ({ user }) => {
    const { call } = await user();
    const account = momo();
    await call('POST', '/profile/momo', account);
    expect((await call('POST', '/profile/momo', account)).status).toBe(409);
  });

  says('PATCH /profile/momo/:id: 400, isDefault false on the current default.', async ({ user }) => {
    const { call } = await user();
    const { body } = await call('POST', '/profile/momo', momo());
    expect((await call('PATCH', `/profile/momo/${body.defaultMomoAccountId}`, { isDefault: false })).status).toBe(400);
  });

  says('POST /merchants: 400, unrecognised bankName.', async ({ payer, nigerian }) => {
    expect((await payer('POST', '/merchants', { ...nigerian, bankName: 'Nowhere Bank' })).status).toBe(400);
  });

  says(
    'Authentication error body is { message: string }.',
    async ({ anonymous, with: withToken, someone, credentials }) => {
      expectMessage(await anonymous('GET', '/users'));
      expectMessage(await withToken('x.y.z')('GET', '/users'));
      expectMessage(await someone.call('GET', '/users'));
      expectMessage(await anonymous('POST', '/token', { ...credentials, apiSecret: 'wrong' }));
    },
  );

  says(
    'Error statuses for payment operations: not shown; a payment that cannot be is refused, and not made.',
    async ({ payer }) => {
      expectRefused(await payer('POST', '/payments', { merchantId: nobody, amount: 1, reference: 'x' }));
      expectRefused(await payer('GET', `/payments/${nobody}`));
    },
  );
});
