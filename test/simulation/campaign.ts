/** The long run: seed after seed until the time is over, and the whole story of each one that fails. */
import type { SheetRow } from './parameters.ts';
import { simulate, type Told } from './simulate.ts';

export interface CampaignOrder {
  readonly firstSeed: number;
  readonly minutes: number;
  readonly write?: (text: string) => void;
}

export interface Campaign {
  readonly seeds: number;
  readonly failed: readonly number[];
  readonly commands: number;
  readonly deaths: number;
}

export async function simulationCampaign({ firstSeed, minutes, write = print }: CampaignOrder): Promise<Campaign> {
  const started = performance.now();
  const failed: number[] = [];
  let commands = 0;
  let deaths = 0;
  let shown = started;
  let seed = firstSeed;
  for (; performance.now() - started < minutes * 60_000; seed += 1) {
    const told = await simulate(seed);
    commands += told.commands;
    deaths += told.deaths;
    if (told.failures.length > 0) {
      failed.push(seed);
      write(tellAll(told));
    }
    if (performance.now() - shown < 10_000) continue;
    shown = performance.now();
    const seeds = seed + 1 - firstSeed;
    write(`seeds ${firstSeed} to ${seed}: ${failed.length} failed; ${perSecond(seeds, started)} a second\n`);
  }
  const seeds = seed - firstSeed;
  const which = failed.length === 0 ? '' : ` (${failed.join(', ')})`;
  write(`${seeds} seeds from ${firstSeed}, ${failed.length} failed${which}; ${perSecond(seeds, started)} a second\n`);
  return { seeds, failed, commands, deaths };
}

/** Everything that a person needs who was not there. */
export function tellAll({ seed, parameters, trace, violations, failures }: Told): string {
  const { rows, faults, ...rest } = parameters;
  const often = Object.entries(faults).filter(([, rate]) => rate > 0);
  return [
    `\nSeed ${seed}: ${JSON.stringify(rest)}`,
    `Faults: ${often.map(([name, rate]) => `${name} ${Number(rate).toFixed(3)}`).join(', ') || 'none'}`,
    `Rows: ${rows.map(rowWords).join('; ')}`,
    ...trace,
    ...violations.map(
      ({ property, what }) =>
        `${failures.some((one) => one.what === what) ? 'FAILED' : 'not yet kept'} (${property}): ${what}`,
    ),
    `Replay: node test/simulation/replay.ts ${seed}\n`,
  ].join('\n');
}

const rowWords = ({ index, country, payee, amount, bad }: SheetRow) =>
  `R${index + 1} ${country} ${payee} ${amount}${bad ? ' bad' : ''}`;

const perSecond = (count: number, since: number) => (count / ((performance.now() - since) / 1000)).toFixed(1);

function print(text: string): void {
  process.stdout.write(text);
}
