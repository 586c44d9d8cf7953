/** Decides how many rows each member of a fleet may send at once. */

interface Sharing {
  /** The most rows that the whole fleet may have under way. */
  readonly room: number;
  readonly underWay: number;
  readonly own: number;
  readonly members: number;
  readonly free: number;
}

export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
