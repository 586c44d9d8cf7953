/** A short one of the fleet's long runs (`npm run test:long -- fleet`). */
import { expect, it } from 'vitest';
import { fleetTrial } from './campaign.ts';

it('a fleet pays each row once, though its members, its leader and its database are killed', {
  tags: ['long'],
  timeout: 600_000,
}, async () => {
  const { story, ...told } = await fleetTrial({
    seed: 1,
    rows: 240,
    workers: 4,
    kills: { everyRows: 40, most: 4 },
    restarts: 1,
    latencyMs: 20,
    horizon: '12s',
    mostMs: 500_000,
  });
  const { paidTwice, notEnded, inDoubt, audit } = told;
  expect({ paidTwice, notEnded, inDoubt }, story.join('\n')).toEqual({ paidTwice: 0, notEnded: 0, inDoubt: 0 });
  expect(audit).toMatch(/^Whole:/m);
  // It was tried at all.
  expect(Math.min(told.kills, told.leaders, told.restarts, told.faults, told.doubts)).toBeGreaterThan(0);
});
