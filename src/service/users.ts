/** Users of a tenant: for now only what POST /tokens/user needs (interface 2.1, 4.3). */
import type { Clock } from '../base/clock.ts';
import { uuidFrom } from './call.ts';
import type { Store, UserRow } from './store/store.ts';

export interface NewUser {
  readonly email: string;
  readonly name: string;
}

/** Adds a user, or finds the one who has this e-mail already (interface 4.3); e-mails are compared without case. */
export async function createUser(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  tenantId: string,
  { email, name }: NewUser,
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
