/** The words of what an audit finds. Elsewhere findings are compared by their codes. */
import { expect, it } from 'vitest';
import type { FindingCode } from '../../src/base/faults/audit-finding.ts';
import { findingLine, findingWords } from '../../src/messages/findings.ts';

const said: Readonly<Record<FindingCode, readonly [what: string, words: string]>> = {
  changed: ['content', 'the content was changed'],
  damaged: ['row 3 missing from index', 'the database is damaged: row 3 missing from index'],
  impossible: ['move', 'the move is impossible for a row'],
  missing: ['row', 'the row is missing'],
  moved: ['row k1', 'the row k1 stands in another line'],
  'not-in-trail': ['batch', 'the trail lacks the batch'],
  'signature-does-not-count': ["'Esi'", "the signature of 'Esi' does not count"],
  twice: ['row', 'the row is there more than once'],
  unexpected: ['file', 'the file is unexpected'],
  'unlike-content': ['amount', "the amount differs from the row's content"],
  'unlike-ledger': ['cell', 'the cell differs from the ledger'],
  'unlike-pack': ['last hash', 'the last hash differs from the rest of the pack'],
  'unlike-trail': ['state', 'the state differs from the trail'],
  unlinked: ['hash', 'the hash does not follow from the entry before: entries were changed, moved or removed'],
  unlogged: ['table gone', 'the table gone is unlogged: it is emptied when the server crashes'],
  unreadable: ['manifest', 'the manifest cannot be read'],
};

it.each(Object.entries(said))('%s', (code, [what, words]) => {
  expect(findingWords({ code: code as FindingCode, what })).toBe(words);
});

it('a line of the report names the place, and both values', () => {
  const where = { file: '/w/nov.csv', line: 4, entry: 9, batch: 'nov', row: 'k1', number: 3, column: 'state' };
  expect(findingLine({ where, code: 'unlike-trail', what: 'state', expected: 'paid', found: 'held' })).toBe(
    "  file nov.csv, line 4, entry 9, batch 'nov', row 'k1' (number 3), column 'state': the state differs from the trail (expected 'paid', found 'held')",
  );
  const unread = { where: { document: 'a.pdf', merchant: 'm' }, code: 'unreadable', what: 'file' } as const;
  expect(findingLine({ ...unread, expected: null, found: 'no such file' })).toBe(
    "  merchant 'm', document 'a.pdf': the file cannot be read (no such file)",
  );
});
