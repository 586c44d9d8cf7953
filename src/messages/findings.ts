/** The words of an audit's findings. */
import type { AuditFinding, FindingCode } from '../base/faults/audit-finding.ts';
import { quoted } from '../base/words.ts';

const words: Readonly<Record<FindingCode, (what: string) => string>> = {
  changed: (what) => `the ${what} was changed`,
  damaged: (what) => `the database is damaged: ${what}`,
  impossible: (what) => `the ${what} is impossible for a row`,
  missing: (what) => `the ${what} is missing`,
  moved: (what) => `the ${what} stands in another line`,
  'not-in-trail': (what) => `the trail lacks the ${what}`,
  'signature-does-not-count': (what) => `the signature of ${what} does not count`,
  twice: (what) => `the ${what} is there more than once`,
  unexpected: (what) => `the ${what} is unexpected`,
  'unlike-content': (what) => `the ${what} differs from the row's content`,
  'unlike-ledger': (what) => `the ${what} differs from the ledger`,
  'unlike-pack': (what) => `the ${what} differs from the rest of the pack`,
  'unlike-trail': (what) => `the ${what} differs from the trail`,
  unlinked: (what) => `the ${what} does not follow from the entry before: entries were changed, moved or removed`,
  unlogged: (what) => `the ${what} is unlogged: it is emptied when the server crashes`,
  unreadable: (what) => `the ${what} cannot be read`,
};

/** Codes of findings in which the found value is a reason in words. */
const saysWhy: ReadonlySet<FindingCode> = new Set(['signature-does-not-count', 'unreadable']);

export const findingWords = ({ code, what }: Pick<AuditFinding, 'code' | 'what'>): string => words[code](what);

export function findingLine({ where, expected, found, ...fact }: AuditFinding): string {
  const { entry, batch, row, number, merchant, document, file, sheet, line, column } = where;
  const places = [
    file === undefined ? null : `file ${file.replace(/.*[\\/]/, '')}`,
    sheet === undefined ? null : `sheet ${sheet}`,
    line === undefined ? null : `line ${line}`,
    entry === undefined ? null : `entry ${entry}`,
    batch === undefined ? null : `batch ${quoted(batch)}`,
    row === undefined ? null : `row ${quoted(row)}${number === undefined ? '' : ` (number ${number})`}`,
    merchant === undefined ? null : `merchant ${quoted(merchant)}`,
    document === undefined ? null : `document ${quoted(document)}`,
    column === undefined ? null : `column ${quoted(column)}`,
  ].filter((place) => place !== null);
  const values = [
    expected === null ? null : `expected ${quoted(expected)}`,
    found === null ? null : saysWhy.has(fact.code) ? found : `found ${quoted(found)}`,
  ].filter((value) => value !== null);
  const start = places.length === 0 ? '' : `${places.join(', ')}: `;
  return `  ${start}${findingWords(fact)}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
}
