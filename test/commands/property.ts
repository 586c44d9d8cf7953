/** One list of commands, given to a desk; then the troubles end, and everything has to come to its end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ActionKind, ActionNamed } from '../../src/domain/next-action.ts';
import { wordOf } from '../../src/ledger/ledger.ts';
// Loaded before the first story: what is loaded in the middle of one takes real time.
import '../../src/sheet/csv/csv.ts';
import '../../src/sheet/write/result-csv.ts';
import { reuseLargeBuffers } from '../simulation/buffers.ts';
import type { Command, Ending } from '../simulation/desk.ts';
import { timesCorrected } from '../simulation/sheet.ts';
import type { Tamper } from '../simulation/story.ts';
import { temporary } from '../temporary.ts';
import { commandLists, give, settleMoods } from './commands.ts';
import { judgeEnd, livingOf, storedRows } from './judge.ts';
import { begin, indexOf, type Model, type Real, saveSheet } from './model.ts';
import { deadlineMs, horizonMs, setup } from './setup.ts';

reuseLargeBuffers();

const minuteMs = 60_000;

export interface Tally {
  lists: number;
  payments: number;
  /** How often each command ended how: `run told`, `retry refused`. */
  readonly endings: Map<string, number>;
}

export const newTally = (): Tally => ({ lists: 0, payments: 0, endings: new Map() });

export function promises(maxCommands: number, tally = newTally(), tamper: Tamper | null = null) {
  return fc.asyncProperty(setup, commandLists(maxCommands), async (drawn, commands) => {
    const folder = mkdtempSync(join(temporary, 'payrun-commands-'));
    try {
      const world = begin(drawn, folder, tamper);
      await fc.asyncModelRun(() => world, commands);
      await drain(world.model, world.real);
      tally.lists += 1;
      tally.payments += world.real.world.payments.length;
      for (const end of world.real.done) tally.endings.set(end, (tally.endings.get(end) ?? 0) + 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

const rounds = 14;

/** A person who does what is printed, with the sheet as it was sent, until nothing is left to do. */
async function drain(model: Model, real: Real): Promise<void> {
  const { story, world } = real;
  const { timeline } = story;
  story.calm = true;
  settleMoods(real);
  story.tell('story', 'the troubles are over');
  await timeline.pass(2 * horizonMs + deadlineMs + 8 * 60 * minuteMs);
  if (model.rows.every(({ inSheet }) => !inSheet)) for (const row of model.rows) row.inSheet = true;
  for (let round = 0; round < rounds; round += 1) {
    asItWasSent(model, real);
    const last = real.desk.last?.outcome ?? null;
    const printed = round === 0 || last === null ? [] : last.next.flatMap(commandsFor);
    const held = [...(model.told ?? [])].filter(([, status]) => status === 'held' || status === 'in doubt');
    const key = held[round % Math.max(1, held.length)]?.[0];
    const verdict = printed.length === 0 && round > 2 && key !== undefined ? verdictOn(key, real) : null;
    const command = printed[round % Math.max(1, printed.length)] ?? verdict ?? { kind: 'run', add: true };
    const ending = await give(model, real, command);
    if (isOver(ending) && world.settled()) break;
    await timeline.pass(waitAsTold(ending, real) + minuteMs + (world.settled() ? 0 : 7 * 60 * minuteMs));
  }
  judgeEnd(model, real);
}

/** What a person says of a row that stands still, who looks into the service's own console. */
function verdictOn(key: string, { world }: Real): Command {
  const living = livingOf(world, indexOf(key)).at(-1);
  return living === undefined ? { kind: 'not-paid', key } : { kind: 'paid', key, paymentId: living.id };
}

/** A person pays a row that only looks paid, because each row of these lists is owed, and knows of every alarm. */
function commandsFor(step: ActionNamed): readonly Command[] {
  if (step.action === 'allow-repeat') return [{ kind: 'not-a-repeat', key: step.row }];
  if (step.action === 'resolve-known') return [{ kind: 'known', key: step.row }];
  return [commandFor[step.action] ?? []].flat();
}

const commandFor: { readonly [K in ActionKind]?: Command } = {
  reconcile: { kind: 'reconcile' },
  'release-absent': { kind: 'release' },
  resume: { kind: 'resume' },
};

function waitAsTold(ending: Ending, { desk, story }: Real): number {
  if (ending.kind !== 'told') return 0;
  const wall = Date.UTC(2026, 10, 2, 8) + story.timeline.now() + desk.machine.wallOffsetMs;
  return Math.max(0, ...ending.outcome.next.flatMap(({ notBefore }) => (notBefore === null ? [] : [notBefore - wall])));
}

function isOver(ending: Ending): boolean {
  if (ending.kind !== 'told') return false;
  const { rows, left_out, end } = ending.outcome;
  return (
    ['done', 'unpaid', 'alarm'].includes(end) &&
    rows.pending + rows.in_doubt + rows.not_sent - left_out + rows.held === 0
  );
}

/** Puts back the content that the ledger, or else the service, has of each row, because `--add` changes no row. */
function asItWasSent(model: Model, real: Real): void {
  const known = storedRows(real.desk).filter(({ state }) => !['not sent', 'unpaid'].includes(wordOf[state]));
  for (const [index, row] of model.rows.entries()) {
    const living = livingOf(real.world, index).at(-1);
    const stored = known.find(({ key }) => indexOf(key) === index);
    const reference = stored?.reference ?? living?.reference;
    if (reference !== undefined) row.corrections = timesCorrected(reference);
  }
  saveSheet(model, real);
}
