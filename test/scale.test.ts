/** What a fleet takes: the calculation at the ends where it is known by hand, and the page that is made by it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hoursFor, taken } from '../bench/queueing.ts';
import { scalePage } from '../bench/scale.ts';

describe('a fleet', () => {
  it.each([
    // writer ms, member ms, room, members, latency, limit -> rows a second, what is full first
    // One row at a time: it meets no other, and takes the sum.
    [4, 6, 1, 1, 90, null, 10, 'the rows under way'],
    [4, 6, 1, 1, 0, null, 100, 'the workers'],
    // Two queues of the same length: room / (room + 1) of what one of them takes.
    [5, 5, 1, 1, 0, null, 100, 'the writer'],
    [5, 5, 3, 1, 0, null, 150, 'the writer'],
    // A long wait elsewhere: room / latency.
    [0.001, 0.001, 64, 4, 500, null, 128, 'the rows under way'],
    [0.001, 0.001, 8, 4, 200, null, 40, 'the rows under way'],
    // None: what is slowest alone counts.
    [5, 0.001, 64, 4, 0, null, 200, 'the writer'],
    [0.001, 20, 64, 1, 0, null, 50, 'the workers'],
    // Of a service that takes so many and no more.
    [0.001, 0.001, 64, 4, 500, 10, 10, 'the service'],
    [0.001, 0.001, 64, 4, 500, 1000, 128, 'the rows under way'],
  ] as const)('writer %d ms, member %d ms, room %i, %i members, %i ms, limit %s: %d rows/s, %s', (...row) => {
    const [writerMs, memberMs, room, members, latencyMs, limit, rate, first] = row;
    const found = taken({ writerMs, memberMs }, { room, members, latencyMs, limit });
    expect([found.rowsPerSecond / rate, found.first]).toEqual([expect.closeTo(1, 2), first]);
  });

  it('is never quicker than its slowest part, and never slower for more room or members', () => {
    for (const latencyMs of [0, 20, 500])
      for (const members of [1, 2, 8]) {
        let before = 0;
        for (const room of [1, 2, 8, 32, 64]) {
          const { rowsPerSecond, busy } = taken(
            { writerMs: 4, memberMs: 6 },
            { room, members, latencyMs, limit: null },
          );
          expect(Math.max(...Object.values(busy))).toBeLessThanOrEqual(1 + 1e-9);
          expect(rowsPerSecond).toBeGreaterThanOrEqual(before - 1e-9);
          before = rowsPerSecond;
        }
      }
  });

  it('needs its time for each row, and its leader’s beside it', () => {
    const costs = { writerMs: 1, memberMs: 0.001, leaderMs: 1, commits: 1, logBytes: 1, ledgerBytes: 1 };
    const fleet = { room: 64, members: 4, latencyMs: 0, limit: null };
    expect(hoursFor(costs, fleet, 3_600_000)).toBeCloseTo(2, 2);
  });
});

it('the tables of docs/explanation/scale.md are those of its constants: `npm run bench:scale` rewrites them', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../docs/explanation/scale.md'), 'utf8');
  expect(page).toBe(scalePage(page));
});
