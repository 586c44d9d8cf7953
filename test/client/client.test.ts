/** The client at a real server: tokens shared and refreshed, one place that sends, and what a failure says of a payment. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { CallFailure, type Client, openClient } from '../../src/client/client.ts';
import { deadlineMs, type HeldClock, heldClock, newService } from '../held-clock.ts';
import type { Independent, Shape } from '../independent/service.ts';
import { until } from '../support.ts';

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function clientOf(
  url: string,
  more: Partial<Parameters<typeof openClient>[0]> = {},
  clock: Clock = heldClock(),
): Client {
  const client = openClient(
    {
      baseUrl: url,
      apiKey: new Secret('key'),
      apiSecret: new Secret('secret'),
      userId: null,
      concurrency: 16,
      timeoutMs: deadlineMs,
      ...more,
    },
    clock,
  );
  endings.push(() => client.close());
  return client;
}

async function at(shape: Shape = {}): Promise<{ service: Independent; client: Client; clock: HeldClock }> {
  const service = await newService(shape);
  const { clock } = service;
  const secrets = { apiKey: new Secret(service.apiKey), apiSecret: new Secret(service.apiSecret) };
  return { service, client: clientOf(service.url, secrets, clock), clock };
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  endings.push(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (listener: RequestListener) => listening(createServer(listener));

/** A server that gives tokens, and answers POST /payments as the test says. */
const paying = (answer: RequestListener) =>
  serve((request, response) => {
    if (request.url !== '/token') return answer(request, response);
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ token: 'a.b.c', expiry: Date.now() + 3_600_000 }));
  });

const body = { merchantId: 'm', amount: 5, reference: 'Ref', tag: 'q1' };

async function failureOf(client: Client): Promise<CallFailure> {
  await client.ready();
  const error = await client.createPayment(body).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallFailure)) throw new Error(`no CallFailure: ${String(error)}`);
  return error;
}

describe.concurrent('tokens', () => {
  it('sixteen callers at the same moment share one', async () => {
    const { service, client } = await at();
    await Promise.all(Array.from({ length: 16 }, () => client.payment('none')));
    expect(service.calls.get('POST /token')).toBe(1);
  });

  it('sixteen 401 at the same moment make one new token', async () => {
    const { service, client } = await at();
    await client.ready();
    service.rotate();
    await Promise.all(Array.from({ length: 16 }, () => client.payment('none')));
    expect(service.calls.get('POST /token')).toBe(2);
    expect(service.calls.get('GET /payments/:id')).toBe(32);
  });

  it('a late 401 for an old token uses the new one instead of minting a third', async () => {
    const { service, client } = await at();
    await client.ready();
    let late: (() => void) | undefined;
    service.fault = ({ nth, route }) =>
      route === 'GET /payments/:id' && nth === 1
        ? { kind: 'hold', until: new Promise<void>((done) => (late = done)) }
        : undefined;
    const slow = client.payment('slow');
    await until('it was asked', () => late !== undefined);
    service.rotate();
    await client.payment('quick');
    late?.();
    await slow;
    expect(service.calls.get('POST /token')).toBe(2);
  });

  it('are made anew before they end, so that no call meets an old one', async () => {
    const { service, client, clock } = await at({ tokenLifeMs: 5200 });
    let asked = 0;
    for (; clock.moved < 6000; clock.moved += 25) {
      await client.payment('none');
      asked += 1;
    }
    expect(service.calls.get('GET /payments/:id'), 'none was repeated after a 401').toBe(asked);
    expect(service.calls.get('POST /token')).toBe(2);
  });

  it('two mints are at least a second apart', async () => {
    const { service, client, clock } = await at();
    const mints: number[] = [];
    service.fault = ({ route }) => {
      if (route === 'POST /token') mints.push(clock.moved);
      return undefined;
    };
    await client.ready();
    service.rotate();
    await client.payment('none');
    expect(mints).toEqual([0, 1000]);
  });

  it('401 with a new token too surfaces after one repetition', async () => {
    const { service, client } = await at();
    service.fault = ({ route }) => (route === 'GET /payments/:id' ? { kind: 'answer', status: 401 } : undefined);
    await expect(client.payment('x')).rejects.toMatchObject({ code: 'CREDENTIALS_REFUSED' });
    expect(service.calls.get('GET /payments/:id')).toBe(2);
  });

  it('POST /token bears no Authorization header, every other protected call does', async () => {
    const { service, client } = await at();
    const seen: [string, boolean][] = [];
    service.fault = ({ route, token }) => {
      seen.push([route, token !== null]);
      return undefined;
    };
    await client.payment('x');
    await client.banks('Nigeria');
    expect(Object.fromEntries(seen)).toEqual({
      'POST /token': false,
      'GET /payments/:id': true,
      'GET /utils/banks/:country': false,
    });
  });
});

describe.concurrent('one POST /payments', () => {
  it('is refused by a status that the settings name, and in doubt by any other', async () => {
    const url = await paying((request, response) => {
      request.resume();
      response.writeHead(409, { 'content-type': 'application/json' }).end('{"message":"not so"}');
    });
    expect(await failureOf(clientOf(url))).toMatchObject({ outcome: 'unknown', status: 409 });
    const client = clientOf(url, { refused: [409] });
    expect(await failureOf(client)).toMatchObject({ outcome: 'refused', status: 409 });
    const merchant = client.createMerchant({ name: 'A', country: 'BTC', lnurl: 'a@example.com' });
    await expect(merchant).rejects.toMatchObject({ outcome: 'refused' });
  });

  it('is sent once, whatever comes back', async () => {
    for (const status of [200, 302, 400, 401, 403, 408, 409, 429, 500, 503]) {
      let posts = 0;
      const url = await paying((request, response) => {
        posts += 1;
        request.resume();
        response.writeHead(status, { 'content-type': 'application/json', location: '/payments', 'retry-after': '0' });
        response.end('{"message":"x"}');
      });
      await failureOf(clientOf(url));
      expect([status, posts]).toEqual([status, 1]);
    }
  });

  it('nothing listens any more: not sent', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.end(JSON.stringify({ token: 'a.b.c', expiry: Date.now() + 3_600_000 }));
    });
    const client = clientOf(await listening(server));
    await client.ready();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    expect(await failureOf(client)).toMatchObject({ outcome: 'not-sent', message: expect.stringContaining('refused') });
  });

  it('a host name that nobody knows: not sent', async () => {
    const client = clientOf('http://nowhere.invalid');
    await expect(client.ready()).rejects.toMatchObject({ outcome: 'not-sent' });
  });

  it('a server that speaks no TLS: not sent, in one line', async () => {
    const client = clientOf((await serve(() => {})).replace('http:', 'https:'));
    await expect(client.ready()).rejects.toMatchObject({
      outcome: 'not-sent',
      message: expect.stringMatching(/^POST \/token: no TLS .*$/),
    });
  });

  it.each<readonly [string, RequestListener, string, RegExp]>([
    ['a reset before any answer', (request) => request.socket.destroy(), 'unknown', /cut/],
    [
      'an answer that is cut in the middle',
      (_request, response) => {
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"id":"p1"', () => response.destroy());
      },
      'unknown',
      /POST \/payments/,
    ],
    [
      'a chunked answer that is cut in the middle',
      (_request, response) => {
        response.writeHead(201, { 'content-type': 'application/json' });
        response.write('{"id":"p1"}', () => response.destroy());
      },
      'unknown',
      /POST \/payments/,
    ],
    [
      'an answer that changes the protocol',
      (_request, response) => {
        response.writeHead(101, { connection: 'upgrade', upgrade: 'other' });
        response.flushHeaders();
      },
      'unknown',
      /POST \/payments/,
    ],
    ['no HTTP at all', (request) => request.socket.end('SSH-2.0\r\n'), 'unknown', /POST \/payments/],
    ['no answer in time', () => {}, 'unknown', /no answer/],
    [
      'an answer that drips for ever',
      (_request, response) => {
        response.writeHead(201);
        const drip = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(drip));
      },
      'unknown',
      /no answer/,
    ],
    [
      'an answer of many megabytes',
      (_request, response) => {
        response.writeHead(201);
        response.end(Buffer.alloc(4 * 1024 * 1024, 'x'));
      },
      'unknown',
      /larger than/,
    ],
    [
      '201 with text that is no JSON',
      (_request, response) => response.writeHead(201).end('{"id":'),
      'unknown',
      /readable id/,
    ],
    [
      '201 with bytes that are no text',
      (_request, response) => response.writeHead(201).end(Buffer.from([0xff, 0xfe, 0x00])),
      'unknown',
      /readable id/,
    ],
    [
      '422 with words',
      (_request, response) => response.writeHead(422).end('{"error":"too much"}'),
      'refused',
      /422: “too much”/,
    ],
    ['429', (_request, response) => response.writeHead(429, { 'retry-after': '3' }).end(), 'not-sent', /429/],
  ])('%s', async (_title, answer, outcome, says) => {
    const clock = heldClock();
    const url = await paying((request, response) => {
      request.resume();
      answer(request, response);
      if (says.source === 'no answer') void clock.expire(() => true);
    });
    const failure = await failureOf(clientOf(url, {}, clock));
    expect([failure.outcome, failure.message]).toEqual([outcome, expect.stringMatching(says)]);
    expect(inspect(failure, { depth: 10, showHidden: true }), 'no token in the error').not.toContain('a.b.c');
    expect(failure.cause, 'nor in what it carries').toBeUndefined();
  });

  it('no answer in time, by the machine’s own timers', async () => {
    const url = await serve(() => {});
    const client = clientOf(url, { timeoutMs: 20 }, { ...systemClock, sleep: async () => {} });
    await expect(client.countries()).rejects.toThrow('no answer');
  });

  it('a server that accepts and then hangs up at once: unknown, since bytes may have arrived', async () => {
    const url = await paying((request) => request.socket.destroy());
    expect((await failureOf(clientOf(url))).outcome).toBe('unknown');
  });

  it('a kept connection that dies while it rests: unknown, never sent again by itself', async () => {
    let posts = 0;
    const server = createServer((request, response) => {
      request.resume();
      if (request.url === '/token') {
        response.end(JSON.stringify({ token: 'a.b.c', expiry: Date.now() + 3_600_000 }));
        return;
      }
      posts += 1;
      if (posts === 1) response.end('{"id":"p1"}');
      else request.socket.destroy();
    });
    const client = clientOf(await listening(server));
    await client.ready();
    expect((await client.createPayment(body)).id).toBe('p1');
    const failure = await failureOf(client);
    expect([failure.outcome, posts]).toEqual(['unknown', 2]);
  });

  it('a token that no header may hold: not sent, and not told', async () => {
    const url = await serve((_request, response) =>
      response.end(JSON.stringify({ token: 'a.b\nc', expiry: Date.now() + 3_600_000 })),
    );
    const failure = await failureOf(clientOf(url));
    expect([failure.outcome, failure.message]).toEqual(['not-sent', expect.not.stringContaining('a.b')]);
  });

  it('a redirect is not followed, so the token never leaves its host', async () => {
    const seen: (string | undefined)[] = [];
    const thief = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{"id":"stolen"}');
    });
    const url = await paying((request, response) => {
      request.resume();
      response.writeHead(307, { location: `${thief}/payments` }).end();
    });
    expect((await failureOf(clientOf(url))).outcome).toBe('unknown');
    expect(seen).toEqual([]);
  });
});

async function everyPage(client: Client): Promise<unknown[]> {
  const pages: unknown[] = [];
  for await (const page of client.payments()) pages.push(page);
  return pages;
}

describe.concurrent('reading', () => {
  it('a list is read to the null marker, and its markers are sent back as they came', async () => {
    const { service, client } = await at({ pageSize: 1, foreign: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] });
    const pages = await everyPage(client);
    expect(pages).toEqual([[{ id: 'a' }], [{ id: 'b' }], [{ id: 'c' }]]);
    expect(service.calls.get('GET /payments')).toBe(3);
  });

  it('a marker that comes twice is an error, not a loop', async () => {
    const { service, client } = await at();
    service.fault = ({ route }) =>
      route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: 'x' } } : undefined;
    await expect(everyPage(client)).rejects.toMatchObject({ code: 'SERVICE_ANSWER' });
    expect(service.calls.get('GET /payments')).toBe(2);
  });

  it('is tried again after drops and 5xx, five times in all', async () => {
    const { service, client } = await at({ foreign: [{ id: 'a' }] });
    service.fault = ({ route, nth }) => (route === 'GET /payments' && nth < 4 ? { kind: 'drop' } : undefined);
    expect(await everyPage(client)).toEqual([[{ id: 'a' }]]);
    expect(service.calls.get('GET /payments')).toBe(4);
  });

  it('a bank list with names in another field still gives the codes', async () => {
    const { client } = await at({ bankNameField: 'institution' });
    expect(await client.banks('Nigeria')).toContainEqual({
      name: 'Guaranty Trust Bank',
      code: '058',
      branchCode: null,
    });
  });

  it('a bank list tells the branch codes of South Africa', async () => {
    const { client } = await at();
    const standard = { name: 'Standard Bank', code: 'ZA-SBZA', branchCode: '051001' };
    expect(await client.banks('SouthAfrica')).toContainEqual(standard);
  });

  it('a changed merchant is the one that the answer has, wrapped or not; none where it has none', async () => {
    const { service, client } = await at();
    const changed = { id: 'm-1', name: 'Changed' };
    const answers: unknown[] = [changed, { merchant: changed }, { data: changed }, {}, undefined];
    service.fault = ({ route, nth }) =>
      route === 'PATCH /merchants/:id' ? { kind: 'answer', status: 200, body: answers[nth - 1] } : undefined;
    const read = [];
    for (const _ of answers) read.push(await client.patchMerchant('m-1', { name: 'Changed' }));
    const seen = expect.objectContaining(changed);
    expect(read).toEqual([seen, seen, seen, null, null]);
  });

  it('a payment id with a slash stays one path segment', async () => {
    const { service, client } = await at();
    const paths: string[] = [];
    service.fault = ({ path }) => {
      paths.push(path);
      return undefined;
    };
    expect(await client.payment('../merchants')).toBeNull();
    expect(paths.at(-1)).toBe('/payments/..%2Fmerchants');
  });
});
