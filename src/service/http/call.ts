/** The parts of a call that a handler reads, its answer, and the error with which a handler refuses a call. */
import type { Readable } from 'node:stream';

/** `userId` is the user's id at the identity provider; null if the token belongs to a tenant. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string | null;
}

/** A part of a form, as the form reader gives it. */
type Part =
  | { readonly type: 'field'; readonly fieldname: string; readonly value: unknown }
  | { readonly type: 'file'; readonly fieldname: string; readonly file: Readable & { readonly truncated: boolean } };

export interface Call<Body = unknown, Query = unknown> {
  readonly params: { readonly [name: string]: string };
  readonly query: Query;
  readonly body: Body;
  /** The IP address of the caller, or of the last proxy before the service. */
  readonly address: string;
  /** Cuts a file at `mostBytes`, and sets `truncated`. The handler reads each file to its end before the next part. */
  readonly parts: (mostBytes: number) => AsyncIterable<Part>;
}

export interface GuardedCall<Body = unknown, Query = unknown> extends Call<Body, Query> {
  readonly caller: Caller;
}

export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Readable;
}

/** The answer of a route whose `answer` is `file`. The route gives the status. */
export type FileAnswer = Omit<Answer, 'status'>;

export function jsonAnswer(status: number, value: unknown, also: Answer['headers'] = {}): Answer {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...also };
  return { status, headers, body: JSON.stringify(value) };
}

export class HttpRefusal extends Error {
  readonly status: number;
  readonly headers: Answer['headers'];
  constructor(status: number, message: string, headers: Answer['headers'] = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}

/** Wraps a record that existed before the call, so that the route answers with its `existingStatus`. */
export class Existing<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

export function uuidFrom(hex: string): string {
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
