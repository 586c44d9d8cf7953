/**
 * What comes twice is done once. Where a connection is cut before the answer came, a browser may send the request again by itself, a POST
 * too, and its page never learns of it. Each POST of the page bears a key of its own; what bears the same one is answered as the first was.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const onceHeader = 'x-payrun-once';
const key = /^[0-9a-f]{32}$/;
/** A browser sends again within seconds. */
const keptMs = 120_000;
const mostKept = 1000;

interface Given {
  readonly status: number;
  readonly headers: ReturnType<FastifyReply['getHeaders']>;
  readonly body: string | null;
}

export interface Once {
  /** Whether it came before, and is answered with that. Else it counts as the first. */
  answers(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** What the first one is answered. */
  told(request: FastifyRequest, reply: FastifyReply, body: unknown): void;
}

export function openOnce(): Once {
  const given = new Map<string, Promise<Given | null>>();
  const first = new WeakMap<FastifyRequest, (answer: Given | null) => void>();

  function begin(name: string, request: FastifyRequest, { raw }: FastifyReply): void {
    const { promise, resolve } = Promise.withResolvers<Given | null>();
    given.set(name, promise);
    const [oldest] = given.keys();
    if (given.size > mostKept && oldest !== undefined) given.delete(oldest);
    const forget = () => {
      if (given.get(name) === promise) given.delete(name);
    };
    first.set(request, (answer) => {
      if (answer === null) forget();
      else setTimeout(forget, keptMs).unref();
      resolve(answer);
    });
    // Of what did not come whole nothing was done.
    raw.once('close', () => {
      if (!request.raw.complete) first.get(request)?.(null);
    });
  }

  return {
    async answers(request, reply) {
      const name = nameOf(request);
      if (name === null) return false;
      for (let known = given.get(name); known !== undefined; known = given.get(name)) {
        const answer = await known;
        if (answer === null) continue;
        void reply.code(answer.status).headers(answer.headers).send(answer.body);
        return true;
      }
      begin(name, request, reply);
      return false;
    },
    told(request, reply, body) {
      const answer = { status: reply.statusCode, headers: reply.getHeaders() };
      const isKept = request.raw.complete && (typeof body === 'string' || body == null);
      first.get(request)?.(isKept ? { ...answer, body: body ?? null } : null);
    },
  };
}

/** The same browser's, at the same place. */
function nameOf({ headers, url }: FastifyRequest): string | null {
  const said = headers[onceHeader];
  return typeof said === 'string' && key.test(said) ? `${said} ${url} ${headers.cookie ?? ''}` : null;
}
