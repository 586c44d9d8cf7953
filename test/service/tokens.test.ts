/** Tokens and who may call what (interface 4.1, 4.2, 5). */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { minuteBudget } from '../../src/service/http/budget.ts';
import { tokenAnswer } from '../../src/wire/token.ts';
import { callerOf, handClock, merchantOf, started, tokenFor, userOf } from './started.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

describe('POST /token', () => {
  it('gives a token for about an hour, and its expiry in milliseconds', async () => {
    const clock = handClock();
    const { anonymous, credentials } = await started({ clock });
    const { status, body } = await anonymous('POST', '/token', credentials);
    expect(status).toBe(200);
    expect(tokenAnswer.strict().parse(body)).toEqual(body);
    expect(body.expiry).toBe(clock.now() + 3_600_000);
    const claims = decodeJwt(body.token);
    expect(claims.exp! * 1000).toBe(body.expiry);
    expect(claims).toMatchObject({ iss: 'payrun-service', aud: 'payrun-service-api', typ: 'tenant' });
    expect(claims.tenant).toBeTypeOf('string');
    expect(claims.userId).toBeUndefined();
    expect(decodeProtectedHeader(body.token)).toMatchObject({ alg: 'HS256' });
  });

  it.each([
    [{}, 400],
    [{ apiKey: 'k' }, 400],
    [{ apiKey: '', apiSecret: 's' }, 400],
    [{ apiKey: 'k', apiSecret: '' }, 400],
    [{ apiKey: 1, apiSecret: 's' }, 400],
    [{ apiKey: 'unknown', apiSecret: 'x' }, 401],
  ])('refuses %j with %i', async (body, status) => {
    const { anonymous } = await started();
    const answer = await anonymous('POST', '/token', body);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(['message']);
  });

  it('says the same of a wrong secret, of another tenant’s secret and of an unknown key', async () => {
    const { anonymous, service, credentials } = await started();
    const other = await service.tenants.add('Other');
    for (const pair of [
      { apiKey: credentials.apiKey, apiSecret: `${credentials.apiSecret}x` },
      { apiKey: credentials.apiKey, apiSecret: other.apiSecret },
      { apiKey: 'pk_unknown', apiSecret: credentials.apiSecret },
    ]) {
      const answer = await anonymous('POST', '/token', pair);
      expect([answer.status, answer.body]).toEqual([401, { message: 'API secret and key invalid' }]);
    }
  });

  it('limits the calls of one key in a minute, and leaves other keys alone', async () => {
    const clock = handClock();
    const { anonymous, service, credentials } = await started({ clock, tokensPerMinute: 3 });
    const other = await service.tenants.add('Other');
    const statusOf = async (pair: object) => (await anonymous('POST', '/token', pair)).status;
    // One was minted at the start.
    expect([await statusOf(credentials), await statusOf(credentials)]).toEqual([200, 200]);
    const refused = await anonymous('POST', '/token', credentials);
    expect(refused.status).toBe(429);
    const waitSeconds = Number(refused.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    expect(await statusOf(other)).toBe(200);
    clock.move(waitSeconds * 1000);
    expect(await statusOf(credentials)).toBe(200);
  });

  it('wrong secrets are limited for each key and from each address, and keep nobody from the right one', async () => {
    const clock = handClock();
    const { service, credentials } = await started({ clock, tokensPerMinute: 3 });
    const other = await service.tenants.add('Other');
    const post = async (pair: object, localAddress = '127.0.0.1') => {
      const headers = { 'content-type': 'application/json' };
      const sent = request(`${service.url}/token`, { method: 'POST', headers, localAddress });
      sent.end(JSON.stringify(pair));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return [answer.statusCode, answer.headers['retry-after'] !== undefined];
    };
    const wrong = { ...credentials, apiSecret: 'wrong' };
    for (let count = 0; count < 3; count += 1) expect(await post(wrong)).toEqual([401, false]);
    // For the key, from wherever; and from the address, for whichever key.
    expect(await post(wrong, '127.0.0.2')).toEqual([429, true]);
    expect(await post({ ...other, apiSecret: 'wrong' })).toEqual([429, true]);
    expect(await post({ ...other, apiSecret: 'wrong' }, '127.0.0.2')).toEqual([401, false]);
    // One was minted at the start.
    for (const address of ['127.0.0.1', '127.0.0.2']) expect(await post(credentials, address)).toEqual([200, false]);
    expect(await post(credentials, '127.0.0.3')).toEqual([429, true]);
    expect(await post(other)).toEqual([200, false]);
    clock.move(60_000);
    expect([await post(wrong), await post(credentials)]).toEqual([
      [401, false],
      [200, false],
    ]);
  });

  it('locks nobody out, however many made-up keys come', () => {
    const spend = minuteBudget(handClock(), 3, 'Too many');
    for (let count = 0; count < 30_000; count += 1) spend(`made up ${count}`);
    for (const key of ['ours', 'theirs']) {
      for (let count = 0; count < 3; count += 1) spend(key);
      expect(() => spend(key)).toThrow('Too many');
    }
  });

  it('costs no memory for made-up keys, however long they are', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const spend = minuteBudget(handClock(), 3, 'Too many');
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 200; count += 1) spend(Buffer.alloc(500_000, `${count} `).toString('latin1'));
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  });

  it('and all calls with a token are limited where that is set, for each tenant with its users, by the minute', async () => {
    const clock = handClock();
    const base = await started({ clock, requestsPerMinute: 4 });
    const asUser = await userOf(base, 'a@example.com');
    const statusOf = async (call: typeof asUser) => (await call('GET', '/merchants')).status;
    // One call made the user's token.
    expect([await statusOf(base.call), await statusOf(asUser), await statusOf(base.call)]).toEqual([200, 200, 200]);
    const refused = await asUser('GET', '/merchants');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const other = callerOf(base.service.url, await tokenFor(base.service, await base.service.tenants.add('Other')));
    expect([await statusOf(other), (await base.anonymous('GET', '/utils/countries')).status]).toEqual([200, 200]);
    clock.move(Number(refused.headers.get('retry-after')) * 1000);
    expect(await statusOf(base.call)).toBe(200);
  });

  it('keeps nothing from which a secret could be read', async () => {
    const { folder, credentials, service } = await started();
    await service.close();
    const names = readdirSync(folder).filter((name) => name.startsWith('service.db') || name === 'pepper');
    expect(names).toContain('pepper');
    for (const name of names) {
      const bytes = readFileSync(join(folder, name));
      expect(bytes.includes(credentials.apiSecret)).toBe(false);
      expect(bytes.includes(credentials.apiSecret.slice(3))).toBe(false);
    }
  });
});

describe('POST /tokens/user', () => {
  it('gives a token for 24 hours, tied to the user', async () => {
    const clock = handClock();
    const { call, service, credentials } = await started({ clock });
    const { userId } = await service.users.add(credentials.apiKey, { email: 'a@example.com', name: 'A' });
    const { status, body } = await call('POST', '/tokens/user', { userId });
    expect(status).toBe(200);
    expect(body.expiry).toBe(clock.now() + 24 * 3_600_000);
    expect(decodeJwt(body.token)).toMatchObject({ typ: 'user', userId });
  });

  it('refuses a missing userId, an unknown one, another tenant’s one, and the token of a user', async () => {
    const base = await started();
    const { call, service } = base;
    const other = await service.tenants.add('Other');
    const { userId } = await service.users.add(other.apiKey, { email: 'b@example.com', name: 'B' });
    const asUser = await userOf(base, 'c@example.com');
    expect((await call('POST', '/tokens/user', {})).status).toBe(400);
    const unknown = await call('POST', '/tokens/user', { userId: nobody });
    const foreign = await call('POST', '/tokens/user', { userId });
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(unknown.body);
    expect((await asUser('POST', '/tokens/user', { userId })).status).toBe(403);
    // A user's token is refused before its words are looked at.
    expect((await asUser('POST', '/tokens/user', {})).status).toBe(403);
  });

  it('stops working, and cannot be had again, once the user is disabled', async () => {
    const { call, service, credentials } = await started();
    const { userId } = await service.users.add(credentials.apiKey, { email: 'e@example.com', name: 'E' });
    const { token } = (await call('POST', '/tokens/user', { userId })).body;
    const asUser = callerOf(service.url, token);
    expect((await asUser('GET', '/payments')).status).toBe(200);
    expect((await call('DELETE', `/users/${userId}`)).status).toBe(200);
    expect((await asUser('GET', '/payments')).status).toBe(404);
    expect((await call('POST', '/tokens/user', { userId })).status).toBe(404);
  });

  it('finds the user of an e-mail that is already there, whatever its case', async () => {
    const { service, credentials } = await started();
    const first = await service.users.add(credentials.apiKey, { email: 'Ann@example.com', name: 'Ann' });
    const again = await service.users.add(credentials.apiKey, { email: 'ann@EXAMPLE.com', name: 'Ann' });
    expect(again).toEqual(first);
  });
});

describe('who may call what', () => {
  const interfaceRoutes = ['POST /token', 'GET /utils/banks/:country', 'GET /utils/countries', 'GET /documents/:id'];
  const ownRoutes = ['/openapi.json', '/reference', '/health', '/ready', '/metrics'].map((path) => `GET ${path}`);
  const publicRoutes = [...interfaceRoutes, ...ownRoutes];
  const tenantRoutes = ['POST /tokens/user', 'POST /users', 'GET /users'];

  it('refuses every route but the public ones without a token, and each with a token of the wrong kind', async () => {
    const base = await started({ metrics: true });
    const asUser = await userOf(base, 'd@example.com');
    const routes = Object.keys(base.service.stats().requests);
    expect(routes).toEqual(expect.arrayContaining([...publicRoutes, ...tenantRoutes]));
    for (const route of routes) {
      const [method, path] = route
        .replace(':country', 'Kenya')
        .replace(/:id|:userId/, nobody)
        .split(' ') as [string, string];
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const without = await base.anonymous(method, path, body);
      expect([route, without.status === 401]).toEqual([route, !publicRoutes.includes(route)]);
      if (without.status === 401)
        expect(without.body).toMatchObject({ message: expect.stringContaining('bearer token') });
      const withUser = await asUser(method, path, body);
      // Another user's path is as closed to a user as the tenant's routes; a presigned address has a 403 of its own.
      const closedToUsers =
        tenantRoutes.includes(route) || route.includes(':userId') || route.includes('/documents/:id');
      expect([route, withUser.status === 403]).toEqual([route, closedToUsers]);
      const withTenant = await base.call(method, path, body);
      const closedToTenants = route.includes(' /profile') || route.includes('/documents/:id');
      expect([route, withTenant.status === 403]).toEqual([route, closedToTenants]);
    }
  });

  it('takes no token but its own', async () => {
    const { token, service, folder } = await started();
    const claims = decodeJwt(token);
    const header = decodeProtectedHeader(token);
    const [head, payload, signature] = token.split('.') as [string, string, string];
    const forged = { ...claims, tenant: nobody };
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signed = (key: Parameters<SignJWT['sign']>[0], alg: string, kid = header.kid!) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
    const tokens = {
      none: new UnsecuredJWT(claims).encode(),
      'none under our kid': `${Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url')}.${payload}.`,
      'another key': await signed(randomBytes(32), 'HS256'),
      'another kid': await signed(randomBytes(32), 'HS256', 'other'),
      'the pepper as key': await signed(readFileSync(join(folder, 'pepper')), 'HS256'),
      'another algorithm': await signed(randomBytes(64), 'HS512'),
      RS256: await signed(privateKey, 'RS256'),
      'a public key as secret': await signed(publicKey.export({ type: 'spki', format: 'der' }), 'HS256'),
      'another tenant': `${head}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`,
      'no signature': `${head}.${payload}.`,
      'no token': 'x',
    };
    for (const [what, text] of Object.entries(tokens)) {
      const answer = await callerOf(service.url, text)('GET', '/merchants');
      expect([what, answer.status, answer.body]).toEqual([what, 401, { message: 'Invalid token' }]);
    }
    expect((await callerOf(service.url, token)('GET', '/merchants')).status).toBe(200);
  });

  it('takes no token of another service', async () => {
    const ours = await started();
    const theirs = await started();
    expect((await callerOf(ours.service.url, theirs.token)('GET', '/merchants')).status).toBe(401);
  });

  it('takes a token to its last second and not at its expiry', async () => {
    const clock = handClock();
    const { call } = await started({ clock });
    clock.move(3_600_000 - 1000);
    expect((await call('GET', '/merchants')).status).toBe(200);
    clock.move(1000);
    expect((await call('GET', '/merchants')).status).toBe(401);
  });
});

describe('two tenants', () => {
  it('cannot use each other’s markers', async () => {
    const { service, call: ours } = await started();
    const theirs = callerOf(service.url, await tokenFor(service, await service.tenants.add('Other')));
    await merchantOf(ours);
    await merchantOf(ours);
    const { offsetMarker } = (await ours('GET', '/merchants?limit=1')).body;
    expect((await ours('GET', `/merchants?offset=${offsetMarker}`)).status).toBe(200);
    expect((await theirs('GET', `/merchants?offset=${offsetMarker}`)).status).toBe(400);
    expect((await ours('GET', `/payments?offset=${offsetMarker}`)).status).toBe(400);
  });

  it('cannot read from a marker how much the other does', async () => {
    const { call } = await started();
    const markers = [];
    for (let count = 0; count < 12; count += 1) {
      await merchantOf(call);
      markers.push((await call('GET', '/merchants?limit=1')).body.offsetMarker);
    }
    const [none, ...given] = markers as [null, ...string[]];
    expect(none).toBeNull();
    for (const marker of given)
      for (const part of marker.split('.')) expect(Buffer.from(part, 'base64url').toString()).not.toMatch(/^\d+$/);
    expect(new Set(given.map((marker) => marker.length)).size).toBe(1);
  });
});
