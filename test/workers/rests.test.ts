/** How often a worker tries again what comes to nothing. */
import { expect, it } from 'vitest';
import { openRests } from '../../src/workers/waking.ts';

it('a batch that comes to nothing rests longer each time, up to five minutes; what went well begins anew', () => {
  let now = 0;
  const rests = openRests({ monotonic: () => now }, 5000);
  const waited = () => {
    const from = now;
    while (rests.isResting('nov')) now += 1000;
    return (now - from) / 1000;
  };
  expect(waited()).toBe(0);
  const waits = Array.from({ length: 8 }, () => {
    rests.came('nov', true);
    return waited();
  });
  expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  rests.came('nov', true);
  expect(rests.isResting('oct')).toBe(false);
  rests.came('nov', false);
  expect(rests.isResting('nov')).toBe(false);
  rests.came('nov', true);
  expect(waited()).toBe(10);
});
