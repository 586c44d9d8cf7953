/** Interface 1: what the service does. */
import { expect } from 'vitest';
import { everyItem, expectGood, form, momo, newEmail, paymentIdIn, pdf, section, tokenIn } from './subject.ts';

section('1. What the service does', ({ says, saysWith }) => {
  saysWith('second tenant')(
    'The service is multi-tenant.',
    async ({ tenant, otherTenant, someone, merchant, payment }) => {
      const [{ id: merchantId }, { id: paymentId }] = [await merchant(), await payment()];
      const lists = await Promise.all(
        ['/users', '/merchants', '/payments'].map((path) => everyItem(otherTenant, path)),
      );
      const seen = lists.flat().flatMap(({ id, userId }) => [id, userId]);
      for (const id of [someone.userId, merchantId, paymentId]) expect(seen).not.toContain(id);
      // The same person may be a user of both: two users.
      const again = await otherTenant('POST', '/users', { email: someone.email, name: 'A Person' });
      expect(again.status).toBe(201);
      expect(again.body.userId).not.toBe(someone.userId);
      expectGood(await tenant('GET', `/users/${someone.userId}`), 200);
    },
  );

  says(
    'A tenant partner exchanges a permanent API key and secret for a short-lived JWT bearer token, then sends that token on every protected call.',
    async ({ anonymous, credentials, with: withToken }) => {
      const answer = await anonymous('POST', '/token', credentials);
      expectGood(answer);
      const token = tokenIn(answer.body);
      const [head, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
      expect(JSON.parse(head!)).toHaveProperty('alg');
      expect(JSON.parse(claims!)).toBeTypeOf('object');
      expect((await anonymous('GET', '/merchants')).status).toBe(401);
      expectGood(await withToken(token)('GET', '/merchants'), 200);
    },
  );

  says(
    'Users: a tenant creates and manages users, uploads KYC/KYB documents for them, disables them, and issues per-user scoped tokens.',
    async ({ tenant }) => {
      const { body } = await tenant('POST', '/users', { email: newEmail(), name: 'A' });
      expectGood(await tenant('PATCH', `/users/${body.userId}`, { lastName: 'B' }), 200);
      const document = form({ documentType: 'passport', file: pdf() });
      expectGood(await tenant('POST', `/users/${body.userId}/kyc-documents`, document));
      tokenIn((await tenant('POST', '/tokens/user', { userId: body.userId })).body);
      expectGood(await tenant('DELETE', `/users/${body.userId}`), 200);
    },
  );

  says('A user holding a user token manages their own data through the profile endpoints.', async ({ user }) => {
    const { call, email } = await user();
    expect((await call('GET', '/profile')).body.email).toBe(email);
    expect((await call('PATCH', '/profile', { name: 'Changed' })).body.name).toBe('Changed');
  });

  says(
    'Profile: account-level settings, including the mobile-money accounts (momo accounts) used to collect KES-funded payments. One of them is the default.',
    async ({ user }) => {
      const { call } = await user();
      await call('POST', '/profile/momo', momo());
      const { body } = await call('POST', '/profile/momo', momo());
      expect(body.momoAccounts).toHaveLength(2);
      expect(body.momoAccounts.filter(({ id }: { id: string }) => id === body.defaultMomoAccountId)).toHaveLength(1);
    },
  );

  says(
    'Merchants: a merchant is a saved payout destination. It is created once and referenced by its id from payments.',
    async ({ merchant, payment }) => {
      const { id } = await merchant();
      const [first, second] = [await payment({ merchantId: id }), await payment({ merchantId: id })];
      expect([first.read.merchantId, second.read.merchantId]).toEqual([id, id]);
      expect(first.id).not.toBe(second.id);
    },
  );

  says(
    'Creation is asynchronous. The payment id is returned immediately, and the status is obtained by polling or by webhook.',
    async ({ merchant, payer }) => {
      const { id: merchantId } = await merchant();
      const answer = await payer('POST', '/payments', { merchantId, amount: 1, reference: 'Pay' });
      paymentIdIn(answer.body);
      expect(answer.body.status).not.toBe('success');
    },
  );

  says('The funding source is selected with fromCountry.', async ({ payment }) => {
    const { read } = await payment({ fromCountry: 'Europe' });
    expect(read.fromCountry).toBe('Europe');
  });

  says('Payments can have supporting documents attached and listed.', async ({ payment, payer }) => {
    const { id } = await payment();
    expectGood(await payer('POST', `/payments/${id}/document`, form({ file: pdf() })));
  });

  says(
    'Reference data (banks by country, supported countries) is public and needs no authentication.',
    async ({ anonymous }) => {
      expectGood(await anonymous('GET', '/utils/countries'), 200);
      expectGood(await anonymous('GET', '/utils/banks/Kenya'), 200);
    },
  );
});
