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
/** A doubt's horizon counts from the end of its call's deadline. */
export const deadlineMs = 1000;
/** Where no row is left to be the younger payment, twice the horizon stands in for it. */
const noYoungerMs = 2 * deadlineMs + 300;
export const shortDeadline = { PAYRUN_HTTP_TIMEOUT: `${deadlineMs}ms` };

/** How many looks it takes depends on how long the processes take, and on the service's clock, which counts seconds: one may seem to step back. */
async function lookUntil(world: World, rows: number, holds: (row: StoredRow) => boolean): Promise<void> {
  for (let looks = 0; looks < 10; looks += 1) {
    await run(world);
    await sleep(1100);
    if (storedRows(world).filter(holds).length >= rows) return;
  }
}

const isAbsent = ({ state }: StoredRow) => state === 'absent';
const isMissed = ({ missed }: StoredRow) => missed !== null;

/** Long enough that the next run begins before the payment is made. */
const lateMs = 900;

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
  'payments are made late': {
    fault:
      () =>
      ({ route }) =>
        route === 'POST /payments' ? { kind: 'hold', until: sleep(lateMs) } : undefined,
  },
  'two answers are lost': {
    shape: pages,
    fault: paymentsIn({ 3: { kind: 'drop', after: true }, 5: { kind: 'drop', after: true } }),
  },
  'a pass has missed two payments': {
    shape: pages,
    env: shortDeadline,
    earlier: async (world) => {
      world.service.fault = paymentsIn({ 3: { kind: 'drop' }, 5: { kind: 'drop' } })(world.service);
      await run(world);
      await sleep(noYoungerMs);
      await lookUntil(world, 2, isMissed);
    },
  },
  'a person lets absent rows go': {
    env: shortDeadline,
    earlier: async (world) => {
      world.service.fault = paymentsIn({ 3: { kind: 'drop' }, 5: { kind: 'drop' } })(world.service);
      await run(world);
      await sleep(noYoungerMs);
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
    env: { ...shortDeadline, PAYRUN_DOUBT_POLICY: 'resend' },
    earlier: async (world) => {
      await run(world, { POINT: 'half POST /payments:3' });
      await sleep(deadlineMs + 300);
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

/** Until what was asked of the service is done or dropped, as far as its own clock decides that. */
export const settleLate = ({ fault }: Scene): Promise<void> =>
  sleep(fault === scenes['payments are made late'].fault ? lateMs : 0);
