/** Interface 4: endpoints. */
import { expect } from 'vitest';
import {
  type Body,
  documentsOf,
  eventually,
  everyItem,
  expectGood,
  expectRefused,
  form,
  isTimestamp,
  isUuid,
  momo,
  newEmail,
  paymentIdIn,
  pdf,
  section,
  tokenIn,
  valuesIn,
} from './subject.ts';

const nobody = '6f1f3c1e-0d5b-4c0a-9a52-6a3f0a3c9d11';
const claimsOf = (token: string): Body => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

section('4. Endpoints', ({ says }) => {
  says(
    'All endpoints except POST /token and the /utils endpoints need Authorization: Bearer <ACCESS_TOKEN>.',
    async ({ anonymous, with: withToken, nigerian }) => {
      for (const [method, path, body] of [
        ['POST', '/tokens/user', { userId: nobody }],
        ['POST', '/users', { email: newEmail(), name: 'A' }],
        ['GET', '/users'],
        ['GET', `/users/${nobody}`],
        ['PATCH', `/users/${nobody}`, {}],
        ['DELETE', `/users/${nobody}`],
        ['POST', `/users/${nobody}/kyc-documents`, form({ documentType: 'other', file: pdf() })],
        ['GET', '/profile'],
        ['PATCH', '/profile', {}],
        ['POST', '/profile/momo', momo()],
        ['PATCH', `/profile/momo/${nobody}`, {}],
        ['DELETE', `/profile/momo/${nobody}`],
        ['POST', '/merchants', nigerian],
        ['GET', '/merchants'],
        ['GET', `/merchants/${nobody}`],
        ['PATCH', `/merchants/${nobody}`, {}],
        ['POST', '/payments', { merchantId: nobody, amount: 1, reference: 'x' }],
        ['GET', '/payments'],
        ['GET', `/payments/${nobody}`],
        ['POST', `/payments/${nobody}/document`, form({ file: pdf() })],
      ] as const) {
        const statuses = [await anonymous(method, path, body), await withToken('no.real.token')(method, path, body)];
        expect([method, path, ...statuses.map(({ status }) => status)]).toEqual([method, path, 401, 401]);
      }
    },
  );
});

section('4. Bodies and paths', ({ says }) => {
  says(
    'Bodies and responses are JSON unless stated otherwise.',
    async ({ url, tenant, tenantToken, anonymous, user }) => {
      const { userId } = await user();
      const good = await tenant('PATCH', `/users/${userId}`, { sector: 'Retail' });
      for (const { headers } of [good, await anonymous('GET', '/utils/countries'), await anonymous('GET', '/users')])
        expect(headers.get('content-type')).toMatch(/^application\/json\b/);
      const headers = { authorization: `Bearer ${tenantToken}`, 'content-type': 'application/x-www-form-urlencoded' };
      const form = await fetch(`${url}/users/${userId}`, { method: 'PATCH', headers, body: 'sector=Health' });
      expect(form.status).toBeGreaterThanOrEqual(400);
      expect((await tenant('GET', `/users/${userId}`)).body.sector).toBe('Retail');
    },
  );

  says('Paths are relative to {base_url}.', async ({ url }) => {
    expect((await fetch(`${url}/utils/countries`)).status).toBe(200);
    const { pathname, origin } = new URL(url);
    // Without its path the address is another one.
    if (pathname !== '/') expect((await fetch(`${origin}/utils/countries`)).status).not.toBe(200);
  });
});

section('4.1 POST /token', ({ says }) => {
  says(
    'Auth: none. Request body: apiKey, apiSecret. Response: the token and expiry (integer, Unix time in milliseconds).',
    async ({ anonymous, credentials }) => {
      const before = Date.now();
      const answer = await anonymous('POST', '/token', credentials);
      expectGood(answer);
      tokenIn(answer.body);
      const times = valuesIn(answer.body).filter((value) => typeof value === 'number' && value > before);
      expect(times).toHaveLength(1);
      expect(Number.isInteger(times[0])).toBe(true);
    },
  );
});

section('4.2 POST /tokens/user', ({ says }) => {
  says(
    'Response: a user-scoped JWT valid 24 hours, tied to that one user (can read and write only that user’s data).',
    async ({ user }) => {
      const [one, other] = [await user(), await user()];
      expect(claimsOf(one.token).userId).toBe(one.userId);
      expectGood(await one.call('GET', `/users/${one.userId}`), 200);
      expectGood(await one.call('PATCH', `/users/${one.userId}`, { sector: 'Retail' }), 200);
      expectRefused(await one.call('GET', `/users/${other.userId}`));
      expectRefused(await one.call('PATCH', `/users/${other.userId}`, { sector: 'Retail' }));
    },
  );

  says('400 userId missing.', async ({ tenant }) => {
    expect((await tenant('POST', '/tokens/user', {})).status).toBe(400);
  });
  says('401 invalid token.', async ({ with: withToken, someone }) => {
    expect((await withToken('x.y.z')('POST', '/tokens/user', { userId: someone.userId })).status).toBe(401);
  });
  says('403 no tenant, or caller used a user token.', async ({ someone }) => {
    expect((await someone.call('POST', '/tokens/user', { userId: someone.userId })).status).toBe(403);
  });
  says('404 user not found, or inactive.', async ({ tenant, user }) => {
    expect((await tenant('POST', '/tokens/user', { userId: nobody })).status).toBe(404);
    const { userId } = await user();
    await tenant('DELETE', `/users/${userId}`);
    expect((await tenant('POST', '/tokens/user', { userId })).status).toBe(404);
  });
});

section('4.3 to 4.8 Users', ({ says, saysWith }) => {
  says(
    'POST /users: Creates a user under the caller’s tenant. Response shape: same fields as a list item of GET /users.',
    async ({ tenant }) => {
      const email = newEmail();
      const { status, body } = await tenant('POST', '/users', { email, name: 'Ada' });
      expect(status).toBe(201);
      const items = await everyItem(tenant, '/users');
      expect(items.find((item) => item.email === email)).toEqual(body);
    },
  );

  says(
    'Idempotent: if the email is already registered, returns the existing record with 200; otherwise 201.',
    async ({ tenant }) => {
      const email = newEmail();
      const first = await tenant('POST', '/users', { email, name: 'Ada' });
      const second = await tenant('POST', '/users', { email, name: 'Ada' });
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.body).toEqual(first.body);
    },
  );

  says(
    'GET /users: limit (integer 1 to 100), offset (string cursor from the previous response). Response: { items, offsetMarker }. offsetMarker is null on the last page; pass it as offset for the next page.',
    async ({ tenant, user }) => {
      const made = [await user(), await user(), await user()].map(({ userId }) => userId);
      const { body } = await tenant('GET', '/users?limit=1');
      expect(body.items).toHaveLength(1);
      expect(body.offsetMarker).toBeTypeOf('string');
      const ids = (await everyItem(tenant, '/users?limit=2')).map((item) => item.userId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(made));
    },
  );

  says('Disabled users are excluded by default.', async ({ tenant, user }) => {
    const { userId } = await user();
    await tenant('DELETE', `/users/${userId}`);
    expect((await everyItem(tenant, '/users')).map((item) => item.userId)).not.toContain(userId);
  });

  says(
    'GET /users/{userId}: tenant token, or a user token whose userId claim equals the path userId.',
    async ({ tenant, user }) => {
      const [one, other] = [await user(), await user()];
      const byTenant = await tenant('GET', `/users/${one.userId}`);
      expect((await one.call('GET', `/users/${one.userId}`)).body).toEqual(byTenant.body);
      expectRefused(await other.call('GET', `/users/${one.userId}`));
    },
  );

  saysWith('second tenant')(
    'Users of another tenant and disabled users give 404.',
    async ({ otherTenant, tenant, user }) => {
      const { userId } = await user();
      expect((await otherTenant('GET', `/users/${userId}`)).status).toBe(404);
      expect((await otherTenant('PATCH', `/users/${userId}`, { lastName: 'X' })).status).toBe(404);
      expect((await otherTenant('DELETE', `/users/${userId}`)).status).toBe(404);
      expect((await otherTenant('POST', '/tokens/user', { userId })).status).toBe(404);
      expectGood(await tenant('GET', `/users/${userId}`), 200);
    },
  );

  says(
    'PATCH /users/{userId}: any subset of the profile fields. Only included fields change.',
    async ({ user, tenant }) => {
      const { userId, call } = await user();
      await tenant('PATCH', `/users/${userId}`, { firstName: 'Ada', sector: 'Retail', addressCity: 'Lagos' });
      const { body } = await call('PATCH', `/users/${userId}`, { lastName: 'Obi', addressCountry: 'NGA' });
      expect(body).toMatchObject({
        firstName: 'Ada',
        lastName: 'Obi',
        sector: 'Retail',
        address: { city: 'Lagos', country: 'NGA' },
      });
    },
  );

  says('Rules: unknown fields give 400.', async ({ user, tenant }) => {
    const { userId } = await user();
    expect((await tenant('PATCH', `/users/${userId}`, { lastName: 'B', favouriteColour: 'red' })).status).toBe(400);
    expect((await tenant('GET', `/users/${userId}`)).body.lastName ?? null).toBeNull();
  });

  says('Response: the full updated user, same shape as Get User.', async ({ user, tenant }) => {
    const { userId } = await user();
    const { body } = await tenant('PATCH', `/users/${userId}`, { lastName: 'Obi' });
    expect((await tenant('GET', `/users/${userId}`)).body).toEqual(body);
  });

  says(
    'DELETE /users/{userId}: tenant token only. A user cannot disable their own account. 400 own account; 403 a user token.',
    async ({ user, tenant }) => {
      const [one, other] = [await user(), await user()];
      expect([400, 403]).toContain((await one.call('DELETE', `/users/${one.userId}`)).status);
      expect((await other.call('DELETE', `/users/${one.userId}`)).status).toBe(403);
      expectGood(await tenant('GET', `/users/${one.userId}`), 200);
    },
  );

  says('DELETE /users/{userId}: 404 not found.', async ({ tenant }) => {
    expect((await tenant('DELETE', `/users/${nobody}`)).status).toBe(404);
  });

  saysWith('fault')('DELETE /users/{userId}: 500 identity-provider error (safe to retry).', async ({ another }) => {
    const failing = await another({
      faults: [{ route: 'DELETE /users/:userId', nth: 1, action: { kind: 'identity' } }],
    });
    const { userId } = await failing.user();
    expect((await failing.tenant('DELETE', `/users/${userId}`)).status).toBe(500);
    expectGood(await failing.tenant('DELETE', `/users/${userId}`), 200);
  });

  says(
    'POST /users/{userId}/kyc-documents: file (binary; PDF, PNG, JPEG or JPG; at most 10 MB), documentType (string; case-insensitive).',
    async ({ someone, tenant }) => {
      const path = `/users/${someone.userId}/kyc-documents`;
      const png = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])], {
        type: 'image/png',
      });
      const jpeg = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0])], { type: 'image/jpeg' });
      for (const [call, file] of [
        [tenant, pdf()],
        [someone.call, png],
        [tenant, jpeg],
      ] as const) {
        expectGood(await call('POST', path, form({ documentType: 'Passport', file })));
      }
      expectRefused(await tenant('POST', path, form({ documentType: 'passport' })));
      expectRefused(await tenant('POST', path, form({ file: pdf() })));
      expectRefused(await tenant('POST', path, form({ documentType: 'library_card', file: pdf() })));
      expectRefused(await tenant('POST', path, form({ documentType: 'passport', file: new Blob(['MZ program']) })));
    },
  );

  says('kyc-documents: a user token whose userId matches the path.', async ({ user, someone }) => {
    const { userId } = await user();
    const body = form({ documentType: 'other', file: pdf() });
    expectRefused(await someone.call('POST', `/users/${userId}/kyc-documents`, body));
  });
});

section('4.9 to 4.13 Profile', ({ says }) => {
  says('GET /profile: user token (acts on the token holder).', async ({ user, tenant }) => {
    const { call, email } = await user();
    expect((await call('GET', '/profile')).body.email).toBe(email);
    expectRefused(await tenant('GET', '/profile'));
  });

  says(
    'PATCH /profile: any subset of name, companyName, sector, firstName, phoneNumber, address. Response: the full updated profile.',
    async ({ user }) => {
      const { call } = await user();
      await call('PATCH', '/profile', { companyName: 'Acme', sector: 'Retail' });
      const { status, body } = await call('PATCH', '/profile', { sector: 'Health' });
      expect([status, body.companyName, body.sector]).toEqual([200, 'Acme', 'Health']);
      expect((await call('GET', '/profile')).body).toEqual(body);
    },
  );

  says(
    'POST /profile/momo: phoneNumber, mobileNetwork, countryCode (required), label (optional). Response: the full profile, status 201.',
    async ({ user }) => {
      const { call } = await user();
      const { status, body } = await call('POST', '/profile/momo', { ...momo(), label: 'Mine' });
      expect(status).toBe(201);
      expect((await call('GET', '/profile')).body).toEqual(body);
      for (const field of ['phoneNumber', 'mobileNetwork', 'countryCode'] as const) {
        const { [field]: _, ...without } = momo();
        expectRefused(await call('POST', '/profile/momo', without));
      }
    },
  );

  says('The first account added becomes the default. A number already on the profile gives 409.', async ({ user }) => {
    const { call } = await user();
    const account = momo();
    const { body } = await call('POST', '/profile/momo', account);
    expect(body.defaultMomoAccountId).toBe(body.momoAccounts[0].id);
    expect((await call('POST', '/profile/momo', account)).status).toBe(409);
  });

  says(
    'PATCH /profile/momo/:id: account fields to change and/or isDefault. Response: the full updated profile.',
    async ({ user }) => {
      const { call } = await user();
      const { defaultMomoAccountId: id } = (await call('POST', '/profile/momo', momo())).body;
      const { phoneNumber } = momo();
      const { status, body } = await call('PATCH', `/profile/momo/${id}`, { label: 'New', phoneNumber });
      expect([status, body.momoAccounts[0]]).toMatchObject([200, { id, label: 'New', phoneNumber }]);
      expect(body.defaultMomoAccountId).toBe(id);
    },
  );

  says(
    '{isDefault: true} promotes the account. {isDefault: false} on the current default gives 400.',
    async ({ user }) => {
      const { call } = await user();
      await call('POST', '/profile/momo', momo());
      const { body } = await call('POST', '/profile/momo', momo());
      const second = body.momoAccounts.find((account: Body) => account.id !== body.defaultMomoAccountId).id;
      expect((await call('PATCH', `/profile/momo/${second}`, { isDefault: true })).body.defaultMomoAccountId).toBe(
        second,
      );
      expect((await call('PATCH', `/profile/momo/${second}`, { isDefault: false })).status).toBe(400);
    },
  );

  says('DELETE /profile/momo/:id: removes the account. Response: the full updated profile.', async ({ user }) => {
    const { call } = await user();
    await call('POST', '/profile/momo', momo());
    const before = (await call('POST', '/profile/momo', momo())).body;
    const other = before.momoAccounts.find((account: Body) => account.id !== before.defaultMomoAccountId).id;
    const { status, body } = await call('DELETE', `/profile/momo/${other}`);
    expect([status, body.momoAccounts.length]).toEqual([200, 1]);
    expect(body.defaultMomoAccountId).toBe(before.defaultMomoAccountId);
    expect((await call('GET', '/profile')).body).toEqual(body);
  });
});

section('4.14 and 4.15 Reference data', ({ says }) => {
  says(
    'GET /utils/banks/:country: SouthAfrica, Nigeria or Kenya (case-insensitive). Default response: array of bank-name strings.',
    async ({ anonymous }) => {
      for (const country of ['SouthAfrica', 'Nigeria', 'Kenya']) {
        const { status, body } = await anonymous('GET', `/utils/banks/${country}`);
        expect(status).toBe(200);
        for (const name of body) expect(name).toBeTypeOf('string');
        for (const spelt of [country.toLowerCase(), country.toUpperCase()]) {
          expect((await anonymous('GET', `/utils/banks/${spelt}`)).body).toEqual(body);
        }
      }
    },
  );

  says('with showDetails=true, array of bank objects.', async ({ anonymous }) => {
    const { body } = await anonymous('GET', '/utils/banks/Nigeria?showDetails=true');
    for (const bank of body) expect(bank.code).toBeDefined();
  });

  says('Query showIsoCodes=true returns ISO-style codes.', async ({ anonymous }) => {
    const { status, body } = await anonymous('GET', '/utils/countries?showIsoCodes=true');
    expect([status, Array.isArray(body)]).toEqual([200, true]);
    for (const code of body) expect(code).toMatch(/^[A-Z]{2,4}$/);
  });
});

section('4.16 to 4.19 Merchants', ({ says, saysWith }) => {
  says(
    'POST /merchants: bankName must be a valid name for the country, else 400.',
    async ({ payer, nigerian, southAfrican }) => {
      expect((await payer('POST', '/merchants', { ...nigerian, bankName: southAfrican.bankName })).status).toBe(400);
      expectRefused(await payer('POST', '/merchants', { ...southAfrican, bankName: undefined }));
    },
  );

  says('Account numbers are check-digit validated.', async ({ payer, nigerian }) => {
    expectGood(await payer('POST', '/merchants', nigerian));
    expectRefused(await payer('POST', '/merchants', { ...nigerian, accountNumber: '0000014578' }));
  });

  says(
    'GET /merchants: limit (integer, default 100, max 100), offset (string marker from the previous response). Response: { items, offsetMarker }; null marks the end.',
    async ({ payer, merchant }) => {
      const made = [await merchant(), await merchant(), await merchant()];
      const { body } = await payer('GET', '/merchants?limit=1');
      expect([body.items.length, typeof body.offsetMarker]).toEqual([1, 'string']);
      const items = await everyItem(payer, '/merchants?limit=2');
      expect(items).toEqual(expect.arrayContaining(made));
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    },
  );

  says(
    'GET /merchants/:id: the merchant, with id and, where applicable, bankCode.',
    async ({ payer, merchant, nigerian }) => {
      const made = await merchant();
      const { status, body } = await payer('GET', `/merchants/${made.id}`);
      expect([status, body]).toEqual([200, made]);
      expect(body).toMatchObject({ ...nigerian, id: isUuid, bankCode: expect.any(String) });
    },
  );

  says(
    'PATCH /merchants/:id: any subset of merchant fields. Response: the updated merchant.',
    async ({ payer, merchant }) => {
      const made = await merchant();
      const { status, body } = await payer('PATCH', `/merchants/${made.id}`, { name: 'Another name' });
      expect([status, body]).toEqual([200, { ...made, name: 'Another name' }]);
      const moved = await payer('PATCH', `/merchants/${made.id}`, { accountNumber: '0000000220' });
      expect(moved.body).toMatchObject({ name: 'Another name', accountNumber: '0000000220' });
      expect((await payer('GET', `/merchants/${made.id}`)).body).toEqual(moved.body);
    },
  );

  saysWith('second tenant')(
    'Merchants are the tenant’s: another one neither sees nor pays nor changes them.',
    async ({ otherTenant, merchant }) => {
      const { id } = await merchant();
      expectRefused(await otherTenant('GET', `/merchants/${id}`));
      expectRefused(await otherTenant('PATCH', `/merchants/${id}`, { name: 'Taken' }));
      expectRefused(await otherTenant('POST', '/payments', { merchantId: id, amount: 1, reference: 'x' }));
      expect((await everyItem(otherTenant, '/merchants')).map((item) => item.id)).not.toContain(id);
    },
  );
});

section('4.20 to 4.22 Payments', ({ says, saysWith }) => {
  says('POST /payments: merchantId, amount (whole number) and reference are required.', async ({ payer, merchant }) => {
    const { id: merchantId } = await merchant();
    const whole = { merchantId, amount: 100, reference: 'Pay 1' };
    expectGood(await payer('POST', '/payments', whole));
    for (const field of Object.keys(whole)) {
      const { [field as 'amount']: _, ...without } = whole;
      expectRefused(await payer('POST', '/payments', without));
    }
    expectRefused(await payer('POST', '/payments', { ...whole, merchantId: nobody }));
  });

  for (const fromCountry of ['Nigeria', 'Kenya', 'UK', 'Europe']) {
    says(
      `Fiat-to-fiat: set fromCountry to ${fromCountry}; the response then carries depositBankDetails.`,
      async ({ payment }) => {
        const meta = fromCountry === 'Kenya' ? { meta: JSON.stringify({ collectionMethod: 'BANK_TRANSFER' }) } : {};
        const { created, read } = await payment({ fromCountry, ...meta });
        expect(created.depositBankDetails ?? read.depositBankDetails).toBeTypeOf('object');
        expect(read.depositBankDetails).not.toBeNull();
      },
    );
  }

  says('For UK and Europe, the payment reference must be exactly as given.', async ({ payment }) => {
    for (const fromCountry of ['UK', 'Europe']) {
      const { read } = await payment({ fromCountry, reference: 'Exactly  This' });
      expect(read.reference).toBe('Exactly  This');
    }
  });

  says('USDT funding: fromCountry is USDT; a one-time deposit address is returned.', async ({ payment }) => {
    const addressesOf = ({ created, read }: { created: Body; read: Body }) =>
      [...valuesIn(created), ...valuesIn(read)].filter((value) => /^0x[0-9a-f]{40}$/i.test(String(value)));
    const [first, second] = [await payment({ fromCountry: 'USDT' }), await payment({ fromCountry: 'USDT' })];
    expect(new Set(addressesOf(first)).size).toBe(1);
    expect(addressesOf(second)[0]).not.toBe(addressesOf(first)[0]);
  });

  says(
    'Kenya funding: meta.collectionMethod selects MOMO (default; the default momo account receives the collection push) or BANK_TRANSFER.',
    async ({ user, merchant }) => {
      const { call } = await user();
      await call('POST', '/profile/momo', momo());
      const { id: merchantId } = await merchant();
      for (const meta of [undefined, '{"collectionMethod":"MOMO"}', '{"collectionMethod":"BANK_TRANSFER"}']) {
        const answer = await call('POST', '/payments', {
          merchantId,
          amount: 1,
          reference: 'x',
          fromCountry: 'KE',
          meta,
        });
        expectGood(answer);
      }
    },
  );

  saysWith('choice')('The default momo account receives the collection push.', async ({ user, merchant }) => {
    const { call } = await user();
    const { id: merchantId } = await merchant();
    const asked = async () => {
      const body = { merchantId, amount: 100, reference: 'x', fromCountry: 'Kenya' };
      return (await call('POST', '/payments', body)).body.statusLog;
    };
    await call('POST', '/profile/momo', momo('+254712000111'));
    const { body } = await call('POST', '/profile/momo', momo('+254712000222'));
    expect(await asked()).toContain('ends in 111');
    const second = body.momoAccounts.find((account: Body) => account.id !== body.defaultMomoAccountId).id;
    await call('PATCH', `/profile/momo/${second}`, { isDefault: true });
    expect(await asked()).toContain('ends in 222');
  });

  says('The immediate return of the payment id.', async ({ merchant, payer }) => {
    const { id: merchantId } = await merchant();
    const { body } = await payer('POST', '/payments', { merchantId, amount: 1, reference: 'x' });
    const id = paymentIdIn(body);
    const read = await eventually(
      () => payer('GET', `/payments/${id}`),
      ({ status }) => status === 200,
    );
    expect(read.body.id).toBe(id);
  });

  says(
    'GET /payments: { items: [payment], offsetMarker }. Pass offsetMarker as offset in the next request; null means no more results.',
    async ({ payment, payer }) => {
      const made = [await payment({ tag: 'first' }), await payment({ tag: 'second' })];
      const items = await eventually(
        () => everyItem(payer, '/payments'),
        (seen) => made.every(({ id }) => seen.some((item) => item.id === id)),
      );
      for (const { id, read } of made) {
        const item = items.find((one) => one.id === id);
        expect(item).toMatchObject({ id, merchantId: read.merchantId, amount: 100, tag: read.tag, date: isTimestamp });
      }
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    },
  );

  says(
    'GET /payments/{id}: the payment, same shape as list items, plus statusLog and other fields of 2.8.',
    async ({ payment, payer }) => {
      const { id, read } = await payment();
      const [item] = (await everyItem(payer, '/payments')).filter((one) => one.id === id);
      const { status: _, ...settled } = item;
      for (const field of Object.keys(settled)) expect(read[field]).toEqual(item[field]);
      expect(read.statusLog).toBeTypeOf('string');
    },
  );

  saysWith('second tenant')(
    'Payments are the tenant’s: another one does not see them.',
    async ({ otherTenant, payment }) => {
      const { id } = await payment();
      expectRefused(await otherTenant('GET', `/payments/${id}`));
      expectRefused(await otherTenant('POST', `/payments/${id}/document`, form({ file: pdf() })));
      expect(await everyItem(otherTenant, '/payments')).toEqual([]);
    },
  );
});

section('4.23 and 4.24 Payment documents', ({ says }) => {
  says(
    'POST /payments/{id}/document: one call per file; earlier uploads are never overwritten.',
    async ({ payment, payer }) => {
      const { id } = await payment();
      for (let count = 0; count < 3; count += 1)
        expectGood(await payer('POST', `/payments/${id}/document`, form({ file: pdf() })));
      const { items } = await documentsOf(payer, id);
      expect(new Set(items.map((item: Body) => item.documentId)).size).toBe(3);
    },
  );

  says('multipart/form-data with field `file` (binary).', async ({ payment, payer }) => {
    const { id } = await payment();
    for (const wrong of [{ file: 'text' }, form({ document: pdf() }), form({ file: 'text and no file' })])
      expectRefused(await payer('POST', `/payments/${id}/document`, wrong));
    expect((await documentsOf(payer, id)).items).toEqual([]);
  });

  says('Returns { items: [payment document], presignedUrlExpiresInSeconds: 900 }.', async ({ payment, payer }) => {
    const { id } = await payment();
    expect(await documentsOf(payer, id)).toMatchObject({ items: [], presignedUrlExpiresInSeconds: 900 });
  });
});
