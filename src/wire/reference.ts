/** Lists of banks and countries, which need no token (interface 4.14, 4.15). */
import { z } from 'zod';

export const bankNames = z.array(z.string());

/** Only South African banks have a `branchCode` (interface 2.9). */
export const bankDetails = z.array(
  z.object({ name: z.string(), code: z.string(), branchCode: z.string().exactOptional() }),
);

export const countryList = z.array(z.string());

/** Accepts `true`, `false` and words with the same meaning, such as `yes` and `0`. Refuses any other text. */
export const banksQuery = z.object({ showDetails: z.stringbool().default(false) });
export const countriesQuery = z.object({ showIsoCodes: z.stringbool().default(false) });
