/**
 * `node test/long.ts [NAME …] --minutes N [--seed S] [--rows R]`: the long campaigns, all of them or those named, N minutes each.
 * Every campaign adds one line to docs/explanation/evidence.md; its seeds begin where the last line of the same campaign ended, so
 * that no trial counts twice. `stories` runs once each file with tests of the tag `long`, which `npm test` leaves out.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCampaign } from './campaign/campaign.ts';
import { fuzzCampaign } from './fuzz/campaign.ts';
import { type Campaign, type CampaignOrder, faultCampaign, killCampaign, truncationCampaign } from './kill/campaign.ts';
import { matrixCampaign } from './protocol/campaign.ts';
import { simulationCampaign } from './simulation/campaign.ts';
import { fleetCampaign } from './workers/campaign.ts';

/** Add a campaign here, and `npm run test:long` runs it. */
const campaigns: Readonly<Record<string, (order: CampaignOrder) => Promise<Campaign>>> = {
  kills: killCampaign,
  faults: faultCampaign,
  simulation: simulated,
  matrix: matrixCampaign,
  truncations: truncationCampaign,
  lists: listCampaign,
  fuzz: fuzzCampaign,
  fleet: fleetCampaign,
};

async function simulated({ seed, minutes }: CampaignOrder): Promise<Campaign> {
  const { seeds, failed, commands, deaths } = await simulationCampaign({ firstSeed: seed, minutes });
  const what = `${seeds} batches on virtual time, with ${commands} commands and ${deaths} process deaths`;
  return { lastSeed: seed + seeds - 1, trials: seeds, what, found: { 'broken promises': failed.length } };
}

const root = join(import.meta.dirname, '..');
const evidence = join(root, 'docs/explanation/evidence.md');
const heading = `# Evidence

For auditors and developers: the long tests of Payrun, and what they prove. \`npm run test:long\` runs a campaign, which is
a series of random trials. Each trial has a seed, and no seed is used twice.

If N independent trials have no failure, the failure rate is at most 3/N, with 95 % confidence.

## Campaigns

| Date | Campaign | Seeds | Trials | Result | Failure rate |
|---|---|---|---|---|---|
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' }, rows: { type: 'string' } },
});
const minutes = Number(flags.minutes);
const all = ['stories', ...Object.keys(campaigns)];
const names = positionals.length > 0 ? positionals : all;
if (!names.every((name) => all.includes(name)) || !(minutes > 0)) {
  process.stderr.write(`node test/long.ts [${all.join(' ')}] --minutes N [--seed S] [--rows R]\n`);
  process.exit(2);
}

for (const name of names) {
  if (name === 'stories') {
    // Whole files: a story may go on from the one before it.
    const vitest = (words: readonly string[], stdio: 'inherit' | ['ignore', 'pipe', 'inherit']) =>
      spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], { cwd: root, stdio, encoding: 'utf8' });
    const listed = vitest(
      ['list', '--tags-filter', 'long', '--no-static-parse', '--json'],
      ['ignore', 'pipe', 'inherit'],
    );
    const files = new Set((JSON.parse(listed.stdout) as { file: string }[]).map(({ file }) => file));
    const { status } = vitest(['run', ...files], 'inherit');
    if (status !== 0) process.exitCode = 1;
    continue;
  }
  const seed = flags.seed === undefined ? nextSeed(name) : Number(flags.seed);
  process.stdout.write(`${name}: seeds from ${seed}, ${minutes} minutes\n`);
  const { lastSeed, trials, what, found } = await campaigns[name]!({
    seed,
    minutes,
    ...(flags.rows === undefined ? {} : { rows: Number(flags.rows) }),
  });
  const findings = Object.entries(found).filter(([, count]) => count > 0);
  const words = findings.length === 0 ? 'no failure' : findings.map(([kind, count]) => `${count} ${kind}`).join(', ');
  const counts = Object.entries(found).map(([kind, count]) => `${count} ${kind}`);
  process.stdout.write(`${name}: seeds ${seed} to ${lastSeed}: ${what}; found ${counts.join(', ')}\n`);
  const percent = Number((300 / trials).toPrecision(2));
  const bound = findings.length > 0 || trials <= 3 ? 'no bound' : `failure rate at most ${percent} %`;
  const when = new Date().toISOString().slice(0, 10);
  if (!existsSync(evidence)) writeFileSync(evidence, heading);
  appendFileSync(evidence, `| ${when} | ${name} | ${seed}-${lastSeed} | ${what} | ${words} | ${bound} |\n`);
  if (findings.length > 0) process.exitCode = 1;
}

function nextSeed(name: string): number {
  const text = existsSync(evidence) ? readFileSync(evidence, 'utf8') : '';
  const ends = text.matchAll(new RegExp(`^\\| [^|]+ \\| ${name} \\| \\d+-(\\d+) \\|`, 'gm'));
  return Math.max(0, ...Array.from(ends, ([, last]) => Number(last))) + 1;
}
