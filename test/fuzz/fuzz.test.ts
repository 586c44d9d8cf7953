/**
 * Sheets made from seeds in odd and legal forms, and sheets with damaged bytes: nothing may end the reader, hold it up, cost it
 * much, or have it lose a row in silence. A finding is told with its seed: `node test/long.ts fuzz --seed S --minutes 1`
 * begins with that trial again.
 */
import { expect, test } from 'vitest';
import { kindNames } from './trial.ts';
import { watch } from './watch.ts';

/** A small and fixed share: the long campaign makes many more. */
const count = 60;

test(`${count} sheets, from seed 1`, async () => {
  const { trials, kinds, findings, lastSeed } = await watch({ seed: 1, trials: count });
  expect([findings, trials], `seeds 1 to ${lastSeed}`).toEqual([[], count]);
  expect([...kinds.keys()].sort()).toEqual([...kindNames].sort());
});

test('a trial that dies, hangs or takes too much is seen, and the others go on', { tags: ['long'] }, async () => {
  const { findings, kinds } = await watch({ seed: -3, trials: 4, children: 3, deadline: 2000 });
  const inOrder = findings.toSorted((one, other) => one.seed - other.seed);
  expect(inOrder.map(({ seed, what }) => [seed, what])).toEqual([
    [-3, 'memory'],
    [-2, 'hang'],
    [-1, 'death'],
  ]);
  expect([...kinds.values()].reduce((sum, count) => sum + count)).toBe(2);
});
