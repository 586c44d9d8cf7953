/** Answers a repeated POST with the answer to its first copy, so that the work is not done twice. */
import { createHash, type Hash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refused } from './route.ts';
import { csrfHeader } from './session.ts';

const onceHeader = 'x-payrun-once';
const key = /^[0-9a-f]{32}$/;
/** How long an answer is kept. A browser repeats a request within seconds. */
const keptMs = 120_000;
const mostKept = 1000;
const mostKeptBytes = 16 * 1024 ** 2;

interface Given {
  readonly digest: string;
  readonly status: number;
  readonly headers: ReturnType<FastifyReply['getHeaders']>;
  readonly body: string | null;
}

export type IdempotencyKeys = ReturnType<typeof openOnce>;

export function openOnce() {
  const known = new Map<string, Promise<Given | null>>();
  const kept = new Map<string, { readonly bytes: number; readonly timer: NodeJS.Timeout }>();
  let keptBytes = 0;
  const first = new WeakMap<FastifyRequest, (given: Omit<Given, 'digest'>) => void>();

  function keep(name: string, bytes: number): void {
    kept.set(name, { bytes, timer: setTimeout(forget, keptMs, name).unref() });
    keptBytes += bytes;
    for (const oldest of kept.keys()) if (kept.size > mostKept || keptBytes > mostKeptBytes) forget(oldest);
  }

  function forget(name: string): void {
    const one = kept.get(name);
    clearTimeout(one?.timer);
    keptBytes -= one?.bytes ?? 0;
    kept.delete(name);
    known.delete(name);
  }

  function begin(name: string, request: FastifyRequest): void {
    const asked = hashOf(request);
    const { promise, resolve } = Promise.withResolvers<Given | null>();
    known.set(name, promise);
    first.set(request, (given) => {
      first.delete(request);
      // A body that was not read to its end means that nothing was done, so the answer is not kept.
      const isDone = request.raw.readableEnded;
      if (isDone) keep(name, Buffer.byteLength(given.body ?? ''));
      else known.delete(name);
      resolve(isDone ? { ...given, digest: asked.digest('hex') } : null);
    });
  }

  return {
    /** Returns true after it has answered a repeated request. The caller has checked session and token before. */
    async answers(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
      const name = nameOf(request);
      if (name === null) return false;
      for (let before = known.get(name); before !== undefined; before = known.get(name)) {
        const given = await before;
        if (given === null) continue;
        if ((await digestOf(request)) !== given.digest) throw refused(409, 'KEY_USED');
        void reply.code(given.status).headers(given.headers).send(given.body);
        return true;
      }
      if (request.raw.destroyed) throw refused(400, 'REQUEST_CUT');
      begin(name, request);
      return false;
    },
    told(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
      // The answer to a POST is JSON or empty, because no POST downloads a file.
      const text = typeof body === 'string' ? body : null;
      first.get(request)?.({ status: reply.statusCode, headers: reply.getHeaders(), body: text });
    },
  };
}

/** Adds the page's token to the key, so that no other session gets the answer. */
function nameOf({ headers }: FastifyRequest): string | null {
  const said = headers[onceHeader];
  return typeof said === 'string' && key.test(said) ? `${said} ${String(headers[csrfHeader])}` : null;
}

function hashOf({ raw, url }: FastifyRequest): Hash {
  const hash = createHash('sha256').update(`${url}\n`);
  raw.pause().on('data', (bytes: Buffer) => hash.update(bytes));
  return hash;
}

async function digestOf(request: FastifyRequest): Promise<string> {
  const hash = hashOf(request);
  // Ignores a request that was cut off, because it gets no answer.
  await finished(request.raw.resume()).catch(() => {});
  return hash.digest('hex');
}
