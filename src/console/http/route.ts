/** What a route is: its address, who may ask for it, what it takes, and what answers. The table of routes is a list of these. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '../../base/errors.ts';
import type { Role } from '../api.ts';

/** Who is logged in. */
export interface Who {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}

/** Anyone: also without a login; person: whoever is logged in; else one of these roles. */
export type May = 'anyone' | 'person' | readonly Role[];

export interface Call<P = Who, B = unknown> {
  readonly person: P;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: B;
  /** Where the request came from. */
  readonly address: string;
  /** For an answer that goes on: whether who asked is logged in still, and may. */
  readonly may: () => boolean;
  /** For what is no JSON: a file that comes in, a download, or events. Whoever answers by `reply` returns it. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly may: May;
  /** A form with a file in place of JSON. */
  readonly takes?: 'file';
  readonly body?: z.ZodType;
  handle(call: Call<Who | null>): unknown;
}

interface Asked {
  readonly method: Route['method'];
  readonly path: string;
}

type Answering<P, B> = (call: Call<P, B>) => unknown;

/** A route that needs no login. */
export function forAnyone<S extends z.ZodType>(
  asked: Asked & { readonly body?: S },
  handle: Answering<Who | null, z.infer<S>>,
): Route {
  return { ...asked, may: 'anyone', handle: handle as Route['handle'] };
}

/** A route for whoever is logged in, or for these roles alone. */
export function forPeople<S extends z.ZodType>(
  asked: Asked & Pick<Route, 'takes'> & { readonly may: 'person' | readonly Role[]; readonly body?: S },
  handle: Answering<Who, z.infer<S>>,
): Route {
  // The server asks who it is before it comes here.
  return { ...asked, handle: handle as Route['handle'] };
}

/** A refusal that a person reads; everything else that is thrown is a fault of ours, or one of the table of errors. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, code?: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The codes of expected failures that are about what was asked for, and not about the machine. */
export function statusOfError(code: ErrorCode): number {
  if (code === 'BATCH_UNKNOWN') return 404;
  if (code === 'LEDGER_BUSY') return 409;
  if (/^(?:LEDGER|SERVICE)_|_UNWRITABLE$/.test(code)) return 503;
  return 422;
}
