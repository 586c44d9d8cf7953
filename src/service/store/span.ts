/** A part of a list: its order, its start and its size. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** `random` sorts by id. Ids are random, so this order does not depend on time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** `after`: the `seq` (in random order: the id) of the last item before this part; null at the list's start. */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** Reads a part of a list. It begins after the last value of the previous part, so that new items do not shift it. */
export function listed<T extends 'users' | 'merchants' | 'payments', Row>(
  query: SelectQueryBuilder<Tables, T, Row>,
  { order, after, count }: Span,
): Promise<Row[]> {
  const column = sql.ref(order === 'random' ? 'id' : 'seq');
  const last = order === 'random' ? after : Number(after);
  return query
    .$if(after !== null, (some) => some.where(column, order === 'newest' ? '<' : '>', last))
    .orderBy(column, order === 'newest' ? 'desc' : 'asc')
    .limit(count)
    .execute();
}
