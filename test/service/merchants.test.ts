/** Merchants and reference data (interface 2.7, 2.9, 4.14 to 4.19). */
import { describe, expect, it } from 'vitest';
import { merchant, merchantPage } from '../../src/wire/merchant.ts';
import { bankDetails, bankNames } from '../../src/wire/reference.ts';
import { merchantOf, nigerian, onBoth, tenant, userOf } from './started.ts';

const lnurl =
  'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS';

onBoth(() => {
  describe('reference data', () => {
    it('lists banks by name, and with details, whatever the case of the country', async () => {
      const { anonymous } = await tenant();
      for (const country of ['SouthAfrica', 'nigeria', 'KENYA']) {
        const names = await anonymous('GET', `/utils/banks/${country}`);
        const details = await anonymous('GET', `/utils/banks/${country}?showDetails=true`);
        expect([names.status, details.status]).toEqual([200, 200]);
        expect(bankNames.parse(names.body).length).toBeGreaterThan(10);
        const banks = bankDetails.parse(details.body);
        expect(banks.map((bank) => bank.name)).toEqual(names.body);
        expect(new Set(banks.map((bank) => bank.code)).size).toBe(banks.length);
        expect(banks.filter((bank) => bank.code === bank.name)).toEqual([]);
        const withBranch = banks.filter((bank) => bank.branchCode !== undefined);
        expect(withBranch.length > 0).toBe(country === 'SouthAfrica');
      }
      expect((await anonymous('GET', '/utils/banks/SouthAfrica?showDetails=false')).body).toContain('Nedbank');
      expect((await anonymous('GET', '/utils/banks/Europe')).status).toBe(400);
    });

    it('lists the countries exactly, and codes on request', async () => {
      const { anonymous } = await tenant();
      expect((await anonymous('GET', '/utils/countries')).body).toEqual(
        'BTC Bitcoin SouthAfrica Nigeria Kenya Europe UnitedKingdom USDT Tether'.split(' '),
      );
      const codes = await anonymous('GET', '/utils/countries?showIsoCodes=true');
      expect(codes.body).toEqual(['BTC', 'ZA', 'NG', 'KE', 'EU', 'GB', 'USDT']);
    });
  });

  describe('POST /merchants', () => {
    const good: [string, object, object?][] = [
      ['a South African bank', { country: 'SouthAfrica', bankName: 'Nedbank', accountNumber: '1234567890' }],
      [
        'Standard Bank, with a well-formed account',
        { country: 'SouthAfrica', bankName: 'Standard Bank', accountNumber: '000000019' },
      ],
      [
        'a Nigerian bank by name',
        { country: 'Nigeria', bankName: 'First Bank of Nigeria', accountNumber: '0000014579' },
        { bankCode: '011' },
      ],
      [
        'a Nigerian bank by code',
        { country: 'Nigeria', bankCode: '011', accountNumber: '0000014579' },
        { bankName: 'First Bank of Nigeria' },
      ],
      [
        'a Nigerian bank by a code of another kind',
        { country: 'Nigeria', bankCode: '000058', accountNumber: '0123456785' },
        { bankName: 'Guaranty Trust Bank', bankCode: '058' },
      ],
      ['Kenyan mobile money', { country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+254712345678' }],
      [
        'a Kenyan bank',
        { country: 'Kenya', bankName: 'Equity Bank', accountNumber: '0123456789012' },
        { bankCode: '68' },
      ],
      ['a Lightning Address', { country: 'BTC', lnurl: 'ada@example.com' }],
      ['an LNURL', { country: 'BTC', lnurl }],
      ['a Lightning Address of 4,096 characters', { country: 'BTC', lnurl: `${'a'.repeat(4084)}@example.com` }],
      ['an empty name', { name: '', country: 'BTC', lnurl: 'ada@example.com' }],
    ];

    it.each(good)('takes %s', async (_what, fields, resolved = {}) => {
      const { call, anonymous } = await tenant();
      const sent = { name: 'Ada (Obi) @ 1/2, a.b_c-d', ...fields };
      // The table may spell it differently; the list has the last word.
      if ('bankName' in sent && sent.bankName === 'Equity Bank') {
        const banks = (await anonymous('GET', '/utils/banks/Kenya?showDetails=true')).body as {
          name: string;
          code: string;
        }[];
        sent.bankName = banks.find((bank) => bank.code === '68')!.name;
      }
      const { status, body } = await call('POST', '/merchants', { ...sent, unknown: { field: 1 } });
      expect([status, body]).toEqual([201, { ...sent, ...resolved, id: body.id }]);
      expect(merchant.strict().parse(body)).toEqual(body);
      expect((await call('GET', `/merchants/${body.id}`)).body).toEqual(body);
    });

    const bad: [object, RegExp][] = [
      [{ name: 'A', country: 'Nigeria', accountNumber: '0000014579', bankName: 'Bank of Nowhere' }, /Bank of Nowhere/],
      [{ name: 'A', country: 'Nigeria', accountNumber: '0000014579', bankCode: '999' }, /999/],
      [{ name: 'A', country: 'Nigeria', accountNumber: '0000014579' }, /bankName or bankCode/],
      [{ name: 'A', country: 'Nigeria', accountNumber: '0000014579', bankName: 'Zenith Bank', bankCode: '011' }, /011/],
      [{ name: 'A', country: 'Nigeria', bankCode: '011' }, /accountNumber/],
      [{ name: 'A', country: 'Nigeria', bankCode: '011', accountNumber: '0000014578' }, /0000014578.*check digit/],
      [{ name: 'A', country: 'Nigeria', bankCode: '011', accountNumber: '14579' }, /10 digits/],
      [{ name: 'A', country: 'SouthAfrica', bankName: 'Standard Bank', accountNumber: '000000018' }, /check digit/],
      [{ name: 'A', country: 'SouthAfrica', bankName: 'Nedbank', accountNumber: '12 34' }, /digits/],
      [{ name: 'A', country: 'SouthAfrica', bankCode: '198765', accountNumber: '1234567890' }, /bankName/],
      [{ name: 'A', country: 'Kenya', networkProvider: 'OTHER', contactNumber: '+254712345678' }, /MOMO/],
      [{ name: 'A', country: 'Kenya', contactNumber: '+254712345678' }, /networkProvider/],
      [{ name: 'A', country: 'Kenya', networkProvider: 'MOMO' }, /contactNumber/],
      [{ name: 'A', country: 'Kenya', networkProvider: 'MOMO', contactNumber: '0712345678' }, /contactNumber/],
      [{ name: 'A', country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+25471234567' }, /contactNumber/],
      [{ name: 'A', country: 'BTC' }, /lnurl/],
      [{ name: 'A', country: 'BTC', lnurl: 'lnurl1xyz' }, /lnurl/],
      [{ name: 'A', country: 'BTC', lnurl: `${'a'.repeat(4085)}@example.com` }, /lnurl.*4096/],
      [{ name: 'A', country: 'South Africa', bankName: 'Nedbank', accountNumber: '1234567890' }, /country/],
      [{ name: 'A', country: 'Europe' }, /country/],
      [{ name: "O'Brien", country: 'BTC', lnurl: 'ada@example.com' }, /name/],
      [{ name: 'A'.repeat(255), country: 'BTC', lnurl: 'ada@example.com' }, /name/],
      [{ country: 'BTC', lnurl: 'ada@example.com' }, /name is required/],
    ];

    it.each(bad)('refuses %j', async (body, words) => {
      const { call } = await tenant();
      const answer = await call('POST', '/merchants', body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message: expect.stringMatching(words) });
      expect((await call('GET', '/merchants')).body.items).toEqual([]);
    });

    it('makes two merchants of two equal calls', async () => {
      const { call } = await tenant();
      expect(await merchantOf(call)).not.toBe(await merchantOf(call));
      expect((await call('GET', '/merchants')).body.items).toHaveLength(2);
    });
  });

  describe('PATCH /merchants/:id', () => {
    it('changes what is sent and checks the whole again', async () => {
      const { call } = await tenant();
      const id = await merchantOf(call);
      const renamed = await call('PATCH', `/merchants/${id}`, { name: 'Ada B' });
      expect([renamed.status, renamed.body]).toEqual([200, { ...nigerian, bankCode: '011', name: 'Ada B', id }]);
      const moved = await call('PATCH', `/merchants/${id}`, { bankName: 'Access Bank', accountNumber: '0123456784' });
      expect(moved.body).toMatchObject({ bankName: 'Access Bank', bankCode: '044', accountNumber: '0123456784' });
      const wrong = await call('PATCH', `/merchants/${id}`, { accountNumber: '0123456785' });
      expect(wrong.status).toBe(400);
      expect((await call('GET', `/merchants/${id}`)).body).toEqual(moved.body);
      const coined = await call('PATCH', `/merchants/${id}`, { country: 'BTC', lnurl: 'ada@example.com' });
      expect(coined.body).toEqual({ id, name: 'Ada B', country: 'BTC', lnurl: 'ada@example.com' });
      expect((await call('PATCH', `/merchants/${id}`, {})).body).toEqual(coined.body);
    });

    it('outside Nigeria a bankCode changes nothing, as it does when a merchant is made', async () => {
      const { call } = await tenant();
      const bank = { name: 'A', bankName: 'KCB Bank Kenya', accountNumber: '1234567890' };
      for (const fields of [
        { ...bank, country: 'SouthAfrica', bankName: 'Nedbank' },
        { ...bank, country: 'Kenya' },
      ]) {
        const { body } = await call('POST', '/merchants', { ...fields, bankCode: '01' });
        const patched = await call('PATCH', `/merchants/${body.id}`, { bankCode: '01' });
        expect([patched.status, patched.body]).toEqual([200, body]);
      }
    });

    it('a Kenyan payee goes from mobile money to a bank and back', async () => {
      const { call } = await tenant();
      const momo = { networkProvider: 'MOMO', contactNumber: '+254712345678' };
      const bank = { bankName: 'KCB Bank Kenya', accountNumber: '1234567890' };
      const id = await merchantOf(call, { name: 'A', country: 'Kenya', ...momo });
      const merchant = { id, name: 'A', country: 'Kenya' };
      expect((await call('PATCH', `/merchants/${id}`, bank)).body).toEqual({ ...merchant, ...bank, bankCode: '01' });
      expect((await call('PATCH', `/merchants/${id}`, momo)).body).toEqual({ ...merchant, ...momo });
    });

    it('loses no change of many at once', async () => {
      const { call } = await tenant();
      const id = await merchantOf(call, {
        name: 'A',
        country: 'Kenya',
        networkProvider: 'MOMO',
        contactNumber: '+254700000000',
      });
      for (let round = 1; round <= 5; round += 1) {
        const contactNumber = `+25470000000${round}`;
        const networkProvider = round % 2 === 0 ? 'MOMO' : 'momo';
        const changes = [{ name: `B ${round}` }, { contactNumber }, { networkProvider }];
        await Promise.all(changes.map((change) => call('PATCH', `/merchants/${id}`, change)));
        const { body } = await call('GET', `/merchants/${id}`);
        expect(body).toEqual({ id, country: 'Kenya', name: `B ${round}`, contactNumber, networkProvider });
      }
    });

    it('is seen by a user of the tenant, and may be made by one', async () => {
      const base = await tenant();
      const asUser = await userOf(base, 'a@example.com');
      const id = await merchantOf(base.call);
      const own = await merchantOf(asUser, { name: 'B', country: 'BTC', lnurl: 'b@example.com' });
      expect((await asUser('PATCH', `/merchants/${id}`, { name: 'C' })).status).toBe(200);
      expect((await base.call('GET', `/merchants/${own}`)).status).toBe(200);
    });
  });

  describe('GET /merchants', () => {
    it('pages by marker, without losing or repeating any while others are added', async () => {
      const { call } = await tenant();
      const ids: string[] = [];
      for (let count = 0; count < 10; count += 1) ids.push(await merchantOf(call));
      const seen: string[] = [];
      let path = '/merchants?limit=3';
      for (;;) {
        const { body } = await call('GET', path);
        expect(merchantPage.strict().parse(body)).toEqual(body);
        seen.push(...body.items.map((item: { id: string }) => item.id));
        if (body.offsetMarker === null) break;
        path = `/merchants?limit=3&offset=${body.offsetMarker}`;
        await merchantOf(call);
      }
      expect(seen).toEqual(ids.toReversed());
    });

    it('has a null marker on a last page that is full', async () => {
      const { call } = await tenant();
      for (let count = 0; count < 4; count += 1) await merchantOf(call);
      const first = (await call('GET', '/merchants?limit=2')).body;
      expect(first.items).toHaveLength(2);
      const second = (await call('GET', `/merchants?limit=2&offset=${first.offsetMarker}`)).body;
      expect([second.items.length, second.offsetMarker]).toEqual([2, null]);
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=1.5',
      'limit=x',
      'limit=',
      'limit=1&limit=2',
      'offset=abc',
      'offset=',
      'offset=MQ.AAAAAAAAAAAAAA',
    ])('refuses ?%s', async (query) => {
      const { call } = await tenant();
      const { status, body } = await call('GET', `/merchants?${query}`);
      expect([status, Object.keys(body)]).toEqual([400, ['message']]);
    });
  });
});
