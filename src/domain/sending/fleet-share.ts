/** Decides how many rows each member of a fleet may send at once. */

import type { Each } from '../../base/words.ts';

/** `room` is the most rows that the whole fleet may have under way. */
type Sharing = Each<'room underWay own members free', number>;

export function mayClaim({ room, underWay, own, members, free }: Sharing): number {
  const share = Math.ceil(room / Math.max(1, members));
  return Math.max(0, Math.min(free, share - own, room - underWay));
}
