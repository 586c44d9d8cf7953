/** What the pipeline may ask of a ledger, whatever database keeps it. */

import type { TrailEntry } from '../audit/chain.ts';
import type { Evidence } from '../audit/evidence.ts';
import type { Problem } from '../base/problem.ts';
import type { PaymentEnd } from '../domain/payment.ts';
import type { AmountUnit } from '../domain/row.ts';
import type { DocumentState, MerchantState, RowState } from './states.ts';

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

/** A sheet while it is being checked: kept on disk, private to this process, gone with it. */
export interface Draft {
  clear(): void;
  /** Returns, for each row whose key was there already, that row and the number of the first one. */
  add(rows: readonly DraftRow[]): readonly { readonly row: DraftRow; readonly first: number }[];
  /** A line that cannot be paid but bears a key: the batch may know it. */
  addInvalid(number: number, key: string): void;
  addProblems(problems: readonly Problem[]): void;
  problems(limit: number): readonly Problem[];
  counts(): { readonly rows: number; readonly invalid: number; readonly errors: number; readonly problems: number };
  totals(): readonly DraftTotal[];
  /** Order of rows does not matter: a sorted sheet is the same sheet. */
  digest(): string;
  destinations(): number;
  hasDestination(key: string): boolean;
  documents(): number;
  /** Rows that would make the service ask a phone for money (Kenya by mobile collection). */
  collections(): number;
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
  /** When its last complete pass began; null where none was made. */
  readonly lookedAt: number | null;
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
  /** Rows of the batch paid, pending, in doubt or held. */
  readonly sent: number;
  readonly addedTotals: readonly DraftTotal[];
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

export interface LedgerRow {
  readonly id: number;
  readonly batch: string;
  readonly key: string;
  readonly number: number;
  readonly sheet: number;
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
  /** The service's own word, verbatim. */
  readonly paymentStatus: string | null;
  /** Why the row stands where it stands, in plain words. */
  readonly reason: string | null;
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
  /** What settled the row's doubt: which passes, how much they read, and when. */
  readonly evidence: string | null;
}

/** What a move may write beside the state; an absent fact stays as it is. */
export interface RowFacts {
  readonly merchantId?: string;
  readonly paymentId?: string;
  readonly paymentStatus?: string;
  readonly reason?: string | null;
  readonly attempted?: 1;
  readonly submittedAt?: number;
  /** When this ledger learnt of the payment. */
  readonly acceptedAt?: number;
  readonly settledAt?: number;
  readonly told?: string;
  readonly sentMoment?: string;
  readonly missed?: string | null;
  readonly notRepeat?: string;
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
  readonly reason: string | null;
  /** The sheet row that a person looks at when something is wrong with it. */
  readonly number: number;
}

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
  readonly reason: string | null;
}

export interface CountLine extends TotalKey {
  readonly state: RowState;
  readonly rows: number;
  readonly amount: bigint;
}

export interface RowQuery {
  readonly batch?: string;
  readonly states?: readonly RowState[];
  /** Only rows that this sheet holds. */
  readonly sheet?: number;
  readonly afterId?: number;
  readonly limit: number;
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

/** The payments of one pass at a time: kept in a file of their own that goes with the connection. */
export interface Passes {
  begin(): void;
  add(payments: readonly SeenPayment[]): void;
  /** The newest payments that this identity's rows had accepted in the span, which the pass lacks or saw with another tag. */
  missing(identity: string, since: number, before: number): readonly MissingPayment[];
  sightings(identity: string): readonly Sighting[];
  /** Payments under tags of our making that no row of this ledger bears. */
  strangers(): readonly SeenPayment[];
  lookalikes(batch: string, sheet: number, since: number): readonly Lookalike[];
  /** Whether the pass held a payment of ours whose intent was written at or after this moment of the wall clock. */
  holdsIntentAfter(identity: string, moment: number): boolean;
  holds(paymentId: string): boolean;
  /** A payment under one of the row's tags that has not expired; null where the pass held none. */
  livingOf(rowId: number): string | null;
  /** Payments that the list shows without a tag, and that a row could be the cause of. */
  tagless(identity: string): readonly string[];
  /** What reading it by id said of its tag. */
  tell(paymentId: string, tag: string | null): void;
}

export interface Ledger {
  readonly path: string;
  /** Made once with the ledger; a copy of it has the same one. */
  readonly id: string;
  /** Whether the file lies elsewhere than when it last sent: it may be a copy. */
  readonly moved: boolean;
  readonly draft: Draft;
  readonly passes: Passes;
  close(): Promise<void>;
  /** Becomes the one sender; refused (LEDGER_BUSY) while another process is. Ends with the process. */
  hold(): Promise<void>;
  /** What may have been sent from where the ledger lay before was looked for: it is no longer called moved. */
  settleIn(): Promise<void>;
  /** After a death: what was under way is in doubt. Returns how many rows were. */
  recover(): Promise<number>;

  batches(): Promise<readonly BatchFacts[]>;
  batch(name: string): Promise<BatchFacts | null>;
  /** The batches that hold the draft's keys, with how many. */
  batchesOfDraft(): Promise<readonly { readonly batch: string; readonly rows: number }[]>;
  compare(batch: string): Promise<Comparison>;
  /** The draft's rows, nothing of which was ever sent, that look like a row sent since `since`; at most one twin a row, the newest. */
  twins(batch: string, since: number, address: string): Promise<readonly Twin[]>;
  /** The same for the rows that a batch already has. */
  twinsOfBatch(batch: string, since: number, address: string): Promise<readonly Twin[]>;
  /** Takes the draft into the batch, all of it or nothing. */
  importDraft(order: {
    readonly batch: string;
    readonly identity: string;
    readonly service: string;
    readonly tagScope: string;
    /** Why rows are paid that were paid before, where a person said so. */
    readonly repeatReason: string | null;
    readonly sheet: Omit<SheetFacts, 'id' | 'rows' | 'invalid' | 'receivedAt' | 'digest'>;
  }): Promise<BatchFacts>;

  rows(query: RowQuery): Promise<readonly LedgerRow[]>;
  /** The first ready row of each destination country and funding source. */
  firstReadyOfKinds(batch: string, sheet: number): Promise<readonly LedgerRow[]>;
  readyKinds(
    batch: string,
    sheet: number,
  ): Promise<
    readonly {
      readonly country: string;
      readonly from: string | null;
      readonly collection: string | null;
      readonly rows: number;
    }[]
  >;
  /** In the sheet's order; rows of the batch that the sheet lacks only with `others`. */
  rowsByNumber(batch: string, sheet: number, afterNumber: number, limit: number): Promise<readonly LedgerRow[]>;
  otherRows(batch: string, sheet: number, afterId: number, limit: number): Promise<readonly LedgerRow[]>;
  row(id: number): Promise<LedgerRow | null>;
  /** By the key of its batch. */
  rowByKey(batch: string, key: string): Promise<LedgerRow | null>;
  rowByTag(tag: string): Promise<LedgerRow | null>;
  /** Also by the payment of an earlier revision. */
  rowByPayment(paymentId: string): Promise<LedgerRow | null>;
  invalidRows(
    sheet: number,
    afterNumber: number,
    limit: number,
  ): Promise<readonly { readonly number: number; readonly reason: string }[]>;
  counts(batch: string): Promise<readonly CountLine[]>;
  /** Whether anything of the batch ever left, or was found at the service. */
  everSent(batch: string): Promise<boolean>;
  /** An absent payment that by id is not there either: passes are complete without it. */
  markGone(paymentId: string, reason: string): Promise<void>;
  /** A refused row under the tag it has, an expired one as a new revision: both look for their merchant again, and want their documents anew. */
  retry(
    row: LedgerRow,
    next: { readonly revision: number; readonly tag: string; readonly reason: string | null },
  ): Promise<void>;
  /** The newest rows with a payment. */
  newestPaid(batch: string, limit: number): Promise<readonly LedgerRow[]>;
  /** Whether any row had a payment under an earlier revision: of such ids the table of rows does not keep two rows apart. */
  hasEarlier(): Promise<boolean>;
  /** Every entry of one row, oldest first. */
  trailOf(rowId: number): Promise<readonly TrailEntry[]>;
  /** When the newest of its rows that wait to be sent again was sent; null where none was tried before. */
  lastTried(batch: string): Promise<number | null>;
  /** When the newest of its refused rows was sent; null where none was. */
  lastRefused(batch: string): Promise<number | null>;
  /** How many of its rows have two payments that nobody has said to know of. */
  unknownDoubles(batch: string): Promise<number>;
  /** Whether any of its rows is paid, pending, in doubt or held. */
  hasSent(batch: string): Promise<boolean>;
  /** Whether a payment that this ledger sent for the batch was accepted. */
  everAccepted(batch: string): Promise<boolean>;
  /** Whose batch it is from now on: only ever changed while nothing of it was sent. */
  bind(batch: string, identity: string, service: string): Promise<BatchFacts>;
  /** The list has shown a payment of the batch, twice. */
  proveList(batch: string): Promise<void>;
  /** This ledger may not know what was sent: every batch has to see its list proven again. */
  doubtLists(): Promise<void>;
  /** A pass ended: `complete` if it proves what it did not hold. */
  recordPass(batch: string, began: number, complete: boolean, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Nothing of the batch is sent before this moment. */
  keepQuiet(batch: string, until: number): Promise<void>;
  /** When the batch's last payment was sent; null if none was. */
  lastSent(batch: string): Promise<number | null>;
  /** When the newest of its rows in doubt was sent. */
  lastDoubt(batch: string): Promise<number | null>;

  /** Concurrent moves share one commit; resolves when it is on the disk. */
  move(move: Move): Promise<void>;
  moveAll(moves: readonly Move[]): Promise<void>;
  /** Facts that change no state. */
  note(row: LedgerRow, facts: RowFacts, data?: Readonly<Record<string, unknown>>): Promise<void>;

  /** Makes a merchant `wanted` for each destination of the batch's planned rows that has none yet. */
  wantMerchants(batch: string, sheet: number, identity: string): Promise<number>;
  seeMerchants(identity: string, merchants: readonly SeenMerchant[]): Promise<void>;
  forgetSeen(): void;
  seenFor(destination: string): readonly SeenMerchant[];
  merchants(
    batch: string,
    sheet: number,
    identity: string,
    states: readonly MerchantState[],
    after: string,
    limit: number,
  ): Promise<readonly LedgerMerchant[]>;
  moveMerchants(
    identity: string,
    moves: readonly {
      readonly merchant: LedgerMerchant;
      readonly to: MerchantState;
      readonly merchantId?: string;
      readonly reason?: string | null;
    }[],
  ): Promise<void>;
  /** planned -> ready for every row of the sheet whose merchant is known. */
  readyRows(batch: string, sheet: number, identity: string): Promise<number>;

  documents(
    batch: string,
    states: readonly DocumentState[],
    afterId: number,
    limit: number,
  ): Promise<readonly LedgerDocument[]>;
  documentCounts(batch: string): Promise<Readonly<Record<DocumentState, number>>>;
  documentsOf(rowId: number): Promise<readonly LedgerDocument[]>;
  moveDocument(
    document: LedgerDocument,
    to: DocumentState,
    facts?: { readonly documentId?: string; readonly reason?: string | null },
  ): Promise<void>;

  record(entry: Omit<TrailEntry, 'at'>): Promise<void>;
  /** The newest entries of a batch's rows that are not plainly paid, oldest first. */
  trail(batch: string, limit: number): Promise<readonly TrailEntry[]>;
  head(): Promise<{ readonly seq: number; readonly hash: string }>;
  /** The hash of one entry of the trail; null where the trail has none there. */
  hashAt(seq: number): string | null;
  /** Everything, as an auditor reads it. */
  evidence(): Evidence;
  /** The entries as they are stored, for checking the chain offline. */
  eachTrail(): Iterable<{ readonly seq: number; readonly text: string; readonly hash: string }>;
}
