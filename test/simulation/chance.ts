/** Chance from a seed: one stream for each purpose, so that a draw more for one thing moves nothing else. */

export interface Chance {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  between(low: number, high: number): number;
  /** As likely between 1 and 10 as between 10 and 100. */
  spread(low: number, high: number): number;
  happens(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function chanceFrom(seed: string): Chance {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193);
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  return {
    next,
    between,
    below: (limit) => Math.floor(next() * limit),
    spread: (low, high) => Math.exp(between(Math.log(low), Math.log(high))),
    happens: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      return list[Math.floor(next() * list.length)] as T;
    },
  };
}
