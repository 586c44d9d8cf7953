/** Declares the functions of a ledger, for SQLite and Postgres. */
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
  Decline,
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
  readonly key: string | null;
  readonly rowId: string | null;
  readonly name: string;
  readonly content: string;
}

export interface Draft {
  clear(): void;
  /** Adds the rows. A row that repeats a key becomes invalid, and is returned with the number of the first row. */
  add(rows: readonly DraftRow[]): readonly { readonly row: DraftRow; readonly first: number }[];
  addInvalid(line: InvalidLine): void;
  /** Returns draft rows outside the limits in `spans`. Leaves out rows that `batch` (null: any batch) already sent. */
  beyond(
    spans: readonly AmountSpan[],
    batch: string | null,
  ): Iterable<{
    readonly number: number;
    readonly amount: number;
    readonly country: string;
    readonly currency: string;
  }>;
  judge(problems: readonly Problem[]): void;
  addDocument(number: number, document: DraftDocument): void;
  /** For rows that Payrun will not send, copies missing documents from the ledger. Returns the documents' names. */
  keepDocuments(codes: { readonly named: string; readonly unnamed: string }, batch: string | null): readonly string[];
  /** Returns unsent South African rows without a document, if these rows pay one account more than `above` ZAR. */
  withoutDocuments(
    above: number,
    batch: string | null,
  ): Iterable<{ readonly number: number; readonly amount: number; readonly total: number; readonly rows: number }>;
  /** Returns rows with the account, amount and reference of an earlier row. `above` is that earlier row's number. */
  alike(): Iterable<{
    readonly number: number;
    readonly above: number;
    readonly reference: string;
    readonly aboveReference: string;
  }>;
  /** Returns rows that pay another payee than the first row of the account. `above` is that first row's number. */
  sharedAccounts(limit: number): readonly SharedAccount[];
  /** Selects unpaid rows of the draft. The import then prepares these rows for another attempt. */
  retry(keys: readonly string[]): void;
  addProblems(problems: readonly Problem[]): void;
  problems(limit: number): readonly Problem[];
  eachProblem(): Iterable<Problem>;
  problemKinds(limit: number): readonly ProblemKind[];
  counts(): DraftCounts;
  /** Returns a digest that does not depend on the order of the rows, so a sorted sheet counts as the same sheet. */
  digest(): string;
  countryTotals(): readonly (DraftTotal & { readonly country: string })[];
  totals(): readonly DraftTotal[];
  /** Returns the SHA-256 (hex) of the sorted destinations of all rows, each followed by a line feed. */
  accounts(): string;
  collections(): number;
}

export interface Passes {
  begin(): void;
  add(payments: readonly SeenPayment[]): void;
  /** Returns the ledger's payments that the scan lacks or shows with another tag. Checks only the newest 500. */
  missing(identity: string, since: number, before: number): readonly MissingPayment[];
  sightings(identity: string): readonly Sighting[];
  misnamed(identity: string): readonly { readonly row: LedgerRow; readonly payment: SeenPayment }[];
  /** Returns payments with a tag in Payrun's form that belongs to no row of this ledger. */
  strangers(): readonly { readonly tag: string; readonly payment: SeenPayment }[];
  /** Returns payments in the scan that look like unsent rows of the batch. The service's clock is `lead` ms ahead. */
  matches(batch: string, sheet: number, lead: number): readonly SeenMatch[];
  /** Returns ids of payments that may match an unsent row, but whose payee, amount or reference is unknown. */
  lacking(since: number): readonly string[];
  fill(
    paymentId: string,
    said: {
      readonly merchantId?: string | null | undefined;
      readonly amount: number | null;
      readonly reference?: string | null | undefined;
    },
  ): void;
  likesOf(row: LedgerRow): readonly string[];
  holdsIntentAfter(identity: string, moment: number): boolean;
  holds(paymentId: string): boolean;
  tagless(identity: string): readonly string[];
  tell(paymentId: string, tag: string | null): void;
}

export interface CapOrder {
  readonly batch: string;
  /** Null means the draft rows to be sent. A list means the batch's unsent rows, and the rows with these ids. */
  readonly again: readonly number[] | null;
  readonly money: { readonly currency: string; readonly unit: AmountUnit };
  readonly cap: Cap;
  /** The cap per day counts payments sent from `from` until before `until` (milliseconds since 1970). */
  readonly day: { readonly address: string; readonly from: number; readonly until: number };
}

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly active: boolean;
  readonly password: string | null;
  /** The secret of the authenticator app. `codeStep` is the newest time step whose code was accepted. */
  readonly codeSecret: string | null;
  readonly codeStep: number | null;
  readonly keyFile: string | null;
  readonly publicKey: string | null;
  readonly createdAt: number;
  readonly seenAt: number | null;
}

export interface SessionFacts {
  readonly account: number;
  readonly begunAt: number;
  readonly seenAt: number;
}

/** A person's action for the trail, without secrets and bank account numbers. */
export interface PersonAction {
  readonly by: string | null;
  readonly did: string;
  readonly batch?: string | null;
  readonly [more: string]: unknown;
}

export interface People {
  /** Runs `work` in one transaction with the actions that it records. Throws if another process writes for over 20 seconds. */
  act<T>(work: (record: (action: PersonAction) => void) => T): Promise<T>;
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
  /** Stores the time of a request. Does nothing while another process writes: the next request stores its own time. */
  seeSession(hash: string): void;
  endSession(hash: string): void;
  endSessionsOf(account: number): void;
  endSessionsBefore(begunAt: number, seenAt: number): void;

  link(hash: string): { readonly account: number | null; readonly goodUntil: number } | null;
  makeLink(hash: string, account: number | null, goodUntil: number): void;
  takeLink(hash: string): boolean;

  /** Returns the times of login attempts after `since`, oldest first. Null for `who` includes every person. */
  tries(who: string | null, address: string, since: number): readonly number[];
  addTry(who: string, address: string, forgetBefore: number): number;
  forgetTry(id: number): void;
  forgetTries(who: string, address: string): void;

  setting(name: string): string | null;
  set(name: string, value: string): void;
}

export interface Ledger extends Proposals {
  readonly people: People;
  /** Null on SQLite, where only one process sends. */
  readonly fleet: Fleet | null;
  readonly path: string;
  readonly at: LedgerPlace;
  /** Resolves when the connection to Postgres ends. Never resolves on SQLite. */
  readonly lost: Promise<void>;
  readonly folder: string;
  /** A copy of the ledger has the same id. */
  readonly id: string;
  /** True if the ledger's place differs from the place that `settleIn` recorded. The ledger may then be a copy. */
  readonly moved: boolean;
  elsewhere(): Promise<Elsewhere | null>;
  requireHome(): Promise<void>;
  readonly draft: Draft;
  readonly passes: Passes;
  readonly uploads: Uploads;
  readonly pages: Pages;
  close(): Promise<void>;
  /** Takes the sender's lock and keeps it until `close`. Throws LEDGER_BUSY while another process has the lock. */
  hold(): Promise<void>;
  isHeldElsewhere(): boolean;
  /** Takes the console's lock. A second console would mark the jobs of the first console as failed. */
  holdConsole(): Lock;
  requireRoom(): void;
  /** Records the ledger's present place. Call this only after a scan for payments sent from the earlier place. */
  settleIn(): Promise<void>;
  /** Puts rows, merchants and documents in doubt if a process ended during their request. Returns the row count. */
  recover(): Promise<number>;

  batches(): Promise<readonly BatchFacts[]>;
  batch(name: string): Promise<BatchFacts | null>;
  sheetAt(batch: string, at: number): Promise<string>;
  /** Returns batches that share row keys with the draft. The batch with the most unchanged rows comes first. */
  batchesOfDraft(): Promise<readonly DraftBatch[]>;
  /** Pairs draft rows with sent rows of the same key. At most one of destination, amount and reference differs. */
  sentOfDraft(address: string, since: number): Promise<readonly SentBefore[]>;
  compare(batch: string): Promise<Comparison>;
  countsWithDraft(batch: string | null): Promise<readonly CountLine[]>;
  leftOutByDraft(batch: string, limit: number): Promise<readonly string[]>;
  /** Returns the contents of unpaid rows that the draft lacks. An import with `--drop` would close these rows. */
  droppedByDraft(batch: string, limit: number): Promise<readonly string[]>;
  sheetsOf(batch: string): readonly SheetFacts[];
  newestSheet(): number;
  /** Returns lines of the draft whose row a person closed. Leaves out rows that a sheet closed. */
  closedInDraft(batch: string): Promise<readonly ClosedRow[]>;
  plannedRows(batch: string): Iterable<PlannedRow>;
  plannedRow(batch: string, key: string): PlannedRow | null;
  /** Returns the batch's unpaid rows that the draft has with the same content. */
  unpaidInDraft(batch: string): Promise<readonly LedgerRow[]>;
  plannedMerchants(batch: string, identity: string): Iterable<PlannedMerchant>;
  /** Returns at most three other batches with the rows or sums of the draft. Batches with the same rows come first. */
  batchesAlike(draft: {
    readonly batch: string;
    readonly address: string;
    readonly digest: string;
    readonly sums: string;
    readonly since: number;
  }): Promise<readonly EarlierBatch[]>;
  lastOfSeries(series: string, batch: string, address: string): Promise<string | null>;
  moneyByPayee(last: string): Iterable<PayeeMoney>;
  /** Finds draft rows whose payee is new or has another account. `oddPayees` and `knownOtherwise` return these rows. */
  lookAtPayees(batch: string, address: string, holds: boolean): void;
  oddPayees(verdict: 'changed' | 'elsewhere' | 'new', limit: number): readonly OddPayee[];
  knownOtherwise(limit: number): readonly KnownOtherwise[];
  /** Returns documents of unsent draft rows if another batch at `address` already attached the same file. */
  documentsAgain(batch: string, address: string, limit: number): readonly DocumentAgain[];
  /** Returns unsent rows with a payee's new account. Leaves out released rows and names that two people may share. */
  changedPayees(batch: string, address: string): Promise<readonly ChangedPayee[]>;
  makersOf(batch: string): Promise<readonly string[]>;
  /** Returns other batches with a similar row, or with a row to the same account whose payment has not succeeded. */
  batchesBeside(batch: string, key: string): Promise<readonly string[]>;
  createdMerchants(): ReadonlySet<string>;
  documentsToAttach(batch: string | null): Promise<number>;
  /** Returns ledger rows that look like draft rows to be sent: for each draft row, the newest row of each kind. */
  matchesOfDraft(batch: string, times: MatchTimes): Promise<readonly FoundMatch[]>;
  matchesOfRows(batch: string, times: MatchTimes): Promise<readonly FoundMatch[]>;
  /** Returns the names of sent or closed rows that look like this row. The name `row 12/3` means id 12, revision 3. */
  matchNames(batch: string, row: number, times: MatchTimes): Promise<readonly string[]>;
  /** Returns the copies of the rows. A copy looks like a row, and was sent after the row had ended. */
  copiesOf(rows: readonly number[]): Promise<readonly Copy[]>;
  copiesIn(batch: string): Promise<readonly Copy[]>;
  keepCopies(row: LedgerRow, copies: readonly Copy[]): Promise<void>;
  /** Returns pairs of a row and a copy that may both be paid. Leaves out pairs that a person recorded with `know`. */
  livingCopies(batch: string | null): Promise<readonly LivingCopy[]>;
  /** Records that a person knows of the row's second payment or copies. Payrun then stops warning about them. */
  know(row: LedgerRow, why: string): Promise<void>;
  importDraft(
    order: VersionTerms & {
      readonly batch: string;
      readonly identity: string;
      readonly service: string;
      readonly tagScope: string;
      readonly repeatReason: string | null;
      readonly sheet: Omit<SheetFacts, 'id' | 'rows' | 'invalid' | 'receivedAt' | 'digest'>;
      readonly entries?: readonly Pick<TrailEntry, 'what' | 'data'>[];
    },
  ): Promise<BatchFacts>;

  rows(query: RowQuery): Promise<readonly LedgerRow[]>;
  capFigures(order: CapOrder): Promise<CapFigures>;
  /** Sums the unsent rows of other batches at `day.address` whose approved plans were imported within `day`. */
  approvedToSend(order: Pick<CapOrder, 'batch' | 'money' | 'day'>): Promise<bigint>;
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
  /** Returns the sheet's rows in the order of the sheet. `otherRows` returns the rows that the sheet lacks. */
  rowsByNumber(batch: string, sheet: number, afterNumber: number, limit: number): Promise<readonly SheetRow[]>;
  otherRows(batch: string, sheet: number, afterId: number, limit: number): Promise<readonly LedgerRow[]>;
  row(id: number): Promise<LedgerRow | null>;
  rowByKey(batch: string, key: string): Promise<LedgerRow | null>;
  rowByTag(tag: string): Promise<LedgerRow | null>;
  rowByPayment(paymentId: string): Promise<LedgerRow | null>;
  earlierPayment(paymentId: string): Promise<EarlierPayment | null>;
  /** True if a row of the batch (null: of any batch) had a payment under an earlier revision. */
  hasEarlierPayments(batch: string | null): Promise<boolean>;
  invalidRows(
    sheet: number,
    afterNumber: number,
    limit: number,
  ): Promise<
    readonly { readonly number: number; readonly payout: number | null; readonly problems: readonly FoundProblem[] }[]
  >;
  /** Counts the sheet's invalid lines without a row in the ledger. */
  looseLines(sheet: number): Promise<number>;
  counts(batch: string): Promise<readonly CountLine[]>;
  rowsByState(): Promise<readonly { readonly state: RowState; readonly rows: number }[]>;
  leftOut(batch: string, limit: number): Promise<readonly string[]>;
  /** Counts ended payments whose status at the service is neither `success` nor `expired`. */
  endedOtherwise(
    batch: string,
  ): Promise<readonly { readonly status: string; readonly state: RowState; readonly rows: number }[]>;
  paidOtherwise(batch: string, limit: number): Promise<readonly LedgerRow[]>;
  timeline(batch: string, steps: number): Promise<Timeline | null>;
  changedDeposits(batch: string): Promise<readonly DepositChange[]>;
  /** True if a row of the batch has a payment, or an attempt that was accepted, refused or left in doubt. */
  everSent(batch: string): Promise<boolean>;
  /** Records that the service no longer lists this payment. Scans without the payment then count as complete. */
  markGone(paymentId: string, reason: string): Promise<void>;
  retryRows(rows: readonly LedgerRow[]): Promise<void>;
  /** Closes the rows, and keeps their states. Payrun sends no closed row until a person or sheet reopens the row. */
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
  /** Returns trail entries of these kinds without a row, oldest first. Null for `batch` means all batches. */
  entries(batch: string | null, ...what: ('scheduled' | 'schedule ended' | 'policy')[]): Promise<readonly TrailEntry[]>;
  planEntries(batch: string, rowId: number): Promise<readonly TrailEntry[]>;
  declineOf(plan: string): Promise<Decline | null>;
  /** Returns the newest decline of a plan for this batch name, or with rows of this digest. */
  declinedBefore(batch: string, rows: string): Promise<Decline | null>;
  trailOf(rowId: number): Promise<readonly TrailEntry[]>;
  /** Returns when Payrun last tried to send a row that waits for another attempt; null without such a row. */
  lastTried(batch: string): Promise<number | null>;
  unknownDoubles(batch: string): Promise<readonly string[]>;
  hasSent(batch: string): Promise<boolean>;
  /** True if a row of the batch has both a payment and an attempt by this ledger. */
  everAccepted(batch: string): Promise<boolean>;
  /** Moves the batch to another identity and service. Call this only before the first row is sent. */
  bind(batch: string, identity: string, service: string): Promise<BatchFacts>;
  proveList(batch: string): Promise<void>;
  /** Clears `listedAt` of all batches, because this ledger may not know all payments. */
  doubtLists(): Promise<void>;
  keepQuiet(batch: string, until: number): Promise<void>;
  lastSent(batch: string): Promise<number | null>;
  /** Returns when Payrun last sent a row that has a payment; null without such a row. */
  lastListed(batch: string): Promise<number | null>;
  lastDoubt(batch: string): Promise<Doubt | null>;

  /** Moves a row to another state. The promise resolves when the move is on the disk. */
  move(move: Move): Promise<void>;
  moveAll(moves: readonly Move[]): Promise<void>;
  note(row: LedgerRow, facts: RowFacts, data?: Readonly<Record<string, unknown>>): Promise<void>;

  wantMerchants(batch: string, since: number, identity: string): Promise<number>;
  seeMerchants(identity: string, merchants: readonly SeenMerchant[]): Promise<void>;
  forgetSeen(): void;
  seenFor(destinations: readonly string[]): ReadonlyMap<string, readonly SeenMerchant[]>;
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
  /** Moves planned rows with a known merchant to `ready`. A ready row whose merchant changed becomes planned first. */
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
  trail(batch: string, limit: number): Promise<readonly TrailEntry[]>;
  trailPage(asked: { readonly batch: string | null; readonly from: number; readonly limit: number }): Promise<{
    readonly total: number;
    readonly entries: readonly { readonly seq: number; readonly hash: string; readonly entry: TrailEntry }[];
  }>;
  newestAt(): Promise<number | null>;
  head(): Promise<{ readonly seq: number; readonly hash: string }>;
  hashAt(seq: number): string | null;
  evidence(): Evidence;
  eachTrail(): Iterable<{ readonly seq: number; readonly text: string; readonly hash: string }>;
}
