/** The part of a list that a caller wants: its order, its start and its size. */

/** The order of a list. `random` is the order of the ids, which never changes and does not depend on time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** `after` is where the part begins: after the item with this `seq`, or with this id in random order. */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** Returns condition and order for the next page. The condition compares values, so new items do not shift the pages. */
export function keysetOf(span: Span) {
  const direction = span.order === 'newest' ? 'desc' : 'asc';
  const byId = span.order === 'random';
  return {
    column: byId ? 'id' : 'seq',
    direction,
    beyond: direction === 'desc' ? '<' : '>',
    after: span.after === null || byId ? span.after : Number(span.after),
  } as const;
}
