/** The requests and answers between page and server, and the schemas that check requests. */
import { z } from 'zod';
import type { Some } from '../app/inspect-sheet.ts';
import type { EndKind } from '../domain/sending/end-kind.ts';
import type { Proposal, RowWord } from '../ledger/ledger.ts';
import type { ShownProblem as Problem } from '../messages/problems.ts';
import type { Decides } from '../messages/web/rows.ts';
import type { ResumePreview } from '../pipeline/duplicates/resume-preview.ts';
import type { MoneyTotal, RowCounts } from '../pipeline/outcome.ts';
import { type MapAdvice, shippedMaps } from '../sheet/sheet.ts';

/** Each role sees at least what the role before it sees. A preparer never approves, and an administrator never pays. */
export const roles = ['viewer', 'preparer', 'approver', 'administrator'] as const;
export type Role = (typeof roles)[number];

const name = z.string().min(1).max(64);
const password = z.string().min(1).max(1024);
const code = z.string().regex(/^\d{6}$/);
const standing = z.string().max(64);
const reason = z.string().trim().min(1).max(500);

const steps = z.array(z.strictObject({ above: z.string().max(18), approvals: z.int().min(0).max(9) })).max(9);

const policy = z.strictObject({
  otherwise: z.int().min(0).max(9),
  currencies: z
    .array(
      z.strictObject({
        currency: z.enum(['ZAR', 'NGN', 'KES', 'BTC', 'USDT']),
        row: steps,
        batch: steps,
        day: steps.default([]),
      }),
    )
    .max(5),
});

export const requests = {
  /** Uses the token of a link. The console prints the first link, and an administrator makes the others. */
  invitation: z.strictObject({ token: z.string().max(128) }),
  join: z.strictObject({ token: z.string().max(128), name: name.exactOptional(), password }),
  login: z.strictObject({ name, password, code: code.exactOptional() }),
  password: z.strictObject({ current: password, next: password }),
  codeOn: z.strictObject({ code, password }),
  codeOff: z.strictObject({ password }),
  invite: z.strictObject({ name, role: z.enum(roles) }),
  person: z.strictObject({ role: z.enum(roles).exactOptional(), active: z.boolean().exactOptional() }),
  /** Maps headers of the sheet to our columns. The ledger stores the choice for this header. */
  columns: z.strictObject({
    columns: z.record(z.string().max(1000), z.string().max(64)),
    values: z.record(z.string().max(64), z.string().max(1000)),
    numberFormat: z.enum(['1,234.56', '1.234,56']).nullable(),
    /** A map that comes with Payrun, instead of columns, values and number format. */
    map: z.enum(shippedMaps.map(({ name }) => name)).exactOptional(),
    /** Another sheet of the workbook to read. The request's columns are then ignored. */
    sheetName: z.string().max(255).exactOptional(),
  }),
  /** Chooses the rows to pay by columns that Payrun does not read. Replaces earlier choices. */
  rows: z.strictObject({
    choices: z
      .array(
        z.strictObject({
          column: z.string().min(1).max(1000),
          /** The values of rows to pay. Null: the column leaves no row out. */
          only: z.array(z.string().max(1000)).min(1).max(20).nullable(),
        }),
      )
      .max(256),
  }),
  /** Corrects a row, or with `row` null each row whose cell in the column says `from`. */
  correct: z.strictObject({
    row: z.int().min(1).nullable(),
    column: z.int().min(0),
    from: z.string().max(1000),
    to: z.string().max(1000),
    /** The mistake as the page showed it. The rows of the mistake are corrected only if they are still the same. */
    mistake: z
      .strictObject({
        code: z.string().max(64),
        severity: z.enum(['error', 'warning', 'repair']),
        suggestion: z.string().max(1000).nullable(),
        words: z.string().max(100).nullable(),
        rowsAre: z.string().max(100),
      })
      .exactOptional(),
  }),
  plan: z.strictObject({
    batch: z.string().min(1).max(64),
    series: z.string().max(64).exactOptional(),
    skipInvalid: z.boolean(),
    /** Control totals as typed, such as `rows=212` or `ZAR=1,904,300`. They are read like amounts of a sheet. */
    expect: z.array(z.string().max(200)).max(20),
    confirmVariance: reason.exactOptional(),
    confirmRepeat: reason.exactOptional(),
    add: z.boolean().exactOptional(),
    drop: z.boolean().exactOptional(),
  }),
  /** `digest` is the plan that the approver saw. The password opens the approver's key. */
  approve: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), password }),
  decline: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), reason }),
  pay: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) }),
  /** `standing` identifies the row as shown. If the row has changed, the server does nothing. */
  release: z.strictObject({ row: z.string().max(200), reason, password, standing: standing.exactOptional() }),
  resolve: z.strictObject({
    row: z.string().max(200),
    paid: z.string().max(200).nullable(),
    reason,
    password,
    standing: standing.exactOptional(),
  }),
  /** `pause` is the pause that the person saw. A later pause stays. */
  resume: z.strictObject({ pause: z.int().exactOptional() }),
  endPause: z.strictObject({ pause: z.int(), reason }),
  drop: z.strictObject({
    row: z.string().max(200),
    reason,
    standing: standing.exactOptional(),
  }),
  /** Retries rows; `rows` null means all unpaid ones. `unpaid` is how many the page showed, and `standing` identifies the one named row. */
  retry: z.strictObject({
    rows: z.array(z.string().max(200)).max(1000).nullable(),
    reason,
    unpaid: z.int().min(0).exactOptional(),
    standing: standing.exactOptional(),
  }),
  discard: z.strictObject({ standing: standing.exactOptional() }),
  removeDocument: z.strictObject({ file: standing.exactOptional() }),
  policy,
  /** `was` is the policy as shown, so that the server does not overwrite a later change. */
  changePolicy: policy.extend({ was: policy.exactOptional() }),
  nothing: z.strictObject({}),
} as const;
export type Requests = { readonly [K in keyof typeof requests]: z.infer<(typeof requests)[K]> };

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly active: boolean;
  readonly code: boolean;
  readonly invited: boolean;
  readonly lastSeenAt: string | null;
  readonly fingerprint: string | null;
}

/** `GET /api/session` */
export interface Session {
  readonly person: { readonly name: string; readonly role: Role; readonly code: boolean } | null;
  /** The value of the header `x-payrun-csrf`, sent with every change; null before login. */
  readonly csrf: string | null;
  readonly empty: boolean;
  /** `sandbox`, or the base URL. */
  readonly service: string;
  readonly version: string;
}

/** `POST /api/invitation`. The first administrator has no name yet. */
export interface Invitation {
  readonly name: string | null;
  readonly role: Role;
}

export interface Refusal {
  readonly message: string;
  readonly code: string;
  readonly facts?: unknown;
}

export type UploadState =
  | 'reading' // Payrun checks the sheet
  | 'columns' // a person must match columns first
  | 'to_fix' // rows have mistakes to correct
  | 'ready' // a plan can be made
  | 'planned' // the plan waits for approval
  | 'approved' // the sheet may be paid
  | 'declined' // an approver declined the plan
  | 'batch' // the sheet became a batch
  | 'unreadable'; // the sheet cannot be paid; `message` says why

export type { Problem };

export interface Counts {
  readonly rows: number;
  readonly toFix: number;
  readonly warnings: number;
  readonly newPayees: number;
  readonly over50000: number;
  /** The number of rows that look sent; absent for sheets that an earlier version checked. */
  readonly looksPaid?: number;
}

/** `GET /api/uploads` */
export interface UploadLine {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly by: string;
  readonly at: string;
  readonly state: UploadState;
  readonly asksForSheet: boolean;
  readonly code: string | null;
  readonly message: string | null;
  readonly counts: Counts;
  readonly totals: readonly SheetTotal[];
  /** The sheet's batch, or the batch that the sheet's plan names; empty in a list if there is no name yet. */
  readonly batch: string;
  /** Rows that stop the plan of an unpaid sheet, because they were sent lately or after the plan was made. Null for none. */
  readonly sentAs: SentBefore | null;
  readonly lapsed: boolean;
  readonly declined: Review['declined'];
  readonly declinedBefore: Review['declinedBefore'];
  /** The number of rows that look sent; 0 if the sheet continues the batch that sent them. */
  readonly looksPaid: number;
  /** The reason in the plan for paying rows that look paid. */
  readonly paidAgain: string | null;
  /** Null if the plan sends the whole sheet, or if nobody has read the plan. */
  readonly toSend: { readonly rows: number; readonly totals: readonly SheetTotal[] } | null;
  readonly job: Job | null;
}

export interface SentBefore {
  /** The batches that sent rows of the sheet, largest number first. `own`: the rows match by their keys; if not, they only look alike. */
  readonly batches: readonly { readonly batch: string; readonly rows: number; readonly own: boolean }[];
  /** The number of rows that any batch sent. Rows that only look sent do not count. */
  readonly rows: number;
  readonly since: boolean;
  /** Rows whose values the sheet corrects after its own batch had sent them, which is too late. */
  readonly corrected?: Some;
  /** The numbers of rows that the plan corrects although its batch has sent them. */
  readonly otherwise?: readonly number[];
}

export interface Upload extends UploadLine {
  /** Identifies the state of the sheet. An action names the state that the page showed. */
  readonly standing: string;
  readonly approvalGone: boolean;
  readonly lookedAt: number | null;
  /** Short phrases such as `sheet "Payouts"`, `separated by ;`, `212 rows`. */
  readonly found: readonly string[];
  /** Batches that had the same rows or sums, and uploaded sheets with the same bytes. */
  readonly seen: readonly { readonly batch: string; readonly words: string }[];
  /** `id` is null if the replaced sheet is gone. */
  readonly replaces: {
    readonly id: string | null;
    readonly file: string;
    /** The number of cells that people corrected in the replaced sheet and in the sheets before it. */
    readonly fixes: number;
    readonly documents: readonly string[];
  } | null;
  /** Batches that sent some rows of the sheet, with the most rows first. The sheet may be the next version of one. */
  readonly sharedWith: readonly {
    readonly batch: string;
    readonly rows: number;
    /** How many rows of the batch the sheet lacks. */
    readonly lacks: number;
    readonly at: string | null;
  }[];
  readonly sent: { readonly batch: string; readonly rows: number; readonly paid: number } | null;
  /** Missing documents that sent rows already have. A batch with another name needs them again. */
  readonly keptDocuments: readonly string[];
  readonly whyNotSkip: string | null;
  readonly header: readonly string[];
  /** By column index: our name for the column, or null if Payrun does not read it. */
  readonly columns: readonly (string | null)[];
  readonly sheetName: string | null;
  /** Suggested columns by column index, and values for fields without a column. Null for none. */
  readonly advice: {
    /** A map that comes with Payrun, fits the sheet and is not used. Findings of earlier versions lack it. */
    readonly shipped?: MapAdvice['shipped'];
    readonly columns: readonly (string | null)[];
    readonly values: Readonly<Record<string, string>>;
    readonly numberFormat: Requests['columns']['numberFormat'];
    /** The choices for fields. `fixed`: one value may apply to every row. */
    readonly choices: readonly {
      readonly field: string;
      readonly words: string;
      readonly needed: boolean;
      readonly fixed: boolean;
    }[];
    /** The workbook's sheets; empty after one of them was planned. */
    readonly sheets: readonly string[];
  } | null;
  /** Columns that Payrun does not read and that may say which rows to pay. A person has to decide. */
  readonly questions: readonly {
    readonly header: string;
    readonly values: readonly { readonly text: string; readonly rows: number }[];
    readonly others: number;
    /** The number of rows with an error or a formula without a result. If there are any, no value can be chosen. */
    readonly unknown: number;
    /** True if cells are merged over several rows. No value can then be chosen. */
    readonly isMerged: boolean;
  }[];
  readonly rowChoices: Requests['rows']['choices'];
  /** Problems of the sheet as a whole. */
  readonly problems: readonly Problem[];
  /** `GET /api/uploads/ID/documents/NAME` is the file; `POST …/remove` removes it. `file` identifies its version. */
  readonly documents: readonly { readonly name: string; readonly bytes: number; readonly file: string }[];
}

export interface SheetTotal {
  readonly currency: string;
  readonly unit: string;
  readonly from: string | null;
  readonly country: string | null;
  readonly rows: number;
  readonly amount: string;
}

export const rowFilters = ['all', 'to_fix', 'warnings', 'new_payees', 'over_50000', 'corrected'] as const;
export type RowFilter = (typeof rowFilters)[number];

/** `GET /api/uploads/ID/rows?filter=&warning=&q=&from=&limit=`. `warning` is a code, `from` skips rows, and `limit` is at most 500. */
export interface SheetRows {
  readonly total: number;
  readonly rows: readonly SheetRow[];
}

/** A row's currency and unit; empty if its cells have none. */
export interface CellMoney {
  readonly currency: string;
  readonly unit: string;
}

export interface SheetRow {
  readonly number: number;
  readonly status: 'ok' | 'fix' | 'warn';
  /** The sheet's texts with corrections. A viewer sees only the last four digits of an account. */
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
  readonly corrections: readonly {
    readonly id: number;
    readonly column: number;
    readonly was: string;
    readonly by: string;
    readonly at: string;
  }[];
  readonly newPayee: boolean;
  readonly money: CellMoney;
}

/** `GET /api/uploads/ID/mistakes`: equal mistakes together, the most frequent first. */
export interface Mistake {
  readonly code: string;
  readonly severity: Problem['severity'];
  readonly column: string | null;
  /** The column's index if one cell is wrong; null if not. */
  readonly index: number | null;
  readonly value: string | null;
  readonly suggestion: string | null;
  readonly message: string;
  readonly rows: number;
  readonly firstRow: number | null;
  readonly rowsAre: string;
  /** The payee of the first row; empty if the sheet has none. */
  readonly payee: string;
  readonly amount: string;
  readonly money: CellMoney;
  /** The name of a list in `GET /api/known-words`; null if the cell takes any text. */
  readonly words: string | null;
}

/** `GET /api/known-words`: lists of the words that a cell accepts, such as banks. */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

/** `GET /api/uploads/ID/warnings`: the number of rows by kind, the most serious kind first. */
export interface Warnings {
  readonly code: string;
  readonly message: string;
  readonly rows: number;
  readonly firstRow: number;
}

export interface Correction {
  readonly id: number;
  /** The first rows. Null: each cell of the column that said `from`. */
  readonly rows: readonly number[] | null;
  readonly count: number | null;
  readonly column: number;
  readonly header: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly at: string;
}

/** `GET /api/uploads/ID/fixed-before`: the first cells that people corrected in the sheets that this one replaces. */
export interface FixedBefore {
  readonly file: string;
  /** `C12` for one row, `C4:C7, C9` for several, and `C` for every row. */
  readonly cell: string;
  readonly header: string;
  readonly column: string | null;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly at: string;
}

export interface DeclinedBefore {
  /** The declined sheet, and how it is like this one. Null if it is this sheet, or a sheet that this one replaces. */
  readonly sheet: { readonly file: string; readonly alike: 'file' | 'rows' | 'batch' } | null;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** How the plan differs from the declined one; null without a plan or a comparison. */
  readonly since: {
    readonly rows: readonly number[];
    readonly changed: number;
    readonly gone: number;
    readonly terms: boolean;
  } | null;
}

/** `GET /api/uploads/ID/plan` */
export interface Review {
  readonly digest: string;
  readonly batch: string;
  readonly series: string | null;
  readonly maker: string;
  readonly madeAt: string;
  readonly expiresAt: string;
  readonly expired: boolean;
  readonly service: string;
  /** The number of rows, without rows that are left out. */
  readonly rows: number;
  readonly rowsAre: string;
  readonly skipped: number;
  readonly rowsToSend: number;
  readonly totals: readonly SheetTotal[];
  /** The sums of held rows. They need no further approval when a person releases them. */
  readonly heldTotals: readonly SheetTotal[];
  readonly held: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly why: string;
    readonly words: string;
  }[];
  /** The first rows that an earlier sheet held and that this sheet corrects. */
  readonly mended: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly why: string;
    readonly was: string;
    readonly now: string;
  }[];
  /** Set for a plan that sends unpaid rows again. `rows` has the first ones. */
  readonly again: {
    /** The preparer's reason; null in a plan of an earlier version. */
    readonly reason: string | null;
    readonly rows: readonly {
      readonly row: number;
      readonly payee: string;
      readonly money: string;
      readonly at: string | null;
      readonly words: string;
    }[];
  } | null;
  /** Counts, by status, the rows that the plan neither sends nor holds, such as paid rows. */
  readonly standings: readonly { readonly word: RowWord; readonly rows: number }[];
  readonly payees: readonly {
    readonly kind: 'changed' | 'new' | 'elsewhere' | 'shared';
    readonly row: number;
    readonly name: string;
    readonly destination: string;
    readonly words: string;
  }[];
  readonly payeeRows: number;
  readonly largest: readonly {
    readonly row: number;
    readonly name: string;
    readonly destination: string;
    readonly money: string;
    readonly reference: string;
    readonly held: string | null;
  }[];
  /** The first rows of the plan that look sent: equal to a sent row, or with one difference. */
  readonly repeats: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly words: string;
  }[];
  readonly repeatsTotal: number;
  /** The first rows that look sent by the newest check, whatever the batch's name is. */
  readonly alike: readonly { readonly row: number; readonly words: string }[];
  readonly alikeTotal: number;
  readonly large: number;
  readonly repeatReason: string | null;
  readonly warnings: readonly { readonly row: number | null; readonly code: string; readonly message: string }[];
  readonly warningsTotal: number;
  readonly notes: readonly { readonly note: string; readonly message: string }[];
  readonly reading: readonly string[];
  /** Reasons that would stop the run, with the answer to each. */
  readonly stops: readonly string[];
  readonly approvals: readonly { readonly name: string; readonly fingerprint: string; readonly at: string }[];
  readonly declined: { readonly by: string; readonly at: string; readonly reason: string } | null;
  readonly declinedBefore: DeclinedBefore | null;
  readonly needed: number;
  readonly because: string;
  /** Null if the person who asks may approve the plan. */
  readonly whyNot: string | null;
  /** True until the plan is paid, even for a person who approved it. */
  readonly mayDecline: boolean;
}

export interface Job extends Pick<UploadLine, 'code' | 'message'> {
  readonly id: number;
  readonly kind: 'check' | 'plan' | 'pay' | 'resume' | 'reconcile' | 'retry' | 'release' | 'resolve';
  readonly by: string;
  readonly startedAt: string;
  readonly state: 'waiting' | 'running' | 'stopping' | 'done' | 'failed';
  readonly stage: string | null;
  readonly done: number;
  readonly total: number | null;
  readonly end: EndKind | null;
}

/** `sending` counts rows that a job of this console is sending now. Other rows without an answer are in doubt. */
interface Sending {
  readonly sending: number;
}

export interface BatchLine {
  readonly batch: string;
  readonly sheet: string;
  readonly service: string;
  readonly receivedAt: string;
  readonly rows: RowCounts & Sending;
  readonly totals: readonly (MoneyTotal & Sending)[];
  /** True if a job of this console works on the batch, or if another run holds the ledger. */
  readonly running: boolean;
  readonly doing: Job['kind'] | null;
}

/** `GET /api/batches/NAME`. `GET /api/batches/NAME/events` sends the same with each change (event `batch`). */
export interface Batch extends BatchLine {
  readonly upload: string | null;
  readonly series: string | null;
  readonly plan: { readonly digest: string; readonly maker: string } | null;
  readonly approvals: readonly { readonly name: string; readonly at: string }[];
  readonly notes: readonly string[];
  /** The next step and its time. `action` names a button on this page, `at` a row's page with the button. */
  readonly next: readonly {
    readonly words: string;
    readonly after: string | null;
    readonly action: Action | null;
    readonly at: {
      readonly status: 'held' | 'in doubt' | 'paid twice' | 'not sent';
      readonly total: number;
      readonly rows: readonly { readonly key: string; readonly number: number; readonly name: string }[];
    } | null;
  }[];
  readonly released: {
    readonly total: number;
    readonly rows: readonly {
      readonly key: string;
      readonly number: number;
      readonly name: string;
      /** The person who acted; null if a terminal gave no name. */
      readonly by: string | null;
      readonly at: string;
      readonly why: string;
    }[];
  };
  /** The plan that waits for this batch. Nothing of the batch is sent meanwhile. */
  readonly proposal: Proposal | null;
  /** The rows that the batch would send if it continued. Null if none is left, or if a run is sending them now. */
  readonly goOn: (Omit<ResumePreview, 'waits'> & { readonly waits: readonly string[] }) | null;
  /** The pauses. The pause of all batches comes first. */
  readonly paused: readonly Paused[];
  /** True if other runs may send the remaining rows. The Stop button then pauses the batch, even if nothing is being sent. */
  readonly mayPause: boolean;
  readonly documents: { readonly attached: number; readonly open: number };
  /** The newest evidence pack. Keep its SHA-256 apart from the pack, because each download differs. */
  readonly evidence: EvidencePack | null;
  readonly chart: {
    readonly from: string;
    readonly stepMs: number;
    readonly series: Readonly<Record<string, readonly number[]>>;
    readonly held: number;
  } | null;
  /** The number of rows settled in the last minute; null if nothing moves. */
  readonly rate: number | null;
  readonly job: Job | null;
  readonly exit: number;
}

export interface Paused {
  readonly id: number;
  readonly reason: string;
  readonly by: string | null;
  /** `stop`: the Stop button of a console made the pause, and Go on ends it. Other pauses come from a terminal. */
  readonly what: 'all' | 'batch' | 'stop';
}

export interface EvidencePack {
  readonly sha256: string;
  readonly by: string;
  readonly at: string;
}
export type Action = 'resume' | 'reconcile' | 'retry' | 'release' | 'resolve' | 'reopen';

/** `GET /api/batches/NAME/rows?status=&q=&from=&limit=`. `status` is a word for a row. Left-out rows come last. */
export interface BatchRows {
  readonly total: number;
  readonly rows: readonly BatchRow[];
}

export interface BatchRow {
  /** Empty for a line with a mistake that is no row and has no page. */
  readonly key: string;
  readonly number: number;
  readonly status: string;
  readonly name: string;
  readonly destination: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly unit: string;
  readonly reason: string | null;
  readonly paymentId: string | null;
}

/** `GET /api/batches/NAME/rows/KEY` */
export interface RowLife extends BatchRow {
  readonly payee: string;
  readonly paymentStatus: string | null;
  readonly tag: string | null;
  readonly next: string | null;
  readonly action: Action | null;
  readonly decides: Decides | null;
  /** True if a person may close the row, because nothing is paid for it. */
  readonly mayDrop: boolean;
  readonly documents: readonly RowDocument[];
  /** Similar rows and possible typing errors in the account, for the person who releases the row. */
  readonly alike: readonly string[];
  readonly standing: string;
  readonly moves: readonly { readonly at: string; readonly words: string; readonly by: string | null }[];
}

export type { Decides };

export interface RowDocument {
  readonly name: string;
  readonly state: string;
  readonly sha256: string;
  /** The sheet with this file: `GET /api/uploads/ID/documents/NAME?sha256=`. Null if it is gone. */
  readonly upload: string | null;
}

/** `GET /api/batches/NAME/funding` */
export interface FundingLine {
  readonly source: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly state: string;
  readonly rows: number;
  /** The details in the order of a transfer form. People copy each one unchanged. */
  readonly details: readonly { readonly label: string; readonly value: string }[];
}

/** `GET /api/payees?q=` */
export interface PayeeLine {
  readonly key: string;
  readonly name: string;
  readonly destination: string;
  readonly rows: number;
  readonly paidAt: string | null;
}

/** `GET /api/payees/KEY` */
export interface Payee extends Pick<PayeeLine, 'key' | 'name'> {
  readonly payments: readonly {
    readonly batch: string;
    readonly row: string;
    readonly at: string | null;
    readonly destination: string;
    readonly amount: string;
    readonly currency: string;
    readonly unit: string;
    readonly reference: string;
    readonly number: number;
    readonly status: string;
    /** True if the payment goes to another account than the one before. */
    readonly moved: boolean;
    readonly released: { readonly by: string; readonly at: string; readonly why: string } | null;
  }[];
}

/** `GET /api/search?q=`: the first results of each kind. */
export interface Found {
  readonly batches: readonly BatchLine[];
  readonly uploads: readonly UploadLine[];
  readonly payees: readonly PayeeLine[];
  readonly rows: readonly (BatchRow & { readonly batch: string })[];
}

/** `GET /api/trail?batch=&from=&limit=`, newest first. */
export interface TrailPage {
  readonly total: number;
  readonly head: string;
  readonly entries: readonly {
    readonly seq: number;
    readonly at: string;
    readonly by: string | null;
    readonly batch: string | null;
    readonly row: string | null;
    readonly named: { readonly number: number; readonly name: string } | null;
    readonly words: string;
    readonly hash: string;
  }[];
}

/** `GET /api/settings` */
export interface SettingsView {
  readonly service: string;
  readonly ledger: string;
  readonly settings: readonly {
    readonly name: string;
    readonly means: string;
    readonly value: string;
    readonly from: string;
  }[];
  readonly policy: Requests['policy'] | null;
  /** The policy file in the machine's settings. No page can change it. */
  readonly policyFile: string | null;
  readonly approvers: readonly { readonly name: string; readonly fingerprint: string }[];
}

/** `GET /api/health`, for people who are logged in. */
export interface Health {
  readonly checks: readonly { readonly what: string; readonly ok: boolean; readonly words: string }[];
}
