/** Users, their businesses and the persons of those businesses (interface 2.1 to 2.4, 4.3 to 4.7). */
import { z } from 'zod';
import { countryCodes } from '../domain/accounts/country-codes.ts';
import { readLightning } from '../domain/accounts/lightning.ts';
import { listQuery, page, timestamp } from './page.ts';

// The interface does not show whether an unknown country code is refused (interface 2). This service answers 400 to it,
// and to a code in lower case.
const country = z.string().refine((code) => countryCodes.has(code), 'country-code');
const date = z.iso.date('date');

export const addressFields = {
  line1: z.string(),
  line2: z.string().nullable().default(null),
  city: z.string(),
  state: z.string().nullable().default(null),
  postalCode: z.string(),
  country,
};
const address = z.strictObject(addressFields);

const business = z.strictObject({
  companyName: z.string().min(1),
  type: z.enum(['LIMITED', 'PARTNERSHIP', 'SOLE_TRADER', 'CHARITY', 'TRUST', 'LLP', 'OTHER']),
  registrationNumber: z.string().min(1),
  phone: z.string().min(1),
  tradingName: z.string().exactOptional(),
  registrationDate: date.exactOptional(),
  website: z.string().exactOptional(),
  registeredAddress: address.exactOptional(),
  tradingAddress: address.exactOptional(),
});

/** `ownership` is in percent. */
const businessPerson = z.strictObject({
  types: z.array(z.enum(['director', 'shareholder', 'ubo', 'secretary'])).min(1),
  ownership: z.number().min(0).max(100).exactOptional(),
  person: z
    .strictObject({
      firstName: z.string().exactOptional(),
      middleName: z.string().nullable().exactOptional(),
      lastName: z.string().exactOptional(),
      dob: date.exactOptional(),
      email: z.string().exactOptional(),
      phone: z.string().exactOptional(),
      nationality: z.array(country).exactOptional(),
      birthCountry: country.exactOptional(),
      address: address.exactOptional(),
      idDocumentType: z.enum(['PASSPORT', 'NATIONAL_ID', 'DRIVERS_LICENCE', 'WORK_PERMIT']).exactOptional(),
      idDocumentNumber: z.string().exactOptional(),
    })
    .exactOptional(),
});

// The interface does not show the form of an e-mail address and the longest name (interface 2.1). This service accepts
// usual addresses of up to 254 characters, and names of up to 1,000 characters.
export const userCreate = z.object({ email: z.email().max(254), name: z.string().min(1).max(1000) });

/** The service's handler, not this schema, checks that a business has a director and a ubo (beneficial owner). */
// The interface does not show whether null clears a value (interface 2.1, 4.6). In this service null clears middleName,
// business, and an address's line2 and state.
// The interface does not show whether PATCH /users/{userId} accepts `name`, `email` and a nested `address` (interface
// 2.1, 4.6). This service answers 400 to these fields.
// The interface does not show all flat address fields (interface 2.1). This service has addressLine2 and addressState too.
export const userPatch = z.strictObject({
  entityType: z.enum(['individual', 'business']).exactOptional(),
  firstName: z.string().exactOptional(),
  middleName: z.string().nullable().exactOptional(),
  lastName: z.string().exactOptional(),
  dob: date.exactOptional(),
  phoneNumber: z.string().exactOptional(),
  nationality: z.array(country).exactOptional(),
  birthCountry: country.exactOptional(),
  addressLine1: z.string().exactOptional(),
  addressLine2: z.string().nullable().exactOptional(),
  addressCity: z.string().exactOptional(),
  addressState: z.string().nullable().exactOptional(),
  addressPostalCode: z.string().exactOptional(),
  addressCountry: country.exactOptional(),
  idDocumentType: z.string().exactOptional(),
  idDocumentNumber: z.string().exactOptional(),
  lnUrl: z
    .string()
    .refine((text) => readLightning(text).value !== undefined, 'lightning')
    .exactOptional(),
  sector: z.string().exactOptional(),
  business: business.nullable().exactOptional(),
  businessPersons: z.array(businessPerson).exactOptional(),
});

const unset = z.string().nullable();

export const shownAddress = z.object({
  line1: unset,
  line2: unset,
  city: unset,
  state: unset,
  postalCode: unset,
  country: unset,
});

// The interface does not show the value of a field that was never set (interface 2.1). This service returns null, or an
// empty list for `nationality` and `businessPersons`.
export const user = z.object({
  userId: z.string(),
  email: z.string(),
  entityType: userPatch.shape.entityType.unwrap().nullable(),
  firstName: unset,
  middleName: unset,
  lastName: unset,
  dob: unset,
  phoneNumber: unset,
  nationality: z.array(z.string()),
  birthCountry: unset,
  address: shownAddress.nullable(),
  idDocumentType: unset,
  idDocumentNumber: unset,
  lnUrl: unset,
  sector: unset,
  business: business.nullable(),
  businessPersons: z.array(businessPerson),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const userItem = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  // The interface does not show the values of userRole (interface 2.1). In this service userRole is always `User`.
  userRole: z.string(),
  status: z.enum(['Active', 'Inactive']),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const userPage = page(userItem);

export const usersQuery = listQuery.extend({ status: z.enum(['active', 'inactive']).default('active') });

export const userDisabled = userItem
  .pick({ id: true, userId: true, email: true, name: true, updatedAt: true })
  .extend({ status: z.literal('Inactive') });

export type UserCreate = z.infer<typeof userCreate>;
export type UserPatch = z.infer<typeof userPatch>;
export type User = z.infer<typeof user>;
export type UserItem = z.infer<typeof userItem>;
