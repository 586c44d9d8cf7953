/** How the room of a fleet is shared: what one member may claim at a moment. */

export interface Sharing {
  /** The most rows that may be under way in the whole fleet, and how many are. */
  readonly room: number;
  readonly underWay: number;
  /** Of these, the member's own. */
  readonly own: number;
  /** How many are there. */
  readonly members: number;
  /** How many more the member could send. */
  readonly free: number;
}

/**
 * A member has its share and no more, and all of them together never more than there is room: what somebody left under way, dead or
 * slow, is room that nobody has. Where there are more members than room, whoever comes first has it.
 */
export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
