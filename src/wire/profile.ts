/** The profile of the token's user, with the mobile-money (momo) accounts (interface 2.6, 4.9 to 4.13). */
import { z } from 'zod';
import { timestamp } from './page.ts';
import { addressFields, shownAddress } from './user.ts';

export const momoAccount = z.object({
  id: z.string(),
  label: z.string(),
  phoneNumber: z.string(),
  mobileNetwork: z.literal('MOMO'),
  countryCode: z.literal('KE'),
});

export const profile = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  companyName: z.string().nullable(),
  sector: z.string().nullable(),
  firstName: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  address: shownAddress.nullable(),
  isVerified: z.boolean(),
  defaultMomoAccountId: z.string().nullable(),
  momoAccounts: z.array(momoAccount),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const readOnly = z.never('is read-only').exactOptional();

// The interface does not show the answer to a read-only field in the body (interface 2.6, 4.10). This service answers
// 400. This service accepts a body without any field.
export const profilePatch = z.object({
  name: z.string().min(1).max(1000).exactOptional(),
  companyName: z.string().exactOptional(),
  sector: z.string().exactOptional(),
  firstName: z.string().exactOptional(),
  phoneNumber: z.string().exactOptional(),
  // The interface does not show whether an address in PATCH /profile replaces the stored one (interface 4.10). In this
  // service the sent address replaces the stored address, and a missing line2 or state becomes null.
  address: z.object(addressFields).exactOptional(),
  id: readOnly,
  email: readOnly,
  isVerified: readOnly,
  momoAccounts: readOnly,
  defaultMomoAccountId: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
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
