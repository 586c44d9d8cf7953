/** Interface 6: events. What is delivered is not shown; what a request may carry is. */
import { expect } from 'vitest';
import { expectGood, section } from './subject.ts';

section('6. Events', ({ says }) => {
  says('A payment accepts optional webhookUrl and webhookSecret.', async ({ merchant, payer }) => {
    const { id: merchantId } = await merchant();
    const whole = { merchantId, amount: 100, reference: 'Pay', webhookUrl: 'https://hooks.example.com/payments' };
    expectGood(await payer('POST', '/payments', { ...whole, webhookSecret: 'a secret for signing' }));
    expectGood(await payer('POST', '/payments', whole));
  });

  says('The sub-payments of a payment group carry group metadata in meta (2.8).', async ({ payment }) => {
    const meta = {
      paymentGroupExecutionId: '0b4a4f4e-6a5f-4f0e-8e57-7a1e3a1a9a10',
      isMemberPayout: true,
      memberIndex: 3,
      memberName: 'Ada',
    };
    const { read } = await payment({ meta: JSON.stringify(meta) });
    expect(JSON.parse(read.meta)).toMatchObject(meta);
  });
});
