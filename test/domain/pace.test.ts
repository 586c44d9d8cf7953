/** The pace after a service that calls it too fast. */
import { describe, expect, it } from 'vitest';
import { fullPace, slowed, widthAt } from '../../src/domain/sending/pace.ts';

describe('how many rows may be under way', () => {
  it.each([
    // most; at which milliseconds it is refused, and what wait is asked for -> at which milliseconds, how many
    [32, [], { 0: 32 }],
    // Half, through the wait and for a second after it; then more by steps, and never more than asked for.
    [32, [[0, 5000]], { 0: 16, 5999: 16, 6000: 18, 7000: 20, 12999: 30, 13000: 32, 90000: 32 }],
    // Rows that were under way together count once, and the longest wait stands.
    [
      32,
      [
        [0, 5000],
        [10, 8000],
        [20, 1000],
      ],
      { 20: 16, 9009: 16, 9010: 18 },
    ],
    [
      32,
      [
        [0, 0],
        [10, 0],
        [200, 0],
      ],
      { 200: 16, 450: 16, 1450: 18 },
    ],
    // Again too fast: half of what it had come to.
    [
      32,
      [
        [0, 0],
        [4250, 0],
      ],
      { 4249: 22, 4250: 12, 5500: 14 },
    ],
    // Never none; and out of one it comes back.
    [
      8,
      [
        [0, 0],
        [300, 0],
        [600, 0],
        [900, 0],
        [1200, 0],
      ],
      { 1200: 1, 2450: 2, 9000: 8 },
    ],
    [1, [[0, 1000]], { 0: 1, 1000: 1, 5000: 1 }],
  ] as const)('of %i, refused at and asked to wait %j: %j', (most, refusals, expected) => {
    for (const [at, width] of Object.entries(expected)) {
      let pace = fullPace(most);
      for (const [moment, waitMs] of refusals) if (moment <= Number(at)) pace = slowed(pace, moment, waitMs);
      expect([at, widthAt(pace, Number(at))]).toEqual([at, width]);
    }
  });
});
