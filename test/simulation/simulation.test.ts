/** The pipeline as it is, in 12 stories on virtual time; and without its protections, which must be missed. */
import { describe, expect, it } from 'vitest';
import { tellAll } from './campaign.ts';
import { controls } from './controls.ts';
import { simulate } from './simulate.ts';

/** A small and fixed share: `npm run test:long -- simulation` goes on from where its last campaign ended. */
const seeds = { first: 1, last: 12, each: 12 };

describe('a batch under everything that goes wrong', () => {
  for (let first = seeds.first; first <= seeds.last; first += seeds.each)
    it(`keeps its promises in stories ${first} to ${first + seeds.each - 1}`, { timeout: 240_000 }, async () => {
      for (let seed = first; seed < first + seeds.each; seed += 1) {
        const told = await simulate(seed);
        if (told.failures.length > 0) expect.fail(tellAll(told));
      }
    });

  it('is told in the same lines each time', async () => {
    expect((await simulate(7)).trace).toEqual((await simulate(7)).trace);
  });
});

describe('without one of its protections', () => {
  it.each(controls)('$tamper pays a row twice', async ({ tamper, within, reshape }) => {
    for (let seed = 1; seed <= within; seed += 1) if ((await simulate(seed, { tamper, reshape })).doubles > 0) return;
    expect.fail(`no double within ${within} seeds`);
  });
});
