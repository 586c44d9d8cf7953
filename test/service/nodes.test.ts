/** Several nodes of one service on Postgres: what they share, and what a deployment makes anew (interface 5.5). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import { newDatabase } from '../database.ts';
import {
  addTenant,
  callerOf,
  everyItem,
  handClock,
  merchantOf,
  paymentOf,
  started,
  temporaryFolder,
  tokenFor,
} from './started.ts';

let database: Awaited<ReturnType<typeof newDatabase>>;
beforeAll(async () => {
  database = await newDatabase();
});
afterAll(() => database.drop());

describe('nodes on one database and one folder', () => {
  it('may come up at once, take each other’s tokens and markers, and see each other’s records', async () => {
    const place = { dataDir: temporaryFolder(), database: database.url };
    const [one, two, three] = await Promise.all([started(place), started(place), started(place)]);
    const elsewhere = callerOf(two.service.url, one.token);
    const merchantId = await merchantOf(one.call);
    const { id } = await paymentOf(elsewhere, merchantId);
    expect((await callerOf(three.service.url, one.token)('GET', `/payments/${id}`)).body.id).toBe(id);
    await paymentOf(one.call, merchantId);
    const { offsetMarker } = (await one.call('GET', '/payments?limit=1')).body;
    expect((await elsewhere('GET', `/payments?offset=${offsetMarker}`)).body.items).toHaveLength(1);
  });

  it('make tokens invalid for all where one changes the key, and a new deployment makes its own', async () => {
    const clock = handClock();
    const place = { dataDir: temporaryFolder(), database: (await newDatabase()).url, clock };
    const one = await started({ ...place, faults: [{ route: 'GET /merchants', nth: 2, action: { kind: 'rotate' } }] });
    const two = await started(place);
    const atTwo = callerOf(two.service.url, one.token);
    expect([(await one.call('GET', '/merchants')).status, (await atTwo('GET', '/merchants')).status]).toEqual([
      200, 200,
    ]);
    expect((await one.call('GET', '/merchants')).status).toBe(401);
    clock.move(1000);
    const fresh = await tokenFor(one.service, one.credentials);
    expect((await callerOf(two.service.url, fresh)('GET', '/payments')).status).toBe(200);
    expect((await atTwo('GET', '/payments')).status).toBe(401);
    const next = await started({ ...place, deployment: 'next' });
    expect((await callerOf(next.service.url, fresh)('GET', '/payments')).status).toBe(401);
    expect(await tokenFor(next.service, one.credentials)).toBeTypeOf('string');
  });

  it('lose no payment that was acknowledged while all of them write', async () => {
    const place = { dataDir: temporaryFolder(), database: (await newDatabase()).url };
    const one = await started(place);
    const nodes = [
      one.call,
      ...(await Promise.all([started(place), started(place)])).map(({ service }) => callerOf(service.url, one.token)),
    ];
    const merchantId = await merchantOf(one.call);
    const made = await Promise.all(Array.from({ length: 60 }, (_, at) => paymentOf(nodes[at % 3]!, merchantId)));
    const seen = (await everyItem(nodes[1]!, '/payments')).map(({ id }) => id);
    expect(seen).toHaveLength(made.length);
    expect(new Set(seen)).toEqual(new Set(made.map(({ id }) => id)));
  });
});

describe('a database', () => {
  it('knows its data folder: with another pepper nothing it holds would be right', async () => {
    const other = { dataDir: temporaryFolder(), database: database.url };
    await expect(addTenant(other, 'Acme')).rejects.toThrow(expect.objectContaining({ code: 'SERVICE_DATA_FOREIGN' }));
  });

  it('ends a statement after five seconds', async () => {
    const db = await openDatabase({ dataDir: temporaryFolder(), database: database.url });
    const { rows } = await sql`show statement_timeout`.execute(db);
    await db.destroy();
    expect(rows).toEqual([{ statement_timeout: '5s' }]);
  });

  it('that cannot be reached is told without its password', async () => {
    const url = new URL(database.url);
    url.port = '1';
    const error = await addTenant({ dataDir: temporaryFolder(), database: url.href }, 'Acme').catch((e: Error) => e);
    expect(error).toMatchObject({
      code: 'SERVICE_DATABASE_UNUSABLE',
      facts: { database: expect.stringContaining('127.0.0.1:1/') },
    });
    expect((error as Error).message).not.toContain(url.password);
  });
});
