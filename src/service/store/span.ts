/** A part of a list: its order, its start and its size. */

/** `random` is the order of the ids, which never changes and does not depend on time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** The part begins after the item with the `seq` in `after`, or in random order with the id in `after`. */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** The condition compares values, so that new items do not shift the pages. */
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
