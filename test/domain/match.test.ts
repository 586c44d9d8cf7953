/** The table of duplicates, with a copy of its own: what becomes of a row that agrees with another payment. */
import { describe, expect, it } from 'vitest';
import { judgeMatch, type MatchDecision, type MatchFacts, type Standing } from '../../src/domain/sending/match.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-11-30T09:00:00Z');
const none = { isHere: false, isListed: false, wasMeanwhile: false };

const verdict = (facts: Partial<MatchFacts> & Pick<MatchFacts, 'differs' | 'standing'>, days: number | null) =>
  judgeMatch({ ...none, at: days === null ? null : now - days * day, ...facts }, { now, windowDays: 35 })?.decision ??
  null;

type Cell = readonly [days: number | null, decision: MatchDecision | null];

/** For each kind of other payment: by its age in days, the decision for a same payment, and for a nearly same one. */
const cells: readonly [
  what: string,
  facts: Partial<MatchFacts>,
  Standing,
  same: readonly Cell[],
  near: readonly Cell[],
][] = [
  [
    'of another batch, paid',
    {},
    'ended',
    [
      [0, 'hold'],
      [31, 'hold'],
      [35, 'hold'],
      [35.1, null],
      [null, 'hold'],
    ],
    [
      [0, 'warning'],
      [5, 'warning'],
      [5.1, null],
      [400, null],
      [null, 'warning'],
    ],
  ],
  [
    'of another batch, not ended',
    {},
    'open',
    [
      [0, 'hold'],
      [36, 'hold'],
      [400, 'hold'],
      [null, 'hold'],
    ],
    [
      [0, 'warning'],
      [5, 'warning'],
      [5.1, null],
    ],
  ],
  [
    'of another batch, sent while the row waited',
    { wasMeanwhile: true },
    'ended',
    [
      [0, 'hold'],
      [35, 'hold'],
      [35.1, null],
    ],
    [
      [0, 'hold'],
      [35, 'hold'],
      [35.1, null],
    ],
  ],
  ['of another batch, waiting', {}, 'waits', [[null, 'warning']], [[null, 'warning']]],
  ['of this batch, unsent, and in an older sheet', { isHere: true }, 'waits', [[null, 'hold']], [[null, null]]],
  [
    'of this batch, paid, and in its newest sheet',
    { isHere: true, isListed: true },
    'ended',
    [
      [0, 'hold'],
      [400, 'hold'],
    ],
    [
      [0, 'warning'],
      [5, 'warning'],
      [5.1, null],
    ],
  ],
  [
    'of this batch, paid, and not in its newest sheet',
    { isHere: true },
    'ended',
    [
      [0, 'hold'],
      [400, 'hold'],
    ],
    [
      [0, 'hold'],
      [400, 'hold'],
    ],
  ],
  ['of this batch, closed by a person', { isHere: true }, 'closed', [[null, 'hold']], [[null, 'hold']]],
];

describe.each(cells)('a payment %s', (_what, facts, standing, same, near) => {
  it.each(same)('that is the same, of %s days ago: %s', (days, decision) => {
    expect(verdict({ ...facts, differs: 'nothing', standing }, days)).toBe(decision);
  });

  it.each(near)('that is nearly the same, of %s days ago: %s', (days, decision) => {
    for (const differs of ['amount', 'account', 'reference'] as const)
      expect(verdict({ ...facts, differs, standing }, days)).toBe(decision);
  });
});

it('holds a payment of another batch for as many days as duplicates.window says', () => {
  const at = (days: number) => ({
    ...none,
    differs: 'nothing' as const,
    standing: 'ended' as const,
    at: now - days * day,
  });
  expect(judgeMatch(at(6), { now, windowDays: 6 })?.decision).toBe('hold');
  expect(judgeMatch(at(7), { now, windowDays: 6 })?.decision).toBe('warning');
});
