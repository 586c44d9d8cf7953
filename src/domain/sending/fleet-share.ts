/** Divides the rows that may be under way at once among the members of a fleet. */

export interface Sharing {
  /** The most rows that may be under way in the whole fleet. */
  readonly room: number;
  readonly underWay: number;
  /** The member's own rows that are under way. */
  readonly own: number;
  readonly members: number;
  readonly free: number;
}

/** Rows of a stopped or slow member are not free. If members outnumber free rows, the first to ask get one each. */
export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
