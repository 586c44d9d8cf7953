/** The types of an audit's input: the contents of a ledger. States are texts, because a ledger may be damaged. */
import type { TableFault } from '../base/faults/audit-finding.ts';
import type { Each } from '../base/words.ts';
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

export interface EvidenceRow
  extends ImportedRow,
    Each<'batch state tag unit currency country destination digest', string>,
    Each<
      'fromCountry collection merchantId paymentId paymentStatus content payeeId payeeName payeeAccount',
      string | null
    >,
    Each<'revision amount attempts', number>,
    Each<'submittedAt acceptedAt settledAt', number | null> {
  /** The payment's amount, if a person accepted a payment whose amount differs from the sheet's; else null. */
  readonly paidAmount: number | null;
  readonly reason: StoredReasons | null;
  /** Details of the payment as the service returned them: statusLog, amountSettled, otcFees, deposit details. */
  readonly serviceDetails: string | null;
  /** The time of the last attempt on several clocks (domain/sending/doubt.ts); null before the first attempt. */
  readonly sentMoment: string | null;
  /** When a complete list scan after the horizon first lacked the payment, in the format of `sentMoment`. */
  readonly missed: string | null;
  /** A JSON list of the payments that a person allowed the row to repeat. */
  readonly allowed: string | null;
  /** Null until a second person releases the changed account. Then the row's digest and the payee's id or name. */
  readonly released: string | null;
  /** The evidence that ended the row's doubt, such as list scans or a person's statement. */
  readonly evidence: StoredReasons | null;
  /** JSON (`Closed`); null for an open row. */
  readonly closed: string | null;
  /** A digest of the values that make two rows look the same to a person. */
  readonly likeness: string;
}

export interface EvidenceBatch extends ImportedBatch {
  /** Identifies the payer at the service: base URL, key, type of token, and user. */
  readonly identity: string;
  readonly service: string;
  readonly sheet: number;
  /** Payrun sends no row of the batch before this time, because another ledger has worked on the batch. */
  readonly quietUntil: number | null;
  /** When a list scan showed a payment that this ledger had just made. Before that, the list may lack new payments. */
  readonly listedAt: number | null;
}

interface EvidenceDocument extends ImportedDocument {
  readonly state: string;
  readonly documentId: string | null;
  readonly reason: StoredReasons | null;
}

export interface EvidenceMerchant extends Each<'identity destination country state content', string> {
  readonly merchantId: string | null;
  readonly reason: StoredReasons | null;
  readonly number: number;
}

/** `home`: a `Home` as JSON; null if the ledger never sent payments. */
export interface EvidenceSelf {
  readonly id: string;
  readonly home: string | null;
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
  gone(): Iterable<{ readonly paymentId: string; readonly reason: string | null; readonly at: number }>;
  copies(): Iterable<Each<'payout copy', number> & { readonly known: string | null }>;
  earlier(): Iterable<Each<'payout revision', number> & { readonly tag: string; readonly paymentId: string | null }>;
}

// A damaged ledger or trail can have a state that Payrun does not know. No move has this state, and it is its own word.
const isState = (state: string): state is RowState => rowStates.some((one) => one === state);

export const isMove = (from: string, to: string): boolean => isState(from) && isState(to) && mayMoveRow(from, to);

export const statusOf = (state: string, closed: string | null): string =>
  isState(state) ? wordOfRow({ state, closed }) : state;
