/** Merchants (interface 2.7, 4.16 to 4.19). */
import { z } from 'zod';
import { payoutCountries } from '../domain/accounts/country.ts';
import { page } from './page.ts';

/** A merchant's name may be empty at the service (interface 2.7), but not in a sheet. */
export const merchantName = z.string().regex(/^[A-Za-z0-9 @/().,_-]{0,254}$/);

const destinationFields = {
  bankName: z.string().describe('SouthAfrica, Nigeria: as GET /utils/banks lists it').exactOptional(),
  accountNumber: z.string().describe('SouthAfrica, Nigeria: digits alone, with a right check digit').exactOptional(),
  bankCode: z.string().describe('Nigeria: in place of bankName, or with it').exactOptional(),
  networkProvider: z.string().describe('Kenya: MOMO').exactOptional(),
  contactNumber: z
    .string()
    .regex(/^\+254/, 'must start with +254')
    .describe('Kenya: the phone that is paid, +254…')
    .exactOptional(),
  lnurl: z.string().describe('BTC: a Lightning Address or LNURL').exactOptional(),
};

/** The service's handler, not this schema, requires the fields that the country needs. */
export const merchantCreate = z.object({
  name: merchantName,
  country: z.enum(payoutCountries),
  ...destinationFields,
});

export const merchantPatch = z.object({
  name: merchantName.exactOptional(),
  country: z.enum(payoutCountries).exactOptional(),
  ...destinationFields,
});

export const merchant = merchantCreate.extend({ id: z.string() });

export const merchantPage = page(merchant);

export type MerchantCreate = z.infer<typeof merchantCreate>;
export type MerchantPatch = z.infer<typeof merchantPatch>;
export type Merchant = z.infer<typeof merchant>;
