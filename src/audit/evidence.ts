/** The types of an audit's input: the contents of a ledger. States are texts, because a ledger may be damaged. */
import type { TableFault } from '../base/faults/audit-finding.ts';
import { mayMoveRow, type RowState, rowStates, wordOfRow } from '../domain/rows/row-states.ts';
import type { StoredReasons } from '../domain/sending/reason.ts';
import type { ImportedBatch, ImportedDocument, ImportedRow, ImportedSheet } from './bulk.ts';

export interface TrailLine {
  readonly seq: number;
  readonly text: string;
  readonly hash: string;
  /** The row's id in the ledger. Null if the entry is not about exactly one row; undefined in an exported trail. */
  readonly payout?: number | null;
}

export interface EvidenceRow extends ImportedRow {
  readonly batch: string;
  readonly state: string;
  readonly revision: number;
  readonly tag: string;
  readonly amount: number;
  readonly unit: string;
  readonly currency: string;
  readonly fromCountry: string | null;
  readonly country: string;
  readonly destination: string;
  readonly collection: string | null;
  readonly merchantId: string | null;
  readonly paymentId: string | null;
  readonly paidAmount: number | null;
  readonly paymentStatus: string | null;
  readonly reason: StoredReasons | null;
  readonly attempts: number;
  readonly submittedAt: number | null;
  readonly acceptedAt: number | null;
  readonly settledAt: number | null;
  readonly serviceDetails: string | null;
  readonly sentMoment: string | null;
  readonly missed: string | null;
  readonly allowed: string | null;
  readonly released: string | null;
  readonly evidence: StoredReasons | null;
  readonly closed: string | null;
  readonly digest: string;
  readonly likeness: string;
  readonly content: string | null;
  readonly payeeId: string | null;
  readonly payeeName: string | null;
  readonly payeeAccount: string | null;
}

export interface EvidenceBatch extends ImportedBatch {
  readonly identity: string;
  readonly service: string;
  readonly sheet: number;
  readonly quietUntil: number | null;
  readonly listedAt: number | null;
}

interface EvidenceDocument extends ImportedDocument {
  readonly state: string;
  readonly documentId: string | null;
  readonly reason: StoredReasons | null;
}

interface EvidenceMerchant {
  readonly identity: string;
  readonly destination: string;
  readonly country: string;
  readonly state: string;
  readonly merchantId: string | null;
  readonly content: string;
  readonly reason: StoredReasons | null;
  readonly number: number;
}

/** `path`: where the ledger was when it last sent payments; null if it never sent. */
export interface EvidenceSelf {
  readonly id: string;
  readonly path: string | null;
}

export interface Evidence {
  faults(): readonly TableFault[];
  /** Returns the ledger's id and path. Only a damaged ledger gives none or several. */
  self(): readonly EvidenceSelf[];
  trail(): Iterable<TrailLine>;
  rows(): Iterable<EvidenceRow>;
  strayContents(): Iterable<{ readonly payout: number }>;
  batches(): Iterable<EvidenceBatch>;
  sheets(): Iterable<ImportedSheet & { readonly batch: string }>;
  invalid(): Iterable<{
    readonly sheet: number;
    readonly number: number;
    readonly payout: number | null;
    readonly problems: string;
  }>;
  documents(): Iterable<EvidenceDocument>;
  merchants(): Iterable<EvidenceMerchant>;
  gone(): Iterable<{ readonly paymentId: string; readonly reason: string; readonly at: number }>;
  copies(): Iterable<{
    readonly payout: number;
    readonly copy: number;
    readonly known: string | null;
  }>;
  earlier(): Iterable<{
    readonly tag: string;
    readonly payout: number;
    readonly revision: number;
    readonly paymentId: string | null;
  }>;
}

// A damaged ledger or trail can have a state that Payrun does not know. No move has this state, and it is its own word.
const isState = (state: string): state is RowState => rowStates.some((one) => one === state);

export const isMove = (from: string, to: string): boolean => isState(from) && isState(to) && mayMoveRow(from, to);

export const statusOf = (state: string, closed: string | null): string =>
  isState(state) ? wordOfRow({ state, closed }) : state;
