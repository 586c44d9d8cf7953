/** The functions of a ledger, the same for every database. */
import type { TrailEntry } from '../audit/chain.ts';
import type { Evidence } from '../audit/evidence.ts';
import type { Lock } from '../base/lock.ts';
import type { FoundProblem, Problem } from '../base/problem.ts';
import type { Cap, CapFigures } from '../domain/amounts/cap.ts';
import type { AmountUnit } from '../domain/amounts/money.ts';
import type { DocumentState, MerchantState, RowState } from '../domain/rows/row-states.ts';
import type { Doubt } from '../domain/sending/doubt.ts';
import type { StoredReasons } from '../domain/sending/reason.ts';
import type { Uploads } from './accounts/uploads.ts';
import type { Comparison, VersionTerms } from './batches/comparison.ts';
import type { Proposals } from './batches/proposals.ts';
import type {
  AmountSpan,
  BatchFacts,
  ChangedPayee,
  ClosedRow,
  Copy,
  CountLine,
  DepositChange,
  DocumentAgain,
  DraftBatch,
  DraftDocument,
  DraftRow,
  DraftTotal,
  EarlierBatch,
  EarlierPayment,
  FoundMatch,
  KnownOtherwise,
  LedgerDocument,
  LedgerMerchant,
  LedgerRow,
  LivingCopy,
  MatchTimes,
  MissingPayment,
  Move,
  OddPayee,
  OddUnpaid,
  PayeeMoney,
  PlannedMerchant,
  PlannedRow,
  ProblemKind,
  RowFacts,
  RowQuery,
  SeenMatch,
  SeenMerchant,
  SeenPayment,
  SentBefore,
  SharedAccount,
  SheetFacts,
  SheetRow,
  Sighting,
  Timeline,
} from './facts.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Pages } from './rows/pages.ts';
import type { Elsewhere } from './store/relocation.ts';
import type { LedgerPlace } from './store/store.ts';

export interface DraftCounts {
  readonly rows: number;
  readonly invalid: number;
  readonly errors: number;
  readonly warnings: number;
  readonly problems: number;
}

export interface InvalidLine {
  readonly number: number;
  /** The `row_id`, or the key that Payrun gave the row; null for none. */
  readonly key: string | null;
  readonly rowId: string | null;
  readonly name: string;
  /** Canonical JSON of the values that Payrun could read. */
  readonly content: string;
}

/** A sheet during its check, in temporary tables on disk. Only this process can read the tables, and they end with the process. */
export interface Draft {
  clear(): void;
  /** Adds rows. Returns each row whose key was already there, with the number of the first row that has this key. */
  add(rows: readonly DraftRow[]): readonly { readonly row: DraftRow; readonly first: number }[];
  /** Adds a line with a mistake. The line cannot be paid, but the batch may have a row with its key. */
  addInvalid(line: InvalidLine): void;
  /** Returns rows whose amount is outside one of the spans, except rows that the batch has sent. A null `batch` means any batch. */
  beyond(
    spans: readonly AmountSpan[],
    batch: string | null,
  ): Iterable<{
    readonly number: number;
    readonly amount: number;
    readonly country: string;
    readonly currency: string;
  }>;
  /** Adds problems. A row with an error among them becomes an invalid line. */
  judge(problems: readonly Problem[]): void;
  /** Adds a document to a row. Does nothing if the row already has the document, or does not exist. */
  addDocument(number: number, document: DraftDocument): void;
  /** Handles missing documents: sent and ended rows keep theirs, and other rows are rejected. Returns the kept names. */
  keepDocuments(codes: { readonly named: string; readonly unnamed: string }, batch: string | null): readonly string[];
  /** Returns unsent rows without a document whose account gets more than `above` whole ZAR from such rows. */
  withoutDocuments(
    above: number,
    batch: string | null,
  ): Iterable<{ readonly number: number; readonly amount: number; readonly total: number; readonly rows: number }>;
  /** Returns rows that look like an earlier row, each with the number of the nearest earlier one. */
  alike(): Iterable<{
    readonly number: number;
    readonly above: number;
    readonly reference: string;
    readonly aboveReference: string;
  }>;
  /** Returns rows that pay the same account as an earlier row, under another name or id. */
  sharedAccounts(limit: number): readonly SharedAccount[];
  addProblems(problems: readonly Problem[]): void;
  problems(limit: number): readonly Problem[];
  /** Yields all problems in the sheet's order: problems of the whole sheet, then row by row. */
  eachProblem(): Iterable<Problem>;
  /** Returns how often each kind of problem occurs and where first: errors first, then the most frequent. */
  problemKinds(limit: number): readonly ProblemKind[];
  counts(): DraftCounts;
  /** Returns a digest of the rows. Their order does not matter: a sorted sheet is the same sheet. */
  digest(): string;
  countryTotals(): readonly (DraftTotal & { readonly country: string })[];
  totals(): readonly DraftTotal[];
  /** Returns the SHA-256 (hex) of all rows' destinations, sorted, each with a line feed. */
  accounts(): string;
  /** Counts rows for which the service would ask a phone for money (Kenya by mobile collection). */
  collections(): number;
}

/** The payments of one list scan at a time, in a temporary table that ends with the connection. */
export interface Passes {
  begin(): void;
  add(payments: readonly SeenPayment[]): void;
  /** Returns the identity's newest payments that the scan lacks or lists with another tag, accepted from `since` until `before`. */
  missing(identity: string, since: number, before: number): readonly MissingPayment[];
  sightings(identity: string): readonly Sighting[];
  /** Returns rows whose payment the list shows with another tag, except payments that a person declared gone. */
  misnamed(identity: string): readonly { readonly row: LedgerRow; readonly payment: SeenPayment }[];
  /** Returns payments with a tag that Payrun made, but that no row of this ledger has. */
  strangers(): readonly { readonly tag: string; readonly payment: SeenPayment }[];
  /** Returns for each unsent row the newest payments that agree with it, unless a person allowed the row to repeat them. */
  matches(batch: string, sheet: number, lead: number): readonly SeenMatch[];
  /** Returns ids of payments that lack a payee, amount or reference, may belong to an unsent row, and are neither known nor expired. */
  lacking(since: number): readonly string[];
  fill(
    paymentId: string,
    said: {
      readonly merchantId?: string | null | undefined;
      readonly amount: number | null;
      readonly reference?: string | null | undefined;
    },
  ): void;
  /** Returns ids of payments with the row's payee, amount and reference that are neither known nor expired. */
  likesOf(row: LedgerRow): readonly string[];
  /** True if the scan has a payment of ours whose intent was written at or after this time. */
  holdsIntentAfter(identity: string, moment: number): boolean;
  holds(paymentId: string): boolean;
  /** Returns the ids of payments that the list shows without a tag and that may belong to a row. */
  tagless(identity: string): readonly string[];
  /** Stores the tag that a read of the payment by its id showed. */
  tell(paymentId: string, tag: string | null): void;
}

export interface CapOrder {
  readonly batch: string;
  /** Null judges the draft's rows as if they were imported. A list judges the batch's waiting rows and the rows with these ids. */
  readonly again: readonly number[] | null;
  readonly money: { readonly currency: string; readonly unit: AmountUnit };
  readonly cap: Cap;
  /** The day's total counts everything that batches at this service address sent between the two times. */
  readonly day: { readonly address: string; readonly from: number; readonly until: number };
}

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly active: boolean;
  /** The hash of the password; null until the person has used the invitation link. */
  readonly password: string | null;
  /** The secret of the authenticator app. `codeStep` is the newest time step whose code was accepted. */
  readonly codeSecret: string | null;
  readonly codeStep: number | null;
  /** The person's private key, encrypted as in its file. `publicKey` is the line of the public key. */
  readonly keyFile: string | null;
  readonly publicKey: string | null;
  readonly createdAt: number;
  readonly seenAt: number | null;
  /** True if the person has an unused login link. */
  readonly linked: boolean;
}

export interface SessionFacts {
  readonly account: number;
  readonly begunAt: number;
  readonly seenAt: number;
}

/** An action of a person, for the trail. It holds no secret and no account number. */
export interface Deed {
  readonly by: string | null;
  readonly did: string;
  readonly batch?: string | null;
  readonly [more: string]: unknown;
}

/** The console's people. Functions that change something must be called within `act`, except where noted. */
export interface People {
  /** Does the work completely or not at all, and records its deeds in the trail. Waits while another process writes, without blocking. */
  act<T>(work: () => { readonly value: T; readonly deeds: readonly Deed[] }): Promise<T>;
  accounts(): readonly Account[];
  account(id: number): Account | null;
  named(nameKey: string): Account | null;
  add(account: { readonly name: string; readonly nameKey: string; readonly role: string }): number;
  change(
    id: number,
    facts: {
      readonly role?: string;
      readonly active?: 0 | 1;
      readonly password?: string;
      readonly codeSecret?: string | null;
      readonly codeStep?: number | null;
      readonly keyFile?: string | null;
      readonly publicKey?: string | null;
    },
  ): void;
  takeStep(id: number, step: number): boolean;

  session(hash: string): SessionFacts | null;
  beginSession(hash: string, account: number): void;
  /** Updates the time of a session. May be called outside `act`. Does nothing while another process writes. */
  seeSession(hash: string): void;
  endSession(hash: string): void;
  endSessionsOf(account: number): void;
  endSessionsBefore(begunAt: number, seenAt: number): void;

  link(hash: string): { readonly account: number | null; readonly goodUntil: number } | null;
  makeLink(hash: string, account: number | null, goodUntil: number): void;
  /** Marks a link as used. Returns false if somebody else has just used the link. */
  takeLink(hash: string): boolean;

  /** Returns the times of login attempts since that time, oldest first. A null `who` counts all attempts from the address. */
  tries(who: string | null, address: string, since: number): readonly number[];
  addTry(who: string, address: string, forgetBefore: number): number;
  forgetTry(id: number): void;
  forgetTries(who: string, address: string): void;

  setting(name: string): string | null;
  set(name: string, value: string): void;
}

export interface Ledger extends Proposals {
  readonly people: People;
  /** The fleet of processes that may send at once; null for a ledger in a file. */
  readonly fleet: Fleet | null;
  readonly path: string;
  readonly at: LedgerPlace;
  /** Resolves when the database connection ends. A ledger in a file has no connection, so there this never resolves. */
  readonly lost: Promise<void>;
  readonly folder: string;
  /** The ledger's id. It is made once with the ledger, so a copy of the ledger has the same id. */
  readonly id: string;
  /** True if the ledger was in another place when it last sent, so that it may be a copy. */
  readonly moved: boolean;
  /** Returns where the ledger was copied to, or of which ledger this one is an unfinished copy; null if this ledger may send. */
  elsewhere(): Promise<Elsewhere | null>;
  /** Throws if the ledger was copied to another database, or is an unfinished copy. */
  requireHome(): Promise<void>;
  readonly draft: Draft;
  readonly passes: Passes;
  readonly uploads: Uploads;
  readonly pages: Pages;
  close(): Promise<void>;
  /** Makes this process the only sender until the process ends. Throws LEDGER_BUSY while another process is the sender. */
  hold(): Promise<void>;
  isHeldElsewhere(): boolean;
  /** Takes the console's lock. Only one console may run, because a second one would treat the first one's jobs as ended. */
  holdConsole(): Lock;
  requireRoom(): void;
  /** Records the ledger's present place as its home. Call this after a search for payments that were sent from the earlier place. */
  settleIn(): Promise<void>;
  /** Marks rows as in doubt that were being sent when a process ended. Returns how many. */
  recover(): Promise<number>;

  batches(): Promise<readonly BatchFacts[]>;
  batch(name: string): Promise<BatchFacts | null>;
  sheetAt(batch: string, at: number): Promise<string>;
  /** Returns the batches that have keys of the draft. The batch with the most equal rows comes first. */
  batchesOfDraft(): Promise<readonly DraftBatch[]>;
  /** Returns the numbers of draft rows for which a batch at this service address already requested the same payment. */
  askedOfDraft(address: string): Promise<readonly number[]>;
  /** Returns draft rows that equal a payment sent since `since`, or differ in one thing, each with the newest of these payments. */
  sentOfDraft(address: string, since: number): Promise<readonly SentBefore[]>;
  compare(batch: string): Promise<Comparison>;
  /** Returns the batch's counts as they are after the import. Without a known batch, returns the draft's counts. */
  countsWithDraft(batch: string | null): Promise<readonly CountLine[]>;
  leftOutByDraft(batch: string, limit: number): Promise<readonly string[]>;
  /** Returns the contents of the rows that the draft lacks, and that importing it with `drop` closes unpaid. */
  droppedByDraft(batch: string, limit: number): Promise<readonly string[]>;
  sheetsOf(batch: string): readonly SheetFacts[];
  /** Returns the id of the newest sheet of any batch; 0 for none. */
  newestSheet(): number;
  /** Returns the draft's rows and lines whose row in the ledger was closed by a person. */
  closedInDraft(batch: string): Promise<readonly ClosedRow[]>;
  /** Yields the draft's rows in the sheet's order, each with its state after the import. */
  plannedRows(batch: string): Iterable<PlannedRow>;
  plannedRow(batch: string, key: string): PlannedRow | null;
  plannedMerchants(batch: string, identity: string): Iterable<PlannedMerchant>;
  /** Returns other batches at the service address that had the draft's rows or sums in a sheet since `since`. Equal rows come first. */
  batchesAlike(draft: {
    readonly batch: string;
    readonly address: string;
    readonly digest: string;
    readonly sums: string;
    readonly since: number;
  }): Promise<readonly EarlierBatch[]>;
  /** Returns the newest earlier batch of the series at the service address that sent something; null for none. */
  lastOfSeries(series: string, batch: string, address: string): Promise<string | null>;
  moneyByPayee(last: string): Iterable<PayeeMoney>;
  /** Compares the draft's payees with payees paid at the service address. With `holds`, holds rows whose payee has another account now. */
  lookAtPayees(batch: string, address: string, holds: boolean): void;
  oddPayees(verdict: 'changed' | 'elsewhere' | 'new', limit: number): readonly OddPayee[];
  knownOtherwise(limit: number): readonly KnownOtherwise[];
  /** Returns documents of unsent draft rows that other batches at this service address already attached to payments. */
  documentsAgain(batch: string, address: string, limit: number): readonly DocumentAgain[];
  /** Returns unsent rows whose payee was last paid to another account. Rows that a person released are left out. */
  changedPayees(batch: string, address: string): Promise<readonly ChangedPayee[]>;
  /** Returns the batch's unpaid rows with a new or changed payee, judged by payments at the service address. */
  oddUnpaid(batch: string, address: string): Promise<readonly OddUnpaid[]>;
  makersOf(batch: string): Promise<readonly string[]>;
  /** Returns other batches from which this row may be copied: they have a similar row, or an unpaid row that pays the same account. */
  batchesBeside(batch: string, key: string): Promise<readonly string[]>;
  createdMerchants(): ReadonlySet<string>;
  documentsToAttach(batch: string | null): Promise<number>;
  /** Returns payments that agree with draft rows to be sent. For each row, returns the newest payment of each kind of agreement. */
  matchesOfDraft(batch: string, times: MatchTimes): Promise<readonly FoundMatch[]>;
  /** Returns the payments that agree with rows of the batch's newest sheet in these states. */
  matchesOfRows(batch: string, states: readonly RowState[], times: MatchTimes): Promise<readonly FoundMatch[]>;
  /** Returns the names of all payments that agree with the row. */
  matchNames(batch: string, row: number, times: MatchTimes): Promise<readonly string[]>;
  /** Returns copies of the given rows: rows with the same payment that were sent after the given row had ended unpaid. */
  copiesOf(rows: readonly number[]): Promise<readonly Copy[]>;
  /** Returns the batch's rows that may be copies of unpaid rows in any batch. */
  copiesIn(batch: string): Promise<readonly Copy[]>;
  /** Stores the copies of a row that was paid late, so that people are warned of them. */
  keepCopies(row: LedgerRow, copies: readonly Copy[]): Promise<void>;
  /** Returns stored copies that may be paid as well as their rows, and that nobody has acknowledged. A null `batch` means all batches. */
  livingCopies(batch: string | null): Promise<readonly LivingCopy[]>;
  /** Records that a person has dealt with the row's second payment or its copies. */
  know(row: LedgerRow, why: string): Promise<void>;
  importDraft(
    order: VersionTerms & {
      readonly batch: string;
      readonly identity: string;
      readonly service: string;
      readonly tagScope: string;
      /** A person's reason to pay rows again; null if none was given. */
      readonly repeatReason: string | null;
      readonly sheet: Omit<SheetFacts, 'id' | 'rows' | 'invalid' | 'receivedAt' | 'digest'>;
      /** Entries to append to the trail after the sheet's own, such as its plan and its approvals. */
      readonly told?: readonly Pick<TrailEntry, 'what' | 'data'>[];
    },
  ): Promise<BatchFacts>;

  rows(query: RowQuery): Promise<readonly LedgerRow[]>;
  capFigures(order: CapOrder): Promise<CapFigures>;
  /** Returns the sum that other batches still have to send under approved plans, imported on that day. */
  approvedToSend(order: Pick<CapOrder, 'batch' | 'money' | 'day'>): Promise<bigint>;
  /** Returns the first ready row of each destination country and funding source. */
  firstReadyOfKinds(batch: string, since: number, within?: readonly AmountSpan[]): Promise<readonly LedgerRow[]>;
  readyKinds(
    batch: string,
    since: number,
  ): Promise<
    readonly {
      readonly country: string;
      readonly from: string | null;
      readonly collection: string | null;
      readonly rows: number;
    }[]
  >;
  /** Returns the sheet's rows in its order. `otherRows` returns the batch's rows that the sheet lacks. */
  rowsByNumber(batch: string, sheet: number, afterNumber: number, limit: number): Promise<readonly SheetRow[]>;
  otherRows(batch: string, sheet: number, afterId: number, limit: number): Promise<readonly LedgerRow[]>;
  row(id: number): Promise<LedgerRow | null>;
  rowByKey(batch: string, key: string): Promise<LedgerRow | null>;
  rowByTag(tag: string): Promise<LedgerRow | null>;
  rowByPayment(paymentId: string): Promise<LedgerRow | null>;
  earlierPayment(paymentId: string): Promise<EarlierPayment | null>;
  /** True if a row of the batch has an earlier payment, or may have one that only another ledger knew. A null `batch` means all batches. */
  hasEarlierPayments(batch: string | null): Promise<boolean>;
  invalidRows(
    sheet: number,
    afterNumber: number,
    limit: number,
  ): Promise<
    readonly { readonly number: number; readonly payout: number | null; readonly problems: readonly FoundProblem[] }[]
  >;
  /** Counts the sheet's lines with mistakes that are no rows. */
  looseLines(sheet: number): Promise<number>;
  counts(batch: string): Promise<readonly CountLine[]>;
  rowsByState(): Promise<readonly { readonly state: RowState; readonly rows: number }[]>;
  leftOut(batch: string, limit: number): Promise<readonly string[]>;
  /** Counts, by status and state, payments that ended with a status word that is not in the interface. */
  endedOtherwise(
    batch: string,
  ): Promise<readonly { readonly status: string; readonly state: RowState; readonly rows: number }[]>;
  /** Returns the first rows whose payment has another amount than the sheet. */
  paidOtherwise(batch: string, limit: number): Promise<readonly LedgerRow[]>;
  /** Counts the batch's payments over time, in at most `steps` steps; null if none was sent. */
  timeline(batch: string, steps: number): Promise<Timeline | null>;
  changedDeposits(batch: string): Promise<readonly DepositChange[]>;
  /** True if anything of the batch was ever sent or found at the service. */
  everSent(batch: string): Promise<boolean>;
  /** Records that the service does not have this payment, not even by its id. List scans then count as complete without the payment. */
  markGone(paymentId: string, reason: string): Promise<void>;
  /** Prepares a row for another attempt. A refused row keeps its tag; an expired row gets a new revision. */
  retry(row: LedgerRow, next: { readonly revision: number; readonly tag: string }): Promise<void>;
  /** Closes the rows: they are never sent, and keep their states. */
  closeRows(rows: readonly LedgerRow[], said: { readonly by: string | null; readonly why: string }): Promise<void>;
  reopenRows(rows: readonly LedgerRow[], said: { readonly by: string | null; readonly why: string }): Promise<void>;
  newestPaid(batch: string, limit: number): Promise<readonly LedgerRow[]>;
  newestEntry(
    batch: string,
    ...whats: (
      | 'opened'
      | 'pass'
      | 'run'
      | 'stop'
      | 'totals'
      | 'history'
      | 'variance'
      | 'result'
      | 'scheduled'
      | 'hour'
      | 'hour missed'
    )[]
  ): Promise<TrailEntry | null>;
  /** Returns trail entries of these kinds, for one batch or all, oldest first. */
  told(
    batch: string | null,
    ...whats: ('sheet' | 'retry' | 'alike' | 'meant' | 'scheduled' | 'schedule ended' | 'policy')[]
  ): Promise<readonly TrailEntry[]>;
  /** Returns the trail entries of one row, and of the plans of its batch, oldest first. */
  plansTold(batch: string, rowId: number): Promise<readonly TrailEntry[]>;
  declineOf(plan: string): Promise<{ readonly by: string; readonly at: number; readonly reason: string } | null>;
  trailOf(rowId: number): Promise<readonly TrailEntry[]>;
  /** Returns when waiting rows were last sent; null if none was sent before. */
  lastTried(batch: string): Promise<number | null>;
  /** Returns the keys of rows with a second payment that nobody has acknowledged. */
  unknownDoubles(batch: string): Promise<readonly string[]>;
  /** True if a row of the batch is paid, pending, in doubt, or held after an attempt. */
  hasSent(batch: string): Promise<boolean>;
  /** True if the service accepted any payment that this ledger sent for the batch. */
  everAccepted(batch: string): Promise<boolean>;
  /** Moves the batch to another identity and service. Call it only while nothing of the batch was sent. */
  bind(batch: string, identity: string, service: string): Promise<BatchFacts>;
  /** Records that a list scan showed a new payment of the batch. */
  proveList(batch: string): Promise<void>;
  /** Removes the record of `proveList` from every batch, because this ledger may not know all payments. */
  doubtLists(): Promise<void>;
  /** Records that nothing of the batch may be sent before `until`. */
  keepQuiet(batch: string, until: number): Promise<void>;
  lastSent(batch: string): Promise<number | null>;
  /** Returns when the newest payment with an id was sent; null for none. A list scan can find only payments with a known id. */
  lastListed(batch: string): Promise<number | null>;
  lastDoubt(batch: string): Promise<Doubt | null>;

  /** Moves a row to another state. Concurrent moves share a commit. The promise resolves when the move is on the disk. */
  move(move: Move): Promise<void>;
  moveAll(moves: readonly Move[]): Promise<void>;
  note(row: LedgerRow, facts: RowFacts, data?: Readonly<Record<string, unknown>>): Promise<void>;

  wantMerchants(batch: string, since: number, identity: string): Promise<number>;
  /** Stores listed merchants that share a destination or phone with a known merchant or a draft row. */
  seeMerchants(identity: string, merchants: readonly SeenMerchant[]): Promise<void>;
  forgetSeen(): void;
  seenFor(destinations: readonly string[]): ReadonlyMap<string, readonly SeenMerchant[]>;
  /** Yields, page by page, merchants in these states that unsent rows of the sheet need. */
  merchants(
    batch: string,
    since: number,
    identity: string,
    states: readonly MerchantState[],
  ): Iterable<readonly LedgerMerchant[]>;
  moveMerchants(
    identity: string,
    moves: readonly {
      readonly merchant: LedgerMerchant;
      readonly to: MerchantState;
      readonly merchantId?: string;
      readonly reason?: StoredReasons | null;
    }[],
  ): Promise<void>;
  /** Makes rows with a known merchant ready, and ready rows planned again if their merchant changed. Call it after matching merchants. */
  readyRows(batch: string, since: number, identity: string): Promise<number>;

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
    facts?: { readonly documentId?: string; readonly reason?: StoredReasons | null },
  ): Promise<void>;

  record(entry: Omit<TrailEntry, 'at'>): Promise<void>;
  /** Returns the newest trail entries about rows of the batch that are not paid, oldest first. */
  trail(batch: string, limit: number): Promise<readonly TrailEntry[]>;
  /** Returns a page of entries of one batch or all, newest first. `from` is the number of entries to skip. */
  trailPage(asked: { readonly batch: string | null; readonly from: number; readonly limit: number }): Promise<{
    readonly total: number;
    readonly entries: readonly { readonly seq: number; readonly hash: string; readonly entry: TrailEntry }[];
  }>;
  newestAt(): Promise<number | null>;
  head(): Promise<{ readonly seq: number; readonly hash: string }>;
  hashAt(seq: number): string | null;
  evidence(): Evidence;
  /** Yields the entries as stored, so that the chain can be checked offline. */
  eachTrail(): Iterable<{ readonly seq: number; readonly text: string; readonly hash: string }>;
}
