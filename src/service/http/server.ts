/** The HTTP server: checks each call, runs its handler, and sends the answer. */
import multipart from '@fastify/multipart';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { systemText } from '../../base/errors.ts';
import { closerOf, refuseRaw } from '../../base/http.ts';
import { wireWords } from '../../messages/field-words.ts';
import type { Faults } from '../faults.ts';
import { userNotFound } from '../resources/users.ts';
import type { Store } from '../store/store.ts';
import {
  type Answer,
  type Call,
  type Caller,
  Existing,
  type FileAnswer,
  type GuardedCall,
  HttpRefusal,
  jsonAnswer,
} from './call.ts';
import { tooLarge } from './files.ts';
import { hasUnstorableText, tooDeep } from './json.ts';
import type { Keys } from './keys.ts';
import type { Metrics } from './metrics.ts';
import type { Route, Who } from './routes.ts';

interface ServerDeps {
  readonly routes: readonly Route[];
  readonly basePath: string;
  readonly store: Store;
  readonly keys: Keys;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly log: (line: object) => void;
  readonly spend: (tenantId: string) => void;
  readonly counted: (route: string) => void;
  readonly metrics: Metrics | null;
}

export function buildServer(deps: ServerDeps) {
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 100_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // Still answers calls while the service closes, because the database closes last.
    return503OnClosing: false,
    genReqId: () => deps.clock.randomHex(8),
    clientErrorHandler: (error, socket) => refuseRaw(error, socket, everyAnswer(deps.clock.randomHex(8), deps.clock)),
    frameworkErrors: (error, request, reply) =>
      void send(reply.headers(everyAnswer(request.id, deps.clock)), answerToError(error, deps)),
  });
  app.removeContentTypeParser('text/plain');
  void app.register(multipart, { throwFileSizeLimit: false });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(everyAnswer(request.id, deps.clock));
  });
  app.setNotFoundHandler((_request, reply) => send(reply, jsonAnswer(404, { message: 'Not found' })));
  app.setErrorHandler((error, _request, reply) => send(reply, answerToError(error, deps)));
  // Registers the routes after the multipart plugin, because the routes need the plugin.
  void app.register((routes, _options, done) => {
    for (const route of deps.routes) {
      routes.route({
        method: route.method,
        url: deps.basePath + route.path,
        handler: (request, reply) => serve(route, request, reply, deps),
      });
    }
    done();
  });
  return { app, close: closerOf(app, closeGraceMs, deps.clock.after) };
}

const closeGraceMs = 5000;

async function serve(route: Route, request: FastifyRequest, reply: FastifyReply, deps: ServerDeps) {
  const { keys, store, faults, clock, log } = deps;
  const { name } = route;
  const startedAt = clock.monotonic();
  deps.counted(name);
  let caller: Caller | null = null;
  let answer: Answer | null;
  try {
    caller = route.who === 'public' ? null : await callerOf(request, route.who, keys, store);
    if (caller !== null) deps.spend(caller.tenantId);
    answer = await faults.play(name, reply, () => work(route, request, caller, deps));
  } catch (error) {
    answer = answerToError(error, deps);
  }
  const ms = clock.monotonic() - startedAt;
  deps.metrics?.answered(name, answer?.status ?? null, ms / 1000);
  log({
    time: clock.now(),
    request: request.id,
    // Logs the route and not the URL, because a presigned URL gives access to a document.
    route: name,
    status: answer?.status ?? null,
    tenant: caller?.tenantId ?? null,
    user: caller?.userId ?? null,
    ...traceOf(request),
    ms: Math.round(ms * 1000) / 1000,
  });
  return answer === null ? reply : send(reply, answer);
}

function traceOf({ headers: { traceparent } }: FastifyRequest): { trace?: string; parent?: string } {
  const [, trace, parent] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(traceparent ?? '')) ?? [];
  return trace === undefined || parent === undefined ? {} : { trace, parent };
}

async function callerOf(request: FastifyRequest, who: Who, keys: Keys, store: Store): Promise<Caller> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const caller = token === undefined ? null : await keys.check(token);
  if (caller === null) {
    const message = token === undefined ? 'A bearer token is required' : 'Invalid token';
    throw new HttpRefusal(401, message, { 'www-authenticate': 'Bearer' });
  }
  if (!(await store.tenants.exists(caller.tenantId))) throw new HttpRefusal(403, 'The token names no tenant');
  if (caller.userId === null) {
    // The interface does not show the answer of /profile to a tenant token (4.9 to 4.13). This service answers 403.
    if (who === 'user') throw new HttpRefusal(403, 'A user token is required');
    return caller;
  }
  if (who === 'tenant') throw new HttpRefusal(403, 'A tenant token is required');
  const user = await store.users.byUserId(caller.tenantId, caller.userId);
  // The interface does not show the answer to a disabled user's token (3, 5.6). This service always answers 404.
  if (user?.status !== 'Active') throw userNotFound();
  const { userId } = request.params as Call['params'];
  if (who === 'tenant-or-that-user' && userId !== caller.userId)
    throw new HttpRefusal(403, 'The token is another user’s');
  return caller;
}

async function work(route: Route, request: FastifyRequest, caller: Caller | null, deps: ServerDeps): Promise<Answer> {
  try {
    requireStorable(request.params);
    const call: Call = {
      params: request.params as Call['params'],
      query: route.query === undefined ? undefined : checked(route.query, request.query, 'query'),
      body: route.body === undefined ? undefined : checkedBody(route.body, request.body),
      address: request.ip,
      parts: (mostBytes) => partsOf(request, mostBytes),
    };
    const result =
      route.who === 'public'
        ? await route.handle(call)
        : await route.handle({ ...call, caller: caller! } as GuardedCall);
    if (result instanceof Existing) return jsonAnswer(route.existingStatus ?? route.status, result.value);
    if (route.answer !== 'file') return jsonAnswer(route.status, result);
    return { status: route.status, ...(result as FileAnswer) };
  } catch (error) {
    return answerToError(error, deps);
  }
}

function checkedBody(schema: z.ZodType, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new HttpRefusal(400, 'the body must be a JSON object');
  if (tooDeep(body)) throw new HttpRefusal(400, 'the body is nested too deeply');
  requireStorable(body);
  return checked(schema, body, 'body');
}

function requireStorable(value: unknown): void {
  // The interface does not show which characters a text may contain (interface 2). This service answers 400 to U+0000
  // and to half a surrogate pair.
  if (hasUnstorableText(value)) throw new HttpRefusal(400, 'a text holds a character that cannot be stored');
}

// The interface does not show the effect of unknown fields, except in PATCH /users/{userId} (interface 4.6, 7). This
// service ignores unknown fields in other bodies.
function checked(schema: z.ZodType, value: unknown, what: string): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const fields = issue.keys.map((key) => [...issue.path, key].join('.'));
    throw new HttpRefusal(400, `${fields.join(', ')}: not a field of this call`);
  }
  const field = issue.path.join('.') || what;
  // The interface does not show the words of a refusal (interface 7). This service names the first wrong field.
  throw new HttpRefusal(400, isMissing(issue) ? `${field} is required` : `${field}: ${wireWords(issue.message)}`);
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'too_small') return issue.origin === 'string' && issue.minimum === 1;
  return issue.code === 'invalid_type' && issue.input === undefined;
}

function partsOf(request: FastifyRequest, mostBytes: number) {
  if (!request.isMultipart()) throw new HttpRefusal(415, 'send the file as multipart/form-data');
  if (Number(request.headers['content-length'] ?? 0) > mostBytes + 65_536) throw tooLarge(mostBytes);
  const limits = { files: 1, fileSize: mostBytes, fields: 20, fieldSize: 65_536, parts: 22, headerPairs: 50 };
  return request.parts({ limits });
}

const formErrors: { readonly [code: string]: string } = {
  FST_FILES_LIMIT: 'send one file in each call, in the field `file`',
  FST_PARTS_LIMIT: 'the form has too many parts',
  FST_FIELDS_LIMIT: 'the form has too many fields',
};

/** Matches the messages of errors in broken forms, because the form reader gives these errors no code. */
const brokenForm = /^(?:Multipart: Boundary not found|The needle cannot |.*unexpected end of multipart data$)/i;

/** Logs an unexpected error and answers 500, so that the caller does not see the words of the error. */
function answerToError(error: unknown, { log, clock }: Pick<ServerDeps, 'log' | 'clock'>): Answer {
  if (error instanceof HttpRefusal) return jsonAnswer(error.status, { message: error.message }, error.headers);
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  const formError = typeof code === 'string' && Object.hasOwn(formErrors, code) ? formErrors[code] : undefined;
  if (formError !== undefined) return jsonAnswer(400, { message: formError });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return jsonAnswer(statusCode, { message: systemText(error) });
  if (brokenForm.test(systemText(error))) return jsonAnswer(400, { message: 'the form has no boundary, or no end' });
  log({ time: clock.now(), level: 'error', error: error instanceof Error ? (error.stack ?? error.message) : error });
  return jsonAnswer(500, { message: 'Internal error' });
}

const send = (reply: FastifyReply, answer: Answer): FastifyReply =>
  reply.code(answer.status).headers(answer.headers).send(answer.body);

const everyAnswer = (id: string, clock: Clock) => ({
  'x-request-id': id,
  date: new Date(clock.now()).toUTCString(),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});
