/** The findings of an audit. `src/messages/findings.ts` has their texts. */
import { wordsIn } from '../words.ts';

export interface FindingPlace {
  readonly entry?: number;
  readonly batch?: string;
  /** The row's key in its batch. `number` is the row number that the spreadsheet shows. */
  readonly row?: string;
  readonly number?: number;
  /** The row's id in the ledger. `pair` has the ids of a row and its possible copy. */
  readonly id?: number;
  readonly pair?: string;
  readonly merchant?: string;
  readonly document?: string;
  readonly payment?: string;
  readonly tag?: string;
  readonly approver?: string;
  /** The id of an accepted sheet in the ledger. */
  readonly sheetId?: number;
  /** The file of the finding. `sheet`, `line` and `column` give the place in a result file. */
  readonly file?: string;
  readonly sheet?: string;
  readonly line?: number;
  readonly column?: string;
  /** The number of a transaction in an answer file. */
  readonly transaction?: number;
  /** The first byte that differs. */
  readonly byte?: number;
  /** The name of a table, index, trigger or rule of the database. `table`, `column` and `type` give a column. */
  readonly name?: string;
  readonly table?: string;
  readonly type?: string;
}

export type FindingCode =
  | 'changed'
  | 'damaged'
  | 'impossible'
  | 'missing'
  | 'moved'
  | 'not-in-trail'
  | 'older'
  | 'signature-does-not-count'
  | 'twice'
  | 'unexpected'
  | 'unlike-content'
  | 'unlike-ledger'
  | 'unlike-pack'
  | 'unlike-trail'
  | 'unlinked'
  | 'unlogged'
  | 'unreadable';

/** Each code is a noun. */
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
