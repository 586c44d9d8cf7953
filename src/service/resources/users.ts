/** The handlers of POST, GET, PATCH and DELETE /users (interface 2.1, 3, 4.3 to 4.7). */
import type { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { User, UserCreate, UserItem, UserPatch, userDisabled, usersQuery } from '../../wire/user.ts';
import { Existing, type GuardedCall, HttpRefusal, uuidFrom } from '../http/call.ts';
import type { Store, UserChange, UserRow } from '../store/store.ts';
import type { ServiceDeps } from './deps.ts';
import { requireUnlocked, shownItem, shownUser, withUserPatch } from './user-record.ts';

/** The parts that a change of a user needs, also without a running service. */
type UserDeps = Pick<ServiceDeps, 'store' | 'clock'>;

export const userNotFound = () => new HttpRefusal(404, 'User not found');

export function usersResource({ store, clock, lists }: ServiceDeps) {
  async function create(call: GuardedCall<UserCreate>): Promise<UserItem | Existing<UserItem>> {
    // The interface does not show how e-mails of users are compared (interface 4.3). This service ignores upper and
    // lower case. If the user with the e-mail is disabled, this service returns that user unchanged.
    const { row, added } = await createUser({ store, clock }, call.caller.tenantId, call.body);
    return added ? shownItem(row) : new Existing(shownItem(row));
  }

  async function list(call: GuardedCall<unknown, z.infer<typeof usersQuery>>) {
    const { tenantId } = call.caller;
    const { status } = call.query;
    // The list's name contains the filter, so that a page marker (`offset`) is valid only with the same filter.
    const { rows, offsetMarker } = await lists.page(`users ${status}`, tenantId, call, (span) =>
      store.users.list(tenantId, status === 'active' ? 'Active' : 'Inactive', span),
    );
    return { items: rows.map(shownItem), offsetMarker };
  }

  async function get(call: GuardedCall): Promise<User> {
    return shownUser(await activeUser(store, call.caller.tenantId, call.params.userId!));
  }

  async function patch(call: GuardedCall<UserPatch>): Promise<User> {
    const { caller, params, body } = call;
    const row = await changeActive({ store, clock }, caller.tenantId, params.userId!, (before) => {
      if (caller.userId !== null) requireUnlocked(before, body);
      return withUserPatch(before, body);
    });
    return shownUser(row);
  }

  async function disable(call: GuardedCall): Promise<z.infer<typeof userDisabled>> {
    const { caller, params } = call;
    // The interface does not show the status if a user disables their own account (4.7). This service answers 400.
    if (caller.userId !== null) throw new HttpRefusal(400, 'A user cannot disable their own account');
    // The interface does not show how disabling reaches the identity provider (interface 3). This service changes
    // only its own record.
    const row = await changeActive({ store, clock }, caller.tenantId, params.userId!, () => ({ status: 'Inactive' }));
    const { id, user_id, email, name, updated_at } = row;
    return { id, userId: user_id, email, name, status: 'Inactive', updatedAt: isoTime(updated_at) };
  }

  return { create, list, get, patch, disable };
}

// The interface does not show the use of a user's `id` (interface 2.1, 4.2). In this service paths and tokens use
// `userId`, the id at the identity provider. A call with `id` in place of `userId` gets 404.
export async function activeUser(store: Store, tenantId: string, userId: string): Promise<UserRow> {
  const row = await store.users.byUserId(tenantId, userId);
  if (row?.status !== 'Active') throw userNotFound();
  return row;
}

export async function changeActive(
  { store, clock }: UserDeps,
  tenantId: string,
  userId: string,
  decide: (row: UserRow) => UserChange,
): Promise<UserRow> {
  const row = await store.users.change(tenantId, userId, clock.now(), (before) => {
    if (before.status !== 'Active') throw userNotFound();
    return decide(before);
  });
  if (row === undefined) throw userNotFound();
  return row;
}

/** Creates a user, or returns the tenant's existing user with this e-mail (interface 4.3). */
export async function createUser(
  { store, clock }: UserDeps,
  tenantId: string,
  { email, name }: UserCreate,
): Promise<{ row: UserRow; added: boolean }> {
  const now = clock.now();
  return store.users.add({
    id: uuidFrom(clock.randomHex(16)),
    user_id: uuidFrom(clock.randomHex(16)),
    tenant_id: tenantId,
    email,
    email_folded: email.toLowerCase(),
    name,
    status: 'Active',
    profile: '{}',
    momo_accounts: '[]',
    default_momo_account_id: null,
    verified_at: null,
    revision: 0,
    created_at: now,
    updated_at: now,
  });
}

// The interface does not show who verifies an account (2.6, 4.10). Here the operator uses `payrun service user verify`.
export async function verifyUser({ store, clock }: UserDeps, userId: string): Promise<void> {
  const tenantId = await store.tenants.ofUser(userId);
  if (tenantId === undefined) throw new PayrunError('USER_UNKNOWN', { user: userId });
  await store.users.change(tenantId, userId, clock.now(), (row) => {
    if (row.status !== 'Active') throw new PayrunError('USER_DISABLED', { user: userId });
    return { verified_at: row.verified_at ?? clock.now() };
  });
}
