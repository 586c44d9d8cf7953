import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldTag, isTag, tagOf } from '../../src/domain/rows/tag.ts';

describe('tag', () => {
  // Computed by another program from the same rule: HMAC-SHA-256 of the JSON array, 95 bits in Crockford's base 32.
  it.each([
    ['2026-11', 'A-1', 0, 'qhm6cmpejz1gbekknktn'],
    ['2026-11', 'A-1', 1, 'qkcbf8kr5rx2gckt7283'],
    ['novembre é', 'k"1', 0, 'qe7f3st6xtjw2y7t1j1w'],
  ] as const)('of %j, %j, %j is %j', (batch, key, revision, tag) => expect(tagOf(batch, key, revision)).toBe(tag));

  it('is short, lower case and without letters that are misread', () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(9), (batch, key, revision) =>
        /^q[0-9a-hjkmnp-tv-z]{19}$/.test(tagOf(batch, key, revision)),
      ),
    ));

  it('differs wherever batch, key or revision differ, also where their texts run together', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), fc.string(), fc.nat(3)), {
          selector: (one) => JSON.stringify(one),
          maxLength: 20,
        }),
        (rows) => new Set(rows.map((row) => tagOf(...row))).size === rows.length,
      ),
    ));

  it.each([
    ['QABC', 'qabc'],
    [' q1 ', 'q1'],
    ['', null],
    [null, null],
    [7, null],
    [{ trim: 1 }, null],
  ])('%j is compared as %j', (tag, folded) => expect(foldTag(tag)).toBe(folded));
});

describe('what can be a tag of ours', () => {
  it.each([
    ['qhm6cmpejz1gbekknktn', true],
    ['q0123456789abcdefghj', true],
    ['Qhm6cmpejz1gbekknktn', false],
    ['rhm6cmpejz1gbekknktn', false],
    ['qhm6cmpejz1gbekknkt', false],
    ['qhm6cmpejz1gbekknktnn', false],
    ['xqhm6cmpejz1gbekknktn', false],
    // i, l, o and u are letters of no tag.
    ['qhm6cmpejz1gbekknkti', false],
    ['qhm6cmpejz1gbekknktu', false],
    ['', false],
    [null, false],
  ])('%j: %j', (tag, ours) => expect(isTag(tag)).toBe(ours));
});
