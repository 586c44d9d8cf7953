/** A part of a list: its order, its start and its size. */

/** `random` is the order of the ids, which never changes and does not depend on time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** `after`: the `seq` of the last item before the part (in random order: the id of that item); null for the start of the list. */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** A page begins after a value and not after a number of items, so that new items do not shift the pages. */
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
