/** Common parts of answers: the error body and the page of a list. */
import { z } from 'zod';

/** Errors (interface 5.9). */
// not shown: the body of errors other than those of authentication (7); ours is the same, `{ message }`.
export const errorBody = z.object({ message: z.string() });

/** A page of a list; `offsetMarker` is sent back as `offset`, null ends the list (interface 4.4, 4.17, 4.21). */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), offsetMarker: z.string().nullable() });
}

/** The same envelope read strictly, whatever the items are: a list that cannot be trusted to its end proves nothing. */
export const anyPage = z.looseObject({ items: z.array(z.unknown()), offsetMarker: z.string().nullable() });

/** ISO 8601 in UTC with milliseconds (interface 2). */
export const timestamp = z.iso.datetime({ precision: 3 });

// not shown: the answer to a `limit` outside 1 to 100 (4.17, 4.21); ours is 400.
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  offset: z.string().optional(),
});
