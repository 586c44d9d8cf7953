/** The record of a user. The user (interface 2.1) and the profile (interface 2.6) are two views of the record. */
import { isoTime } from '../../base/clock.ts';
import { eachOf } from '../../base/words.ts';
import type { MomoAccount, Profile, ProfilePatch } from '../../wire/profile.ts';
import type { User, UserItem, UserPatch } from '../../wire/user.ts';
import { HttpRefusal } from '../http/call.ts';
import type { UserChange, UserRow } from '../store/store.ts';

type Address = NonNullable<User['address']>;

type Details = Omit<UserPatch, `address${string}`> & {
  readonly address?: Address;
  // The interface does not show if companyName is the name of the business (2.3, 2.6). Here the two are separate.
  readonly companyName?: string;
};

const detailsOf = (row: UserRow): Details => JSON.parse(row.profile) as Details;

export const momoAccountsOf = (row: UserRow): readonly MomoAccount[] => JSON.parse(row.momo_accounts) as MomoAccount[];

const unset = {
  ...eachOf(null, 'entityType firstName middleName lastName dob phoneNumber birthCountry address'),
  ...eachOf(null, 'idDocumentType idDocumentNumber lnUrl sector business'),
  nationality: [],
  businessPersons: [],
};

export function shownUser(row: UserRow): User {
  const { companyName: _, ...details } = detailsOf(row);
  return { userId: row.user_id, email: row.email, ...unset, ...details, ...times(row) };
}

export function shownItem(row: UserRow): UserItem {
  const { id, user_id: userId, email, name, status } = row;
  return { id, userId, email, name, userRole: 'User', status, ...times(row) };
}

export function shownProfile(row: UserRow): Profile {
  const details = detailsOf(row);
  return {
    // The interface does not show which id a profile has (interface 2.6). This service shows the id of the record.
    id: row.id,
    email: row.email,
    name: row.name,
    companyName: details.companyName ?? null,
    sector: details.sector ?? null,
    firstName: details.firstName ?? null,
    phoneNumber: details.phoneNumber ?? null,
    address: details.address ?? null,
    isVerified: row.verified_at !== null,
    defaultMomoAccountId: row.default_momo_account_id,
    momoAccounts: [...momoAccountsOf(row)],
    ...times(row),
  };
}

const times = (row: UserRow) => ({ createdAt: isoTime(row.created_at), updatedAt: isoTime(row.updated_at) });

/** A field such as `addressCity` changes only its part of the stored address (interface 4.6). */
export function withUserPatch(row: UserRow, patch: UserPatch): UserChange {
  const { addressLine1, addressLine2, addressCity, addressState, addressPostalCode, addressCountry, ...fields } = patch;
  const before = detailsOf(row);
  const parts: Partial<Address> = sent({
    line1: addressLine1,
    line2: addressLine2,
    city: addressCity,
    state: addressState,
    postalCode: addressPostalCode,
    country: addressCountry,
  });
  const nowhere: Address = eachOf(null, 'line1 line2 city state postalCode country');
  const address = Object.keys(parts).length === 0 ? {} : { address: { ...nowhere, ...before.address, ...parts } };
  const details = { ...before, ...fields, ...address };
  requireBusiness(details);
  return { profile: JSON.stringify(details) };
}

export function withProfilePatch(row: UserRow, { name, ...fields }: ProfilePatch): UserChange {
  return { name: name ?? row.name, profile: JSON.stringify({ ...detailsOf(row), ...sent(fields) }) };
}

export function requireUnlocked(row: UserRow, patch: { readonly firstName?: unknown }): void {
  // The interface does not show which fields of a verified account are locked (interface 2.6, 4.10). This service
  // locks only firstName, and answers 400. The lock also applies to PATCH /users with the user's own token.
  if (row.verified_at === null || patch.firstName === undefined) return;
  throw new HttpRefusal(400, 'firstName is locked since the account is verified');
}

function requireBusiness({ entityType, business, businessPersons = [] }: Details): void {
  // The interface does not show whether the rule on directors covers the body or the changed user (interface 4.6).
  // This service checks the changed user: every business, and every other user with businessPersons.
  if (entityType === 'business') {
    if (!business) throw new HttpRefusal(400, 'business is required when entityType is business');
  } else if (businessPersons.length === 0) return;
  const types = new Set(businessPersons.flatMap((person) => person.types));
  if (types.has('director') && types.has('ubo')) return;
  throw new HttpRefusal(400, 'businessPersons must contain at least one director and at least one ubo');
}

/** Removes undefined fields, because they would erase the stored values. */
function sent<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
