/** How often a worker tries again after an attempt that came to nothing. */
import { expect, it } from 'vitest';
import { openRests } from '../../src/workers/waking.ts';

const nov = { batch: 'nov', turn: 1, sends: 0 } as const;

it('a batch that comes to nothing rests longer each time, up to five minutes', () => {
  let now = 0;
  const rests = openRests({ monotonic: () => now }, 5000);
  const waited = () => {
    const from = now;
    while (rests.isResting(nov)) now += 1000;
    return (now - from) / 1000;
  };
  expect(waited()).toBe(0);
  const waits = Array.from({ length: 8 }, () => {
    rests.came(nov, 'service');
    return waited();
  });
  expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  rests.came(nov, 'done');
  expect(waited()).toBe(0);
  rests.came(nov, 'service');
  expect(waited()).toBe(10);
});

it.each([
  ['the same batch', nov, true],
  ['another batch', { ...nov, batch: 'oct' }, false],
  ['the batch with another turn', { ...nov, turn: 2 }, false],
  ['the batch with a row that became ready', { ...nov, sends: 1 }, false],
] as const)('after an attempt, %s rests: %o', (_, one, expected) => {
  const rests = openRests({ monotonic: () => 0 }, 5000);
  rests.came(nov, 'doubt');
  expect(rests.isResting(one)).toBe(expected);
});

it.each([
  ['done', false],
  ['unpaid', false],
  ['later', false],
  ['doubt', true],
  ['service', true],
  ['machine', true],
] as const)('after %s, a batch rests: %s', (end, expected) => {
  const rests = openRests({ monotonic: () => 0 }, 5000);
  rests.came(nov, end);
  expect(rests.isResting(nov)).toBe(expected);
});
