/** Virtual time: one queue of all that will happen. It moves only when the process has nothing else left to do. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';
import type { Chance } from './chance.ts';

/** Whose timers these are: those of a process that is gone never run, those of a sleeping machine run when it wakes. */
export interface Owner {
  gone: boolean;
  frozenUntil: number;
}

interface Timer {
  at: number;
  readonly order: number;
  readonly owner: Owner | null;
  /** A wait of the process itself, whose clock stands still while the machine sleeps. */
  readonly wait: boolean;
  run(): void;
}

/** More than any command of twenty rows needs. */
const maxSteps = 50_000;

export class Hang extends Error {}

export interface Timeline {
  /** Milliseconds since the story began. */
  now(): number;
  after(delayMs: number, run: () => void, owner?: Owner | null, wait?: boolean): () => void;
  /** The machine of a process sleeps from now on, for so long. */
  freeze(owner: Owner, ms: number): void;
  /** Lets happen what happens until the work has ended; a Hang if nothing could end it, or it takes too long. */
  until<T>(work: Promise<T>, limitMs: number, owner: ClockOwner): Promise<T>;
  /** Lets so much time pass. */
  pass(ms: number): Promise<void>;
}

export function newTimeline(): Timeline {
  const queue: Timer[] = [];
  let now = 0;
  let order = 0;

  function insert(timer: Timer): void {
    let low = 0;
    let high = queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = queue[middle] as Timer;
      // The next to run stands at the end.
      if (other.at > timer.at || (other.at === timer.at && other.order > timer.order)) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, timer);
  }

  /** False where nothing is left to happen before the moment. */
  function runNext(before: number): boolean {
    for (;;) {
      const timer = queue.at(-1);
      if (timer === undefined || timer.at > before) return false;
      queue.pop();
      if (timer.owner?.gone) continue;
      now = Math.max(now, timer.at);
      timer.run();
      return true;
    }
  }

  return {
    now: () => now,
    after(delayMs, run, owner = null, wait = false) {
      const awake = owner === null ? now : Math.max(now, owner.frozenUntil);
      const at = wait ? awake + Math.max(0, delayMs) : Math.max(now + Math.max(0, delayMs), awake);
      order += 1;
      const timer: Timer = { at, order, owner, wait, run };
      insert(timer);
      return () => {
        const at = queue.indexOf(timer);
        if (at >= 0) queue.splice(at, 1);
      };
    },
    freeze(owner, ms) {
      owner.frozenUntil = now + ms;
      const own = queue.filter((timer) => timer.owner === owner);
      for (const timer of own) {
        queue.splice(queue.indexOf(timer), 1);
        // What came in meanwhile is read a moment after waking.
        timer.at = timer.wait ? timer.at + ms : Math.max(timer.at, owner.frozenUntil);
      }
      for (const timer of own) insert(timer);
    },
    async until(work, limitMs, owner) {
      let over = false;
      let steps = 0;
      const ended = () => {
        over = true;
      };
      work.then(ended, ended);
      const began = now;
      for (;;) {
        await quiet();
        if (over) return await work;
        steps += 1;
        if (steps > maxSteps) throw new Hang(`it is not over after ${maxSteps} steps`);
        // While its machine sleeps nobody waits for it.
        const asleepMs = owner.suspendedMs + Math.max(0, owner.frozenUntil - now);
        if (runNext(began + limitMs + asleepMs)) continue;
        // Node does not list the packing of a workbook among what is under way.
        for (let turns = 0; turns < packingTurns && !over; turns += 1) await sleep(1);
        if (!over && queue.length === 0) throw new Hang('nothing is left that could end it');
        if (!over) throw new Hang(`it takes longer than ${limitMs} ms`);
      }
    },
    async pass(ms) {
      const end = now + ms;
      do await quiet();
      while (runNext(end));
      now = end;
    },
  };
}

/** Files, and the commits that wait for the end of a turn: what is still under way in earnest. */
const busy = /^(FSReq|CloseReq|Immediate)/;
/** After so many turns it is a busy machine that keeps the files waiting, and to turn on would take from it what they need. */
const patientTurns = 500;
/** On a busy machine, a workbook may be packed for seconds. */
const packingTurns = 5000;

/** Resolves when the process would do nothing more by itself: files are real, and take no virtual time. */
async function quiet(): Promise<void> {
  for (let calm = 0, turns = 0; calm < 2; turns += 1) {
    await (turns < patientTurns ? turn() : sleep(1));
    calm = process.getActiveResourcesInfo().some((kind) => busy.test(kind)) ? 0 : calm + 1;
  }
}

/** A machine's clocks: the wall clock can be wrong and can jump, the time since its start cannot. */
export interface Machine {
  wallOffsetMs: number;
  boot: string;
  bootedAt: number;
}

/** When every story begins. */
export const epochMs = Date.UTC(2026, 10, 2, 8);

export interface ClockOwner extends Owner {
  readonly startedAt: number;
  /** For how long its machine slept. */
  suspendedMs: number;
  /** Called when a wait is over: true where the process died of it. */
  step(what: string): boolean;
  /** Waits that end with the process. */
  readonly onDeath: Set<() => void>;
}

export type VirtualClock = Clock & { uptime(): { readonly boot: string; readonly ms: number } };

export function processClock(timeline: Timeline, owner: ClockOwner, machine: Machine, chance: Chance): VirtualClock {
  return {
    now: () => Math.floor(epochMs + timeline.now() + machine.wallOffsetMs),
    after() {
      throw new Error('only calls over HTTP end by a timer, and a story has none');
    },
    monotonic: () => timeline.now() - owner.startedAt - owner.suspendedMs,
    uptime: () => ({ boot: machine.boot, ms: Math.floor(timeline.now() - machine.bootedAt) }),
    random: () => chance.next(),
    randomHex: (bytes) => Array.from({ length: 2 * bytes }, () => chance.below(16).toString(16)).join(''),
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          resolve();
          return;
        }
        const end = () => {
          cancel();
          owner.onDeath.delete(die);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const die = () => {
          signal?.removeEventListener('abort', end);
          reject(new Error('the process is dead'));
        };
        const cancel = timeline.after(
          // As real timers count: whole milliseconds, and never none.
          Math.max(1, Math.trunc(delayMs)),
          () => {
            if (!owner.step('wake')) end();
          },
          owner,
          true,
        );
        owner.onDeath.add(die);
        signal?.addEventListener('abort', end);
      }),
  };
}
