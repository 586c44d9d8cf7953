/** What a handler is handed, and how it says no. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** Who calls: `userId` (the identity provider's) is null for a tenant's token. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string | null;
}

/** One part of a multipart form, as it streams in. */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly stream: Readable & { readonly truncated: boolean } };

export interface Call<Body = unknown, Query = unknown> {
  readonly params: { readonly [name: string]: string };
  readonly query: Query;
  /** The query as it was sent, for what a schema's defaults would hide. */
  readonly sentQuery: { readonly [name: string]: unknown };
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** From which IP address it came: a proxy's, behind one. */
  readonly address: string;
  /**
   * The parts of a multipart body, one after the other; each file must be read to its end before the next part comes, and ends
   * after so many bytes.
   */
  readonly parts: (mostBytes: number) => AsyncIterable<Part>;
}

/** A call whose token was checked. */
export interface GuardedCall<Body = unknown, Query = unknown> extends Call<Body, Query> {
  readonly caller: Caller;
}

/** An answer that is a file. */
export interface FileAnswer {
  readonly stream: Readable;
  readonly headers: { readonly [name: string]: string };
}

/** A request that is refused; the one way in which a handler says no. */
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

/** What was to be made is there already: it is the answer, with the route's status for that. */
export class Existing<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

/** A random UUID (version 4) from 16 bytes of hex. */
export function uuidFrom(hex: string): string {
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
