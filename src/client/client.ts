/** The typed client of the payout service: each endpoint in use as a function, one caller's identity, one place that sends. The room's door. */
import { type Clock, systemClock } from '../base/clock.ts';
import { sha256 } from '../base/digest.ts';
import { assert, PayrunError } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import { Secret } from '../base/secret.ts';
import { defaultDocuments } from '../domain/rows/document.ts';
import { type MerchantCreate, type MerchantPatch, merchantCreate, merchantPatch } from '../wire/merchant.ts';
import { type PaymentCreate, paymentCreate } from '../wire/payment.ts';
import { bankNames as bankNameList, countryList } from '../wire/reference.ts';
import { paymentIdOf, type ReadMerchant, type ReadPayment, readMerchant, readPayment } from './answers.ts';
import { done, maxListBytes, openCalls, type ReadPage, readPage } from './calls.ts';
import type { Http, HttpRequest } from './exchange.ts';
import { CallFailure } from './failure.ts';
import { openHttp } from './http.ts';
import { documentIdIn, formOf, openPeople, type PeopleClient, type UploadFile } from './people.ts';
import { type Onlooker, seenBy } from './seen.ts';
import { openTokens } from './tokens.ts';

export type { MerchantCreate, MerchantPatch } from '../wire/merchant.ts';
export type { PaymentCreate } from '../wire/payment.ts';
export {
  type ReadMerchant,
  type ReadPayment,
  readMerchant,
  readPayment,
} from './answers.ts';
export type { ReadPage } from './calls.ts';
export { CallFailure, type Outcome } from './failure.ts';
export type { PeopleClient, UploadFile } from './people.ts';
export type { ReadProfile, ReadUser, ReadUserItem } from './people-shapes.ts';
export { maxWaitMs } from './retry.ts';
export type { Onlooker, SeenCall } from './seen.ts';
export type { MintedToken } from './tokens.ts';
// A caller of the client alone needs these to open it and to handle its errors.
export { type Clock, PayrunError, Secret, systemClock };

export interface ClientSettings {
  /** May have a path; every path of the interface is appended to it. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  /** Pays with this user's token (interface 5.7); null: with the tenant's. */
  readonly userId: string | null;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly connectTimeoutMs?: number;
  /** Names that the interface does not show, where a service needs other than what is found by itself. */
  readonly names?: { readonly token?: string; readonly paymentId?: string; readonly documentsPath?: string };
  /** Statuses by which this service refuses, beside 400, 404, 413, 415 and 422 (interface 7). */
  readonly refused?: readonly number[];
  /** The largest document that is fetched again, to see whether it arrived; by default the largest that a KYC document may be. */
  readonly documentBytes?: number;
  /** Told of each call; absent: nobody is. Calls bear their trace only to a service on this machine. */
  readonly seen?: Onlooker;
}

export interface CreatedPayment {
  readonly id: string;
  readonly body: unknown;
  readonly payment: ReadPayment | null;
}

export interface BankEntry {
  readonly name: string;
  readonly code: string | null;
  /** Told for South Africa only (interface 2.9). */
  readonly branchCode: string | null;
}

/** Every endpoint of the interface. A body that breaks the interface's own rules throws a ZodError, and nothing is sent. */
export interface Client extends PayoutClient, PeopleClient {}

/** Reference data, merchants, payments and documents: all that paying a sheet needs (interface 4.14 to 4.24). */
export interface PayoutClient {
  /** The base URL, with a slash at its end only if it was given one. */
  readonly baseUrl: string;
  /** The service's clock now, as its last Date header lets us reckon it (full seconds); null before the first. */
  serviceTime(): number | null;
  /** Makes sure of a token, so that none has to be fetched between an intent and its payment. */
  ready(): Promise<void>;
  /** After a 401: mints another token, once for all that ask at the same moment. */
  reauthenticate(): Promise<void>;
  /** GET /utils/countries (interface 4.15): names, or the service's ISO-style codes. */
  countries(wanted?: { readonly isoCodes?: boolean }): Promise<readonly string[]>;
  /** GET /utils/banks/:country (interface 4.14), with its codes where the details can be matched to the names. */
  banks(country: string): Promise<readonly BankEntry[]>;
  /** GET /merchants to the end (interface 4.17), a page at a time. */
  merchants(): AsyncIterable<ReadPage<ReadMerchant>>;
  /** GET /merchants/:id (interface 4.18); null where the service has none. */
  merchant(id: string): Promise<ReadMerchant | null>;
  /** POST /merchants, once (interface 4.16). Throws CallFailure. */
  createMerchant(body: MerchantCreate): Promise<ReadMerchant>;
  /** PATCH /merchants/:id (interface 4.19): the merchant as it is now; null where it was changed and the answer cannot be read. */
  patchMerchant(id: string, body: MerchantPatch): Promise<ReadMerchant | null>;
  /** POST /payments, once and never again (interface 4.20); after `ready()`, whose token it bears. Throws CallFailure, whose outcome says what may have happened. */
  createPayment(body: PaymentCreate): Promise<CreatedPayment>;
  /** GET /payments/{id} (interface 4.22); null for 404. */
  payment(id: string): Promise<ReadPayment | null>;
  /** GET /payments to the null marker (interface 4.21), a page at a time; items as they came. */
  payments(): AsyncIterable<readonly unknown[]>;
  /** POST /payments/{id}/document (interface 4.23), once. Returns the document's id where the answer names one. */
  attachDocument(paymentId: string, file: UploadFile): Promise<string | null>;
  /** The payment's documents (interface 4.24), or null where the service lists them nowhere that we know. */
  documents(paymentId: string): Promise<readonly unknown[] | null>;
  /** SHA-256 (hex) of each listed document's content; null where one of them cannot be fetched. */
  documentHashes(listed: readonly unknown[]): Promise<readonly string[] | null>;
  close(): void;
}

export function openClient(settings: ClientSettings, clock: Clock = systemClock): Client {
  const {
    baseUrl,
    concurrency,
    timeoutMs,
    names = {},
    refused = [],
    documentBytes = defaultDocuments.maxBytes,
  } = settings;
  const { connectTimeoutMs = 5000 } = settings;
  const opened = openHttp({ baseUrl, concurrency, timeoutMs, connectTimeoutMs, after: clock.after });
  const wire = settings.seen === undefined ? opened : seenBy(opened, settings.seen, isLoopback(baseUrl));
  let dated: { readonly serviceMs: number; readonly atMs: number } | null = null;
  const http: Http = {
    ...wire,
    async send(request) {
      const answer = await wire.send(request);
      if (answer.dateMs !== null) dated = { serviceMs: answer.dateMs, atMs: clock.monotonic() };
      return answer;
    },
  };
  const tokens = openTokens({
    http,
    clock,
    apiKey: settings.apiKey,
    apiSecret: settings.apiSecret,
    userId: settings.userId,
    ...(names.token === undefined ? {} : { tokenField: names.token }),
  });
  const calls = openCalls(http, tokens, clock, refused);
  let paidWith = '';
  /** Tokens that a payment was refused with: an answer to an earlier token says nothing about the present one. */
  const refusedWith = new Set<string>();

  return {
    ...openPeople({ calls, mintTenant: tokens.mintTenant, mintUser: tokens.mintUser }),
    baseUrl,
    serviceTime: () => (dated === null ? null : dated.serviceMs + Math.floor(clock.monotonic() - dated.atMs)),
    async ready() {
      paidWith = await tokens.caller.current();
    },
    async reauthenticate() {
      if (refusedWith.has(paidWith)) paidWith = await tokens.caller.renew(paidWith);
    },
    async countries({ isoCodes = false } = {}) {
      const query = isoCodes ? { query: { showIsoCodes: 'true' } } : {};
      const answer = await calls.readPublic({ method: 'GET', path: '/utils/countries', ...query });
      return countryList.safeParse(answer.body).data ?? [];
    },
    async banks(country) {
      const path = `/utils/banks/${country}`;
      const [plain, detailed] = await Promise.all([
        calls.readPublic({ method: 'GET', path }),
        calls.readPublic({ method: 'GET', path, query: { showDetails: 'true' } }).catch(() => null),
      ]);
      const list = bankNameList.safeParse(plain.body);
      if (!list.success)
        throw new PayrunError('SERVICE_ANSWER', { what: `GET ${path}`, detail: 'no list of bank names' });
      const codes = codesByName(list.data, detailed?.body);
      return list.data.map((name) => ({ name, ...(codes.get(name) ?? { code: null, branchCode: null }) }));
    },
    async *merchants() {
      for await (const items of calls.pages('/merchants', { limit: '100' })) yield readPage(items, readMerchant);
    },
    async merchant(id) {
      const answer = await calls.found({ method: 'GET', path: `/merchants/${encodeURIComponent(id)}` });
      return answer === null ? null : merchantIn(answer.body);
    },
    async createMerchant(body) {
      const request: HttpRequest = { method: 'POST', path: '/merchants', json: merchantCreate.parse(body) };
      const answer = await calls.change(request);
      const merchant = merchantIn(answer.body);
      if (merchant === null) throw new CallFailure('unknown', 'POST /merchants: the answer names no id');
      return merchant;
    },
    async patchMerchant(id, body) {
      const path = `/merchants/${encodeURIComponent(id)}`;
      return merchantIn((await calls.change({ method: 'PATCH', path, json: merchantPatch.parse(body) })).body);
    },
    async createPayment(body) {
      assert(paidWith !== '', 'ready() comes before createPayment()');
      const request: HttpRequest = { method: 'POST', path: '/payments', json: paymentCreate.parse(body), paying: true };
      const token = paidWith;
      const sent = await http.send({ ...request, token });
      if (sent.status === 401 || sent.status === 403) refusedWith.add(token);
      const answer = done(request, sent, refused);
      const id = paymentIdOf(answer.body, names.paymentId);
      if (id === null)
        throw new CallFailure('unknown', `POST /payments answered ${answer.status} without a readable id`, {
          status: answer.status,
        });
      return { id, body: answer.body, payment: readPayment(answer.body) };
    },
    async payment(id) {
      const answer = await calls.found({ method: 'GET', path: `/payments/${encodeURIComponent(id)}` });
      return answer === null ? null : readPayment(answer.body);
    },
    // not shown: the query parameters of GET /payments other than `offset` (interface 4.21); none is sent.
    payments: () => calls.pages('/payments', {}),
    async attachDocument(paymentId, file) {
      const answer = await calls.change({
        method: 'POST',
        path: `/payments/${encodeURIComponent(paymentId)}/document`,
        form: formOf(file),
      });
      return documentIdIn(answer.body);
    },
    async documents(paymentId) {
      const under = `/payments/${encodeURIComponent(paymentId)}`;
      // not shown: the path of this list (interface 4.24): `/documents`, then `/document`, unless the configuration names it.
      const paths = names.documentsPath === undefined ? ['/documents', '/document'] : [names.documentsPath];
      for (const path of paths) {
        const answer = await calls
          .call({ method: 'GET', path: `${under}${path}`, maxAnswerBytes: maxListBytes })
          .catch(() => null);
        const body = answer?.status === 200 ? (answer.body as { items?: unknown } | undefined) : undefined;
        if (Array.isArray(body?.items)) return body.items;
      }
      return null;
    },
    async documentHashes(listed) {
      const hashes: string[] = [];
      for (const entry of listed) {
        const url = (entry as { presignedUrl?: unknown } | null)?.presignedUrl;
        const bytes = typeof url === 'string' ? await http.download(url, documentBytes) : null;
        if (bytes === null) return null;
        hashes.push(sha256(bytes));
      }
      return hashes;
    },
    close: () => http.close(),
  };
}

/** Some services wrap the one record of an answer. */
function merchantIn(body: unknown): ReadMerchant | null {
  const record = body as Record<string, unknown> | undefined;
  return readMerchant(body) ?? readMerchant(record?.merchant ?? record?.data);
}

/** not shown: which field of a detailed bank is its name (interface 2.9); it is the one that stands in the plain list. */
function codesByName(names: readonly string[], detailed: unknown): Map<string, Omit<BankEntry, 'name'>> {
  const known = new Set(names);
  const codes = new Map<string, Omit<BankEntry, 'name'>>();
  for (const bank of Array.isArray(detailed) ? (detailed as unknown[]) : []) {
    if (typeof bank !== 'object' || bank === null) continue;
    const { code, branchCode } = bank as { code?: unknown; branchCode?: unknown };
    const name = Object.values(bank).find((value) => typeof value === 'string' && known.has(value)) as
      | string
      | undefined;
    if (name !== undefined) codes.set(name, { code: codeIn(code), branchCode: codeIn(branchCode) });
  }
  return codes;
}

const codeIn = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;
