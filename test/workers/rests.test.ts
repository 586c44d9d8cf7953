/** How often a worker tries again what comes to nothing. */
import { expect, it } from 'vitest';
import { cameToNothing, openRests } from '../../src/workers/waking.ts';

it('a batch that comes to nothing rests longer each time, up to five minutes; what went well begins anew', () => {
  let now = 0;
  const rests = openRests({ monotonic: () => now }, 5000);
  const waited = () => {
    const from = now;
    while (rests.isResting('nov', 'resume')) now += 1000;
    return (now - from) / 1000;
  };
  expect(waited()).toBe(0);
  const waits = Array.from({ length: 8 }, () => {
    rests.came('nov', 'resume', true);
    return waited();
  });
  expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  rests.came('nov', 'resume', true);
  expect(rests.isResting('oct', 'resume')).toBe(false);
  // A doubt that is not settled keeps nobody from the batch when its leader dies.
  rests.came('nov', 'reconcile', true);
  rests.came('nov', 'resume', false);
  expect([rests.isResting('nov', 'resume'), rests.isResting('nov', 'reconcile')]).toEqual([false, true]);
  rests.came('nov', 'resume', true);
  expect(waited()).toBe(10);
});

it.each([
  ['resume', 'resume', 'service', 0, true],
  ['resume', 'follow', 'later', 0, false],
  ['resume', undefined, 'done', 0, false],
  // The next look is not due yet, and would find the same.
  ['reconcile', undefined, 'doubt', 0, true],
  ['reconcile', 'reconcile', 'doubt', 0, true],
  ['reconcile', undefined, 'doubt', 1, false],
  ['reconcile', undefined, 'done', 2, false],
  ['follow', 'follow', 'later', 0, false],
  ['follow', 'follow', 'service', 0, true],
] as const)(
  '%s that leaves %s, ends %s and settles %i doubts: came to nothing is %s',
  (...[deed, left, end, settled, expected]) => {
    expect(cameToNothing(deed, left, end, settled)).toBe(expected);
  },
);
