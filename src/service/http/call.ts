/** The parts of a call that its handler reads, and the errors with which a handler refuses a call. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** `userId` is the identity provider's id of the user; null for a tenant's token. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string | null;
}

export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly stream: Readable & { readonly truncated: boolean } };

export interface Call<Body = unknown, Query = unknown> {
  readonly params: { readonly [name: string]: string };
  readonly query: Query;
  /** The query before its check, without defaults for values that the caller did not send. */
  readonly sentQuery: { readonly [name: string]: unknown };
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** The address of the caller, or of the last proxy before the service. */
  readonly address: string;
  /** The handler has to read each file to its end before the next part. A file of more than `mostBytes` is cut off there, and marked as `truncated`. */
  readonly parts: (mostBytes: number) => AsyncIterable<Part>;
}

export interface GuardedCall<Body = unknown, Query = unknown> extends Call<Body, Query> {
  readonly caller: Caller;
}

export interface FileAnswer {
  readonly stream: Readable;
  readonly headers: { readonly [name: string]: string };
}

export class Refusal extends Error {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  constructor(status: number, message: string, headers: { readonly [name: string]: string } = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}

/** Wraps a record that existed before the call. A route with an `existingStatus` answers with that status. */
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
