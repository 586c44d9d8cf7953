/** The long run: list after list; one that fails is shrunk to the fewest commands that still fail. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Campaign, CampaignOrder } from '../kill/campaign.ts';
import type { Command } from './commands.ts';
import { beyondReference } from './judge.ts';
import type { Counters } from './lists.ts';
import { refusals } from './refuse.ts';
import { scenarios } from './scenarios.ts';
import { duplicatesTable, versionTable } from './tables.ts';

const beginnings = [...scenarios, ...scenarios.filter(({ isRare }) => isRare)].filter(({ isWhole }) => !isWhole);

/** Lists under a policy are longer, because each of their versions needs approvals. A list has its whole scenario. */
function beginOf(seed: number): { readonly begins: readonly Command[]; readonly commands: number } {
  if (seed % 10 === 4) return { begins: [{ do: 'policy', needed: seed % 20 === 4 ? 1 : 2 }], commands: 18 };
  const begins = seed % 2 === 0 ? [] : beginnings[(seed >> 1) % beginnings.length]!.commands;
  return { begins, commands: Math.max(6 + (seed % 3) * 4, begins.length + 2) };
}

/** Every second list begins with a scenario, because few drawn lists reach the rows that its rule is about. */
export const orderOf = (seed: number) => ({ seed, drains: seed % 3 === 0, ...beginOf(seed) });

export interface ShardOrder {
  readonly seed: number;
  readonly step: number;
  readonly minutes: number;
}

export interface Shard extends Readonly<Record<'next' | 'trials' | 'broken' | 'payments' | 'commands', number>> {
  readonly counters: readonly (readonly [string, number])[];
}

/** A process for each core, because a list waits for nothing but the processor. */
const processes = 2;

async function runShard(order: ShardOrder): Promise<Shard> {
  const child = fork(join(import.meta.dirname, 'shard.ts'));
  child.send(order);
  const [shard] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('a process of the long run ended'))),
  ])) as [Shard];
  return shard;
}

export async function listCampaign({ seed, minutes }: CampaignOrder): Promise<Campaign> {
  const orders = Array.from({ length: processes }, (_, index) => ({ seed: seed + index, step: processes, minutes }));
  const shards = await Promise.all(orders.map(runShard));
  const sum = (of: (shard: Shard) => number) => shards.reduce((total, shard) => total + of(shard), 0);
  const counters: Counters = new Map();
  for (const [what, count] of shards.flatMap((shard) => shard.counters))
    counters.set(what, (counters.get(what) ?? 0) + count);
  const trials = sum((shard) => shard.trials);
  process.stdout.write(countersText(counters, trials));
  const what = `${trials} lists, with ${sum(({ commands }) => commands)} commands and ${sum(({ payments }) => payments)} payments`;
  const lastSeed = Math.max(...shards.map(({ next }) => next)) - 1;
  return { lastSeed, trials, what, found: { 'failing lists': sum(({ broken }) => broken) } };
}

/** So many lists should hit each cell so often. A shorter run hits it in proportion. */
const least = { hits: 50, lists: 20_000 };

/** The stops of a run that opened its version. */
const stops = [
  'BATCH_PAID',
  'BATCH_PAID_IN_PART',
  'COPIES_PAID',
  'PAID_ELSEWHERE',
  'PAID_TWICE',
  'PAUSED',
  'PAYEES_REFUSED',
  'PROPOSAL_WAITS',
  'STOPPED_BEFORE',
];

/** The cells of both tables, the refusals of the reference, and the stops. A run should hit each of them. */
const cells: readonly string[] = [
  ...Object.entries(versionTable).flatMap(([standing, columns]) =>
    Object.entries(columns).map(([column, effect]) => `version: ${standing}, ${column}: ${effect}`),
  ),
  ...duplicatesTable.map(({ name, decision }) => `duplicate: ${name}: ${decision}`),
  ...[...refusals, ...beyondReference].map((code) => `refused: ${code}`),
  ...stops.map((code) => `stopped: ${code}`),
].filter((cell) => !cell.endsWith(': refused'));

/** How often each cell, refusal and seam was hit, the rarest first. Marks each that was hit too rarely. */
function countersText(counters: Counters, trials: number): string {
  const isRare = (count: number) => count * least.lists < least.hits * trials;
  const all = new Map([...cells.map((cell) => [cell, 0] as const), ...counters]);
  const lines = [...all].sort(([a, one], [b, other]) => one - other || a.localeCompare(b));
  return lines.map(([what, count]) => `${isRare(count) ? 'RARE ' : '     '}${count} ${what}\n`).join('');
}
