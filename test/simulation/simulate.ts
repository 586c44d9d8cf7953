/** One seed, one story: a batch is paid while much goes wrong, the faults end, and the oracle judges what is left. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
// Loaded before the first story: what is loaded in the middle of one takes real time.
import '../../src/sheet/csv/csv.ts';
import '../../src/sheet/write/result-csv.ts';
import { temporary } from '../temporary.ts';
import type { Chance } from './chance.ts';
import {
  type Command,
  copySheet,
  type Desk,
  type Ending,
  execute,
  loseLedger,
  newDesk,
  restoreLedger,
} from './desk.ts';
import { copyKept, forgetLedgers } from './memory-store.ts';
import { type Allowance, broken, judgeEnd, judgeOutcome } from './oracle.ts';
import { type Parameters, parametersOf } from './parameters.ts';
import { mendSheet, nextCommand, pauseMs } from './person.ts';
import type { Fate } from './process.ts';
import { withQuickFiles } from './quick-files.ts';
import { newStory, type Story, type Tamper, type Violation } from './story.ts';
import { openWorld, type World } from './world.ts';

export interface Told {
  readonly seed: number;
  readonly parameters: Parameters;
  readonly trace: readonly string[];
  readonly violations: readonly Violation[];
  /** Those of promises that the pipeline makes today. */
  readonly failures: readonly Violation[];
  readonly commands: number;
  readonly deaths: number;
  readonly doubles: number;
}

export interface Telling {
  readonly tamper?: Tamper;
  readonly reshape?: (parameters: Parameters) => Parameters;
}

export const simulate = async (seed: number, telling: Telling = {}): Promise<Told> =>
  await withQuickFiles(async () => await simulateQuickly(seed, telling));

async function simulateQuickly(seed: number, { tamper, reshape = (same) => same }: Telling): Promise<Told> {
  const story = newStory(reshape(parametersOf(seed)), tamper ?? null);
  const folder = mkdtempSync(join(temporary, 'payrun-sim-'));
  try {
    const world = openWorld(story);
    const desks = [newDesk(story, folder, 'ann')];
    const allowance: Allowance = { doubles: 0 };
    let deaths = 0;
    const act = async (desk: Desk, command: Command, fate: Fate): Promise<Ending> => {
      const badPasses = world.badPasses;
      const unlisted = world.unlisted();
      const underWay = [...world.underWay.values()].some((count) => count > 0);
      const ending = await execute(story, world, desk, { command, fate });
      // What a ledger without memory could not know: one row at most where the list has holes, else those under way.
      if (desk.forgetful && story.tamper === null) {
        if (underWay) allowance.doubles += story.parameters.concurrency;
        if (unlisted > 0 || world.badPasses > badPasses) allowance.doubles += 1;
        // Without a pass before sending the first row goes unseen; the pass that follows it is the canary's.
        if (story.parameters.doubt.presend === 'suspect') allowance.doubles += 1;
      }
      if (ending.kind === 'died') deaths += 1;
      if (ending.kind === 'told') judgeOutcome(story, world, desk, ending);
      return ending;
    };
    await troubles(story, desks, folder, act);
    await drain(story, world, desks, act);
    await judgeEnd(story, world, desks, allowance);
    const { parameters, trace, violations } = story;
    return {
      seed,
      parameters,
      trace,
      violations,
      failures: broken(violations),
      commands: desks.reduce((sum, desk) => sum + desk.commands, 0),
      deaths,
      doubles: violations.filter(({ property }) => property === 'one payment each').length,
    };
  } finally {
    forgetLedgers(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Act = (desk: Desk, command: Command, fate: Fate) => Promise<Ending>;

/** While faults happen: commands one after the other, and between them what can befall a ledger. */
async function troubles(story: Story, desks: Desk[], folder: string, act: Act): Promise<void> {
  const { parameters, timeline, tell } = story;
  const chance = story.chance('troubles');
  for (let n = 0; n < parameters.commands; n += 1) {
    const desk = chance.pick(desks);
    const ending = await act(desk, nextCommand(story, desk, chance), fateOf(story, desk, chance));
    const wait = pauseMs(story, desk, ending, chance);
    mendSheet(story, desk, ending, chance);
    await timeline.pass(wait);
    if (ending.kind === 'died' && chance.happens(0.2)) {
      tell(desk.name, 'the machine starts anew');
      desk.machine.boot = `${desk.name}-boot-${desk.commands + 1}`;
      desk.machine.bootedAt = timeline.now();
    }
    if (chance.happens(parameters.ledgerLost)) {
      const withWitness = chance.happens(0.3);
      tell(desk.name, `the ledger is lost${withWitness ? ', and its witness' : ''}`);
      loseLedger(desk, withWitness);
    } else if (desk.backup !== null && chance.happens(parameters.ledgerRestored)) {
      tell(desk.name, 'an older copy of the ledger is restored');
      restoreLedger(desk, desk.backup);
    } else if (desks.length === 1 && chance.happens(parameters.secondLedger)) {
      tell('ben', 'has the same sheet, and a ledger of his own');
      const second = newDesk(story, folder, 'ben');
      copySheet(desk, second);
      second.forgetful = true;
      desk.forgetful = true;
      desks.push(second);
    }
  }
}

function fateOf(story: Story, desk: Desk, chance: Chance): Fate {
  const { parameters, tell } = story;
  const steps = Math.ceil(chance.spread(1, 30 + 25 * parameters.rows.length));
  const at = (probability: number) =>
    chance.happens(probability) ? 1 + chance.below(steps) : Number.POSITIVE_INFINITY;
  const crashWhilePaying = chance.happens(0.5);
  const payingSteps = 1 + chance.below(6 * parameters.rows.length);
  const crashAt = at(parameters.crash);
  return {
    crashAt: Number.isFinite(crashAt) && crashWhilePaying ? payingSteps : crashAt,
    crashWhilePaying,
    stopAt: at(parameters.stop),
    jumpAt: at(parameters.clockJump),
    jumpMs: chance.pick([-1, 1]) * chance.spread(1000, 40 * 60 * 60 * 1000),
    suspend: parameters.suspend,
    backupAt: at(parameters.ledgerRestored),
    backup() {
      desk.backup = copyKept(desk.ledger);
      if (desk.backup !== null) tell(desk.name, 'the ledger is copied');
    },
  };
}

const lucky: Fate = {
  crashAt: Number.POSITIVE_INFINITY,
  crashWhilePaying: false,
  stopAt: Number.POSITIVE_INFINITY,
  jumpAt: Number.POSITIVE_INFINITY,
  jumpMs: 0,
  suspend: 0,
  backupAt: Number.POSITIVE_INFINITY,
  backup: () => {},
};

const hourMs = 60 * 60 * 1000;
/** By then every payment has ended, also one that had expired and succeeded after all. */
const settledByMs = 20 * hourMs;
const maxRounds = 16;

/** Faults have stopped: enough time passes, and the same commands are run until nothing changes any more. */
async function drain(story: Story, world: World, desks: readonly Desk[], act: Act): Promise<void> {
  const { parameters, timeline, tell } = story;
  const { horizonMs, deadlineMs } = parameters.doubt;
  const chance = story.chance('drain');
  story.calm = true;
  tell('story', 'the faults have stopped');
  await timeline.pass(Math.max(parameters.lateMs, 2 * horizonMs) + deadlineMs + Math.max(parameters.listLagMs, 60_000));
  if (chance.happens(0.5)) await timeline.pass(settledByMs);
  for (const desk of desks) desk.machine.wallOffsetMs = 0;
  let still = 0;
  // A word settles one row, and not every round brings one.
  const rounds = maxRounds + 4 * parameters.rows.length;
  for (let round = 0; round < rounds && still < 5; round += 1) {
    const before = standings(desks);
    const { changes } = world;
    const endings: Ending[] = [];
    let looked = true;
    for (const desk of desks) {
      const command = nextCommand(story, desk, chance);
      const ending = await act(desk, command, lucky);
      endings.push(ending);
      // A word on one row is taken as it is; nobody looks at the others for it.
      looked &&= !('key' in command);
      const wait = pauseMs(story, desk, ending, chance);
      mendSheet(story, desk, ending, chance);
      await timeline.pass(wait);
    }
    if (endings.some(({ kind }) => kind === 'broken')) return;
    // What changes behind a command's back has to be looked at by one more.
    const settled = world.settled() && world.changes === changes;
    // With several desks each has to see what the others did last.
    const over = settled && looked && endings.every(isOver) && (desks.length === 1 || round > 0);
    if (over) return;
    still = settled && standings(desks) === before ? still + 1 : 0;
    await timeline.pass(world.settled() ? hourMs : settledByMs);
  }
}

const standings = (desks: readonly Desk[]) =>
  JSON.stringify(desks.map(({ last, corrections }) => [last?.outcome.rows, last?.outcome.next, [...corrections]]));

function isOver(ending: Ending): boolean {
  if (ending.kind !== 'told') return false;
  const { end, rows } = ending.outcome;
  return ['done', 'unpaid', 'alarm'].includes(end) && rows.pending + rows.in_doubt + rows.not_sent + rows.held === 0;
}
