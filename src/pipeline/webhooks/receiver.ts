/** Receives webhooks (interface 6). A call is only a hint to read a payment again. Payrun trusts nothing else in it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { listenFault, PayrunError } from '../../base/errors.ts';
import { nodeHttp } from '../../base/http.ts';
import type { Secret } from '../../base/secret.ts';
import { isSigned, signatureHeader, signatureLifeMs } from '../../wire/webhook.ts';

export interface Hint {
  readonly ids: readonly string[];
  /** True if the caller knew our secret. */
  readonly signed: boolean;
}

export interface ReceiverSettings {
  readonly host: string;
  readonly port: number;
  readonly secret: Secret | null;
  /** True if Payrun accepts calls without a signature, for a service that signs in another way or never. */
  readonly unsigned: boolean;
}

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

/** Ids from webhook calls, which wait until Payrun follows payments. */
export interface Hints {
  put(hint: Hint): boolean;
  take(): readonly string[];
  waiting(): AbortSignal;
}

const mostWaitingIds = 100_000;

export function openHints(): Hints {
  const ids = new Set<string>();
  let arrival = new AbortController();
  return {
    put(hint) {
      if (ids.size + hint.ids.length > mostWaitingIds) return false;
      for (const id of hint.ids) ids.add(id);
      arrival.abort();
      return true;
    },
    take() {
      const taken = [...ids];
      ids.clear();
      arrival = new AbortController();
      return taken;
    },
    waiting: () => arrival.signal,
  };
}

const mostBytes = 64 * 1024;
const mostHeard = 10_000;
const mostIds = 20;

/** `take` returns false if it has no room. The caller then gets a 503, and may call again later. */
export async function openReceiver(
  settings: ReceiverSettings,
  clock: Clock,
  take: (hint: Hint) => boolean,
): Promise<Receiver> {
  const { host, port } = settings;
  const judge = judgeOf(settings, clock, take);
  const server = nodeHttp().createServer(
    { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 },
    (request, response) => void answer(request, response, judge),
  );
  server.maxConnections = 256;
  await new Promise<void>((done, failed) => {
    // This handler stays after the start, because a failed connection must not end a paying run.
    server.on('error', (error) => {
      failed(new PayrunError('WEBHOOKS_UNHEARD', { host, port, why: listenFault(error) }));
    });
    server.listen(port, host, done);
  });
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}/`,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Judge = (body: Buffer, signature: string | undefined) => number;

function judgeOf({ secret, unsigned }: ReceiverSettings, clock: Clock, take: (hint: Hint) => boolean): Judge {
  /** The digests of accepted bodies, and their times. A signed body that arrives again is accepted and ignored. */
  const heard = new Map<string, number>();
  const forget = (now: number) => {
    for (const [digest, at] of heard) {
      if (heard.size <= mostHeard && now - at <= 2 * signatureLifeMs) return;
      heard.delete(digest);
    }
  };
  return (body, signature) => {
    const now = clock.now();
    const signed = secret !== null && signature !== undefined && isSigned(signature, secret.reveal(), body, now);
    if (!signed && (!unsigned || (secret !== null && signature !== undefined))) return 401;
    const ids = idsIn(body);
    if (ids.length === 0) return 400;
    const digest = sha256(body);
    if (signed && heard.has(digest)) return 204;
    if (!take({ ids, signed })) return 503;
    if (signed) heard.set(digest, now);
    forget(now);
    return 204;
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, judge: Judge): Promise<void> {
  const end = (status: number) => {
    // Closes a connection on which the rest of the request was not read, because it cannot be used again.
    if (!request.complete) response.setHeader('connection', 'close');
    if (status === 503) response.setHeader('retry-after', '5');
    response.writeHead(status).end();
  };
  if (request.method !== 'POST') {
    end(405);
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The caller may still be sending, so the connection must last until the refusal has left.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) {
        end(413);
        return;
      }
      chunks.push(chunk);
    }
  } catch {
    // The caller closed the connection or was too slow, so there is nobody to answer.
    return;
  }
  const signature = request.headers[signatureHeader];
  end(judge(Buffer.concat(chunks), Array.isArray(signature) ? signature.join() : signature));
}

/** Matches an id that is safe in a URL and cannot be a path. */
const idForm = /^[A-Za-z0-9][\w-]{0,99}$/;

/** Returns values of fields whose name ends in `id`, from JSON of any shape. Values of `id` and `paymentId` come first. */
function idsIn(body: Buffer): readonly string[] {
  const found = new Map<string, number>();
  try {
    JSON.parse(body.toString('utf8'), (name, value: unknown) => {
      const id = Number.isSafeInteger(value) ? String(value) : value;
      if (/id$/i.test(name) && typeof id === 'string' && idForm.test(id) && !found.has(id))
        found.set(id, /^(?:payment_?)?id$/i.test(name) ? 0 : 1);
      return value;
    });
  } catch {
    return [];
  }
  const likeliestFirst = [...found].toSorted(([, one], [, other]) => one - other);
  return likeliestFirst.slice(0, mostIds).map(([id]) => id);
}
