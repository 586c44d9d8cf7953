/** A real service on a real port and a folder of its own, and a caller that speaks to it; the tests of this room use nothing else. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import {
  type Credentials,
  operate,
  type Service,
  type ServiceOptions,
  type StorePlace,
  startService,
} from '../../src/service/service.ts';
import { newDatabase } from '../database.ts';
import { atEnd } from '../endings.ts';
import { temporary } from '../temporary.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(temporary, 'payrun-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The Postgres on which services start now, and the folder whose pepper belongs to it; null: SQLite. */
let shared: { readonly database: string; readonly dataDir: string } | null = null;

/** The tests of a file, on SQLite and again on Postgres: there the services of one file share a database, each with tenants of its own. */
export function onBoth(tell: () => void): void {
  describe('on SQLite', () => {
    afterAll(endHouse);
    tell();
  });
  describe('on Postgres', () => {
    let drop = async () => {};
    beforeAll(async () => {
      const database = await newDatabase();
      const dataDir = mkdtempSync(join(temporary, 'payrun-service-'));
      await addTenant({ dataDir, database: database.url }, 'The first makes the pepper');
      shared = { database: database.url, dataDir };
      drop = async () => {
        await endHouse();
        shared = null;
        rmSync(dataDir, { recursive: true });
        await database.drop();
      };
    });
    afterAll(() => drop());
    tell();
  });
}

/** A folder for a service of its own, and the database where that is not in the folder. */
function newPlace(): StorePlace {
  const dataDir = temporaryFolder();
  if (shared === null) return { dataDir };
  copyFileSync(join(shared.dataDir, 'pepper'), join(dataDir, 'pepper'));
  return { dataDir, database: shared.database };
}

/** By this clock a service never ends what holds it up: it closes by itself, or not at all. */
export const patientClock: Clock = { ...systemClock, after: () => () => {} };

/** A clock that stands still until it is moved; sleeping on it takes no time and moves nothing. */
export function handClock(start = Date.UTC(2026, 10, 20, 9)): Clock & { move(ms: number): void } {
  let now = start;
  return {
    ...systemClock,
    now: () => now,
    monotonic: () => now,
    sleep: async () => {},
    move(ms) {
      now += ms;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests look at.
export type Body = any;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export type Caller = (method: string, path: string, body?: unknown) => Promise<Answered>;

/** Calls the service with a token, or without one. A FormData body goes out as a form, any other as JSON. */
export function callerOf(url: string, token?: string): Caller {
  return async (method, path, body) => {
    const form = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };
}

export const addTenant = (place: StorePlace, name: string) => operate(place, ({ tenants }) => tenants.add(name));

export const addUser = (place: StorePlace, apiKey: string, user: { readonly email: string; readonly name: string }) =>
  operate(place, ({ users }) => users.add(apiKey, user));

export const verifyAccount = (place: StorePlace, userId: string) => operate(place, ({ users }) => users.verify(userId));

export interface Started {
  readonly service: Service;
  readonly place: StorePlace;
  readonly folder: string;
  readonly credentials: Credentials;
  readonly token: string;
  /** With the tenant's token. */
  readonly call: Caller;
  readonly anonymous: Caller;
}

/** A service with one tenant, whose token is at hand. */
export async function started(options: Partial<ServiceOptions> = {}): Promise<Started> {
  const place = options.dataDir === undefined ? newPlace() : { dataDir: options.dataDir };
  const service = await startService({ ...place, ...options });
  onTestFinished(() => service.close());
  return await tenantAt(service, place);
}

/** The service on which tests of a file are tenants. */
let house: Promise<{ readonly service: Service; readonly place: StorePlace }> | null = null;

/** One more tenant at the service of all such tests: for what needs no service of its own. */
export async function tenant(): Promise<Started> {
  if (house === null) atEnd(endHouse);
  house ??= openHouse();
  const { service, place } = await house;
  return await tenantAt(service, place);
}

async function openHouse() {
  const dataDir = mkdtempSync(join(temporary, 'payrun-service-'));
  if (shared !== null) copyFileSync(join(shared.dataDir, 'pepper'), join(dataDir, 'pepper'));
  const place = { dataDir, ...(shared === null ? {} : { database: shared.database }) };
  return { place, service: await startService(place) };
}

async function endHouse(): Promise<void> {
  const ending = house;
  house = null;
  if (ending === null) return;
  const { service, place } = await ending;
  await service.close();
  rmSync(place.dataDir, { recursive: true, force: true });
}

async function tenantAt(service: Service, place: StorePlace): Promise<Started> {
  const credentials = await service.tenants.add('Acme Payroll');
  const anonymous = callerOf(service.url);
  const token = await tokenFor(service, credentials);
  return { service, place, folder: place.dataDir, credentials, token, call: callerOf(service.url, token), anonymous };
}

export async function tokenFor(service: Service, credentials: Credentials): Promise<string> {
  const { status, body } = await callerOf(service.url)('POST', '/token', credentials);
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
  return body.token;
}

/** A caller with the token of a new user of the tenant. */
export async function userOf({ service, credentials, call }: Started, email: string): Promise<Caller> {
  const { userId } = await service.users.add(credentials.apiKey, { email, name: 'A User' });
  const { body } = await call('POST', '/tokens/user', { userId });
  return callerOf(service.url, body.token);
}

export const nigerian = {
  name: 'Ada Obi',
  country: 'Nigeria',
  bankName: 'First Bank of Nigeria',
  accountNumber: '0000014579',
};

export async function merchantOf(call: Caller, fields: object = nigerian): Promise<string> {
  const { status, body } = await call('POST', '/merchants', fields);
  if (status !== 201) throw new Error(`no merchant: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

export async function paymentOf(call: Caller, merchantId: string, fields: object = {}): Promise<Body> {
  const { status, body } = await call('POST', '/payments', { merchantId, amount: 100, reference: 'Pay 1', ...fields });
  if (status !== 201) throw new Error(`no payment: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Every item of a list, page by page. */
export async function everyItem(call: Caller, path: string): Promise<Body[]> {
  const items: Body[] = [];
  let marker: string | null = null;
  do {
    const offset: string =
      marker === null ? '' : `${path.includes('?') ? '&' : '?'}offset=${encodeURIComponent(marker)}`;
    const { status, body } = await call('GET', path + offset);
    if (status !== 200) throw new Error(`no page: ${status} ${JSON.stringify(body)}`);
    items.push(...body.items);
    marker = body.offsetMarker;
  } while (marker !== null);
  return items;
}
