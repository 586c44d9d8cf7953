/** What of a list is wanted: how many items, in which order, from where. */

/** The order of a list. `random` is the order of the ids: settled, but telling nothing about time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** Up to `count` items behind the marker's position (a `seq`, or an id in random order). */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

/** The position of an item in a list of this order, as a marker keeps it. */
export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** A list is cut by what its items are, never by how many came before, so that nothing moves between pages. */
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
