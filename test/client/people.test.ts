/** The client's users, KYC documents, profile and uploads, at the service of this project: they meet on the wire only. */
import { openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import * as door from '../../src/client/client.ts';
import { CallFailure, type Client, openClient, type ReadPage } from '../../src/client/client.ts';
import { type Credentials, type Service, startService } from '../../src/service/service.ts';
import { newFolder } from '../support.ts';

let service: Service;
let credentials: Credentials;
let tenant: Client;
const endings: (() => unknown)[] = [];

function clientFor(url: string, userId: string | null): Client {
  const client = openClient(
    {
      baseUrl: url,
      apiKey: new Secret(credentials.apiKey),
      apiSecret: new Secret(credentials.apiSecret),
      userId,
      concurrency: 4,
      timeoutMs: 60_000,
    },
    systemClock,
  );
  endings.push(() => client.close());
  return client;
}

beforeAll(async () => {
  service = await startService({ dataDir: newFolder(), tokensPerMinute: 0 });
  endings.push(() => service.close());
  credentials = await service.tenants.add('Acme');
  tenant = clientFor(service.url, null);
});
afterAll(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function all<T>(pages: AsyncIterable<ReadPage<T>>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) {
    expect(page.unreadable).toEqual([]);
    items.push(...page.items);
  }
  return items;
}

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(2000, 7)]);

it('the door alone is enough to open it, and to tell its errors apart', async () => {
  const { apiKey, apiSecret } = credentials;
  const open = (secret: string) =>
    door.openClient({
      baseUrl: service.url,
      apiKey: new door.Secret(apiKey),
      apiSecret: new door.Secret(secret),
      userId: null,
      concurrency: 1,
      timeoutMs: 60_000,
    });
  const client = open(apiSecret);
  const stranger = open('wrong');
  endings.push(
    () => client.close(),
    () => stranger.close(),
  );
  expect(await client.countries()).toContain('SouthAfrica');
  expect(await client.countries({ isoCodes: true })).toContain('ZA');
  expect((await client.mintToken()).token).toBeTypeOf('string');
  await expect(stranger.mintToken()).rejects.toBeInstanceOf(door.PayrunError);
});

describe('users', () => {
  it('are created once for an e-mail, read, changed, listed and disabled', async () => {
    const first = await tenant.createUser({ email: 'ann@example.com', name: 'Ann' });
    const again = await tenant.createUser({ email: 'Ann@Example.com', name: 'Other' });
    expect([first.existed, again.existed, again.user.userId]).toEqual([false, true, first.user.userId]);
    const { userId } = first.user;
    const changed = await tenant.patchUser(userId, {
      firstName: 'Ann',
      addressCity: 'Cape Town',
      nationality: ['ZAF'],
    });
    expect(changed).toMatchObject({ userId, firstName: 'Ann', nationality: ['ZAF'], address: { city: 'Cape Town' } });
    expect(await tenant.user(userId)).toEqual(changed);
    expect((await all(tenant.users())).map((user) => user.email)).toContain('ann@example.com');
    const disabled = await tenant.disableUser(userId);
    expect(disabled).toMatchObject({ userId, email: 'ann@example.com', name: 'Ann', status: 'Inactive' });
    expect(await tenant.user(userId)).toBeNull();
    expect((await all(tenant.users())).map((user) => user.userId)).not.toContain(userId);
    expect((await all(tenant.users({ status: 'inactive' }))).map((user) => user.userId)).toContain(userId);
  });

  it('are listed to the end, over all pages', async () => {
    for (let number = 0; number < 120; number += 1)
      await service.users.add(credentials.apiKey, { email: `u${number}@example.com`, name: `U ${number}` });
    const listed = await all(tenant.users());
    expect(new Set(listed.map(({ userId }) => userId)).size).toBe(listed.length);
    expect(listed.length).toBeGreaterThanOrEqual(120);
  });

  it('refuse with the words of the service', async () => {
    const failure = await tenant.patchUser('00000000-0000-4000-8000-000000000000', {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CallFailure);
    expect(failure).toMatchObject({
      outcome: 'refused',
      status: 404,
      message: expect.stringContaining('User not found'),
    });
  });

  it('have KYC documents, streamed from the disk, and refused where they are none', async () => {
    const { user } = await tenant.createUser({ email: 'kyc@example.com', name: 'K' });
    const folder = newFolder();
    const path = join(folder, 'passport.png');
    writeFileSync(path, png);
    const content = await openAsBlob(path);
    const id = await tenant.uploadKycDocument(user.userId, 'PASSPORT', { name: 'p.png', type: 'image/png', content });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const text = { name: 'p.png', type: 'image/png', content: Buffer.from('no picture') };
    await expect(tenant.uploadKycDocument(user.userId, 'selfie', text)).rejects.toMatchObject({ status: 415 });
    const large = { name: 'p.png', type: 'image/png', content: Buffer.concat([png, Buffer.alloc(11 * 1024 * 1024)]) };
    const failure = await tenant.uploadKycDocument(user.userId, 'selfie', large).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CallFailure);
  });
});

it('what was done with an answer that holds nothing is done all the same', async () => {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== '/token') response.writeHead(204).end();
    else response.end(JSON.stringify({ token: 'a.b.c', expiry: Date.now() + 3_600_000 }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => server.close());
  const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, null);
  expect([await client.disableUser('u'), await client.patchMerchant('m', { name: 'A' })]).toEqual([null, null]);
});

describe('the profile', () => {
  it('is read and changed with a user token, momo accounts included', async () => {
    const { user } = await tenant.createUser({ email: 'momo@example.com', name: 'M' });
    const mine = clientFor(service.url, user.userId);
    const { defaultMomoAccountId } = await mine.profile();
    expect(defaultMomoAccountId).toBeNull();
    expect(await mine.patchProfile({ companyName: 'M Ltd' })).toMatchObject({ companyName: 'M Ltd' });
    const account = { mobileNetwork: 'MOMO', countryCode: 'KE' } as const;
    const one = await mine.addMomoAccount({ ...account, phoneNumber: '+254712345678', label: 'Till' });
    const two = await mine.addMomoAccount({ ...account, phoneNumber: '+254712345679' });
    const [first, second] = two.momoAccounts!.map(({ id }) => id) as [string, string];
    expect([one.defaultMomoAccountId, two.defaultMomoAccountId]).toEqual([first, first]);
    const repeated = mine.addMomoAccount({ ...account, phoneNumber: '+254712345679' });
    await expect(repeated).rejects.toMatchObject({ status: 409, outcome: 'refused' });
    expect(await mine.patchMomoAccount(second, { isDefault: true })).toMatchObject({ defaultMomoAccountId: second });
    const left = await mine.removeMomoAccount(second);
    expect([left.defaultMomoAccountId, left.momoAccounts?.length]).toEqual([null, 1]);
  });

  it("is nothing that a tenant's token opens, while administration goes on beside a user's", async () => {
    await expect(tenant.profile()).rejects.toMatchObject({ status: 403 });
    const { user } = await tenant.createUser({ email: 'both@example.com', name: 'B' });
    const mine = clientFor(service.url, user.userId);
    expect((await mine.profile()).email).toBe('both@example.com');
    expect((await mine.user(user.userId))?.email).toBe('both@example.com');
  });
});

it('tokens are minted for use elsewhere', async () => {
  const { token, expiry } = await tenant.mintToken();
  expect([token.split('.').length, Math.round((expiry! - Date.now()) / 60_000)]).toEqual([3, 60]);
  const { user } = await tenant.createUser({ email: 'token@example.com', name: 'T' });
  const minted = await tenant.mintUserToken(user.userId);
  expect(Math.round((minted.expiry! - Date.now()) / 3_600_000)).toBe(24);
  await expect(tenant.mintUserToken('nobody')).rejects.toMatchObject({
    code: 'CREDENTIALS_REFUSED',
    facts: { hint: 'user-unknown' },
  });
});

it('an upload that breaks while it is sent fails its own call, and nothing else', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/token') {
      request.resume();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ token: 'a.b.c', expiry: Date.now() + 3_600_000 }));
    } else request.once('data', () => request.socket.resetAndDestroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => server.close());
  const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, null);
  const folder = newFolder();
  const path = join(folder, 'large.pdf');
  writeFileSync(path, Buffer.alloc(9 * 1024 * 1024, 1));
  for (const content of [await openAsBlob(path), Buffer.alloc(9 * 1024 * 1024, 1)]) {
    const sent = client.attachDocument('pay-1', { name: 'large.pdf', type: 'application/pdf', content });
    await expect(sent).rejects.toMatchObject({ name: 'CallFailure', outcome: 'unknown' });
  }
  // A file that goes away while it is read.
  const content = await openAsBlob(path);
  rmSync(path);
  const gone = client.attachDocument('pay-1', { name: 'large.pdf', type: 'application/pdf', content });
  await expect(gone).rejects.toMatchObject({ name: 'CallFailure' });
});
