/** Divides the rows that may be under way at once among the members of a fleet. */

export interface Sharing {
  /** The most rows that may be under way in the whole fleet. */
  readonly room: number;
  readonly underWay: number;
  /** The member's own rows that are under way. */
  readonly own: number;
  readonly members: number;
  /** How many more rows the member could send. */
  readonly free: number;
}

/**
 * Returns how many rows a member may claim: its equal share, but no more than the fleet has free. Rows of a stopped or slow
 * member are not free. If there are more members than free rows, the first members to ask get one each.
 */
export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
