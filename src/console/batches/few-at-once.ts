/** Limits how much expensive work is done at once. */
import pLimit from 'p-limit';
import type { Refused } from '../http/route.ts';

export type FewAtOnce = ReturnType<typeof openFewAtOnce>;

/** `busy` makes the refusal of work for which too much other work already waits. */
export function openFewAtOnce(mostAtOnce: number, mostWaiting: number, busy: () => Refused) {
  const limit = pLimit(mostAtOnce);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= mostWaiting) throw busy();
    return await limit(work);
  };
}
