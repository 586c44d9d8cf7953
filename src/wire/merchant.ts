/** Merchants (interface 2.7, 4.16 to 4.19). */
import { z } from 'zod';
import { payoutCountries } from '../domain/country.ts';
import { page } from './page.ts';

/** Interface 2.7: 0 to 254 of these characters. What only sheets demand (not empty) stands in domain/. */
export const merchantName = z.string().regex(/^[A-Za-z0-9 @/().,_-]{0,254}$/);

const destinationFields = {
  bankName: z.string().exactOptional(),
  accountNumber: z.string().exactOptional(),
  bankCode: z.string().exactOptional(),
  networkProvider: z.string().exactOptional(),
  contactNumber: z.string().startsWith('+254').exactOptional(),
  lnurl: z.string().exactOptional(),
};

/** POST /merchants. Which of the other fields are needed depends on the country; that rule is the service's. */
export const merchantCreate = z.object({
  name: merchantName,
  country: z.enum(payoutCountries),
  ...destinationFields,
});

/** PATCH /merchants/:id: any subset. */
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
