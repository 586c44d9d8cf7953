/** Shapes of users and profiles. The client loads this file only for calls about people. */
import { z } from 'zod';
import { digits, text } from './answers.ts';

export { kycDocumentType } from '../wire/kyc.ts';
export { momoCreate, momoPatch, profilePatch } from '../wire/profile.ts';
export { userCreate, userPatch } from '../wire/user.ts';

const texts = z.array(z.string()).nullish().catch(null);
const record = z.looseObject({}).nullish().catch(null);

/** Only `userId` is required; any other field that cannot be read becomes null. */
const looseUserItem = z.looseObject({
  userId: digits,
  id: digits.nullish().catch(null),
  email: text,
  name: text,
  userRole: text,
  status: text,
  createdAt: text,
  updatedAt: text,
});
const looseUser = z.looseObject({
  userId: digits,
  email: text,
  entityType: text,
  firstName: text,
  middleName: text,
  lastName: text,
  dob: text,
  phoneNumber: text,
  nationality: texts,
  birthCountry: text,
  address: record,
  idDocumentType: text,
  idDocumentNumber: text,
  lnUrl: text,
  sector: text,
  business: record,
  businessPersons: z.array(z.looseObject({})).nullish().catch(null),
  createdAt: text,
  updatedAt: text,
});
const looseProfile = z.looseObject({
  id: digits,
  email: text,
  name: text,
  companyName: text,
  sector: text,
  firstName: text,
  phoneNumber: text,
  address: record,
  isVerified: z.boolean().nullish().catch(null),
  defaultMomoAccountId: digits.nullish().catch(null),
  momoAccounts: z
    .array(z.looseObject({ id: digits, label: text, phoneNumber: text, mobileNetwork: text, countryCode: text }))
    .nullish()
    .catch(null),
  createdAt: text,
  updatedAt: text,
});
export type ReadUserItem = z.infer<typeof looseUserItem>;
export type ReadUser = z.infer<typeof looseUser>;
export type ReadProfile = z.infer<typeof looseProfile>;

export const readUserItem = (body: unknown): ReadUserItem | null => looseUserItem.safeParse(body).data ?? null;
export const readUser = (body: unknown): ReadUser | null => looseUser.safeParse(body).data ?? null;
export const readProfile = (body: unknown): ReadProfile | null => looseProfile.safeParse(body).data ?? null;
