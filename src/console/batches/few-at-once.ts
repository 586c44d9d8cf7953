/** Limits how many files are made at once, because each one reads a whole batch. */
import pLimit from 'p-limit';
import { refused } from '../http/route.ts';

const mostMaking = 2;
const mostWaiting = 12;

export type FewAtOnce = ReturnType<typeof openFewAtOnce>;

export function openFewAtOnce() {
  const limit = pLimit(mostMaking);
  return async <T>(make: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= mostWaiting) throw refused(503, 'MANY_FILES', { retryAfterMs: 60_000 });
    return await limit(make);
  };
}
