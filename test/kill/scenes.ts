/** What stands behind a killed run: how the service behaves meanwhile, and what happened before. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Fault, Independent, Shape } from '../independent/service.ts';
import { batchOf, run, type StoredRow, storedRows, type World } from './world.ts';

type Faulty = (service: Independent) => (call: Call) => Fault | undefined;

export interface Scene {
  readonly shape?: Shape;
  readonly env?: Readonly<Record<string, string>>;
  /** Earlier runs of the same sheet: what they leave is what the killed run finds. */
  readonly earlier?: (world: World) => Promise<void>;
  /** What is killed, and then given again, where it is not the run itself. */
  readonly command?: (world: World) => readonly string[];
  /** While the killed run lives; afterwards the service is well. */
  readonly fault?: Faulty;
}

const paymentsIn =
  (faults: Readonly<Record<number, Fault>>): Faulty =>
  () =>
  ({ route, nth }) =>
    route === 'POST /payments' ? faults[nth] : undefined;

const now = { 'retry-after': '0' };
/** A list of several pages. */
const pages: Shape = { pageSize: 4 };
/** A doubt's horizon counts from the end of its call's deadline, which no machine is too slow for. */
const deadlineMs = 60_000;
/** The service tells its time in full seconds. */
const fullSecondMs = 1100;
/** Where no row is left to be the younger payment, twice the horizon stands in for it. */
export const noYoungerMs = 2 * deadlineMs + fullSecondMs;
export const givenDeadline = { PAYRUN_HTTP_TIMEOUT: `${deadlineMs}ms` };

/** How many looks it takes depends on the service's clock, which counts seconds: one may seem to step back. */
async function lookUntil(world: World, rows: number, holds: (row: StoredRow) => boolean): Promise<void> {
  for (let looks = 0; looks < 10; looks += 1) {
    await run(world);
    world.clock.moved += fullSecondMs;
    if (storedRows(world).filter(holds).length >= rows) return;
  }
}

const isAbsent = ({ state }: StoredRow) => state === 'absent';
const isMissed = ({ missed }: StoredRow) => missed !== null;

/** Long enough that a sender which dies of it is dead; whoever lives has its answer then. */
const lateMs = 1000;
/** How many payments each service has yet to make. */
const late = new WeakMap<Independent, number>();

/** What a dead sender asked for is made when the next run has begun to look for it, however slow the machine is. */
const madeLate: Faulty = (service) => {
  const looks = () => service.calls.get('GET /payments') ?? 0;
  const isDead = () => service.fault !== own;
  async function wait(): Promise<void> {
    const before = looks();
    late.set(service, (late.get(service) ?? 0) + 1);
    await sleep(lateMs);
    const giveUp = performance.now() + 80_000;
    while (isDead() && looks() === before && performance.now() < giveUp) await sleep(5);
    late.set(service, late.get(service)! - 1);
  }
  const own = ({ route }: Call): Fault | undefined =>
    route === 'POST /payments' ? { kind: 'hold', until: wait() } : undefined;
  return own;
};

export const scenes = {
  plain: { shape: pages },
  'a payment is refused': { fault: paymentsIn({ 3: { kind: 'answer', status: 400 } }) },
  'the service is busy': { fault: paymentsIn({ 3: { kind: 'answer', status: 429, headers: now } }) },
  'no token of before is good any more': {
    fault:
      (service) =>
      ({ route, nth }) => {
        if (route === 'POST /payments' && nth === 4) service.rotate();
        return undefined;
      },
  },
  'payments are made late': { fault: madeLate },
  'two answers are lost': {
    shape: pages,
    fault: paymentsIn({ 3: { kind: 'drop', after: true }, 5: { kind: 'drop', after: true } }),
  },
  'a pass has missed two payments': {
    shape: pages,
    env: givenDeadline,
    earlier: async (world) => {
      world.service.fault = paymentsIn({ 3: { kind: 'drop' }, 5: { kind: 'drop' } })(world.service);
      await run(world);
      world.clock.moved += noYoungerMs;
      await lookUntil(world, 2, isMissed);
    },
  },
  'a person lets absent rows go': {
    env: givenDeadline,
    earlier: async (world) => {
      world.service.fault = paymentsIn({ 3: { kind: 'drop' }, 5: { kind: 'drop' } })(world.service);
      await run(world);
      world.clock.moved += noYoungerMs;
      await lookUntil(world, 2, isAbsent);
    },
    command: (world) => ['resolve', batchOf(world), '--release-absent', '--reason', 'the service has nothing'],
  },
  'a refused row is retried': {
    earlier: async (world) => {
      world.service.fault = paymentsIn({ 3: { kind: 'answer', status: 400 } })(world.service);
      await run(world);
    },
    command: (world) => ['retry', batchOf(world), '--wait', '0', '--json'],
  },
  'a pass has missed a payment that may be sent again': {
    shape: pages,
    env: { ...givenDeadline, PAYRUN_DOUBT_POLICY: 'resend' },
    earlier: async (world) => {
      await run(world, { POINT: 'half POST /payments:3' });
      world.clock.moved += deadlineMs + fullSecondMs;
      await lookUntil(world, 1, isMissed);
    },
  },
} as const satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;
export const sceneOf = (name: SceneName): Scene => scenes[name];

export const well = () => undefined;

/** Brings a world to the moment before the run that is killed. */
export async function begin(world: World, { earlier, fault }: Scene): Promise<void> {
  await earlier?.(world);
  world.service.fault = fault?.(world.service) ?? well;
}

/** Until what was asked of the service is done or dropped, as far as it decides that by itself. */
export async function settleLate({ service }: World): Promise<void> {
  while ((late.get(service) ?? 0) > 0) await sleep(5);
}
