/** Decides how many rows each member of a fleet may send at once. */

export interface Sharing {
  /** The most rows that the whole fleet may have under way. */
  readonly room: number;
  readonly underWay: number;
  /** The number of rows that this member has under way. */
  readonly own: number;
  readonly members: number;
  readonly free: number;
}

/**
 * Returns how many free rows this member may claim. Rows of a stopped or slow member are not free. If there are fewer free rows
 * than members, the first members to ask get one row each.
 */
export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
