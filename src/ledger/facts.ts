/** The facts that the ledger stores and returns: batches, rows, merchants, documents, and payments seen in a list scan. */
import type { Severity } from '../base/problem.ts';
import type { Payee } from '../domain/accounts/payee.ts';
import type { AmountUnit } from '../domain/rows/row.ts';
import type { Closed, DocumentState, MerchantState, RowState } from '../domain/rows/row-states.ts';
import type { Differs, MatchFacts } from '../domain/sending/match.ts';
import type { PaymentEnd } from '../domain/sending/payment.ts';
import type { StoredReasons } from '../domain/sending/reason.ts';

export type TotalKey = {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly from: string | null;
};

export interface DraftRow {
  readonly number: number;
  readonly key: string;
  /** A digest of the values that decide what is paid to whom. */
  readonly digest: string;
  /** A digest of the values that make two rows look the same to a person. */
  readonly likeness: string;
  /** Canonical JSON of the whole row. */
  readonly content: string;
  readonly amount: number;
  readonly unit: AmountUnit;
  readonly currency: string;
  readonly fromCountry: string | null;
  readonly country: string;
  readonly destination: string;
  readonly collection: string | null;
  readonly payee: Payee;
  readonly documents: readonly DraftDocument[];
}

export interface DraftDocument {
  readonly name: string;
  /** An absolute path, with symbolic links resolved. */
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface DraftTotal extends TotalKey {
  readonly rows: number;
  readonly amount: bigint;
}

export interface ProblemKind {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
  readonly firstRow: number | null;
}

export interface BatchFacts {
  readonly name: string;
  /** Identifies the payer at the service: base URL, key, kind of token, user. */
  readonly identity: string;
  /** `sandbox` or the base URL, as shown to people. */
  readonly service: string;
  readonly tagScope: string;
  readonly createdAt: number;
  readonly repeatReason: string | null;
  /** When a list scan first showed a payment that this ledger had just made. Until then, the list may lack new payments. */
  readonly listedAt: number | null;
  /** Nothing is sent before this time (milliseconds since 1970), because another ledger has worked on the batch. */
  readonly quietUntil: number | null;
  readonly sheet: SheetFacts;
  /** The id of the newest sheet that was a whole list. A row that is only in older sheets is no longer in the batch. */
  readonly listedSince: number;
}

/** True for a row of the newest whole list, or of a sheet that was added to that list. */
export const isListed = ({ sheet }: Pick<LedgerRow, 'sheet'>, { listedSince }: Pick<BatchFacts, 'listedSince'>) =>
  sheet >= listedSince;

export interface SheetFacts {
  readonly id: number;
  /** The name of the person's file. `origin` is the file's absolute path. */
  readonly name: string;
  readonly origin: string;
  /** The path of the copy beside the ledger, which only the owner can read. Payrun always reads this copy. */
  readonly copy: string;
  readonly digest: string;
  readonly receivedAt: number;
  /** The options with which the sheet was read, so that it can be read again in the same way. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly invalid: number;
}

/** A row that a person closed and that the draft has. `number` is the row's number in the draft. */
export interface ClosedRow extends Pick<Closed, 'by' | 'at'> {
  readonly why: string;
  readonly key: string;
  readonly number: number;
}

/** A batch that has keys of the draft, with counts of the batch's rows. */
export interface DraftBatch {
  readonly batch: string;
  readonly rows: number;
  /** The number of the batch's rows with the same key and the same payment in the draft. */
  readonly same: number;
  /** The number of the batch's rows with the same key and payee in the draft, or the same key, amount and reference. */
  readonly alike: number;
  readonly address: string;
  /** The number of rows in `same` whose payment was requested. `paid` counts the rows in `same` that were paid. */
  readonly sent: number;
  readonly paid: number;
  /** The number of rows in `same` that are held and whose payment was never requested. */
  readonly held: number;
  /** The number of sent rows whose payment is different in the draft. */
  readonly changed: number;
  /** Numbers of the draft rows that differ from their sent row in one thing only. */
  readonly corrected: readonly number[];
  /** The number of sent rows whose line in the draft has a mistake. */
  readonly broken: number;
  /** When the newest row in `same` that is or may be paid was sent; null for none. */
  readonly sentAt: number | null;
}

/** When other payments count for a match, and at which service. */
export interface MatchTimes {
  readonly address: string;
  /** The earliest time at which an ended payment of another batch counts. */
  readonly since: number;
  readonly now: number;
}

/** A row of the ledger that agrees with a row to be sent. */
export interface FoundMatch extends Omit<MatchFacts, 'isHere' | 'at'> {
  /** The row's id in the ledger; null for a row of the draft that the ledger does not have. */
  readonly payout: number | null;
  readonly number: number;
  readonly batch: string;
  /** The other row's number in its own sheet. */
  readonly otherNumber: number;
  /** When the other row was sent; null if it was never sent. */
  readonly sentAt: number | null;
  /** Amount and reference of the other row. */
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
}

/** A row that was sent after a row with the same payment had ended unpaid. Both are paid if the older row is paid late. */
export interface Copy {
  readonly row: number;
  readonly copy: number;
  readonly batch: string;
}

export interface LivingCopy {
  readonly row: LedgerRow;
  readonly copy: LedgerRow;
}

export interface EarlierBatch {
  readonly batch: string;
  readonly file: string;
  readonly rows: number;
  /** 1: the rows are the same. 0: only the sums are the same. */
  readonly same: 0 | 1;
  /** When the batch last sent something; if it sent nothing, when its sheet was imported. */
  readonly at: number;
  readonly sent: 0 | 1;
}

/** A payee's sums in one currency, in an earlier batch and in the draft. Null if the payee gets nothing there. */
export interface PayeeMoney {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly was: number | null;
  readonly now: number | null;
  readonly number: number | null;
  /** The payee's name; set if the two sums differ. */
  readonly name: string | null;
}

interface LastPaid {
  readonly batch: string;
  readonly twin: number;
  readonly was: string;
  readonly paidAt: number;
}

export interface ChangedPayee extends LastPaid {
  readonly row: number;
}

export interface OddUnpaid extends Omit<OddPayee, 'number' | 'held'> {
  readonly key: string;
  readonly verdict: 'changed' | 'elsewhere' | 'new';
}

export interface OddPayee extends LastPaid {
  readonly number: number;
  readonly content: string;
  readonly held: 0 | 1;
  /** 1: the sheet has another row with this name and a known account, so these may be two people. 0: the sheet has no other row. */
  readonly ambiguous: 0 | 1;
}

export interface KnownOtherwise extends LastPaid {
  readonly number: number;
  readonly content: string;
}

export interface DocumentAgain {
  readonly number: number;
  readonly name: string;
  readonly batch: string;
  readonly twin: number;
  readonly paidAt: number;
}

export interface SharedAccount {
  readonly number: number;
  readonly above: number;
}

export interface PlannedRow extends Pick<DraftRow, 'number' | 'key' | 'digest' | 'content'> {
  /** The row's state after the import, before anything is sent. */
  readonly state: RowState;
  /** True if a second person released the row despite its payee's changed account. */
  readonly letGo?: boolean;
  readonly documents: readonly Pick<DraftDocument, 'name' | 'sha256' | 'sizeBytes'>[];
}

export interface PlannedMerchant extends Pick<LedgerMerchant, 'destination' | 'merchantId' | 'content' | 'number'> {
  readonly rows: number;
}

export interface SentBefore {
  readonly number: number;
  readonly batch: string;
  readonly twin: number;
  readonly sentAt: number;
  /** Canonical JSON of the row, as it was sent (`was`) and as it is now (`now`); null for an unchanged row. */
  readonly was: string | null;
  readonly now: string | null;
}

export interface LedgerRow {
  readonly id: number;
  readonly batch: string;
  readonly key: string;
  readonly number: number;
  /** The id of the newest sheet that has the row. `firstSheet` is the id of the first sheet that had it. */
  readonly sheet: number;
  readonly firstSheet: number;
  readonly state: RowState;
  readonly revision: number;
  readonly tag: string;
  readonly content: string;
  readonly contentHash: string;
  readonly amount: number;
  readonly unit: AmountUnit;
  readonly currency: string;
  readonly fromCountry: string | null;
  readonly country: string;
  readonly destination: string;
  readonly merchantId: string | null;
  readonly paymentId: string | null;
  /** The payment's amount, if it differs from the sheet's and a person accepted the payment for the row. */
  readonly paidAmount: number | null;
  /** The status word of the service, unchanged. */
  readonly paymentStatus: string | null;
  readonly reason: StoredReasons | null;
  readonly attempts: number;
  readonly submittedAt: number | null;
  readonly settledAt: number | null;
  /** Raw details of the payment from the service: statusLog, amountSettled, otcFees, deposit details. */
  readonly told: string | null;
  /** The time of the last attempt on several clocks (domain/sending/doubt.ts); null before the first attempt. */
  readonly sentMoment: string | null;
  /** The time of the first complete list scan, after the horizon, that lacked the row's payment; null for none. */
  readonly missed: string | null;
  /** The payments that a person allowed the row to repeat, as JSON. Any other similar payment holds the row again. */
  readonly allowed: string | null;
  /** The payment and payee that a second person released after the payee's account had changed. */
  readonly released: string | null;
  /** The proof that settled the row's doubt: the list scans, how much they read, and when. */
  readonly evidence: string | null;
  /** A person's decision not to pay the row, as JSON (`Closed`); null for an open row. */
  readonly closed: string | null;
}

export interface SheetRow extends Pick<LedgerRow, ShownFact> {
  /** The number of an earlier row in the same sheet that looks like this one; null for none. */
  readonly alike: number | null;
}

type ShownFact =
  | 'id'
  | 'batch'
  | 'key'
  | 'number'
  | 'state'
  | 'tag'
  | 'merchantId'
  | 'paymentId'
  | 'paymentStatus'
  | 'reason'
  | 'attempts'
  | 'submittedAt'
  | 'settledAt'
  | 'told'
  | 'evidence'
  | 'closed';

export interface RowFacts {
  readonly merchantId?: string;
  /** Null if the payment turned out to belong to another row. */
  readonly paymentId?: string | null;
  /** The amount that was paid; null or absent if it equals the row's amount. Stored with the payment's id. */
  readonly paidAmount?: number | null;
  readonly paymentStatus?: string | null;
  readonly reason?: StoredReasons | null;
  readonly attempted?: 1;
  readonly submittedAt?: number;
  readonly acceptedAt?: number;
  readonly settledAt?: number;
  readonly told?: string;
  readonly sentMoment?: string;
  readonly missed?: string | null;
  readonly allowed?: string;
  readonly released?: string;
  readonly evidence?: string;
  readonly closed?: string | null;
  /** Set with `tag` if the payment was found under another revision of the row. */
  readonly revision?: number;
  readonly tag?: string;
}

export interface Move extends RowFacts {
  readonly row: LedgerRow;
  readonly from: RowState;
  readonly to: RowState;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface LedgerMerchant {
  readonly destination: string;
  readonly country: string;
  readonly state: MerchantState;
  readonly merchantId: string | null;
  /** Canonical JSON of the first row that pays this merchant. Payrun creates the merchant from it. */
  readonly content: string;
  readonly reason: StoredReasons | null;
  /** The number of a row in the sheet, for a person who has to check the merchant. */
  readonly number: number;
}

/** The destination of a listed merchant whose account is not fully shown. No row has this destination. */
export const unclearDestination = '';

export interface SeenMerchant {
  readonly id: string;
  readonly destination: string;
  readonly name: string;
}

export interface LedgerDocument {
  readonly id: number;
  readonly row: number;
  readonly rowKey: string;
  readonly paymentId: string | null;
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly state: DocumentState;
  readonly reason: StoredReasons | null;
}

/** A payment under an earlier tag of its row. It expired before the row was sent again. */
export interface EarlierPayment {
  readonly row: number;
  readonly revision: number;
  readonly tag: string;
}

export interface CountLine extends TotalKey {
  readonly state: RowState;
  /** True if a person closed these rows. */
  readonly closed: boolean;
  /** True if the newest sheet has these rows. */
  readonly listed: boolean;
  readonly rows: number;
  readonly amount: bigint;
  /** How much more was paid than the sheets' amounts; negative if less was paid. */
  readonly differs: bigint;
}

export interface RowQuery {
  readonly batch?: string;
  /** Selects open rows in these states; if absent, all rows, including closed ones. */
  readonly states?: readonly RowState[];
  /** Selects only closed rows. */
  readonly closed?: true;
  /** Selects only rows that this sheet or a newer one has. */
  readonly since?: number;
  readonly afterId?: number;
  /** `within` selects only rows inside all of these spans, and `beyond` only rows outside at least one span. */
  readonly within?: readonly AmountSpan[];
  readonly beyond?: readonly AmountSpan[];
  readonly limit: number;
}

/** The range of amounts for one payment to a country. It does not limit other countries or currencies. */
export interface AmountSpan {
  readonly country: string;
  readonly currency: string;
  readonly least: number;
  readonly most: number;
}

/** A payment in the service's list, made by this ledger or by anyone else. */
export interface SeenPayment {
  readonly id: string;
  /** The tag in lower case; null if the list does not show it. */
  readonly tag: string | null;
  readonly merchantId: string | null;
  readonly amount: number | null;
  readonly reference: string | null;
  readonly status: string | null;
  readonly ending: PaymentEnd;
  readonly at: number | null;
  /** The latest time that the service's date can mean. */
  readonly latest: number | null;
}

export interface Sighting {
  readonly row: LedgerRow;
  readonly seen: readonly { readonly revision: number; readonly payment: SeenPayment }[];
}

export interface MissingPayment {
  readonly batch: string;
  readonly key: string;
  readonly paymentId: string;
  readonly tag: string;
  readonly submittedAt: number;
  readonly listed: boolean;
  readonly seenTag: string | null;
}

/** A payment that a list scan saw, that no row of this ledger has, and that agrees with an unsent row. */
export interface SeenMatch {
  readonly row: number;
  readonly number: number;
  readonly differs: Extract<Differs, 'nothing' | 'amount'>;
  readonly paymentId: string;
  /** When the payment was made; null if the service gives no time. */
  readonly at: number | null;
  readonly amount: number;
  readonly currency: string;
  readonly paidAmount: number;
  readonly isOpen: boolean;
  readonly wasMeanwhile: boolean;
}

export interface Timeline {
  /** The start of the first step, in milliseconds since 1970. */
  readonly from: number;
  readonly stepMs: number;
  readonly lastSent: number;
  readonly sent: readonly number[];
  readonly paid: readonly number[];
  readonly unpaid: readonly number[];
  /** The number of rows that are held now and were never sent. No step counts them. */
  readonly held: number;
}

export interface DepositChange {
  readonly row: number;
  readonly key: string;
  readonly number: number;
  readonly paymentId: string;
  /** The changed details, with the values that were read first. */
  readonly was: string;
  readonly now: string;
  readonly at: number;
  /** A person's statement about the change; null if there is none. */
  readonly known: string | null;
}
