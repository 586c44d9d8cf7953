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
export interface RefusalFacts {
  // Usage and configuration: nothing was sent.
  USAGE: { readonly detail: Wording };
  CONFIG: { readonly detail: string };
  CREDENTIALS_MISSING: { readonly missing: string };
  FILE_UNREADABLE: { readonly path: string; readonly detail: Wording };
  MAP_UNUSABLE: { readonly map: string; readonly detail: string };
  CORRECTIONS_UNUSABLE: { readonly path: string; readonly detail: string };
  FOLDER_UNWRITABLE: { readonly path: string; readonly detail: string };
  FOLDER_UNUSABLE: { readonly path: string; readonly detail: string };
  DISK_UNWRITABLE: { readonly path: string; readonly detail: string };
  COPIES_UNWRITABLE: { readonly path: string; readonly detail: string };
  FOLDER_BUSY: { readonly path: string; readonly holder: string };
  // The sheet.
  SHEET_REFUSED: { readonly detail: string };
  SHEET_CHANGED: { readonly path: string };
  TOTALS_DIFFER: { readonly detail: string };
  OVER_CAP: { readonly detail: string };
  VARIANCE: { readonly detail: string };
  // The ledger.
  LEDGER_BUSY: { readonly path: string; readonly holder: string };
  LEDGER_OF_OTHER_BUILD: { readonly path: string; readonly other: string; readonly build: string };
  LEDGER_UNUSABLE: { readonly path: string; readonly detail: string };
  LEDGER_UNWRITABLE: { readonly path: string; readonly detail: string };
  LEDGER_DAMAGED: { readonly detail: string };
  BATCH_UNKNOWN: { readonly batch: string };
  /** `unsent` rows of the batch are sent by `command`. `hasSent` is false if the batch only holds rows back. */
  SENT_ROWS_CHANGED: ChangeFacts & {
    readonly rows: Some<{ readonly row: number; readonly changes: readonly ValueChange[] }>;
  };
  SENT_ROWS_INVALID: ChangeFacts & { readonly rows: Some<number> };
  /** `held` of the added rows look paid. `older`: rows that the batch sent, that are nearly the same, and that the sheet lacks. */
  ROWS_ADDED: {
    readonly batch: string;
    readonly sent: number;
    readonly added: number;
    readonly money: readonly { readonly amount: string; readonly unit: string; readonly currency: string }[];
    readonly missing: number;
    readonly held: number;
    readonly renumbered: readonly { readonly how: Renumbering; readonly rows: Some<Renumbered> }[];
    readonly older: Some<NearlySent>;
    readonly command: Action;
  };
  ROWS_GIVEN_UP: {
    readonly rows: Some<{ readonly row: number; readonly by: string | null; readonly why: string }>;
    readonly command: Action;
  };
  BATCH_PAID: { readonly batch: string; readonly paidAt: number };
  BATCH_PAID_IN_PART: { readonly batch: string; readonly lastPaidAt: number; readonly unpaid: number };
  /** The payment of a corrected row had expired, and is no longer expired. */
  CORRECTED_ROW_PAID: {
    readonly row: number;
    readonly batch: string;
    readonly payment: string;
    readonly status: string | null;
  };
  MAP_LEFT_OUT: {
    readonly batch: string;
    readonly map: string;
    readonly withMap: Action;
    readonly withoutMap: Action;
  };
  /** A result file says that `claimed` of its rows were sent; the ledger and the service know `known` of them. */
  CLAIMS_UNKNOWN: {
    readonly claimed: number;
    readonly known: number;
    readonly ledger: string;
    readonly service: string;
  };
  /** `sameBatch`: the sheet may be this batch again. `needsName`: only a batch of another name may pay the rows again. */
  SHEET_LOOKS_PAID: LikeFacts & {
    readonly isNamed: boolean;
    readonly isCorrected: boolean;
    readonly needsName: boolean;
    readonly sameBatch: string | null;
    /** Adds the sheet to that batch. */
    readonly addition: Action;
  };
  WAITING_ROWS_LOOK_PAID: LikeFacts & { readonly batch: string };
  /** The service has these payments, and they are not of the batch. */
  LIKE_OTHER_PAYMENTS: {
    readonly rows: Some<{ readonly row: number; readonly payment: string; readonly at: number | null }>;
    readonly hasReason: boolean;
    readonly command: Action;
  };
  REPEATS_A_DOUBT: { readonly row: number; readonly other: string; readonly batch: string; readonly next: Action };
  /** `how`: the sheet, and how it has the row. `stands`: how its plan stands. */
  CORRECTION_WAITS: { readonly batch: string; readonly row: string; readonly how: string; readonly stands: string };
  UNNAMED_CORRECTION_WAITS: {
    readonly row: number;
    readonly file: string;
    readonly by: string;
    readonly batch: string;
    readonly how: string;
  };
  SHEET_OVERTAKEN: { readonly how: string };
  /** Approved rows differ in a sheet that nobody approved. */
  APPROVED_ROWS_DIFFER: { readonly how: string };
  PLAN_OVERTAKEN: { readonly how: string };
  /** The plan lacks a row of the batch that is still to be sent. */
  PLAN_LACKS_ROW: { readonly how: string; readonly batch: string };
  IDENTITY_CHANGED: { readonly batch: string; readonly was: string; readonly now: string; readonly command: Action };
  IDENTITY_UNPROVEN: {
    readonly batch: string;
    readonly was: string;
    readonly now: string;
    readonly payment: string;
    readonly row: string;
  };
  // The plan and its approval: nothing was sent.
  PLAN_NOT_FOUND: {
    readonly plan: string;
    readonly isNamed: boolean;
    readonly others: readonly { readonly path: string; readonly plan: string }[];
  };
  PLAN_UNREADABLE: { readonly path: string; readonly detail: string };
  PLAN_CHANGED: { readonly path: string; readonly detail: string };
  PLAN_PAGE_DIFFERS: { readonly page: string };
  PLAN_EXPIRED: { readonly path: string; readonly expiredAt: number };
  /** `batch` is null if the sheet names it. */
  PLAN_DECLINED: {
    readonly plan: string;
    readonly by: string;
    readonly at: number;
    readonly reason: string;
    readonly batch: string | null;
  };
  PLAN_DIFFERS: {
    readonly plan: string;
    readonly path: string;
    readonly differences: readonly string[];
    readonly batch: string | null;
  };
  BATCH_LEAVES_PLAN: {
    readonly batch: string;
    readonly plan: string;
    readonly difference: string;
    readonly command: Action;
  };
  RETRY_UNPLANNED: { readonly batch: string; readonly command: Action };
  APPROVALS_TOO_FEW: {
    readonly plan: string;
    readonly file: string;
    readonly signed: readonly string[];
    readonly needed: number;
    readonly because: string;
    readonly notCounted: readonly { readonly file: string; readonly why: string }[];
    readonly mayStillSign: readonly string[];
  };
  MAKER_REFUSED: { readonly plan: string; readonly maker: string };
  MAKER_UNSIGNABLE: { readonly path: string; readonly maker: string };
  SIGNATURE_USELESS: { readonly approver: string; readonly policy: string; readonly why: string };
  SIGNED_PLAN_MISSING: object;
  SIGNED_PLANS_SEVERAL: { readonly paths: readonly string[] };
  /** `sheet` came without a plan; it is null if nobody asked for approvals of the plan. */
  BATCH_UNAPPROVED: { readonly batch: string; readonly sheet: string | null; readonly command: Action };
  SHEET_UNAPPROVED: { readonly batch: string };
  RETRY_UNAPPROVED: { readonly batch: string };
  RELEASE_UNAPPROVED: { readonly row: string; readonly batch: string; readonly why: string };
  POLICY_NOT_FOUND: { readonly path: string };
  POLICY_DIFFERS: { readonly path: string; readonly last: string };
  POLICY_UNUSABLE: { readonly path: string; readonly detail: string };
  KEY_UNUSABLE: { readonly path: string; readonly detail: string };
  // The service.
  SERVICE_UNREACHABLE: { readonly service: string; readonly detail: string };
  SERVICE_ANSWER: { readonly what: string; readonly detail: string };
  SERVICE_UNREADABLE: { readonly service: string; readonly count: number; readonly detail: string };
  REFUSED_IN_A_ROW: { readonly count: number; readonly detail: string };
  SERVICE_REFUSED: { readonly detail: string };
  CREDENTIALS_REFUSED: { readonly detail: string };
  SERVICE_BUSY: { readonly detail: string };
  TAG_LOST: { readonly detail: string };
  PASS_INCOMPLETE: { readonly detail: string };
  OTHER_LEDGER: { readonly detail: string; readonly until: number };
  PAID_TWICE: { readonly detail: Wording };
  PAYMENT_UNDONE: { readonly rows: number; readonly named: string };
  DEPOSIT_CHANGED: { readonly rows: number; readonly shown: string; readonly command: Action };
  CANARY_OPEN: { readonly rows: number; readonly paid: number };
  CANARY_UNPAID: { readonly row: string; readonly reason: string; readonly batch: string };
  RAIL_SHUT: { readonly rows: number; readonly until: number };
  OUTSIDE_PAY_WINDOW: { readonly window: string; readonly until: number };
  // Stopped by a person.
  PAUSED: { readonly batch: string; readonly reason: string };
  PLANNED_SINCE: { readonly batch: string };
  STOPPED_BEFORE: { readonly batch: string; readonly command: Action };
  /** `signal`: null for an unnamed one. `hasEnded`: what was in flight has ended. */
  STOPPED: { readonly signal: string | null; readonly hasEnded: boolean };
}

export type ErrorCode = keyof RefusalFacts;

export type Refusal<C extends ErrorCode = ErrorCode> = {
  readonly [K in C]: { readonly code: K; readonly facts: RefusalFacts[K] };
}[C];
