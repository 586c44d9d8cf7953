/** Declares the records that the ledger stores and returns. */
import type { ImportedSheet } from '../audit/bulk.ts';
import type { EvidenceBatch, EvidenceMerchant, EvidenceRow } from '../audit/evidence.ts';
import type { PayrunError } from '../base/errors.ts';
import type { Severity } from '../base/problem.ts';
import type { DepositDetail, ErrorCode } from '../base/refusal.ts';
import type { Each, Words } from '../base/words.ts';
import type { Payee } from '../domain/accounts/payee.ts';
import type { AmountUnit } from '../domain/rows/row.ts';
import type { Closed, DocumentState, MerchantState, RowState } from '../domain/rows/row-states.ts';
import type { MatchFacts } from '../domain/sending/match.ts';
import type { PaymentEnd } from '../domain/sending/payment.ts';
import type { StoredReasons } from '../domain/sending/reason.ts';

export interface DraftRow
  extends Each<'number amount', number>,
    Each<'key content currency country destination', string> {
  /** The id that the line has in its sheet; null for a line that only its content identifies. */
  readonly rowId: string | null;
  /** A digest of the values that decide who gets how much, at which account. */
  readonly digest: string;
  /** A digest of the values that make two rows look the same to a person. */
  readonly likeness: string;
  readonly unit: AmountUnit;
  readonly fromCountry: string | null;
  readonly collection: string | null;
  readonly payee: Payee;
  readonly documents: readonly DraftDocument[];
}

export interface DraftDocument extends Each<'name path sha256', string> {
  readonly sizeBytes: number;
}

export interface DraftTotal {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly from: string | null;
  readonly rows: number;
  readonly amount: bigint;
}

export interface ProblemKind {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
  readonly firstRow: number | null;
}

export interface BatchFacts extends Omit<EvidenceBatch, 'sheet'> {
  readonly sheet: SheetFacts;
}

export const isListed = ({ sheet }: Pick<LedgerRow, 'sheet'>, { listedSince }: Pick<BatchFacts, 'listedSince'>) =>
  sheet >= listedSince;

export interface SheetFacts extends Omit<ImportedSheet, 'options' | 'rowCount'> {
  /** The options of the first reading, so that Payrun can read the sheet again in the same way. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: number;
}

export interface ClosedRow extends Pick<Closed, 'by' | 'at'> {
  readonly why: string;
  readonly row: LedgerRow;
  readonly number: number;
}

export interface DraftBatch {
  readonly batch: string;
  readonly rows: number;
  /** Rows whose destination is the same in the draft, or whose amount and reference are the same. */
  readonly alike: number;
  /** Rows with the same content in the draft. */
  readonly same: number;
  /** The rows of the batch, in the draft or not, that are neither paid nor closed. */
  readonly open: number;
  readonly address: string;
  /** Rows with the same content that were paid. */
  readonly paid: number;
  /** Rows with the same content that are held and were never sent. */
  readonly held: number;
}

export interface MatchTimes {
  readonly address: string;
  /** The duplicate checks ignore payments of other batches that were paid before this time. */
  readonly since: number;
  readonly now: number;
}

export interface FoundMatch
  extends Omit<MatchFacts, 'isHere'>,
    Each<'number otherNumber amount', number>,
    Each<'name batch currency reference', string> {
  /** The id of the row to be sent; null if the ledger lacks that row. */
  readonly payout: number | null;
  readonly sentAt: number | null;
}

/** `copy` looks like `row`, and was sent after `row` had ended. If `row` is paid late, the payee is paid twice. */
export interface Copy {
  readonly row: number;
  readonly copy: number;
  readonly batch: string;
}

export interface LivingCopy {
  readonly row: LedgerRow;
  readonly copy: LedgerRow;
}

/** A payee's sums in one currency: `was` in an earlier batch, `now` in the draft. Null means no payment. */
export interface PayeeMoney extends Each<'was now number', number | null> {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly name: string | null;
}

export interface LastPaid extends Each<'batch was', string>, Each<'twin paidAt', number> {}

export interface KnownOtherwise extends LastPaid {
  readonly number: number;
  readonly content: string;
}

export interface OddPayee extends KnownOtherwise {
  /** 1 if the sheet also pays this name at a known account. The name may then belong to two people. */
  readonly ambiguous: 0 | 1;
}

export interface PlannedRow extends Pick<DraftRow, 'number' | 'key' | 'digest' | 'content'> {
  readonly state: RowState;
  readonly documents: readonly Pick<DraftDocument, 'name' | 'sha256' | 'sizeBytes'>[];
}

export interface PlannedMerchant extends Pick<LedgerMerchant, 'destination' | 'merchantId' | 'content' | 'number'> {
  readonly rows: number;
}

/** A row as an audit reads it, without what only an audit compares. */
export interface LedgerRow
  extends Omit<EvidenceRow, 'acceptedAt' | 'collection' | 'contentSheet' | 'digest' | 'likeness' | OfPayee> {
  readonly state: RowState;
  readonly content: string;
  readonly unit: AmountUnit;
}

type OfPayee = 'payeeId' | 'payeeName' | 'payeeAccount';

export interface SheetRow extends Pick<LedgerRow, ShownFact> {
  readonly alike: number | null;
}

type ShownFact = Words<
  | 'id batch key number state tag merchantId paymentId paymentStatus reason attempts submittedAt settledAt serviceDetails'
  | 'evidence closed'
>;

/** A null `paymentId` removes the payment from the row, because the payment belongs to another row. */
export interface RowFacts
  extends Partial<
    Pick<EvidenceRow, Words<'paymentId paidAmount paymentStatus reason missed closed revision tag'>> &
      Each<'merchantId serviceDetails sentMoment allowed released', string> &
      Each<'submittedAt acceptedAt settledAt', number>
  > {
  readonly attempted?: 1;
  readonly evidence?: StoredReasons;
}

export interface Move extends RowFacts {
  readonly row: LedgerRow;
  readonly from: RowState;
  readonly to: RowState;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** `content` is the canonical JSON of the first row that pays this merchant. Payrun creates the merchant from that row. */
export interface LedgerMerchant extends Omit<EvidenceMerchant, 'identity'> {
  readonly state: MerchantState;
}

/** The destination of a merchant, if the service's list shows only a part of the merchant's account. */
export const unclearDestination = '';

export interface SeenMerchant extends Each<'id destination name', string> {}

export interface LedgerDocument extends DraftDocument {
  readonly id: number;
  readonly row: number;
  readonly rowKey: string;
  readonly paymentId: string | null;
  readonly state: DocumentState;
  readonly reason: StoredReasons | null;
}

export interface CountLine extends DraftTotal {
  readonly state: RowState;
  readonly closed: boolean;
  /** False if the batch no longer contains these rows, because a newer sheet left them out. */
  readonly listed: boolean;
  /** The paid total minus the sheet's total. Not 0 if a person accepted a payment with another amount. */
  readonly differs: bigint;
}

export interface RowQuery {
  readonly batch?: string;
  /** Selects only open rows in these states. If absent, selects open and closed rows in all states. */
  readonly states?: readonly RowState[];
  readonly closed?: true;
  readonly since?: number;
  readonly afterId?: number;
  /** A span limits amounts in one country and currency. `beyond` selects rows outside a span, `within` all others. */
  readonly within?: readonly AmountSpan[];
  readonly beyond?: readonly AmountSpan[];
  readonly limit: number;
}

export interface AmountSpan extends Each<'country currency', string>, Each<'least most', number> {}

export interface SeenPayment
  extends Each<'tag merchantId reference status', string | null>,
    Each<'amount at', number | null> {
  readonly id: string;
  readonly ending: PaymentEnd;
  /** The latest time that the service's date can mean, because the date may lack its time of day or its zone. */
  readonly latest: number | null;
}

export interface Sighting {
  readonly row: LedgerRow;
  readonly seen: readonly { readonly revision: number; readonly payment: SeenPayment }[];
}

/** `reference` is the payment's, and empty if it is unknown. */
export interface SeenMatch
  extends MatchFacts,
    Each<'row number amount paidAmount', number>,
    Each<'paymentId currency reference', string> {}

export interface Timeline extends Each<'sent paid unpaid', readonly number[]> {
  /** In milliseconds since 1970. */
  readonly from: number;
  readonly stepMs: number;
  /** Rows that are held now and were never sent. No step counts these rows. */
  readonly held: number;
}

export interface DepositChange
  extends Each<'row number at', number>,
    Each<'key paymentId', string>,
    Each<'was now', readonly DepositDetail[]> {
  readonly known: string | null;
}

const intentForbidden: readonly ErrorCode[] = ['PAUSED', 'PROPOSAL_WAITS', 'STOPPED_BEFORE'];
/** True for the refusal of one intent by a hold or a stop. Any other PayrunError makes the whole group of writes fail. */
export const forbidsIntents = ({ code }: PayrunError): boolean => intentForbidden.includes(code);
