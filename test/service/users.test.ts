/** Users, the profile and KYC documents (interface 2.1 to 2.6, 3, 4.3 to 4.13): what the service does where the interface leaves it open. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { kycDocument } from '../../src/wire/kyc.ts';
import { profile } from '../../src/wire/profile.ts';
import { user, userDisabled, userItem, userPage } from '../../src/wire/user.ts';
import {
  addUser,
  type Caller,
  callerOf,
  everyItem,
  handClock,
  merchantOf,
  onBoth,
  paymentOf,
  type Started,
  started,
  tenant,
  verifyAccount,
} from './started.ts';

const director = {
  types: ['director', 'shareholder'],
  ownership: 60,
  person: { firstName: 'Ada', nationality: ['NGA'] },
};
const ubo = { types: ['ubo'] };
const business = { companyName: 'Acme', type: 'LIMITED', registrationNumber: '1', phone: '+27110000000' };
const momo = (last: number) => ({
  phoneNumber: `+2547123456${String(last).padStart(2, '7')}`,
  mobileNetwork: 'MOMO',
  countryCode: 'KE',
});

interface WithUser extends Started {
  readonly userId: string;
  readonly path: string;
  /** With that user's token. */
  readonly self: Caller;
}

async function withUser(options?: Partial<ServiceOptions>): Promise<WithUser> {
  const base = await (options === undefined ? tenant() : started(options));
  const { userId } = (await base.call('POST', '/users', { email: 'Ann@example.com', name: 'Ann' })).body;
  const { token } = (await base.call('POST', '/tokens/user', { userId })).body;
  return { ...base, userId, path: `/users/${userId}`, self: callerOf(base.service.url, token) };
}

onBoth(() => {
  describe('POST /users', () => {
    it('gives the record that is there, as it was made, whatever the case of the e-mail and whatever the name', async () => {
      const { call } = await tenant();
      const first = await call('POST', '/users', { email: 'Ann@Example.com', name: 'Ann', userRole: 'Admin' });
      expect(first.status).toBe(201);
      expect(userItem.strict().parse(first.body)).toEqual(first.body);
      const again = await call('POST', '/users', { email: 'aNN@example.COM', name: 'Another' });
      expect([again.status, again.body]).toEqual([200, first.body]);
    });

    it('makes one user of many calls at once', async () => {
      const { call } = await tenant();
      const body = { email: 'a@example.com', name: 'A' };
      const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/users', body)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(answers.map((answer) => answer.body.userId)).size).toBe(1);
    });

    it('keeps the e-mails of tenants apart', async () => {
      const { call, service, credentials } = await started();
      const other = await service.tenants.add('Other');
      const { userId } = await service.users.add(other.apiKey, { email: 'a@example.com', name: 'A' });
      const ours = await call('POST', '/users', { email: 'a@example.com', name: 'A' });
      expect(ours.status).toBe(201);
      expect(ours.body.userId).not.toBe(userId);
      expect(credentials).toBeDefined();
    });

    it.each([
      [{ name: 'A' }, /email is required/],
      [{ email: 'a@example.com' }, /name is required/],
      [{ email: 'a@example.com', name: '' }, /name is required/],
      [{ email: 'nobody', name: 'A' }, /email/],
      [{ email: `${'a'.repeat(250)}@example.com`, name: 'A' }, /email/],
      [{ email: 'a@example.com', name: 'A\0' }, /cannot be stored/],
      [{ email: 'a@example.com', name: '\ud800' }, /cannot be stored/],
    ])('refuses %j', async (body, words) => {
      const { call } = await tenant();
      const answer = await call('POST', '/users', body);
      expect([answer.status, answer.body]).toEqual([400, { message: expect.stringMatching(words) }]);
    });
  });

  describe('GET /users', () => {
    it('goes over every user once, page by page, though users come and go in between', async () => {
      const { call } = await tenant();
      const made: string[] = [];
      for (let count = 0; count < 10; count += 1) {
        made.push((await call('POST', '/users', { email: `u${count}@example.com`, name: 'U' })).body.userId);
      }
      const first = await call('GET', '/users?limit=4');
      expect(userPage.parse(first.body)).toEqual(first.body);
      await call('DELETE', `/users/${made[9]}`);
      await call('POST', '/users', { email: 'late@example.com', name: 'U' });
      const rest = await call('GET', `/users?limit=100&offset=${first.body.offsetMarker}`);
      expect(rest.body.offsetMarker).toBeNull();
      const seen = [...first.body.items, ...rest.body.items].map((item) => item.userId);
      expect(seen).toEqual(made.toReversed());
      expect(await everyItem(call, '/users?limit=3')).toHaveLength(10);
      expect((await call('GET', '/users?status=inactive')).body.items).toMatchObject([
        { userId: made[9], status: 'Inactive' },
      ]);
      expect((await call('GET', `/users?status=inactive&offset=${first.body.offsetMarker}`)).status).toBe(400);
    });

    it.each(['limit=0', 'limit=101', 'limit=x', 'offset=x', 'status=Active', 'status=all'])(
      'refuses ?%s',
      async (query) => {
        const { call } = await tenant();
        expect((await call('GET', `/users?${query}`)).status).toBe(400);
      },
    );
  });

  describe('PATCH /users/{userId}', () => {
    it('shows null for what was never set, and changes only what is sent', async () => {
      const clock = handClock();
      const { call, path, userId } = await withUser({ clock });
      const before = (await call('GET', path)).body;
      expect(user.strict().parse(before)).toEqual(before);
      expect(before).toMatchObject({
        userId,
        firstName: null,
        address: null,
        business: null,
        businessPersons: [],
        nationality: [],
      });
      expect(before).not.toHaveProperty('name');
      clock.move(5000);
      const first = (
        await call('PATCH', path, { addressCity: 'Nairobi', nationality: ['KEN', 'ZAF'], middleName: null })
      ).body;
      expect(first).toMatchObject({
        address: { line1: null, city: 'Nairobi', state: null },
        nationality: ['KEN', 'ZAF'],
      });
      expect(Date.parse(first.updatedAt) - Date.parse(first.createdAt)).toBe(5000);
      const second = (await call('PATCH', path, { addressLine1: '1 Road', addressState: 'N', addressCountry: 'KEN' }))
        .body;
      expect(second.address).toEqual({
        line1: '1 Road',
        line2: null,
        city: 'Nairobi',
        state: 'N',
        postalCode: null,
        country: 'KEN',
      });
      expect((await call('PATCH', path, {})).body).toEqual({ ...second, updatedAt: expect.any(String) });
    });

    it('loses no change of many at once', async () => {
      const { call, self, path } = await withUser();
      const fields = [
        'firstName',
        'lastName',
        'sector',
        'idDocumentNumber',
        'phoneNumber',
        'addressLine1',
        'addressCity',
      ];
      await Promise.all(fields.map((field, at) => (at % 2 === 0 ? call : self)('PATCH', path, { [field]: field })));
      const { body } = await call('GET', path);
      const flat = { ...body, addressLine1: body.address.line1, addressCity: body.address.city };
      for (const field of fields) expect(flat[field]).toBe(field);
    });

    it('applies the rule on directors to the user as it becomes', async () => {
      const { call, path } = await withUser();
      const whole = { entityType: 'business', business, businessPersons: [director, ubo] };
      expect((await call('PATCH', path, { entityType: 'business', business })).body.message).toMatch(/director/);
      expect(
        (await call('PATCH', path, { entityType: 'business', businessPersons: [director, ubo] })).body.message,
      ).toMatch(/business is required/);
      expect((await call('PATCH', path, { businessPersons: [director] })).status).toBe(400);
      expect((await call('PATCH', path, whole)).body).toMatchObject(whole);
      expect((await call('PATCH', path, { sector: 'Retail' })).status).toBe(200);
      for (const wrong of [{ business: null }, { businessPersons: [] }, { businessPersons: [ubo, ubo] }]) {
        expect((await call('PATCH', path, wrong)).status).toBe(400);
      }
      expect(
        (await call('PATCH', path, { entityType: 'individual', business: null, businessPersons: [] })).status,
      ).toBe(200);
    });

    it.each<[object, RegExp]>([
      [{ name: 'A' }, /^name: /],
      [{ email: 'b@example.com' }, /^email: /],
      [{ address: { city: 'X' } }, /^address: /],
      [{ firstNme: 'A', lastNme: 'B' }, /^firstNme, lastNme: /],
      [{ business: { ...business, vat: '1' } }, /^business\.vat: /],
      [{ business: { ...business, type: 'limited' } }, /business.type/],
      [{ business: { companyName: 'Acme' } }, /business.type/],
      [{ businessPersons: [director, { types: [] }] }, /types/],
      [{ businessPersons: [director, { types: ['ceo'] }] }, /types/],
      [{ businessPersons: [{ ...director, ownership: 100.5 }, ubo] }, /ownership/],
      [{ businessPersons: [{ ...director, person: { idDocumentType: 'passport' } }, ubo] }, /idDocumentType/],
      [{ dob: '2026-02-30' }, /dob/],
      [{ dob: '1.2.1990' }, /dob/],
      [{ nationality: 'KEN' }, /nationality/],
      [{ nationality: ['KE'] }, /nationality/],
      [{ birthCountry: 'ken' }, /birthCountry/],
      [{ addressCountry: 'XXX' }, /addressCountry/],
      [{ lnUrl: 'nowhere' }, /^lnUrl: must be a Lightning/],
      [{ firstName: null }, /firstName/],
      [{ entityType: 'company' }, /entityType/],
    ])('refuses %j', async (body, words) => {
      const { call, path } = await withUser();
      const before = (await call('GET', path)).body;
      const answer = await call('PATCH', path, body);
      expect([answer.status, answer.body]).toEqual([400, { message: expect.stringMatching(words) }]);
      expect((await call('GET', path)).body).toEqual(before);
    });
  });

  describe('a disabled user', () => {
    it('is gone for every endpoint, and its e-mail revives nobody', async () => {
      const clock = handClock();
      const { call, self, path, userId } = await withUser({ clock });
      const merchantId = await merchantOf(self);
      const { id } = await paymentOf(self, merchantId);
      clock.move(1000);
      const gone = await call('DELETE', path);
      expect([gone.status, gone.body]).toEqual([
        200,
        { ...gone.body, userId, status: 'Inactive', updatedAt: new Date(clock.now()).toISOString() },
      ]);
      expect(userDisabled.strict().parse(gone.body)).toEqual(gone.body);
      const form = new FormData();
      const missing = (await call('GET', '/users/00000000-0000-4000-8000-000000000000')).body;
      for (const caller of [call, self]) {
        for (const [method, to, body] of [
          ['GET', path],
          ['PATCH', path, {}],
          ['DELETE', path],
          ['POST', `${path}/kyc-documents`, form],
        ] as const) {
          const answer = await caller(method, to, body);
          expect([method, to, answer.status, answer.body]).toEqual([method, to, 404, missing]);
        }
      }
      for (const to of ['/profile', '/payments', `/payments/${id}`, '/merchants'])
        expect((await self('GET', to)).status).toBe(404);
      expect((await call('POST', '/tokens/user', { userId })).status).toBe(404);
      expect(await everyItem(call, '/users')).toEqual([]);
      const again = await call('POST', '/users', { email: 'ann@example.com', name: 'New' });
      expect([again.status, again.body]).toMatchObject([200, { userId, status: 'Inactive', name: 'Ann' }]);
      expect((await call('GET', path)).status).toBe(404);
      // What the user did stays the tenant's.
      expect((await call('GET', `/payments/${id}`)).status).toBe(200);
    });

    it('stays Active where the identity provider fails, and the same call succeeds later', async () => {
      const { call, path } = await withUser({
        faults: [{ route: 'DELETE /users/:userId', nth: 1, action: { kind: 'identity' } }],
      });
      const failed = await call('DELETE', path);
      expect([failed.status, Object.keys(failed.body)]).toEqual([500, ['message']]);
      expect((await call('GET', path)).status).toBe(200);
      expect((await call('DELETE', path)).status).toBe(200);
    });

    it('is disabled by nobody but the tenant', async () => {
      const { call, self, path } = await withUser();
      const other = (await call('POST', '/users', { email: 'b@example.com', name: 'B' })).body;
      expect((await self('DELETE', path)).status).toBe(400);
      expect((await self('DELETE', `/users/${other.userId}`)).status).toBe(403);
      expect((await self('DELETE', `/users/${other.id}`)).status).toBe(403);
      expect((await call('DELETE', `/users/${other.id}`)).status).toBe(404);
      expect(await everyItem(call, '/users')).toHaveLength(2);
    });
  });

  describe('the profile', () => {
    it('is another view of the user, with an id of its own', async () => {
      const { call, self, path, userId } = await withUser();
      const before = (await self('GET', '/profile')).body;
      expect(profile.strict().parse(before)).toEqual(before);
      const [item] = (await call('GET', '/users')).body.items;
      expect(before).toMatchObject({
        id: item.id,
        name: 'Ann',
        companyName: null,
        isVerified: false,
        momoAccounts: [],
      });
      expect(before.id).not.toBe(userId);
      await call('PATCH', path, { firstName: 'Ann', sector: 'Retail', addressCity: 'Lagos' });
      const address = { line1: '1 Road', city: 'Accra', postalCode: '1', country: 'GHA' };
      const patched = await self('PATCH', '/profile', {
        name: 'Ann B',
        companyName: 'Acme',
        phoneNumber: '+1',
        address,
        unknown: 1,
      });
      expect(patched.body).toMatchObject({
        name: 'Ann B',
        companyName: 'Acme',
        firstName: 'Ann',
        sector: 'Retail',
        address: { ...address, line2: null, state: null },
      });
      expect((await call('GET', path)).body).toMatchObject({ phoneNumber: '+1', sector: 'Retail', address });
      expect((await call('GET', '/users')).body.items[0].name).toBe('Ann B');
    });

    it.each(['id', 'email', 'isVerified', 'momoAccounts', 'defaultMomoAccountId', 'createdAt'])(
      'has %s to read only',
      async (field) => {
        const { self } = await withUser();
        const before = (await self('GET', '/profile')).body;
        const answer = await self('PATCH', '/profile', { name: 'B', [field]: before[field] });
        expect([answer.status, answer.body]).toEqual([400, { message: `${field}: is read-only` }]);
        expect((await self('GET', '/profile')).body).toEqual(before);
      },
    );

    it('locks firstName once the account is verified, but not for the tenant', async () => {
      const { call, self, path, userId, place, service } = await withUser();
      await self('PATCH', '/profile', { firstName: 'Ann' });
      await verifyAccount(place, userId);
      await service.users.verify(userId);
      expect((await self('GET', '/profile')).body.isVerified).toBe(true);
      const locked = await self('PATCH', '/profile', { firstName: 'Bea', sector: 'Retail' });
      expect([locked.status, locked.body.message]).toEqual([400, expect.stringMatching(/firstName is locked/)]);
      expect((await self('PATCH', path, { firstName: 'Bea' })).status).toBe(400);
      expect(
        (await self('PATCH', '/profile', { name: 'New', sector: 'Retail', phoneNumber: '1', companyName: 'C' })).status,
      ).toBe(200);
      expect((await self('PATCH', path, { lastName: 'B' })).status).toBe(200);
      expect((await call('PATCH', path, { firstName: 'Bea' })).body.firstName).toBe('Bea');
    });

    it('is verified only where there is an active user', async () => {
      const { call, path, place, userId } = await withUser();
      await expect(verifyAccount(place, 'x')).rejects.toThrow(
        expect.objectContaining({ code: 'USER_UNKNOWN', facts: { user: 'x' } }),
      );
      await call('DELETE', path);
      await expect(verifyAccount(place, userId)).rejects.toThrow(
        expect.objectContaining({ code: 'USER_DISABLED', facts: { user: userId } }),
      );
    });

    it('keeps one default of many accounts added at once, and no number twice', async () => {
      const { self } = await withUser();
      const answers = await Promise.all([1, 2, 3, 1, 2, 3].map((last) => self('POST', '/profile/momo', momo(last))));
      expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(3);
      expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(3);
      const { body } = await self('GET', '/profile');
      expect(body.momoAccounts).toHaveLength(3);
      expect(body.momoAccounts.map(({ id }: { id: string }) => id)).toContain(body.defaultMomoAccountId);
    });

    it('has ten accounts at most, however many are added at once', async () => {
      const { self } = await withUser();
      const added = Array.from({ length: 12 }, (_, at) => self('POST', '/profile/momo', momo(at + 10)));
      const refused = (await Promise.all(added)).filter(({ status }) => status !== 201);
      expect(refused.map(({ status, body }) => [status, body])).toEqual(
        Array.from({ length: 2 }, () => [422, { message: expect.stringContaining('10 momo accounts') }]),
      );
      const { momoAccounts } = (await self('GET', '/profile')).body;
      expect(momoAccounts).toHaveLength(10);
      // A number that is there already is told as that.
      expect((await self('POST', '/profile/momo', momo(Number(momoAccounts[0].phoneNumber.slice(-2))))).status).toBe(
        409,
      );
      await self('DELETE', `/profile/momo/${momoAccounts[0].id}`);
      expect((await self('POST', '/profile/momo', momo(99))).status).toBe(201);
    });

    it('promotes nothing by itself where its default account is removed', async () => {
      const { self } = await withUser();
      const first = (await self('POST', '/profile/momo', momo(1))).body;
      await self('POST', '/profile/momo', { ...momo(2), label: 'Second' });
      const removed = await self('DELETE', `/profile/momo/${first.defaultMomoAccountId}`);
      expect([removed.status, removed.body.defaultMomoAccountId]).toEqual([200, null]);
      const third = (await self('POST', '/profile/momo', momo(3))).body;
      expect([third.defaultMomoAccountId, third.momoAccounts.length]).toEqual([null, 2]);
      const [second] = third.momoAccounts;
      const relabelled = await self('PATCH', `/profile/momo/${second.id}`, { label: 'New', isDefault: false });
      expect(relabelled.body).toMatchObject({
        defaultMomoAccountId: null,
        momoAccounts: [{ ...second, label: 'New' }, {}],
      });
      expect((await self('PATCH', `/profile/momo/${second.id}`, { phoneNumber: momo(3).phoneNumber })).status).toBe(
        409,
      );
      expect((await self('PATCH', `/profile/momo/${second.id}`, momo(2))).status).toBe(200);
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await self(
          method,
          `/profile/momo/${first.defaultMomoAccountId}`,
          method === 'PATCH' ? {} : undefined,
        );
        expect([answer.status, answer.body]).toEqual([404, { message: expect.stringContaining('not found') }]);
      }
    });

    it.each([
      { ...momo(1), phoneNumber: '0712345678' },
      { ...momo(1), phoneNumber: '+27821234567' },
      { ...momo(1), mobileNetwork: 'momo' },
      { ...momo(1), countryCode: 'KEN' },
      { phoneNumber: '+254712345678' },
    ])('takes no momo account such as %j', async (body) => {
      const { self } = await withUser();
      expect((await self('POST', '/profile/momo', body)).status).toBe(400);
      expect((await self('GET', '/profile')).body.momoAccounts).toEqual([]);
    });
  });

  describe('KYC documents', () => {
    function form(
      fields: { documentType?: string; content?: string | Uint8Array<ArrayBuffer> },
      typeFirst = true,
    ): FormData {
      const { documentType, content } = fields;
      const data = new FormData();
      const type = () => documentType !== undefined && data.set('documentType', documentType);
      if (typeFirst) type();
      if (content !== undefined) data.set('file', new Blob([content]), 'passport.pdf');
      if (!typeFirst) type();
      return data;
    }
    const filesIn = (folder: string) =>
      readdirSync(join(folder, 'documents'), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );

    it('are taken with their type before or behind the file, in any case, from tenant and user', async () => {
      const { call, self, path, userId, folder } = await withUser({});
      for (const [caller, typeFirst] of [
        [call, true],
        [self, false],
      ] as const) {
        const answer = await caller(
          'POST',
          `${path}/kyc-documents`,
          form({ documentType: 'Cert_Of_INCORP', content: '%PDF-1' }, typeFirst),
        );
        expect(answer.status).toBe(201);
        expect(kycDocument.strict().parse(answer.body)).toEqual(answer.body);
        expect(answer.body).toMatchObject({ userId, documentType: 'cert_of_incorp' });
      }
      expect(filesIn(folder)).toHaveLength(1);
    });

    it.each<[string, Parameters<typeof form>[0], number]>([
      ['no type', { content: '%PDF-1' }, 400],
      ['an unknown type', { content: '%PDF-1', documentType: 'drivers_licence' }, 400],
      ['no file', { documentType: 'selfie' }, 400],
      ['an empty file', { documentType: 'selfie', content: '' }, 400],
      ['another kind of file', { documentType: 'selfie', content: 'GIF89a' }, 415],
      ['a file too large', { documentType: 'selfie', content: `%PDF-${' '.repeat(10_485_756)}` }, 413],
    ])('with %s are refused, and leave nothing behind', async (_what, fields, status) => {
      const { self, path, folder } = await withUser({ documents: { kinds: ['tiff'], maxBytes: 20 * 1024 ** 2 } });
      const answer = await self('POST', `${path}/kyc-documents`, form(fields, false));
      expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['message']]);
      if (fields.content !== undefined) expect(filesIn(folder)).toEqual([]);
    });

    it('are taken only for oneself', async () => {
      const { self, place, credentials } = await withUser();
      const { userId } = await addUser(place, credentials.apiKey, { email: 'b@example.com', name: 'B' });
      expect(
        (await self('POST', `/users/${userId}/kyc-documents`, form({ documentType: 'other', content: '%PDF-' })))
          .status,
      ).toBe(403);
    });
  });
});
