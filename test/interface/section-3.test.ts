/** Interface 3: states and transitions. */
import { expect } from 'vitest';
import { type Body, eventually, everyItem, expectGood, form, momo, pdf, section, tokenIn } from './subject.ts';

const idOf = (body: Body, phoneNumber: string): string =>
  body.momoAccounts.find((account: Body) => account.phoneNumber === phoneNumber).id;

section('3. User status', ({ says }) => {
  says('Query filter values: active (default), inactive.', async ({ user, tenant }) => {
    const [kept, gone] = [await user(), await user()];
    await tenant('DELETE', `/users/${gone.userId}`);
    const idsOf = async (query: string) => (await everyItem(tenant, `/users${query}`)).map((item) => item.userId);
    for (const query of ['', '?status=active']) {
      const ids = await idsOf(query);
      expect([ids.includes(kept.userId), ids.includes(gone.userId)]).toEqual([true, false]);
    }
    const inactive = await idsOf('?status=inactive');
    expect([inactive.includes(kept.userId), inactive.includes(gone.userId)]).toEqual([false, true]);
  });

  says(
    'Active, DELETE /users/{userId} by tenant token, caller is not that user: Inactive; the user disappears from the default list; every user endpoint then returns 404 for it.',
    async ({ user, tenant }) => {
      const { userId } = await user();
      expectGood(await tenant('DELETE', `/users/${userId}`), 200);
      expect((await everyItem(tenant, '/users')).map((item) => item.userId)).not.toContain(userId);
      const document = form({ documentType: 'other', file: pdf() });
      for (const answer of [
        await tenant('GET', `/users/${userId}`),
        await tenant('PATCH', `/users/${userId}`, { lastName: 'B' }),
        await tenant('DELETE', `/users/${userId}`),
        await tenant('POST', `/users/${userId}/kyc-documents`, document),
        await tenant('POST', '/tokens/user', { userId }),
      ]) {
        expect(answer.status).toBe(404);
      }
    },
  );

  says(
    'The account in the identity provider is disabled: the user’s token opens nothing any more.',
    async ({ user, tenant }) => {
      const { userId, call } = await user();
      await tenant('DELETE', `/users/${userId}`);
      for (const path of ['/profile', `/users/${userId}`]) {
        expect([401, 403, 404]).toContain((await call('GET', path)).status);
      }
    },
  );
});

section('3. Default momo account', ({ says }) => {
  says(
    'no accounts, POST /profile/momo: one account, which becomes default; defaultMomoAccountId set to its id.',
    async ({ user }) => {
      const { call } = await user();
      const { body } = await call('POST', '/profile/momo', momo());
      expect(body.momoAccounts).toHaveLength(1);
      expect(body.defaultMomoAccountId).toBe(body.momoAccounts[0].id);
    },
  );

  says('accounts exist, POST /profile/momo: account added; default unchanged.', async ({ user }) => {
    const { call } = await user();
    const before = (await call('POST', '/profile/momo', momo())).body;
    const after = (await call('POST', '/profile/momo', momo())).body;
    expect(after.momoAccounts).toHaveLength(2);
    expect(after.defaultMomoAccountId).toBe(before.defaultMomoAccountId);
  });

  says('number already present: no account is added.', async ({ user }) => {
    const { call } = await user();
    const account = momo();
    const before = (await call('POST', '/profile/momo', account)).body;
    expect((await call('POST', '/profile/momo', account)).status).toBe(409);
    expect((await call('GET', '/profile')).body.momoAccounts).toEqual(before.momoAccounts);
  });

  says(
    'account A is default, PATCH /profile/momo/:id for B with isDefault true: B is default; previous default is replaced.',
    async ({ user }) => {
      const { call } = await user();
      const other = momo();
      await call('POST', '/profile/momo', momo());
      const { body } = await call('POST', '/profile/momo', other);
      const b = idOf(body, other.phoneNumber);
      const after = await call('PATCH', `/profile/momo/${b}`, { isDefault: true });
      expectGood(after, 200);
      expect(after.body.defaultMomoAccountId).toBe(b);
      expect(after.body.momoAccounts).toHaveLength(2);
    },
  );

  says(
    'account A is default, PATCH /profile/momo/:id for A with isDefault false: unchanged, 400.',
    async ({ user }) => {
      const { call } = await user();
      const { body } = await call('POST', '/profile/momo', momo());
      const answer = await call('PATCH', `/profile/momo/${body.defaultMomoAccountId}`, { isDefault: false });
      expect(answer.status).toBe(400);
      expect((await call('GET', '/profile')).body.defaultMomoAccountId).toBe(body.defaultMomoAccountId);
    },
  );

  says(
    'account is default, DELETE /profile/momo/:id: no default; defaultMomoAccountId becomes null.',
    async ({ user }) => {
      const { call } = await user();
      const { defaultMomoAccountId } = (await call('POST', '/profile/momo', momo())).body;
      await call('POST', '/profile/momo', momo());
      const { status, body } = await call('DELETE', `/profile/momo/${defaultMomoAccountId}`);
      expect([status, body.defaultMomoAccountId, body.momoAccounts.length]).toEqual([200, null, 1]);
    },
  );

  says('if it was the only account, momo collection is disabled.', async ({ user, merchant }) => {
    const { call } = await user();
    const { id: merchantId } = await merchant();
    const { defaultMomoAccountId } = (await call('POST', '/profile/momo', momo())).body;
    const pay = () => call('POST', '/payments', { merchantId, amount: 100, reference: 'Pay', fromCountry: 'Kenya' });
    expectGood(await pay());
    await call('DELETE', `/profile/momo/${defaultMomoAccountId}`);
    // Which status it is refused with is not shown.
    expect((await pay()).status).toBeGreaterThanOrEqual(400);
  });
});

section('3. Payment status', ({ saysWith }) => {
  saysWith('settle')(
    'Values seen: success, expired. Transitions: not shown; an end is not left again.',
    async ({ payment, payer }) => {
      const { id } = await payment();
      const read = () => payer('GET', `/payments/${id}`);
      const end = await eventually(read, ({ body }) => ['success', 'expired'].includes(body.status));
      expect(['success', 'expired']).toContain(end.body.status);
      expect((await read()).body.status).toBe(end.body.status);
    },
  );

  saysWith('clock')('expired: the money did not come.', async ({ another }) => {
    const { payment, moveClock, anonymous, credentials, with: withToken } = await another();
    // The embedded service reads in the reference that there shall be no deposit.
    const { id } = await payment({ fromCountry: 'Europe', reference: 'NODEPOSIT' });
    moveClock(25 * 60 * 60 * 1000);
    const token = tokenIn((await anonymous('POST', '/token', credentials)).body);
    expect((await withToken(token)('GET', `/payments/${id}`)).body.status).toBe('expired');
  });
});
