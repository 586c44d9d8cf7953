/** The reference server: answers the calls of a run, in a process of its own, with as little work as Node allows. */
import http from 'node:http';
import { type BenchMerchant, merchants as known } from './sheet.ts';

/** The counts that the server returns to the bench over the channel of its process. */
export interface ServerFacts {
  readonly payments: number;
  /** The number of different tags. It is below the number of payments only if a payment was made twice. */
  readonly tags: number;
  /** The number of merchants and documents that were made. */
  readonly merchants: number;
  readonly documents: number;
  /** Milliseconds since 1970 at the first POST /payments; null if none came. */
  readonly firstPostAt: number | null;
  readonly lastPostAt: number | null;
}
export type ServerMessage = { readonly port: number } | { readonly facts: ServerFacts };
/** An order to forget everything but the known merchants, and to return the counts up to then. */
export interface ServerOrder {
  readonly latencyMs: number;
}

interface Payment {
  readonly id: string;
  readonly merchantId: string;
  readonly amount: number;
  readonly reference: string;
  readonly tag: string;
  readonly status: string;
  readonly date: string;
}

const pageSize = 100;
const ids = `${process.pid.toString(36)}-${Date.now().toString(36)}`;
const token = JSON.stringify({ token: 'bench.bench.bench', expiry: Date.now() + 60 * 60 * 1000 });

let latencyMs = 20;
let payments: Payment[] = [];
let places = new Map<string, number>();
let tags = new Set<string>();
let made: BenchMerchant[] = [];
let documents: string[] = [];
let firstPostAt: number | null = null;
let lastPostAt: number | null = null;

const server = http.createServer((request, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const answer = (text: string, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  const offset = () => Number(new URLSearchParams(query).get('offset') ?? '0');
  if (request.method === 'POST') {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      if (path === '/token') return answer(token);
      if (path === '/payments') {
        lastPostAt = Date.now();
        firstPostAt ??= lastPostAt;
      }
      setTimeout(() => answer(create(path, body), 201), latencyMs);
    });
    return;
  }
  request.resume();
  if (path === '/merchants') answer(page([...known, ...made], offset()));
  else if (path === '/payments') answer(page(payments, offset()));
  else if (path.endsWith('/documents')) answer(page(documents.includes(path) ? [{ id: path }] : [], 0));
  else if (path.startsWith('/payments/')) {
    const at = places.get(path.slice('/payments/'.length));
    if (at === undefined) answer('{"message":"not found"}', 404);
    else answer(JSON.stringify(payments[at]));
  } else if (path.startsWith('/utils/banks/'))
    answer(query.includes('showDetails=true') ? '[{"name":"TymeBank","code":"678910"}]' : '["TymeBank"]');
  else answer('{"message":"not found"}', 404);
});

function create(path: string, body: string): string {
  if (path === '/merchants') {
    const merchant = { ...(JSON.parse(body) as Omit<BenchMerchant, 'id'>), id: `made-${ids}-${made.length}` };
    made.push(merchant);
    return JSON.stringify(merchant);
  }
  if (path.endsWith('/document')) {
    documents.push(`${path}s`);
    return '{}';
  }
  const { merchantId, amount, reference, tag } = JSON.parse(body) as Payment;
  const id = `pay-${ids}-${payments.length}`;
  const payment: Payment = {
    id,
    merchantId,
    amount,
    reference,
    tag,
    status: 'pending',
    date: '2026-11-20T10:00:00.000Z',
  };
  places.set(id, payments.length);
  tags.add(tag);
  payments.push(payment);
  return JSON.stringify(payment);
}

function page(items: readonly unknown[], from: number): string {
  const end = from + pageSize;
  return JSON.stringify({ items: items.slice(from, end), offsetMarker: end < items.length ? String(end) : null });
}

const tell = (message: ServerMessage) => process.send?.(message);

process.on('message', (order: ServerOrder) => {
  const facts: ServerFacts = {
    payments: payments.length,
    tags: tags.size,
    merchants: made.length,
    documents: documents.length,
    firstPostAt,
    lastPostAt,
  };
  latencyMs = order.latencyMs;
  payments = [];
  places = new Map();
  tags = new Set();
  made = [];
  documents = [];
  firstPostAt = null;
  lastPostAt = null;
  tell({ facts });
});
// Ends the server when the bench has ended.
process.on('disconnect', () => process.exit());

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) tell({ port: address.port });
});
