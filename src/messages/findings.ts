/** The words of an audit's findings. */
import type { AuditFinding, FindingCode, FindingPlace } from '../base/faults/audit-finding.ts';
import { quoted, wordsIn } from '../base/words.ts';
import { typed } from './format/program.ts';
import { isoTimeWords } from './format/times.ts';

const words: Readonly<Record<FindingCode, (what: string) => string>> = {
  changed: (what) => `the ${what} was changed`,
  damaged: (what) => `the ${what} is damaged`,
  impossible: (what) => `the ${what} is impossible for a row`,
  missing: (what) => `the ${what} is missing`,
  moved: (what) => `the ${what} stands in another line`,
  'not-in-trail': (what) => `the trail lacks the ${what}`,
  older: (what) =>
    `the ${what} is older than the ledger, so its cells were not compared: write it again with ${typed('report')}, or compare it with an exported trail`,
  'signature-does-not-count': (what) => `the ${what} does not count`,
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

/** The parts of a place, in their order. */
const places: readonly (keyof FindingPlace)[] = wordsIn(
  'file byte transaction sheet line entry batch sheetId row number id pair merchant document payment tag approver table',
  'column type name',
);
const placeWords: Readonly<Partial<Record<keyof FindingPlace, string>>> = {
  sheetId: 'accepted sheet',
  id: 'row id',
  pair: 'row ids',
};

/** How a found value is shown that is no quotation: a reason in words, or a time. */
const foundWords: { readonly [C in FindingCode]?: (found: string) => string } = {
  damaged: (why) => why,
  older: (at) => `it shows the batch as of ${isoTimeWords(at)}`,
  'signature-does-not-count': (why) => why,
  unreadable: (why) => why,
};
const found = (code: FindingCode, value: string | null) =>
  (value === null ? undefined : foundWords[code]?.(value)) ?? `found ${valueWords(value)}`;

const valueWords = (value: string | null) => (value === null ? 'nothing' : quoted(value));

/** The code of a subject is its noun. */
export const findingWords = ({ code, what }: Pick<AuditFinding, 'code' | 'what'>): string =>
  words[code](what.replaceAll('-', ' '));

export function findingLine({ where, expected, found: value, ...fact }: AuditFinding): string {
  const place = places.flatMap((name) => {
    const value = where[name];
    if (value === undefined) return [];
    const shown = name === 'file' ? String(value).replace(/.*[\\/]/, '') : value;
    return [`${placeWords[name] ?? name} ${typeof shown === 'number' ? shown : quoted(shown)}`];
  });
  const values = [
    expected.length === 0 ? null : `expected ${expected.map(valueWords).join(' or ')}`,
    value === undefined ? null : found(fact.code, value),
  ].filter((value) => value !== null);
  const start = place.length === 0 ? '' : `${place.join(', ')}: `;
  return `  ${start}${findingWords(fact)}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
}
