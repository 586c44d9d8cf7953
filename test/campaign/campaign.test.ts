/** Generated lists of commands on the product, judged by the reference model and by the oracle. */
import { describe, expect, it } from 'vitest';
import { orderOf } from './campaign.ts';
import { controls, readLists, tellWithout } from './controls.ts';
import { listWords, shrink, tell } from './lists.ts';

/** A small and fixed share: `npm run test:long -- lists` gives many more. */
const lists = { first: 1, last: 54, each: 18 };

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
    // A list without a report of problems: a workbook is packed in real time.
    const order = { seed: 8, commands: 6, drains: true };
    expect((await tell(order)).trace).toEqual((await tell(order)).trace);
  });
});

describe('without one of its rules', () => {
  const commandsOf = readLists();
  it.each(controls)('the product fails: $rule', async (control) => {
    const commands = commandsOf[control.rule] ?? [];
    const isControl = (await tell({ seed: 1, commands })).broken.length === 0;
    const isFound = (await tellWithout(control, { seed: 1, commands })).broken.length > 0;
    if (!isControl || !isFound) expect.fail('write the list again: node test/campaign/find-controls.ts');
  });
});
