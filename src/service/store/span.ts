/** A part of a list: its order, its start and its size. */

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

/** A page begins after the previous page's last value, so that new items do not shift the pages. */
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
