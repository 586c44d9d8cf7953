/** Users, their businesses and the persons of those businesses (interface 2.1 to 2.4, 4.3 to 4.7). */
import { z } from 'zod';
import { eachOf } from '../base/words.ts';
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
  ...eachOf(z.string().min(1), 'registrationNumber phone'),
  ...eachOf(z.string().exactOptional(), 'tradingName website'),
  registrationDate: date.exactOptional(),
  ...eachOf(address.exactOptional(), 'registeredAddress tradingAddress'),
});

/** `ownership` is in percent. */
const businessPerson = z.strictObject({
  types: z.array(z.enum(['director', 'shareholder', 'ubo', 'secretary'])).min(1),
  ownership: z.number().min(0).max(100).exactOptional(),
  person: z
    .strictObject({
      ...eachOf(z.string().exactOptional(), 'firstName lastName email phone idDocumentNumber'),
      middleName: z.string().nullable().exactOptional(),
      dob: date.exactOptional(),
      nationality: z.array(country).exactOptional(),
      birthCountry: country.exactOptional(),
      address: address.exactOptional(),
      idDocumentType: z.enum(['PASSPORT', 'NATIONAL_ID', 'DRIVERS_LICENCE', 'WORK_PERMIT']).exactOptional(),
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
  ...eachOf(
    z.string().exactOptional(),
    'firstName lastName phoneNumber addressLine1 addressCity addressPostalCode idDocumentType idDocumentNumber sector',
  ),
  ...eachOf(z.string().nullable().exactOptional(), 'middleName addressLine2 addressState'),
  ...eachOf(country.exactOptional(), 'birthCountry addressCountry'),
  dob: date.exactOptional(),
  nationality: z.array(country).exactOptional(),
  lnUrl: z
    .string()
    .refine((text) => readLightning(text).value !== undefined, 'lightning')
    .exactOptional(),
  business: business.nullable().exactOptional(),
  businessPersons: z.array(businessPerson).exactOptional(),
});

const unset = z.string().nullable();

export const shownAddress = z.object(eachOf(unset, 'line1 line2 city state postalCode country'));

// The interface does not show the value of a field that was never set (interface 2.1). This service returns null, or an
// empty list for `nationality` and `businessPersons`.
export const user = z.object({
  userId: z.string(),
  email: z.string(),
  entityType: userPatch.shape.entityType.unwrap().nullable(),
  ...eachOf(
    unset,
    'firstName middleName lastName dob phoneNumber birthCountry idDocumentType idDocumentNumber lnUrl sector',
  ),
  nationality: z.array(z.string()),
  address: shownAddress.nullable(),
  business: business.nullable(),
  businessPersons: z.array(businessPerson),
  ...eachOf(timestamp, 'createdAt updatedAt'),
});

export const userItem = z.object({
  // The interface does not show the values of userRole (interface 2.1). In this service userRole is always `User`.
  ...eachOf(z.string(), 'id userId email name userRole'),
  status: z.enum(['Active', 'Inactive']),
  ...eachOf(timestamp, 'createdAt updatedAt'),
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
