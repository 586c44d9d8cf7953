/** Interface 6: events. What is delivered is not shown; what a request may carry is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { eventually, expectGood, section } from './subject.ts';

section('6. Events', ({ says, saysWith }) => {
  says('A payment accepts optional webhookUrl and webhookSecret.', async ({ merchant, payer }) => {
    const { id: merchantId } = await merchant();
    const whole = { merchantId, amount: 100, reference: 'Pay', webhookUrl: 'https://hooks.example.com/payments' };
    expectGood(await payer('POST', '/payments', { ...whole, webhookSecret: 'a secret for signing' }));
    expectGood(await payer('POST', '/payments', whole));
  });

  // Elsewhere nothing could call back to this machine.
  saysWith('settle')(
    'When webhookUrl and webhookSecret are given, status changes are pushed in real time instead of polling.',
    async ({ payment }) => {
      const pushed: string[] = [];
      const hook = createServer((request, response) => {
        let text = '';
        request.on('data', (chunk: Buffer) => (text += chunk.toString()));
        request.on('end', () => {
          pushed.push(text);
          response.end();
        });
      });
      await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
      try {
        const webhookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
        const { id } = await payment({ webhookUrl, webhookSecret: 'a secret for signing' });
        const naming = async () => pushed.filter((text) => text.includes(id));
        const texts = await eventually(naming, (found) => found.some((text) => text.includes('success')));
        expect(texts.join()).toContain('success');
      } finally {
        hook.close();
      }
    },
  );

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
