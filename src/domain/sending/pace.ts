/** How many rows may be under way: half as many once the service calls it too fast, and then more again while it does not. */

export interface Pace {
  /** The configured concurrency, which is never exceeded. */
  readonly most: number;
  /** When sending went on after the last refusal. */
  readonly width: number;
  /** That moment, in milliseconds; before it nobody sends. */
  readonly from: number;
}

const stepMs = 1000;
/** So many steps lead from nothing to all that was asked for. */
const steps = 16;
/** Rows that were under way together hit the same wall, also where the service asks for no wait: it counts once. */
const sameWallMs = 250;

export const fullPace = (most: number): Pace => ({ most, width: most, from: Number.NEGATIVE_INFINITY });

export function widthAt({ most, width, from }: Pace, now: number): number {
  const taken = Math.max(0, Math.floor((now - from) / stepMs));
  return Math.min(most, width + taken * Math.ceil(most / steps));
}

/** After a refusal at `now` that asks for a wait. */
export function slowed(pace: Pace, now: number, waitMs: number): Pace {
  const { most, width, from } = pace;
  return {
    most,
    width: now < from ? width : Math.max(1, Math.floor(widthAt(pace, now) / 2)),
    from: Math.max(from, now + Math.max(Math.ceil(waitMs), sameWallMs)),
  };
}
