/** What holds whatever is asked and by whom: names, headers, cookies, bodies, and where the console may listen at all. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/digest.ts';
import type { TrailPage } from '../../src/console/api.ts';
import { codingFor } from '../../src/console/http/compress.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { command, newFolder, refusalOf, usageAbout } from '../support.ts';
import { type Answer, type Asked, ask, openDesk } from './served.ts';

/** Of every answer: what a browser needs to be told of each. */
const everyAnswer = {
  'content-security-policy':
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
    "form-action 'self';frame-ancestors 'none';base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

function withPage(): string {
  const page = newFolder();
  mkdirSync(join(page, 'assets'));
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Payrun</title>');
  writeFileSync(join(page, 'assets', 'main-1a2b.js'), 'void 0');
  return page;
}

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const post = (body: string, headers: Readonly<Record<string, string>> = {}): Asked => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body,
});

describe('the headers', () => {
  const asked: readonly (readonly [status: number, path: string, asked?: Asked])[] = [
    [200, '/'],
    [200, '/batches/2026-11/rows'],
    [200, '/batches/november.mended'],
    [404, '/none.js'],
    [200, '/api/session'],
    [204, '/healthz'],
    [404, '/assets/none.js'],
    [404, '/../ledger.db'],
    [404, '/%2e%2e/ledger.db'],
    [404, '/api/none'],
    [404, '/api'],
    [404, '/api/session', { method: 'DELETE' }],
    [404, '/', { method: 'POST' }],
    [400, '/%'],
    [401, '/api/people'],
    [421, '/', { host: 'evil.example' }],
    [421, '/api/none', { host: 'evil.example' }],
    [403, '/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
    [415, '/api/login', post('{}', { 'content-type': 'text/plain' })],
    [400, '/api/login', post('{')],
    [400, '/api/login', post('{"name":"a","password":"b","__proto__":{"x":1}}')],
    [400, '/api/login', post('{"name":"a","password":"b","more":1}')],
    [400, '/api/login', post(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
    [413, '/api/login', post(JSON.stringify({ name: 'a'.repeat(1024 * 1024), password: 'b' }))],
  ];

  it('stand on every answer, refusals and faults included', async () => {
    const told: string[] = [];
    const secret = 'the secret reason';
    const fault = () => Promise.reject(new Error(secret));
    const desk = await openDesk({
      page: withPage(),
      log: (fault) => void told.push(String(fault)),
      serviceFault: fault,
    });
    for (const [status, path, how] of asked) {
      const answer = await ask(desk.console.url, path, how);
      expect([path, answer.status, answer.headers]).toMatchObject([path, status, everyAnswer]);
    }
    expect(told).toEqual([]);
    const broken = await (await desk.seated('Vusi', 'viewer')).get('/api/health');
    expect([broken.status, broken.headers]).toMatchObject([500, everyAnswer]);
    expect(broken.text).not.toContain(secret);
    expect(told.join()).toContain(secret);
    expect(await raw(desk.console.url, 'nonsense\r\n\r\n')).toContain(everyAnswer['content-security-policy']);
  });

  it('let browsers keep what has its digest in the name, and nothing else', async () => {
    const desk = await openDesk({ page: withPage() });
    const { headers, text } = await ask(desk.console.url, '/assets/main-1a2b.js');
    expect([headers['cache-control'], headers['content-type'], text]).toEqual([
      'public, max-age=31536000, immutable',
      'text/javascript; charset=utf-8',
      'void 0',
    ]);
  });

  it('ask for https from then on where browsers come by https', async () => {
    const { console } = await openDesk({ behindProxy: 'https://pay.example.org', page: withPage() });
    for (const path of ['/', '/api/none'])
      expect((await ask(console.local, path, { host: 'pay.example.org' })).headers).toMatchObject({
        ...everyAnswer,
        'strict-transport-security': 'max-age=31536000',
      });
  });
});

describe('compression', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=1.0', 'gzip'],
    ['br; q=0.000, gzip;q=0', null],
    ['*', null],
    ['broken;;,,br x', null],
  ])('of accept-encoding %j is %s', (accepts, coding) => expect(codingFor(accepts)).toBe(coding));

  it('is taken for the page’s files from the build, where it is asked for', async () => {
    const page = withPage();
    const script = 'void 0;'.repeat(100);
    writeFileSync(join(page, 'assets', 'main-1a2b.js'), script);
    writeFileSync(join(page, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script));
    const { console } = await openDesk({ page });
    const file = (accepts: string) =>
      ask(console.url, '/assets/main-1a2b.js', { headers: { 'accept-encoding': accepts } });
    const asked = await Promise.all(['br, gzip', 'gzip', 'identity'].map(file));
    expect(asked.map(({ text, headers }) => [text, headers['content-encoding'], headers.vary])).toEqual([
      [script, 'br', 'accept-encoding'],
      [script, undefined, 'accept-encoding'],
      [script, undefined, 'accept-encoding'],
    ]);
    expect((await ask(console.url, '/assets/main-1a2b.js.br')).status).toBe(404);
  });

  it('is done to what the own page reads: not to a token, to an answer to a change, or for another site', async () => {
    // So that the answer with the token is not left as it is for its length.
    const desk = await openDesk({ version: '0'.repeat(2000) });
    const { cookie } = await desk.seated('Vusi', 'viewer');
    const codingOf = async (path: string, headers: Readonly<Record<string, string>>) => {
      const answer = await ask(desk.console.url, path, { headers: { cookie, ...headers } });
      expect(answer.status).toBe(200);
      return answer.headers['content-encoding'] ?? 'as it is';
    };
    const br = { 'accept-encoding': 'gzip, br' };
    const site = (name: string) => ({ ...br, 'sec-fetch-site': name });
    expect([
      await codingOf('/api/known-words', {}),
      await codingOf('/api/known-words', br),
      await codingOf('/api/known-words', { 'accept-encoding': 'gzip' }),
      await codingOf('/api/known-words', site('same-origin')),
      await codingOf('/api/known-words', site('none')),
      await codingOf('/api/known-words', site('same-site')),
      await codingOf('/api/known-words', site('cross-site')),
      await codingOf('/api/session', br),
      await codingOf('/api/session?q=x', br),
      // Too small to be worth it.
      await codingOf('/api/batches', br),
    ]).toEqual(['as it is', 'br', 'gzip', 'br', 'br', ...Array.from({ length: 5 }, () => 'as it is')]);
    const plain = await ask(desk.console.url, '/api/known-words', { headers: { cookie } });
    const small = await ask(desk.console.url, '/api/known-words', { headers: { cookie, ...br } });
    expect(small.text).toBe(plain.text);
    expect(Number(small.headers['content-length'])).toBeLessThan(plain.text.length / 2);
  });
});

/** Bytes as they are; what comes back until the end. */
function raw(url: string, bytes: string): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let told = '';
    socket.on('data', (chunk: Buffer) => (told += chunk.toString()));
    socket.on('close', () => done(told));
    socket.on('error', failed);
  });
}

describe('the name', () => {
  it.each([
    ['127.0.0.1', 200],
    ['localhost', 200],
    ['LOCALHOST', 200],
    ['[::1]', 200],
    ['127.0.0.2', 421],
    ['0.0.0.0', 421],
    ['localhost.evil.example', 421],
    ['evil.example', 421],
  ])('%s is answered with %i, on the own port alone', async (name, status) => {
    const desk = await openDesk();
    const { port } = new URL(desk.console.url);
    const statusAt = async (host: string) => (await ask(desk.console.url, '/api/session', { host })).status;
    expect([await statusAt(`${name}:${port}`), await statusAt(`${name}:1`), await statusAt(name)]).toEqual([
      status,
      421,
      421,
    ]);
  });

  it('of the proxy is the only one behind it', async () => {
    const { console } = await openDesk({ behindProxy: 'https://pay.example.org' });
    const statusAt = async (host: string) => (await ask(console.local, '/api/session', { host })).status;
    expect(console.url).toBe('https://pay.example.org');
    expect([await statusAt('pay.example.org'), await statusAt(new URL(console.local).host)]).toEqual([200, 421]);
    expect(console.firstLink).toMatch(/^https:\/\/pay\.example\.org\/join#/);
  });
});

describe('the cookie', () => {
  const password = 'correct horse battery';
  const joined = async (url: string, link: string | null, host: string, origin: string): Promise<Answer> =>
    await ask(url, '/api/join', {
      ...post(JSON.stringify({ token: link?.split('#')[1], name: 'Ann', password }), { origin }),
      host,
    });
  const [value, rest] = ['[\\w-]{43}', 'Path=/; HttpOnly; SameSite=Strict'];

  it('is for this console alone, out of reach of scripts and other sites', async () => {
    const { console } = await openDesk();
    const { headers } = await joined(console.url, console.firstLink, new URL(console.url).host, console.url);
    expect(headers['set-cookie']).toEqual([expect.stringMatching(new RegExp(`^payrun=${value}; ${rest}$`))]);
  });

  it('goes by https alone, under a name that no other host can set, where there is https', async () => {
    const { console } = await openDesk({ behindProxy: 'https://pay.example.org' });
    const { headers } = await joined(console.local, console.firstLink, 'pay.example.org', console.url);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^__Host-payrun=${value}; ${rest}; Secure$`)),
    ]);
  });
});

describe('the address of who tries to log in', () => {
  const who = sha256('console login\nann');

  it('is that of the connection: nobody else is believed', async () => {
    const desk = await openDesk();
    for (let tries = 0; tries < 10; tries += 1) desk.ledger.people.addTry(who, '127.0.0.1', 0);
    const answer = await desk
      .browser()
      .post('/api/login', { name: 'Ann', password: 'x' }, { 'x-forwarded-for': '10.0.0.9' });
    expect(answer.status).toBe(429);
  });

  it('is what the proxy saw, and not what was said to the proxy', async () => {
    const desk = await openDesk({ behindProxy: 'https://pay.example.org' });
    for (let tries = 0; tries < 10; tries += 1) desk.ledger.people.addTry(who, '192.0.2.7', 0);
    const statusOf = async (hops: string) => {
      const headers = { origin: 'https://pay.example.org', 'x-forwarded-for': hops };
      return (
        await ask(desk.console.local, '/api/login', {
          ...post('{"name":"Ann","password":"x"}', headers),
          host: 'pay.example.org',
        })
      ).status;
    };
    expect([await statusOf('10.0.0.9, 192.0.2.7'), await statusOf('192.0.2.7, 10.0.0.9')]).toEqual([429, 401]);
  });

  it('is counted whatever the names are', async () => {
    const desk = await openDesk();
    for (let tries = 0; tries < 100; tries += 1) desk.ledger.people.addTry(sha256(String(tries)), '127.0.0.1', 0);
    expect((await desk.browser().post('/api/login', { name: 'Zoe', password: 'x' })).status).toBe(429);
  });
});

it('finds what has a long name, and says in the same words that there is none', async () => {
  const desk = await openDesk();
  const ann = await desk.seated('Ann', 'administrator');
  for (const long of ['x'.repeat(200), encodeURIComponent('ж'.repeat(200))])
    expect((await ann.get(`/api/payees/${long}`)).status).toBe(404);
});

it('viewers see account numbers in the trail by their last four digits', async () => {
  const reason = 'Account 10004291601 is closed since 2026-11-02.';
  const desk = await openDesk();
  await desk.ledger.trail.record({
    batch: 'nov',
    row: 'k1',
    what: 'stop',
    data: {
      code: 'SERVICE_REFUSED',
      facts: {
        why: { fault: 'call-was-answered', call: 'POST /merchants', status: 400, reason },
      },
    },
  });
  const wordsFor = async (name: string, role: 'viewer' | 'preparer') =>
    ((await (await desk.seated(name, role)).get('/api/trail?batch=nov')).json as TrailPage).entries[0]?.words;
  expect(await wordsFor('Vusi', 'viewer')).toContain(reason.replace('1000429', '…'));
  expect(await wordsFor('Pia', 'preparer')).toContain('10004291601');
});

describe('where it listens', () => {
  const run = async (...more: string[]) => {
    const folder = newFolder();
    const env = { XDG_STATE_HOME: folder, PAYRUN_LEDGER: join(folder, 'ledger.db') };
    const ran = await command({ folder, env }, ['console', '--sandbox', '--port', '0', '--json', ...more]);
    return [ran.exit, refusalOf(ran)] as const;
  };

  it.each([
    ['all of the network in the clear', ['--listen', '0.0.0.0'], usageAbout('--behind-proxy')],
    ['another address in the clear', ['--listen', '192.0.2.1'], usageAbout('in the clear')],
    ['a proxy by http', ['--behind-proxy', 'http://pay.example.org'], usageAbout('http://pay.example.org')],
    ['a proxy with a path', ['--behind-proxy', 'https://pay.example.org/x'], usageAbout('https://pay.example.org/x')],
    ['half a certificate', ['--tls-cert', 'cert.pem'], usageAbout('go together')],
    [
      'a certificate that is not there',
      ['--tls-cert', 'a.pem', '--tls-key', 'b.pem'],
      expect.objectContaining({ code: 'FILE_UNREADABLE' }),
    ],
    [
      'the network before anybody has an account',
      ['--listen', '0.0.0.0', '--behind-proxy', 'https://pay.example.org'],
      expect.objectContaining({ code: 'CONSOLE_HAS_NO_ACCOUNTS' }),
    ],
  ])('is not %s', async (_, argv, refusal) => {
    expect(await run(...argv)).toEqual([2, refusal]);
  });
  it('is not beside another console on the same ledger', async () => {
    const first = await openDesk();
    await first.seated('Ann', 'preparer');
    const id = await first.ledger.uploads.beginJob(
      { kind: 'pay', upload: null, batch: 'nov' },
      { account: first.ledger.people.named('ann')?.id ?? 0, by: 'Ann', did: 'began to pay', data: {}, batch: 'nov' },
    );
    await expect(openDesk({ ledger: first.ledger })).rejects.toMatchObject({
      code: 'CONSOLE_BUSY',
      facts: { holder: { fault: 'held-by-process', process: process.pid } },
    });
    expect(first.ledger.uploads.jobOf({ batch: 'nov' })).toMatchObject({ id, state: 'running' });
    await first.close();
    const next = await openDesk({ ledger: openLedger(first.ledger.path, systemClock) });
    expect(next.ledger.uploads.jobOf({ batch: 'nov' })).toMatchObject({ id, state: 'failed' });
  });
});
