/** The part of a list that a caller wants: its order, its start and its size. */

/** The order of a list. `random` is the order of the ids: stable, but independent of time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** Up to `count` items after the marker's position (a `seq`, or an id in random order). */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

/** Returns the position of an item in a list of this order, for a marker. */
export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** Cuts a list by the values of its items, never by their number, so that nothing moves between pages. */
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
