/** The long campaign: sheets made and damaged from their seeds, as many as time allows. */
import type { Campaign, CampaignOrder } from '../kill/campaign.ts';
import { watch } from './watch.ts';

export async function fuzzCampaign({ seed, minutes }: CampaignOrder): Promise<Campaign> {
  const { lastSeed, trials, refused, findings } = await watch({
    seed,
    trials: Number.POSITIVE_INFINITY,
    milliseconds: minutes * 60_000,
    onFinding: ({ seed: its, what, words }) => process.stdout.write(`seed ${its}: ${what}: ${words}\n`),
  });
  const count = (what: string) => findings.filter((one) => one.what === what).length;
  return {
    lastSeed,
    trials,
    what: `${trials} made or damaged sheets, of which ${refused} were refused`,
    found: { faults: count('fault'), deaths: count('death'), hangs: count('hang'), 'over 256 MB': count('memory') },
  };
}
