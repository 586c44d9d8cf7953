/** The profile of the token's user, with the mobile-money (momo) accounts (interface 2.6, 4.9 to 4.13). */
import { z } from 'zod';
import { eachOf } from '../base/words.ts';
import { timestamp } from './page.ts';
import { addressFields, shownAddress } from './user.ts';

export const momoAccount = z.object({
  ...eachOf(z.string(), 'id label phoneNumber'),
  mobileNetwork: z.literal('MOMO'),
  countryCode: z.literal('KE'),
});

export const profile = z.object({
  ...eachOf(z.string(), 'id email name'),
  ...eachOf(z.string().nullable(), 'companyName sector firstName phoneNumber defaultMomoAccountId'),
  address: shownAddress.nullable(),
  isVerified: z.boolean(),
  momoAccounts: z.array(momoAccount),
  ...eachOf(timestamp, 'createdAt updatedAt'),
});

const readOnly = z.never('is read-only').exactOptional();

// The interface does not show the answer to a read-only field in the body (interface 2.6, 4.10). This service answers
// 400. This service accepts a body without any field.
export const profilePatch = z.object({
  name: z.string().min(1).max(1000).exactOptional(),
  ...eachOf(z.string().exactOptional(), 'companyName sector firstName phoneNumber'),
  // The interface does not show whether an address in PATCH /profile replaces the stored one (interface 4.10). In this
  // service the sent address replaces the stored address, and a missing line2 or state becomes null.
  address: z.object(addressFields).exactOptional(),
  ...eachOf(readOnly, 'id email isVerified momoAccounts defaultMomoAccountId createdAt updatedAt'),
});

// The interface does not show which phone numbers a momo account accepts (interface 2.6). This service accepts Kenyan numbers: +254 and nine digits.
const momoNumber = z.string().regex(/^\+254\d{9}$/, 'kenyan-number');

// The interface does not show the label of an account that was added without one (interface 2.6, 4.11). In this service the label is then an empty text.
export const momoCreate = momoAccount.omit({ id: true }).extend({
  phoneNumber: momoNumber,
  label: z.string().default(''),
});

export const momoPatch = z.object({
  phoneNumber: momoNumber.exactOptional(),
  mobileNetwork: z.literal('MOMO').exactOptional(),
  countryCode: z.literal('KE').exactOptional(),
  label: z.string().exactOptional(),
  isDefault: z.boolean().exactOptional(),
});

export type Profile = z.infer<typeof profile>;
export type ProfilePatch = z.infer<typeof profilePatch>;
export type MomoAccount = z.infer<typeof momoAccount>;
export type MomoCreate = z.infer<typeof momoCreate>;
export type MomoPatch = z.infer<typeof momoPatch>;
