/** Decides how many rows each member of a fleet may send at once. */

export interface Sharing {
  /** The most rows that the whole fleet may have under way. */
  readonly room: number;
  readonly underWay: number;
  readonly own: number;
  readonly members: number;
  readonly free: number;
}

/** Returns how many more rows a member may claim. A member holds at most an equal share of `room`, rounded up. */
export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
