/** The long run: list after list; one that fails is shrunk to the fewest commands that still fail. */
import type { Campaign, CampaignOrder } from '../kill/campaign.ts';
import { type Counters, listWords, shrink, tell } from './lists.ts';
import { refusals } from './reference.ts';
import { scenarios } from './scenarios.ts';
import { duplicatesTable, versionTable } from './tables.ts';

/** Every second list begins with a scenario, because few drawn lists reach the rows that its rule is about. */
export const orderOf = (seed: number) => ({
  seed,
  commands: 6 + (seed % 3) * 4,
  drains: seed % 3 === 0,
  begins: seed % 2 === 0 ? [] : scenarios[(seed >> 1) % scenarios.length]!.commands,
});

export async function listCampaign({ seed, minutes }: CampaignOrder): Promise<Campaign> {
  const end = performance.now() + minutes * 60_000;
  const counters: Counters = new Map();
  let next = seed;
  let broken = 0;
  let payments = 0;
  do {
    const order = { ...orderOf(next), counters };
    const told = await tell(order);
    payments += told.payments;
    if (told.broken.length > 0) {
      broken += 1;
      process.stdout.write(`seed ${next}:\n${listWords(await shrink(order, told))}\n`);
    }
    next += 1;
  } while (performance.now() < end);
  process.stdout.write(countersText(counters));
  const commands = Array.from({ length: next - seed }, (_, index) => orderOf(seed + index).commands).reduce(
    (a, b) => a + b,
    0,
  );
  const what = `${next - seed} generated lists against the reference model, with ${commands} commands and ${payments} payments`;
  return { lastSeed: next - 1, trials: next - seed, what, found: { 'failing lists': broken } };
}

const least = 50;

/** The cells of both tables, and the refusals of the reference. A run should hit each of them. */
const cells: readonly string[] = [
  ...Object.entries(versionTable).flatMap(([standing, columns]) =>
    Object.entries(columns).map(([column, effect]) => `version: ${standing}, ${column}: ${effect}`),
  ),
  ...duplicatesTable.map(({ name, decision }) => `duplicate: ${name}: ${decision}`),
  ...refusals.map((code) => `refused: ${code}`),
].filter((cell) => !cell.endsWith(': refused'));

/** How often each cell, refusal and seam was hit, the rarest first. Marks each that was hit too rarely. */
export function countersText(counters: Counters): string {
  const all = new Map([...cells.map((cell) => [cell, 0] as const), ...counters]);
  const lines = [...all].sort(([a, one], [b, other]) => one - other || a.localeCompare(b));
  return lines.map(([what, count]) => `${count < least ? 'RARE ' : '     '}${count} ${what}\n`).join('');
}
