/** How many rows a member of a fleet may claim, of the room that all share. */
import { describe, expect, it } from 'vitest';
import { mayClaim } from '../../src/domain/sending/fleet-share.ts';

describe('what a member may claim', () => {
  it.each([
    // room, under way, own, members, free -> rows
    [8, 0, 0, 1, 8, 8],
    [8, 0, 0, 1, 3, 3],
    [8, 0, 0, 2, 8, 4],
    [8, 0, 0, 3, 8, 3],
    [8, 4, 0, 2, 8, 4],
    [8, 8, 0, 2, 8, 0],
    [8, 6, 2, 2, 8, 2],
    [8, 4, 4, 2, 8, 0],
    // Room that was made narrower, and members that nobody hears of any more, whose rows are under way.
    [4, 8, 2, 2, 8, 0],
    [8, 7, 0, 1, 8, 1],
    // More members than room.
    [1, 0, 0, 4, 8, 1],
    [1, 1, 0, 4, 8, 0],
    [8, 0, 0, 0, 8, 8],
  ])('room %i, under way %i, own %i, members %i, free %i: %i', (room, underWay, own, members, free, rows) => {
    expect(mayClaim({ room, underWay, own, members, free })).toBe(rows);
  });
});
