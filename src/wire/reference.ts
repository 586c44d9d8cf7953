/** Lists of banks and countries, which need no token (interface 4.14, 4.15). */
import { z } from 'zod';

export const bankNames = z.array(z.string());

/** A bank's code is never its name. Only South African banks have a `branchCode` (interface 2.9). */
export const bankDetails = z.array(
  z.object({ name: z.string(), code: z.string(), branchCode: z.string().exactOptional() }),
);

export const countryList = z.array(z.string());

/** Query flags are texts: `true`, `false`, or words with the same meaning. Anything else is refused. */
export const banksQuery = z.object({ showDetails: z.stringbool().default(false) });
export const countriesQuery = z.object({ showIsoCodes: z.stringbool().default(false) });
