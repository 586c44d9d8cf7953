/** Gives one list of commands to the product, and judges each step. A list that fails is shrunk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
// Loaded before the first list: a module that loads in the middle of one takes real time.
import 'exceljs';
import '../../src/sheet/csv/csv.ts';
import '../../src/sheet/write/result-csv.ts';
import { chanceFrom } from '../simulation/chance.ts';
import { forgetLedgers, isKept } from '../simulation/memory-store.ts';
import { withQuickFiles } from '../simulation/quick-files.ts';
import { temporary } from '../temporary.ts';
import { writePolicy } from './approvers.ts';
import { type Command, commandWords } from './commands.ts';
import { begin, type Ending, give, type Mutant, type Real } from './desk.ts';
import { drainCommands, neverEnds } from './drain.ts';
import { nextCommand } from './generate.ts';
import { judge, livesAgain } from './judge.ts';
import { newWorld, type World } from './model-world.ts';
import {
  judgeLedger,
  judgePayments,
  judgeResult,
  judgeStop,
  judgeTrail,
  nothingWanted,
  remember,
  type Wanted,
  wish,
} from './oracle.ts';
import { minuteMs } from './parameters.ts';
import { apply } from './reference.ts';
import { hiddenDoubles } from './scans.ts';
import { type SeenRow, seenIn } from './seen.ts';
import { rowsOfPlan } from './signed.ts';

/** How often each cell, refusal and seam was hit. */
export type Counters = Map<string, number>;

export interface Told {
  readonly commands: readonly Command[];
  /** The first step that broke a promise, or differed from the reference. */
  readonly broken: readonly string[];
  readonly payments: number;
  /** The codes of the refused commands, in their order. */
  readonly refused: readonly string[];
  readonly stops: readonly string[];
  /** The rows of the first ledger at the end. */
  readonly rows: readonly (SeenRow & { readonly batch: string })[];
  readonly trace: readonly string[];
}

export interface ListOrder {
  readonly seed: number;
  /** Commands to repeat; null to draw a list of so many from the seed. */
  readonly commands: readonly Command[] | number;
  /** The commands with which a drawn list begins. Drawn commands come between them now and then. */
  readonly begins?: readonly Command[];
  readonly counters?: Counters;
  readonly mutant?: Mutant;
  /** False to judge by the oracle alone. */
  readonly compares?: boolean;
  /** True to follow each batch to its end, after the list. */
  readonly drains?: boolean;
}

interface State {
  readonly refused: string[];
  readonly stops: string[];
  /** Batches whose last command was stopped or refused. */
  readonly stopped: Set<string>;
  world: World;
  readonly wanted: Wanted;
  /** How many payments were judged. A late payment may come while nothing runs. */
  judged: number;
}

export const tell = async (order: ListOrder): Promise<Told> =>
  await withQuickFiles(async () => await tellQuickly(order));

async function tellQuickly({
  seed,
  commands,
  begins = [],
  counters = new Map(),
  mutant = {},
  compares = true,
  drains = false,
}: ListOrder): Promise<Told> {
  const folder = mkdtempSync(join(temporary, 'payrun-campaign-'));
  try {
    const real = begin(seed, folder, mutant);
    const state: State = {
      refused: [],
      stops: [],
      stopped: new Set(),
      world: newWorld(),
      wanted: nothingWanted(),
      judged: 0,
    };
    const chance = chanceFrom(`campaign ${seed}`);
    const given: Command[] = [];
    const steps = typeof commands === 'number' ? commands : commands.length;
    let broken: readonly string[] = [];
    const first = [...begins];
    while (given.length < steps && broken.length === 0) {
      const drawn = () =>
        ((first[0]?.do === 'policy' || chance.happens(0.8)) && first.shift()) ||
        nextCommand(chance, state.world, expired(real));
      const command = typeof commands === 'number' ? drawn() : commands[given.length]!;
      given.push(command);
      broken = await take(real, state, command, counters, compares);
    }
    if (broken.length === 0 && drains) broken = await drain(real, state, given, counters, compares);
    if (broken.length === 0)
      for (const [ledger, desk] of real.desks.entries())
        if (isKept(desk.ledger)) broken = [...broken, ...(await judgeTrail(real, ledger))];
    const rows = seenIn(real, 0).flatMap(({ name, rows: own }) => own.map((row) => ({ ...row, batch: name })));
    const { world, story } = real;
    return {
      // A list that drains fails again without the commands of its end, so that it stays short.
      commands: given.slice(0, steps),
      broken,
      refused: state.refused,
      stops: state.stops,
      rows,
      payments: world.payments.length,
      trace: story.trace,
    };
  } finally {
    forgetLedgers(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drain(
  real: Real,
  state: State,
  given: Command[],
  counters: Counters,
  compares: boolean,
): Promise<readonly string[]> {
  real.story.calm = true;
  const batches = () =>
    real.desks.flatMap((_, ledger) => seenIn(real, ledger).map((batch) => ({ ...batch, ledger, batch: batch.name })));
  for (let rounds = 0; ; rounds += 1) {
    const commands = drainCommands(batches(), rounds);
    if (commands === null) break;
    for (const command of commands) {
      given.push(command);
      const broken = await take(real, state, command, counters, compares);
      if (broken.length > 0) return broken;
    }
  }
  return neverEnds(batches(), ({ ledger, batch }) => state.stopped.has(`${ledger} ${batch}`));
}

const expired = ({ world }: Real) =>
  world.payments.flatMap(({ status }, index) => (status === 'expired' ? [index] : []));

async function take(
  real: Real,
  state: State,
  given: Command,
  counters: Counters,
  compares: boolean,
): Promise<readonly string[]> {
  real.story.tell('person', commandWords(given));
  if (await befalls(real, given)) {
    state.world = { ...apply(state.world, given).world, now: real.story.timeline.now() };
    if (given.do === 'policy') state.wanted.needed = given.needed;
    const marked = structuredClone(state.world);
    markAlive(real, marked);
    state.world = marked;
    count(counters, `seam: ${given.do}`);
    return [];
  }
  const before = { ...state.world, now: real.story.timeline.now() };
  const order = 'plan' in given ? state.world.plans[given.plan]?.order : given;
  if (order === undefined) return [];
  const { name, ending: own } = await give(real, given);
  // A plan that was declined meanwhile opens no version, so the decline is all that happened.
  if (real.isDeclined && own.kind === 'ended') return [`${name} ran a plan that was declined meanwhile`];
  const isDecline = real.isDeclined && 'batch' in order;
  const command: Command = isDecline ? { do: 'decline', ledger: order.ledger, batch: order.batch } : given;
  const ending: Ending = isDecline ? { kind: 'ended', outcome: { kind: 'finished' } } : own;
  const applied = apply(before, command);
  if (own.kind === 'refused') state.refused.push(own.code);
  if (own.kind === 'ended' && own.outcome.kind === 'stopped') state.stops.push(own.outcome.stopped.code);
  if ('batch' in order && command.do === 'resume') {
    const isStopped = ending.kind !== 'ended' || ('rows' in ending.outcome && ending.outcome.kind === 'stopped');
    state.stopped[isStopped ? 'add' : 'delete'](`${order.ledger} ${order.batch}`);
  }
  const judged = judge(real, { command, before, applied, name, ending });
  const ledger = 'ledger' in order ? order.ledger : 0;
  // Words count before the payments of the command are judged, because the command itself may be the word.
  const made = state.judged;
  if (judged.hasHappened && (command.do === 'plan' || command.do === 'propose'))
    state.wanted.planned.set(real.plans.size - 1, rowsOfPlan(real, real.plans.size - 1, judged.seen[ledger]!));
  if (judged.hasHappened)
    wish(state.wanted, command, order as Command, {
      known: judged.seen[ledger]!,
      plan: real.plans.size - 1,
      payments: real.world.payments.slice(0, made),
    });
  if ('batch' in order) remember(state.wanted, name, order, command, before.now);
  state.world = judged.world;
  state.judged = real.world.payments.length;
  if (real.halt !== null) count(counters, `stop: during ${command.do}`);
  for (const what of new Set(judged.met)) count(counters, what);
  return [
    ...(compares ? judged.differences : []),
    ...judgePayments(real, state.wanted, made),
    ...('batch' in order
      ? judgeStop(real, state.wanted, command, { place: order, batches: judged.seen[ledger]!, ...judged })
      : []),
    ...judgeLedger(real, state.wanted, ledger, judged.seen[ledger]!),
    ...judgeResult(real, ending, judged.seen[ledger]!),
    ...hiddenDoubles(real, { name, ending }, state.wanted),
    ...real.story.violations.map(({ property, what }) => `(${property}) ${what}`),
  ];
}

function count(counters: Counters, what: string): void {
  counters.set(what, (counters.get(what) ?? 0) + 1);
}

/** Performs a command that needs no process. Returns false for any other command. */
async function befalls(real: Real, command: Command): Promise<boolean> {
  const { story, world, desks } = real;
  if (command.do === 'wait') await story.timeline.pass(command.minutes * minuteMs);
  else if (command.do === 'policy')
    real.policy = command.needed === 0 ? null : writePolicy(dirname(desks[0]!.ledger), command.needed);
  else if (command.do === 'expire' || command.do === 'settle')
    Object.assign(story.parameters, { expires: command.do === 'expire' ? 1 : 0 });
  else if (command.do === 'revive') {
    const payment = world.payments[command.payment];
    if (payment?.status === 'expired') Object.assign(payment, { status: 'success', revivedAt: story.timeline.now() });
  } else if (command.do === 'restart') {
    const { machine, name } = desks[command.ledger]!;
    Object.assign(machine, { boot: `${name}-boot-${story.timeline.now()}`, bootedAt: story.timeline.now() });
  } else return false;
  return true;
}

function markAlive({ world: { payments } }: Real, world: World): void {
  for (const { batches } of world.ledgers)
    for (const { rows } of Object.values(batches))
      for (const row of Object.values(rows)) row.isAlive = livesAgain(payments, row);
}

/** Leaves out one command after the other, as long as the list still fails. */
export async function shrink(
  order: ListOrder,
  told: Told,
  fails = async (commands: readonly Command[]) => await tell({ ...order, commands, counters: new Map() }),
): Promise<Told> {
  let least = told;
  for (let size = Math.ceil(told.commands.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = least.commands.length - size; at >= 0; at -= size) {
      const commands = least.commands.toSpliced(Math.max(0, at), size);
      if (commands.length === 0) continue;
      const tried = await fails(commands).catch(() => null);
      if (tried !== null && tried.broken.length > 0) least = tried;
    }
  return least;
}

export const listWords = ({ commands, broken }: Told): string =>
  [...commands.map((command) => `  ${commandWords(command)}`), ...broken.map((what) => `  BROKEN: ${what}`)].join('\n');
