/** What the pipeline may ask of a ledger, whatever database keeps it. */

import type { TrailEntry } from '../audit/chain.ts';
import type { Evidence } from '../audit/evidence.ts';
import type { Lock } from '../base/lock.ts';
import type { Problem } from '../base/problem.ts';
import type { Cap, CapFigures } from '../domain/amounts/cap.ts';
import type { AmountUnit } from '../domain/amounts/money.ts';
import type { Doubt } from '../domain/sending/doubt.ts';
import type { StoredReasons } from '../domain/sending/reason.ts';
import type { Uploads } from './accounts/uploads.ts';
import type { Heeding } from './batches/turns.ts';
import type {
  AddedAlike,
  AmountSpan,
  BatchFacts,
  ChangedPayee,
  Comparison,
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
  KnownOtherwise,
  LedgerDocument,
  LedgerMerchant,
  LedgerRow,
  LivingCopy,
  Lookalike,
  MissingPayment,
  Move,
  NearLookalike,
  NearTwin,
  OddPayee,
  OddUnpaid,
  PayeeMoney,
  PlannedMerchant,
  PlannedRow,
  ProblemKind,
  RowFacts,
  RowQuery,
  SeenMerchant,
  SeenPayment,
  SentBefore,
  SharedAccount,
  SheetFacts,
  SheetRow,
  Sighting,
  SkippedBeside,
  SkippedRow,
  Timeline,
  WaitingTwin,
  WholeTwin,
} from './facts.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Pages } from './rows/pages.ts';
import type { DocumentState, MerchantState, RowState } from './rows/states.ts';
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
  readonly name: string | null;
  /** As a payee has it, or as the cell does; null where it cannot be read. */
  readonly account: string | null;
  readonly reference: string | null;
  /** As it is written, where it cannot be read. */
  readonly amount: number | string | null;
}

/** A sheet while it is being checked: kept on disk, private to this process, gone with it. */
export interface Draft {
  clear(): void;
  /** Returns, for each row whose key was there already, that row and the number of the first one. */
  add(rows: readonly DraftRow[]): readonly { readonly row: DraftRow; readonly first: number }[];
  /** A line that cannot be paid: the batch may know it. */
  addInvalid(line: InvalidLine): void;
  /** Rows that one of the spans does not take, but for those that were sent in the batch that is named, or in any. */
  beyond(
    spans: readonly AmountSpan[],
    batch: string | null,
  ): Iterable<{
    readonly number: number;
    readonly amount: number;
    readonly country: string;
    readonly currency: string;
  }>;
  /** Adds them; a row with an error among them is no longer one that can be paid, though the batch may know it. */
  judge(problems: readonly Problem[]): void;
  /** Beside those that the row names, unless it is one of them; nothing where there is no such row. */
  addDocument(number: number, document: DraftDocument): void;
  /** Resolves missing documents: sent or ended rows keep those that they had, other rows are rejected. Returns the kept names. */
  keepDocuments(codes: { readonly named: string; readonly unnamed: string }, batch: string | null): readonly string[];
  /** Rows to South Africa without a document that were not sent and have not ended yet, in the batch that is named or in any, where all such rows to their account come to more than so much whole ZAR. */
  withoutDocuments(
    above: number,
    batch: string | null,
  ): Iterable<{ readonly number: number; readonly amount: number; readonly total: number; readonly rows: number }>;
  /** Rows with the likeness of one above them, and the number of the nearest. */
  alike(): Iterable<{
    readonly number: number;
    readonly above: number;
    readonly reference: string;
    readonly aboveReference: string;
  }>;
  /** Rows that pay an account which an earlier row pays under another name or id. */
  sharedAccounts(limit: number): readonly SharedAccount[];
  addProblems(problems: readonly Problem[]): void;
  /** Errors first. */
  problems(limit: number): readonly Problem[];
  /** All of them, in the order of the sheet: those of the whole sheet, then row by row. */
  eachProblem(): Iterable<Problem>;
  /** How often each kind occurs and where first, errors first and the most frequent before the others. */
  problemKinds(limit: number): readonly ProblemKind[];
  counts(): DraftCounts;
  /** Order of rows does not matter: a sorted sheet is the same sheet. */
  digest(): string;
  /** By country as well, for people. */
  countryTotals(): readonly (DraftTotal & { readonly country: string })[];
  /** By currency, unit and funding source. */
  totals(): readonly DraftTotal[];
  /** SHA-256 (hex) of the destinations of all rows, sorted, each with a line feed. */
  accounts(): string;
  /** Rows that would make the service ask a phone for money (Kenya by mobile collection). */
  collections(): number;
}

/** The payments of one pass at a time: kept in a file of their own that goes with the connection. */
export interface Passes {
  begin(): void;
  add(payments: readonly SeenPayment[]): void;
  /** The newest payments that this identity's rows had accepted in the span, which the pass lacks or saw with another tag. */
  missing(identity: string, since: number, before: number): readonly MissingPayment[];
  sightings(identity: string): readonly Sighting[];
  /** Rows whose payment was listed with another tag than theirs, but for those of which a person said that they are gone. */
  misnamed(identity: string): readonly { readonly row: LedgerRow; readonly payment: SeenPayment }[];
  /** Payments under tags of our making that no row of this ledger bears. */
  strangers(): readonly { readonly tag: string; readonly payment: SeenPayment }[];
  /** Of those that count; but for what a person has said of the row. Of each row the newest. */
  lookalikes(batch: string, sheet: number, since: number, dates: SeenDates): readonly Lookalike[];
  /** The payments that look like any row, whatever their dates. */
  alike(batch: string, sheet: number, since: number, lead: number): readonly string[];
  /** These are none that count for the rows that the batch had at first: its reason to pay again was given for them. */
  mean(paymentIds: readonly string[]): void;
  /** Payments that no row of this ledger made, alike but for the amount; not those that another row of the sheet is wholly like. */
  nearLookalikes(batch: string, sheet: number, since: number, lead: number): readonly NearLookalike[];
  /** Living payments of nobody's row, since then, that leave out whom they pay, how much or why, and could be a row's that is to be sent. */
  lacking(since: number): readonly string[];
  /** What such a payment says of itself where it is read alone. */
  fill(
    paymentId: string,
    said: {
      readonly merchantId?: string | null | undefined;
      readonly amount: number | null;
      readonly reference?: string | null | undefined;
    },
  ): void;
  /** Living payments of nobody's row that pay its payee the same under the same reference. */
  likesOf(row: LedgerRow): readonly string[];
  /** Whether the pass held a payment of ours whose intent was written at or after this moment of the wall clock. */
  holdsIntentAfter(identity: string, moment: number): boolean;
  holds(paymentId: string): boolean;
  /** Payments that the list shows without a tag, and that a row could be the cause of. */
  tagless(identity: string): readonly string[];
  /** What reading it by id said of its tag. */
  tell(paymentId: string, tag: string | null): void;
}

/** By the service's clock. */
export interface SeenDates {
  /** How far it is ahead of the ledger's. */
  readonly lead: number;
  /** Where it is said, only what was made between the two counts, as far as its date says so. */
  readonly between: { readonly after: number; readonly before: number } | null;
}

export interface CapOrder {
  readonly batch: string;
  /** null: of the draft, as it would be taken into the batch; else of the batch's own rows that wait, and of these that are about to be sent again. */
  readonly again: readonly number[] | null;
  readonly money: { readonly currency: string; readonly unit: AmountUnit };
  readonly cap: Cap;
  /** Counts what batches of this address sent from one moment until another. */
  readonly day: { readonly address: string; readonly from: number; readonly until: number };
}

/** Somebody who may log in at the console. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly active: boolean;
  /** Hashed; null until the link of the invitation was used. */
  readonly password: string | null;
  /** Of the authenticator app, and the newest step of time whose code was taken. */
  readonly codeSecret: string | null;
  readonly codeStep: number | null;
  /** The private key as its file has it, locked, and the line of the public one. */
  readonly keyFile: string | null;
  readonly publicKey: string | null;
  readonly createdAt: number;
  readonly seenAt: number | null;
  /** Whether a link waits to be used. */
  readonly linked: boolean;
}

export interface SessionFacts {
  readonly account: number;
  readonly begunAt: number;
  readonly seenAt: number;
}

/** What a person did, for the trail: never a secret, never an account number. */
export interface Deed {
  /** null: nobody who is known. */
  readonly by: string | null;
  readonly did: string;
  readonly batch?: string | null;
  readonly [more: string]: unknown;
}

/** The console's people. What changes them is called within `act` alone, but for what says so. */
export interface People {
  /** All of the work or nothing, with its deeds in the trail; waits, without holding anything up, while another process writes. */
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
  /** False where that step's code, or a later one, was taken before. */
  takeStep(id: number, step: number): boolean;

  session(hash: string): SessionFacts | null;
  beginSession(hash: string, account: number): void;
  /** By itself, and only where nobody else writes. */
  seeSession(hash: string): void;
  endSession(hash: string): void;
  endSessionsOf(account: number): void;
  endSessionsBefore(begunAt: number, seenAt: number): void;

  link(hash: string): { readonly account: number | null; readonly goodUntil: number } | null;
  /** In place of the account's earlier one; null is the first account of all. */
  makeLink(hash: string, account: number | null, goodUntil: number): void;
  /** False where somebody else has just used it. */
  takeLink(hash: string): boolean;

  /** The moments since then, oldest first; of an address alone where `who` is null. */
  tries(who: string | null, address: string, since: number): readonly number[];
  addTry(who: string, address: string, forgetBefore: number): number;
  forgetTry(id: number): void;
  forgetTries(who: string, address: string): void;

  setting(name: string): string | null;
  set(name: string, value: string): void;
}

export interface Ledger extends Heeding {
  readonly people: People;
  /** Where several processes may send at once; null where the ledger is of one machine. */
  readonly fleet: Fleet | null;
  /** For people. */
  readonly path: string;
  /** What opens it once more, in another thread. */
  readonly at: LedgerPlace;
  /** Settles when its connection is gone, closed or cut; never where it is a file. */
  readonly lost: Promise<void>;
  /** What belongs to it and is no part of it lies there: the copies of its sheets. */
  readonly folder: string;
  /** Made once with the ledger; a copy of it has the same one. */
  readonly id: string;
  /** Whether the file lies elsewhere than when it last sent: it may be a copy. */
  readonly moved: boolean;
  /** Where it goes on, or what it is an unfinished copy of; null where it can send. */
  elsewhere(): Promise<Elsewhere | null>;
  /** Refused where it goes on elsewhere, or is an unfinished copy. */
  requireHome(): Promise<void>;
  readonly draft: Draft;
  readonly passes: Passes;
  readonly uploads: Uploads;
  readonly pages: Pages;
  close(): Promise<void>;
  /** Becomes the one sender; refused (LEDGER_BUSY) while another process is. Ends with the process. */
  hold(): Promise<void>;
  /** Whether another process is the one sender just now. */
  isHeldElsewhere(): boolean;
  /** One console for each ledger: beside another it would take the other's jobs for ended ones, and sheets that are being paid for idle ones. */
  holdConsole(): Lock;
  /** Refused while there is too little room to begin a run. */
  requireRoom(): void;
  /** What may have been sent from where the ledger lay before was looked for: it is no longer called moved. */
  settleIn(): Promise<void>;
  /** After a death: what was under way is in doubt. Returns how many rows were. */
  recover(): Promise<number>;

  batches(): Promise<readonly BatchFacts[]>;
  batch(name: string): Promise<BatchFacts | null>;
  /** The file that was a batch's newest sheet at a moment; the first one, where the moment is before it. */
  sheetAt(batch: string, at: number): Promise<string>;
  /** The batches that hold the draft's keys, those first whose rows it has the most of. */
  batchesOfDraft(): Promise<readonly DraftBatch[]>;
  /** The numbers of the draft's rows that are a row of a batch at the address, unchanged, whose payment was asked for. */
  askedOfDraft(address: string): Promise<readonly number[]>;
  /** Rows of the draft that were sent since then at the address, as they are or but for one thing; of each the newest payment that is the same, else the newest. */
  sentOfDraft(address: string, since: number): Promise<readonly SentBefore[]>;
  compare(batch: string): Promise<Comparison>;
  /** New rows of the draft that are wholly like one that the batch has sent, under another key or without one; of each the newest. */
  addedAlike(batch: string): Promise<readonly AddedAlike[]>;
  /** The batch's counts as they will be once the draft is taken in and nothing is sent yet; of a batch that is not known, or none, the draft's. */
  countsWithDraft(batch: string | null): Promise<readonly CountLine[]>;
  /** The first of the batch's rows that are not sent and that the draft lacks, by their keys. */
  leftOutByDraft(batch: string, limit: number): Promise<readonly string[]>;
  /** Rows that the batch's sheets had with mistakes, so that they are no rows of it, and which of them persons gave up. */
  skipped(batch: BatchFacts): Promise<readonly SkippedRow[]>;
  /** All that came in for it, the first one first. */
  sheetsOf(batch: string): readonly SheetFacts[];
  /** The same, beside the draft. */
  skippedBesideDraft(batch: string): Promise<SkippedBeside>;
  /** Rows of the draft, and of the batch, for which a person said since they last moved that nothing is owed; `sends`: as they would stand. */
  givenUpInDraft(batch: string): Promise<readonly (SkippedBeside['again'][number] & { readonly sends: boolean })[]>;
  /** How many new rows of the draft mend none that the batch left out, or that waits in it. */
  addedBesideDraft(batch: string): Promise<number>;
  /** The draft's rows in the sheet's order, as they would stand in the batch. */
  plannedRows(batch: string): Iterable<PlannedRow>;
  plannedRow(batch: string, key: string): PlannedRow | null;
  /** One for each destination that rows of the draft would be sent to, in the order of its first such row. */
  plannedMerchants(batch: string, identity: string): Iterable<PlannedMerchant>;
  /** Other batches at the address with the draft's rows, or sums, in any sheet that came in since; those with the same rows first. */
  batchesAlike(draft: {
    readonly batch: string;
    readonly address: string;
    readonly digest: string;
    readonly sums: string;
    readonly since: number;
  }): Promise<readonly EarlierBatch[]>;
  /** The newest batch of a series at the address, before this one, of which something was sent. */
  lastOfSeries(series: string, batch: string, address: string): Promise<string | null>;
  /** What each payee got in that batch, and gets in the draft. */
  moneyByPayee(last: string): Iterable<PayeeMoney>;
  /** Compares the payees of the draft with those that were paid at the address, for what follows; `holds`: a changed account is held. */
  lookAtPayees(batch: string, address: string, holds: boolean): void;
  /** What that found, in the order of the sheet. */
  oddPayees(verdict: 'changed' | 'elsewhere' | 'new', limit: number): readonly OddPayee[];
  /** Of those that are not simply known: rows whose account was last paid under another name. */
  knownOtherwise(limit: number): readonly KnownOtherwise[];
  /** Documents of rows of the draft that nothing was sent of, and that went with payments of other batches at this address. */
  documentsAgain(batch: string, address: string, limit: number): readonly DocumentAgain[];
  /** Rows of the batch to be sent, whose payee was last paid to another account, and which nobody has let go. */
  changedPayees(batch: string, address: string): Promise<readonly ChangedPayee[]>;
  /** Unpaid rows of the batch whose payees no payment at the address makes known. */
  oddUnpaid(batch: string, address: string): Promise<readonly OddUnpaid[]>;
  /** Who ran the batch's sheets, and who made their plans. */
  makersOf(batch: string): Promise<readonly string[]>;
  /** Other batches that have the row's payment, or one to its account that is not paid: where it may come from. */
  batchesBeside(batch: string, key: string): Promise<readonly string[]>;
  /** The destinations for which this ledger once asked for a merchant to be made. */
  createdMerchants(): ReadonlySet<string>;
  /** How many documents of the draft the batch has not attached yet. */
  documentsToAttach(batch: string | null): Promise<number>;
  /** Rows of the batch, by their keys, that the draft has with other documents: taken in, it would exchange what is not sent, or give more to what is not. */
  otherDocumentsInDraft(batch: string): Iterable<string>;
  /** Returns unsent rows of the draft that match a row sent since `since`, or a row of another batch if this one continues. */
  twins(batch: string, since: number, address: string, adds?: boolean): Promise<readonly WholeTwin[]>;
  /** Does the same for rows of a batch; `again` counts unpaid rows as if they were sent again. */
  twinsOfBatch(batch: string, since: number, address: string, again?: boolean): Promise<readonly WholeTwin[]>;
  /** Returns unsent rows of the draft that differ in one thing from a row sent since `since` that the draft lacks. */
  nearTwins(batch: string, since: number, address: string): Promise<readonly NearTwin[]>;
  /** The same for the rows that a batch already has. */
  nearTwinsOfBatch(batch: string, since: number, address: string, again?: boolean): Promise<readonly NearTwin[]>;
  /** Rows of the draft that look like ones which wait in other batches at the address, whose newest sheets came since a moment. */
  waitingTwins(batch: string, address: string, since: number, limit: number): readonly WaitingTwin[];
  /** What was sent while these rows seemed unpaid, and may be their corrected copies. */
  copiesOf(rows: readonly number[]): Promise<readonly Copy[]>;
  /** The batch's rows that may be copies of rows that are unpaid, of any batch. */
  copiesIn(batch: string): Promise<readonly Copy[]>;
  /** Before the row is paid after all: whoever asks later is told of them. */
  keepCopies(row: LedgerRow, copies: readonly Copy[]): Promise<void>;
  /** Those kept that may be paid out beside their rows and of which nobody has said to know: with a row of the batch, or any. */
  livingCopies(batch: string | null): Promise<readonly LivingCopy[]>;
  /** A person's word that the row's two payments, or it and its copies, are dealt with. */
  know(row: LedgerRow, why: string): Promise<void>;
  /** Takes the draft into the batch, all of it or nothing. */
  importDraft(order: {
    readonly batch: string;
    readonly identity: string;
    readonly service: string;
    readonly tagScope: string;
    /** Why rows are paid that were paid before, where a person said so. */
    readonly repeatReason: string | null;
    readonly sheet: Omit<SheetFacts, 'id' | 'rows' | 'invalid' | 'receivedAt' | 'digest'> & {
      /** Which number it has already, of all sheets that came. */
      readonly turn?: number;
    };
    /** What the trail tells right after the sheet: under which plan it was taken in, and who approved that. */
    readonly told?: readonly Pick<TrailEntry, 'what' | 'data'>[];
  }): Promise<BatchFacts>;

  rows(query: RowQuery): Promise<readonly LedgerRow[]>;
  /** What would be sent of one currency, and what was, as far as its caps ask. */
  capFigures(order: CapOrder): Promise<CapFigures>;
  /** What other batches, which began on the day under plans that were approved, have yet to send. */
  approvedToSend(order: Pick<CapOrder, 'batch' | 'money' | 'day'>): Promise<bigint>;
  /** The first ready row of each destination country and funding source. */
  firstReadyOfKinds(batch: string, sheet: number, within?: readonly AmountSpan[]): Promise<readonly LedgerRow[]>;
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
  rowsByNumber(batch: string, sheet: number, afterNumber: number, limit: number): Promise<readonly SheetRow[]>;
  otherRows(batch: string, sheet: number, afterId: number, limit: number): Promise<readonly LedgerRow[]>;
  row(id: number): Promise<LedgerRow | null>;
  /** By the key of its batch. */
  rowByKey(batch: string, key: string): Promise<LedgerRow | null>;
  rowByTag(tag: string): Promise<LedgerRow | null>;
  rowByPayment(paymentId: string): Promise<LedgerRow | null>;
  earlierPayment(paymentId: string): Promise<EarlierPayment | null>;
  /** Whether any of the batch's rows has one, or may have one that only another ledger knew; null: any row of this ledger has. */
  hasEarlierPayments(batch: string | null): Promise<boolean>;
  invalidRows(
    sheet: number,
    afterNumber: number,
    limit: number,
  ): Promise<readonly { readonly number: number; readonly reason: string }[]>;
  counts(batch: string): Promise<readonly CountLine[]>;
  /** Of all batches. */
  rowsByState(): Promise<readonly { readonly state: RowState; readonly rows: number }[]>;
  /** The first of its rows that are not sent and that its newest sheet lacks, by their keys. */
  leftOut(batch: string, limit: number): Promise<readonly string[]>;
  /** How many of its rows are not paid, are not in its newest sheet, and were given up by a person since they last moved. */
  givenUp(batch: string): Promise<number>;
  /** Of its rows in these states, those that were given up by a person since they last moved. */
  givenUpRows(batch: string, states: readonly RowState[]): Promise<readonly number[]>;
  /** Its rows whose payment ended by a word that the interface does not show, by that word. */
  endedOtherwise(
    batch: string,
  ): Promise<readonly { readonly status: string; readonly state: RowState; readonly rows: number }[]>;
  /** The first of its rows whose payment is of another amount than the sheet says. */
  paidOtherwise(batch: string, limit: number): Promise<readonly LedgerRow[]>;
  /** What became of its payments over time, in at most so many steps; null where none was sent. */
  timeline(batch: string, steps: number): Promise<Timeline | null>;
  /** Its payments whose deposit details the service has changed, each with the newest change. */
  changedDeposits(batch: string): Promise<readonly DepositChange[]>;
  /** Whether anything of the batch ever left, or was found at the service. */
  everSent(batch: string): Promise<boolean>;
  /** An absent payment that by id is not there either: passes are complete without it. */
  markGone(paymentId: string, reason: string): Promise<void>;
  /** A refused row under the tag it has, an expired one as a new revision: both look for their merchant again, and want their documents anew. */
  retry(row: LedgerRow, next: { readonly revision: number; readonly tag: string }): Promise<void>;
  /** The newest rows with a payment. */
  newestPaid(batch: string, limit: number): Promise<readonly LedgerRow[]>;
  /** Returns the newest entry of these kinds about the batch as a whole, such as a scan, a run or a stop. */
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
  /** Returns entries of these kinds, of one batch or all, oldest first: sheets, retries, payments that looked alike, policies. */
  told(
    batch: string | null,
    ...whats: ('sheet' | 'retry' | 'alike' | 'meant' | 'scheduled' | 'schedule ended' | 'policy')[]
  ): Promise<readonly TrailEntry[]>;
  /** Of one row, each entry of its own and of the plans of its batch, oldest first. */
  plansTold(batch: string, rowId: number): Promise<readonly TrailEntry[]>;
  /** The newest no to the plan with this digest, as the trail has it. */
  declineOf(plan: string): Promise<{ readonly by: string; readonly at: number; readonly reason: string } | null>;
  /** Every entry of one row, oldest first. */
  trailOf(rowId: number): Promise<readonly TrailEntry[]>;
  /** When the newest of its rows that wait to be sent again was sent; null where none was tried before. */
  lastTried(batch: string): Promise<number | null>;
  /** The keys of its rows that have two payments of which nobody has said to know. */
  unknownDoubles(batch: string): Promise<readonly string[]>;
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
  /** Nothing of the batch is sent before this moment. */
  keepQuiet(batch: string, until: number): Promise<void>;
  /** When the batch's last payment was sent; null if none was. */
  lastSent(batch: string): Promise<number | null>;
  /** When the newest of its payments that a list can hold was sent. */
  lastListed(batch: string): Promise<number | null>;
  /** The newest of its rows in doubt. */
  lastDoubt(batch: string): Promise<Doubt | null>;

  /** Concurrent moves share one commit; resolves when it is on the disk. */
  move(move: Move): Promise<void>;
  moveAll(moves: readonly Move[]): Promise<void>;
  /** Facts that change no state. */
  note(row: LedgerRow, facts: RowFacts, data?: Readonly<Record<string, unknown>>): Promise<void>;

  /** Makes a merchant `wanted` for each destination of the sheet's rows that are not sent, where it has none yet; returns how many these are. */
  wantMerchants(batch: string, sheet: number, identity: string): Promise<number>;
  /** Keeps those that a merchant of the identity, or a row of the draft, has the destination or the phone of. */
  seeMerchants(identity: string, merchants: readonly SeenMerchant[]): Promise<void>;
  forgetSeen(): void;
  /** Of each of the destinations, which come in their order. */
  seenFor(destinations: readonly string[]): ReadonlyMap<string, readonly SeenMerchant[]>;
  /** Those that were wanted last for rows of the sheet that are not sent, page by page. */
  merchants(
    batch: string,
    sheet: number,
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
  /** Makes rows with a known merchant ready; call it once each is matched. A ready row with another merchant is planned again. */
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
    facts?: { readonly documentId?: string; readonly reason?: StoredReasons | null },
  ): Promise<void>;

  record(entry: Omit<TrailEntry, 'at'>): Promise<void>;
  /** The newest entries of a batch's rows that are not plainly paid, oldest first. */
  trail(batch: string, limit: number): Promise<readonly TrailEntry[]>;
  /** The newest first, `from` counted from them; of one batch, or all. */
  trailPage(asked: { readonly batch: string | null; readonly from: number; readonly limit: number }): Promise<{
    readonly total: number;
    readonly entries: readonly { readonly seq: number; readonly hash: string; readonly entry: TrailEntry }[];
  }>;
  /** The moment of the newest entry; null of an empty trail. */
  newestAt(): Promise<number | null>;
  head(): Promise<{ readonly seq: number; readonly hash: string }>;
  /** The hash of one entry of the trail; null where the trail has none there. */
  hashAt(seq: number): string | null;
  /** Everything, as an auditor reads it. */
  evidence(): Evidence;
  /** The entries as they are stored, for checking the chain offline. */
  eachTrail(): Iterable<{ readonly seq: number; readonly text: string; readonly hash: string }>;
}
