/** Numbers that look like chance and follow from a seed, the same on every machine. */
export interface Chance {
  /** 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** True once in so many times. */
  once(times: number): boolean;
  one<T>(from: readonly T[]): T;
  shuffled<T>(from: readonly T[]): T[];
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  // Mulberry32.
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    once: (times) => below(times) === 0,
    one: (from) => from[below(from.length)]!,
    shuffled(from) {
      const out = [...from];
      for (let at = out.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [out[at], out[other]] = [out[other]!, out[at]!];
      }
      return out;
    },
  };
}
