/** The shapes of one request and its answer, and the words for a broken one. */
import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';

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
  /** The header `traceparent` (W3C). */
  readonly trace?: string;
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
  /** Counts the two. */
  readonly after: Clock['after'];
}

/** Node writes nothing before the connection (TLS included) stands; from then on every byte may have arrived. */
export function whenConnected(socket: Socket, secure: boolean, then: () => void): void {
  if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', then);
  else then();
}

export function answerOf(
  status: number,
  headers: { readonly date?: string | undefined; readonly 'retry-after'?: string | undefined },
  bytes: Uint8Array,
): HttpAnswer {
  const dateMs = readDate(headers.date);
  return {
    status,
    body: readBody(bytes),
    dateMs,
    // A date is one of the service's clock, wherever the machine's stands.
    retryAfterMs: readRetryAfter(headers['retry-after'], dateMs ?? Date.now()),
  };
}

export const wordsOfCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  EPROTO: 'no TLS can be agreed on there (is it http, and not https?)',
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
