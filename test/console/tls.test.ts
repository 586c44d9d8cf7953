/** The console with a certificate of its own: browsers reach it by https alone, and it says so in every answer. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { command, newFolder } from '../support.ts';
import { ask, openDesk, passwordOf } from './served.ts';

/** Made for one test, good for a day, of nobody. */
function selfSigned(): { readonly cert: Buffer; readonly key: Buffer } | null {
  const folder = newFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const argv = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=console -addext';
  try {
    execFileSync('openssl', [...argv.split(' '), 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

const pair = selfSigned();

it.skipIf(pair === null)('is asked by https alone, and its cookie goes nowhere else', async () => {
  const desk = await openDesk({ tls: pair });
  const { origin, port } = new URL(desk.console.url);
  expect(origin).toBe(`https://127.0.0.1:${port}`);
  expect(desk.console.firstLink).toMatch(/^https:/);
  const asked = (path: string, options: object = {}, body?: string) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders }>((done, failed) => {
      const sent = request(`${origin}${path}`, { ca: pair?.cert, agent: false, ...options }, (response) => {
        response.resume();
        response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers }));
      });
      sent.on('error', failed);
      sent.end(body);
    });
  const { status, headers } = await asked('/api/session');
  expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  const joined = await asked(
    '/api/join',
    { method: 'POST', headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' } },
    JSON.stringify({ token: desk.console.firstLink?.split('#')[1], name: 'Ann', password: passwordOf('Ann') }),
  );
  expect(joined.status).toBe(200);
  expect(joined.headers['set-cookie']?.[0]).toMatch(
    /^__Host-payrun=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  const cookie = joined.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  expect((await asked('/api/people', { headers: { cookie } })).status).toBe(200);
  await expect(ask(`http://127.0.0.1:${port}`, '/api/session'), 'in the clear').rejects.toThrow(/hang up|ECONNRESET/);
  await expect(asked('/api/session', { maxVersion: 'TLSv1.1' }), 'an old way').rejects.toThrow();
});

it('that cannot be used is told in one sentence', async () => {
  const folder = newFolder();
  for (const name of ['cert.pem', 'key.pem']) writeFileSync(join(folder, name), 'no certificate');
  const env = { XDG_STATE_HOME: folder, PAYRUN_LEDGER: join(folder, 'ledger.db') };
  const argv = ['console', '--sandbox', '--port', '0', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
  const { exit, err } = await command({ folder, env }, argv);
  expect([exit, err]).toEqual([2, expect.stringMatching(/^payrun: .*cert\.pem .*key\.pem /)]);
});
