/** The service cannot be used: exit 25, no row is lost or in doubt, and the same command pays later. */
import { describe, expect, it } from 'vitest';
import { command, expectOnePaymentEach, kenyanRows, pay } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

/** No machine serves it, and no other test is given it, as a port that was just closed may be. */
const closedPort = 1;

const rows = kenyanRows(4);

describe.concurrent('exit 25, and the rows stay payable', () => {
  it('nothing listens at the address', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const dead = { ...desk, env: { ...desk.env, PAYRUN_BASE_URL: `http://127.0.0.1:${closedPort}` } };
    const { exit, document } = await pay(dead);
    expect([exit, document.sent, document.rows]).toMatchObject([25, 0, { total: 4, not_sent: 4 }]);
    expect(document.stopped).toMatchObject({
      code: 'SERVICE_UNREACHABLE',
      message: expect.stringContaining('127.0.0.1'),
    });
    expect(document.result, 'a result exists as soon as a batch does').not.toBeNull();
    expect(await command(dead, ['funding', document.batch ?? '', '--json'])).toMatchObject({
      exit: 25,
      out: expect.stringContaining('SERVICE_UNREACHABLE'),
    });
  });

  it('the secret is wrong; with the right one the same batch is paid', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const wrong = { ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'hunter2' } };
    const first = await pay(wrong);
    expect([first.exit, first.document.rows]).toMatchObject([25, { not_sent: 4 }]);
    expect(first.document.stopped).toMatchObject({ code: 'CREDENTIALS_REFUSED', facts: { hint: null } });
    expect(first.out + first.err).not.toContain('hunter2');
    expect(service.calls.get('POST /token'), 'a refused pair is not tried again').toBe(1);
    const second = await pay(desk);
    expect([second.document.sent, second.document.batch]).toEqual([4, first.document.batch]);
    expectOnePaymentEach(service, rows);
  });

  it.each([
    [401, 'POST /payments'],
    [403, 'POST /payments'],
  ] as const)('%i for every %s, with a new token too', async (status, route) => {
    const service = await newService();
    service.fault = (call) => (call.route === route ? { kind: 'answer', status, body: { message: 'no' } } : undefined);
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk);
    expect([exit, document.rows]).toMatchObject([25, { total: 4, not_sent: 4 }]);
    if (status === 403) expect(document.stopped?.message).toContain('PAYRUN_USER_ID');
    expect(service.calls.get('POST /token')).toBe(2);
    service.fault = () => undefined;
    expect((await pay(desk)).document.sent).toBe(4);
    expectOnePaymentEach(service, rows);
  });

  it('429 for every payment: five waits as told, then the run ends', async () => {
    const service = await newService();
    service.fault = ({ route }) =>
      route === 'POST /payments' ? { kind: 'answer', status: 429, headers: { 'retry-after': '0' } } : undefined;
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk);
    expect([exit, document.rows, document.stopped?.code]).toMatchObject([25, { not_sent: 4 }, 'SERVICE_BUSY']);
    service.fault = () => undefined;
    await pay(desk);
    expectOnePaymentEach(service, rows);
  });

  it('the merchants answer 500', async () => {
    const service = await newService();
    service.fault = ({ route }) => (route === 'GET /merchants' ? { kind: 'answer', status: 500 } : undefined);
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk);
    expect([exit, document.rows]).toMatchObject([25, { not_sent: 4 }]);
    expect(service.calls.get('GET /merchants')).toBe(5);
    service.fault = () => undefined;
    await pay(desk);
    expectOnePaymentEach(service, rows);
  });

  it.each([
    ['is a web page', '<html>maintenance</html>'],
    ['has no marker', { items: [] }],
    ['has a marker that never ends', { items: [], offsetMarker: 'again' }],
    ['has no items', { offsetMarker: null }],
    ['has a number for a marker', { items: [], offsetMarker: 7 }],
  ])('the list of payments %s: without a complete pass nothing is sent', async (_title, body) => {
    const service = await newService();
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'answer', status: 200, body } : undefined);
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk);
    expect([exit, document.rows, document.stopped?.code]).toMatchObject([25, { not_sent: 4 }, 'PASS_INCOMPLETE']);
    expect(service.payments).toHaveLength(0);
    service.fault = () => undefined;
    await pay(desk);
    expectOnePaymentEach(service, rows);
  });

  it('the token answer has no token: its field names are said, its values never', async () => {
    const service = await newService({
      tokenAnswer: (token, expiry) => ({ session: { bearer: token.replaceAll('.', '') }, expiry }),
    });
    const { exit, document, out, err } = await pay(deskFor(service, rows));
    expect([exit, document.stopped?.message]).toEqual([25, expect.stringMatching(/\(bearer, expiry\)/)]);
    expect(out + err).not.toMatch(/head1/);
  });

  it('an expiry in seconds is not guessed', async () => {
    const service = await newService({
      tokenAnswer: (token, expiry) => ({ token, expiry: Math.floor(expiry / 1000) }),
    });
    const { exit, document } = await pay(deskFor(service, rows));
    expect([exit, document.stopped?.code]).toEqual([25, 'SERVICE_ANSWER']);
  });

  it('a redirect is not followed with the token', async () => {
    const [service, thief] = [await newService(), await newService()];
    service.fault = ({ route }) =>
      route === 'GET /merchants'
        ? { kind: 'answer', status: 307, headers: { location: `${thief.url}/merchants` } }
        : undefined;
    const { exit } = await pay(deskFor(service, rows));
    expect([exit, thief.total()]).toEqual([25, 0]);
  });

  it('plan says so too', async () => {
    const service = await newService();
    const desk = deskFor(service, rows, { PAYRUN_API_SECRET: 'wrong' });
    expect((await command(desk, ['plan', desk.sheet])).exit).toBe(25);
  });
});

describe.concurrent('plan', () => {
  it('makes no call that changes anything', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const { exit, out } = await command(desk, ['plan', desk.sheet]);
    expect([exit, service.merchants.size, service.payments.length]).toEqual([0, 0, 0]);
    expect([...service.calls.keys()].filter((route) => !route.startsWith('GET'))).toEqual(['POST /token']);
    expect(out).toMatch(/^ *Payees: 4; .*: 0; .*: 4\.$/m);
  });
});
