/** How often a worker tries again what comes to nothing. */
import { expect, it } from 'vitest';
import { cameToNothing, openRests } from '../../src/workers/waking.ts';

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

it.each([
  ['resume', 'resume', 26, true],
  ['resume', 'follow', 23, false],
  ['resume', undefined, 0, false],
  // The next look is not due yet, and would find the same.
  ['reconcile', undefined, 22, true],
  ['reconcile', 'reconcile', 22, true],
  ['reconcile', 'resume', 23, false],
  ['follow', 'follow', 23, false],
  ['follow', 'follow', 25, true],
] as const)('%s that leaves %s and ends with %i: came to nothing is %s', (deed, left, exit, expected) => {
  expect(cameToNothing(deed, left, exit)).toBe(expected);
});
