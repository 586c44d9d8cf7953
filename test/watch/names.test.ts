/** What a file in a hot folder is by its name, and what becomes of a sheet by how its run ended: as tables. */
import { describe, expect, it } from 'vitest';
import type { End } from '../../src/domain/sending/end.ts';
import { againAt, isDue, type RunEnd, standingOf } from '../../src/watch/answers.ts';
import type { HotJob } from '../../src/watch/hot-folder.ts';
import { answerName, answers, goesWith, isTooLong, kindOfName, marks } from '../../src/watch/names.ts';

it.each([
  ['november.csv', 'sheet'],
  ['NOVEMBER.XLSX', 'sheet'],
  ['old.xls', 'sheet'],
  ['pain.xml', 'sheet'],
  ['november.checked.xlsx', 'sheet'],
  ['november.csv.tmp', 'copying'],
  ['november.csv.part', 'copying'],
  ['november.csv.filepart', 'copying'],
  ['november.xlsx.crdownload', 'copying'],
  ['.november.csv.aB3xYz', 'copying'],
  ['~$november.xlsx', 'copying'],
  ['.~lock.november.csv#', 'copying'],
  ['november.csv~', 'copying'],
  ['november.csv.done', 'mark'],
  ['november.READY', 'mark'],
  ['november.totals.json', 'with'],
  ['november.plan.json', 'with'],
  ['november.plan-2.json', 'with'],
  ['november.plan.html', 'with'],
  ['november.plan.Kofi Boateng.sig.json', 'with'],
  ['invoice.pdf', 'document'],
  ['scan.JPEG', 'document'],
  ['notes.docx', 'strange'],
  ['november', 'strange'],
])('%s is %s', (name, kind) => {
  expect(kindOfName(name)).toBe(kind);
});

it.each([
  ['november.totals.json', 'november.csv', true],
  ['november.plan.Kofi.sig.json', 'november.xlsx', true],
  ['november.totals.json', 'november.checked.xlsx', true],
  ['november-2.totals.json', 'november.csv', false],
  ['november.b.totals.json', 'november.csv', false],
  ['november.b.plan.json', 'november.csv', false],
])('%s goes with %s: %s', (name, sheet, goes) => {
  expect(goesWith(name, sheet)).toBe(goes);
});

it.each([
  ['november.csv.done', 'november.csv', true],
  ['november.ready', 'november.csv', true],
  ['november', 'november.csv', false],
  ['december.done', 'november.csv', false],
])('%s marks %s: %s', (name, sheet, does) => {
  expect(marks(name, sheet)).toBe(does);
});

it.each([
  ['november.ACK', true],
  ['november.NACK', true],
  ['november.DUPS', true],
  ['november.RESULT.xlsx', true],
  ['november.CHECKED.xlsx', true],
  ['november.ANSWER.xml', true],
  ['november.ACK-2', true],
  ['november.RESULT-2.csv', true],
  ['november-2.ACK', false],
  ['november.b.ACK', false],
  ['november.b.RESULT.csv', false],
  ['november.csv', false],
])('%s is an answer of november: %s', (file, is) => {
  expect(answers(file, 'november')).toBe(is);
});

it('answers have short names of their own, whatever the sheet is called', () => {
  expect(['november.csv', 'november.checked.xlsx', 'november.CHECKED.xlsx'].map((name) => answerName(name, 1))).toEqual(
    ['november', 'november', 'november'],
  );
  expect(answerName('november.csv', 3)).toBe('november-3');
  const long = `${'ü'.repeat(120)}.csv`;
  expect(isTooLong(long)).toBe(true);
  expect(Buffer.byteLength(answerName(long, 2))).toBeLessThan(130);
});

const ended = (end: End, code: string | null, began = false, outcome: object | null = null): RunEnd => ({
  end,
  exit: 0,
  outcome: outcome as RunEnd['outcome'],
  failure: code === null ? null : ({ code, facts: {} } as RunEnd['failure']),
  began,
});

describe('what becomes of a sheet', () => {
  it.each<[string, RunEnd, boolean, HotJob['state']]>([
    ['paid', ended('done', null, false, {}), false, 'ended'],
    ['some unpaid', ended('unpaid', null, false, {}), false, 'ended'],
    ['rows to mend', ended('sheet', null, false, {}), false, 'refused'],
    ['in doubt', ended('doubt', null, false, {}), false, 'open'],
    ['pending', ended('later', null, true, {}), false, 'open'],
    ['an alarm', ended('alarm', 'PAID_TWICE', false, {}), false, 'open'],
    ['no approval yet', ended('rule', 'APPROVALS_TOO_FEW'), false, 'waits'],
    ['no totals yet', ended('rule', 'TOTALS_DIFFER'), false, 'waits'],
    ['other totals', ended('rule', 'TOTALS_DIFFER'), true, 'refused'],
    ['no policy yet', ended('rule', 'POLICY_NOT_FOUND'), false, 'waits'],
    ['another plan of its batch waits', ended('rule', 'PROPOSAL_WAITS'), false, 'open'],
    ['its payer approved it', ended('rule', 'OWN_APPROVAL'), false, 'open'],
    ['its plan expired', ended('rule', 'PLAN_EXPIRED'), false, 'refused'],
    ['looks paid', ended('rule', 'SHEET_LOOKS_PAID'), false, 'refused'],
    ['no sheet', ended('usage', 'FILE_UNREADABLE'), false, 'refused'],
    ['no room for its copy', ended('machine', 'DISK_UNWRITABLE'), false, 'open'],
    ['its copy is gone', ended('usage', 'FILE_UNREADABLE', true), false, 'open'],
    ['its batch runs under another key', ended('rule', 'IDENTITY_CHANGED', true), false, 'open'],
    ['settings that cannot be read', ended('usage', 'CONFIG'), false, 'open'],
    ['the ledger is held', ended('busy', 'LEDGER_BUSY'), false, 'open'],
    ['no service', ended('service', 'SERVICE_UNREACHABLE'), false, 'open'],
    ['a bug', ended('machine', 'FAILED'), false, 'open'],
  ])('%s', (_, end, hasTotals, state) => {
    expect(standingOf(end, hasTotals).state).toBe(state);
  });

  it('what is open is run again, ever more seldom, and never put off by a clock that was set back', () => {
    const now = Date.parse('2026-11-30T10:00:00Z');
    const open = ended('service', 'SERVICE_UNREACHABLE');
    const laterBy = (tries: number) => Date.parse(againAt(standingOf(open, false), open, tries, now) ?? '') - now;
    expect([1, 2, 3, 9, 99].map((tries) => laterBy(tries) / 1000)).toEqual([30, 60, 120, 900, 900]);
    expect(againAt(standingOf(ended('busy', 'LEDGER_BUSY'), false), ended('busy', 'LEDGER_BUSY'), 9, now)).toBe(null);
    expect(againAt(standingOf(ended('done', null), false), ended('done', null), 1, now)).toBe(null);
    const taken = { again_at: '2026-11-30T10:10:00Z' } as HotJob;
    expect([now, now + 600_000, now - 3_600_000].map((moment) => isDue(taken, moment))).toEqual([false, true, true]);
  });
});
