/** Defines a route: its address, its permissions, its input and its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PayrunError } from '../../base/errors.ts';
import type { ErrorCode, Refusal } from '../../base/refusal.ts';
import { eachOf } from '../../base/words.ts';
import { type Eyes, factsFor } from '../../domain/problems/masked-facts.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import type { RefusalKind } from '../../domain/sending/end.ts';
import { messageOf, type OwnCode, type OwnFacts, type PageMessage } from '../../messages/web/messages.ts';
import { refusalKind } from '../../pipeline/refusal-kind.ts';
import type { Role } from '../api.ts';

export interface Who {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}

export const eyesOf = (who: Pick<Who, 'role'> | null): Eyes => ({ masked: who?.role === 'viewer' });

/** Masks the facts for a viewer, before they become words. */
export const seenBy = <T>(who: Pick<Who, 'role'> | null, facts: T): T => factsFor(eyesOf(who), facts);

export const actorFor = ({ id, name }: Who) => ({ driver: 'console', name, account: id }) as const satisfies Actor;

/** `anyone` needs no login, `person` needs one, and a list needs one of its roles. */
export type May = 'anyone' | 'person' | readonly Role[];

export interface Call<P = Who, B = unknown> {
  readonly person: P;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: B;
  readonly address: string;
  /** True while the person may still get the answer. The event stream asks before each event. */
  readonly may: () => boolean;
  /** For files, downloads and events. A handler that answers through `reply` returns it. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly may: May;
  readonly takes?: 'file';
  readonly body?: z.ZodType;
  handle(call: Call<Who | null>): unknown;
}

type Answering<P, B> = (call: Call<P, B>) => unknown;
type Handling = Omit<Route, 'method' | 'path'>;

/** A table of routes: the method and the path of each, as in `GET /api/batches/:name`. */
export const routesOf = (table: Readonly<Record<`${Route['method']} /${string}`, Handling>>): Route[] =>
  Object.entries(table).map(([address, handling]) => {
    const [method, path] = address.split(' ') as [Route['method'], string];
    return { method, path, ...handling };
  });

export const forAnyone = <S extends z.ZodType>(body: S, handle: Answering<Who | null, z.infer<S>>): Handling => ({
  may: 'anyone',
  body,
  handle: handle as Route['handle'],
});

/** Answers a person's question. The cast is safe, because the server checks the login before it calls the handler. */
export const reads = (may: 'person' | readonly Role[], handle: Answering<Who, unknown>): Handling => ({
  may,
  handle: handle as Route['handle'],
});

export const receives = (...route: Parameters<typeof reads>): Handling => ({ ...reads(...route), takes: 'file' });

export const acts = <S extends z.ZodType>(
  may: 'person' | readonly Role[],
  body: S,
  handle: Answering<Who, z.infer<S>>,
): Handling => ({ ...reads(may, handle as Answering<Who, unknown>), body });

export class Refused extends Error {
  readonly status: number;
  readonly said: PageMessage;
  constructor(status: number, said: PageMessage) {
    super(said.code);
    this.name = 'Refused';
    this.status = status;
    this.said = said;
  }
}

export const refused = <C extends OwnCode>(status: number, code: C, ...facts: OwnFacts<C>): Refused =>
  new Refused(status, messageOf(code, ...facts));

export const refusedBy = (
  { code, facts }: Refusal | PayrunError,
  status = statusOfCode[code] ?? statuses[refusalKind(code)],
): Refused => new Refused(status, { code, facts } as Refusal);

const statuses: { readonly [K in RefusalKind]: number } = {
  ...eachOf(409, 'doubt busy later'),
  ...eachOf(422, 'usage rule sheet'),
  ...eachOf(503, 'signal alarm service machine'),
};

const statusOfCode: { readonly [C in ErrorCode]?: number } = {
  ...eachOf(403, 'OWN_SHEET APPROVED_ALREADY OWN_TO_DISCARD NOT_OWN_PLAN OWN_APPROVAL'),
  BATCH_UNKNOWN: 404,
  ...eachOf(503, 'FOLDER_UNWRITABLE COPIES_UNWRITABLE'),
};
