/** Starts, restarts and neighbours: what outlives a service, and what does not. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startService } from '../../src/service/service.ts';
import { newDatabase } from '../database.ts';
import { newFormWith } from './forms.ts';
import {
  addTenant,
  addUser,
  callerOf,
  everyItem,
  handClock,
  merchantOf,
  patientClock,
  paymentOf,
  started,
  temporaryFolder,
  tokenFor,
} from './started.ts';

const door = new URL('../../src/service/service.ts', import.meta.url).href;

/** Adds a tenant in a process of its own. */
async function addElsewhere(folder: string, name: string) {
  const code = `const { operate } = await import(${JSON.stringify(door)}); console.log(JSON.stringify(await operate({ dataDir: ${JSON.stringify(folder)} }, ({ tenants }) => tenants.add(${JSON.stringify(name)}))));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return JSON.parse(stdout) as { apiKey: string; apiSecret: string };
}

describe('a restart', () => {
  it('keeps the data and the credentials, and makes the tokens invalid', async () => {
    const clock = handClock();
    const { service, folder, credentials, token, call } = await started({ clock, settle: { afterMs: 1000 } });
    const merchantId = await merchantOf(call);
    const { id } = await paymentOf(call, merchantId);
    const form = new FormData();
    form.set('file', new Blob(['%PDF-1.7']), 'a.pdf');
    await call('POST', `/payments/${id}/document`, form);
    await service.close();
    // Other settings do not change what was decided for this payment.
    const again = await started({ dataDir: folder, clock, settle: { afterMs: 99_000 } });
    expect((await callerOf(again.service.url, token)('GET', `/payments/${id}`)).status).toBe(401);
    const now = callerOf(again.service.url, await tokenFor(again.service, credentials));
    expect((await now('GET', `/merchants/${merchantId}`)).status).toBe(200);
    expect((await now('GET', `/payments/${id}`)).body.status).toBe('pending');
    clock.move(1000);
    expect((await now('GET', `/payments/${id}`)).body.status).toBe('success');
    const [item] = (await now('GET', `/payments/${id}/documents`)).body.items;
    expect((await fetch(item.presignedUrl)).status).toBe(200);
  });

  it('lets a reader of a list go on', async () => {
    const { service, folder, credentials, call } = await started();
    for (let count = 0; count < 3; count += 1) await merchantOf(call);
    const { offsetMarker } = (await call('GET', '/merchants?limit=2')).body;
    await service.close();
    const again = await started({ dataDir: folder });
    const now = callerOf(again.service.url, await tokenFor(again.service, credentials));
    expect((await now('GET', `/merchants?offset=${offsetMarker}`)).body.items).toHaveLength(1);
  });
});

describe('a killed service', () => {
  it.each(['SQLite', 'Postgres'])('has all on %s that it acknowledged', async (kind) => {
    const dataDir = temporaryFolder();
    const database = kind === 'SQLite' ? null : await newDatabase();
    const place = database === null ? { dataDir } : { dataDir, database: database.url };
    const code = `const { startService } = await import(${JSON.stringify(door)});
      const service = await startService(${JSON.stringify(place)});
      console.log(JSON.stringify({ url: service.url, ...(await service.tenants.add('Acme')) }));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url, ...credentials } = JSON.parse(line.toString());
    const { token } = (await callerOf(url)('POST', '/token', credentials)).body;
    const call = callerOf(url, token);
    const merchantId = await merchantOf(call);
    const payments: string[] = [];
    const users: string[] = [];
    const merchants: object[] = [];
    const documents: { readonly paymentId: string; readonly documentId: string }[] = [];
    const write = async () => {
      for (let at = 0; ; at += 1) {
        const { id } = await paymentOf(call, merchantId);
        payments.push(id);
        if (payments.length === 24) child.kill('SIGKILL');
        users.push((await call('POST', '/users', { email: `${id}@example.com`, name: 'A' })).body.userId);
        documents.push((await call('POST', `/payments/${id}/document`, newFormWith({}))).body);
        const merchant = await merchantOf(call);
        merchants.push((await call('PATCH', `/merchants/${merchant}`, { name: `Changed ${at}` })).body);
      }
    };
    await Promise.allSettled(Array.from({ length: 8 }, write));
    expect(payments.length).toBeGreaterThanOrEqual(24);
    for (const done of [users, documents, merchants]) expect(done.length).toBeGreaterThan(8);
    const again = await started(place);
    const now = callerOf(again.service.url, await tokenFor(again.service, credentials));
    const kept = (await everyItem(now, '/payments')).map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining(payments));
    // At most those that were under way came through without an answer.
    expect(kept.length - payments.length).toBeLessThanOrEqual(8);
    expect((await everyItem(now, '/users')).map(({ userId }) => userId)).toEqual(expect.arrayContaining(users));
    expect(await everyItem(now, '/merchants')).toEqual(expect.arrayContaining(merchants));
    for (const { paymentId, documentId } of documents) {
      const [item] = (await now('GET', `/payments/${paymentId}/documents`)).body.items;
      expect(item.documentId).toBe(documentId);
      expect(await (await fetch(item.presignedUrl)).text()).toBe(await (newFormWith({}).get('file') as File).text());
    }
    await again.service.close();
    await database?.drop();
  });
});

describe('a data folder', () => {
  it('is for its owner only', async () => {
    const { folder } = await started();
    for (const name of ['service.db', 'pepper']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });

  it('takes tenants and users from elsewhere while a service runs on it', async () => {
    const { service, folder } = await started();
    const credentials = await addElsewhere(folder, 'From elsewhere');
    const call = callerOf(service.url, await tokenFor(service, credentials));
    const { userId } = await addUser({ dataDir: folder }, credentials.apiKey, { email: 'a@example.com', name: 'A' });
    expect((await call('POST', '/tokens/user', { userId })).status).toBe(200);
    expect((await service.tenants.list()).map(({ name }) => name)).toEqual(['Acme Payroll', 'From elsewhere']);
  });

  it('may be made by several at once', async () => {
    const folder = temporaryFolder();
    const all = await Promise.all(['A', 'B', 'C'].map((name) => addElsewhere(folder, name)));
    const { service } = await started({ dataDir: folder });
    for (const credentials of all) expect(await tokenFor(service, credentials)).toBeTypeOf('string');
  });

  it('refuses a tenant without a name and a user of no tenant', async () => {
    const folder = temporaryFolder();
    await expect(addTenant({ dataDir: folder }, '  ')).rejects.toThrow(
      expect.objectContaining({ code: 'TENANT_NAMELESS' }),
    );
    await expect(addUser({ dataDir: folder }, 'pk_none', { email: 'a@example.com', name: 'A' })).rejects.toThrow(
      /pk_none/,
    );
  });
});

describe('the server', () => {
  it('stands under a base path', async () => {
    const { service, call } = await started({ basePath: '/payout/v1/' });
    expect(service.url).toBe(`http://127.0.0.1:${service.port}/payout/v1`);
    expect((await call('GET', '/utils/countries')).status).toBe(200);
    await merchantOf(call);
    expect(service.stats().requests).toMatchObject({ 'POST /merchants': 1, 'GET /utils/countries': 1 });
    const outside = await fetch(`http://127.0.0.1:${service.port}/utils/countries`);
    expect([outside.status, await outside.json()]).toEqual([404, { message: 'Not found' }]);
  });

  it('says no in the same shape to what is no route and to what is no HTTP', async () => {
    const { service, call } = await started();
    for (const [method, path] of [
      ['GET', '/'],
      ['DELETE', '/merchants/x'],
      ['GET', '/payments/'],
      ['GET', '/merchants/%zz'],
    ] as const) {
      const { status, body } = await call(method, path);
      expect([path, status >= 400 && status < 500, Object.keys(body)]).toEqual([path, true, ['message']]);
    }
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"message":"Bad Request"\}$/s);
  });

  it('closes at once though a connection is kept alive, and twice without harm', async () => {
    const { service } = await started({ clock: patientClock });
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve, reject) => {
      get(`${service.url}/utils/countries`, { agent }, (response) => response.resume().on('end', resolve)).on(
        'error',
        reject,
      );
    });
    await Promise.all([service.close(), service.close()]);
    agent.destroy();
  });

  it('says why it cannot listen, and leaves the folder free', async () => {
    const { service } = await started();
    const folder = temporaryFolder();
    await expect(startService({ dataDir: folder, port: service.port })).rejects.toMatchObject({
      code: 'SERVICE_ADDRESS_UNUSABLE',
      facts: { why: { fault: 'address-is-in-use' } },
    });
    await expect(started({ dataDir: folder })).resolves.toBeDefined();
  });

  it('logs each call, and neither tokens nor presigned addresses', async () => {
    const lines: object[] = [];
    const { call, token, credentials } = await started({ log: (line) => lines.push(line) });
    const { id } = await paymentOf(call, await merchantOf(call));
    const form = new FormData();
    form.set('file', new Blob(['%PDF-1.7']), 'a.pdf');
    await call('POST', `/payments/${id}/document`, form);
    const [item] = (await call('GET', `/payments/${id}/documents`)).body.items;
    await fetch(item.presignedUrl);
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toMatchObject({ route: 'GET /documents/:id', status: 200, tenant: null });
    const text = JSON.stringify(lines);
    for (const secret of [token, credentials.apiSecret, new URL(item.presignedUrl).searchParams.get('signature')!]) {
      expect(text).not.toContain(secret);
    }
  });

  it('keeps its reasons to itself when it fails', async () => {
    const lines: object[] = [];
    const base = handClock();
    let broken = false;
    const clock = {
      ...base,
      randomHex: (bytes: number) => {
        if (broken && bytes === 16) throw new Error('no more chance');
        return base.randomHex(bytes);
      },
    };
    const { call } = await started({ clock, log: (line) => lines.push(line) });
    broken = true;
    const { status, body } = await call('POST', '/merchants', { name: 'A', country: 'BTC', lnurl: 'a@example.com' });
    expect([status, body]).toEqual([500, { message: 'Internal error' }]);
    expect(JSON.stringify(lines)).toContain('no more chance');
  });
});
