/** Parts that many calls share: the error body, the page of a list, the form of times and the query of a list. */
import { z } from 'zod';

// The interface does not show the body of an error, except for authentication (interface 7). This service always answers with `{ message }`.
export const errorBody = z.object({ message: z.string() });

/** `offsetMarker` is the `offset` of the next page; null on the last page (interface 4.4, 4.17, 4.21). */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), offsetMarker: z.string().nullable() });

/** Requires `offsetMarker`, because only the marker shows whether the list has ended. */
export const anyPage = z.looseObject({ items: z.array(z.unknown()), offsetMarker: z.string().nullable() });

/** A time in ISO 8601, in UTC with milliseconds (interface 2). */
export const timestamp = z.iso.datetime({ precision: 3 });

// The interface does not show the answer to a `limit` outside 1 to 100 (interface 4.17, 4.21). This service answers 400.
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  offset: z.string().optional(),
});
