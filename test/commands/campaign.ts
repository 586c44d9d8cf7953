/** The long run: list after list of commands; one that fails is shrunk to the fewest commands that still fail. */
import fc from 'fast-check';
import type { Campaign, CampaignOrder } from '../kill/campaign.ts';
import { newTally, promises } from './property.ts';

const each = 25;
/** A list that fails is shrunk no longer than this: what is left then is short enough to be read. */
const shrinkMs = 5 * 60_000;

export async function commandCampaign({ seed, minutes }: CampaignOrder): Promise<Campaign> {
  const end = performance.now() + minutes * 60_000;
  const tally = newTally();
  let next = seed;
  let broken = 0;
  do {
    const left = end - performance.now();
    // Longer lists as well, of which the first of each seed are still short.
    const checked = await fc.check(promises(next % 2 === 0 ? 20 : 60, tally), {
      seed: next,
      numRuns: each,
      interruptAfterTimeLimit: Math.max(left, 0) + shrinkMs,
    });
    if (checked.failed) {
      broken += 1;
      process.stdout.write(`seed ${next}: ${fc.defaultReportMessage(checked)}\n${String(checked.errorInstance)}\n`);
    }
    next += 1;
  } while (performance.now() < end);
  const endings = [...tally.endings].sort(([, one], [, other]) => other - one);
  const counted = endings.map(([words, count]) => `${words} ${count}`).join(', ');
  process.stdout.write(`${counted}; ${tally.payments} payments\n`);
  const commands = endings.reduce((sum, [, count]) => sum + count, 0);
  const what = `${tally.lists} lists of commands on virtual time, with ${commands} commands`;
  return { lastSeed: next - 1, trials: tally.lists, what, found: { 'broken promises': broken } };
}
