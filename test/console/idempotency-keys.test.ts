/** A browser may send a POST again by itself, where its connection was cut before the answer came: nothing is done twice for that. */
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ErrorAnswer, Upload } from '../../src/console/api.ts';
import { type IdempotencyKeys, openOnce } from '../../src/console/http/idempotency-keys.ts';
import { acts, routesOf } from '../../src/console/http/route.ts';
import { buildServer } from '../../src/console/http/server.ts';
import { csvOf, kenyanRows, until } from '../support.ts';
import { openOffice } from './office.ts';
import { type Browser, openDesk, passwordOf } from './served.ts';

/** What has come to a server of this process, by the key that it bears. */
const came = new Map<string, IncomingMessage[]>();
const onRequest = (message: unknown) => {
  const { request: asked } = message as { readonly request: IncomingMessage };
  const key = String(asked.headers['x-payrun-once']);
  came.set(key, [...(came.get(key) ?? []), asked]);
};
beforeAll(() => subscribe('http.server.request.start', onRequest));
afterAll(() => void unsubscribe('http.server.request.start', onRequest));

type Key = Readonly<Record<'x-payrun-once', string>>;
/** The last one under the key. */
const lastOf = (key: Key) => came.get(key['x-payrun-once'])?.at(-1);
/** Until so many have. */
const comes = async (key: Key, count: number) =>
  await until(`${count} under one key`, () => came.get(key['x-payrun-once'])?.length === count);

const newKey = () => ({ 'x-payrun-once': randomBytes(16).toString('hex') });
const sheet = csvOf(kenyanRows(3, 8));

/** A server with one route for whoever is logged in, and how often that was carried out. */
async function counting(answer: (nth: number) => unknown = () => ({})) {
  const counted = { done: 0 };
  const routes = routesOf({
    'POST /api/count': acts('person', z.object({}), async () => {
      counted.done += 1;
      return await answer(counted.done);
    }),
  });
  const origins: string[] = [];
  const { app, close } = buildServer({
    routes,
    page: { at: () => null },
    origins: () => origins,
    tls: null,
    behindProxy: false,
    secure: false,
    sessions: { whoIs: () => ({ id: 1, name: 'Ann', role: 'preparer' }), bearsToken: () => true },
    log: (fault) => expect.fail(String(fault)),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  origins.push(url);
  const post = async (key = newKey(), signal: AbortSignal | null = null) =>
    await (
      await fetch(`${url}/api/count`, {
        method: 'POST',
        headers: { ...key, origin: url, 'content-type': 'application/json' },
        body: '{}',
        signal,
      })
    ).text();
  return Object.assign(counted, {
    url,
    post,
    [Symbol.asyncDispose]: () => close(),
  });
}

/** In parts, each once `between` them has come about; cut after them where more was announced. */
async function send<T>(
  url: string,
  headers: Record<string, string>,
  parts: readonly string[],
  between: () => Promise<void>,
) {
  return await new Promise<{ readonly status: number | undefined; readonly body: T }>((told, failed) => {
    const sent = request(url, { method: 'POST', headers: { origin: new URL(url).origin, ...headers } }, (response) => {
      text(response).then((said) => told({ status: response.statusCode, body: JSON.parse(said) as T }), failed);
    });
    sent.on('error', failed);
    void (async () => {
      const isWhole = parts.join('').length === Number(headers['content-length']);
      for (const [nth, part] of parts.entries()) {
        sent.write(part);
        if (nth < parts.length - 1 || !isWhole) await between();
      }
      if (isWhole) sent.end();
      else sent.destroy(new Error('cut'));
    })().catch(failed);
  });
}

/** Files as a browser hands them in. */
async function handingIn() {
  const office = await openOffice();
  const form = (content: string) =>
    `--a-boundary\r\nContent-Disposition: form-data; name="file"; filename="nov.csv"\r\n\r\n${content}\r\n--a-boundary--\r\n`;
  const uploads = join(office.folder, 'console', 'uploads');
  const sizes = () =>
    (existsSync(uploads) ? readdirSync(uploads, { recursive: true, encoding: 'utf8' }) : []).map(
      (name) => statSync(join(uploads, name), { throwIfNoEntry: false })?.size,
    );
  return {
    /** The last so many bytes come once all of the file lies there and `meanwhile` is done; or `cut` never. */
    handIn: async (key: Key, content: string, late = 0, cut = false, meanwhile = async () => {}) => {
      const body = form(content);
      const headers = {
        ...key,
        'x-person': 'Nomsa',
        'content-type': 'multipart/form-data; boundary=a-boundary',
        'content-length': String(body.length),
      };
      const parts = [body.slice(0, body.length - late), ...(late === 0 || cut ? [] : [body.slice(-late)])];
      return await send<Upload & ErrorAnswer>(
        `http://127.0.0.1:${office.port}/api/uploads`,
        headers,
        parts,
        async () => {
          await until('all of the file is written', () => sizes().includes(content.length));
          await meanwhile();
        },
      );
    },
    count: async () => (await office.get<Upload[]>('Nomsa', '/api/uploads')).body.length,
  };
}

describe('a POST that comes twice', () => {
  it('is carried out once, and answered as the first time', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const invite = () => ann.post('/api/people', { name: 'Ben', role: 'preparer' }, key);
    const [one, two] = await Promise.all([invite(), invite()]);
    const later = await invite();
    expect([one.status, two.text, later.text]).toEqual([201, one.text, one.text]);
    expect(later.headers).toMatchObject({ 'content-type': one.headers['content-type'], 'cache-control': 'no-store' });
    expect(desk.ledger.people.accounts().map(({ name }) => name)).toEqual(['Ann', 'Ben']);
  });

  it('is another one with another key, or in another session', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const invite = async (who: Browser, name: string, more: object) =>
      (await who.post('/api/people', { name, role: 'preparer' }, { ...more })).status;
    const other = await desk.again('Ann', 'administrator');
    expect([
      await invite(ann, 'Ben', key),
      await invite(ann, 'Ben', newKey()),
      await invite(other, 'Cas', key),
      // Who says none asks each time.
      await invite(ann, 'Dan', {}),
      await invite(ann, 'Dan', {}),
    ]).toEqual([201, 409, 201, 201, 409]);
  });

  it('is answered to nobody from elsewhere', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const body = { name: 'Ben', role: 'preparer' };
    expect((await ann.post('/api/people', body, key)).status).toBe(201);
    const foreign = await ann.post('/api/people', body, { ...key, origin: 'https://example.com' });
    const stranger = await desk.browser().post('/api/people', body, key);
    expect([foreign.status, stranger.status]).toEqual([403, 401]);
  });

  it('is done anew where the first one did not come whole', async () => {
    await using one = await counting((done) => ({ done }));
    const key = newKey();
    const headers = { ...key, 'content-type': 'application/json', 'content-length': '2' };
    const begun = async () => await until('its beginning is read', () => (lastOf(key)?.socket.bytesRead ?? 0) > 0);
    const post = async (body: string) => (await send(`${one.url}/api/count`, headers, [body], begun)).body;
    await expect(post('{')).rejects.toThrow('cut');
    expect([await post('{}'), await post('{}'), one.done]).toEqual([{ done: 1 }, { done: 1 }, 1]);
  });

  it('is answered as the first one, whose connection was cut while it was carried out', async () => {
    const { promise: free, resolve: end } = Promise.withResolvers<void>();
    await using one = await counting(async (nth) => {
      await free;
      return { nth };
    });
    const key = newKey();
    const cut = new AbortController();
    const first = one.post(key, cut.signal);
    await expect.poll(() => one.done).toBe(1);
    const { socket } = lastOf(key)!;
    cut.abort();
    await expect(first).rejects.toThrow('aborted');
    await until('the server knows that it is cut', () => socket.destroyed);
    const again = one.post(key);
    await comes(key, 2);
    end();
    expect([await again, await one.post(key)]).toEqual(['{"nth":1}', '{"nth":1}']);
  });

  it('is refused where it asks for something else', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const invite = async (name: string) => await ann.post('/api/people', { name, role: 'preparer' }, key);
    expect((await invite('Ben')).status).toBe(201);
    const other = await invite('Cas');
    expect([other.status, other.json]).toEqual([409, { code: 'KEY_USED', message: expect.stringMatching(/not done/) }]);
    expect((await ann.post('/api/session/seen', {}, key)).status).toBe(409);
    expect(desk.ledger.people.accounts().map(({ name }) => name)).toEqual(['Ann', 'Ben']);
  });

  it('logs in nobody as somebody else: of whoever is not logged in nothing is remembered', async () => {
    const desk = await openDesk();
    await desk.seated('Ann', 'administrator');
    await desk.seated('Ben', 'preparer');
    const key = newKey();
    const login = async (name: string, password: string) =>
      await desk.browser().post('/api/login', { name, password }, key);
    const ann = await login('Ann', passwordOf('Ann'));
    const ben = await login('Ben', 'not the password of anybody');
    const again = await login('Ann', passwordOf('Ann'));
    expect([ann.status, ben.status, ben.headers['set-cookie'], again.status]).toEqual([200, 401, undefined, 200]);
    expect(again.headers['set-cookie']).not.toEqual(ann.headers['set-cookie']);
  });

  it('is answered to nobody who has logged out since, nor without the token of the page', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const { cookie, csrf } = ann;
    const invite = async () => (await ann.post('/api/people', { name: 'Ben', role: 'preparer' }, key)).status;
    expect(await invite()).toBe(201);
    ann.csrf = 'another';
    expect(await invite()).toBe(403);
    ann.csrf = csrf;
    expect((await ann.post('/api/logout', {}, newKey())).status).toBe(200);
    Object.assign(ann, { cookie, csrf });
    expect(await invite()).toBe(401);
  });

  it('is done once where another program of the same machine set a cookie meanwhile', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const invite = async () => await ann.post('/api/people', { name: 'Ben', role: 'preparer' }, key);
    const first = await invite();
    ann.cookie += '; theme=dark';
    const again = await invite();
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('hands in a file once, where the last bytes of its form came a moment later', async () => {
    const { handIn, count } = await handingIn();
    const key = newKey();
    const first = await handIn(key, sheet, 2);
    const again = await handIn(key, sheet);
    expect([first.status, again, await count()]).toEqual([201, first, 1]);
  });

  it('hands in a file once, where both are under way; another file is refused', async () => {
    const { handIn, count } = await handingIn();
    const key = newKey();
    const both = async () => await comes(key, 2);
    const [first, again] = await Promise.all([handIn(key, sheet, 2, false, both), handIn(key, sheet)]);
    const other = await handIn(key, sheet.replace('102', '201'));
    expect([first.status, again, other.body.code, await count()]).toEqual([201, first, 'KEY_USED', 1]);
  });

  it('hands in a file once, where the first one broke off within its last bytes', async () => {
    const { handIn, count } = await handingIn();
    const key = newKey();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const first = handIn(key, sheet, 2, true, async () => {
      begin();
      await comes(key, 2);
    });
    const broken = expect(first).rejects.toThrow('cut');
    await begun;
    const again = await handIn(key, sheet);
    await broken;
    expect([again.status, await count()]).toEqual([201, 1]);
  });
});

describe('the answers that are kept', () => {
  const request = (key: Key) => ({ headers: key, url: '/', raw: Readable.from(['{}']) }) as unknown as FastifyRequest;

  /** Asks as the server does: the answer is the kept one, or the one that is given now. */
  async function asks(keys: IdempotencyKeys, key: Key, answer: string, meanwhile = async () => {}): Promise<string> {
    const [asked, sent] = [request(key), { text: answer }];
    const reply = {
      statusCode: 200,
      getHeaders: () => ({}),
      code: () => reply,
      headers: () => reply,
      send: (text: string) => Object.assign(sent, { text }),
    } as unknown as FastifyReply;
    if (await keys.answers(asked, reply)) return sent.text;
    await meanwhile();
    await finished(asked.raw.resume());
    keys.told(asked, reply, answer);
    return answer;
  }
  const many = async (keys: IdempotencyKeys, count: number, answer = '{}') => {
    for (let nth = 0; nth < count; nth += 1) await asks(keys, newKey(), answer);
  };

  it('are the last thousand', async () => {
    const [keys, key] = [openOnce(), newKey()];
    await asks(keys, key, 'first');
    await many(keys, 999);
    expect(await asks(keys, key, 'second')).toBe('first');
    await many(keys, 1);
    expect(await asks(keys, key, 'second')).toBe('second');
  });

  it('are 16 MiB at most', async () => {
    const [keys, key, long] = [openOnce(), newKey(), 'x'.repeat(500_000)];
    await asks(keys, key, long);
    await many(keys, 32, long);
    expect(await asks(keys, key, 'second')).toBe(long);
    await many(keys, 1, long);
    expect(await asks(keys, key, 'second')).toBe('second');
  });

  it('do not push out a request that is under way', async () => {
    const [keys, key] = [openOnce(), newKey()];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: free, resolve: end } = Promise.withResolvers<void>();
    const first = asks(keys, key, 'first', async () => {
      begin();
      await free;
    });
    await begun;
    await many(keys, 1001);
    const second = asks(keys, key, 'second');
    end();
    expect([await first, await second]).toEqual(['first', 'first']);
  });
});
