/** Public reference data (interface 4.14, 4.15). */
import { z } from 'zod';

export const bankNames = z.array(z.string());

/** `code` differs from the name; `branchCode` only for South Africa (2.9). */
export const bankDetails = z.array(
  z.object({ name: z.string(), code: z.string(), branchCode: z.string().exactOptional() }),
);

export const countryList = z.array(z.string());

/** Query flags come as text: `true` or `false`, or words that mean them; anything else is refused. */
export const banksQuery = z.object({ showDetails: z.stringbool().default(false) });
export const countriesQuery = z.object({ showIsoCodes: z.stringbool().default(false) });
