/** Merchants (interface 2.7, 4.16 to 4.19). */
import { z } from 'zod';
import { payoutCountries } from '../domain/accounts/country.ts';
import { page } from './page.ts';

/** A merchant's name may be empty at the service (interface 2.7), but not in a sheet. */
const merchantName = z.string().regex(/^[A-Za-z0-9 @/().,_-]{0,254}$/);

const destinationFields = {
  bankName: z.string().describe('bank-name').exactOptional(),
  accountNumber: z.string().describe('account-number').exactOptional(),
  bankCode: z.string().describe('bank-code').exactOptional(),
  networkProvider: z.string().describe('network-provider').exactOptional(),
  contactNumber: z
    .string()
    .regex(/^\+254/, 'kenyan-prefix')
    .describe('contact-number')
    .exactOptional(),
  lnurl: z.string().describe('lnurl').exactOptional(),
};

/** The service's handler, not this schema, requires the fields that the country needs. */
export const merchantCreate = z.object({ name: merchantName, country: z.enum(payoutCountries), ...destinationFields });

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
