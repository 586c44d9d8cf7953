/** How the room of a fleet is shared: what one member may claim at a moment. */

export interface Sharing {
  /** The most rows that may be under way in the whole fleet, and how many are. */
  readonly room: number;
  readonly underWay: number;
  /** How many of them are the member's own. */
  readonly own: number;
  /** How many are there. */
  readonly members: number;
  /** How many more the member could send. */
  readonly free: number;
}

/**
 * Returns how many rows a member may claim: its share, and never more than the free room. Rows of a dead or slow member take room
 * too. With more members than room, the first one gets it.
 */
export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
