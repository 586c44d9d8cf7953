/** What the ledger takes in and gives out: batches, rows, merchants, documents, and payments as a pass saw them. */

import type { Severity } from '../base/problem.ts';
import type { Payee } from '../domain/accounts/payee.ts';
import type { AmountUnit } from '../domain/rows/row.ts';
import type { PaymentEnd } from '../domain/sending/payment.ts';
import type { StoredReasons } from '../domain/sending/reason.ts';
import type { DocumentState, MerchantState, RowState } from './rows/states.ts';

export type TotalKey = {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly from: string | null;
};

/** A valid row of a sheet before it belongs to a batch. */
export interface DraftRow {
  readonly number: number;
  readonly key: string;
  /** Of the values that say what is paid to whom (design 4.1). */
  readonly digest: string;
  /** Of what makes two rows look alike to a person. */
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
  /** As the sheet names it. */
  readonly name: string;
  /** Absolute, symlinks resolved. */
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface DraftTotal extends TotalKey {
  readonly rows: number;
  readonly amount: bigint;
}

/** Problems of one code, counted. */
export interface ProblemKind {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
  /** null where none of them has a row. */
  readonly firstRow: number | null;
}

export interface BatchFacts {
  readonly name: string;
  /** Whose payments these are: base URL, key, kind of token, user (design 4.1). */
  readonly identity: string;
  /** For people: `sandbox` or the base URL. */
  readonly service: string;
  readonly tagScope: string;
  readonly createdAt: number;
  readonly repeatReason: string | null;
  /** When a later pass held a payment that this ledger had just made for it: until then the list may be blind. */
  readonly listedAt: number | null;
  /** Another ledger was at work on it: nothing is sent before this moment (milliseconds since 1970). */
  readonly quietUntil: number | null;
  readonly sheet: SheetFacts;
}

export interface SheetFacts {
  readonly id: number;
  /** The person's file name and where it was. */
  readonly name: string;
  readonly origin: string;
  /** The owner-only copy beside the ledger, which everything reads. */
  readonly copy: string;
  readonly digest: string;
  readonly receivedAt: number;
  /** How it was read, so that it can be read again in the same way. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly invalid: number;
}

/** In the order of all sheets: of its plan at the console, else of when it was handed in; null where an earlier version took it in. */
export const turnOfSheet = ({ options }: Pick<SheetFacts, 'options'>) => (options.turn ?? null) as number | null;

/** When it came: one that lay in a folder first, when its file was last written, if that clock is right. */
export const cameAtOf = ({ options, receivedAt }: Pick<SheetFacts, 'options' | 'receivedAt'>) =>
  Math.min((options.writtenAt ?? receivedAt) as number, receivedAt);

/** Rows that were left out for their mistakes, as far as they can be told from others; with a sheet's name, those that this sheet lacks. */
export const skippedOf = ({ options }: Pick<SheetFacts, 'options'>) => (options.skipped ?? []) as readonly SkippedRow[];

/** A row that a sheet had with a mistake: none was taken in for it. */
export interface SkippedRow {
  readonly key: string | null;
  /** Whether that is its `row_id`. What is optional here, sheets of earlier versions have not. */
  readonly hasId?: boolean;
  /** Its payee's, as payees are compared by it. */
  readonly name: string | null;
  /** The same as its words. */
  readonly words?: string | null;
  /** By which its payee's account is known again; null where that could not be read. */
  readonly account?: string | null;
  /** By which it is told from other payments to its payee. */
  readonly reference?: string | null;
  readonly amount?: string | null;
  /** The columns of its mistakes. */
  readonly wrong?: string | null;
  readonly number: number;
  /** The sheet that had it, where later ones have not: its name, and which one of the ledger's. */
  readonly sheet?: string;
  readonly of?: number;
  /** By whoever said that nothing is owed for it any more. */
  readonly givenUp?: GivenUp;
  /** The same of an earlier sheet's: its own sheet asked for it again. */
  readonly gaveUp?: GivenUp;
}

export interface GivenUp {
  readonly why: string;
  readonly by: string | null;
  /** When it was said of a row that was left out, where that is known. */
  readonly at?: number;
}

/** With its number the one name that two never have. */
export const sheetOf = ({ of }: Pick<SkippedRow, 'of'>, { sheet }: Pick<BatchFacts, 'sheet'>) => of ?? sheet.id;

/** Its `row_id`; null where it is known by its content: once that is mended, its key is another one. */
export const idOf = ({ key, hasId = looksLikeId(key) }: Pick<SkippedRow, 'key' | 'hasId'>) => (hasId ? key : null);

/** People's numbers have fewer letters than the keys of contents. */
const looksLikeId = (key: string | null) =>
  key !== null && !/^(?=(?:\d*[a-z]){4})(?=.*[g-z])[0-9a-hjkmnp-tv-z]{16}$/.test(key);

export interface SkippedBeside {
  /** That the draft lacks. */
  readonly lost: readonly SkippedRow[];
  /** The draft's own. */
  readonly invalid: readonly SkippedRow[];
  /** Rows of the draft for which a person said, as an earlier sheet had them, that nothing is owed. */
  readonly again: readonly (GivenUp & { readonly number: number })[];
}

/** A batch with the keys of a sheet, in numbers of rows. */
export interface DraftBatch {
  readonly batch: string;
  /** With a key of the sheet's. */
  readonly rows: number;
  /** Of these, the ones whose payment is the same. */
  readonly same: number;
  /** Of these, the ones that at least have the same payee, or the same amount and reference. */
  readonly alike: number;
  /** Where the batch is paid. */
  readonly address: string;
  /** Of the same, the ones whose payment was asked for, whatever came of it; and of these, the ones that were paid. */
  readonly sent: number;
  readonly paid: number;
  /** Of the same, the ones that are held, and that were never asked for. */
  readonly held: number;
  /** Others, that were sent as they were before. */
  readonly changed: number;
  /** Numbers of these that differ in one thing. */
  readonly corrected: readonly number[];
  /** Rows that it has sent, of lines that are no rows here for their mistakes. */
  readonly broken: number;
  /** When the last of those was asked for that are paid, or may be yet; null where none is. */
  readonly sentAt: number | null;
}

/** How a sheet stands to the batch that it would join. */
export interface Comparison {
  readonly known: boolean;
  readonly added: number;
  readonly same: number;
  /** Changed rows of which nothing was paid: they run as corrected. */
  readonly corrected: readonly ChangedRow[];
  /** Changed rows that were sent: nothing of them is sent again. */
  readonly changedAfterSending: readonly ChangedRow[];
  /** Lines that cannot be read as rows, whose key was sent: shown as skipped they would look unpaid. */
  readonly invalidSent: readonly { readonly number: number; readonly key: string }[];
  /** Rows of the batch that this sheet lacks. */
  readonly missing: number;
  /** Of these, the ones that are not sent: nothing will be sent for them. */
  readonly leftOut: number;
  /** Rows of the batch paid, pending, in doubt or held. */
  readonly sent: number;
  readonly addedTotals: readonly DraftTotal[];
}

/** A row that is new to a batch by its key alone: with its `row_id`, and the one of the sent row; null for none. */
export interface AddedAlike {
  readonly number: number;
  readonly rowId: string | null;
  /** The number of the sent row in its own sheet. */
  readonly sent: number;
  readonly sentId: string | null;
  readonly sentAt: number;
}

/** A row of the sheet that looks like one already sent (design 4.1). */
export interface Twin {
  /** The row's id in the ledger; null for a row of the draft. */
  readonly row: number | null;
  readonly number: number;
  readonly currency: string;
  readonly amount: number;
  readonly batch: string;
  /** The row number of the earlier one in its own sheet. */
  readonly twin: number;
  readonly sentAt: number;
  /** Sent after this row was first taken in, which waited since: 1, else 0. */
  readonly sinceTaken: 0 | 1;
}

/** A row that is wholly like one sent before. */
export interface WholeTwin extends Twin {
  /** The batch has no such row yet: 1, else 0. */
  readonly brought: 0 | 1;
  /** Sent as another batch's, and this row is brought to a batch that goes on, or waited in it meanwhile: 1, else 0. */
  readonly asAnother: 0 | 1;
  /** The batch's own, which the sheet lacks, and this one but for zeros before its row_id, or for having one at all: 1, else 0. */
  readonly renumbered: 0 | 1;
}

/** A row that differs from one sent before in one thing only: perhaps that one, corrected too late. */
export interface NearTwin extends Twin {
  readonly differs: 'amount' | 'account' | 'reference';
  readonly sentAmount: number;
  readonly sentCurrency: string;
  readonly reference: string;
  readonly sentReference: string;
  readonly name: string;
  readonly sentName: string;
  /** Sent after this row's own last try, which a person lets run again: 1, else 0. */
  readonly sinceTried: 0 | 1;
}

/** A row of the sheet that looks like one which waits in another batch, and of which nothing was sent. */
export interface WaitingTwin {
  readonly number: number;
  readonly batch: string;
  readonly twin: number;
  /** Until a person lets it go: 1, else 0. */
  readonly held: 0 | 1;
  readonly differs: 'nothing' | 'amount' | 'account';
  readonly waitingAmount: number;
  readonly waitingCurrency: string;
}

/** A row that was sent while `row` seemed unpaid: perhaps that one, corrected since. */
export interface Copy {
  readonly row: number;
  readonly copy: number;
  /** The copy's batch. */
  readonly batch: string;
  readonly differs: NearTwin['differs'] | 'nothing';
  readonly sentAt: number;
  readonly copiedAt: number;
}

/** Both of them may be paid out, and nobody has said to know of it. */
export interface LivingCopy {
  readonly row: LedgerRow;
  readonly copy: LedgerRow;
  readonly differs: Copy['differs'];
}

/** A batch of which a sheet had the same rows as the draft, or came to the same. */
export interface EarlierBatch {
  readonly batch: string;
  readonly file: string;
  readonly rows: number;
  /** 1: the same rows; 0: the same sums. */
  readonly same: 0 | 1;
  /** When it was last sent from, or taken in. */
  readonly at: number;
  readonly sent: 0 | 1;
}

/** What a payee got in a batch and gets in the draft, in one currency; null where it is not in it. */
export interface PayeeMoney {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly was: number | null;
  readonly now: number | null;
  /** Its first row in the draft. */
  readonly number: number | null;
  /** Where the two differ. */
  readonly name: string | null;
}

/** Where a payee was last paid. */
interface LastPaid {
  readonly batch: string;
  /** The row number in its own sheet. */
  readonly twin: number;
  readonly was: string;
  readonly paidAt: number;
}

/** A row of a batch, not sent yet, whose payee was last paid to another account. */
export interface ChangedPayee extends LastPaid {
  readonly row: number;
}

/** An unpaid row of a batch whose payee was never paid, or was last paid to another account. */
export interface OddUnpaid extends Omit<OddPayee, 'number' | 'held'> {
  readonly key: string;
  readonly verdict: 'changed' | 'elsewhere' | 'new';
}

/** A new or changed payee of a draft row: another account, an account in another country under the same name, or never paid. */
export interface OddPayee extends LastPaid {
  readonly number: number;
  readonly content: string;
  /** 1: it will be held. */
  readonly held: 0 | 1;
  /** 1: another row of the sheet has its name, and an account that is known. */
  readonly ambiguous: 0 | 1;
}

/** A row of the draft whose account was last paid under another name. */
export interface KnownOtherwise extends LastPaid {
  readonly number: number;
  readonly content: string;
}

/** A document of the draft that a payment of another batch has, whatever its name there. */
export interface DocumentAgain {
  readonly number: number;
  readonly name: string;
  readonly batch: string;
  /** The row that had it last. */
  readonly twin: number;
  readonly paidAt: number;
}

/** A row of the draft whose account another payee has, in a row above it. */
export interface SharedAccount {
  readonly number: number;
  readonly above: number;
}

/** A row of the draft as a plan tells it. */
export interface PlannedRow extends Pick<DraftRow, 'number' | 'key' | 'digest' | 'content'> {
  /** Where the row stands once the draft is taken in and nothing is sent yet. */
  readonly state: RowState;
  /** A second person let it go, though its payee's account changed. */
  readonly letGo?: boolean;
  readonly documents: readonly Pick<DraftDocument, 'name' | 'sha256' | 'sizeBytes'>[];
}

/** A destination that rows of the draft would be sent to. */
export interface PlannedMerchant extends Pick<LedgerMerchant, 'destination' | 'merchantId' | 'content' | 'number'> {
  readonly rows: number;
}

export interface ChangedRow {
  /** Canonical JSON of the row as it was sent, and as the sheet has it now. */
  readonly was: string;
  readonly now: string;
  readonly number: number;
  readonly key: string;
  readonly state: RowState;
  readonly paymentId: string | null;
}

/** A row of the draft that was sent before, as a row of a batch. */
export interface SentBefore extends Pick<ChangedRow, 'number'> {
  readonly batch: string;
  /** Its number there. */
  readonly twin: number;
  readonly sentAt: number;
  /** Canonical JSON of the row as it was sent, and as it is; null where it is the same. */
  readonly was: string | null;
  readonly now: string | null;
}

export interface LedgerRow {
  readonly id: number;
  readonly batch: string;
  readonly key: string;
  readonly number: number;
  /** The newest one that has it, and the first one. */
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
  /** What its payment is of, where that is not the amount that the sheet says: a person took it for the row all the same. */
  readonly paidAmount: number | null;
  /** The service's own word, verbatim. */
  readonly paymentStatus: string | null;
  /** Why the row stands where it stands. */
  readonly reason: StoredReasons | null;
  readonly attempts: number;
  readonly submittedAt: number | null;
  readonly settledAt: number | null;
  /** What the service told of the payment, raw: statusLog, amountSettled, otcFees, deposit details. */
  readonly told: string | null;
  /** The last attempt's moment on several clocks (domain/doubt.ts); null before the first. */
  readonly sentMoment: string | null;
  /** The moment of the first complete pass after its horizon that did not hold the row's payment; null where none counts. */
  readonly missed: string | null;
  /** A person's word that the row repeats nothing, though it looks like it. */
  readonly notRepeat: string | null;
  /** The payment and payee that a second person let go, though the payee's account changed. */
  readonly released: string | null;
  /** What settled the row's doubt: which passes, how much they read, and when. */
  readonly evidence: string | null;
}

/** A row of its batch's newest sheet, as a result shows it: what the sheet itself says is read from there. */
export interface SheetRow extends Pick<LedgerRow, ShownFact> {
  /** The number of another row of that sheet with its likeness, which came before it. */
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
  | 'evidence';

/** What a move may write beside the state; an absent fact stays as it is. */
export interface RowFacts {
  readonly merchantId?: string;
  /** null: what it was thought to have is another row's. */
  readonly paymentId?: string | null;
  /** Goes with the payment's id: null, and not said, where it is what the row says. */
  readonly paidAmount?: number | null;
  readonly paymentStatus?: string | null;
  readonly reason?: StoredReasons | null;
  readonly attempted?: 1;
  readonly submittedAt?: number;
  /** When this ledger learnt of the payment. */
  readonly acceptedAt?: number;
  readonly settledAt?: number;
  readonly told?: string;
  readonly sentMoment?: string;
  readonly missed?: string | null;
  readonly notRepeat?: string;
  readonly released?: string;
  readonly evidence?: string;
  /** With its tag: a payment was found under another revision than the row's. */
  readonly revision?: number;
  readonly tag?: string;
}

export interface Move extends RowFacts {
  readonly row: LedgerRow;
  readonly from: RowState;
  readonly to: RowState;
  /** What goes into the trail beside the move. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface LedgerMerchant {
  readonly destination: string;
  readonly country: string;
  readonly state: MerchantState;
  readonly merchantId: string | null;
  /** Canonical JSON of the first row that pays it: what a creation sends is made from it. */
  readonly content: string;
  readonly reason: StoredReasons | null;
  /** The sheet row that a person looks at when something is wrong with it. */
  readonly number: number;
}

/** Of a listed merchant that does not say in full where payments go: no row's. */
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

/** A payment that had expired when its row was sent again, under a tag that the row bore before. */
export interface EarlierPayment {
  /** The row's id. */
  readonly row: number;
  readonly revision: number;
  readonly tag: string;
}

export interface CountLine extends TotalKey {
  readonly state: RowState;
  /** Whether the newest sheet has these rows. */
  readonly listed: boolean;
  readonly rows: number;
  /** As the sheets say it. */
  readonly amount: bigint;
  /** By how much more, or less, the rows' payments are of. */
  readonly differs: bigint;
}

export interface RowQuery {
  readonly batch?: string;
  readonly states?: readonly RowState[];
  /** Only rows that this sheet holds. */
  readonly sheet?: number;
  readonly afterId?: number;
  /** Only those that each of these takes, or, with `beyond`, only those that one does not. */
  readonly within?: readonly AmountSpan[];
  readonly beyond?: readonly AmountSpan[];
  readonly limit: number;
}

/** What a payment to a country may come to; other countries and currencies are not asked about. */
export interface AmountSpan {
  readonly country: string;
  readonly currency: string;
  readonly least: number;
  readonly most: number;
}

/** A payment as a pass saw it, whoever made it. */
export interface SeenPayment {
  readonly id: string;
  /** Folded; null where the list does not say it. */
  readonly tag: string | null;
  readonly merchantId: string | null;
  readonly amount: number | null;
  readonly reference: string | null;
  /** The service's own word. */
  readonly status: string | null;
  readonly ending: PaymentEnd;
  /** By the service's date; null where it has none. */
  readonly at: number | null;
  /** The latest moment that this date may mean. */
  readonly latest: number | null;
}

/** Payments seen under a row's tags that say something new of it. */
export interface Sighting {
  readonly row: LedgerRow;
  readonly seen: readonly { readonly revision: number; readonly payment: SeenPayment }[];
}

/** A payment of ours that a pass did not hold, or held with another tag. */
export interface MissingPayment {
  readonly batch: string;
  readonly key: string;
  readonly paymentId: string;
  readonly tag: string;
  readonly submittedAt: number;
  readonly listed: boolean;
  readonly seenTag: string | null;
}

/** A row of which nothing was ever sent, and a payment that this ledger does not know, alike to a person. */
export interface Lookalike {
  readonly row: number;
  readonly number: number;
  readonly key: string;
  readonly paymentId: string;
  readonly at: number | null;
}

/** The same where the payment is of another amount, by whoever made it. */
export interface NearLookalike extends Lookalike {
  readonly amount: number;
  readonly currency: string;
  readonly paidAmount: number;
}

/** Payments in equal steps of time; a step's count is of what happened in it. */
export interface Timeline {
  /** Milliseconds since 1970: where the first step begins. */
  readonly from: number;
  readonly stepMs: number;
  /** When a row was sent last. */
  readonly lastSent: number;
  readonly sent: readonly number[];
  readonly paid: readonly number[];
  readonly unpaid: readonly number[];
  /** Rows that are held now, and were never sent: no moment of theirs is a payment's. */
  readonly held: number;
}

/** Deposit details of a payment that are not what they were when they were first read. */
export interface DepositChange {
  readonly row: number;
  readonly key: string;
  readonly number: number;
  readonly paymentId: string;
  /** What differs, as it was first told, in words. */
  readonly was: string;
  readonly now: string;
  readonly at: number;
  /** What a person said of it; null while nobody has. */
  readonly known: string | null;
}
