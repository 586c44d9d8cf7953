/** Reads a part of a list, newest first. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** `after`: the `seq` of the last item before this part; null at the list's start. */
export interface Span {
  readonly after: number | null;
  readonly count: number;
}

/** A part begins after the last value of the previous part, so that new items do not shift it. */
export function listed<T extends 'users' | 'merchants' | 'payments', Row>(
  query: SelectQueryBuilder<Tables, T, Row>,
  { after, count }: Span,
): Promise<Row[]> {
  const seq = sql.ref('seq');
  return query
    .$if(after !== null, (rest) => rest.where(seq, '<', after))
    .orderBy(seq, 'desc')
    .limit(count)
    .execute();
}
