/** Limits the rows under way. The answer "too many requests" halves the limit, which then grows again in steps. */

export interface Pace {
  readonly most: number;
  /** The most rows that may be under way at the time `from`. */
  readonly width: number;
  /** Payrun sends nothing before this time, in milliseconds. */
  readonly from: number;
}

const stepMs = 1000;
const stepsToFull = 16;
/** The shortest wait after "too many requests". The same answer during the wait does not halve `width` again. */
const sameWallMs = 250;

export const fullPace = (most: number): Pace => ({ most, width: most, from: Number.NEGATIVE_INFINITY });

export function widthAt({ most, width, from }: Pace, now: number): number {
  const taken = Math.max(0, Math.floor((now - from) / stepMs));
  return Math.min(most, width + taken * Math.ceil(most / stepsToFull));
}

export function slowed(pace: Pace, now: number, waitMs: number): Pace {
  const { most, width, from } = pace;
  return {
    most,
    width: now < from ? width : Math.max(1, Math.floor(widthAt(pace, now) / 2)),
    from: Math.max(from, now + Math.max(Math.ceil(waitMs), sameWallMs)),
  };
}
