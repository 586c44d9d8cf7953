/** What goes wrong on the way to the service and back: no row ever has two payments, and every doubt is shown until it is settled. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deskFor, type HeldService, newService } from '../held-clock.ts';
import type { Call, Fault } from '../independent/service.ts';
import { csvOf, expectNoTwins, expectOnePaymentEach, kenyanRows, oneOfEach, pay, resultOf } from '../support.ts';

const rows = kenyanRows(12);

/** The nth payment goes wrong; every other call is as it should be. */
const atPayment =
  (nth: number, fault: Fault) =>
  (call: Call): Fault | undefined =>
    call.route === 'POST /payments' && call.nth === nth ? fault : undefined;

const html = '<html><body>502 Bad Gateway</body></html>';

/** Answers that leave a doubt; the payment exists (`made`) or does not. */
const doubts: readonly (readonly [string, Fault, made: boolean])[] = [
  ['the connection drops before the payment is made', { kind: 'drop' }, false],
  ['the connection drops after the payment was made', { kind: 'drop', after: true }, true],
  ['500 after the payment was made', { kind: 'answer', status: 500, after: true }, true],
  ['503 and no payment', { kind: 'answer', status: 503, headers: { 'retry-after': '1' } }, false],
  ['502 as a web page, after the payment was made', { kind: 'answer', status: 502, body: html, after: true }, true],
  ['408 after the payment was made', { kind: 'answer', status: 408, after: true }, true],
  ['409 after the payment was made', { kind: 'answer', status: 409, after: true }, true],
  ['a status nobody knows', { kind: 'answer', status: 460, after: true }, true],
  ['400 as a web page, which may be a proxy', { kind: 'answer', status: 400, body: html, after: true }, true],
  ['a redirect', { kind: 'answer', status: 302, headers: { location: '/elsewhere' } }, false],
  ['201 with an empty body', { kind: 'answer', status: 201, body: '', after: true }, true],
  ['201 without a readable id', { kind: 'answer', status: 201, body: { ok: true }, after: true }, true],
  ['200 as a web page', { kind: 'answer', status: 200, body: html }, false],
  ['an answer that is cut in the middle', { kind: 'cut' }, true],
];

it('a status that the configuration takes for a refusal leaves its row unpaid, and in no doubt', async () => {
  const service = await newService();
  service.fault = atPayment(5, { kind: 'answer', status: 409, body: { message: 'the payee is blocked' } });
  const desk = deskFor(service, rows);
  writeFileSync(join(desk.folder, 'payrun.config.json'), '{"statuses":{"refused":[409]}}');
  const { exit, document } = await pay(desk, '--wait', '20s');
  expect([exit, document.rows]).toMatchObject([21, { total: 12, paid: 11, unpaid: 1, in_doubt: 0 }]);
  expect(resultOf(document.result).map(({ payrun_reason }) => payrun_reason)).toContainEqual(
    expect.stringContaining('the payee is blocked'),
  );
});

describe.concurrent('a payment without a usable answer is in doubt, exit 22, and is not sent again', () => {
  it.each(doubts)('%s', async (_title, fault, made) => {
    const service = await newService();
    service.fault = atPayment(5, fault);
    const desk = deskFor(service, rows);
    const first = await pay(desk);
    const settledAtOnce = first.document.rows.in_doubt === 0;
    if (!settledAtOnce) {
      expect([first.exit, first.document.rows]).toMatchObject([22, { total: 12, in_doubt: 1, pending: 11 }]);
      const doubt = resultOf(first.document.result).find(({ payrun_status }) => payrun_status === 'in doubt');
      expect(doubt?.payrun_reason).not.toBe('');
    } else expect(made, 'only what exists can be found').toBe(true);
    expectNoTwins(service);
    const second = await pay(desk, '--wait', '20s');
    expectNoTwins(service);
    if (made) {
      expect([second.exit, second.document.rows.paid]).toEqual([0, 12]);
      expectOnePaymentEach(service, rows);
    } else {
      expect([second.exit, second.document.rows]).toMatchObject([22, { in_doubt: 1, paid: 11 }]);
      expect(service.calls.get('POST /payments'), 'nothing is sent for a row in doubt').toBe(12);
    }
  });

  it('a time-out after the payment was made', async () => {
    const service = await newService();
    const posts = () => service.calls.get('POST /payments');
    service.fault = atPayment(5, { kind: 'hold', after: true, until: new Promise(() => {}) });
    const desk = deskFor(service, rows);
    const unheard = service.clock.expire(() => posts() === 12);
    const first = await pay(desk);
    await unheard;
    expect(first.document.rows.in_doubt + first.document.rows.pending).toBe(12);
    const second = await pay(desk, '--wait', '20s');
    expect([second.exit, second.document.rows.paid]).toEqual([0, 12]);
    expectOnePaymentEach(service, rows);
  });

  it('the very first payment, which goes alone', async () => {
    const service = await newService();
    service.fault = atPayment(1, { kind: 'drop', after: true });
    const desk = deskFor(service, oneOfEach);
    await pay(desk);
    const second = await pay(desk, '--wait', '20s');
    expect([second.exit, second.document.rows.paid]).toEqual([0, 4]);
    expectOnePaymentEach(service, oneOfEach);
  });

  it('many in a row: paying stops, the money in doubt is said, and the next run finds what was made', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 2 ? { kind: 'answer', status: 500, after: true } : undefined;
    const desk = deskFor(service, kenyanRows(60));
    const first = await pay(desk, '--concurrency', '2');
    expect([22, 25]).toContain(first.exit);
    expect(service.payments.length, 'paying stopped').toBeLessThan(30);
    service.fault = () => undefined;
    const second = await pay(desk, '--wait', '20s');
    expect([second.exit, second.document.rows.paid]).toEqual([0, 60]);
    expectOnePaymentEach(service, kenyanRows(60));
  });
});

const passing: readonly (readonly [string, (service: HeldService) => (call: Call) => Fault | undefined])[] = [
  [
    'a deployment in the middle: 401 for every token of before',
    (service) => (call) => {
      if (call.route === 'POST /payments' && call.nth === 6) service.rotate();
      return undefined;
    },
  ],
  ['one 401 by chance', () => atPayment(4, { kind: 'answer', status: 401 })],
  ['one 403 by chance', () => atPayment(4, { kind: 'answer', status: 403 })],
  ['429 with seconds', () => atPayment(4, { kind: 'answer', status: 429, headers: { 'retry-after': '1' } })],
  [
    '429 with a date',
    ({ clock }) =>
      (call) =>
        atPayment(4, {
          kind: 'answer',
          status: 429,
          headers: { 'retry-after': new Date(clock.now() + 1500).toUTCString() },
        })(call),
  ],
  [
    '429 with a date in the past',
    () => atPayment(4, { kind: 'answer', status: 429, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' } }),
  ],
  ['429 with nonsense', () => atPayment(4, { kind: 'answer', status: 429, headers: { 'retry-after': 'soon' } })],
  ['429 without a word', () => atPayment(4, { kind: 'answer', status: 429 })],
  [
    '429 for the very first payment',
    () => atPayment(1, { kind: 'answer', status: 429, headers: { 'retry-after': '0' } }),
  ],
  [
    '429 for POST /token',
    () =>
      ({ route, nth }) =>
        route === 'POST /token' && nth === 1
          ? { kind: 'answer', status: 429, headers: { 'retry-after': '1' } }
          : undefined,
  ],
  [
    '500 for POST /token',
    () =>
      ({ route, nth }) =>
        route === 'POST /token' && nth === 1 ? { kind: 'answer', status: 500 } : undefined,
  ],
  [
    'a dropped page of the list',
    () =>
      ({ route, nth }) =>
        route === 'GET /payments' && nth === 1 ? { kind: 'drop' } : undefined,
  ],
  [
    'a cut page of the list',
    () =>
      ({ route, nth }) =>
        route === 'GET /payments' && nth === 1 ? { kind: 'cut' } : undefined,
  ],
  [
    'GET of the first payment fails twice',
    () =>
      ({ route, nth }) =>
        route === 'GET /payments/:id' && nth < 3 ? { kind: 'answer', status: 503 } : undefined,
  ],
  [
    'a merchant is made and its answer lost',
    () =>
      ({ route, nth }) =>
        route === 'POST /merchants' && nth === 2 ? { kind: 'drop', after: true } : undefined,
  ],
  [
    'a merchant is not made and no answer comes',
    () =>
      ({ route, nth }) =>
        route === 'POST /merchants' && nth === 2 ? { kind: 'drop' } : undefined,
  ],
  [
    '500 for a merchant that was made',
    () =>
      ({ route, nth }) =>
        route === 'POST /merchants' && nth === 2 ? { kind: 'answer', status: 500, after: true } : undefined,
  ],
  [
    '429 for a merchant',
    () =>
      ({ route, nth }) =>
        route === 'POST /merchants' && nth === 2
          ? { kind: 'answer', status: 429, headers: { 'retry-after': '0' } }
          : undefined,
  ],
  [
    'the banks cannot be listed',
    () =>
      ({ route }) =>
        route === 'GET /utils/banks/:country' ? { kind: 'answer', status: 404, body: 'gone' } : undefined,
  ],
];

describe.concurrent('what passes by itself needs no second run', () => {
  it.each(passing)('%s', async (_title, faultOf) => {
    const service = await newService();
    service.fault = faultOf(service);
    const { exit, document } = await pay(deskFor(service, rows), '--wait', '20s');
    expect([document.stopped, exit, document.sent, document.rows.paid]).toEqual([null, 0, 12, 12]);
    expectOnePaymentEach(service, rows);
    expect(service.merchants.size, 'no payee was made twice').toBe(5);
  });
});

describe.concurrent('what the list of payments shows before anything is sent', () => {
  it('a payment under our tag, made by another ledger, is adopted and not made again', async () => {
    const service = await newService();
    const first = deskFor(service, rows);
    await pay(first, '--batch', 'nov');
    const other = deskFor(service, rows);
    const { document } = await pay(other, '--batch', 'nov', '--wait', '20s');
    expect([document.sent, service.calls.get('POST /payments')]).toEqual([0, 12]);
    expectOnePaymentEach(service, rows);
  });

  it('a payment under our tag with another amount is held, and nothing is sent for the row', async () => {
    const service = await newService();
    await pay(deskFor(service, rows), '--batch', 'nov');
    const changed = rows.map((row, index) => (index === 0 ? { ...row, amount: '777' } : row));
    const { exit, document } = await pay(deskFor(service, changed), '--batch', 'nov');
    expect([exit, document.sent, document.rows.held]).toEqual([22, 0, 1]);
    expect(service.payments).toHaveLength(12);
    expect(resultOf(document.result)[0]?.payrun_reason).toContain('another');
  });

  it('two payments under one tag are an alarm: 27, and nothing more is sent', async () => {
    const service = await newService();
    const desk = deskFor(service, rows.slice(0, 3));
    service.fault = atPayment(3, { kind: 'drop', after: true });
    await pay(desk, '--batch', 'nov');
    const [lost] = service.payments.filter(({ reference }) => reference === 'Ref 3');
    if (lost === undefined) throw new Error('the payment was made');
    service.payments.push({ ...lost, id: 'twin' });
    service.fault = () => undefined;
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 4)));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--add');
    expect([exit, document.sent, document.rows.in_doubt]).toEqual([27, 0, 1]);
    expect(resultOf(document.result)[2]).toMatchObject({
      payrun_status: 'in doubt',
      payrun_reason: expect.stringContaining('twin'),
    });
  });
});

describe.concurrent('tags that do not come back blind every later search', () => {
  it.each([
    ['another tag', () => 'yours'],
    ['a tag cut short', (tag: string) => tag.slice(0, 10)],
  ])('%s stops the run after one payment, with 25', async (_title, foldTag) => {
    const service = await newService({ foldTag });
    const { exit, document } = await pay(deskFor(service, rows));
    expect([exit, service.payments.length, document.stopped?.code]).toEqual([25, 1, 'TAG_LOST']);
    expect(document.rows).toMatchObject({ pending: 1, not_sent: 11 });
  });
});

describe.concurrent('an id that another row has already', () => {
  it('is no proof of a payment: the row is in doubt', async () => {
    const service = await newService();
    let first: unknown;
    service.fault = ({ route, nth }) => {
      if (route !== 'POST /payments' || nth !== 4) return undefined;
      first = service.payments[0]?.id;
      return { kind: 'answer', status: 201, body: { id: first }, after: true };
    };
    const desk = deskFor(service, rows);
    const { document } = await pay(desk);
    expect(document.rows.in_doubt + document.rows.pending).toBe(12);
    const second = await pay(desk, '--wait', '20s');
    expect([second.exit, second.document.rows.paid]).toEqual([0, 12]);
    expectOnePaymentEach(service, rows);
  });
});
