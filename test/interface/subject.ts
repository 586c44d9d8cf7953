/**
 * The conformance suite of the interface: each test's title is a sentence of the document, and what the document leaves open is
 * left open here. It runs against the embedded service on SQLite and on Postgres, and, by `npm run test:interface`, against any
 * other implementation: PAYRUN_BASE_URL, PAYRUN_API_KEY and PAYRUN_API_SECRET say which, PAYRUN_OTHER_API_KEY and
 * PAYRUN_OTHER_API_SECRET name a second tenant. That one must be a test system: the suite makes users, merchants and payments.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type Service, type ServiceOptions, startService } from '../../src/service/service.ts';
import { newDatabase } from '../database.ts';
import { temporary } from '../temporary.ts';
import { type CheckAnswer, openDescription } from './described.ts';

/**
 * What only the embedded service can be made to do; a test that needs one is skipped elsewhere. `settle`: it ends payments within
 * seconds. `choice`: the document says that there is something, and not what; this one's choice is known.
 */
export type Knob = 'restart' | 'clock' | 'settle' | 'verify' | 'fault' | 'second tenant' | 'choice';

/** What another one of the same implementation is started with. */
export type Start = Pick<ServiceOptions, 'faults' | 'tokensPerMinute'> & {
  /** Time passes only as `moveClock` says. */
  readonly stands?: true;
};

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** One implementation, running. */
interface Running {
  readonly url: string;
  readonly credentials: Credentials;
  readonly other: Credentials | null;
  /** That an answer is as the implementation describes it, where it describes itself. */
  readonly check: CheckAnswer;
  restart(): Promise<void>;
  moveClock(ms: number): void;
  verify(userId: string): Promise<void>;
  close(): Promise<void>;
}

interface Implementation {
  readonly name: string;
  readonly knobs: ReadonlySet<Knob>;
  start(options?: Start): Promise<Running>;
}

// --- Which implementations there are

const every: ReadonlySet<Knob> = new Set(['restart', 'clock', 'settle', 'verify', 'fault', 'second tenant', 'choice']);

const implementations: readonly Implementation[] =
  process.env.PAYRUN_CONFORMANCE === 'elsewhere'
    ? [elsewhere()]
    : [
        { name: 'SQLite', knobs: every, start: (options) => embedded(null, options) },
        { name: 'Postgres', knobs: every, start: async (options) => embedded(await newDatabase(), options) },
      ];

async function embedded(
  database: { url: string; drop: () => Promise<void> } | null,
  { stands, ...options }: Start = {},
): Promise<Running> {
  const dataDir = mkdtempSync(join(temporary, 'payrun-interface-'));
  let ahead = 0;
  const began = Date.now();
  const clock = { ...systemClock, now: () => (stands ? began : Date.now()) + ahead };
  let starts = 0;
  function start(port: number): Promise<Service> {
    starts += 1;
    // A restart stands for a deployment, which on Postgres is another name.
    const shared = database === null ? {} : { database: database.url, deployment: `start ${starts}` };
    return startService({
      dataDir,
      port,
      // A base address may have a path (4).
      basePath: '/payout/v1',
      clock,
      settle: { afterMs: 300 },
      tokensPerMinute: 0,
      ...options,
      ...shared,
    });
  }
  let service: Service = await start(0);
  const { url, port } = service;
  const credentials = await service.tenants.add('Conformance');
  const other = await service.tenants.add('Other');
  return {
    url,
    credentials,
    other,
    check: await openDescription(url),
    async restart() {
      await service.close();
      service = await start(port);
      // Connections that the client kept have ended on loopback: the next turns of the event loop see it.
      for (let turn = 0; turn < 100; turn += 1) await new Promise((done) => setImmediate(done));
    },
    moveClock(ms) {
      ahead += ms;
    },
    verify: (userId) => service.users.verify(userId),
    async close() {
      await service.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function elsewhere(): Implementation {
  const { PAYRUN_BASE_URL: baseUrl = '', PAYRUN_API_KEY: apiKey = '', PAYRUN_API_SECRET: apiSecret = '' } = process.env;
  const { PAYRUN_OTHER_API_KEY: otherKey = '', PAYRUN_OTHER_API_SECRET: otherSecret = '' } = process.env;
  const cannot = async () => expect.unreachable('this implementation has no such knob');
  return {
    name: baseUrl,
    knobs: new Set<Knob>(otherKey === '' ? [] : ['second tenant']),
    start: async () => ({
      url: baseUrl.replace(/\/+$/, ''),
      credentials: { apiKey, apiSecret },
      other: otherKey === '' ? null : { apiKey: otherKey, apiSecret: otherSecret },
      check: () => {},
      restart: cannot,
      moveClock: () => expect.unreachable('the clock cannot be moved'),
      verify: cannot,
      close: async () => {},
    }),
  };
}

// --- Calling it

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests look at.
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A FormData body goes out as a form, any other as JSON. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A 429 is waited out as told: how often one may call is not shown. */
async function send(url: string, token: string | null, ...[method, path, body]: Parameters<Call>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const json = body !== undefined && !(body instanceof FormData);
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as FormData) }),
    });
    const text = await response.text();
    if (response.status !== 429 || tries === 10) {
      return { status: response.status, headers: response.headers, body: parsed(text) };
    }
    await sleep(Math.min(Number(response.headers.get('retry-after') ?? 1) || 1, 60) * 1000);
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every value in an answer, at any depth. */
export function valuesIn(body: Body): readonly unknown[] {
  return typeof body === 'object' && body !== null ? [body, ...Object.values(body).flatMap(valuesIn)] : [body];
}

/** The name of the token field is not shown (4.1, 4.2): it is the one text in three parts with dots between. */
export function tokenIn(body: Body): string {
  const tokens = valuesIn(body).filter((value) => typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value));
  expect(tokens, 'one token in the answer').toHaveLength(1);
  return tokens[0] as string;
}

/** The shape of the creation's answer is not shown (4.20) but for the payment's id. */
export function paymentIdIn(body: Body): string {
  const id = body?.id ?? body?.paymentId ?? body?.payment?.id ?? body?.data?.id ?? body?.data?.paymentId;
  expect(id, 'the payment id in the answer').toBeTypeOf('string');
  return id;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const isUuid: unknown = expect.stringMatching(uuid);
export const isTimestamp: unknown = expect.stringMatching(timestamp);

/** A refusal: how much of it is shown differs, but it is the caller's mistake that is told, and no success. */
export function expectRefused({ status }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
}

/** Some statuses are not shown; those that are, are checked. */
export function expectGood({ status, body }: Answer, ...shown: number[]): void {
  if (shown.length > 0) expect(shown, JSON.stringify(body)).toContain(status);
  else expect([200, 201, 202, 204], JSON.stringify(body)).toContain(status);
}

export interface NewUser {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  /** With that user's token. */
  readonly call: Call;
}

export interface BankFields {
  readonly name: string;
  readonly country: string;
  readonly bankName: string;
  readonly accountNumber: string;
}

/** What the tests of one file have in hand. */
export interface Subject {
  readonly url: string;
  readonly credentials: Credentials;
  readonly other: Credentials;
  /** Without a token. */
  readonly anonymous: Call;
  /** With the tenant's token, minted once. */
  readonly tenant: Call;
  readonly tenantToken: string;
  /** With the second tenant's token. */
  readonly otherTenant: Call;
  /** With another token than those. */
  with(token: string): Call;
  /** A new user of the tenant, with a token. */
  user(): Promise<NewUser>;
  /** One user of the tenant for all tests that change nothing of it. */
  someone: NewUser;
  /** With a token that may make merchants and payments, read and pay: which that is, is not shown (5.6); 5.7 recommends a user's. */
  readonly payer: Call;
  /** Destinations whose account numbers are right by a published rule, under the names by which this implementation lists their banks. */
  readonly nigerian: BankFields;
  readonly southAfrican: BankFields;
  /** A Nigerian one, where nothing else is wanted. */
  merchant(fields?: object): Promise<Body>;
  /** Creates a payment and waits until it can be read; both answers. */
  payment(fields?: object): Promise<{ readonly id: string; readonly created: Body; readonly read: Body }>;
  restart(): Promise<void>;
  moveClock(ms: number): void;
  verify(userId: string): Promise<void>;
  /** Another one of the same implementation, with a clock of its own: for what would disturb the other tests. */
  another(options?: Start): Promise<Subject>;
}

export const momo = (phoneNumber = kenyanPhone()) => ({ phoneNumber, mobileNetwork: 'MOMO', countryCode: 'KE' });

export function kenyanPhone(): string {
  return `+2547${String(randomBytes(4).readUInt32BE() % 1e8).padStart(8, '0')}`;
}

export function newEmail(): string {
  return `conformance-${randomBytes(8).toString('hex')}@example.com`;
}

/** A file of so many bytes that is a PDF by its first ones. */
export function pdf(bytes = 100): Blob {
  return new Blob(['%PDF-1.7\n', ' '.repeat(bytes - 9)], { type: 'application/pdf' });
}

export function form(fields: { readonly [name: string]: string | Blob }): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.set(name, value);
    else data.set(name, value, 'document.pdf');
  }
  return data;
}

/** Asks until the answer is as wanted: what is done asynchronously takes its time. */
export async function eventually<T>(ask: () => Promise<T>, good: (answer: T) => boolean, forMs = 80_000): Promise<T> {
  const until = Date.now() + forMs;
  for (;;) {
    const answer = await ask();
    if (good(answer) || Date.now() > until) return answer;
    await sleep(100);
  }
}

/** The path of the list of a payment's documents is not shown (4.24). */
export async function documentsOf(call: Call, paymentId: string): Promise<Body> {
  for (const name of ['documents', 'document']) {
    const { status, body } = await call('GET', `/payments/${paymentId}/${name}`);
    if (status === 200) return body;
  }
  return expect.unreachable('a list of the documents at /documents or /document');
}

/** Every item of a list, page by page. */
export async function everyItem(call: Call, path: string): Promise<Body[]> {
  const items: Body[] = [];
  for (let marker: string | null = null; ; ) {
    const offset: string =
      marker === null ? '' : `${path.includes('?') ? '&' : '?'}offset=${encodeURIComponent(marker)}`;
    const { status, body } = await call('GET', path + offset);
    expect(status).toBe(200);
    items.push(...body.items);
    marker = body.offsetMarker;
    if (marker === null) return items;
  }
}

async function subjectOver(running: Running, implementation: Implementation): Promise<Subject> {
  const { url, credentials, other } = running;
  const withToken =
    (token: string | null): Call =>
    async (...call) => {
      const answer = await send(url, token, ...call);
      running.check(call[0], call[1], answer.status, answer.body);
      return answer;
    };
  const mint = async (pair: Credentials) => {
    const answer = await send(url, null, 'POST', '/token', pair);
    expectGood(answer);
    return tokenIn(answer.body);
  };
  const tenantToken = await mint(credentials);
  const tenant = withToken(tenantToken);
  const otherTenant = withToken(other === null ? null : await mint(other));

  async function user(): Promise<NewUser> {
    const email = newEmail();
    const made = await tenant('POST', '/users', { email, name: 'A Person' });
    expectGood(made, 201);
    const { userId } = made.body;
    const minted = await tenant('POST', '/tokens/user', { userId });
    expectGood(minted);
    const token = tokenIn(minted.body);
    return { userId, email, token, call: withToken(token) };
  }

  const someone = await user();
  const mayPay = await someone.call('GET', '/merchants?limit=1');
  const payer = mayPay.status === 401 || mayPay.status === 403 ? tenant : someone.call;

  /** How a bank is spelt is the implementation's; what it is called is not. */
  async function bankNamed(country: string, pattern: RegExp): Promise<string> {
    const { body } = await withToken(null)('GET', `/utils/banks/${country}`);
    const name = (body as string[]).find((one) => pattern.test(one));
    expect(name, `a bank of ${country} like ${pattern.source}`).toBeTypeOf('string');
    return name!;
  }
  const nigerian = {
    name: 'Ada Obi',
    country: 'Nigeria',
    bankName: await bankNamed('Nigeria', /^first bank/i),
    accountNumber: '0000014579',
  };
  const southAfrican = {
    name: 'Thandi Dube',
    country: 'SouthAfrica',
    bankName: await bankNamed('SouthAfrica', /^(the )?standard bank/i),
    accountNumber: '000000019',
  };

  const merchant = async (fields: object = nigerian) => {
    const answer = await payer('POST', '/merchants', fields);
    expectGood(answer);
    return answer.body;
  };
  return {
    url,
    credentials,
    other: other ?? { apiKey: '', apiSecret: '' },
    anonymous: withToken(null),
    tenant,
    tenantToken,
    otherTenant,
    with: withToken,
    user,
    someone,
    payer,
    nigerian,
    southAfrican,
    merchant,
    async payment(fields = {}) {
      const merchantId = 'merchantId' in fields ? undefined : (await merchant()).id;
      const answer = await payer('POST', '/payments', { merchantId, amount: 100, reference: 'Pay 1', ...fields });
      expectGood(answer);
      const id = paymentIdIn(answer.body);
      const read = await eventually(
        () => payer('GET', `/payments/${id}`),
        ({ status }) => status === 200,
      );
      expectGood(read, 200);
      return { id, created: answer.body, read: read.body };
    },
    restart: running.restart,
    moveClock: running.moveClock,
    verify: running.verify,
    async another(options) {
      const another = await implementation.start(options);
      closings.push(() => another.close());
      return subjectOver(another, implementation);
    },
  };
}

const closings: (() => Promise<void>)[] = [];

type Test = (title: string, test: (subject: Subject) => Promise<void>) => void;

export interface Sentences {
  /** A sentence of the document, and how it shows. */
  readonly says: Test;
  /** The same, where the implementation must be made to do something first. */
  readonly saysWith: (knob: Knob) => Test;
}

/** The sentences of one section, told of each implementation. */
export function section(title: string, tell: (sentences: Sentences) => void): void {
  describe.each(implementations)(`${title} ($name)`, (implementation) => {
    let subject: Subject;
    beforeAll(async () => {
      const running = await implementation.start();
      closings.push(() => running.close());
      subject = await subjectOver(running, implementation);
    });
    afterAll(async () => {
      for (const close of closings.splice(0)) await close();
    });
    tell({
      says: (sentence, test) => it(sentence, () => test(subject)),
      saysWith: (knob) => (sentence, test) =>
        it.skipIf(!implementation.knobs.has(knob))(`${sentence} [${knob}]`, () => test(subject)),
    });
  });
}
