/** The codes of refusals and expected failures, each with its data. */
import type {
  ApprovalFault,
  Fault,
  FileFault,
  LedgerFault,
  MapFault,
  OptionFault,
  PlanFault,
  ServiceFault,
} from './faults/fault.ts';
import type { PayWindow } from './faults/limits.ts';
import type { FoundProblem } from './problem.ts';
import type { RowOfBatch, RowRefusals } from './refusals/row-refusals.ts';
import type { SheetRefusals } from './refusals/sheet-refusals.ts';
import type { Action, Gone, Money, NotedRow, ShownIdentity, StoredReasons } from './words.ts';

export type { RowDecisionKind, RowOfBatch } from './refusals/row-refusals.ts';
export type { ForeignKind } from './refusals/sheet-refusals.ts';
export type { Action };

/** The first items of a list (at most ten), and the number of all items. */
export interface Some<T> {
  readonly shown: readonly T[];
  readonly total: number;
}

export const shownOf = 10;

export const someOf = <A, T>(all: readonly A[], facts: (one: A) => T): Some<T> => ({
  shown: all.slice(0, shownOf).map(facts),
  total: all.length,
});

/** A row that looks like a sent row. `sentRow` is the sent row's number. `differs` is null if no field differs. */
export interface LikeSent {
  readonly row: number;
  readonly batch: string;
  readonly sentRow: number;
  readonly sentAt: number | null;
  readonly differs: NearDifference | null;
}

/** The only field in which a row differs from an earlier payment, with that payment's amount or reference. */
export type NearDifference =
  | { readonly what: 'account' }
  | Readonly<{ what: 'amount'; amount: number; currency: string }>
  | Readonly<{ what: 'reference'; reference: string }>;

/** How a second person releases rows: by name (`no` policy), with a `key` file, or at the `console`, which keeps the keys. */
export type Signing = 'no' | 'key' | 'console';

type Value = string | number | boolean | null;

export interface ValueChange {
  readonly column: string;
  readonly was: Value;
  readonly now: Value;
}

/** `gone`: the batch's newest sheet has no content of the row. */
export type RowChanges = Readonly<{ row: number; payee?: string; gone?: Gone; changes: readonly ValueChange[] }>;

/** `newest`: the batch's newest sheet, who made it, and when its version was opened. */
export interface OfVersion {
  readonly batch: string;
  readonly newest: Readonly<{ sheet: string; by: string | null; at: number }>;
}

/** The sheet (`found`) differs from the control totals in `source` (`expected`). Null if one lacks the currency. */
export type TotalsDifference = { readonly source: string } & (
  | { readonly of: 'rows'; readonly expected: number; readonly found: number }
  | { readonly of: 'money'; readonly money: string; readonly expected: string | null; readonly found: string | null }
  | { readonly of: 'accounts' }
);

/** An exceeded cap. The message names only some of the rows or payees over the cap, and `more` counts the others. */
export type OverCap = { readonly money: string; readonly cap: string } & (
  | { readonly of: 'row'; readonly row: number; readonly amount: string }
  | {
      readonly of: 'payee';
      readonly name: string;
      readonly row: number;
      readonly rows: number;
      readonly accounts: number;
      readonly amount: string;
    }
  | { readonly of: 'rows' | 'payees'; readonly more: number }
  | { readonly of: 'batch'; readonly before: string; readonly now: string }
  | { readonly of: 'day'; readonly day: string; readonly before: string; readonly now: string }
);

/** Why a person must confirm a batch: it has no series, is the first of a series, or differs too much from the last. */
export type Beyond =
  | { readonly of: 'no-series' }
  | { readonly of: 'first-of-series'; readonly series: string }
  | (Omit<Money, 'amount'> & { readonly of: 'total'; readonly was: string; readonly now: string })
  | { readonly of: 'payees'; readonly payees: number; readonly percent: number };

/** The rows of a decision that does not count. Null for all absent rows. */
export interface DecidedRows {
  readonly rows: readonly string[] | null;
  readonly batch: string;
}

/** The service reported `row` as unpaid, but paid `row` later. Meanwhile, Payrun sent `copy`, an equal row. */
export interface PaidCopy {
  readonly row: PaidRow;
  /** Null if Payrun sent no equal row: a person closed `row`, or the newest sheet lacks it. */
  readonly copy: PaidRow | null;
}

interface PaidRow extends Money {
  readonly number: number;
  readonly batch: string;
  readonly payment: string | null;
}

export interface DepositDetail {
  readonly name: string;
  readonly value: string;
}

/** The changed fields of a payment's deposit details, ordered by name. `was` has the values that Payrun first read. */
export interface DepositFacts extends Pick<RowOfBatch, 'row'> {
  readonly payment: string;
  readonly was: readonly DepositDetail[];
  readonly now: readonly DepositDetail[];
}

export type CredentialsHint = 'new-token-too' | 'user-unknown' | 'user-token-needed';

/** The facts of each code. They are plain data, because trail entries and `--json` contain them. */
interface Facts extends RowRefusals, SheetRefusals {
  // Settings and files: nothing was sent.
  CREDENTIALS_MISSING: { missing: string };
  FILE_UNREADABLE: { path: string; why: FileFault };
  SHEET_COPY_GONE: { path: string; folder: string; batch: string; list: Action; command: Action };
  MAP_UNUSABLE: { map: string; why: readonly (FileFault | MapFault)[] };
  CORRECTIONS_UNUSABLE: { path: string; why: FileFault };
  FOLDER_UNWRITABLE: { path: string; why: FileFault };
  FOLDER_UNUSABLE: { path: string; why: FileFault };
  HOT_FOLDER_REPLACED: { path: string };
  HOT_FOLDER_LOCK_DAMAGED: { path: string; lock: string; why: FileFault };
  HOT_FOLDER_RECORD_UNREADABLE: { path: string; record: string; why: FileFault };
  DISK_UNWRITABLE: { path: string; why: FileFault };
  COPIES_UNWRITABLE: { path: string; why: FileFault };
  FOLDER_BUSY: { path: string; holder: LedgerFault };
  LEDGER_HAS_NO_BATCH: { ledger: string };
  LEDGER_ADDRESS_UNUSABLE: { why: LedgerFault };
  LEDGER_COPY_NEEDS_POSTGRES: object;
  COPY_MEETS_OTHER_LEDGER: { from: string; to: string; isPostgres: boolean };
  COPY_MEETS_EARLIER_STATE: { from: string; to: string; isPostgres: boolean };
  COPY_WENT_APART: { from: string; to: string };
  WORKERS_NEED_POSTGRES: { ledger: string };
  SCHEDULE_UNUSABLE: { cron: string; zone: string; why: OptionFault };
  CAP_UNUSABLE: { cap: string; why: OptionFault };
  EXPECT_UNUSABLE: { expect: string; why: OptionFault };
  /** No time lies in both the batch's `payWindow` and `others`, the windows of the settings and the command. */
  PAY_WINDOWS_NEVER_MEET: { batch: string; payWindow: string; others: readonly PayWindow[]; command: Action };
  WEBHOOKS_UNHEARD: { host: string; port: number; why: FileFault | OptionFault };
  // Rows and payments that a command names.
  /** `sheet` is the newest sheet of the batch. */
  ROW_UNKNOWN: { batch: string; sheet: string; row: string };
  ROWS_AMBIGUOUS: { batch: string; said: string; readings: readonly { row: NotedRow; seen: string }[] };
  /** `row` is null if the sheet has no unpaid row at all. */
  ROW_NOT_UNPAID: { batch: string; row: string | null };
  // Something changed after it was shown.
  PLAN_MOVED: object;
  ROW_MOVED: { batch: string; row: string };
  BATCH_MOVED: { batch: string };
  /** Null for the pause of all batches. */
  PAUSE_MOVED: { batch: string | null };
  LEAD_MOVED: { batch: string };
  PAYMENT_UNKNOWN: { payment: string };
  // Files that Payrun writes.
  TEMPLATE_FORMAT_UNKNOWN: object;
  RESULT_FORMAT_UNKNOWN: { file: string };
  WORKBOOK_ROWS_TOO_MANY: { row: number; most: number };
  WORKBOOK_CELLS_TOO_MANY: object;
  // The console cannot start.
  CONSOLE_BUSY: { ledger: string; holder: LedgerFault };
  CONSOLE_HAS_NO_ACCOUNTS: { host: string };
  CONSOLE_ADDRESS_UNUSABLE: { host: string; port: number; why: FileFault | OptionFault };
  CONSOLE_PAGE_MISSING: { folder: string };
  // Payrun's own payout service cannot start, or refuses a command.
  SERVICE_DATA_BUSY: { folder: string; holder: LedgerFault };
  SERVICE_DATA_FOREIGN: { folder: string };
  SERVICE_DATABASE_UNUSABLE: { database: string; why: FileFault };
  SERVICE_ADDRESS_UNUSABLE: { host: string; port: number; why: FileFault | OptionFault };
  BASE_PATH_INVALID: { path: string };
  PUBLIC_URL_INVALID: { url: string };
  FAULT_ROUTE_UNKNOWN: { route: string; routes: readonly string[] };
  FAULT_KIND_MISPLACED: { kind: string; route: string; kinds: readonly string[]; pushing: string };
  TENANT_NAMELESS: object;
  TENANT_UNKNOWN: { key: string };
  USER_UNKNOWN: { user: string };
  USER_DISABLED: { user: string };
  // The sheet cannot be paid.
  /** `problem` is the sheet's first problem. A sheet without rows to pay has the problem SHEET_WITHOUT_ROWS. */
  SHEET_HAS_PROBLEMS: { problem: FoundProblem };
  PAYEES_REFUSED: { payees: number };
  SHEET_CHANGED: { path: string };
  TOTALS_DIFFER: { differences: readonly TotalsDifference[] };
  TOTALS_MISSING: { file: string; totals: string };
  /** `dayEnds` is when the day of an exceeded daily cap ends; null if no such cap is exceeded. */
  OVER_CAP: { over: readonly OverCap[]; dayEnds: number | null };
  VARIANCE: { beyond: readonly Beyond[] };
  // The ledger cannot be used, or contradicts the sheet.
  LEDGER_BUSY: { path: string; holder: LedgerFault };
  /** `other` is the build that made the ledger; null if the ledger's format does not name the build. */
  LEDGER_OF_OTHER_BUILD: { path: string; other: string | null; format: number; build: string };
  LEDGER_UNUSABLE: { path: string; why: Fault };
  LEDGER_UNWRITABLE: { path: string; why: Fault };
  LEDGER_DAMAGED: { why: LedgerFault };
  BATCH_UNKNOWN: { batch: string };
  /** `again` submits the corrected sheet. `command` sends the `unsent` rows. */
  SENT_ROWS_CHANGED: OfVersion & { rows: Some<RowChanges>; unsent: number; again: Action; command: Action };
  ROWS_ADDED: OfVersion & {
    sent: number;
    added: number;
    money: readonly Money[];
    missing: number;
    dropped: Some<NotedRow>;
    /** The added rows that look paid. Payrun would hold these rows. */
    held: Some<LikeSent>;
    /** The next step if the file is meant only to add rows; null if the file also changes rows. */
    addition: Action | null;
    command: Action;
  };
  ROWS_DROPPED: OfVersion & { rows: Some<NotedRow>; money: readonly Money[]; command: Action };
  /** A row without changes has a mistake. */
  ADDITION_CHANGES_ROWS: OfVersion & { rows: Some<RowChanges>; command: Action };
  ADDITION_ENDS_MISTAKES: { batch: string; lines: number; command: Action };
  OLDER_VERSION: OfVersion & { rows: Some<RowChanges>; command: Action };
  BATCH_NAMES_ALIKE: { batch: string; known: string };
  /** `rows` of the sheet's rows are in the open batch. `command` makes the sheet the batch's next version. */
  BATCH_UNNAMED: { of: number; batches: Some<{ batch: string; rows: number; command: Action }> };
  NOTHING_TO_ADD_TO: { batch: string | null; command: Action };
  /** `others` pays the other rows, after a person removes the closed rows from the sheet; null if there are none. */
  ROWS_CLOSED: {
    rows: Some<{ row: number; by: string | null; why: string }>;
    others: Action | null;
    /** The sums of the new rows that `others` accepts; empty if it needs no consent to them. */
    added: readonly Money[];
    reopen: Action;
  };
  BATCH_PAID: { batch: string; paidAt: number };
  NOTHING_TO_SEND: { batch: string };
  BATCH_PAID_IN_PART: { batch: string; lastPaidAt: number; unpaid: number };
  MAP_LEFT_OUT: { batch: string; map: string; withMap: Action; withoutMap: Action };
  /** A result file reports `claimed` rows as sent. The ledger and the service know only `known` of these rows. */
  CLAIMS_UNKNOWN: { rows: number; ledger: string; service: string };
  SHEET_LOOKS_PAID: {
    batch: string;
    held: number;
    of: number;
    rows: Some<LikeSent>;
    /** Null if a run would refuse the addition, or if it adds no row. */
    addition: Action | null;
    command: Action;
  };
  REPEATS_A_DOUBT: { row: number; other: string; batch: string; next: Action };
  PROPOSAL_WAITS: { batch: string; file: string; by: string };
  /** The sheet was compared with an older version. The rest is about the newest one, whose sheet has the id `head`. `command` is null without a plan. */
  VERSION_CONFLICT: OfVersion & {
    head: number;
    /** These rows may be paid already, so no version changes them. */
    paid: Some<RowChanges>;
    rows: Some<RowChanges>;
    dropped: Some<NotedRow>;
    added: number;
    command: Action | null;
  };
  IDENTITY_CHANGED: { batch: string; was: ShownIdentity; now: ShownIdentity; command: Action };
  IDENTITY_UNPROVEN: { batch: string; was: ShownIdentity; now: ShownIdentity; payment: string; row: string };
  // The plan and its approval: the refused command sent nothing.
  PLAN_NOT_FOUND: { plan: string; others: readonly { path: string; plan: string }[]; command: Action };
  PLAN_UNREADABLE: { path: string; why: FileFault };
  PLAN_CHANGED: { path: string; line: number | null; why: ApprovalFault | FileFault };
  PLAN_EXPIRED: { path: string; expiredAt: number };
  PLAN_DECLINED: {
    plan: string;
    by: string;
    did: 'plan-declined' | 'plan-withdrawn';
    at: number;
    reason: string;
    command: Action;
  };
  PLAN_DIFFERS: { plan: string; path: string; differences: Some<PlanFault>; command: Action };
  BATCH_LEAVES_PLAN: { batch: string; plan: string; difference: PlanFault; command: Action };
  RETRY_UNPLANNED: { batch: string; command: Action };
  APPROVALS_TOO_FEW: {
    plan: string;
    command: Action;
    signed: readonly string[];
    needed: number;
    because: ApprovalFault;
    notCounted: readonly { file: string; why: ApprovalFault }[];
    mayStillSign: readonly string[];
  };
  MAKER_REFUSED: { plan: string; why: ApprovalFault };
  OWN_SHEET: object;
  APPROVED_ALREADY: object;
  OWN_TO_DISCARD: object;
  NOT_OWN_PLAN: object;
  OWN_APPROVAL: object;
  MAKER_UNSIGNABLE: { path: string; why: ApprovalFault };
  SIGNATURE_USELESS: { approver: string; policy: string; why: ApprovalFault };
  /** `isTrial`: a sandbox under the console's policy. Another ledger of a sandbox has no policy. */
  SIGNED_PLAN_MISSING: { command: Action; isTrial: boolean };
  SIGNED_PLANS_SEVERAL: { paths: readonly string[] };
  /** `sheet` is the batch's newest sheet, which has no plan. Null if the sheet has a plan that needed no approval. */
  BATCH_UNAPPROVED: { batch: string; sheet: string | null; command: Action };
  /** A person copied a printed command with the placeholder of its reason. */
  REASON_PLACEHOLDER: { said: string };
  RELEASE_NEEDS_KEY: DecidedRows & { signs: Signing };
  RELEASE_BY_MAKER: DecidedRows & { person: string; signs: Signing };
  RELEASE_MAKER_UNKNOWN: DecidedRows;
  RELEASE_SIGNATURE_USELESS: DecidedRows & { approver: string; why: ApprovalFault };
  POLICY_NOT_FOUND: { path: string };
  POLICY_DIFFERS: { path: string; last: string };
  POLICY_UNUSABLE: { path: string; why: readonly (ApprovalFault | FileFault)[] };
  /** `path` is null for a key that the console keeps, here and in `PASSPHRASE_WRONG`. */
  KEY_UNUSABLE: { path: string | null; why: ApprovalFault };
  PASSPHRASE_WRONG: { path: string | null };
  // The service cannot be used, or its answers contradict the ledger.
  SERVICE_UNREACHABLE: { service: string; why: ServiceFault };
  SERVICE_ANSWER: { what: string | null; why: FileFault | ServiceFault };
  SERVICE_UNREADABLE: { service: string; count: number; reason: StoredReasons | null };
  REFUSED_IN_A_ROW: { count: number; reason: StoredReasons | null };
  SERVICE_REFUSED: { why: ServiceFault };
  /** The service may have carried out the call despite the error. */
  CALL_IN_DOUBT: { why: ServiceFault };
  SERVICE_LACKS: { what: string };
  DOCUMENTS_NOT_LISTED: { payment: string };
  CREDENTIALS_REFUSED: { why: ServiceFault; hint: CredentialsHint | null };
  SERVICE_BUSY: { why: ServiceFault };
  /** `seen` is the tag in the service's answer; null if the answer had no tag. */
  TAG_LOST: { payment: string; tag: string; seen: string | null; seconds: number };
  PASS_INCOMPLETE: { why: ServiceFault };
  // The batch must wait before it sends more rows.
  /** `rows` counts the rows that another ledger paid; null if an earlier run found that ledger's payments. */
  PAID_ELSEWHERE: { rows: number | null; until: number };
  SENT_ELSEWHERE: { ledger: string; service: string; lastSentAt: number; until: number };
  LEDGER_RESTORED: { ledger: string; until: number };
  PAID_TWICE: { rows: Some<RowOfBatch>; command: Action };
  COPIES_PAID: { copies: Some<PaidCopy>; command: Action };
  PAYMENT_UNDONE: { rows: Some<RowOfBatch> };
  DEPOSIT_CHANGED: { changes: Some<DepositFacts>; command: Action };
  CANARY_OPEN: { rows: number; paid: number };
  CANARY_UNPAID: { row: number; reason: StoredReasons | null; batch: string };
  RAIL_SHUT: { rows: number; until: number };
  OUTSIDE_PAY_WINDOW: { windows: readonly PayWindow[]; until: number };
  // A person stopped the batch.
  /** `paused` is the batch of the pause; null if the pause covers all batches. */
  PAUSED: { batch: string; paused: string | null; id: number; reason: string };
  /** `by` names the person who stopped the batch. `why` is null if the batch only waits. */
  STOPPED_BEFORE: { batch: string; by: string | null; why: Refusal | null; command: Action };
  /** No worker used the scheduled hour `at` before it expired. */
  HOUR_MISSED: { batch: string; at: number; command: Action };
  /** `signal` is null if its name is not known. `hasEnded` is true if no call is under way. */
  STOPPED: { signal: string | null; hasEnded: boolean };
}

export type RefusalFacts = { readonly [C in keyof Facts]: Readonly<Facts[C]> };

export type ErrorCode = keyof RefusalFacts;

export type RowRefusalCode = keyof RowRefusals;

export type SheetRefusalCode = keyof SheetRefusals;

export type Refusal<C extends ErrorCode = ErrorCode> = {
  readonly [K in C]: { readonly code: K; readonly facts: RefusalFacts[K] };
}[C];

/** An error without facts. It has a code only if it is a mistake in a command or a setting (`CommandMistake`). */
export type Failure = Refusal | { readonly code: string | null; readonly why: Fault };
