/** The table of routes: what can be called, by whom, what it takes and answers, and who does it. */
import { z } from 'zod';
import { documentCreated, documentList } from '../wire/document.ts';
import { kycDocument } from '../wire/kyc.ts';
import { merchant, merchantCreate, merchantPage, merchantPatch } from '../wire/merchant.ts';
import { listQuery } from '../wire/page.ts';
import { payment, paymentCreate, paymentCreated, paymentPage } from '../wire/payment.ts';
import { momoCreate, momoPatch, profile, profilePatch } from '../wire/profile.ts';
import { bankDetails, bankNames, banksQuery, countriesQuery, countryList } from '../wire/reference.ts';
import { tokenAnswer, tokenRequest, userTokenAnswer, userTokenRequest } from '../wire/token.ts';
import { user, userCreate, userDisabled, userItem, userPage, userPatch, usersQuery } from '../wire/user.ts';
import type { Call, Existing, FileAnswer, GuardedCall } from './call.ts';
import type { DocumentsResource } from './documents.ts';
import type { KycResource } from './kyc.ts';
import type { MerchantsResource } from './merchants.ts';
import type { PaymentsResource } from './payments.ts';
import type { ProfileResource } from './profile.ts';
import type { reference as referenceResource } from './reference.ts';
import type { TokensResource } from './tokens.ts';
import type { UsersResource } from './users.ts';

export interface Resources {
  readonly tokens: TokensResource;
  readonly users: UsersResource;
  readonly kyc: KycResource;
  readonly profile: ProfileResource;
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
  /** The status where what was to be made is there already. */
  readonly existingStatus?: number;
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  /** The fields of a multipart form, in place of a JSON body; the handler reads its parts. */
  readonly form?: { readonly [field: string]: 'file' | 'text' };
  /** The schema of a good answer; `file` where it is no JSON. */
  readonly answer: z.ZodType<Answer> | 'file';
}

type Handle<C, Answer> = (call: C) => Promise<Answer | Existing<Answer> | FileAnswer>;

/**
 * Whose token a route takes (interface 5.6): a tenant's; a user's; either; or a tenant's and that of the very user whom the path
 * names as `:userId`.
 */
export type Who = 'tenant' | 'user' | 'tenant or user' | 'tenant or that user';

export type Route = Spec<unknown, unknown, unknown> &
  (
    | { readonly who: 'public'; readonly handle: Handle<Call, unknown> }
    | { readonly who: Who; readonly handle: Handle<GuardedCall, unknown> }
  );

/** Ties a handler's types to its schemas; the server checks body and query before it calls the handler. */
export function open<Body, Query, Answer>(
  spec: Spec<Body, Query, Answer> & { handle: Handle<Call<Body, Query>, Answer> },
): Route {
  return { ...spec, who: 'public', handle: spec.handle as Handle<Call, unknown> };
}

function guarded<Body, Query, Answer>(
  spec: Spec<Body, Query, Answer> & {
    who: Who;
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

export function routeTable(resources: Resources): readonly Route[] {
  const { tokens, users, kyc, profile: profiles, reference, merchants, payments, documents } = resources;
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
    guarded({
      method: 'POST',
      path: '/users',
      who: 'tenant',
      status: 201,
      existingStatus: 200,
      body: userCreate,
      answer: userItem,
      handle: users.create,
    }),
    guarded({
      method: 'GET',
      path: '/users',
      who: 'tenant',
      status: 200,
      query: usersQuery,
      answer: userPage,
      handle: users.list,
    }),
    // not shown: the answer to a user token whose claim is not the path's userId (4.5 to 4.8, 5.6); ours is 403, whoever that user is.
    guarded({
      method: 'GET',
      path: '/users/:userId',
      who: 'tenant or that user',
      status: 200,
      answer: user,
      handle: users.get,
    }),
    guarded({
      method: 'PATCH',
      path: '/users/:userId',
      who: 'tenant or that user',
      status: 200,
      body: userPatch,
      answer: user,
      handle: users.patch,
    }),
    // A tenant's alone. That very user gets as far as to be told why not (4.7: 400 own account), any other user not.
    guarded({
      method: 'DELETE',
      path: '/users/:userId',
      who: 'tenant or that user',
      status: 200,
      answer: userDisabled,
      handle: users.disable,
    }),
    guarded({
      method: 'POST',
      path: '/users/:userId/kyc-documents',
      who: 'tenant or that user',
      status: 201,
      form: { file: 'file', documentType: 'text' },
      answer: kycDocument,
      handle: kyc.upload,
    }),
    guarded({ method: 'GET', path: '/profile', who: 'user', status: 200, answer: profile, handle: profiles.get }),
    guarded({
      method: 'PATCH',
      path: '/profile',
      who: 'user',
      status: 200,
      body: profilePatch,
      answer: profile,
      handle: profiles.patch,
    }),
    guarded({
      method: 'POST',
      path: '/profile/momo',
      who: 'user',
      status: 201,
      body: momoCreate,
      answer: profile,
      handle: profiles.addMomo,
    }),
    guarded({
      method: 'PATCH',
      path: '/profile/momo/:id',
      who: 'user',
      status: 200,
      body: momoPatch,
      answer: profile,
      handle: profiles.patchMomo,
    }),
    guarded({
      method: 'DELETE',
      path: '/profile/momo/:id',
      who: 'user',
      status: 200,
      answer: profile,
      handle: profiles.removeMomo,
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
      form: { file: 'file' },
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
