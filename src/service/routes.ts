/** The table of routes: what can be called, by whom, what it takes and answers, and who does it. */
import { z } from 'zod';
import { documentCreated, documentList } from '../wire/document.ts';
import { merchant, merchantCreate, merchantPage, merchantPatch } from '../wire/merchant.ts';
import { listQuery } from '../wire/page.ts';
import { payment, paymentCreate, paymentCreated, paymentPage } from '../wire/payment.ts';
import { bankDetails, bankNames, banksQuery, countriesQuery, countryList } from '../wire/reference.ts';
import { tokenAnswer, tokenRequest, userTokenAnswer, userTokenRequest } from '../wire/token.ts';
import type { Call, FileAnswer, GuardedCall } from './call.ts';
import type { DocumentsResource } from './documents.ts';
import type { MerchantsResource } from './merchants.ts';
import type { PaymentsResource } from './payments.ts';
import type { reference as referenceResource } from './reference.ts';
import type { TokensResource } from './tokens.ts';

export interface Resources {
  readonly tokens: TokensResource;
  readonly reference: typeof referenceResource;
  readonly merchants: MerchantsResource;
  readonly payments: PaymentsResource;
  readonly documents: DocumentsResource;
}

interface Spec<Body, Query, Answer> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The status of a good answer. */
  readonly status: number;
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  /** The body is a multipart form; the handler reads its parts. */
  readonly multipart?: true;
  /** The schema of a good answer; `file` where it is no JSON. */
  readonly answer: z.ZodType<Answer> | 'file';
}

type Handle<C, Answer> = (call: C) => Promise<Answer | FileAnswer>;

export type Route = Spec<unknown, unknown, unknown> &
  (
    | { readonly who: 'public'; readonly handle: Handle<Call, unknown> }
    | { readonly who: 'tenant' | 'tenant or user'; readonly handle: Handle<GuardedCall, unknown> }
  );

/** Ties a handler's types to its schemas; the server checks body and query before it calls the handler. */
export function open<Body, Query, Answer>(
  spec: Spec<Body, Query, Answer> & { handle: Handle<Call<Body, Query>, Answer> },
): Route {
  return { ...spec, who: 'public', handle: spec.handle as Handle<Call, unknown> };
}

function guarded<Body, Query, Answer>(
  spec: Spec<Body, Query, Answer> & {
    who: 'tenant' | 'tenant or user';
    handle: Handle<GuardedCall<Body, Query>, Answer>;
  },
): Route {
  return { ...spec, handle: spec.handle as Handle<GuardedCall, unknown> };
}

/** Whatever is missing or doubled is wrong in the same way as a wrong signature. */
const presignedQuery = z.object({
  owner: z.string().catch(''),
  expires: z.string().catch(''),
  signature: z.string().catch(''),
});

export function routeTable({ tokens, reference, merchants, payments, documents }: Resources): readonly Route[] {
  // not shown: the status of a good POST /token and POST /tokens/user (4.1, 4.2); ours is 200.
  // not shown: the status of a good POST /merchants, POST /payments and upload (4.16, 4.20, 4.23); ours is 201.
  return [
    open({
      method: 'POST',
      path: '/token',
      status: 200,
      body: tokenRequest,
      answer: tokenAnswer,
      handle: tokens.mint,
    }),
    guarded({
      method: 'POST',
      path: '/tokens/user',
      who: 'tenant',
      status: 200,
      body: userTokenRequest,
      answer: userTokenAnswer,
      handle: tokens.mintForUser,
    }),
    open({
      method: 'GET',
      path: '/utils/banks/:country',
      status: 200,
      query: banksQuery,
      answer: z.union([bankNames, bankDetails]),
      handle: reference.banks,
    }),
    open({
      method: 'GET',
      path: '/utils/countries',
      status: 200,
      query: countriesQuery,
      answer: countryList,
      handle: reference.countries,
    }),
    guarded({
      method: 'POST',
      path: '/merchants',
      who: 'tenant or user',
      status: 201,
      body: merchantCreate,
      answer: merchant,
      handle: merchants.create,
    }),
    guarded({
      method: 'GET',
      path: '/merchants',
      who: 'tenant or user',
      status: 200,
      query: listQuery,
      answer: merchantPage,
      handle: merchants.list,
    }),
    guarded({
      method: 'GET',
      path: '/merchants/:id',
      who: 'tenant or user',
      status: 200,
      answer: merchant,
      handle: merchants.get,
    }),
    guarded({
      method: 'PATCH',
      path: '/merchants/:id',
      who: 'tenant or user',
      status: 200,
      body: merchantPatch,
      answer: merchant,
      handle: merchants.patch,
    }),
    guarded({
      method: 'POST',
      path: '/payments',
      who: 'tenant or user',
      status: 201,
      body: paymentCreate,
      answer: paymentCreated,
      handle: payments.create,
    }),
    guarded({
      method: 'GET',
      path: '/payments',
      who: 'tenant or user',
      status: 200,
      query: listQuery,
      answer: paymentPage,
      handle: payments.list,
    }),
    guarded({
      method: 'GET',
      path: '/payments/:id',
      who: 'tenant or user',
      status: 200,
      answer: payment,
      handle: payments.get,
    }),
    guarded({
      method: 'POST',
      path: '/payments/:id/document',
      who: 'tenant or user',
      status: 201,
      multipart: true,
      answer: documentCreated,
      handle: documents.upload,
    }),
    guarded({
      method: 'GET',
      path: '/payments/:id/documents',
      who: 'tenant or user',
      status: 200,
      answer: documentList,
      handle: documents.list,
    }),
    // The address in `presignedUrl`: no token is needed, the signature is the permission.
    open({
      method: 'GET',
      path: '/documents/:id',
      status: 200,
      query: presignedQuery,
      answer: 'file',
      handle: documents.download,
    }),
  ];
}

/** A route's name in faults, statistics and the log. */
export function routeName(route: { readonly method: string; readonly path: string }): string {
  return `${route.method} ${route.path}`;
}
