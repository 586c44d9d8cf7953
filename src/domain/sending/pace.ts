/** How many rows may be under way at once. A "too many requests" answer halves the number; it then grows step by step. */

export interface Pace {
  /** The configured concurrency, which is never exceeded. */
  readonly most: number;
  /** The number of rows allowed when sending resumed after the last refusal. */
  readonly width: number;
  /** The time when sending resumes, in milliseconds. Nothing is sent before it. */
  readonly from: number;
}

const stepMs = 1000;
/** The number of steps from zero to the full concurrency. */
const steps = 16;
/** The shortest wait after a refusal. Rows that were under way together are refused together, which halves the number only once. */
const sameWallMs = 250;

export const fullPace = (most: number): Pace => ({ most, width: most, from: Number.NEGATIVE_INFINITY });

export function widthAt({ most, width, from }: Pace, now: number): number {
  const taken = Math.max(0, Math.floor((now - from) / stepMs));
  return Math.min(most, width + taken * Math.ceil(most / steps));
}

export function slowed(pace: Pace, now: number, waitMs: number): Pace {
  const { most, width, from } = pace;
  return {
    most,
    width: now < from ? width : Math.max(1, Math.floor(widthAt(pace, now) / 2)),
    from: Math.max(from, now + Math.max(Math.ceil(waitMs), sameWallMs)),
  };
}
