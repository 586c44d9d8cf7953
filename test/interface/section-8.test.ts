/** Interface 8: limits. */
import { expect } from 'vitest';
import {
  type Body,
  type Call,
  documentsOf,
  expectGood,
  expectRefused,
  form,
  kenyanPhone,
  newEmail,
  pdf,
  section,
  tokenIn,
  valuesIn,
} from './subject.ts';

const hour = 60 * 60 * 1000;
const tenMegabytes = 10_000_000;
const tenMebibytes = 10 * 1024 * 1024;

section('8. Limits', ({ says, saysWith }) => {
  says(
    'Tenant/API token lifetime: about 1 hour. User token lifetime: 24 hours.',
    async ({ anonymous, tenant, someone, credentials }) => {
      const lifeOf = (body: Body) =>
        (valuesIn(body).find((value) => typeof value === 'number' && value > 1e12) as number | undefined) ?? null;
      const { body } = await anonymous('POST', '/token', credentials);
      expect(Math.abs(lifeOf(body)! - Date.now() - hour)).toBeLessThan(hour / 2);
      const minted = await tenant('POST', '/tokens/user', { userId: someone.userId });
      // The answer need not say when a user token ends; its own claim does.
      const { exp } = JSON.parse(Buffer.from(someone.token.split('.')[1]!, 'base64url').toString());
      const until = lifeOf(minted.body) ?? exp * 1000;
      expect(Math.abs(until - Date.now() - 24 * hour)).toBeLessThan(hour / 2);
    },
  );

  says('KYC file: PDF, PNG, JPEG, JPG; at most 10 MB.', async ({ someone, tenant }) => {
    const path = `/users/${someone.userId}/kyc-documents`;
    expectGood(await tenant('POST', path, form({ documentType: 'other', file: pdf(tenMegabytes) })));
    // Between ten million and 10,485,760 bytes either is right.
    expectRefused(await tenant('POST', path, form({ documentType: 'other', file: pdf(tenMebibytes + 1) })));
  });

  says('GET /users limit: 1 to 100, default 100.', async ({ tenant }) => {
    await times(101, () => tenant('POST', '/users', { email: newEmail(), name: 'A' }));
    await expectPages(tenant, '/users');
  });

  says('GET /merchants limit: default 100, maximum 100.', async ({ payer, merchant }) => {
    await times(101, () => merchant());
    await expectPages(payer, '/merchants');
  });

  says('Payment reference: 1 to 20 characters of letters, digits, space.', async ({ merchant, payer }) => {
    const { id: merchantId } = await merchant();
    for (const [length, good] of [
      [0, false],
      [1, true],
      [20, true],
      [21, false],
    ] as const) {
      const answer = await payer('POST', '/payments', { merchantId, amount: 100, reference: 'r'.repeat(length) });
      if (good) expectGood(answer);
      else expectRefused(answer);
    }
  });

  says(
    'Merchant name: 0 to 254 characters from letters, digits, space and @ / ( ) . , _ -.',
    async ({ payer, nigerian }) => {
      for (const [length, good] of [
        [0, true],
        [254, true],
        [255, false],
      ] as const) {
        const answer = await payer('POST', '/merchants', { ...nigerian, name: 'n'.repeat(length) });
        if (good) expectGood(answer);
        else expectRefused(answer);
      }
    },
  );

  says('Payment amount: whole number in destination currency.', async ({ merchant, payer }) => {
    const { id: merchantId } = await merchant();
    for (const amount of [0.5, 100.01, '100']) {
      expectRefused(await payer('POST', '/payments', { merchantId, amount, reference: 'Pay' }));
    }
  });

  says(
    'Payment document guidance: payments above 50,000 ZAR should carry supporting documents, and none is refused for want of them.',
    async ({ merchant, payment, southAfrican }) => {
      const { id: merchantId } = await merchant(southAfrican);
      expect((await payment({ merchantId, amount: 50_001 })).read.amount).toBe(50_001);
    },
  );

  saysWith('choice')(
    'South Africa (ZAR) payment limits depend on time of day in the Africa/Johannesburg time zone.',
    async ({ another, southAfrican }) => {
      const { anonymous, credentials, with: withToken, merchant, moveClock } = await another();
      const { id: merchantId } = await merchant(southAfrican);
      const sixHours = 6 * hour;
      // A week has hours of both kinds, whichever day is a holiday.
      const paid = new Set<boolean>();
      for (let moment = 0; moment < 28 && paid.size < 2; moment += 1) {
        moveClock(sixHours);
        const call = withToken(tokenIn((await anonymous('POST', '/token', credentials)).body));
        expectGood(await call('POST', '/payments', { merchantId, amount: 250_000, reference: 'Pay' }));
        const large = await call('POST', '/payments', { merchantId, amount: 250_001, reference: 'Pay' });
        if (large.status >= 400) expect(large.status).toBe(422);
        paid.add(large.status < 400);
      }
      expect(paid).toEqual(new Set([true, false]));
    },
  );

  saysWith('choice')(
    'Kenya (KES) maximum amount depends on the recipient merchant’s payout rail.',
    async ({ anonymous, merchant, payer }) => {
      const [bankName] = (await anonymous('GET', '/utils/banks/Kenya')).body;
      const byMomo = { name: 'A', country: 'Kenya', networkProvider: 'MOMO', contactNumber: kenyanPhone() };
      const byBank = { name: 'A', country: 'Kenya', bankName, accountNumber: '01234567890' };
      for (const [fields, most] of [
        [byMomo, 250_000],
        [byBank, 999_999],
      ] as const) {
        const { id: merchantId } = await merchant(fields);
        const statusOf = async (amount: number) =>
          (await payer('POST', '/payments', { merchantId, amount, reference: 'Pay' })).status;
        expect([await statusOf(most), await statusOf(most + 1)]).toEqual([201, 422]);
      }
    },
  );

  saysWith('clock')('Presigned document URL: valid 900 seconds.', async ({ another }) => {
    const { payment, payer, moveClock } = await another({ stands: true });
    const { id } = await payment();
    expectGood(await payer('POST', `/payments/${id}/document`, form({ file: pdf() })));
    const { items } = await documentsOf(payer, id);
    moveClock(890_000);
    expect((await fetch(items[0].presignedUrl)).status).toBe(200);
    moveClock(11_000);
    expect((await fetch(items[0].presignedUrl)).status).toBeGreaterThanOrEqual(400);
  });
});

async function times(count: number, make: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, make));
}

/** Of a list with more than a hundred items. */
async function expectPages(call: Call, path: string): Promise<void> {
  const lengthOf = async (query: string) => {
    const answer = await call('GET', path + query);
    expectGood(answer, 200);
    expect(answer.body.offsetMarker).toBeTypeOf('string');
    return answer.body.items.length;
  };
  expect([await lengthOf(''), await lengthOf('?limit=100'), await lengthOf('?limit=1')]).toEqual([100, 100, 1]);
  // A limit outside is refused or cut: which, is not shown.
  for (const limit of [101, 1000, 0, -1, 1.5, 'many']) {
    const { status, body } = await call('GET', `${path}?limit=${limit}`);
    if (status === 200) expect(body.items.length).toBeLessThanOrEqual(100);
    else expect(status).toBe(400);
  }
}
