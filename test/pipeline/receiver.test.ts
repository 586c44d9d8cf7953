/** Where webhooks come in: what is taken for a hint, and what is refused or passed over, by calls over real sockets. */
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { type Hint, openReceiver, type Receiver } from '../../src/pipeline/webhooks/receiver.ts';
import { signatureOf } from '../../src/wire/webhook.ts';

const secret = 'whsec-canary-51d2';
const event = { eventId: 'e-1', id: 'p-1', status: 'success', time: '2026-11-21T08:00:00.000Z' };

const open: Receiver[] = [];
afterEach(async () => {
  for (const receiver of open.splice(0)) await receiver.close();
});

async function receiving(more: { secret?: Secret | null; unsigned?: boolean; take?: (hint: Hint) => boolean } = {}) {
  const hints: Hint[] = [];
  const settings = { host: '127.0.0.1', port: 0, secret: new Secret(secret), unsigned: false, ...more };
  const take = more.take ?? ((hint: Hint) => hints.push(hint) > 0);
  const receiver = await openReceiver(settings, systemClock, take);
  open.push(receiver);
  const call = async (body: string, headers: Record<string, string> = {}, method = 'POST') =>
    (await fetch(receiver.url, { method, headers, ...(method === 'GET' ? {} : { body }) })).status;
  return { hints, receiver, call };
}

const seconds = () => Math.floor(Date.now() / 1000);
const signed = (body: string, at = seconds(), key = secret) => ({ 'webhook-signature': signatureOf(key, at, body) });

describe('a receiver with a secret', () => {
  it('takes a signed call, once however often it comes', async () => {
    const { hints, call } = await receiving();
    const body = JSON.stringify(event);
    const headers = signed(body);
    expect([await call(body, headers), await call(body, headers)]).toEqual([204, 204]);
    expect(hints).toEqual([{ ids: ['p-1', 'e-1'], signed: true }]);
  });

  it('takes it again after it was busy: nothing that was not taken counts as heard', async () => {
    let room = false;
    const { call } = await receiving({ take: () => room });
    const body = JSON.stringify(event);
    expect(await call(body, signed(body))).toBe(503);
    room = true;
    expect(await call(body, signed(body))).toBe(204);
  });

  it.each<[string, (body: string) => Record<string, string>]>([
    ['no signature', () => ({})],
    ["another secret's signature", (body) => signed(body, seconds(), 'guessed')],
    ["another body's signature", () => signed('{"id":"p-2"}')],
    ['a signature of six minutes ago', (body) => signed(body, seconds() - 360)],
    ['a signature of six minutes hence', (body) => signed(body, seconds() + 360)],
    [
      'the time of a new call and the signature of an old one',
      (body) => ({
        'webhook-signature': signatureOf(secret, seconds() - 360, body).replace(/^t=\d+/, `t=${seconds()}`),
      }),
    ],
    ['a signature cut short', (body) => ({ 'webhook-signature': signed(body)['webhook-signature'].slice(0, -1) })],
    ['letters that are no ASCII', () => ({ 'webhook-signature': `t=${seconds()},v1=${'\u00e9'.repeat(64)}` })],
  ])('refuses %s with 401', async (_title, headers) => {
    const { hints, call } = await receiving();
    const body = JSON.stringify(event);
    expect(await call(body, headers(body))).toBe(401);
    expect(hints).toEqual([]);
  });

  it('that takes unsigned calls too tells them from signed ones, and still refuses a wrong signature', async () => {
    const { hints, call } = await receiving({ unsigned: true });
    const body = JSON.stringify(event);
    expect(await call(body)).toBe(204);
    expect(await call(body)).toBe(204);
    expect(await call(body, signed(body, seconds(), 'guessed'))).toBe(401);
    // The body of a next change may be the same: without an event's own id nobody can tell a copy from news.
    expect(hints).toEqual([1, 2].map(() => ({ ids: ['p-1', 'e-1'], signed: false })));
  });
});

describe('whatever the call', () => {
  it.each<[string, number, string, string?]>([
    ['no JSON', 400, 'id=p-1'],
    ['no payment in it', 400, '{"status":"success"}'],
    ['nothing', 400, ''],
    ['an id that is a path', 400, '{"id":"../tokens/user"}'],
    ['64 KiB and a byte', 413, `{"id":"p-1","x":"${'a'.repeat(64 * 1024)}"}`],
    ['a GET', 405, '', 'GET'],
    ['a PUT', 405, '{"id":"p-1"}', 'PUT'],
  ])('%s is refused: %i', async (_title, status, body, method) => {
    const { hints, call } = await receiving({ secret: null, unsigned: true });
    expect(await call(body, {}, method)).toBe(status);
    expect(hints).toEqual([]);
  });

  it('ids are found wherever a service may put them, the likeliest first', async () => {
    const { hints, call } = await receiving({ secret: null, unsigned: true });
    await call(JSON.stringify({ id: 'evt-9', event: 'x', data: { payment: { id: 77, merchantId: 'm-1' } } }));
    await call(JSON.stringify([{ payment_id: 'p-5' }]));
    await call(`${'{"a":'.repeat(60)}{"id":"deep"}${'}'.repeat(60)}`);
    expect(await call('['.repeat(60_000)), 'no JSON').toBe(400);
    expect(await call(`${'['.repeat(30_000)}${']'.repeat(30_000)}`), 'no program of a service writes this').toBe(400);
    await call(JSON.stringify({ id: 'p-6', more: Array.from({ length: 500 }, (_, n) => ({ id: `x${n}` })) }));
    expect(hints.map(({ ids }) => ids.slice(0, 3))).toEqual([
      ['evt-9', '77', 'm-1'],
      ['p-5'],
      ['deep'],
      ['p-6', 'x0', 'x1'],
    ]);
    expect(hints.at(-1)?.ids.length).toBeLessThanOrEqual(20);
  });

  it('a body that never ends, or never comes, holds nobody up', async () => {
    const { receiver, call, hints } = await receiving({ secret: null, unsigned: true });
    const { port } = new URL(receiver.url);
    const slow = Array.from({ length: 50 }, () => connect(Number(port), '127.0.0.1'));
    for (const socket of slow) {
      socket.on('error', () => {});
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n{');
    }
    expect(await call('{"id":"p-1"}')).toBe(204);
    const endless = connect(Number(port), '127.0.0.1');
    let said = '';
    endless.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise((done) => endless.on('close', done).on('error', () => {}));
    endless.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
    for (let count = 0; count < 8; count += 1) endless.write(chunk);
    await ended;
    expect(said).toMatch(/^HTTP\/1.1 413 /);
    expect(hints).toHaveLength(1);
    for (const socket of slow) socket.destroy();
  });

  it('a port that is taken is said', async () => {
    const { receiver } = await receiving();
    const settings = { host: '127.0.0.1', port: Number(new URL(receiver.url).port), secret: null, unsigned: true };
    await expect(openReceiver(settings, systemClock, () => true)).rejects.toMatchObject({
      code: 'WEBHOOKS_UNHEARD',
      facts: { why: { fault: 'address-is-in-use' } },
    });
  });
});
