/** Limits how many files are made at once, since each reads a whole batch. */
import pLimit from 'p-limit';
import { Refused } from '../http/route.ts';

const mostMaking = 2;
const mostWaiting = 12;

export type FewAtOnce = ReturnType<typeof openFewAtOnce>;

export function openFewAtOnce() {
  const limit = pLimit(mostMaking);
  return async <T>(make: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= mostWaiting)
      throw new Refused(503, 'Many files are being made just now. Try again in a minute.', 'BUSY', {
        'retry-after': '60',
      });
    return await limit(make);
  };
}
