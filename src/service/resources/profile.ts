/** The handlers of /profile and its momo accounts (interface 2.6, 3, 4.9 to 4.13). */
import type { MomoAccount, MomoCreate, MomoPatch, Profile, ProfilePatch } from '../../wire/profile.ts';
import { type Caller, type GuardedCall, HttpRefusal, uuidFrom } from '../http/call.ts';
import type { UserChange, UserRow } from '../store/store.ts';
import type { ServiceDeps } from './deps.ts';
import { momoAccountsOf, requireUnlocked, shownProfile, withProfilePatch } from './user-record.ts';
import { activeUser, changeActive } from './users.ts';

export function profileResource(deps: ServiceDeps & { readonly mostMomoAccounts: number }) {
  const { store, clock, mostMomoAccounts } = deps;

  /** Only user tokens reach this code, so `userId` is never null. */
  const change = async ({ tenantId, userId }: Caller, decide: (row: UserRow) => UserChange): Promise<Profile> =>
    shownProfile(await changeActive(deps, tenantId, userId!, decide));

  return {
    get: async ({ caller }: GuardedCall): Promise<Profile> =>
      shownProfile(await activeUser(store, caller.tenantId, caller.userId!)),

    patch: ({ caller, body }: GuardedCall<ProfilePatch>): Promise<Profile> =>
      change(caller, (row) => {
        requireUnlocked(row, body);
        return withProfilePatch(row, body);
      }),

    addMomo: ({ caller, body }: GuardedCall<MomoCreate>): Promise<Profile> => {
      const account: MomoAccount = { id: uuidFrom(clock.randomHex(16)), ...body };
      return change(caller, (row) => {
        const accounts = momoAccountsOf(row);
        requireNew(accounts, account.phoneNumber);
        // The interface does not show how many momo accounts a profile may have (2.6, 4.11). The default here is 10.
        if (accounts.length >= mostMomoAccounts)
          throw new HttpRefusal(
            422,
            `a profile may have ${mostMomoAccounts} momo accounts, and this one would be more`,
          );
        // The interface does not show if a later account can become the default by itself (3, 4.11). In this service
        // only a profile's first account becomes the default by itself.
        const isFirst = accounts.length === 0 ? { default_momo_account_id: account.id } : {};
        return { momo_accounts: JSON.stringify([...accounts, account]), ...isFirst };
      });
    },

    patchMomo: ({ caller, params, body }: GuardedCall<MomoPatch>): Promise<Profile> => {
      const { isDefault, ...fields } = body;
      return change(caller, (row) => {
        const accounts = momoAccountsOf(row);
        const account = accounts.find(({ id }) => id === params.id);
        if (account === undefined) throw noAccount();
        if (isDefault === false && row.default_momo_account_id === account.id)
          throw new HttpRefusal(400, 'isDefault: the default is replaced by making another account the default');
        // The interface does not show if a change may give two accounts one number (4.12). This service answers 409.
        const others = accounts.filter(({ id }) => id !== account.id);
        if (fields.phoneNumber !== undefined) requireNew(others, fields.phoneNumber);
        const changed = accounts.map((one) => (one === account ? { ...one, ...fields } : one));
        // The interface does not show the effect of `isDefault: false` on other accounts (4.12). Here it has no effect.
        const promoted = isDefault === true ? { default_momo_account_id: account.id } : {};
        return { momo_accounts: JSON.stringify(changed), ...promoted };
      });
    },

    removeMomo: ({ caller, params }: GuardedCall): Promise<Profile> =>
      change(caller, (row) => {
        const accounts = momoAccountsOf(row);
        const left = accounts.filter(({ id }) => id !== params.id);
        if (left.length === accounts.length) throw noAccount();
        const wasDefault = row.default_momo_account_id === params.id ? { default_momo_account_id: null } : {};
        return { momo_accounts: JSON.stringify(left), ...wasDefault };
      }),
  };
}

// The interface does not show the answer for an unknown momo account (interface 4.12, 4.13). This service answers 404.
const noAccount = () => new HttpRefusal(404, 'Momo account not found');

function requireNew(accounts: readonly MomoAccount[], phoneNumber: string): void {
  if (accounts.some((account) => account.phoneNumber === phoneNumber))
    throw new HttpRefusal(409, 'phoneNumber is on the profile already');
}
