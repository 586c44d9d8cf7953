/** The one place that sends: a request goes out once, with a deadline for each phase, and its answer is read to a limit. */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { FormDataEncoder } from 'form-data-encoder';
import got, { type Got, RequestError, TimeoutError } from 'got';
import { CallFailure } from './failure.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base URL, which may itself have a path. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  /** Bearer token; absent on the public calls (interface 5.8). */
  readonly token?: string;
  /** POST /payments has connections of its own, so that it never waits in a queue behind another call. */
  readonly paying?: boolean;
  readonly maxAnswerBytes?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The service's own clock, from its Date header. */
  readonly dateMs: number | null;
  readonly retryAfterMs: number | null;
}

export interface Http {
  /** Throws CallFailure where no whole answer came: `not-sent` only if no byte of the request can have left. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The bytes at an address that the service gave, asked for without a token; null where they cannot be had. */
  download(url: string, maxBytes: number): Promise<Uint8Array | null>;
  close(): void;
}

export interface HttpSettings {
  readonly baseUrl: string;
  readonly concurrency: number;
  /** The whole call, from the first byte of the request to the last of the answer. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
}

const mebibyte = 1024 * 1024;

export function openHttp({ baseUrl, concurrency, timeoutMs, connectTimeoutMs }: HttpSettings): Http {
  const base = baseUrl.replace(/\/+$/, '');
  const secure = base.startsWith('https:');
  const newAgent = (maxSockets: number) =>
    secure ? new https.Agent({ keepAlive: true, maxSockets }) : new http.Agent({ keepAlive: true, maxSockets });
  const payingAgent = newAgent(concurrency);
  const agent = newAgent(concurrency);
  const agentOption = (one: http.Agent | https.Agent) => (secure ? { https: one as https.Agent } : { http: one });
  const shared = got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    headers: { 'user-agent': 'payrun', accept: 'application/json' },
    timeout: {
      lookup: connectTimeoutMs,
      connect: connectTimeoutMs,
      secureConnect: connectTimeoutMs,
      request: timeoutMs,
    },
  });
  const paying: Got = shared.extend({ agent: agentOption(payingAgent) });
  const other: Got = shared.extend({ agent: agentOption(agent) });

  async function send(request: HttpRequest): Promise<HttpAnswer> {
    let connected = false;
    const form = request.form === undefined ? null : encodedForm(request.form);
    const tooLarge = new AbortController();
    const sending = (request.paying ? paying : other)(`${base}${request.path}`, {
      method: request.method,
      responseType: 'buffer',
      signal: tooLarge.signal,
      ...(request.query === undefined ? {} : { searchParams: { ...request.query } }),
      ...(request.json === undefined ? {} : { json: request.json }),
      ...(form === null ? {} : { body: form.body }),
      headers: {
        ...form?.headers,
        ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
      },
    });
    void sending.on('request', (sent: http.ClientRequest) => {
      sent.once('socket', (socket) => {
        // Node writes nothing before the connection (TLS included) stands; from then on every byte may have arrived.
        if (!socket.connecting) connected = true;
        else socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
      });
    });
    const limit = request.maxAnswerBytes ?? mebibyte;
    void sending.on('downloadProgress', ({ transferred }) => {
      if (transferred > limit) tooLarge.abort();
    });
    try {
      const response = await sending;
      return {
        status: response.statusCode,
        body: readBody(response.body),
        dateMs: readDate(response.headers.date),
        retryAfterMs: readRetryAfter(response.headers['retry-after']),
      };
    } catch (error) {
      const what = `${request.method} ${request.path}`;
      if (tooLarge.signal.aborted)
        throw new CallFailure('unknown', `${what}: the answer is larger than ${limit} bytes`);
      throw failureOf(error, connected, what);
    }
  }

  async function download(url: string, maxBytes: number): Promise<Uint8Array | null> {
    // In the clear only where the service itself is: on this machine.
    if (!url.startsWith('https://') && (secure || !isLoopback(url))) return null;
    const tooLarge = new AbortController();
    const loading = shared(url, { responseType: 'buffer', signal: tooLarge.signal });
    void loading.on('downloadProgress', ({ transferred }) => {
      if (transferred > maxBytes) tooLarge.abort();
    });
    const response = await loading.catch(() => null);
    return response?.statusCode === 200 ? response.body : null;
  }

  return {
    send,
    download,
    close() {
      payingAgent.destroy();
      agent.destroy();
    },
  };
}

/** Sent as it is read, with its length told before: a file of any size needs the memory of one piece. */
function encodedForm(form: FormData): { body: Readable; headers: Record<string, string> } {
  const encoder = new FormDataEncoder(form);
  const body = Readable.from(encoder.encode());
  // A connection that breaks ends the reading too; the call itself tells of it.
  body.on('error', () => {});
  return { body, headers: { ...encoder.headers } };
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The error itself is not kept as a cause: its options carry headers, and so the token. */
function failureOf(error: unknown, connected: boolean, what: string): CallFailure {
  const outcome = connected ? 'unknown' : 'not-sent';
  if (error instanceof TimeoutError) return new CallFailure(outcome, `${what}: no answer in time (${error.event})`);
  if (error instanceof RequestError)
    return new CallFailure(outcome, `${what}: ${wordsOfCode[error.code] ?? error.message}`);
  return new CallFailure('unknown', `${what}: ${error instanceof Error ? error.message : 'failed'}`);
}

const wordsOfCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON, or the text itself where it is none; undefined for an empty body. A cut body is never taken for a whole one. */
function readBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    const text = utf8.decode(bytes);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text.slice(0, 2000);
    }
  } catch {
    return '(bytes that are no text)';
  }
}

function readDate(header: string | undefined): number | null {
  const ms = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(ms) ? null : ms;
}

/** Seconds or a date; null where the header says nothing that can be read. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  if (/^\d{1,10}$/.test(header.trim())) return Number(header) * 1000;
  const ms = readDate(header);
  return ms === null ? null : Math.max(0, ms - now);
}
