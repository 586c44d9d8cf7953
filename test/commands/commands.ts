/** The commands, each as fast-check draws it, gives it and shrinks it. */
import fc from 'fast-check';
import { type Command, copyLedger, type Ending, execute, loseLedger, restoreLedger } from '../simulation/desk.ts';
import type { Fate } from '../simulation/process.ts';
import { referenceOf } from '../simulation/sheet.ts';
import type { PaymentFate } from '../simulation/story.ts';
import { judge, storedRows } from './judge.ts';
import {
  indexOf,
  keyOf,
  type Model,
  type NewRow,
  type Order,
  type Real,
  saveSheet,
  sheetRow,
  toldOf,
} from './model.ts';
import { newRow } from './setup.ts';

type Step = fc.AsyncCommand<Model, Real>;

/** What befalls one process. */
interface Trouble {
  /** It dies at this step of its way; null for never. */
  readonly dies: number | null;
  /** Only steps around a payment are counted. */
  readonly paying: boolean;
  readonly stops: number | null;
  readonly fates: readonly PaymentFate[];
}

const unharmed: Trouble = { dies: null, paying: false, stops: null, fates: [] };

const never = Number.POSITIVE_INFINITY;
function fateOf({ dies, paying, stops }: Trouble): Fate {
  return {
    crashAt: dies ?? never,
    crashWhilePaying: paying,
    stopAt: stops ?? never,
    jumpAt: never,
    jumpMs: 0,
    suspend: 0,
    backupAt: never,
    backup: () => {},
  };
}

/** Gives the command on the real desk, and judges everything that can be judged after it. */
export async function give(model: Model, real: Real, command: Command, trouble = unharmed): Promise<Ending> {
  const { story, world, desk, orders } = real;
  story.fates.splice(0, never, ...trouble.fates);
  const before = { rows: storedRows(desk) };
  const name = `${desk.name}.${desk.commands + 1}`;
  const order = orderFor(model, real, command);
  orders.set(name, order);
  const ending = await execute(story, world, desk, { command, fate: fateOf(trouble) });
  story.fates.length = 0;
  real.done.push(`${command.kind} ${ending.kind}`);
  if (command.kind === 'run' || desk.last === null) {
    if (ending.kind === 'told') {
      real.newest = order.rows;
      for (const [index, { inSheet }] of model.rows.entries()) if (inSheet) model.taken.add(index);
    } else if (ending.kind === 'died') real.newest = null;
  }
  model.told = toldOf(ending) ?? model.told;
  judge(model, real, { name, command, ending, before });
  return ending;
}

/** `run` sends what the sheet holds, the others what the newest sheet held: as it was taken in, so nothing else is known here. */
function orderFor(model: Model, real: Real, command: Command): Order {
  const runs = command.kind === 'run' || real.desk.last === null;
  // A verdict sends nothing, and a look neither.
  if (!runs && command.kind !== 'resume' && command.kind !== 'retry') return { rows: new Set(), references: null };
  if (!runs) return { rows: real.newest, references: null };
  const rows = new Set(model.rows.flatMap(({ inSheet }, index) => (inSheet ? [index] : [])));
  const references = new Map(model.rows.map((_, index) => [index, referenceOf(index, real.desk.corrections)]));
  return { rows, references };
}

class Give implements Step {
  readonly command: Command;
  readonly trouble: Trouble;
  constructor(command: Command, trouble: Trouble) {
    this.command = command;
    this.trouble = trouble;
  }
  check({ told, rows }: Readonly<Model>): boolean {
    return this.command.kind === 'run' ? rows.some(({ inSheet }) => inSheet) : told !== null;
  }
  async run(model: Model, real: Real): Promise<void> {
    await give(model, real, this.command, this.trouble);
  }
  toString(): string {
    const { kind } = this.command;
    return `${kind}${this.command.kind === 'run' && this.command.add ? ' --add' : ''}${troubleWords(this.trouble)}`;
  }
}

function troubleWords({ dies, paying, stops, fates }: Trouble): string {
  const words = [
    ...(dies === null ? [] : [`dies at step ${dies}${paying ? ' of paying' : ''}`]),
    ...(stops === null ? [] : [`Ctrl-C at step ${stops}`]),
    ...(fates.length === 0 ? [] : [`payments: ${fates.join(', ')}`]),
  ];
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}

/** A verdict on one of the rows that stand still; the rest of its choices are made when it is given. */
class Resolve implements Step {
  readonly verdict: 'paid' | 'not-paid';
  readonly pick: number;
  #given = '';
  constructor(verdict: 'paid' | 'not-paid', pick: number) {
    this.verdict = verdict;
    this.pick = pick;
  }
  check({ told }: Readonly<Model>): boolean {
    return told !== null && openKeys(told).length > 0;
  }
  async run(model: Model, real: Real): Promise<void> {
    const open = openKeys(model.told ?? new Map());
    const key = open[this.pick % open.length] as string;
    // Its own payment where there is one, now and then another row's, or one that nobody knows.
    const own = real.world.payments.filter(({ row }) => row === indexOf(key));
    const any = this.pick % 4 === 3 ? real.world.payments : own;
    const paymentId = any[this.pick % Math.max(1, any.length)]?.id ?? 'pay-unknown';
    const command: Command = this.verdict === 'paid' ? { kind: 'paid', key, paymentId } : { kind: 'not-paid', key };
    this.#given = ` of ${key}${this.verdict === 'paid' ? `: ${paymentId}` : ''}`;
    await give(model, real, command);
  }
  toString(): string {
    return `resolve --${this.verdict}${this.#given}`;
  }
}

const openKeys = (told: ReadonlyMap<string, string>): string[] =>
  [...told].flatMap(([key, status]) => (status === 'in doubt' || status === 'held' ? [key] : []));

/** The rest, which needs no process: what a person does to the sheet, what befalls the ledger, the service and time. */
class Do implements Step {
  readonly words: string;
  readonly may: (model: Readonly<Model>) => boolean;
  readonly act: (model: Model, real: Real) => void | Promise<void>;
  constructor(words: string, may: Do['may'], act: Do['act']) {
    this.words = words;
    this.may = may;
    this.act = act;
  }
  check(model: Readonly<Model>): boolean {
    return this.may(model);
  }
  async run(model: Model, real: Real): Promise<void> {
    real.story.tell('person', this.words);
    await this.act(model, real);
  }
  toString(): string {
    return this.words;
  }
}

const mostRows = 8;

const addRow = (row: NewRow) =>
  new Do(
    `add a row (payee ${row.payee}, ${row.amount}${row.bad ? ', bad' : ''})`,
    ({ rows }) => rows.length < mostRows,
    (model, real) => {
      real.rows.push(sheetRow(real.rows.length, row));
      model.rows.push({ inSheet: true, corrections: 0, touched: false });
      saveSheet(model, real);
    },
  );

const withRow = (
  words: string,
  index: number,
  may: (row: Model['rows'][number]) => boolean,
  act: (row: Model['rows'][number]) => void,
) =>
  new Do(
    `${words} row ${keyOf(index)}`,
    ({ rows }) => rows[index] !== undefined && may(rows[index]),
    (model, real) => {
      const row = model.rows[index];
      if (row !== undefined) act(row);
      saveSheet(model, real);
    },
  );

const correct = (index: number) =>
  withRow(
    'correct',
    index,
    () => true,
    (row) => {
      row.corrections += 1;
      row.touched = true;
    },
  );
const takeBack = (index: number) =>
  withRow(
    'put back',
    index,
    ({ corrections }) => corrections > 0,
    (row) => {
      row.corrections -= 1;
    },
  );
const remove = (index: number) =>
  withRow(
    'remove',
    index,
    ({ inSheet }) => inSheet,
    (row) => {
      row.inSheet = false;
    },
  );
const bringBack = (index: number) =>
  withRow(
    'bring back',
    index,
    ({ inSheet }) => !inSheet,
    (row) => {
      row.inSheet = true;
    },
  );

const pass = (ms: number) =>
  new Do(
    `${ms / 1000} s pass`,
    () => true,
    async (_, { story }) => await story.timeline.pass(ms),
  );

const copy = () =>
  new Do(
    'copy the ledger',
    () => true,
    (model, real) => {
      real.copy = copyLedger(real.desk);
      if (real.copy !== null) model.copies += 1;
    },
  );

/** What a ledger holds that came back is read there: the model takes it as it is. */
function reread(model: Model, real: Real): void {
  model.told = null;
  model.taken.clear();
  for (const { key } of storedRows(real.desk)) model.taken.add(indexOf(key));
  real.newest = null;
}

const restore = () =>
  new Do(
    'restore the copy of the ledger',
    ({ copies }) => copies > 0,
    (model, real) => {
      if (real.copy === null) return;
      restoreLedger(real.desk, real.copy);
      reread(model, real);
    },
  );

const lose = (withWitness: boolean) =>
  new Do(
    `lose the ledger${withWitness ? ' and its witness' : ''}`,
    ({ told }) => told !== null,
    (model, real) => {
      const { desk, world } = real;
      loseLedger(desk, withWitness);
      reread(model, real);
      // The declared limit: nothing is left that knows of what is under way, or made and not yet listed.
      if (!withWitness) return;
      real.allowed += [...world.underWay.values()].filter((count) => count > 0).length + world.unlisted();
    },
  );

const restart = () =>
  new Do(
    'start the machine anew',
    () => true,
    (_, { desk, story }) => {
      desk.machine.boot = `${desk.name}-boot-${desk.commands}-${story.timeline.now()}`;
      desk.machine.bootedAt = story.timeline.now();
    },
  );

const moods = {
  'no payment expires, and every call is answered': {},
  'payments expire': { expires: 1 },
  'readings fail': { readFails: 0.3 },
  'tokens fail': { token: 0.5 },
  'merchants fail': { merchant: 0.5 },
  'pages repeat payments': { shuffles: 1 },
  'markers come twice': { markerRepeats: 0.5 },
} as const;
const faultNames = ['readFails', 'token', 'merchant', 'shuffles', 'markerRepeats'] as const;

/** From now on, until the next such turn. */
const turn = (words: keyof typeof moods) =>
  new Do(
    `at the service: ${words}`,
    () => true,
    (_, real) => setMood(real, moods[words]),
  );

/** The service reads these at each call. */
function setMood({ story: { parameters } }: Real, mood: Readonly<Record<string, number>>): void {
  const faults = Object.fromEntries(faultNames.map((name) => [name, mood[name] ?? 0]));
  Object.assign(parameters, { expires: mood.expires ?? 0 });
  Object.assign(parameters.faults, faults);
}

export const settleMoods = (real: Real): void => setMood(real, {});

const fates: readonly PaymentFate[] = [
  'made',
  'not-sent',
  'lost',
  'answer-lost',
  'late',
  'fails-before',
  'fails-after',
  'cut',
  'busy',
  'unauthorized',
  'refused',
  'without-status',
];

/** So often in ten; shrinks to never. */
const sometimes = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ withCrossShrink: true }, { weight: 10 - weight, arbitrary: fc.constant(null) }, { weight, arbitrary });

const trouble: fc.Arbitrary<Trouble> = fc.record({
  dies: sometimes(3, fc.integer({ min: 1, max: 80 })),
  paying: fc.boolean(),
  stops: sometimes(1, fc.integer({ min: 1, max: 80 })),
  fates: fc.array(fc.constantFrom(...fates), { maxLength: 4 }),
});
const index = fc.nat(mostRows - 1);
const minuteMs = 60_000;

/** One list of commands; those that make no sense where they stand are left out. */
export const commandLists = (maxCommands: number) =>
  fc.commands(
    [
      trouble.map((one) => new Give({ kind: 'run' }, one)),
      trouble.map((one) => new Give({ kind: 'run' }, one)),
      trouble.map((one) => new Give({ kind: 'run', add: true }, one)),
      trouble.map((one) => new Give({ kind: 'resume' }, one)),
      trouble.map((one) => new Give({ kind: 'reconcile' }, one)),
      trouble.map((one) => new Give({ kind: 'release' }, one)),
      trouble.map((one) => new Give({ kind: 'retry' }, one)),
      fc.tuple(fc.constantFrom('paid', 'not-paid'), fc.nat(7)).map(([verdict, pick]) => new Resolve(verdict, pick)),
      newRow.map(addRow),
      index.map(correct),
      index.map(takeBack),
      index.map(remove),
      index.map(bringBack),
      fc.constantFrom(1000, minuteMs, 11 * minuteMs, 25 * minuteMs, 8 * 60 * minuteMs).map(pass),
      fc.constant(null).map(copy),
      fc.constant(null).map(restore),
      fc.boolean().map(lose),
      fc.constant(null).map(restart),
      fc.constantFrom(...(Object.keys(moods) as (keyof typeof moods)[])).map(turn),
    ],
    { maxCommands, size: 'max' },
  );
