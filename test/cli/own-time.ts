/** Time that a test holds: no wait of a command takes any, and the service that it pays at lives by the same clock. */
import type { Clock } from '../../src/base/clock.ts';
import { heldClock } from '../held-clock.ts';
import type { Independent, Shape } from '../independent/service.ts';
import { type Desk, deskFor as deskOf, type SheetRow, newService as serviceOf } from '../support.ts';

export interface OwnTime extends Clock {
  /** Lets so much time go by, on each clock that a doubt is held against. */
  pass(ms: number): void;
}

/** `start`: the moment, since 1970, at which it begins, where that is not the machine's. */
export function ownTime(start?: number): OwnTime {
  const clock = heldClock();
  const began = start ?? clock.now();
  return Object.assign(clock, {
    /** A look at it takes a moment, so that no two commands are given at the same one. */
    now() {
      clock.moved += 1;
      return Math.floor(began + clock.moved);
    },
    pass(ms: number) {
      clock.moved += ms;
    },
  });
}

type Timed = Independent & { readonly clock: OwnTime };

/** A service with a time of its own; its desks have the same. */
export async function newService(shape: Shape = {}): Promise<Timed> {
  const clock = ownTime();
  return Object.assign(await serviceOf({ now: () => clock.now(), ...shape }), { clock });
}

export function deskFor(
  service: (Independent & { readonly clock?: OwnTime }) | null,
  rows: readonly SheetRow[],
  env?: Record<string, string>,
): Desk & { readonly clock: OwnTime } {
  return { ...deskOf(service, rows, env), clock: service?.clock ?? ownTime() };
}
