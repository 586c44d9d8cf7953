/** The findings of an audit. `src/messages/findings.ts` has their texts. */

export interface FindingPlace {
  readonly entry?: number;
  readonly batch?: string;
  /** The row's key in its batch. `number` is the row number that the spreadsheet shows. */
  readonly row?: string;
  readonly number?: number;
  readonly merchant?: string;
  readonly document?: string;
  /** The file of the finding. `sheet`, `line` and `column` give the place in a result file. */
  readonly file?: string;
  readonly sheet?: string;
  readonly line?: number;
  readonly column?: string;
}

export type FindingCode =
  | 'changed'
  | 'damaged'
  | 'impossible'
  | 'missing'
  | 'moved'
  | 'not-in-trail'
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

/** `what` is a column of the ledger, or words such as `sheet digest`. */
export interface AuditFinding {
  readonly where: FindingPlace;
  readonly code: FindingCode;
  readonly what: string;
  readonly expected: string | null;
  readonly found: string | null;
}

export type TableFault = Pick<AuditFinding, 'code' | 'what'>;
