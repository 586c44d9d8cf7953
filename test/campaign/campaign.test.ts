/** Generated lists of commands on the product, judged by the reference model and by the oracle. */
import { describe, expect, it } from 'vitest';
import { orderOf } from './campaign.ts';
import { controls } from './controls.ts';
import { listWords, shrink, tell } from './lists.ts';
import { scenarios } from './scenarios.ts';

/** A small and fixed share: `npm run test:long -- lists` gives many more. */
const lists = { first: 1, last: 60, each: 20 };

describe('generated lists', () => {
  for (let first = lists.first; first <= lists.last; first += lists.each)
    it(`keep every promise, and agree with the reference: ${first} to ${first + lists.each - 1}`, async () => {
      for (let seed = first; seed < first + lists.each; seed += 1) {
        const order = orderOf(seed);
        const told = await tell(order);
        if (told.broken.length > 0) expect.fail(`seed ${seed}:\n${listWords(await shrink(order, told))}`);
      }
    });

  it('are the same each time', async () => {
    const order = { seed: 3, commands: 6, drains: true };
    expect((await tell(order)).trace).toEqual((await tell(order)).trace);
  });
});

const listOf = (fails: number | string) => {
  if (typeof fails === 'number') return { seed: fails, commands: 12 };
  return { seed: 1, commands: scenarios.find(({ name }) => name === fails)!.commands };
};

describe('without one of its rules', () => {
  it.each(controls)('the product fails: $rule', async ({ rule, fails, mutant, without }) => {
    const putBack = without?.();
    try {
      if ((await tell({ ...listOf(fails), mutant })).broken.length > 0) return;
      // The generator changed: search the seed to write down instead.
      for (let seed = 1; seed <= 100; seed += 1)
        if ((await tell({ ...listOf(seed), mutant })).broken.length > 0)
          expect.fail(`${rule}: the seed is now ${seed}`);
      expect.fail(`${rule}: no list of 100 fails without it`);
    } finally {
      putBack?.();
    }
  });
});
