/** Payments (interface 2.8, 4.20 to 4.22). */
import { describe, expect, it } from 'vitest';
import { payment, paymentPage } from '../../src/wire/payment.ts';
import { everyItem, handClock, merchantOf, onBoth, paymentOf, started, tenant, userOf } from './started.ts';

onBoth(() => {
  describe('POST /payments', () => {
    it('answers at once with the payment, pending', async () => {
      const clock = handClock();
      const { call } = await started({ clock });
      const merchantId = await merchantOf(call);
      const sent = {
        merchantId,
        amount: 2500,
        reference: 'March 2026',
        tag: 'q123',
        type: 'PURCHASE',
        isSlowPayment: true,
      };
      const { status, body } = await call('POST', '/payments', {
        ...sent,
        unknown: 1,
        webhookUrl: 'http://127.0.0.1:9/hook',
        webhookSecret: 's',
      });
      expect([status, body]).toEqual([
        201,
        {
          ...sent,
          id: body.id,
          status: 'pending',
          statusLog: expect.any(String),
          amountSettled: 0,
          otcFees: 0,
          destinationCountry: 'Nigeria',
          destinationCurrency: 'NGN',
          date: new Date(clock.now()).toISOString(),
        },
      ]);
      expect(payment.strict().parse(body)).toEqual(body);
      expect((await call('GET', `/payments/${body.id}`)).body).toEqual(body);
    });

    it('makes two payments of two equal calls', async () => {
      const { call } = await tenant();
      const merchantId = await merchantOf(call);
      const first = await paymentOf(call, merchantId, { tag: 'same' });
      const second = await paymentOf(call, merchantId, { tag: 'same' });
      expect(first.id).not.toBe(second.id);
      expect(await everyItem(call, '/payments')).toHaveLength(2);
    });

    const good = { amount: 100, reference: 'Pay 1' };
    it.each<[object, number, RegExp]>([
      [{ amount: 1.5 }, 400, /amount/],
      [{ amount: 0 }, 400, /amount/],
      [{ amount: -1 }, 400, /amount/],
      [{ amount: '100' }, 400, /amount/],
      [{ amount: 2 ** 53 }, 400, /amount/],
      [{ amount: undefined }, 400, /amount is required/],
      [{ reference: '' }, 400, /reference/],
      [{ reference: 'INV-204' }, 400, /reference/],
      [{ reference: 'x'.repeat(21) }, 400, /reference/],
      [{ reference: 'Zoë' }, 400, /reference/],
      [{ reference: undefined }, 400, /reference is required/],
      [{ merchantId: undefined }, 400, /merchantId is required/],
      [{ merchantId: '00000000-0000-4000-8000-000000000000' }, 404, /Merchant not found/],
      [{ merchantId: "' OR 1=1 --" }, 404, /Merchant not found/],
      [{ fromCountry: 'Narnia' }, 400, /fromCountry/],
      [{ fromCountry: 'nigeria' }, 400, /fromCountry/],
      [{ meta: '{' }, 400, /meta/],
      [{ meta: '[]' }, 400, /meta/],
      [{ meta: { a: 1 } }, 400, /meta/],
      [{ meta: '{"collectionMethod":"CASH"}' }, 400, /collectionMethod/],
      [{ meta: `${'{"a":'.repeat(30)}1${'}'.repeat(30)}` }, 400, /meta/],
      [{ isSlowPayment: 'true' }, 400, /isSlowPayment/],
    ])('refuses %j with %i', async (wrong, status, words) => {
      const { call } = await tenant();
      const merchantId = await merchantOf(call);
      const answer = await call('POST', '/payments', { merchantId, ...good, ...wrong });
      expect([answer.status, answer.body]).toEqual([status, { message: expect.stringMatching(words) }]);
      expect((await call('GET', '/payments')).body.items).toEqual([]);
    });

    it('refuses what is no JSON object, and bodies made to hurt', async () => {
      const { service, token } = await started();
      const post = async (body: string, type = 'application/json') => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': type };
        const response = await fetch(`${service.url}/payments`, { method: 'POST', headers, body });
        const answer = (await response.json()) as object;
        expect(Object.keys(answer)).toEqual(['message']);
        return response.status;
      };
      expect(await post('')).toBe(400);
      expect(await post('{')).toBe(400);
      expect(await post('[]')).toBe(400);
      expect(await post('"x"')).toBe(400);
      expect(await post('null')).toBe(400);
      expect(await post('{"__proto__":{"a":1}}')).toBe(400);
      expect(await post(`{"a":${'['.repeat(30)}${']'.repeat(30)}}`)).toBe(400);
      expect(await post(`{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`)).toBe(400);
      expect(await post(JSON.stringify({ a: 'x'.repeat(1024 * 1024) }))).toBe(413);
      expect(await post('{}', 'text/plain')).toBe(415);
      expect(await post('{}', 'application/x-www-form-urlencoded')).toBe(415);
      // However the kind of the body is written, it is checked as the call asks, or not taken.
      for (const type of [
        'application/json;',
        'application/json\t;',
        'application/json; a',
        'APPLICATION/JSON;charset=',
      ])
        expect(await post('{"merchantId":1}', type)).toBeOneOf([400, 415]);
    });

    it('takes texts only so long that a page of them can be read', async () => {
      const { call } = await tenant();
      const sent = { merchantId: await merchantOf(call), amount: 1, reference: 'x' };
      const meta = (length: number) => ({ meta: JSON.stringify({ a: 'x'.repeat(length - 8) }) });
      const statusOf = async (more: object) => (await call('POST', '/payments', { ...sent, ...more })).status;
      expect(await statusOf({ ...meta(65_536), tag: 'x'.repeat(1000) })).toBe(201);
      for (const more of [meta(65_537), { tag: 'x'.repeat(1001) }, { type: 'x'.repeat(1001) }])
        expect(await statusOf(more)).toBe(400);
      const user = { email: 'a@example.com', name: 'x'.repeat(1001) };
      expect((await call('POST', '/users', user)).status).toBe(400);
    });

    it('gives meta back without its internal keys', async () => {
      const { call } = await tenant();
      const merchantId = await merchantOf(call);
      const own = '{ "mine": "a _b", "collectionMethod": "MOMO", "isMemberPayout": true }';
      expect((await paymentOf(call, merchantId, { meta: own })).meta).toBe(own);
      const mixed = await paymentOf(call, merchantId, { meta: '{"_batch":"1","\\u005fhidden":1,"mine":{"_x":1}}' });
      expect(JSON.parse(mixed.meta)).toEqual({ mine: { _x: 1 } });
      const escaped = await paymentOf(call, merchantId, { meta: '{"\\u005Fhidden":1}' });
      expect(escaped.meta).toBe('{}');
      expect((await call('GET', `/payments/${mixed.id}`)).body.meta).toBe(mixed.meta);
    });
  });

  describe('funding', () => {
    it.each(['UnitedKingdom', 'UK', 'Europe', 'Nigeria', 'SouthAfrica'])(
      'from %s gives an account to deposit into',
      async (fromCountry) => {
        const { call } = await tenant();
        const body = await paymentOf(call, await merchantOf(call), { fromCountry, reference: 'Exactly  This ' });
        expect(body.fromCountry).toBe(fromCountry);
        expect(body.depositBankDetails).toMatchObject({
          reference: 'Exactly  This ',
          amount: expect.stringMatching(/^\d+\.\d\d$/),
        });
        expect((await call('GET', `/payments/${body.id}`)).body.depositBankDetails).toEqual(body.depositBankDetails);
        expect(body.depositAddress).toBeUndefined();
      },
    );

    it.each(['USDT', 'Tether'])('by %s gives an address of its own to each payment', async (fromCountry) => {
      const { call } = await tenant();
      const merchantId = await merchantOf(call);
      const first = await paymentOf(call, merchantId, { fromCountry });
      const second = await paymentOf(call, merchantId, { fromCountry });
      expect(first.depositAddress).toMatch(/^0x[0-9a-f]{40}$/);
      expect(second.depositAddress).not.toBe(first.depositAddress);
      expect(first.depositBankDetails).toBeUndefined();
    });

    it.each(['BTC', 'Bitcoin', undefined])('by %s waits for no deposit', async (fromCountry) => {
      const { call } = await tenant();
      const body = await paymentOf(call, await merchantOf(call), { fromCountry });
      expect([body.depositBankDetails, body.depositAddress, body.fromCountry]).toEqual([
        undefined,
        undefined,
        fromCountry,
      ]);
    });

    it.each(['Kenya', 'KE', 'KES'])('from %s needs a default momo account, or a bank transfer', async (fromCountry) => {
      const base = await tenant();
      const asUser = await userOf(base, 'a@example.com');
      const merchantId = await merchantOf(base.call);
      const sent = { merchantId, amount: 100, reference: 'Pay', fromCountry };
      for (const call of [base.call, asUser]) {
        for (const meta of [undefined, '{}', '{"collectionMethod":"MOMO"}']) {
          const { status, body } = await call('POST', '/payments', { ...sent, meta });
          expect([status, body]).toEqual([
            422,
            { message: expect.stringMatching(/default momo account.*BANK_TRANSFER/) },
          ]);
        }
        const { body } = await call('POST', '/payments', { ...sent, meta: '{"collectionMethod":"BANK_TRANSFER"}' });
        expect(body).toMatchObject({ fromCountry, depositBankDetails: { currency: 'KES' } });
      }
    });

    it('from Kenya is collected by momo where the user’s profile has a default account', async () => {
      const base = await tenant();
      const asUser = await userOf(base, 'a@example.com');
      const merchantId = await merchantOf(base.call);
      const momo = { phoneNumber: '+254712345678', mobileNetwork: 'MOMO', countryCode: 'KE' };
      await asUser('POST', '/profile/momo', { ...momo, phoneNumber: '+254712345111' });
      const { momoAccounts } = (await asUser('POST', '/profile/momo', momo)).body;
      const defaultMomoAccountId = momoAccounts[1].id;
      await asUser('PATCH', `/profile/momo/${defaultMomoAccountId}`, { isDefault: true });
      const collected = await paymentOf(asUser, merchantId, { fromCountry: 'Kenya' });
      expect(collected).toMatchObject({
        status: 'pending',
        statusLog: expect.stringMatching(/ ends in 678\b/),
      });
      const byTenant = await base.call('POST', '/payments', {
        merchantId,
        amount: 1,
        reference: 'x',
        fromCountry: 'KE',
      });
      expect(byTenant.status).toBe(422);
      await asUser('DELETE', `/profile/momo/${defaultMomoAccountId}`);
      const without = await asUser('POST', '/payments', { merchantId, amount: 1, reference: 'x', fromCountry: 'KE' });
      expect(without.status).toBe(422);
    });

    it('gives what is to be deposited in the source’s currency, exact for the same one and rounded up for others', async () => {
      const { call } = await started({ railLimits: null });
      const merchantId = await merchantOf(call, {
        name: 'A',
        country: 'SouthAfrica',
        bankName: 'Nedbank',
        accountNumber: '1234567890',
      });
      const from = async (fromCountry: string, amount: number) =>
        (await paymentOf(call, merchantId, { fromCountry, amount })).depositBankDetails;
      expect(await from('SouthAfrica', 50_001)).toMatchObject({ currency: 'ZAR', amount: '50001.00' });
      expect(await from('Europe', 1)).toMatchObject({ currency: 'EUR', amount: '0.06' });
      expect(await from('UK', Number.MAX_SAFE_INTEGER)).toMatchObject({
        currency: 'GBP',
        amount: '387028092977151.96',
      });
    });
  });

  describe('the way of a payment', () => {
    it('goes from pending over processing to success, with words for people', async () => {
      const clock = handClock();
      const { call } = await started({ clock, settle: { afterMs: 900 } });
      const { id } = await paymentOf(call, await merchantOf(call), { amount: 42 });
      const seen = async () => (await call('GET', `/payments/${id}`)).body;
      expect(await seen()).toMatchObject({ status: 'pending', amountSettled: 0 });
      clock.move(400);
      expect(await seen()).toMatchObject({ status: 'processing', amountSettled: 0 });
      clock.move(500);
      const end = await seen();
      expect(end).toMatchObject({ status: 'success', amountSettled: 42, statusLog: expect.stringMatching(/Paid out/) });
      expect((await call('GET', '/payments')).body.items[0].status).toBe('success');
      clock.move(-86_400_000 + 3_600_000);
      expect(await seen()).toEqual(end);
    });

    it('ends as expired where the reference says so, and waits for a deposit that does not come', async () => {
      const clock = handClock();
      const { call } = await started({ clock, settle: { afterMs: 1000 } });
      const merchantId = await merchantOf(call);
      const expiring = await paymentOf(call, merchantId, { reference: 'Pay EXPIRE' });
      const waiting = await paymentOf(call, merchantId, { reference: 'NODEPOSIT', fromCountry: 'Europe' });
      const funded = await paymentOf(call, merchantId, { fromCountry: 'Europe' });
      clock.move(1000);
      const statusOf = async ({ id }: { id: string }) => (await call('GET', `/payments/${id}`)).body.status;
      expect([await statusOf(expiring), await statusOf(waiting), await statusOf(funded)]).toEqual([
        'expired',
        'pending',
        'success',
      ]);
    });

    it('takes a few seconds at the sandbox’s tempo', async () => {
      const clock = handClock();
      const { call } = await started({ clock });
      const { id } = await paymentOf(call, await merchantOf(call));
      clock.move(2500);
      expect((await call('GET', `/payments/${id}`)).body.status).toBe('success');
    });
  });

  describe('GET /payments', () => {
    it('shows every payment once, newest first', async () => {
      const { call } = await tenant();
      const merchantId = await merchantOf(call);
      const made: string[] = [];
      for (let count = 0; count < 25; count += 1) made.push((await paymentOf(call, merchantId)).id);
      const seen = (await everyItem(call, '/payments?limit=10')).map((item) => item.id);
      expect(seen).toEqual(made.toReversed());
    });

    it('loses none while others are made at the same time', async () => {
      const { call } = await tenant();
      const merchantId = await merchantOf(call);
      const before = await Promise.all(Array.from({ length: 30 }, () => paymentOf(call, merchantId)));
      let going = true;
      const noise = (async () => {
        while (going) await paymentOf(call, merchantId);
      })();
      const seen = (await everyItem(call, '/payments?limit=5')).map((item) => item.id);
      going = false;
      await noise;
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    });

    it('writes the schema of a page, without what only the single payment has', async () => {
      const { call } = await tenant();
      await paymentOf(call, await merchantOf(call), { fromCountry: 'UK', tag: 't', meta: '{}' });
      const { body } = await call('GET', '/payments');
      expect(paymentPage.parse(body)).toEqual(body);
      expect(body.items[0]).toMatchObject({ tag: 't', meta: '{}', fromCountry: 'UK' });
      expect(body.items[0]).not.toHaveProperty('statusLog');
      expect(body.items[0]).not.toHaveProperty('depositBankDetails');
    });

    it('shows a user the payments of that user’s tokens only', async () => {
      const base = await tenant();
      const ann = await userOf(base, 'ann@example.com');
      const bob = await userOf(base, 'bob@example.com');
      const merchantId = await merchantOf(base.call);
      const [byTenant, byAnn, byBob] = [
        await paymentOf(base.call, merchantId),
        await paymentOf(ann, merchantId),
        await paymentOf(bob, merchantId),
      ];
      expect((await everyItem(ann, '/payments')).map(({ id }) => id)).toEqual([byAnn.id]);
      expect((await everyItem(base.call, '/payments')).map(({ id }) => id)).toEqual([byBob.id, byAnn.id, byTenant.id]);
      const foreign = await ann('GET', `/payments/${byBob.id}`);
      const missing = await ann('GET', '/payments/00000000-0000-4000-8000-000000000000');
      expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
      expect(missing.status).toBe(404);
      expect((await ann('GET', `/payments/${byTenant.id}`)).status).toBe(404);
      expect((await base.call('GET', `/payments/${byAnn.id}`)).status).toBe(200);
    });

    it.each(['limit=0', 'limit=101', 'offset=abc'])('refuses ?%s', async (query) => {
      const { call } = await tenant();
      expect((await call('GET', `/payments?${query}`)).status).toBe(400);
    });
  });

  describe('limits of the rails', () => {
    const southAfrican = { name: 'A', country: 'SouthAfrica', bankName: 'Nedbank', accountNumber: '1234567890' };
    const kenyan = { name: 'B', country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+254712345678' };
    const friday = Date.parse('2026-11-20T15:59:59+02:00');
    const sunday = Date.parse('2026-11-22T02:00:00+02:00');

    it.each<[string, object, number, object, number, number]>([
      ['South Africa on a Friday afternoon', southAfrican, friday, {}, 5_000_000, 5_000_001],
      ['South Africa at night on a Sunday', southAfrican, sunday, {}, 250_000, 250_001],
      ['Kenya by mobile money', kenyan, friday, {}, 250_000, 250_001],
      ['USDT funding, at what it is worth', southAfrican, sunday, { fromCountry: 'USDT' }, 1_375_000, 1_375_001],
    ])('%s', async (_name, fields, now, more, taken, tooMuch) => {
      const { call } = await started({ clock: handClock(now) });
      const merchantId = await merchantOf(call, fields);
      await paymentOf(call, merchantId, { amount: taken, ...more });
      const sent = { merchantId, reference: 'A', amount: tooMuch, ...more };
      const { status, body } = await call('POST', '/payments', sent);
      expect([status, body.message]).toEqual([422, expect.stringMatching(/amount .* \d+ (ZAR|KES)/)]);
    });

    it('can be set otherwise', async () => {
      const limit = { least: 50, most: 100 };
      const railLimits = { SouthAfrica: { open: limit, otherwise: limit }, Kenya: { momo: limit, bank: limit } };
      const { call } = await started({ railLimits });
      const merchantId = await merchantOf(call, southAfrican);
      const of = async (amount: number) =>
        (await call('POST', '/payments', { merchantId, reference: 'A', amount })).status;
      expect([await of(49), await of(50), await of(100), await of(101)]).toEqual([422, 201, 201, 422]);
    });
  });
});
