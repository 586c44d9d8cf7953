/** The words of what an audit finds. Elsewhere findings are compared by their codes. */
import { expect, it } from 'vitest';
import type { FindingCode, FindingSubject } from '../../src/base/faults/audit-finding.ts';
import { findingLine, findingWords } from '../../src/messages/findings.ts';

const said: Readonly<Record<FindingCode, readonly [what: FindingSubject, words: string]>> = {
  changed: ['content', 'the content was changed'],
  damaged: ['database', 'the database is damaged'],
  impossible: ['move', 'the move is impossible for a row'],
  missing: ['row', 'the row is missing'],
  moved: ['row', 'the row stands in another line'],
  'not-in-trail': ['batch', 'the trail lacks the batch'],
  older: [
    'result',
    'the result is older than the ledger, so its cells were not compared: write it again with payrun report, or compare it with an exported trail',
  ],
  'signature-does-not-count': ['signature', 'the signature does not count'],
  twice: ['row', 'the row is there more than once'],
  unexpected: ['file', 'the file is unexpected'],
  'unlike-content': ['value', "the value differs from the row's content"],
  'unlike-ledger': ['cell', 'the cell differs from the ledger'],
  'unlike-pack': ['last-hash', 'the last hash differs from the rest of the pack'],
  'unlike-trail': ['state', 'the state differs from the trail'],
  unlinked: ['hash', 'the hash does not follow from the entry before: entries were changed, moved or removed'],
  unlogged: ['table', 'the table is unlogged: it is emptied when the server crashes'],
  unreadable: ['manifest', 'the manifest cannot be read'],
};

it.each(Object.entries(said))('%s', (code, [what, words]) => {
  expect(findingWords({ code: code as FindingCode, what })).toBe(words);
});

it('an older result has the time of its last entry', () =>
  expect(
    findingLine({ where: {}, code: 'older', what: 'result', expected: [], found: '2026-11-30T07:05:00.000Z' }),
  ).toMatch(/ \(it shows the batch as of 2026-11-30 07:05:00 UTC\)$/));

it('a line of the report names the place, and the values', () => {
  const where = { file: '/w/nov.csv', line: 4, entry: 9, batch: 'nov', row: 'k1', number: 3, column: 'state' };
  expect(findingLine({ where, code: 'unlike-trail', what: 'state', expected: ['paid', null], found: 'held' })).toBe(
    "  file 'nov.csv', line 4, entry 9, batch 'nov', row 'k1', number 3, column 'state': the state differs from the trail (expected 'paid' or nothing, found 'held')",
  );
  const copy = { where: { pair: '12 15' }, code: 'missing', what: 'copy', expected: ['{}'], found: null } as const;
  expect(findingLine(copy)).toBe("  row ids '12 15': the copy is missing (expected '{}', found nothing)");
  expect(findingLine({ where: { sheetId: 2 }, code: 'unlike-trail', what: 'reading', expected: [] })).toBe(
    '  accepted sheet 2: the reading differs from the trail',
  );
});

it.each([
  [
    { document: 'a.pdf', merchant: 'm' },
    'unreadable',
    'file',
    "  merchant 'm', document 'a.pdf': the file cannot be read",
  ],
  [{}, 'damaged', 'database', '  the database is damaged'],
  [{ approver: 'Esi' }, 'signature-does-not-count', 'signature', "  approver 'Esi': the signature does not count"],
] as const)('the reason of %j %s stands as it was given', (where, code, what, line) => {
  expect(findingLine({ where, code, what, expected: [], found: 'row 3 missing' })).toBe(`${line} (row 3 missing)`);
});
