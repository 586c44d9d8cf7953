/** Interface 2: resources and their fields. */
import { expect } from 'vitest';
import {
  type Body,
  type Call,
  documentsOf,
  eventually,
  everyItem,
  expectGood,
  expectRefused,
  form,
  isTimestamp,
  isUuid,
  kenyanPhone,
  momo,
  newEmail,
  pdf,
  type Subject,
  section,
  valuesIn,
} from './subject.ts';

const address = { line1: '1 Road', line2: null, city: 'Lagos', state: 'LA', postalCode: '100001', country: 'NGA' };
const director = { types: ['director'] };
const ubo = { types: ['ubo'] };
const business = { companyName: 'Acme Ltd', type: 'LIMITED', registrationNumber: 'RC1', phone: '+2348012345678' };

async function patched(call: Call, userId: string, body: object): Promise<Body> {
  const answer = await call('PATCH', `/users/${userId}`, body);
  expectGood(answer, 200);
  const got = await call('GET', `/users/${userId}`);
  expectGood(got, 200);
  return got.body;
}

section('2. Resources and their fields', ({ says }) => {
  says(
    'Timestamps are ISO 8601 strings in UTC with milliseconds. Identifiers of records are UUID strings.',
    async ({ tenant, merchant, payment, user }) => {
      const made = (await tenant('POST', '/users', { email: newEmail(), name: 'A' })).body;
      expect(made).toMatchObject({ id: isUuid, userId: isUuid, createdAt: isTimestamp, updatedAt: isTimestamp });
      expect(await merchant()).toMatchObject({ id: isUuid });
      const { read } = await payment();
      expect(read).toMatchObject({ id: isUuid, date: isTimestamp });
      const { body } = await (await user()).call('POST', '/profile/momo', momo());
      expect(body).toMatchObject({ createdAt: isTimestamp, updatedAt: isTimestamp, momoAccounts: [{ id: isUuid }] });
    },
  );

  says('Country codes in user and business data are ISO 3166-1 alpha-3.', async ({ user, tenant }) => {
    const { userId, call } = await user();
    const placed = (country: string) => ({ ...business, registeredAddress: { ...address, country } });
    const persons = (country: string) => [{ ...director, person: { nationality: [country] } }, ubo];
    const bodies = (country: string) => [
      { nationality: [country] },
      { birthCountry: country },
      { addressCountry: country },
      { entityType: 'business', business: placed(country), businessPersons: persons(country) },
    ];
    for (const body of bodies('ZAF')) expectGood(await tenant('PATCH', `/users/${userId}`, body), 200);
    for (const wrong of ['ZA', 'South Africa'])
      for (const body of bodies(wrong)) expectRefused(await tenant('PATCH', `/users/${userId}`, body));
    expectRefused(await call('PATCH', '/profile', { address: { ...address, country: 'ZA' } }));
  });
});

section('2.1 User', ({ says }) => {
  says('Create input: email (string, required), name (string, required).', async ({ tenant }) => {
    for (const body of [{}, { email: newEmail() }, { name: 'A' }]) expectRefused(await tenant('POST', '/users', body));
    expectGood(await tenant('POST', '/users', { email: newEmail(), name: 'A' }), 201);
  });

  says('email: Idempotency key for creation.', async ({ tenant }) => {
    const body = { email: newEmail(), name: 'A' };
    const first = await tenant('POST', '/users', body);
    const second = await tenant('POST', '/users', body);
    expect(second.body.userId).toBe(first.body.userId);
  });

  says('Profile fields (patchable and returned by Get User).', async ({ user, tenant }) => {
    const { userId } = await user();
    const fields = {
      entityType: 'individual',
      firstName: 'Ada',
      middleName: 'B',
      lastName: 'Obi',
      dob: '1990-02-28',
      phoneNumber: '+2348012345678',
      nationality: ['NGA', 'GBR'],
      birthCountry: 'NGA',
      idDocumentType: 'passport',
      idDocumentNumber: 'A0000000',
      lnUrl: 'ada@example.com',
      sector: 'Retail',
    };
    expect(await patched(tenant, userId, fields)).toMatchObject(fields);
  });

  says('entityType: individual or business.', async ({ user, tenant }) => {
    const { userId } = await user();
    expect(await patched(tenant, userId, { entityType: 'individual' })).toMatchObject({ entityType: 'individual' });
    for (const entityType of ['person', 'BUSINESS', ''])
      expectRefused(await tenant('PATCH', `/users/${userId}`, { entityType }));
  });

  says('dob, of a user and of a person, and registrationDate of a business: YYYY-MM-DD.', async ({ user, tenant }) => {
    const { userId } = await user();
    const bodies = (date: string) => [
      { dob: date },
      { businessPersons: [{ ...director, person: { dob: date } }, ubo] },
      { business: { ...business, registrationDate: date } },
    ];
    for (const body of bodies('2000-02-29')) expectGood(await tenant('PATCH', `/users/${userId}`, body), 200);
    for (const wrong of ['29/02/2000', '2001-02-29', '2000-2-9'])
      for (const body of bodies(wrong)) expectRefused(await tenant('PATCH', `/users/${userId}`, body));
  });

  says('middleName: string or null.', async ({ user, tenant }) => {
    const { userId } = await user();
    expect(await patched(tenant, userId, { middleName: 'B' })).toMatchObject({ middleName: 'B' });
    expect((await patched(tenant, userId, { middleName: null })).middleName ?? null).toBeNull();
  });

  says(
    'address: Returned nested. Set on PATCH through flat fields addressLine1, addressCity, addressPostalCode, addressCountry.',
    async ({ user, tenant }) => {
      const { userId } = await user();
      const flat = { addressLine1: '1 Road', addressCity: 'Leeds', addressPostalCode: 'LS1', addressCountry: 'GBR' };
      const { address: nested } = await patched(tenant, userId, flat);
      expect(nested).toMatchObject({ line1: '1 Road', city: 'Leeds', postalCode: 'LS1', country: 'GBR' });
    },
  );

  says('business: object or null; required when entityType is business.', async ({ user, tenant }) => {
    const { userId } = await user();
    const whole = { entityType: 'business', business, businessPersons: [director, ubo] };
    const { business: _, ...without } = whole;
    expect((await tenant('PATCH', `/users/${userId}`, without)).status).toBe(400);
    expect(await patched(tenant, userId, whole)).toMatchObject({ entityType: 'business', business });
  });

  says(
    'Returned by Get User: userId, email, all profile fields above (the response has address, business, businessPersons with empty array when none), createdAt, updatedAt.',
    async ({ user, tenant }) => {
      const { userId, email } = await user();
      const { body } = await tenant('GET', `/users/${userId}`);
      expect(body).toMatchObject({
        userId,
        email,
        businessPersons: [],
        createdAt: isTimestamp,
        updatedAt: isTimestamp,
      });
      for (const field of ['address', 'business']) expect(body).toHaveProperty(field);
    },
  );

  says(
    'List item (GET /users): id, userId, email, name, userRole, status (Active or Inactive), createdAt, updatedAt.',
    async ({ user, tenant }) => {
      const { userId, email } = await user();
      const items = await everyItem(tenant, '/users');
      expect(items.find((item) => item.userId === userId)).toMatchObject({
        id: isUuid,
        email,
        name: 'A Person',
        userRole: expect.any(String),
        status: 'Active',
        createdAt: isTimestamp,
        updatedAt: isTimestamp,
      });
    },
  );

  says(
    'Delete (disable) response: id, userId, email, name, status (Inactive), updatedAt.',
    async ({ user, tenant }) => {
      const { userId, email } = await user();
      const { body } = await tenant('DELETE', `/users/${userId}`);
      expect(body).toMatchObject({
        id: isUuid,
        userId,
        email,
        name: 'A Person',
        status: 'Inactive',
        updatedAt: isTimestamp,
      });
    },
  );
});

section('2.2 to 2.4 Address, business and its persons', ({ says }) => {
  says('Address: line2 (string or null, optional), state (string or null).', async ({ user }) => {
    const { call } = await user();
    for (const given of [address, { ...address, line2: 'Flat 2', state: null }])
      expect((await call('PATCH', '/profile', { address: given })).body.address).toMatchObject(given);
    for (const wrong of [{ line2: 2 }, { state: 5 }])
      expectRefused(await call('PATCH', '/profile', { address: { ...address, ...wrong } }));
  });

  says(
    'Address: line1, line2 (optional), city, state, postalCode, country; reused by registeredAddress, tradingAddress, each business person’s address, and the profile address.',
    async ({ user, tenant }) => {
      const { userId, call } = await user();
      const persons = [{ ...director, person: { address } }, ubo];
      const placed = { ...business, registeredAddress: address, tradingAddress: address };
      const whole = { entityType: 'business', business: placed, businessPersons: persons };
      expect(await patched(tenant, userId, whole)).toMatchObject(whole);
      const { line2: _, ...required } = address;
      const { body } = await call('PATCH', '/profile', { address: required });
      expect(body.address).toMatchObject(required);
    },
  );

  says(
    'Business: companyName, type, registrationNumber, phone are required; tradingName, registrationDate, website, registeredAddress, tradingAddress are not.',
    async ({ user, tenant }) => {
      const { userId } = await user();
      const more = { ...business, tradingName: 'A', registrationDate: '2020-01-31', website: 'https://acme.example' };
      for (const given of [business, more]) {
        const whole = { entityType: 'business', business: given, businessPersons: [director, ubo] };
        expect(await patched(tenant, userId, whole)).toMatchObject(whole);
      }
      for (const field of Object.keys(business)) {
        const { [field as 'phone']: _, ...without } = business;
        const body = { entityType: 'business', business: without, businessPersons: [director, ubo] };
        expectRefused(await tenant('PATCH', `/users/${userId}`, body));
      }
    },
  );

  says('type: LIMITED, PARTNERSHIP, SOLE_TRADER, CHARITY, TRUST, LLP, OTHER.', async ({ user, tenant }) => {
    const { userId } = await user();
    const bodyOf = (type: string) => ({
      entityType: 'business',
      business: { ...business, type },
      businessPersons: [director, ubo],
    });
    for (const type of ['LIMITED', 'PARTNERSHIP', 'SOLE_TRADER', 'CHARITY', 'TRUST', 'LLP', 'OTHER']) {
      expect((await patched(tenant, userId, bodyOf(type))).business.type).toBe(type);
    }
    expectRefused(await tenant('PATCH', `/users/${userId}`, bodyOf('CLUB')));
  });

  says(
    'Business person: types (each of: director, shareholder, ubo, secretary), ownership (equity percent 0 to 100), person.',
    async ({ user, tenant }) => {
      const { userId } = await user();
      const persons = [
        { types: ['director', 'shareholder', 'ubo', 'secretary'], ownership: 100 },
        { types: ['shareholder'], ownership: 0 },
        {
          types: ['secretary'],
          person: {
            firstName: 'Ada',
            middleName: 'B',
            lastName: 'Obi',
            dob: '1980-12-31',
            email: 'ada@example.com',
            phone: '+2348012345678',
            nationality: ['NGA'],
            birthCountry: 'NGA',
            idDocumentNumber: '1',
          },
        },
      ];
      expect((await patched(tenant, userId, { businessPersons: persons })).businessPersons).toMatchObject(persons);
      for (const wrong of [
        { types: ['owner'] },
        { types: ['ubo'], ownership: 101 },
        { types: ['ubo'], ownership: -1 },
        {},
      ]) {
        expectRefused(await tenant('PATCH', `/users/${userId}`, { businessPersons: [...persons, wrong] }));
      }
    },
  );

  says(
    'Rule: the array must contain at least one entry with type director and at least one with type ubo.',
    async ({ user, tenant }) => {
      const { userId } = await user();
      for (const businessPersons of [[], [director], [ubo], [{ types: ['shareholder'] }]]) {
        const body = { entityType: 'business', business, businessPersons };
        expect((await tenant('PATCH', `/users/${userId}`, body)).status).toBe(400);
      }
      for (const businessPersons of [[director, ubo], [{ types: ['ubo', 'director'] }]]) {
        const body = { entityType: 'business', business, businessPersons };
        expectGood(await tenant('PATCH', `/users/${userId}`, body), 200);
      }
    },
  );

  says('idDocumentType of a person: PASSPORT, NATIONAL_ID, DRIVERS_LICENCE, WORK_PERMIT.', async ({ user, tenant }) => {
    const { userId } = await user();
    for (const idDocumentType of ['PASSPORT', 'NATIONAL_ID', 'DRIVERS_LICENCE', 'WORK_PERMIT']) {
      const businessPersons = [{ ...director, person: { idDocumentType } }, ubo];
      expect(await patched(tenant, userId, { businessPersons })).toMatchObject({ businessPersons });
    }
    const businessPersons = [{ ...director, person: { idDocumentType: 'LIBRARY_CARD' } }, ubo];
    expectRefused(await tenant('PATCH', `/users/${userId}`, { businessPersons }));
  });
});

section('2.5 KYC document types', ({ says }) => {
  says(
    'passport, national_id, drivers_license, proof_of_address, selfie, cert_of_incorp, articles, board_resolution, ubo_register, other. The input is case-insensitive and is normalised to lowercase.',
    async ({ someone, tenant }) => {
      const types =
        'passport national_id drivers_license proof_of_address selfie cert_of_incorp articles board_resolution ubo_register other';
      for (const type of types.split(' ')) {
        for (const documentType of [type, type.toUpperCase()]) {
          const path = `/users/${someone.userId}/kyc-documents`;
          const answer = await tenant('POST', path, form({ documentType, file: pdf() }));
          expectGood(answer);
          // The shape of the answer is not shown; where it tells the type, it is in lower case.
          expect(valuesIn(answer.body)).not.toContain(type.toUpperCase());
        }
      }
    },
  );
});

section('2.6 Profile', ({ says, saysWith }) => {
  says(
    'id, email (read-only); name, companyName, sector, firstName, phoneNumber, address (editable); isVerified; defaultMomoAccountId, momoAccounts; createdAt, updatedAt.',
    async ({ user }) => {
      const { call, email } = await user();
      const { line2: _, ...place } = address;
      const fields = {
        name: 'A B',
        companyName: 'Acme',
        sector: 'Retail',
        firstName: 'Ada',
        phoneNumber: '+2348012345678',
        address: place,
      };
      const { status, body } = await call('PATCH', '/profile', fields);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        ...fields,
        id: expect.any(String),
        email,
        isVerified: false,
        defaultMomoAccountId: null,
        momoAccounts: [],
        createdAt: isTimestamp,
        updatedAt: isTimestamp,
      });
      expect((await call('GET', '/profile')).body).toEqual(body);
    },
  );

  says(
    'defaultMomoAccountId and momoAccounts: read-only in profile PATCH; defaultMomoAccountId is the only indicator of the default account (accounts have no isDefault flag).',
    async ({ user }) => {
      const { call } = await user();
      const before = (await call('POST', '/profile/momo', momo())).body;
      expect(before.momoAccounts[0]).not.toHaveProperty('isDefault');
      // Refused or ignored, nothing changes.
      for (const field of [{ defaultMomoAccountId: null }, { momoAccounts: [] }, { id: 'x' }, { email: newEmail() }]) {
        await call('PATCH', '/profile', field);
        const { updatedAt: _, ...after } = (await call('GET', '/profile')).body;
        expect(before).toMatchObject(after);
      }
    },
  );

  says(
    'Momo account object: id (UUID), label, phoneNumber (E.164), mobileNetwork (MOMO), countryCode (KE).',
    async ({ user }) => {
      const { call } = await user();
      const account = { ...momo(), label: 'Mine' };
      const { body } = await call('POST', '/profile/momo', account);
      expect(body.momoAccounts).toMatchObject([{ ...account, id: isUuid }]);
      for (const wrong of [{ mobileNetwork: 'OTHER' }, { countryCode: 'UG' }, { phoneNumber: '0712345678' }]) {
        expectRefused(await call('POST', '/profile/momo', { ...momo(), ...wrong }));
      }
    },
  );

  saysWith('verify')('firstName: Editable; KYC field, locked once verified.', async ({ user, verify }) => {
    const { call, userId } = await user();
    expect((await call('PATCH', '/profile', { firstName: 'Ada' })).body.firstName).toBe('Ada');
    await verify(userId);
    await call('PATCH', '/profile', { firstName: 'Bea' });
    expect((await call('GET', '/profile')).body).toMatchObject({ firstName: 'Ada', isVerified: true });
  });
});

/** Where a merchant may be, what it is made with there, and the currency that its payments are in. */
const destinations: readonly {
  readonly where: string;
  readonly currency: string;
  readonly fields: (subject: Subject) => object;
}[] = [
  { where: 'South Africa', currency: 'ZAR', fields: ({ southAfrican }) => southAfrican },
  { where: 'Nigeria', currency: 'NGN', fields: ({ nigerian }) => nigerian },
  {
    where: 'Kenya',
    currency: 'KES',
    fields: () => ({ name: 'Wanjiru', country: 'Kenya', networkProvider: 'MOMO', contactNumber: kenyanPhone() }),
  },
  { where: 'BTC', currency: 'BTC', fields: () => ({ name: 'Ada', country: 'BTC', lnurl: 'ada@example.com' }) },
];

section('2.7 Merchant', ({ says }) => {
  says('Always required: name and country.', async ({ payer, nigerian }) => {
    for (const field of ['name', 'country']) {
      const { [field]: _, ...without } = nigerian as Body;
      expectRefused(await payer('POST', '/merchants', without));
    }
  });

  says(
    'name: letters, digits, space and the characters @ / ( ) . , _ -, length 0 to 254.',
    async ({ payer, merchant, nigerian }) => {
      const name = 'Ada 0 @/().,_-';
      expect((await merchant({ ...nigerian, name })).name).toBe(name);
      for (const [length, good] of [
        [0, true],
        [254, true],
        [255, false],
      ] as const) {
        const answer = await payer('POST', '/merchants', { ...nigerian, name: 'n'.repeat(length) });
        if (good) expectGood(answer);
        else expectRefused(answer);
      }
      for (const wrong of ["O'Brien", 'Zoë', 'A & B', 'a\n']) {
        expectRefused(await payer('POST', '/merchants', { ...nigerian, name: wrong }));
      }
    },
  );

  says(
    'country: SouthAfrica, Nigeria, Kenya, BTC; the literal SouthAfrica without a space.',
    async ({ payer, nigerian }) => {
      for (const country of ['South Africa', 'Europe', 'USDT', '', undefined]) {
        expectRefused(await payer('POST', '/merchants', { ...nigerian, country }));
      }
    },
  );

  for (const { where, fields } of destinations) {
    says(`Returned: all of the above that apply, plus id (${where}).`, async (subject) => {
      const sent = fields(subject);
      const made = await subject.merchant(sent);
      expect(made).toMatchObject({ ...sent, id: isUuid });
      expect((await subject.payer('GET', `/merchants/${made.id}`)).body).toEqual(made);
    });
  }

  says(
    'Conditional by destination: without what its destination is used for, there is no merchant.',
    async (subject) => {
      for (const { fields } of destinations) {
        const whole = fields(subject) as Body;
        for (const field of Object.keys(whole).filter((name) => name !== 'name' && name !== 'country')) {
          const { [field]: _, ...without } = whole;
          expectRefused(await subject.payer('POST', '/merchants', without));
        }
      }
    },
  );

  says('bankName must be a valid bank name for the country.', async ({ payer, nigerian }) => {
    const { status } = await payer('POST', '/merchants', { ...nigerian, bankName: 'Bank of Nowhere' });
    expect(status).toBe(400);
  });

  says(
    'bankCode: Optional input for Nigeria (in place of, or with, bankName); returned as the resolved bank code.',
    async ({ merchant, nigerian }) => {
      const named = await merchant();
      expect(named.bankCode).toBeTypeOf('string');
      const { bankName: _, ...rest } = nigerian;
      const coded = await merchant({ ...rest, bankCode: named.bankCode });
      expect(coded.bankCode).toBe(named.bankCode);
      expect((await merchant({ ...nigerian, bankCode: named.bankCode })).bankCode).toBe(named.bankCode);
    },
  );

  says('lnurl: BTC: Lightning Address or LNURL.', async ({ merchant, payer }) => {
    // The one of LUD-01, the standard that LNURL is.
    const long =
      'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS';
    for (const lnurl of ['ada@example.com', long, long.toLowerCase()])
      expect((await merchant({ name: 'Ada', country: 'BTC', lnurl })).lnurl).toBe(lnurl);
    for (const lnurl of ['ada', 'ada@', `${long.slice(0, -1)}Q`])
      expectRefused(await payer('POST', '/merchants', { name: 'Ada', country: 'BTC', lnurl }));
  });

  says('contactNumber: Kenya recipient phone, starting with +254.', async ({ payer }) => {
    const kenyan = { name: 'A', country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+27821234567' };
    expectRefused(await payer('POST', '/merchants', kenyan));
  });

  says('There is no delete operation for merchants.', async ({ merchant, payer }) => {
    const { id } = await merchant();
    expectRefused(await payer('DELETE', `/merchants/${id}`));
    expectGood(await payer('GET', `/merchants/${id}`), 200);
  });
});

section('2.8 Payment', ({ says, saysWith }) => {
  says(
    'id, merchantId, amount, amountSettled, status, statusLog, destinationCountry, destinationCurrency, reference, tag, type, otcFees, date are returned.',
    async ({ payment, merchant }) => {
      const { id: merchantId } = await merchant();
      const sent = { merchantId, amount: 1234, reference: 'Salary 11', tag: 'my tag 7', type: 'PURCHASE' };
      const { id, read } = await payment(sent);
      expect(read).toMatchObject({
        ...sent,
        id,
        amountSettled: expect.any(Number),
        status: expect.any(String),
        statusLog: expect.any(String),
        destinationCountry: expect.any(String),
        destinationCurrency: 'NGN',
        otcFees: expect.any(Number),
        date: isTimestamp,
      });
    },
  );

  // What a BTC amount counts, and what its currency is called, is not shown.
  for (const { where, currency, fields } of destinations.filter((one) => one.currency !== 'BTC')) {
    says(`amount: whole number in the destination currency (${where}: ${currency}).`, async (subject) => {
      const { payment, merchant, payer } = subject;
      const { id: merchantId } = await merchant(fields(subject));
      const { read } = await payment({ merchantId, amount: 100 });
      expect(read).toMatchObject({ amount: 100, destinationCurrency: currency });
      for (const amount of [1.5, '100', -1, null]) {
        expectRefused(await payer('POST', '/payments', { merchantId, amount, reference: 'Pay' }));
      }
    });
  }

  says('For a USDT-funded payment, amount is in hundredths of a unit (151 means 1.51 USDT).', async ({ payment }) => {
    expect((await payment({ fromCountry: 'USDT', amount: 151 })).read.amount).toBe(151);
  });

  says(
    'reference: Required; pattern: 1 to 20 characters of letters, digits and space.',
    async ({ merchant, payer, payment }) => {
      const { id: merchantId } = await merchant();
      for (const reference of ['A', '01234567890123456789', 'Pay me 1']) {
        expect((await payment({ merchantId, reference })).read.reference).toBe(reference);
      }
      for (const reference of [undefined, '', '012345678901234567890', 'INV-1', 'é']) {
        expectRefused(await payer('POST', '/payments', { merchantId, amount: 1, reference }));
      }
    },
  );

  says('tag: Optional; for the caller’s own tracking.', async ({ payment }) => {
    expect((await payment({ tag: 'Own tag 1' })).read.tag).toBe('Own tag 1');
    expect((await payment()).read.tag ?? null).toBeNull();
  });

  says('isSlowPayment: appears in responses only when it was set to true on the request.', async ({ payment }) => {
    expect((await payment({ isSlowPayment: true })).read.isSlowPayment).toBe(true);
    expect((await payment({ isSlowPayment: false })).read).not.toHaveProperty('isSlowPayment');
    expect((await payment()).read).not.toHaveProperty('isSlowPayment');
  });

  says(
    'meta on a request may carry collectionMethod (Kenya funding): MOMO (default) or BANK_TRANSFER.',
    async ({ payment }) => {
      const { read } = await payment({
        fromCountry: 'Kenya',
        meta: JSON.stringify({ collectionMethod: 'BANK_TRANSFER' }),
      });
      expect(read.fromCountry).toBe('Kenya');
    },
  );

  says('meta: JSON string of extensible metadata.', async ({ payment, payer }) => {
    const { read } = await payment({ meta: '{"cost centre":"7"}' });
    expect(JSON.parse(read.meta)).toMatchObject({ 'cost centre': '7' });
    expect((await payment()).read.meta ?? null).toBeNull();
    const { body } = await payer('GET', '/merchants?limit=1');
    const whole = { merchantId: body.items[0].id, amount: 1, reference: 'x' };
    for (const meta of ['{', { object: true }]) expectRefused(await payer('POST', '/payments', { ...whole, meta }));
  });

  says(
    'For a sub-payment of a payment group, meta carries paymentGroupExecutionId, isMemberPayout, memberIndex, memberName, and optionally lnurl.',
    async ({ payment }) => {
      const meta = {
        paymentGroupExecutionId: 'b1a7a0c4-8b0e-4a52-9f5e-0a4f6a8d8c11',
        isMemberPayout: true,
        memberIndex: 0,
        memberName: 'Ada',
        lnurl: 'ada@example.com',
      };
      const { read } = await payment({ meta: JSON.stringify(meta) });
      expect(JSON.parse(read.meta)).toMatchObject(meta);
    },
  );

  saysWith('choice')('Internal meta keys are removed from responses.', async ({ payment, payer }) => {
    const { id, created, read } = await payment({ meta: '{"_ours":1,"own":"kept","memberName":"Ada"}' });
    const [item] = (await everyItem(payer, '/payments')).filter((one) => one.id === id);
    for (const { meta } of [created, read, item]) expect(JSON.parse(meta)).toEqual({ own: 'kept', memberName: 'Ada' });
  });

  says('webhookUrl and webhookSecret: on the request, and not returned.', async ({ payment, payer }) => {
    const webhookSecret = 'a secret for signing';
    const { id, created, read } = await payment({ webhookUrl: 'https://hooks.example.com/payments', webhookSecret });
    const [item] = (await everyItem(payer, '/payments')).filter((one) => one.id === id);
    for (const body of [created, read, item]) {
      expect(body).not.toHaveProperty('webhookUrl');
      expect(valuesIn(body)).not.toContain(webhookSecret);
    }
  });

  saysWith('settle')('Values seen: success, expired.', async ({ payment, payer }) => {
    const { id } = await payment();
    const { body } = await eventually(
      () => payer('GET', `/payments/${id}`),
      (seen) => ['success', 'expired'].includes(seen.body.status),
    );
    expect(body.status).toBe('success');
    expect(body.amountSettled).toBeGreaterThan(0);
  });

  says(
    'Payment document (list item): paymentId, documentId, presignedUrl (string, directly downloadable, needs no auth header), createdAt. The list response also has presignedUrlExpiresInSeconds (number, 900).',
    async ({ payment, payer }) => {
      const { id } = await payment();
      expectGood(await payer('POST', `/payments/${id}/document`, form({ file: pdf() })));
      const list = await documentsOf(payer, id);
      const item = {
        paymentId: id,
        documentId: expect.any(String),
        presignedUrl: expect.any(String),
        createdAt: isTimestamp,
      };
      expect(list).toMatchObject({ items: [item], presignedUrlExpiresInSeconds: 900 });
      const file = await fetch(list.items[0].presignedUrl);
      expect([file.status, await file.text()]).toEqual([200, await pdf().text()]);
    },
  );
});

section('2.9 Supported countries and corridors', ({ says, saysWith }) => {
  says(
    'GET /utils/countries returns these values: BTC, Bitcoin, SouthAfrica, Nigeria, Kenya, Europe, UnitedKingdom, USDT, Tether.',
    async ({ anonymous }) => {
      const { body } = await anonymous('GET', '/utils/countries');
      const values = 'BTC Bitcoin SouthAfrica Nigeria Kenya Europe UnitedKingdom USDT Tether'.split(' ');
      expect(body).toHaveLength(values.length);
      expect(new Set(body)).toEqual(new Set(values));
    },
  );

  for (const fromCountry of ['SouthAfrica', 'Nigeria', 'UnitedKingdom', 'Europe', 'Bitcoin', 'BTC', 'Tether', 'USDT']) {
    says(`${fromCountry} is a source.`, async ({ payment }) => {
      expect((await payment({ fromCountry })).read.fromCountry).toBe(fromCountry);
    });
  }

  says('For Kenya as fromCountry, Kenya or KE is preferred; KES is also accepted.', async ({ payment }) => {
    const meta = JSON.stringify({ collectionMethod: 'BANK_TRANSFER' });
    for (const fromCountry of ['Kenya', 'KE', 'KES']) await payment({ fromCountry, meta });
  });

  saysWith('choice')('Kenya: mobile money and an instant bank rail.', async ({ anonymous, merchant, payment }) => {
    const [bankName] = (await anonymous('GET', '/utils/banks/Kenya')).body;
    const { id: merchantId } = await merchant({ name: 'A', country: 'Kenya', bankName, accountNumber: '01234567890' });
    expect((await payment({ merchantId, amount: 100 })).read).toMatchObject({ destinationCurrency: 'KES' });
  });

  says('UnitedKingdom, Europe, Tether and USDT: source only.', async ({ payer }) => {
    for (const country of ['UnitedKingdom', 'Europe', 'Tether', 'USDT']) {
      expectRefused(await payer('POST', '/merchants', { name: 'A', country, lnurl: 'a@example.com' }));
    }
  });

  says(
    'Bank object (showDetails=true) has a code that differs from the bank name, and branchCode only for South Africa; Kenya and Nigeria return their own codes and no branchCode.',
    async ({ anonymous }) => {
      for (const country of ['SouthAfrica', 'Nigeria', 'Kenya']) {
        const names = (await anonymous('GET', `/utils/banks/${country}`)).body as string[];
        const banks = (await anonymous('GET', `/utils/banks/${country}?showDetails=true`)).body as Body[];
        expect(banks.length).toBeGreaterThan(0);
        for (const bank of banks) expect(names).not.toContain(bank.code);
        expect(banks.some((bank) => 'branchCode' in bank)).toBe(country === 'SouthAfrica');
      }
    },
  );
});
