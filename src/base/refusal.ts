/** The facts of each refusal and failure that Payrun expects. */

/** A next action (domain/next-action.ts). */
export interface Action {
  readonly action: string;
}

/** A sentence with or without next actions (messages/passage.ts). */
export type Wording = string | { readonly parts: readonly (string | Action)[] };
/** The first of many, as a refusal shows them. */
export interface Some<T> {
  readonly shown: readonly T[];
  readonly total: number;
}

const shownOf = 10;

export const someOf = <A, T>(all: readonly A[], facts: (one: A) => T): Some<T> => ({
  shown: all.slice(0, shownOf).map(facts),
  total: all.length,
});

/** A row, and the sent row that it equals: `sentRow` is that one's number in its own sheet. */
export interface LikeSent {
  readonly row: number;
  readonly batch: string;
  readonly sentRow: number;
  readonly sentAt: number;
}

/** The one thing that differs, with its earlier value; `name` is the earlier name if that differs too. */
export type NearDifference =
  | { readonly what: 'account' }
  | Readonly<{ what: 'amount'; amount: number; currency: string; name: string | null }>
  | Readonly<{ what: 'reference'; reference: string; name: string | null }>;

/** Reasons of domain/sending as JSON, oldest first. Equal texts are equal reasons. */
export type StoredReasons = string & { readonly stored: 'reasons' };

export interface NearlySent extends LikeSent {
  readonly amount: number;
  readonly currency: string;
  readonly differs: NearDifference;
}

/** How the ids of a row and of an equal sent row differ. */
export type Renumbering = 'zeros' | 'neither-has-one' | 'sent-had-none' | 'other-id';

export interface Renumbered {
  readonly row: number;
  readonly rowId: string | null;
  readonly sentRow: number;
  readonly sentId: string | null;
  readonly sentAt: number;
}

type Value = string | number | boolean | null;

/** A column of a row that was sent, and its value in the sheet now. */
export interface ValueChange {
  readonly column: string;
  readonly was: Value;
  readonly now: Value;
}

export interface ChangeFacts {
  readonly batch: string;
  readonly hasSent: boolean;
  readonly unsent: number;
  readonly command: Action;
}

export interface LikeFacts {
  readonly twins: Some<LikeSent>;
  readonly near: Some<NearlySent>;
  readonly command: Action;
}

/**
 * The refusals and failures that Payrun expects in operation, as facts: one code for each, in the order of a run. Their sentences
 * are in `src/messages/refusals.ts`. Facts are plain data, since trail entries, closings and `--json` hold them.
 */
interface Facts {
  // Usage and configuration: nothing was sent.
  USAGE: { detail: Wording };
  CONFIG: { detail: string };
  CREDENTIALS_MISSING: { missing: string };
  FILE_UNREADABLE: { path: string; detail: Wording };
  MAP_UNUSABLE: { map: string; detail: string };
  CORRECTIONS_UNUSABLE: { path: string; detail: string };
  FOLDER_UNWRITABLE: { path: string; detail: string };
  FOLDER_UNUSABLE: { path: string; detail: string };
  DISK_UNWRITABLE: { path: string; detail: string };
  COPIES_UNWRITABLE: { path: string; detail: string };
  FOLDER_BUSY: { path: string; holder: string };
  // The sheet.
  SHEET_REFUSED: { detail: string };
  SHEET_CHANGED: { path: string };
  TOTALS_DIFFER: { detail: string };
  OVER_CAP: { detail: string };
  VARIANCE: { detail: string };
  // The ledger.
  LEDGER_BUSY: { path: string; holder: string };
  LEDGER_OF_OTHER_BUILD: { path: string; other: string; build: string };
  LEDGER_UNUSABLE: { path: string; detail: string };
  LEDGER_UNWRITABLE: { path: string; detail: string };
  LEDGER_DAMAGED: { detail: string };
  BATCH_UNKNOWN: { batch: string };
  /** `unsent` rows of the batch are sent by `command`. `hasSent` is false if the batch only holds rows back. */
  SENT_ROWS_CHANGED: ChangeFacts & { rows: Some<{ row: number; changes: readonly ValueChange[] }> };
  SENT_ROWS_INVALID: ChangeFacts & { rows: Some<number> };
  /** `held` of the added rows look paid. `older`: rows that the batch sent, that are nearly the same, and that the sheet lacks. */
  ROWS_ADDED: {
    batch: string;
    sent: number;
    added: number;
    money: readonly { amount: string; unit: string; currency: string }[];
    missing: number;
    held: number;
    renumbered: readonly { how: Renumbering; rows: Some<Renumbered> }[];
    older: Some<NearlySent>;
    command: Action;
  };
  ROWS_GIVEN_UP: { rows: Some<{ row: number; by: string | null; why: string }>; command: Action };
  BATCH_PAID: { batch: string; paidAt: number };
  BATCH_PAID_IN_PART: { batch: string; lastPaidAt: number; unpaid: number };
  /** The payment of a corrected row had expired, and is no longer expired. */
  CORRECTED_ROW_PAID: { row: number; batch: string; payment: string; status: string | null };
  MAP_LEFT_OUT: { batch: string; map: string; withMap: Action; withoutMap: Action };
  /** A result file says that `claimed` of its rows were sent; the ledger and the service know `known` of them. */
  CLAIMS_UNKNOWN: { claimed: number; known: number; ledger: string; service: string };
  /** `sameBatch`: the sheet may be this batch again. `needsName`: only a batch of another name may pay the rows again. */
  SHEET_LOOKS_PAID: LikeFacts & {
    isNamed: boolean;
    isCorrected: boolean;
    needsName: boolean;
    sameBatch: string | null;
    /** Adds the sheet to that batch. */
    addition: Action;
  };
  WAITING_ROWS_LOOK_PAID: LikeFacts & { batch: string };
  /** The service has these payments, and they are not of the batch. */
  LIKE_OTHER_PAYMENTS: {
    rows: Some<{ row: number; payment: string; at: number | null }>;
    hasReason: boolean;
    command: Action;
  };
  REPEATS_A_DOUBT: { row: number; other: string; batch: string; next: Action };
  /** `how`: the sheet, and how it has the row. `stands`: how its plan stands. */
  CORRECTION_WAITS: { batch: string; row: string; how: string; stands: string };
  UNNAMED_CORRECTION_WAITS: { row: number; file: string; by: string; batch: string; how: string };
  SHEET_OVERTAKEN: { how: string };
  /** Approved rows differ in a sheet that nobody approved. */
  APPROVED_ROWS_DIFFER: { how: string };
  PLAN_OVERTAKEN: { how: string };
  /** The plan lacks a row of the batch that is still to be sent. */
  PLAN_LACKS_ROW: { how: string; batch: string };
  IDENTITY_CHANGED: { batch: string; was: string; now: string; command: Action };
  IDENTITY_UNPROVEN: { batch: string; was: string; now: string; payment: string; row: string };
  // The plan and its approval: nothing was sent.
  PLAN_NOT_FOUND: { plan: string; isNamed: boolean; others: readonly { path: string; plan: string }[] };
  PLAN_UNREADABLE: { path: string; detail: string };
  PLAN_CHANGED: { path: string; detail: string };
  PLAN_PAGE_DIFFERS: { page: string };
  PLAN_EXPIRED: { path: string; expiredAt: number };
  /** `batch` is null if the sheet names it. */
  PLAN_DECLINED: { plan: string; by: string; at: number; reason: string; batch: string | null };
  PLAN_DIFFERS: { plan: string; path: string; differences: readonly string[]; batch: string | null };
  BATCH_LEAVES_PLAN: { batch: string; plan: string; difference: string; command: Action };
  RETRY_UNPLANNED: { batch: string; command: Action };
  APPROVALS_TOO_FEW: {
    plan: string;
    file: string;
    signed: readonly string[];
    needed: number;
    because: string;
    notCounted: readonly { file: string; why: string }[];
    mayStillSign: readonly string[];
  };
  MAKER_REFUSED: { plan: string; maker: string };
  MAKER_UNSIGNABLE: { path: string; maker: string };
  SIGNATURE_USELESS: { approver: string; policy: string; why: string };
  SIGNED_PLAN_MISSING: object;
  SIGNED_PLANS_SEVERAL: { paths: readonly string[] };
  /** `sheet` came without a plan; it is null if nobody asked for approvals of the plan. */
  BATCH_UNAPPROVED: { batch: string; sheet: string | null; command: Action };
  SHEET_UNAPPROVED: { batch: string };
  RETRY_UNAPPROVED: { batch: string };
  RELEASE_UNAPPROVED: { row: string; batch: string; why: string };
  POLICY_NOT_FOUND: { path: string };
  POLICY_DIFFERS: { path: string; last: string };
  POLICY_UNUSABLE: { path: string; detail: string };
  KEY_UNUSABLE: { path: string; detail: string };
  // The service.
  SERVICE_UNREACHABLE: { service: string; detail: string };
  SERVICE_ANSWER: { what: string; detail: string };
  SERVICE_UNREADABLE: { service: string; count: number; detail: string };
  REFUSED_IN_A_ROW: { count: number; detail: string };
  SERVICE_REFUSED: { detail: string };
  CREDENTIALS_REFUSED: { detail: string };
  SERVICE_BUSY: { detail: string };
  TAG_LOST: { detail: string };
  PASS_INCOMPLETE: { detail: string };
  OTHER_LEDGER: { detail: string; until: number };
  PAID_TWICE: { detail: Wording };
  PAYMENT_UNDONE: { rows: number; named: string };
  DEPOSIT_CHANGED: { rows: number; shown: string; command: Action };
  CANARY_OPEN: { rows: number; paid: number };
  CANARY_UNPAID: { row: string; reason: string; batch: string };
  RAIL_SHUT: { rows: number; until: number };
  OUTSIDE_PAY_WINDOW: { window: string; until: number };
  // Stopped by a person.
  PAUSED: { batch: string; reason: string };
  PLANNED_SINCE: { batch: string };
  STOPPED_BEFORE: { batch: string; command: Action };
  /** `signal`: null for an unnamed one. `hasEnded`: what was in flight has ended. */
  STOPPED: { signal: string | null; hasEnded: boolean };
}

export type RefusalFacts = { readonly [C in keyof Facts]: Readonly<Facts[C]> };

export type ErrorCode = keyof RefusalFacts;

export type Refusal<C extends ErrorCode = ErrorCode> = {
  readonly [K in C]: { readonly code: K; readonly facts: RefusalFacts[K] };
}[C];

/** Why something failed: a refusal, or a fault in the words of a library or the system. */
export type Failure = Refusal | { readonly code: null; readonly message: string };
