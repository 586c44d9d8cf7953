/** Interface 8: limits. */
import { expect } from 'vitest';
import { type Body, documentsOf, expectGood, expectRefused, form, pdf, section, valuesIn } from './subject.ts';

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
    for (const limit of [1, 100]) expectGood(await tenant('GET', `/users?limit=${limit}`), 200);
    expect((await tenant('GET', '/users?limit=1')).body.items.length).toBeLessThanOrEqual(1);
    await expectAtMost100(await tenant('GET', '/users?limit=101'));
  });

  says('GET /merchants limit: default 100, maximum 100.', async ({ payer }) => {
    for (const limit of [1, 100]) expectGood(await payer('GET', `/merchants?limit=${limit}`), 200);
    await expectAtMost100(await payer('GET', '/merchants?limit=1000'));
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

  saysWith('clock')('Presigned document URL: valid 900 seconds.', async ({ faulty }) => {
    const { payment, payer, moveClock } = await faulty([]);
    const { id } = await payment();
    expectGood(await payer('POST', `/payments/${id}/document`, form({ file: pdf() })));
    const { items } = await documentsOf(payer, id);
    moveClock(890_000);
    expect((await fetch(items[0].presignedUrl)).status).toBe(200);
    moveClock(11_000);
    expect((await fetch(items[0].presignedUrl)).status).toBeGreaterThanOrEqual(400);
  });
});

/** A limit beyond the largest is refused or cut to it: which, is not shown. */
async function expectAtMost100({ status, body }: { status: number; body: Body }): Promise<void> {
  if (status === 200) expect(body.items.length).toBeLessThanOrEqual(100);
  else expect(status).toBe(400);
}
