/** What the pipeline may ask of a ledger, whatever database keeps it. */

import type { TrailEntry } from '../audit/chain.ts';
import type { Problem } from '../base/problem.ts';
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
}

/** What a move may write beside the state; an absent fact stays as it is. */
export interface RowFacts {
  readonly merchantId?: string;
  readonly paymentId?: string;
  readonly paymentStatus?: string;
  readonly reason?: string | null;
  readonly attempted?: 1;
  readonly submittedAt?: number;
  readonly settledAt?: number;
  readonly told?: string;
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

export interface Ledger {
  readonly path: string;
  readonly draft: Draft;
  close(): Promise<void>;
  /** Becomes the one sender; refused (LEDGER_BUSY) while another process is. Ends with the process. */
  hold(): Promise<void>;
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
  rowByTag(tag: string): Promise<LedgerRow | null>;
  rowByPayment(paymentId: string): Promise<LedgerRow | null>;
  invalidRows(
    sheet: number,
    afterNumber: number,
    limit: number,
  ): Promise<readonly { readonly number: number; readonly reason: string }[]>;
  counts(batch: string): Promise<readonly CountLine[]>;
  /** Whether anything of the batch ever left, or was found at the service. */
  everSent(batch: string): Promise<boolean>;
  /** Whose batch it is from now on: only ever changed while nothing of it was sent. */
  bind(batch: string, identity: string, service: string): Promise<BatchFacts>;
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
  /** The entries as they are stored, for checking the chain offline. */
  eachTrail(): Iterable<{ readonly seq: number; readonly text: string; readonly hash: string }>;
}
