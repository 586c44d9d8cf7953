/** Serves the console over HTTP: checks each request before its route, and adds the same headers to each answer. */
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { closerOf, refuseRaw } from '../../base/http.ts';
import { inZone, isZone } from '../../messages/format/times.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { isOwn, pageWords } from '../../messages/web/messages.ts';
import type { ErrorAnswer } from '../api.ts';
import { codingFor, compressed } from './compress.ts';
import { type IdempotencyKeys, openOnce } from './idempotency-keys.ts';
import type { PageFiles } from './page-files.ts';
import { type May, Refused, type Route, refused, refusedBy, seenBy, type Who } from './route.ts';
import type { Sessions } from './session.ts';

export interface ServerOrder {
  readonly routes: readonly Route[];
  readonly page: PageFiles;
  /** The allowed origins as browsers write them: `https://pay.example.org` or `http://127.0.0.1:7777`. */
  readonly origins: () => readonly string[];
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** True behind a proxy. The last hop of `x-forwarded-for` is then the address that the proxy saw. */
  readonly behindProxy: boolean;
  readonly secure: boolean;
  readonly sessions: Pick<Sessions, 'whoIs' | 'bearsToken'>;
  readonly log: (fault: unknown) => void;
}

const jsonBytes = 1024 * 1024;
const graceMs = 2000;
const json = /^application\/json(?:; ?charset=utf-8)?$/i;
const form = /^multipart\/form-data; ?boundary=[^\s;]{1,100}$/i;

export function buildServer(order: ServerOrder) {
  const app = Fastify({
    ...(order.tls === null ? {} : { https: { ...order.tls, minVersion: 'TLSv1.2' as const } }),
    bodyLimit: jsonBytes,
    requestTimeout: 120_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 100_000,
    // A high limit, because a row's key or a payee's name in a path may be long.
    routerOptions: { maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseRaw(error, socket, answerHeaders(order)),
    frameworkErrors: (error, _request, reply) =>
      void sendRefusal(reply.headers(answerHeaders(order)), refusalOf(error, order)),
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  void app.register(multipart, { throwFileSizeLimit: false });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(answerHeaders(order));
    requireHost(request, order);
  });
  const once = openOnce();
  app.addHook('onSend', async (request, reply, body) => {
    once.told(request, reply, body);
    return await compressed(request, reply, body);
  });
  app.setErrorHandler((error, request, reply) =>
    inZoneOf(request, () => sendRefusal(reply, refusalOf(error, order), asking.get(request))),
  );
  app.setNotFoundHandler((request, reply) => sendPage(request, reply, order));
  app.get('/healthz', (_request, reply) => reply.code(204).send());
  // Registers the routes after the form reader, which they need.
  void app.register((routes, _options, done) => {
    for (const route of order.routes) addRoute(routes as unknown as FastifyInstance, route, order, once);
    done();
  });
  return { app, close: closerOf(app, graceMs, systemClock.after) };
}

/** The person of each request that its route allows. */
const asking = new WeakMap<FastifyRequest, Who | null>();

function addRoute(app: FastifyInstance, route: Route, order: ServerOrder, once: IdempotencyKeys): void {
  app.route({
    method: route.method,
    url: route.path,
    // The checks run before any part of the body is read.
    onRequest: async (request, reply) => {
      if (route.method === 'POST') requireOwnPage(request, order);
      // A GET does not extend the session, because the page also reads by itself.
      const person = order.sessions.whoIs(request.headers, { quietly: route.method === 'GET' });
      requireMay(route.may, person);
      if (route.method === 'POST') {
        if (route.may !== 'anyone' && !order.sessions.bearsToken(request.headers)) throw forged();
        requireType(request, route.takes === 'file' ? form : json);
        if (route.may !== 'anyone' && (await once.answers(request, reply))) return reply;
      }
      asking.set(request, person);
      return undefined;
    },
    handler: async (request, reply) => {
      const call = {
        person: asking.get(request) ?? null,
        params: request.params as Record<string, string>,
        query: onceEach(request.query as Record<string, unknown>),
        body: route.body === undefined ? undefined : checkedBody(route, request.body),
        address: addressOf(request, order.behindProxy),
        may: () => isAllowed(route.may, order.sessions.whoIs(request.headers, { quietly: true })),
        request,
        reply,
      };
      const answer = await inZoneOf(request, () => route.handle(call));
      return answer === undefined && !reply.sent ? reply.code(204).send() : answer;
    },
  });
}

/** Acts in the time zone of the browser, which its page writes to a cookie; in UTC for an unknown zone. */
function inZoneOf<T>({ headers: { cookie = '' } }: FastifyRequest, act: () => T): T {
  const [, zone = 'UTC'] = /(?:^|; )payrun_zone=([\w+/-]+)/.exec(cookie) ?? [];
  return inZone(isZone(zone) ? zone : 'UTC', act);
}

/** Refuses foreign host names that resolve here (DNS rebinding). */
function requireHost(request: FastifyRequest, { origins }: ServerOrder): void {
  const host = request.headers.host?.toLowerCase();
  if (host === undefined || !origins().some((origin) => new URL(origin).host === host))
    throw refused(421, 'OTHER_HOST');
}

/** Refuses requests from pages of other sites, and from programs that name no origin. */
function requireOwnPage(request: FastifyRequest, { origins }: ServerOrder): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const known = origin !== undefined && origins().includes(origin);
  if (origin === undefined ? site !== 'same-origin' : !known || (site !== undefined && site !== 'same-origin'))
    throw forged();
}

const forged = () => refused(403, 'FORGED');

function requireMay(may: May, person: Who | null): void {
  if (isAllowed(may, person)) return;
  if (person === null || may === 'anyone' || may === 'person') throw refused(401, 'LOGIN_NEEDED');
  throw refused(403, 'NOT_ALLOWED', { roles: may, role: person.role });
}

const isAllowed = (may: May, person: Who | null): boolean =>
  may === 'anyone' || (person !== null && (may === 'person' || may.includes(person.role)));

function requireType(request: FastifyRequest, type: RegExp): void {
  if (!type.test(request.headers['content-type'] ?? ''))
    throw refused(415, type === json ? 'JSON_NEEDED' : 'FORM_NEEDED');
}

function checkedBody({ body }: Route, given: unknown): unknown {
  const read = body?.safeParse(given);
  if (read?.success) return read.data;
  const [issue] = read?.error.issues ?? [];
  throw refused(400, 'FIELD_UNREADABLE', { field: issue?.path.join('.') ?? '', detail: issue?.message ?? null });
}

function onceEach(query: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(query).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

function addressOf({ headers, socket }: FastifyRequest, behindProxy: boolean): string {
  const { 'x-forwarded-for': hops } = headers;
  const last = behindProxy && typeof hops === 'string' ? hops.split(',').at(-1)?.trim() : undefined;
  return (last || socket.remoteAddress || '').slice(0, 64);
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { page }: ServerOrder): FastifyReply {
  const path = request.url.replace(/[?#].*$/s, '');
  const api = path === '/api' || path.startsWith('/api/');
  const file = (request.method === 'GET' || request.method === 'HEAD') && !api ? page.at(path) : null;
  if (file === null)
    return sendRefusal(
      reply,
      path === '/' && request.method === 'GET' ? refused(503, 'PAGE_NOT_BUILT') : refused(404, 'NOTHING_HERE'),
    );
  if (file.immutable) reply.header('cache-control', 'public, max-age=31536000, immutable');
  reply.code(200).type(file.type).header('vary', 'accept-encoding');
  const coding = codingFor(request.headers['accept-encoding']);
  const small = coding === null ? undefined : file.compressed[coding];
  if (small !== undefined) reply.header('content-encoding', coding);
  return reply.send(small ?? file.bytes);
}

function answerHeaders({ secure }: Pick<ServerOrder, 'secure'>): Record<string, string> {
  return {
    'content-security-policy':
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
      "form-action 'self';frame-ancestors 'none';base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': 'no-store',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

function refusalOf(error: unknown, { log }: Pick<ServerOrder, 'log'>): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof PayrunError) return refusedBy(error);
  const { statusCode } = error as { statusCode?: unknown };
  if (statusCode === 413) return refused(413, 'REQUEST_TOO_LARGE');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return refused(statusCode, 'REQUEST_UNREADABLE', { detail: wordsOf(error) });
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return refused(500, 'FAULT');
}

function sendRefusal(reply: FastifyReply, { status, said: whole }: Refused, person: Who | null = null): FastifyReply {
  // Closes the connection, because the server does not read the rest of the body.
  if (status === 413) reply.header('connection', 'close');
  const said = seenBy(person, whole);
  const { code, facts } = said;
  if (facts !== undefined && 'retryAfterMs' in facts)
    reply.header('retry-after', String(Math.max(1, Math.ceil(facts.retryAfterMs / 1000))));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ code, message: pageWords(said), ...(isOwn(said) && { facts }) } satisfies ErrorAnswer));
}
