/** The types of requests and answers, and functions that read an answer or name a connection's fault. */
import type { Clock } from '../base/clock.ts';
import type { ServiceFault } from '../base/faults/fault.ts';
import type { Each } from '../base/words.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly token?: string;
  /** True for POST /payments. Payments have connections of their own, so that they do not wait for other calls. */
  readonly paying?: boolean;
  readonly maxAnswerBytes?: number;
  readonly trace?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly dateMs: number | null;
  readonly retryAfterMs: number | null;
}

export interface Http {
  /** Throws CallFailure if no complete answer arrives. The outcome `not-sent` means that Node sent no byte. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Downloads a file, without a token, from an address that the service gave. Returns null if the download fails. */
  download(url: string, maxBytes: number): Promise<Uint8Array | null>;
  close(): void;
}

export interface HttpSettings extends Each<'concurrency timeoutMs connectTimeoutMs', number> {
  readonly baseUrl: string;
  readonly after: Clock['after'];
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
    // Retry-After may be a date in the service's time, so the Date header is better than this machine's clock.
    retryAfterMs: readRetryAfter(headers['retry-after'], dateMs ?? Date.now()),
  };
}

const cutCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

export function connectionFault(call: string, error: unknown): ServiceFault {
  const { code = null, message } = error as NodeJS.ErrnoException;
  return cutCodes.includes(code)
    ? { fault: 'call-was-cut', call }
    : { fault: 'call-failed', call, code, detail: message };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

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
    return null;
  }
}

function readDate(header: string | undefined): number | null {
  const ms = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(ms) ? null : ms;
}

/** Returns how long to wait, in milliseconds; null if the header has neither seconds nor a date. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  if (/^\d{1,10}$/.test(header.trim())) return Number(header) * 1000;
  const ms = readDate(header);
  return ms === null ? null : Math.max(0, ms - now);
}
