/** `--canary N`: the first rows are paid, and seen to be, before any other is sent. */
import { describe, expect, it } from 'vitest';
import { type Ahead, canaryStep } from '../../src/pipeline/controls/canary.ts';
import { command, documentOf, expectOnePaymentEach, kenyanRows, nigerian, pay, southAfrican } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

describe('what is done next', () => {
  it.each<[ahead: Partial<Ahead>, step: ReturnType<typeof canaryStep>]>([
    [{}, 3],
    [{ paid: 1 }, 2],
    [{ open: 1 }, 2],
    [{ paid: 1, open: 2 }, 'follow'],
    [{ open: 9 }, 'follow'],
    [{ paid: 3 }, 'all'],
    [{ paid: 3, open: 5, unpaid: true }, 'all'],
    [{ paid: 2, open: 1, unpaid: true }, 'stop'],
    [{ unpaid: true }, 'stop'],
  ])('%j', (ahead, step) => expect(canaryStep({ paid: 0, open: 0, unpaid: false, ...ahead }, 3)).toBe(step));
});

const rows = [...kenyanRows(6), southAfrican, nigerian];

describe.concurrent('--canary 4', () => {
  it('sends one of each kind and the first rows, and the others when these are paid', async () => {
    const service = await newService({ settleAfterMs: 3_600_000 });
    const desk = deskFor(service, rows);
    const first = await pay(desk, '--batch', 'nov', '--canary', '4');
    expect([first.exit, first.document.stopped?.code]).toEqual([23, 'CANARY_OPEN']);
    const sent = ['Ref 1', 'Salary Nov', 'INV 204', 'Ref 2'];
    expect(service.payments.map(({ reference }) => reference).sort()).toEqual(sent.sort());
    // Neither the same line nor resume sends more while one is open.
    for (const payment of service.payments.slice(1)) Object.assign(payment, { createdAtMs: 0 });
    const resume = async (...more: string[]) =>
      documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '1s', ...more]));
    expect(await resume()).toMatchObject({ exit: 23, sent: 0, stopped: { code: 'CANARY_OPEN' } });
    Object.assign(service.payments[0]!, { createdAtMs: 0 });
    const rest = await resume();
    expect([rest.sent, rest.rows.paid]).toEqual([4, 4]);
    expectOnePaymentEach(service, rows);
  });

  it('sends all of a sheet that has fewer rows', async () => {
    const service = await newService({ settleAfterMs: 0 });
    const { exit, document } = await pay(deskFor(service, kenyanRows(3)), '--canary', '4', '--wait', '20s');
    expect([exit, document.rows.paid, document.stopped]).toEqual([0, 3, null]);
  });

  it('is not stopped by a payee whom the service refuses, because nothing was sent to the payee', async () => {
    const refuses = { status: 422, which: ({ name }: Record<string, unknown>) => name === 'Payee 2' };
    const service = await newService({ settleAfterMs: 0, refuses });
    const flags = ['--batch', 'nov', '--canary', '2', '--skip-invalid', '--wait', '20s'];
    const { exit, document } = await pay(deskFor(service, kenyanRows(5)), ...flags);
    expect([exit, document.rows, document.stopped]).toMatchObject([21, { paid: 4, unpaid: 1 }, null]);
  });

  it.each([
    ['expires', 'expired'],
    ['is refused', 'refused'],
  ])('one that %s keeps the others from being sent', async (_, how) => {
    const service = await newService({ settleAfterMs: 0, expires: new Set(how === 'expired' ? ['Ref 2'] : []) });
    if (how === 'refused')
      service.fault = ({ route, nth }) =>
        route === 'POST /payments' && nth === 2
          ? { kind: 'answer', status: 422, body: { message: 'not this one' } }
          : undefined;
    const desk = deskFor(service, kenyanRows(6));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--canary', '4', '--wait', '20s');
    const reason = expect.stringContaining(`"kind":"${how}"`);
    const stopped = { code: 'CANARY_UNPAID', facts: { row: 3, batch: 'nov', reason } };
    expect([exit, document.stopped]).toMatchObject([22, stopped]);
    const ways = [
      { action: 'retry', batch: 'nov' },
      { action: 'run-sheet', batch: 'nov', file: desk.sheet, add: false },
    ];
    expect(document.next).toMatchObject([
      ...(how === 'refused' ? ways.toReversed() : ways),
      { action: 'drop-rows', batch: 'nov', named: { total: 1, shown: [{ number: 3 }] } },
      { action: 'resume', batch: 'nov', why: 'past-canary' },
    ]);
    expect(document.rows).toMatchObject({ unpaid: 1, not_sent: how === 'expired' ? 2 : 4 });
    const again = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '20s']));
    expect([again.exit, again.sent]).toEqual([22, 0]);
    const without = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '20s', '--canary', '0']));
    expect([without.exit, without.rows]).toMatchObject([21, { paid: 5, unpaid: 1 }]);
    expect(without.unpaid_rows).toEqual([
      {
        row: 3,
        payee: expect.any(String),
        state: how,
        reason: [expect.objectContaining({ kind: how })],
        message: expect.any(String),
      },
    ]);
  });
});
