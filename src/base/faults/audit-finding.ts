/** The findings of an audit. `src/messages/findings.ts` has their texts. */
import { type Each, type Words, wordsIn } from '../words.ts';

/**
 * `row` is the row's key in its batch, and `number` the row number that the spreadsheet shows. `id` is the row's id in the
 * ledger, and `pair` has the ids of a row and its possible copy. `sheetId` is the id of an accepted sheet in the ledger.
 * `sheet`, `line` and `column` give the place in a result file; `transaction` counts in an answer file; `byte` is the first
 * that differs. `name` is a table, index, trigger or rule of the database; `table`, `column` and `type` give a column.
 */
export type FindingPlace = Partial<
  Each<'entry number id sheetId line transaction byte', number> &
    Each<'batch row pair merchant document payment tag approver file sheet column name table type', string>
>;

export type FindingCode = Words<
  | 'changed damaged impossible missing moved not-in-trail older signature-does-not-count twice unexpected'
  | 'unlike-content unlike-ledger unlike-pack unlike-trail unlinked unlogged unreadable'
>;

const subjects = wordsIn(
  'archive batch cell column content copy country database digest-of-rows earlier-state earlier-tag',
  'earliest-sending-time entry entry-count file hash id identity import imported-content index invalid-row',
  'invalid-row-count last-entry last-hash last-line ledger ledger-home ledger-id line list-of-approvals',
  'list-of-decisions list-of-rows list-of-sheets list-of-totals list-scan-time lost-payment',
  'manifest merchant move number pack plan reading reason result row row-content row-count row-id rule',
  'service sheet signature state table transaction transaction-count trigger value view',
);
export type FindingSubject = (typeof subjects)[number];

export interface AuditFinding {
  readonly where: FindingPlace;
  readonly code: FindingCode;
  readonly what: FindingSubject;
  /** The possible values; null for the empty value. */
  readonly expected: readonly (string | null)[];
  /** Left out if the finding is about no value. */
  readonly found?: string | null;
}

export type TableFault = Omit<AuditFinding, 'expected'>;
