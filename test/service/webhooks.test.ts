/** Webhooks (interface 6): a real receiver on loopback; other addresses are judged and never contacted. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { startService } from '../../src/service/service.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { webhooksOf } from '../../src/service/store/webhooks.ts';
import { mayReach, readWebhookUrl } from '../../src/service/webhooks/address.ts';
import { deliver, judgedAddresses } from '../../src/service/webhooks/delivery.ts';
import { until } from '../support.ts';
import { callerOf, handClock as clockByHand, merchantOf, onBoth, paymentOf, started, tokenFor } from './started.ts';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** Answers each call with the next of these statuses, and the last one from then on; `0` hangs up. */
async function receiver(...statuses: number[]) {
  return await receiverAt('127.0.0.1', ...statuses);
}

async function receiverAt(host: string, ...statuses: number[]) {
  const calls: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const status = statuses[Math.min(calls.length, statuses.length - 1)] ?? 204;
      calls.push({ headers: request.headers, text });
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  endings.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const come = (count: number) =>
    vi.waitFor(() => expect(calls).toHaveLength(count), { timeout: 60_000, interval: 20 });
  return { url: `http://${host}:${port}/hook`, calls, come, bodies: () => calls.map(({ text }) => JSON.parse(text)) };
}

const settle = { afterMs: 60_000 };

function withAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
const second = 1000;

/** Counts how often it is asked: by each look for calls that are due, for one. */
function counting<T extends Clock>(clock: T): T & { readonly asked: () => number } {
  let asked = 0;
  const now = () => {
    asked += 1;
    return clock.now();
  };
  return { ...clock, now, asked: () => asked };
}
const handClock = () => counting(clockByHand());

/** Several looks later; a call that was made meanwhile may have asked for the time as well. */
async function quiet(clock: ReturnType<typeof handClock>): Promise<void> {
  const enough = clock.asked() + 12;
  await until('the service has looked again', () => clock.asked() >= enough);
}

/** The service looks for calls that are due more often than five times a second. */
beforeAll(() => {
  const often = globalThis.setInterval;
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((act: () => void, ms = 0) =>
    often(act, Math.min(ms, 10))) as typeof setInterval);
});

describe('a payment with a webhookUrl', () => {
  it('pushes each status change when it happens, with the id, status, tag and time', async () => {
    const clock = handClock();
    const start = clock.now();
    const { call } = await started({ clock, settle });
    const hook = await receiver();
    const payment = await paymentOf(call, await merchantOf(call), { tag: 'q1', webhookUrl: hook.url });
    await quiet(clock);
    expect(hook.calls).toHaveLength(0);
    clock.move(20 * second);
    await hook.come(1);
    clock.move(40 * second);
    await hook.come(2);
    const at = (ms: number) => new Date(start + ms).toISOString();
    expect(hook.bodies()).toEqual([
      { eventId: expect.any(String), id: payment.id, status: 'processing', tag: 'q1', time: at(20 * second) },
      { eventId: expect.any(String), id: payment.id, status: 'success', tag: 'q1', time: at(60 * second) },
    ]);
    expect(new Set(hook.bodies().map(({ eventId }) => eventId)).size).toBe(2);
    expect(hook.calls[0]?.headers).not.toHaveProperty('webhook-signature');
    expect((await call('GET', `/payments/${payment.id}`)).body).not.toHaveProperty('webhookUrl');
  });

  it('signs with webhookSecret, which stands nowhere in the data', async () => {
    const clock = handClock();
    const { call, folder } = await started({ clock, settle });
    const hook = await receiver();
    const webhookSecret = 'whsec-canary-7f3a';
    await paymentOf(call, await merchantOf(call), { webhookUrl: hook.url, webhookSecret });
    clock.move(20 * second);
    await hook.come(1);
    const { headers, text } = hook.calls[0]!;
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['webhook-signature'])) ?? [];
    expect(Number(time)).toBe(Math.floor(clock.now() / 1000));
    expect(signature).toBe(createHmac('sha256', webhookSecret).update(`${time}.${text}`).digest('hex'));
    for (const file of ['service.db', 'service.db-wal'])
      expect(readFileSync(join(folder, file)).includes(webhookSecret), file).toBe(false);
  });

  it('calls again, later and later, until it is taken, with the same event', async () => {
    const clock = handClock();
    const { call } = await started({ clock, settle });
    const hook = await receiver(500, 0, 302, 204);
    await paymentOf(call, await merchantOf(call), { webhookUrl: hook.url });
    clock.move(20 * second);
    await hook.come(1);
    await quiet(clock);
    for (const [count, pause] of [
      [2, 1],
      [3, 5],
      [4, 30],
    ] as const) {
      // Just before its time nothing comes; the success of the payment is a call of its own, later.
      clock.move(pause * second - 1);
      await quiet(clock);
      expect(hook.calls).toHaveLength(count - 1);
      clock.move(1);
      await hook.come(count);
      await quiet(clock);
    }
    clock.move(60 * 60 * second);
    await hook.come(5);
    const events = hook.bodies().map(({ status }) => status);
    expect(events).toEqual(['processing', 'processing', 'processing', 'processing', 'success']);
    expect(new Set(hook.bodies().map(({ eventId }) => eventId)).size).toBe(2);
  });

  it('delivers after a restart what was due while the service was down', async () => {
    const clock = handClock();
    const { call, service, folder } = await started({ clock, settle });
    const hook = await receiver();
    await paymentOf(call, await merchantOf(call), { webhookUrl: hook.url });
    await service.close();
    clock.move(60 * second);
    const again = await startService({ dataDir: folder, clock, settle });
    try {
      await hook.come(2);
    } finally {
      await again.close();
    }
  });

  it('waits without writing: while nothing is due, others may hold the database for as long as they like', async () => {
    const lines: object[] = [];
    const clock = counting({ ...systemClock, move: () => {} });
    const { call, folder } = await started({ clock, settle, log: (line) => lines.push(line) });
    const hook = await receiver();
    await paymentOf(call, await merchantOf(call), { webhookUrl: hook.url });
    const other = new DatabaseSync(join(folder, 'service.db'));
    other.exec('BEGIN IMMEDIATE');
    await quiet(clock);
    expect((await call('GET', '/payments')).status).toBe(200);
    other.exec('ROLLBACK');
    other.close();
    expect(lines.filter((line) => 'error' in line)).toEqual([]);
  });

  it('comes to one tenant while those whom another has called do not answer', async () => {
    const clock = handClock();
    const { call, service } = await started({ clock, settle });
    const other = callerOf(service.url, await tokenFor(service, await service.tenants.add('Other')));
    let ended = 0;
    const mute = createServer((request) => request.socket.once('close', () => (ended += 1)));
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
    endings.push(() => mute.close());
    const webhookUrl = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
    const merchantId = await merchantOf(call);
    for (let count = 0; count < 40; count += 1) await paymentOf(call, merchantId, { webhookUrl });
    const hook = await receiver();
    await paymentOf(other, await merchantOf(other), { webhookUrl: hook.url });
    clock.move(60 * second);
    await hook.come(2);
    expect(ended).toBe(0);
    mute.closeAllConnections();
  });

  it('is heard without the rest of an answer that does not end', async () => {
    const clock = handClock();
    const { call } = await started({ clock, settle: { afterMs: 1 } });
    let sent = 0;
    const { promise: closed, resolve: done } = Promise.withResolvers<void>();
    const endless = createServer((_request, response) => {
      const more = () => {
        sent += 65_536;
        response.write(Buffer.alloc(65_536));
      };
      response.on('drain', more).on('close', done);
      more();
    });
    await new Promise<void>((listens) => endless.listen(0, '127.0.0.1', listens));
    endings.push(() => endless.close());
    const webhookUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
    await paymentOf(call, await merchantOf(call), { webhookUrl });
    clock.move(1);
    await closed;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('has five seconds to be answered, and to find where it goes', async () => {
    const ends = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => ends.mockRestore());
    const deadline = () => {
      const { signal, abort } = withAbort();
      ends.mockReturnValueOnce(signal);
      return abort;
    };
    let abort = deadline();
    const mute = createServer(() => abort());
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
    endings.push(() => mute.close());
    const { port } = mute.address() as AddressInfo;
    const delivery = { url: `http://127.0.0.1:${port}/`, secret: null, body: '{}', at: 0 };
    const late = { done: false, status: null, why: expect.stringContaining('no answer') };
    expect(await deliver(delivery, { loopback: true }, async () => [])).toEqual(late);
    abort = deadline();
    const unresolved = deliver({ ...delivery, url: 'https://hooks.example/' }, { loopback: false }, () => {
      setImmediate(abort);
      return new Promise(() => {});
    });
    expect(await unresolved).toEqual(late);
    expect(ends.mock.calls).toEqual([[5000], [5000]]);
  });

  it('can be made to repeat and to come out of order', async () => {
    const clock = handClock();
    const { call, service } = await started({
      clock,
      settle,
      faults: [
        { route: 'webhook', nth: 1, action: { kind: 'postpone', ms: 45 * second } },
        { route: 'webhook', nth: 2, action: { kind: 'repeat', times: 3 } },
      ],
    });
    const hook = await receiver();
    await paymentOf(call, await merchantOf(call), { webhookUrl: hook.url });
    clock.move(20 * second);
    await vi.waitFor(() => expect(service.stats().faults).toEqual({ postpone: 1 }), { timeout: 60_000 });
    clock.move(40 * second);
    await hook.come(3);
    clock.move(5 * second);
    await hook.come(4);
    const statuses = hook.bodies().map(({ status }) => status);
    expect(statuses).toEqual(['success', 'success', 'success', 'processing']);
  });

  it.each<[string, RegExp]>([
    ['no address', /not an address/],
    ['http://hooks.example/a', /https/],
    ['https://10.0.0.1/', /public/],
    ['https://user:pw@hooks.example/', /password/],
    ['ftp://hooks.example/', /https/],
  ])('is refused with 400 for %s', async (webhookUrl, words) => {
    const { call } = await started();
    const merchantId = await merchantOf(call);
    const { status, body } = await call('POST', '/payments', { merchantId, amount: 1, reference: 'A', webhookUrl });
    expect([status, body.message]).toEqual([400, expect.stringMatching(words)]);
  });
});

onBoth(() => {
  it('a call is made by one node alone, also where another has taken it between the look and the claim', async () => {
    const clock = handClock();
    const { call, place } = await started({ clock, settle });
    await paymentOf(call, await merchantOf(call), { webhookUrl: 'https://hooks.example/' });
    const [ours, theirs] = [await openDatabase(place), await openDatabase(place)];
    onTestFinished(async () => void (await Promise.all([ours.destroy(), theirs.destroy()])));
    const later = clock.now() + 60 * second;
    const claim = (db: typeof ours) =>
      webhooksOf(db).claim(later, later + 60 * second, { most: 10, ofOneTenant: 10, counts: new Map() });
    let taken: ReturnType<typeof claim> | undefined;
    const meanwhile: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        taken ??= claim(theirs);
        await taken;
        return result;
      },
    };
    expect(await claim(ours.withPlugin(meanwhile))).toEqual([]);
    expect(await taken).toHaveLength(2);
  });
});

it('does not go to this machine where others reach the service by a public address', async () => {
  const statusAt = async (publicUrl: string) => {
    const { call, service } = await started({ publicUrl });
    const payment = { merchantId: await merchantOf(call), amount: 1, reference: 'A' };
    const { status } = await call('POST', '/payments', { ...payment, webhookUrl: 'http://127.0.0.1:9/' });
    return [service.onLoopback, status];
  };
  expect(await statusAt('https://pay.example/v1')).toEqual([false, 400]);
  expect(await statusAt('http://localhost:8080')).toEqual([true, 201]);
  for (const wrong of ['pay.example', 'ftp://pay.example', 'https://user:pw@pay.example', 'https://pay.example/?a'])
    await expect(statusAt(wrong)).rejects.toThrow(expect.objectContaining({ code: 'PUBLIC_URL_INVALID' }));
});

describe('addresses', () => {
  const outside = { loopback: false };
  const judged = (text: string, rules = outside) => {
    const read = readWebhookUrl(text, rules);
    return 'wrong' in read ? 'refused' : 'taken';
  };

  it.each([
    'https://hooks.example/a?b=c',
    'https://hooks.example:443/',
    'https://hooks.example:8443/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://xn--bcher-kva.example/',
  ])('takes %s', (text) => expect(judged(text)).toBe('taken'));

  it.each([
    'http://hooks.example/',
    'https://hooks.example:22/',
    'https://hooks.example:444/',
    'https://user@hooks.example/',
    'https://:pw@hooks.example/',
    'gopher://hooks.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//hooks.example/',
    'hooks.example',
    '',
    `https://hooks.example/${'a'.repeat(2100)}`,
    'https://localhost/',
    'https://LOCALHOST./',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://198.51.100.7/',
    'https://203.0.113.9/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:93.184.216.34]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
  ])('refuses %s', (text) => expect(judged(text)).toBe('refused'));

  it.each([
    ['http://127.0.0.1:3000/hook', 'taken'],
    ['https://localhost:9/', 'taken'],
    ['http://[::1]:3000/', 'taken'],
    ['http://hooks.example/', 'refused'],
    ['http://10.0.0.1:3000/', 'refused'],
    ['http://user:pw@127.0.0.1/', 'refused'],
    ['http://[::ffff:127.0.0.1]/', 'refused'],
    ['ftp://127.0.0.1/', 'refused'],
  ])('where the service itself is on loopback only: %s is %s', (text, verdict) => {
    expect(judged(text, { loopback: true })).toBe(verdict);
  });

  it('a name is judged by all that it leads to, and resolved once', async () => {
    const url = new URL('https://hooks.example/');
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    expect(await judgedAddresses(url, outside, resolve)).toEqual(['93.184.216.34']);
    expect(asked).toBe(1);
    // The second answer of a name that changes its mind.
    await expect(judgedAddresses(url, outside, resolve)).rejects.toThrow('127.0.0.1');
    await expect(judgedAddresses(url, outside, async () => ['93.184.216.34', '10.0.0.1'])).rejects.toThrow('10.0.0.1');
    await expect(judgedAddresses(url, outside, async () => [])).rejects.toThrow('no address');
    expect(mayReach('no address', outside)).toBe(false);
  });

  it('the connection goes to the judged address, whatever the name says later', async () => {
    // Whoever asks again where `localhost` is comes to another address, where nobody listens.
    const hook = await receiverAt('127.0.0.2');
    const { port } = new URL(hook.url);
    const delivery = { url: `http://localhost:${port}/hook`, secret: null, body: '{}', at: 0 };
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return ['127.0.0.2'];
    };
    expect(await deliver(delivery, { loopback: true }, resolve)).toMatchObject({ done: true, status: 204 });
    expect([asked, hook.calls[0]?.headers.host]).toEqual([1, `localhost:${port}`]);
    const rebound = await deliver(delivery, { loopback: true }, async () => ['10.0.0.1']);
    expect(rebound).toMatchObject({ done: false, status: null, why: expect.stringContaining('10.0.0.1') });
    expect(hook.calls).toHaveLength(1);
  });
});
