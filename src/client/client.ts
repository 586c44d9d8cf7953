/** The typed client of the payout service: its methods send POST /payments and all other calls. */
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
export { type ReadMerchant, type ReadPayment, readMerchant, readPayment } from './answers.ts';
export type { ReadPage } from './calls.ts';
export { CallFailure, type CallOutcome, nullIfFailed } from './failure.ts';
export type { PeopleClient, UploadFile } from './people.ts';
export type { ReadProfile, ReadUser, ReadUserItem } from './people-shapes.ts';
export { maxWaitMs } from './retry.ts';
export type { Onlooker, SeenCall } from './seen.ts';
export type { MintedToken } from './tokens.ts';
// A program that imports only this file needs these exports to open the client and to handle errors.
export { type Clock, PayrunError, Secret, systemClock };

export interface ClientSettings {
  /** May include a path. The client adds the interface's paths to this URL. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  /** The user whose token pays (interface 5.7); null if the tenant's token pays. */
  readonly userId: string | null;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly connectTimeoutMs?: number;
  /** Names that the interface leaves open. Set a name only if the client cannot find the value by itself. */
  readonly names?: { readonly token?: string; readonly paymentId?: string; readonly documentsPath?: string };
  /** HTTP statuses that also mean a refusal at this service, besides those in failure.ts (interface 7). */
  readonly refused?: readonly number[];
  /** The largest document, in bytes, that `documentHashes` downloads. The default is the limit of KYC documents. */
  readonly documentBytes?: number;
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
  readonly branchCode: string | null;
}

/** If a body breaks the interface's rules, the call throws a ZodError and sends nothing. */
export interface Client extends PayoutClient, PeopleClient {}

export interface PayoutClient {
  readonly baseUrl: string;
  /** The service's time in milliseconds since 1970, accurate to a second. Null until an answer has a Date header. */
  serviceTime(): number | null;
  /** Gets a token now, so that no payment waits for a token after its intent. */
  ready(): Promise<void>;
  /** Replaces the token from `ready()`, but only if a payment with this token got 401 or 403. */
  reauthenticate(): Promise<void>;
  /** GET /utils/countries (interface 4.15): names, or codes with `isoCodes`. Empty if the answer is unreadable. */
  countries(wanted?: { readonly isoCodes?: boolean }): Promise<readonly string[]>;
  /** GET /utils/banks/:country (interface 4.14). A bank that is missing in the service's detailed list has no codes. */
  banks(country: string): Promise<readonly BankEntry[]>;
  /** GET /merchants (interface 4.17), page by page to the end. */
  merchants(): AsyncIterable<ReadPage<ReadMerchant>>;
  /** GET /merchants/:id (interface 4.18). Returns null if the merchant does not exist or cannot be read. */
  merchant(id: string): Promise<ReadMerchant | null>;
  /** POST /merchants (interface 4.16). A CallFailure says whether the merchant may exist. */
  createMerchant(body: MerchantCreate): Promise<ReadMerchant>;
  /** PATCH /merchants/:id (interface 4.19). Returns null if the answer cannot be read. */
  patchMerchant(id: string, body: MerchantPatch): Promise<ReadMerchant | null>;
  /** POST /payments (interface 4.20), without a retry. A CallFailure says whether the payment may exist. */
  createPayment(body: PaymentCreate): Promise<CreatedPayment>;
  /** GET /payments/{id} (interface 4.22). Returns null if the payment does not exist or cannot be read. */
  payment(id: string): Promise<ReadPayment | null>;
  /** GET /payments (interface 4.21), page by page to the end. Does not parse the items. */
  payments(): AsyncIterable<readonly unknown[]>;
  /** POST /payments/{id}/document (interface 4.23). Returns the document's id; null if the answer has none. */
  attachDocument(paymentId: string, file: UploadFile): Promise<string | null>;
  /** GET a payment's documents (interface 4.24). Returns null if no known path gives a list. */
  documents(paymentId: string): Promise<readonly unknown[] | null>;
  documentHashes(listed: readonly unknown[]): Promise<readonly string[] | null>;
  close(): void;
  [Symbol.dispose](): void;
}

const noId = (call: string, status: number) => new CallFailure('unknown', { fault: 'answer-has-no-id', call, status });

export function openClient(settings: ClientSettings, clock: Clock = systemClock): Client {
  const { baseUrl, names = {}, refused = [], documentBytes = defaultDocuments.maxBytes } = settings;
  const opened = openHttp({ connectTimeoutMs: 5000, ...settings, after: clock.after });
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
  const tokens = openTokens({ ...settings, http, clock, tokenField: names.token });
  const calls = openCalls(http, tokens, clock, refused);
  let paidWith = '';
  /** Tokens that got 401 or 403 for a payment. A late 401 for an older token does not replace the current token. */
  const refusedWith = new Set<string>();

  return {
    ...openPeople(calls, tokens),
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
        throw new PayrunError('SERVICE_ANSWER', { what: `GET ${path}`, why: { fault: 'answer-has-other-form' } });
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
      if (merchant === null) throw noId('POST /merchants', answer.status);
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
      if (id === null) throw noId('POST /payments', answer.status);
      return { id, body: answer.body, payment: readPayment(answer.body) };
    },
    async payment(id) {
      const answer = await calls.found({ method: 'GET', path: `/payments/${encodeURIComponent(id)}` });
      return answer === null ? null : readPayment(answer.body);
    },
    // The interface does not show the query parameters of GET /payments other than `offset` (interface 4.21). The client sends only `offset`.
    payments: () => calls.pages('/payments', {}),
    async attachDocument(paymentId, file) {
      const path = `/payments/${encodeURIComponent(paymentId)}/document`;
      const answer = await calls.change({ method: 'POST', path, form: formOf(file) });
      return documentIdIn(answer.body);
    },
    async documents(paymentId) {
      const under = `/payments/${encodeURIComponent(paymentId)}`;
      // The interface does not show the path of the list of a payment's documents (interface 4.24). The client tries
      // `/documents`, then `/document`, unless the configuration names the path.
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
    [Symbol.dispose]: () => http.close(),
  };
}

/** Some services put the merchant into a field `merchant` or `data`. */
function merchantIn(body: unknown): ReadMerchant | null {
  const record = body as Record<string, unknown> | undefined;
  return readMerchant(body) ?? readMerchant(record?.merchant ?? record?.data);
}

/**
 * The interface does not show which field of a bank is its name (interface 2.9). The client takes the text that
 * GET /utils/banks also lists without details.
 */
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
