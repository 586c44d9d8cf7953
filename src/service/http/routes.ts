/** The table of routes: each route's path, tokens, schemas and handler. */
import { z } from 'zod';
import { eachOf } from '../../base/words.ts';
import { documentCreated, documentList } from '../../wire/document.ts';
import { kycDocument } from '../../wire/kyc.ts';
import { merchant, merchantCreate, merchantPage, merchantPatch } from '../../wire/merchant.ts';
import { listQuery } from '../../wire/page.ts';
import { payment, paymentPage, paymentTaken } from '../../wire/payment.ts';
import { momoCreate, momoPatch, profile, profilePatch } from '../../wire/profile.ts';
import { bankDetails, bankNames, banksQuery, countriesQuery, countryList } from '../../wire/reference.ts';
import { tokenAnswer, tokenRequest, userTokenAnswer, userTokenRequest } from '../../wire/token.ts';
import { user, userCreate, userDisabled, userItem, userPage, userPatch, usersQuery } from '../../wire/user.ts';
import type { documentsResource } from '../resources/documents.ts';
import type { merchantsResource } from '../resources/merchants.ts';
import type { paymentsResource } from '../resources/payments.ts';
import type { profileResource } from '../resources/profile.ts';
import type { reference as referenceResource } from '../resources/reference.ts';
import type { tokensResource } from '../resources/tokens.ts';
import type { usersResource } from '../resources/users.ts';
import type { Call, Existing, FileAnswer, GuardedCall } from './call.ts';

interface Resources {
  readonly tokens: ReturnType<typeof tokensResource>;
  readonly users: ReturnType<typeof usersResource>;
  readonly profile: ReturnType<typeof profileResource>;
  readonly reference: typeof referenceResource;
  readonly merchants: ReturnType<typeof merchantsResource>;
  readonly payments: ReturnType<typeof paymentsResource>;
  readonly documents: ReturnType<typeof documentsResource>;
}

interface Spec<Body, Query, Answer> {
  /** By default 201 for POST, and 200 for other methods. */
  readonly status?: number;
  readonly existingStatus?: number;
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  /** The fields of a multipart form, for a route without a JSON body. */
  readonly form?: { readonly [field: string]: 'file' | 'text' };
  readonly answer: z.ZodType<Answer> | 'file';
}

type Handle<C, Answer> = (call: C) => Promise<Answer | Existing<Answer> | FileAnswer>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The section of the interface, such as `4.20`, and the meaning of each route. Null for a route that is not in the interface. */
const meanings = {
  'POST /token': ['4.1', 'Exchange an API key and secret for a tenant token of about an hour'],
  'POST /tokens/user': ['4.2', 'A token of 24 hours for one user'],
  'POST /users': ['4.3', 'Create a user, or find the one with this e-mail'],
  'GET /users': ['4.4', 'List users, by default only the active ones'],
  'GET /users/:userId': ['4.5', 'Read a user'],
  'PATCH /users/:userId': ['4.6', 'Change profile fields of a user'],
  'DELETE /users/:userId': ['4.7', 'Disable a user'],
  'POST /users/:userId/kyc-documents': ['4.8', 'Upload a KYC document: PDF, PNG or JPEG, at most 10 MB'],
  'GET /profile': ['4.9', "Read the token holder's profile"],
  'PATCH /profile': ['4.10', "Change the token holder's profile"],
  'POST /profile/momo': ['4.11', 'Add a mobile-money account; the first becomes the default'],
  'PATCH /profile/momo/:id': ['4.12', 'Change a mobile-money account, or make it the default'],
  'DELETE /profile/momo/:id': ['4.13', 'Remove a mobile-money account'],
  'GET /utils/banks/:country': ['4.14', 'The banks of a country, with codes if asked for'],
  'GET /utils/countries': ['4.15', 'The countries and rails that payments go to or come from'],
  'POST /merchants': ['4.16', 'Save a payout destination'],
  'GET /merchants': ['4.17', 'List the saved destinations'],
  'GET /merchants/:id': ['4.18', 'Read a saved destination'],
  'PATCH /merchants/:id': ['4.19', 'Change a saved destination'],
  'POST /payments': ['4.20', 'Create a payment; there is no idempotency key, so twice is twice'],
  'GET /payments': ['4.21', 'List payments'],
  'GET /payments/:id': ['4.22', 'Read a payment and where it stands'],
  'POST /payments/:id/document': ['4.23', 'Attach a document to a payment; earlier ones are never overwritten'],
  'GET /payments/:id/documents': ['4.24', "List a payment's documents with addresses for 900 seconds"],
  'GET /documents/:id': ['2.8', 'Download a document by its pre-signed address'],
  'GET /openapi.json': [null, 'This description'],
  'GET /reference': [null, 'This description as a page'],
  'GET /health': [null, 'Whether the service runs'],
  'GET /ready': [null, 'Whether the service can take calls: its database answers'],
  'GET /metrics': [null, 'Counters and durations, in the text form of Prometheus'],
} as const satisfies { readonly [name: `${Method} /${string}`]: readonly [section: string | null, summary: string] };

type RouteName = keyof typeof meanings;

/** The tokens that a route accepts (interface 5.6). `that user` is the user in the path (`:userId`). */
export type Who = 'tenant' | 'user' | 'tenant or user' | 'tenant-or-that-user';

export type Route = Spec<unknown, unknown, unknown> & {
  readonly name: RouteName;
  readonly method: Method;
  readonly path: string;
  readonly section: string | null;
  readonly summary: string;
  readonly status: number;
} & (
    | { readonly who: 'public'; readonly handle: Handle<Call, unknown> }
    | { readonly who: Who; readonly handle: Handle<GuardedCall, unknown> }
  );

const named = (name: RouteName) => {
  const [method, path] = name.split(' ') as [Method, string];
  const [section, summary] = meanings[name];
  return { name, method, path, section, summary, status: method === 'POST' ? 201 : 200 };
};

/** Makes a route that needs no token. The compiler checks the handler's types against the schemas. */
export function open<Body, Query, Answer>(
  name: RouteName,
  spec: Spec<Body, Query, Answer> & { handle: Handle<Call<Body, Query>, Answer> },
): Route {
  return { ...named(name), ...spec, who: 'public', handle: spec.handle as Handle<Call, unknown> };
}

function guarded<Body, Query, Answer>(
  name: RouteName,
  who: Who,
  spec: Spec<Body, Query, Answer> & { handle: Handle<GuardedCall<Body, Query>, Answer> },
): Route {
  return { ...named(name), ...spec, who, handle: spec.handle as Handle<GuardedCall, unknown> };
}

/** A missing or repeated field becomes an empty text, so that the check of the signature refuses the call. */
const presignedQuery = z.object(eachOf(z.string().catch(''), 'owner expires signature'));

export function routeTable(resources: Resources): readonly Route[] {
  const { tokens, users, profile: profiles, reference, merchants, payments, documents } = resources;
  // The interface does not show the status of a successful POST /token and POST /tokens/user (interface 4.1, 4.2).
  // This service answers 200.
  // The interface does not show the status of a successful POST /merchants, POST /payments and upload
  // (interface 4.16, 4.20, 4.23). This service answers 201.
  return [
    open('POST /token', { status: 200, body: tokenRequest, answer: tokenAnswer, handle: tokens.mint }),
    guarded('POST /tokens/user', 'tenant', {
      status: 200,
      body: userTokenRequest,
      answer: userTokenAnswer,
      handle: tokens.mintForUser,
    }),
    guarded('POST /users', 'tenant', { existingStatus: 200, body: userCreate, answer: userItem, handle: users.create }),
    guarded('GET /users', 'tenant', { query: usersQuery, answer: userPage, handle: users.list }),
    // The interface does not show the answer to another user's token (4.5 to 4.8, 5.6). This service answers 403.
    guarded('GET /users/:userId', 'tenant-or-that-user', { answer: user, handle: users.get }),
    guarded('PATCH /users/:userId', 'tenant-or-that-user', { body: userPatch, answer: user, handle: users.patch }),
    guarded('DELETE /users/:userId', 'tenant-or-that-user', { answer: userDisabled, handle: users.disable }),
    guarded('POST /users/:userId/kyc-documents', 'tenant-or-that-user', {
      form: { file: 'file', documentType: 'text' },
      answer: kycDocument,
      handle: documents.uploadKyc,
    }),
    guarded('GET /profile', 'user', { answer: profile, handle: profiles.get }),
    guarded('PATCH /profile', 'user', { body: profilePatch, answer: profile, handle: profiles.patch }),
    guarded('POST /profile/momo', 'user', { body: momoCreate, answer: profile, handle: profiles.addMomo }),
    guarded('PATCH /profile/momo/:id', 'user', { body: momoPatch, answer: profile, handle: profiles.patchMomo }),
    guarded('DELETE /profile/momo/:id', 'user', { answer: profile, handle: profiles.removeMomo }),
    open('GET /utils/banks/:country', {
      query: banksQuery,
      answer: z.union([bankNames, bankDetails]),
      handle: reference.banks,
    }),
    open('GET /utils/countries', { query: countriesQuery, answer: countryList, handle: reference.countries }),
    guarded('POST /merchants', 'tenant or user', { body: merchantCreate, answer: merchant, handle: merchants.create }),
    guarded('GET /merchants', 'tenant or user', { query: listQuery, answer: merchantPage, handle: merchants.list }),
    guarded('GET /merchants/:id', 'tenant or user', { answer: merchant, handle: merchants.get }),
    guarded('PATCH /merchants/:id', 'tenant or user', {
      body: merchantPatch,
      answer: merchant,
      handle: merchants.patch,
    }),
    guarded('POST /payments', 'tenant or user', { body: paymentTaken, answer: payment, handle: payments.create }),
    guarded('GET /payments', 'tenant or user', { query: listQuery, answer: paymentPage, handle: payments.list }),
    guarded('GET /payments/:id', 'tenant or user', { answer: payment, handle: payments.get }),
    guarded('POST /payments/:id/document', 'tenant or user', {
      form: { file: 'file' },
      answer: documentCreated,
      handle: documents.upload,
    }),
    guarded('GET /payments/:id/documents', 'tenant or user', { answer: documentList, handle: documents.list }),
    open('GET /documents/:id', { query: presignedQuery, answer: 'file', handle: documents.download }),
  ];
}
