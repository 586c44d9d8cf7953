/** The calls for users, KYC documents, profiles and tokens (interface 2.1 to 2.6, 4.1 to 4.13). */
import type { z } from 'zod';
import { PayrunError } from '../base/errors.ts';
import type { momoCreate, momoPatch, profilePatch } from '../wire/profile.ts';
import type { userCreate, userPatch } from '../wire/user.ts';
import { type Calls, type ReadPage, readPage } from './calls.ts';
import type { HttpAnswer, HttpRequest } from './exchange.ts';
import type { ReadProfile, ReadUser, ReadUserItem } from './people-shapes.ts';
import type { AllTokens, MintedToken } from './tokens.ts';

/** `content` may be the `Blob` of a file on disk. The client reads the file in parts, so it needs little memory. */
export interface UploadFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array | Blob;
}

/** If a call that changes data fails, its CallFailure says whether the service may have made the change. */
export interface PeopleClient {
  /** POST /token (interface 4.1): gets a tenant token. The service has a rate limit for tokens. */
  mintToken(): Promise<MintedToken>;
  /** POST /tokens/user (interface 4.2): gets a token for one user of the tenant, valid for 24 hours. */
  mintUserToken(userId: string): Promise<MintedToken>;
  /** POST /users (interface 4.3): creates a user, or returns the one with the same e-mail. Uses the tenant token. */
  createUser(body: z.input<typeof userCreate>): Promise<{ readonly user: ReadUserItem; readonly existed: boolean }>;
  /** GET /users (interface 4.4), page by page to the end; active users by default. Uses the tenant token. */
  users(filter?: { readonly status?: 'active' | 'inactive' }): AsyncIterable<ReadPage<ReadUserItem>>;
  /** GET /users/{userId} (interface 4.5). Returns null for a user who is unknown, disabled or of another tenant. */
  user(userId: string): Promise<ReadUser | null>;
  /** PATCH /users/{userId} (interface 4.6): changes only the fields in the body, such as addressLine1. */
  patchUser(userId: string, body: z.input<typeof userPatch>): Promise<ReadUser>;
  /** DELETE /users/{userId} (interface 4.7): disables the user. Returns null if the answer cannot be read. */
  disableUser(userId: string): Promise<ReadUserItem | null>;
  /** POST /users/{userId}/kyc-documents (interface 4.8): PDF, PNG or JPEG, at most 10 MB. Returns the document's id. */
  uploadKycDocument(userId: string, documentType: string, file: UploadFile): Promise<string | null>;
  /** GET /profile (interface 4.9): the profile of the token's user. The client must be opened with a userId. */
  profile(): Promise<ReadProfile>;
  /** PATCH /profile (interface 4.10): changes the fields in the body. */
  patchProfile(body: z.input<typeof profilePatch>): Promise<ReadProfile>;
  /** POST /profile/momo (interface 4.11). The first account becomes the default. A repeated number fails with 409. */
  addMomoAccount(body: z.input<typeof momoCreate>): Promise<ReadProfile>;
  /** PATCH /profile/momo/{id} (interface 4.12). `isDefault: true` makes the account the default. */
  patchMomoAccount(id: string, body: z.input<typeof momoPatch>): Promise<ReadProfile>;
  /** DELETE /profile/momo/{id} (interface 4.13). A profile without a default account collects no mobile money. */
  removeMomoAccount(id: string): Promise<ReadProfile>;
}

const shapes = async () => await import('./people-shapes.ts');

export function openPeople(calls: Calls, { mintTenant, mintUser }: AllTokens): PeopleClient {
  // 409: the profile already has the number, and the call changed nothing (interface 7).
  const profileOf = async (request: HttpRequest) =>
    wanted(request, await calls.change(request, 'caller', [409]), (await shapes()).readProfile);
  const momoPath = (id: string) => `/profile/momo/${encodeURIComponent(id)}`;
  const userPath = (userId: string) => `/users/${encodeURIComponent(userId)}`;

  return {
    mintToken: mintTenant,
    mintUserToken: mintUser,
    async createUser(body) {
      const { readUserItem, userCreate } = await shapes();
      const request: HttpRequest = { method: 'POST', path: '/users', json: userCreate.parse(body) };
      const answer = await calls.change(request, 'tenant');
      return { user: wanted(request, answer, readUserItem), existed: answer.status === 200 };
    },
    async *users({ status = 'active' } = {}) {
      const { readUserItem } = await shapes();
      for await (const items of calls.pages('/users', { limit: '100', status }, 'tenant'))
        yield readPage(items, readUserItem);
    },
    async user(userId) {
      const request: HttpRequest = { method: 'GET', path: userPath(userId) };
      const answer = await calls.found(request, 'tenant');
      return answer === null ? null : wanted(request, answer, (await shapes()).readUser);
    },
    async patchUser(userId, body) {
      const { readUser, userPatch } = await shapes();
      const request: HttpRequest = { method: 'PATCH', path: userPath(userId), json: userPatch.parse(body) };
      return wanted(request, await calls.change(request, 'tenant'), readUser);
    },
    async disableUser(userId) {
      const { readUserItem } = await shapes();
      return readUserItem((await calls.change({ method: 'DELETE', path: userPath(userId) }, 'tenant')).body);
    },
    async uploadKycDocument(userId, documentType, file) {
      const { kycDocumentType } = await shapes();
      const form = formOf(file);
      form.set('documentType', kycDocumentType.parse(documentType));
      const request: HttpRequest = { method: 'POST', path: `${userPath(userId)}/kyc-documents`, form };
      return documentIdIn((await calls.change(request, 'tenant')).body);
    },
    async profile() {
      const request: HttpRequest = { method: 'GET', path: '/profile' };
      return wanted(request, await calls.read(request), (await shapes()).readProfile);
    },
    patchProfile: async (body) =>
      await profileOf({ method: 'PATCH', path: '/profile', json: (await shapes()).profilePatch.parse(body) }),
    addMomoAccount: async (body) =>
      await profileOf({ method: 'POST', path: '/profile/momo', json: (await shapes()).momoCreate.parse(body) }),
    patchMomoAccount: async (id, body) =>
      await profileOf({ method: 'PATCH', path: momoPath(id), json: (await shapes()).momoPatch.parse(body) }),
    removeMomoAccount: async (id) => await profileOf({ method: 'DELETE', path: momoPath(id) }),
  };
}

export function formOf({ name, type, content }: UploadFile): FormData {
  const form = new FormData();
  form.set(
    'file',
    content instanceof Blob ? content.slice(0, content.size, type) : new Blob([new Uint8Array(content)], { type }),
    name,
  );
  return form;
}

export function documentIdIn(body: unknown): string | null {
  const record = body as Record<string, unknown> | undefined;
  const id = record?.documentId ?? record?.id;
  return typeof id === 'string' ? id : null;
}

function wanted<T>({ method, path }: HttpRequest, answer: HttpAnswer, read: (body: unknown) => T | null): T {
  const found = read(answer.body);
  if (found === null)
    throw new PayrunError('SERVICE_ANSWER', { what: `${method} ${path}`, why: { fault: 'answer-has-other-form' } });
  return found;
}
