/** A clock that a test holds: nobody waits in real time, and no machine is too slow. */
import { type Clock, systemClock } from '../src/base/clock.ts';
import type { Independent, Shape } from './independent/service.ts';
import { type Desk, deskFor as deskOf, type SheetRow, newService as serviceOf, until } from './support.ts';

/** How long a caller on a held clock has patience with a call. */
export const deadlineMs = 60_000;

/** Time that stands still, but for what a test adds to `moved`, and for what somebody sleeps, which takes no time. */
export interface HeldClock extends Clock {
  moved: number;
  /** Told whenever somebody begins to sleep. */
  onSleep: (delayMs: number) => void;
  /** Ends the patience with a call that nobody answers: `holds` says that it alone can be under way. */
  expire(holds: () => boolean): Promise<void>;
}

/** No whole second or minute: a date that tells nothing finer would count as one that was cut there. */
const oddMs = 123;

export function heldClock(): HeldClock {
  const start = Math.floor(Date.now() / 60_000) * 60_000 + 1000 + oddMs;
  const waiting = new Set<{ readonly delayMs: number; readonly act: () => void }>();
  const clock: HeldClock = {
    ...systemClock,
    moved: 0,
    onSleep: () => {},
    now: () => Math.floor(start + clock.moved),
    monotonic: () => clock.moved,
    uptime: () => ({ boot: 'held', ms: Math.floor(clock.moved) }),
    async sleep(delayMs, signal) {
      // Whoever sleeps at the same moment sleeps the same time.
      const over = clock.moved + delayMs;
      clock.onSleep(delayMs);
      await systemClock.sleep(1, signal);
      if (signal?.aborted !== true) clock.moved = Math.max(clock.moved, over);
    },
    after(delayMs, act) {
      const one = { delayMs, act };
      waiting.add(one);
      return () => waiting.delete(one);
    },
    async expire(holds) {
      const isAlone = () => [...waiting].filter(({ delayMs }) => delayMs === deadlineMs).length === 1;
      await until('one call alone is under way', () => holds() && isAlone());
      clock.moved += deadlineMs;
      for (const { act } of waiting) act();
    },
  };
  return clock;
}

export type HeldService = Independent & { readonly clock: HeldClock };

/** A service with a held time of its own; its desks have the same. */
export async function newService(shape: Shape = {}): Promise<HeldService> {
  const clock = heldClock();
  // The test may change the shape later.
  const service = await serviceOf(Object.assign(Object.create(shape) as Shape, { now: shape.now ?? clock.now }));
  return Object.assign(service, { clock });
}

export function deskFor(service: HeldService, rows: readonly SheetRow[], env: Record<string, string> = {}): Desk {
  return { ...deskOf(service, rows, { PAYRUN_HTTP_TIMEOUT: `${deadlineMs}ms`, ...env }), clock: service.clock };
}
