/**
 * T3: commands as persons and accidents give them, in any order, against the real pipeline and ledger; fast-check draws
 * the lists and shrinks one that breaks a promise. A failure names its seed and path:
 * `fc.assert(promises(20), { seed, path, endOnFailure: true })` begins with that list again.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newTally, promises } from './property.ts';

/** A small and fixed share: the long campaign gives many more. */
const lists = 25;

it('no row has two payments, none is lost, and result = ledger = model, whatever the commands', async () => {
  const tally = newTally();
  await fc.assert(promises(20, tally), { seed: 20261121, numRuns: lists });
  expect(tally.lists).toBe(lists);
  expect(tally.payments).toBeGreaterThan(lists);
  for (const ending of ['run told', 'run died', 'run refused', 'retry told', 'resume told'])
    expect(tally.endings.get(ending) ?? 0, ending).toBeGreaterThan(0);
});

describe('without one of its protections', () => {
  it.each([
    ['intent-after-send', 'none is hidden', 24, 20],
    ['pass-sees-nothing', 'one payment each', 15, 40],
  ] as const)('%s breaks a promise, in few commands: %s', async (tamper, property, seed, length) => {
    const tally = newTally();
    const checked = await fc.check(promises(length, tally, tamper), { seed, numRuns: 500 });
    expect(checked.failed).toBe(true);
    expect(String(checked.errorInstance)).toContain(`(${property})`);
    const list = fc.stringify(checked.counterexample);
    expect(checked.numShrinks).toBeGreaterThan(0);
    expect(list.split(/,(?=run|resume|retry|reconcile|release|resolve)/).length, list).toBeLessThan(6);
  });
});
