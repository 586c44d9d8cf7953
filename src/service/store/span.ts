/** The part of a list that a caller requests: its order, its start and its size. */

/** `random` is the order of the ids: stable, and independent of time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** A part of a list. `after` is a `seq`; in random order it is an id. */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** Returns the condition for the next page. It compares values, so new items do not shift the pages. */
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
