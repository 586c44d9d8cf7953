/** Shapes of users and profiles. The client loads this file only for calls about people. */
import { z } from 'zod';
import { eachOf } from '../base/words.ts';
import { digits, text } from './answers.ts';

export { kycDocumentType } from '../wire/kyc.ts';
export { momoCreate, momoPatch, profilePatch } from '../wire/profile.ts';
export { userCreate, userPatch } from '../wire/user.ts';

const texts = z.array(z.string()).nullish().catch(null);
const record = z.looseObject({}).nullish().catch(null);

const times = eachOf(text, 'createdAt updatedAt');

/** Only `userId` is required; any other field that cannot be read becomes null. */
const looseUserItem = z.looseObject({
  userId: digits,
  id: digits.nullish().catch(null),
  ...eachOf(text, 'email name userRole status'),
  ...times,
});
const looseUser = z.looseObject({
  userId: digits,
  ...eachOf(
    text,
    'email entityType firstName middleName lastName dob phoneNumber birthCountry',
    'idDocumentType idDocumentNumber lnUrl sector',
  ),
  nationality: texts,
  address: record,
  business: record,
  businessPersons: z.array(z.looseObject({})).nullish().catch(null),
  ...times,
});
const looseProfile = z.looseObject({
  id: digits,
  ...eachOf(text, 'email name companyName sector firstName phoneNumber'),
  address: record,
  isVerified: z.boolean().nullish().catch(null),
  defaultMomoAccountId: digits.nullish().catch(null),
  momoAccounts: z
    .array(z.looseObject({ id: digits, ...eachOf(text, 'label phoneNumber mobileNetwork countryCode') }))
    .nullish()
    .catch(null),
  ...times,
});
export type ReadUserItem = z.infer<typeof looseUserItem>;
export type ReadUser = z.infer<typeof looseUser>;
export type ReadProfile = z.infer<typeof looseProfile>;

export const readUserItem = (body: unknown): ReadUserItem | null => looseUserItem.safeParse(body).data ?? null;
export const readUser = (body: unknown): ReadUser | null => looseUser.safeParse(body).data ?? null;
export const readProfile = (body: unknown): ReadProfile | null => looseProfile.safeParse(body).data ?? null;
