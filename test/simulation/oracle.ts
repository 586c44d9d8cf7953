/** Judges what a command told, and what all of them came to, by what is really at the service. */

import { genesis, link } from '../../src/audit/chain.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { End } from '../../src/domain/sending/end.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Outcome } from '../../src/pipeline/outcome.ts';
import type { Desk, ResultLine } from './desk.ts';
import { survives } from './gaps.ts';
import { openMemoryStore } from './memory-store.ts';
import type { Property, Story, Violation } from './story.ts';
import type { Stored, World } from './world.ts';

/**
 * The promises that hold of the pipeline as it stands. One that is false is judged and counted all the same, and fails
 * no seed: it is switched on with the code that keeps it.
 */
export const promised: { readonly [P in Property]: boolean } = {
  'one payment each': true,
  'doubles are told': true,
  'paid means success': true,
  'none is hidden': true,
  'late success is seen': survives.revivals,
  'every row once': true,
  sums: true,
  'right end': true,
  'doubt is not failure': true,
  ends: true,
  trail: true,
  'no crash': true,
  'no hang': true,
};

export const broken = (violations: readonly Violation[]): Violation[] =>
  violations.filter(({ property }) => promised[property]);

/**
 * How many rows may be paid twice although the pipeline keeps its word: the declared limits, counted as the story meets
 * them (rows under way, at most the concurrency, when a ledger begins that cannot know of them; one row where it is
 * shown a list with holes).
 */
export interface Allowance {
  doubles: number;
}

const living = (world: World, row: number): Stored[] =>
  world.payments.filter((payment) => payment.row === row && payment.status !== 'expired');

const unsent: ReadonlySet<string> = new Set(['not sent', 'unpaid', 'skipped', 'invalid']);

/** What every single outcome has to keep, while everything may still go wrong. */
export function judgeOutcome(
  story: Story,
  world: World,
  desk: Desk,
  { outcome, lines }: { outcome: Outcome; lines: readonly ResultLine[] },
): void {
  const { parameters } = story;
  const who = `${desk.name}.${desk.commands}`;
  if (outcome.kind === 'refused' || outcome.batch === null) {
    story.blame('right end', `${who}: the sheet was refused: ${JSON.stringify([outcome.end, outcome.findings])}`);
    return;
  }
  judgeLines(story, who, lines);
  judgeSums(story, who, outcome, lines);
  const expected = endOf(outcome);
  if (outcome.end !== expected) story.blame('right end', `${who} ended with ${outcome.end}, not ${expected}`);
  if (lines.length !== parameters.rows.length)
    story.blame('every row once', `${who}: ${lines.length} lines for ${parameters.rows.length} rows`);
  // A ledger that never knew of a payment cannot be blamed for calling its row unsent, nor one at a service that breaks what it said
  // of its list, or of how late a request is carried out.
  if (desk.forgetful || parameters.breaks.lag || parameters.breaks.late) return;
  for (const { row, status } of lines) {
    if (row === null || !unsent.has(status) || world.lies.has(row)) continue;
    const alive = living(world, row).filter(({ revivedAt }) => revivedAt === null);
    const coming = world.underWay.get(row) ?? 0;
    if (alive.length + coming > 0)
      story.blame(
        'doubt is not failure',
        `${who} shows row ${row + 1} as ${status}: ${alive.map(({ id }) => id).join(', ')} there, ${coming} under way`,
      );
  }
}

function judgeLines(story: Story, who: string, lines: readonly ResultLine[]): void {
  const seen = new Map<number | null, number>();
  for (const { row } of lines) seen.set(row, (seen.get(row) ?? 0) + 1);
  for (const { index } of story.parameters.rows)
    if (seen.get(index) !== 1)
      story.blame('every row once', `${who}: row ${index + 1} stands ${seen.get(index) ?? 0} times`);
}

const wordOfCount: Readonly<Record<string, string>> = {
  not_sent: 'not sent',
  in_doubt: 'in doubt',
  paid_twice: 'paid twice',
};

function judgeSums(story: Story, who: string, { rows, totals }: Outcome, lines: readonly ResultLine[]): void {
  const { total, ...counts } = rows;
  for (const [count, n] of Object.entries(counts)) {
    const word = wordOfCount[count] ?? count;
    const shown = lines.filter(({ status }) => status === word).length;
    if (shown !== n) story.blame('sums', `${who}: ${n} ${word} in the outcome, ${shown} in the result`);
  }
  if (lines.length !== total)
    story.blame('sums', `${who}: ${total} rows in the outcome, ${lines.length} in the result`);
  const money = (words: readonly string[]) =>
    lines.filter(({ status }) => words.includes(status)).reduce((sum, { amount }) => sum + amount, 0);
  const told = (name: 'planned' | 'paid' | 'pending' | 'in_doubt' | 'paid_twice') =>
    totals.reduce((sum, line) => sum + line[name], 0);
  const pairs = [
    ['planned', story.parameters.rows.reduce((sum, { amount }) => sum + amount, 0)],
    ['paid', money(['paid', 'paid twice'])],
    ['pending', money(['pending'])],
    ['in_doubt', money(['in doubt'])],
    ['paid_twice', money(['paid twice'])],
  ] as const;
  for (const [name, sum] of pairs)
    if (told(name) !== sum) story.blame('sums', `${who}: ${name} ${told(name)}, and the rows come to ${sum}`);
}

/** Returns how the outcome must end. Where several ends apply, the worst one counts. */
export function endOf({ rows, stopped, documents, end, notes }: Outcome): End {
  if (
    rows.paid_twice > 0 ||
    notes.some(({ note }) => note === 'payee-paid-twice') ||
    stopped?.code === 'PAID_TWICE' ||
    stopped?.code === 'COPIES_PAID' ||
    stopped?.code === 'LEDGER_DAMAGED'
  )
    return 'alarm';
  if (rows.in_doubt + rows.held > 0) return 'doubt';
  // Which kind belongs to which stop is the pipeline's own table; that there is one is judged here.
  if (stopped !== undefined) return ['done', 'machine', 'usage', 'signal'].includes(end) ? 'service' : end;
  if (rows.pending + rows.not_sent > 0) return 'later';
  return rows.unpaid + rows.invalid + documents.open > 0 ? 'unpaid' : 'done';
}

/** When all faults are over, enough time has passed, and the commands were run again. */
export async function judgeEnd(
  story: Story,
  world: World,
  desks: readonly Desk[],
  { doubles: allowed }: Allowance,
): Promise<void> {
  const { rows, breaks } = story.parameters;
  const statuses = (row: number) =>
    desks.flatMap(({ last }) => last?.lines.filter((line) => line.row === row).map(({ status }) => status) ?? []);
  const doubles: string[] = [];
  for (const { index } of rows) {
    const alive = living(world, index);
    if (alive.length < 2) continue;
    const ids = alive.map(({ id, reference, madeBy }) => `${id} (${reference}, by ${madeBy})`).join(', ');
    // Two of which one had expired when the other was made are nobody's fault, and must be told.
    if (!alive.some(({ revivedAt }) => revivedAt !== null))
      doubles.push(`row ${index + 1} has ${alive.length} living payments: ${ids}`);
    // Nobody looks at the earlier payment of a row that is paid.
    if (!survives.earlierRevisions && alive.some(({ revivedAt }) => revivedAt !== null)) continue;
    if (!statuses(index).some((status) => status === 'paid twice' || status === 'in doubt'))
      story.blame('doubles are told', `row ${index + 1} has ${ids}, and is shown as ${statuses(index).join(', ')}`);
  }
  if (doubles.length > allowed && !breaks.late && !breaks.lag)
    for (const double of doubles) story.blame('one payment each', double);
  for (const desk of desks) {
    if (desk.last === null && !desk.ended) story.blame('ends', `${desk.name} never came to an outcome`);
    for (const line of desk.last?.lines ?? []) judgeEndOf(story, world, desks, desk, line);
    await judgeTrail(story, desk);
  }
}

function judgeEndOf(story: Story, world: World, desks: readonly Desk[], desk: Desk, line: ResultLine): void {
  const { parameters } = story;
  const { row, status, paymentId } = line;
  if (row === null) return;
  const where = `${desk.name} shows row ${row + 1} as ${status}`;
  const alive = living(world, row);
  const paid = alive.filter((payment) => payment.status === 'success');
  if (status === 'paid' && (paid.length !== 1 || paid[0]?.id !== paymentId) && alive.length < 2)
    story.blame('paid means success', `${where} (${paymentId}); successes: ${paid.map(({ id }) => id).join(', ')}`);
  if (status === 'paid twice' && alive.length < 2 && !world.misnamed.has(row) && survives.revivals)
    story.blame('paid means success', `${where}, and ${alive.length} of its payments live`);
  if (unsent.has(status) && alive.length > 0) {
    const property = alive.every(({ revivedAt }) => revivedAt !== null) ? 'late success is seen' : 'none is hidden';
    if (!survives.lies && world.lies.has(row)) return;
    if (!survives.revivals && desk.forgetful) return;
    // Another person retried or corrected the row, and paid it: this ledger was not told of it.
    if (!alive.every(({ madeBy }) => !madeBy.startsWith(desk.name)) || desks.length === 1)
      story.blame(property, `${where}, and ${alive.map(({ id }) => id).join(', ')} lives`);
  }
  // Held, said to be unpaid, let go, and held again by the next pass.
  if (!survives.expiredContent && parameters.corrects && line.reason.startsWith('A person said')) return;
  // A clock that was ahead makes every wait longer by as much; how long is told.
  if (parameters.clockJump > 0 && !['paid', 'unpaid'].includes(status)) return;
  const open = status === 'pending' || status === 'in doubt';
  const still = status === 'held' || status === 'not sent';
  if (open || (still && !mayStandStill(story, world, row))) story.blame('ends', `${where}: ${line.reason}`);
}

/** What only a person's verdict ends, who knows more than this one: a lie of the service, a look-alike. */
function mayStandStill({ parameters }: Story, world: World, row: number): boolean {
  if (!survives.correctedHeld && parameters.corrects) return true;
  return world.lies.has(row) || world.misnamed.has(row) || parameters.lookalikes > 0;
}

async function judgeTrail(story: Story, desk: Desk): Promise<void> {
  const ledger = openLedger(desk.ledger, systemClock, { store: openMemoryStore });
  let hash = genesis;
  for (const entry of ledger.trail.eachTrail()) {
    hash = link(hash, entry.text);
    if (hash !== entry.hash) {
      story.blame('trail', `${desk.name}: entry ${entry.seq} does not follow from the one before`);
      break;
    }
  }
  await ledger.close();
}
