/**
 * A second payout service, written from the interface document alone: plain node:http, in memory, nothing of src/. Every name and
 * shape that the document leaves open is a setting, so that a test can be the service that nobody here has seen yet.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Json = Record<string, unknown>;

export interface Shape {
  /** What stands before every path. */
  readonly basePath?: string;
  /** The answer of POST /token and POST /tokens/user (4.1, 4.2: names not shown). */
  readonly tokenAnswer?: (token: string, expiry: number) => unknown;
  readonly tokenLifeMs?: number;
  /** The first token's life only. */
  readonly firstTokenLifeMs?: number;
  /** The answer of POST /payments (4.20: shape not shown). */
  readonly created?: { readonly status: number; readonly answer: (payment: Json) => unknown };
  readonly merchantCreated?: { readonly status: number; readonly answer: (merchant: Json) => unknown };
  readonly paymentIds?: 'uuid' | 'number';
  /** A text goes out as text/plain (7: body shape of most errors not shown). */
  readonly errorBody?: (message: string) => unknown;
  readonly pageSize?: number;
  readonly listOrder?: 'newest' | 'oldest' | 'scattered';
  /** Creation is asynchronous (1): when a payment can be read by its id, and when the list holds it. */
  readonly readableAfterMs?: number;
  readonly listedAfterMs?: number;
  readonly words?: { readonly open: string; readonly success: string; readonly expired: string };
  readonly settleAfterMs?: number;
  /** Payments whose reference is among these expire. */
  readonly expires?: ReadonlySet<string>;
  /** Where a payment's documents are listed (4.24: not shown); null: nowhere. */
  readonly documentsPath?: string | null;
  readonly foldTag?: (tag: string) => string;
  /** Fields that nobody has heard of, on every record and page. */
  readonly extra?: Json;
  /** What stands in the list beside our payments, however odd. */
  readonly foreign?: readonly unknown[];
  /** Fields left out of list items. */
  readonly listLacks?: readonly string[];
  /** Bank names under another field of the detailed list (2.9: fields not shown). */
  readonly bankNameField?: string;
  /** The service's clock, in milliseconds since 1970 UTC: the machine's unless a test moves it. */
  readonly now?: () => number;
  /** Answers bear no date. */
  readonly timeless?: boolean;
  /** Merchants with these account numbers or phones are refused, with the status (7: not shown). */
  readonly refuses?: { readonly status: number; readonly which: (body: Json) => boolean };
}

export interface Call {
  readonly route: string;
  readonly path: string;
  /** Counted from 1 for each route. */
  readonly nth: number;
  readonly body: Json;
  readonly query: URLSearchParams;
  readonly token: string | null;
}

/** What goes wrong with one call; `after` means that the service has carried it out all the same. */
export type Fault =
  | { readonly kind: 'drop'; readonly after?: boolean }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
      readonly after?: boolean;
    }
  | { readonly kind: 'cut' }
  | { readonly kind: 'hold'; readonly until: Promise<unknown>; readonly after?: boolean };

export interface StoredPayment extends Json {
  readonly id: string | number;
  readonly tag?: string;
  readonly reference: string;
  readonly amount: number;
  readonly createdAtMs: number;
  /** Whose token made it: `tenant` or the user's id. */
  readonly madeBy: string;
  /** How this one ends, whatever the others do. */
  readonly ends?: 'success' | 'expired' | 'never';
}

interface Session {
  readonly kind: 'tenant' | 'user';
  readonly who: string;
  readonly until: number;
}

const banks: Record<string, { name: string; code: string; branchCode?: string }[]> = {
  southafrica: [
    { name: 'Standard Bank', code: 'ZA-SBZA', branchCode: '051001' },
    { name: 'First National Bank', code: 'ZA-FIRN', branchCode: '250655' },
  ],
  nigeria: [
    { name: 'Guaranty Trust Bank', code: '058' },
    { name: 'First Bank of Nigeria', code: '011' },
  ],
  kenya: [{ name: 'KCB Bank Kenya', code: '01' }],
};
const countries = 'BTC,Bitcoin,SouthAfrica,Nigeria,Kenya,Europe,UnitedKingdom,USDT,Tether'.split(',');
const currencies: Record<string, string> = { SouthAfrica: 'ZAR', Nigeria: 'NGN', Kenya: 'KES', BTC: 'BTC' };

export interface Independent {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly userId: string;
  readonly merchants: Map<string, Json>;
  readonly payments: StoredPayment[];
  readonly uploads: { readonly paymentId: string; readonly bytes: number; readonly token: string }[];
  /** How often each route was called, such as `POST /payments`. */
  readonly calls: Map<string, number>;
  total(): number;
  /** The signing secret is made anew (5.5): no token of before is good any more. */
  rotate(): void;
  /** Asked before every call; what it returns goes wrong. Calls can be watched here too. */
  fault: (call: Call) => Fault | undefined;
  disableUser(): void;
  /** Another key of the same tenant, with the same secret: keys are rotated. */
  addKey(): string;
  close(): Promise<void>;
}

export async function startIndependent(shape: Shape = {}): Promise<Independent> {
  const apiKey = `key-${randomUUID()}`;
  const keys = new Set([apiKey]);
  const apiSecret = `secret-${randomUUID()}`;
  const userId = randomUUID();
  const sessions = new Map<string, Session>();
  const merchants = new Map<string, Json>();
  const payments: StoredPayment[] = [];
  const uploads: { paymentId: string; bytes: number; token: string }[] = [];
  const documents = new Map<string, Json[]>();
  const calls = new Map<string, number>();
  let userActive = true;
  let minted = 0;
  const now = shape.now ?? (() => Date.now());
  const extra = shape.extra ?? {};
  const words = shape.words ?? { open: 'pending', success: 'success', expired: 'expired' };

  class Refused extends Error {
    readonly status: number;
    constructor(status: number, message: string) {
      super(message);
      this.status = status;
    }
  }

  function newToken(session: Omit<Session, 'until'>): unknown {
    minted += 1;
    const lifeMs = (minted === 1 ? shape.firstTokenLifeMs : undefined) ?? shape.tokenLifeMs ?? 3_600_000;
    const until = now() + lifeMs;
    const token = `head${minted}.${randomUUID()}.${createHash('sha256').update(String(minted)).digest('base64url')}`;
    sessions.set(token, { ...session, until });
    return (shape.tokenAnswer ?? ((text, expiry) => ({ token: text, expiry })))(token, until);
  }

  function sessionOf(token: string | null): Session {
    const session = token === null ? undefined : sessions.get(token);
    if (session === undefined || session.until < now()) throw new Refused(401, 'Unauthorized');
    return session;
  }

  /** As GET shows it: what was asked for, and what became of it. */
  function shown(payment: StoredPayment): Json {
    const { createdAtMs, madeBy: _, ends, ...fields } = payment;
    const ended = ends !== 'never' && now() - createdAtMs >= (shape.settleAfterMs ?? 0);
    const success = ends === undefined ? !(shape.expires?.has(payment.reference) ?? false) : ends === 'success';
    return {
      ...fields,
      status: ended ? (success ? words.success : words.expired) : words.open,
      statusLog: ended ? 'It ended' : 'On its way',
      ...(ended && success ? { amountSettled: payment.amount } : {}),
      otcFees: 0,
      date: new Date(createdAtMs).toISOString(),
      ...extra,
    };
  }

  function page(items: readonly unknown[], query: URLSearchParams, keyOf: (item: unknown, index: number) => string) {
    const asked = Number(query.get('limit') ?? 0);
    const size = Math.min(shape.pageSize ?? 50, asked > 0 ? asked : 100);
    const after = query.get('offset');
    const start = after === null ? 0 : items.findIndex((item, index) => keyOf(item, index) === after) + 1;
    if (after !== null && start === 0) throw new Refused(400, 'offset is not one of our markers');
    const slice = items.slice(start, start + size);
    const last = start + slice.length;
    return { items: slice, offsetMarker: last < items.length ? keyOf(items[last - 1], last - 1) : null, ...extra };
  }

  function listed(): Json[] {
    const seen = payments.filter(({ createdAtMs }) => now() - createdAtMs >= (shape.listedAfterMs ?? 0));
    const order = shape.listOrder ?? 'newest';
    const scatter = (one: StoredPayment) => createHash('md5').update(String(one.id)).digest('hex');
    const sorted =
      order === 'oldest'
        ? seen
        : order === 'newest'
          ? seen.toReversed()
          : seen.toSorted((a, b) => (scatter(a) < scatter(b) ? -1 : 1));
    return sorted.map((payment) => {
      const item = shown(payment);
      for (const field of shape.listLacks ?? []) delete item[field];
      return item;
    });
  }

  function paymentOf(id: string): StoredPayment {
    const payment = payments.find((one) => String(one.id) === id);
    if (payment === undefined || now() - payment.createdAtMs < (shape.readableAfterMs ?? 0))
      throw new Refused(404, 'No such payment');
    return payment;
  }

  function requireText(body: Json, ...names: string[]): void {
    for (const name of names)
      if (typeof body[name] !== 'string' || body[name] === '') throw new Refused(400, `${name} is required`);
  }

  function createMerchant(body: Json): [number, unknown] {
    requireText(body, 'name', 'country');
    if (!/^[A-Za-z0-9 @/().,_-]{0,254}$/.test(String(body.name))) throw new Refused(400, 'name has odd characters');
    if (shape.refuses?.which(body)) throw new Refused(shape.refuses.status, 'The account check failed');
    const country = String(body.country);
    if (!(country in currencies)) throw new Refused(400, 'country is not one we pay to');
    if (country === 'SouthAfrica') requireText(body, 'bankName', 'accountNumber');
    if (country === 'Nigeria') requireText(body, 'accountNumber');
    if (country === 'Kenya') requireText(body, 'networkProvider', 'contactNumber');
    if (country === 'BTC') requireText(body, 'lnurl');
    const known = banks[country.toLowerCase()] ?? [];
    if (body.bankName !== undefined && !known.some(({ name }) => name === body.bankName))
      throw new Refused(400, `bankName ${JSON.stringify(body.bankName)} is not known`);
    const bankCode = known.find(({ name, code }) => name === body.bankName || code === body.bankCode)?.code;
    const made: Json = { id: randomUUID(), ...body, ...(bankCode === undefined ? {} : { bankCode }), ...extra };
    merchants.set(String(made.id), made);
    const { status, answer } = shape.merchantCreated ?? { status: 201, answer: (merchant: Json) => merchant };
    return [status, answer(made)];
  }

  function createPayment(body: Json, session: Session): [number, unknown] {
    requireText(body, 'merchantId', 'reference');
    const merchant = merchants.get(String(body.merchantId));
    if (merchant === undefined) throw new Refused(404, 'No such merchant');
    if (!Number.isSafeInteger(body.amount) || Number(body.amount) <= 0) throw new Refused(400, 'amount is not whole');
    if (!/^[A-Za-z0-9 ]{1,20}$/.test(String(body.reference))) throw new Refused(400, 'reference has odd characters');
    const { webhookUrl: _, webhookSecret: __, ...kept } = body;
    const country = String(merchant.country);
    const made = {
      ...kept,
      id: shape.paymentIds === 'number' ? 70_000 + payments.length : randomUUID(),
      ...(typeof body.tag === 'string' ? { tag: shape.foldTag?.(body.tag) ?? body.tag } : {}),
      destinationCountry: country,
      destinationCurrency: currencies[country],
      ...(['Nigeria', 'Kenya', 'KE', 'KES', 'UK', 'UnitedKingdom', 'Europe'].includes(String(body.fromCountry))
        ? { depositBankDetails: { account: 'DE00 1234', holder: 'Deposits', reference: body.reference } }
        : {}),
      createdAtMs: now(),
      madeBy: session.kind === 'user' ? session.who : 'tenant',
    } as unknown as StoredPayment;
    payments.push(made);
    const { status, answer } = shape.created ?? { status: 201, answer: ({ id }: Json) => ({ id }) };
    return [status, answer(shown(made))];
  }

  type Handler = (call: Call, id: string, query: URLSearchParams, raw: Buffer) => [number, unknown];
  const documentsPath = shape.documentsPath === undefined ? '/documents' : shape.documentsPath;
  const routes: [method: string, path: RegExp, name: string, handler: Handler][] = [
    [
      'POST',
      /^\/token$/,
      'POST /token',
      ({ body }) => {
        if (!body.apiKey || !body.apiSecret) throw new Refused(400, 'apiKey and apiSecret are required');
        if (typeof body.apiKey !== 'string' || !keys.has(body.apiKey)) throw new Refused(401, 'Unknown key');
        if (body.apiSecret !== apiSecret) throw new Refused(401, 'API secret and key invalid');
        return [200, newToken({ kind: 'tenant', who: 'tenant' })];
      },
    ],
    [
      'POST',
      /^\/tokens\/user$/,
      'POST /tokens/user',
      ({ body, token }) => {
        if (sessionOf(token).kind !== 'tenant') throw new Refused(403, 'Only for tenants');
        requireText(body, 'userId');
        if (body.userId !== userId || !userActive) throw new Refused(404, 'No such user');
        return [201, newToken({ kind: 'user', who: userId })];
      },
    ],
    [
      'GET',
      /^\/utils\/banks\/([^/]+)$/,
      'GET /utils/banks/:country',
      (_call, country, query) => {
        const list = banks[country.toLowerCase()];
        if (list === undefined) throw new Refused(404, 'No such country');
        if (query.get('showDetails') !== 'true') return [200, list.map(({ name }) => name)];
        return [200, list.map(({ name, ...rest }) => ({ [shape.bankNameField ?? 'name']: name, ...rest }))];
      },
    ],
    ['GET', /^\/utils\/countries$/, 'GET /utils/countries', () => [200, countries]],
    ['POST', /^\/merchants$/, 'POST /merchants', ({ body, token }) => sessionOf(token) && createMerchant(body)],
    [
      'GET',
      /^\/merchants$/,
      'GET /merchants',
      ({ token }, _, query) => {
        sessionOf(token);
        return [200, page([...merchants.values()], query, (one) => String((one as Json).id))];
      },
    ],
    [
      'GET',
      /^\/merchants\/([^/]+)$/,
      'GET /merchants/:id',
      ({ token }, id) => {
        sessionOf(token);
        const merchant = merchants.get(id);
        if (merchant === undefined) throw new Refused(404, 'No such merchant');
        return [200, merchant];
      },
    ],
    [
      'PATCH',
      /^\/merchants\/([^/]+)$/,
      'PATCH /merchants/:id',
      ({ body, token }, id) => {
        sessionOf(token);
        const merchant = merchants.get(id);
        if (merchant === undefined) throw new Refused(404, 'No such merchant');
        Object.assign(merchant, body);
        return [200, merchant];
      },
    ],
    ['POST', /^\/payments$/, 'POST /payments', ({ body, token }) => createPayment(body, sessionOf(token))],
    [
      'GET',
      /^\/payments$/,
      'GET /payments',
      ({ token }, _, query) => {
        sessionOf(token);
        const items = [...(shape.foreign ?? []), ...listed()];
        return [200, page(items, query, (_one, index) => Buffer.from(`after ${index}`).toString('base64'))];
      },
    ],
    [
      'GET',
      /^\/payments\/([^/]+)$/,
      'GET /payments/:id',
      ({ token }, id) => {
        sessionOf(token);
        return [200, shown(paymentOf(id))];
      },
    ],
    [
      'POST',
      /^\/payments\/([^/]+)\/document$/,
      'POST /payments/:id/document',
      ({ token }, id, _query, raw) => {
        sessionOf(token);
        paymentOf(id);
        if (!raw.includes('name="file"')) throw new Refused(400, 'file is required');
        uploads.push({ paymentId: id, bytes: raw.length, token: token ?? '' });
        const made = { paymentId: id, documentId: randomUUID(), presignedUrl: 'http://127.0.0.1/x', createdAt: 'now' };
        documents.set(id, [...(documents.get(id) ?? []), made]);
        return [200, {}];
      },
    ],
  ];
  if (documentsPath !== null)
    routes.push([
      'GET',
      new RegExp(`^/payments/([^/]+)${documentsPath}$`),
      'GET documents',
      ({ token }, id) => {
        sessionOf(token);
        return [200, { items: documents.get(id) ?? [], presignedUrlExpiresInSeconds: 900, ...extra }];
      },
    ]);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', 'http://independent');
    const base = shape.basePath ?? '';
    const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : null;
    const route = routes.find(([method, pattern]) => path !== null && method === request.method && pattern.test(path));
    const name = route?.[2] ?? `${request.method} ${url.pathname}`;
    const nth = (calls.get(name) ?? 0) + 1;
    calls.set(name, nth);
    const json = request.headers['content-type']?.startsWith('application/json') === true;
    const body = json && raw.length > 0 ? (JSON.parse(raw.toString('utf8')) as Json) : {};
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
    const call: Call = { route: name, path: url.pathname, nth, body, query: url.searchParams, token };
    const fault = service.fault(call);
    if (fault?.kind === 'hold' && !fault.after) await fault.until;
    if (fault?.kind === 'drop' && !fault.after) return void request.socket.destroy();
    if (fault?.kind === 'answer' && !fault.after)
      return write(response, fault.status, fault.body ?? errorBody('Not now'), fault.headers);
    let result: [number, unknown];
    try {
      if (route === undefined || path === null) throw new Refused(404, `No route ${name}`);
      result = route[3](call, decodeURIComponent(route[1].exec(path)?.[1] ?? ''), url.searchParams, raw);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      result = [error.status, errorBody(error.message)];
    }
    if (fault?.kind === 'hold' && fault.after) await fault.until;
    if (fault?.kind === 'drop') return void request.socket.destroy();
    if (fault?.kind === 'answer') return write(response, fault.status, fault.body ?? errorBody('Oops'), fault.headers);
    if (fault?.kind === 'cut') {
      const text = JSON.stringify(result[1]);
      response.writeHead(result[0], { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, Math.floor(text.length / 2)));
      await sleep(20);
      return void request.socket.destroy();
    }
    write(response, result[0], result[1]);
  }

  function errorBody(message: string): unknown {
    return (shape.errorBody ?? ((text) => ({ message: text })))(message);
  }

  function write(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json; charset=utf-8';
    response.sendDate = false;
    const date = shape.timeless === true ? {} : { date: new Date(now()).toUTCString() };
    response.writeHead(status, { 'content-type': type, ...date, ...headers });
    response.end(text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A client that was killed cuts its own call; anything else is a fault of this file.
      if (request.destroyed || response.destroyed) return;
      write(response, 500, errorBody(String(error)));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const service: Independent = {
    url: `http://127.0.0.1:${port}${shape.basePath ?? ''}`,
    apiKey,
    apiSecret,
    userId,
    merchants,
    payments,
    uploads,
    calls,
    total: () => [...calls.values()].reduce((sum, count) => sum + count, 0),
    rotate: () => sessions.clear(),
    fault: () => undefined,
    disableUser: () => {
      userActive = false;
    },
    addKey() {
      const key = `key-${randomUUID()}`;
      keys.add(key);
      return key;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return service;
}
