/** The table of versions, with a copy of its own, and the reasons against a version in their order. */
import { describe, expect, it } from 'vitest';
import {
  type LineKind,
  lineKinds,
  type RowStanding,
  rowStandings,
  type VersionChange,
  type VersionOrder,
  versionTable,
  whyNoVersion,
} from '../../src/domain/rows/version-table.ts';

const copy: readonly (readonly [RowStanding, same: string, other: string, mistake: string, missing: string])[] = [
  ['may be paid', 'stays', 'refuses', 'refuses', 'stays'],
  ['closed in doubt', 'returns', 'refuses', 'refuses', 'stays'],
  ['closed', 'returns', 'returns', 'returns', 'stays'],
  ['unpaid', 'stays', 'changes', 'stays', 'ends'],
  ['never sent', 'stays', 'changes', 'becomes invalid', 'ends'],
];

it.each(copy)('says what a version does to a row that is %s', (standing, ...effects) => {
  expect(lineKinds.map((line) => versionTable[standing][line])).toEqual(effects);
});

it('has these rows alone', () => expect(copy.map(([standing]) => standing)).toEqual(rowStandings));

const none: Record<LineKind, number> = { same: 0, other: 0, mistake: 0, missing: 0 };

function change(cells: readonly `${RowStanding}/${LineKind}`[], more: Partial<VersionChange> = {}): VersionChange {
  const rows = Object.fromEntries(rowStandings.map((one) => [one, { ...none }])) as Record<RowStanding, typeof none>;
  for (const cell of cells) {
    const [standing, line] = cell.split('/') as [RowStanding, LineKind];
    rows[standing][line] += 1;
  }
  return { rows, added: 0, older: 0, hasSent: true, loose: 0, ...more };
}

const alone: VersionOrder = { add: false, drop: false, isPlanned: false };
const [add, drop, planned] = [{ add: true }, { drop: true }, { isPlanned: true }];

describe('the first reason against a version', () => {
  it.each<[VersionChange, Partial<VersionOrder>, ReturnType<typeof whyNoVersion>]>([
    [change(['may be paid/other', 'closed/same']), planned, 'changes-paid'],
    [change(['may be paid/mistake']), { ...add, ...drop, ...planned }, 'changes-paid'],
    [change(['closed in doubt/other']), planned, 'changes-paid'],
    [change(['closed in doubt/mistake']), planned, 'changes-paid'],
    [change(['closed in doubt/same']), {}, 'gives-back'],
    [change(['closed in doubt/same', 'closed in doubt/missing']), planned, null],
    [change(['closed/same']), { ...add, ...drop }, 'gives-back'],
    [change(['closed/other'], { hasSent: false }), {}, 'gives-back'],
    [change(['closed/mistake']), planned, null],
    [change(['never sent/other'], { older: 1, hasSent: false }), {}, 'gives-back'],
    [change(['never sent/other'], { older: 1 }), planned, null],
    [change(['never sent/other']), {}, null],
    [change(['never sent/other']), add, 'add-changes'],
    [change(['never sent/mistake']), add, 'add-changes'],
    [change(['unpaid/mistake']), add, null],
    [change(['unpaid/other'], { hasSent: false }), { ...add, ...planned }, 'add-changes'],
    [change(['unpaid/other']), { ...add, ...drop }, null],
    [change(['never sent/missing', 'unpaid/missing'], { added: 2 }), add, null],
    [change([], { added: 1, loose: 1 }), { ...add, ...planned }, 'add-ends'],
    [change([], { added: 1, loose: 1 }), { ...add, ...drop }, null],
    [change([], { added: 1 }), {}, 'adds'],
    [change([], { added: 1 }), planned, 'adds'],
    [change([], { added: 1 }), drop, 'adds'],
    [change([], { added: 1, hasSent: false }), {}, null],
    [change(['never sent/missing']), {}, 'drops'],
    [change(['unpaid/missing']), planned, 'drops'],
    [change(['unpaid/missing']), drop, null],
    [change(['unpaid/missing'], { hasSent: false }), {}, null],
    [change(['may be paid/missing', 'closed/missing', 'may be paid/same', 'unpaid/mistake']), {}, null],
  ])('%j, %j: %s', (given, order, why) => {
    expect(whyNoVersion(given, { ...alone, ...order })).toBe(why);
  });
});
