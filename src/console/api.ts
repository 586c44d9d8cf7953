/** The requests and answers between the page and the server, and the schemas that check requests. */
import { z } from 'zod';
import type { Rest } from '../app/inspect-sheet.ts';
import type { EndKind } from '../domain/sending/end-kind.ts';
import type { RowWord } from '../ledger/ledger.ts';
import type { ShownProblem as Problem } from '../messages/problems.ts';
import type { Decides } from '../messages/web/rows.ts';
import type { ResumePreview } from '../pipeline/duplicates/resume-preview.ts';
import type { MoneyTotal, RowCounts } from '../pipeline/outcome.ts';
import type { MendedSheet } from '../pipeline/plans/mended.ts';
import { type MapAdvice, shippedMaps } from '../sheet/sheet.ts';

/** A role may see what the earlier ones see. A preparer never approves, and an administrator never pays. */
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
  /** Uses the token of a link, printed at the first start or given by an administrator. */
  invitation: z.strictObject({ token: z.string().max(128) }),
  join: z.strictObject({ token: z.string().max(128), name: name.exactOptional(), password }),
  login: z.strictObject({ name, password, code: code.exactOptional() }),
  password: z.strictObject({ current: password, next: password }),
  codeOn: z.strictObject({ code, password }),
  codeOff: z.strictObject({ password }),
  invite: z.strictObject({ name, role: z.enum(roles) }),
  person: z.strictObject({ role: z.enum(roles).exactOptional(), active: z.boolean().exactOptional() }),
  /** Header of the sheet to our column. Stored for this header. */
  columns: z.strictObject({
    columns: z.record(z.string().max(1000), z.string().max(64)),
    values: z.record(z.string().max(64), z.string().max(1000)),
    numberFormat: z.enum(['1,234.56', '1.234,56']).nullable(),
    /** A map that comes with Payrun, in place of columns, values and number format. */
    map: z.enum(shippedMaps.map(({ name }) => name)).exactOptional(),
    /** Choosing another sheet only reads it: the columns sent with it are ignored. */
    sheetName: z.string().max(255).exactOptional(),
  }),
  /** Chooses the rows to pay by columns that are not read; replaces earlier choices. */
  rows: z.strictObject({
    choices: z
      .array(
        z.strictObject({
          column: z.string().min(1).max(1000),
          /** Values of the rows that are paid; null: the column leaves no row out. */
          only: z.array(z.string().max(1000)).min(1).max(20).nullable(),
        }),
      )
      .max(256),
  }),
  /** `row` null: each row whose cell of the column says `from`. */
  correct: z.strictObject({
    row: z.int().min(1).nullable(),
    column: z.int().min(0),
    from: z.string().max(1000),
    to: z.string().max(1000),
    /** The mistake as the page showed it: its rows are fixed only if they are still the same. */
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
    /** `rows=212`, `ZAR=1,904,300`, `accounts=…`: control totals as typed, read as amounts of a sheet are. */
    expect: z.array(z.string().max(200)).max(20),
    confirmVariance: reason.exactOptional(),
    confirmRepeat: reason.exactOptional(),
    add: z.boolean().exactOptional(),
  }),
  /** The approver saw this digest; the password opens the key. */
  approve: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), password }),
  decline: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), reason }),
  pay: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) }),
  /** `standing`: the row as shown; if it changed, nothing is done. */
  release: z.strictObject({ row: z.string().max(200), reason, password, standing: standing.exactOptional() }),
  resolve: z.strictObject({
    row: z.string().max(200),
    paid: z.string().max(200).nullable(),
    reason,
    password,
    standing: standing.exactOptional(),
  }),
  /** `pause`: the one that was seen; later pauses stand. */
  resume: z.strictObject({ pause: z.int().exactOptional() }),
  endPause: z.strictObject({ pause: z.int(), reason }),
  giveUp: z.strictObject({
    row: z.string().max(200),
    sheet: z.int().positive().exactOptional(),
    reason,
    standing: standing.exactOptional(),
  }),
  /** `rows` null: all unpaid rows, `unpaid` of which were shown; `standing` is the one named row's. */
  retry: z.strictObject({
    rows: z.array(z.string().max(200)).max(1000).nullable(),
    reason,
    unpaid: z.int().min(0).exactOptional(),
    standing: standing.exactOptional(),
  }),
  discard: z.strictObject({ standing: standing.exactOptional() }),
  removeDocument: z.strictObject({ file: standing.exactOptional() }),
  policy,
  /** `was`: the policy as shown; a later change is not overwritten. */
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
  /** Sent with every change in the header `x-payrun-csrf`; null before login. */
  readonly csrf: string | null;
  readonly empty: boolean;
  /** `sandbox`, or the base URL. */
  readonly service: string;
  readonly version: string;
}

/** `POST /api/invitation`; no name for the first administrator. */
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
  | 'reading' // being looked at
  | 'columns' // columns must be matched first
  | 'to_fix' // rows to mend
  | 'ready' // nothing stands against a plan
  | 'planned' // waits for approval
  | 'approved' // may be paid
  | 'declined' // an approver said no
  | 'batch' // taken in: see its batch
  | 'unreadable'; // no sheet that can be paid; `message` says why

export type { Problem };

export interface Counts {
  readonly rows: number;
  readonly toFix: number;
  readonly warnings: number;
  readonly newPayees: number;
  readonly over50000: number;
  /** Rows that look sent; sheets checked by earlier versions lack it. */
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
  /** Its batch, or its plan's; empty in a list if nobody has named one. */
  readonly batch: string;
  /** Rows of an unpaid sheet sent already: lately, or since its plan was made; both stop a plan. Else null. */
  readonly sentAs: SentBefore | null;
  /** A batch that lately sent the corrected form of this sheet. */
  readonly mendedAs: {
    readonly batch: string;
    readonly rows: number;
    readonly mended: number;
    /** Differing rows without a mistake: these were never sent and may be another sheet's. */
    readonly otherwise: readonly number[];
  } | null;
  readonly lapsed: boolean;
  readonly declined: Review['declined'];
  readonly declinedBefore: Review['declinedBefore'];
  /** Rows that look sent; none if it continues the batch that sent them. */
  readonly looksPaid: number;
  /** The plan's reason to pay again what looks paid. */
  readonly paidAgain: string | null;
  /** Null if the plan sends the whole sheet, or was not read yet. */
  readonly toSend: { readonly rows: number; readonly totals: readonly SheetTotal[] } | null;
  readonly job: Job | null;
}

export interface SentBefore {
  /** The batch with most of them first. `own`: the rows are that batch's; others only look alike. */
  readonly batches: readonly { readonly batch: string; readonly rows: number; readonly own: boolean }[];
  /** Rows sent by any batch; not those that only look so. */
  readonly rows: number;
  readonly since: boolean;
  /** Rows that its own batch sent with other values: corrections that came too late. */
  readonly corrected?: Rest['sent'];
  /** Numbers of rows that the plan corrects after its batch has sent them. */
  readonly otherwise?: readonly number[];
}

export interface Upload extends UploadLine {
  /** Changes with every change of the sheet: an action names what was shown. */
  readonly standing: string;
  readonly approvalGone: boolean;
  readonly lookedAt: number | null;
  /** Short phrases such as `sheet "Payouts"`, `separated by ;`, `212 rows`. */
  readonly found: readonly string[];
  /** Batches that had the same rows or sums, and sheets that came in with the same bytes. */
  readonly seen: readonly { readonly batch: string; readonly words: string }[];
  /** `id` is null if the replaced sheet is gone. */
  readonly replaces: {
    readonly id: string | null;
    readonly file: string;
    /** Cells fixed in it and in its predecessors: `GET /api/uploads/ID/fixed-before`. */
    readonly fixes: number;
    readonly documents: readonly string[];
  } | null;
  /** Batches that sent rows of it and can continue with the others; most rows first. */
  readonly goesOn: readonly { readonly batch: string; readonly rows: number; readonly at: string | null }[];
  /** The batch that this sheet corrects, and its rows there; null if it may be another payment. */
  readonly mends: ({ readonly batch: string } & Rest) | null;
  readonly sent: { readonly batch: string; readonly rows: number; readonly paid: number } | null;
  /** Missing documents that sent rows have: a batch with another name needs them again. */
  readonly keptDocuments: readonly string[];
  readonly whyNotSkip: string | null;
  readonly header: readonly string[];
  /** By column index: our name, or null if not read. */
  readonly columns: readonly (string | null)[];
  readonly sheetName: string | null;
  /** Suggested matches by column index, and values without a column. Null if there are none. */
  readonly advice: {
    /** A shipped map that fits, if not in force; findings of earlier versions lack it. */
    readonly shipped?: MapAdvice['shipped'];
    readonly columns: readonly (string | null)[];
    readonly values: Readonly<Record<string, string>>;
    readonly numberFormat: Requests['columns']['numberFormat'];
    /** `fixed`: one value may stand for every row. */
    readonly choices: readonly {
      readonly field: string;
      readonly words: string;
      readonly needed: boolean;
      readonly fixed: boolean;
    }[];
    /** A workbook's sheets; none can be chosen after one is planned. */
    readonly sheets: readonly string[];
  } | null;
  /** Columns that are not read but say which rows are meant, for a person to decide. */
  readonly questions: readonly {
    readonly header: string;
    readonly values: readonly { readonly text: string; readonly rows: number }[];
    readonly others: number;
    /** Rows with an error or a formula without a result: then no value can be chosen. */
    readonly unknown: number;
    /** True if cells are merged over rows: then no value can be chosen. */
    readonly isMerged: boolean;
  }[];
  readonly rowChoices: Requests['rows']['choices'];
  /** Problems of the sheet itself, not of its rows. */
  readonly problems: readonly Problem[];
  /** `GET /api/uploads/ID/documents/NAME` is the file; `POST …/remove` removes it and answers the Upload. `file` identifies the version. */
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

/** `GET /api/uploads/ID/rows?filter=&warning=&q=&from=&limit=` (`warning`: a code; `from`: matching rows from 0; `limit`: at most 500). */
export interface SheetRows {
  readonly total: number;
  readonly rows: readonly SheetRow[];
}

/** Both are empty if the cells lack it. */
export interface CellMoney {
  readonly currency: string;
  readonly unit: string;
}

export interface SheetRow {
  readonly number: number;
  readonly status: 'ok' | 'fix' | 'warn';
  /** The sheet's texts with corrections; viewers see four digits of accounts. */
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

/** `GET /api/uploads/ID/mistakes`: equal ones together, the most frequent first. */
export interface Mistake {
  readonly code: string;
  readonly severity: Problem['severity'];
  readonly column: string | null;
  /** Index in the header, if one cell is wrong. */
  readonly index: number | null;
  readonly value: string | null;
  readonly suggestion: string | null;
  readonly message: string;
  readonly rows: number;
  readonly firstRow: number | null;
  readonly rowsAre: string;
  /** From the first row; empty if the sheet lacks it. */
  readonly payee: string;
  readonly amount: string;
  readonly money: CellMoney;
  /** A list of `GET /api/known-words`; null for any text. */
  readonly words: string | null;
}

/** `GET /api/known-words`: lists of words that cells take, such as banks. */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

/** `GET /api/uploads/ID/warnings`: rows per kind, the weightiest kind first. */
export interface Warnings {
  readonly code: string;
  readonly message: string;
  readonly rows: number;
  readonly firstRow: number;
}

export interface Correction {
  readonly id: number;
  /** The first rows; null: each cell of the column that said `from`. */
  readonly rows: readonly number[] | null;
  readonly count: number | null;
  readonly column: number;
  readonly header: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly at: string;
}

/** `GET /api/uploads/ID/fixed-before`: the first cells fixed in the sheets that this one replaces. */
export interface FixedBefore {
  readonly file: string;
  /** `C12`; of several rows `C4:C7, C9`; of every row: `C`. */
  readonly cell: string;
  readonly header: string;
  readonly column: string | null;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly at: string;
}

export interface DeclinedBefore {
  /** The other sheet, and how it is alike; null for this one or one that it replaces. */
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
  /** Rows left out are not counted. */
  readonly rows: number;
  readonly rowsAre: string;
  readonly skipped: number;
  readonly rowsToSend: number;
  readonly totals: readonly SheetTotal[];
  /** Held rows need no other approval when a person releases them. */
  readonly heldTotals: readonly SheetTotal[];
  readonly held: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly why: string;
    readonly words: string;
  }[];
  /** The first rows that were held in an earlier sheet and are corrected by this one. */
  readonly mended: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly why: string;
    readonly was: string;
    readonly now: string;
  }[];
  /** Set for a plan that sends unpaid rows again; `rows` has the first of them. */
  readonly again: {
    /** Null in a plan of an earlier version. */
    readonly reason: string | null;
    readonly rows: readonly {
      readonly row: number;
      readonly payee: string;
      readonly money: string;
      readonly at: string | null;
      readonly words: string;
    }[];
  } | null;
  /** Rows that it neither sends nor holds, by their state, such as paid. */
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
  /** The first rows that it sends or holds and that look sent, completely or but for one thing. */
  readonly repeats: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly words: string;
  }[];
  readonly repeatsTotal: number;
  /** The first such rows by the newest check, whatever the batch's name. */
  readonly alike: readonly { readonly row: number; readonly words: string }[];
  readonly alikeTotal: number;
  readonly large: number;
  readonly repeatReason: string | null;
  readonly warnings: readonly { readonly row: number | null; readonly code: string; readonly message: string }[];
  readonly warningsTotal: number;
  readonly notes: readonly { readonly note: string; readonly message: string }[];
  readonly reading: readonly string[];
  /** Reasons that would stop the run, with the answers to them. */
  readonly stops: readonly string[];
  readonly approvals: readonly { readonly name: string; readonly fingerprint: string; readonly at: string }[];
  readonly declined: { readonly by: string; readonly at: string; readonly reason: string } | null;
  readonly declinedBefore: DeclinedBefore | null;
  readonly needed: number;
  readonly because: string;
  /** Null if the person who asks may approve the plan. */
  readonly whyNot: string | null;
  /** True until it is paid, also for the person who approved it. */
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

/** `sending`: under way now in a job of this console; other unanswered rows are in doubt. */
interface Sending {
  readonly sending: number;
}

export interface BatchLine {
  readonly batch: string;
  readonly sheet: string;
  readonly service: string;
  readonly receivedAt: string;
  readonly rows: RowCounts & Sending;
  readonly givenUp: number;
  readonly totals: readonly (MoneyTotal & Sending)[];
  /** A job of this console works on it, or another run holds the ledger. */
  readonly running: boolean;
  readonly doing: Job['kind'] | null;
}

/** `GET /api/batches/NAME`; the same is sent by `GET /api/batches/NAME/events` whenever it changes (event `batch`). */
export interface Batch extends BatchLine {
  readonly upload: string | null;
  readonly series: string | null;
  readonly plan: { readonly digest: string; readonly maker: string } | null;
  readonly approvals: readonly { readonly name: string; readonly at: string }[];
  readonly notes: readonly string[];
  /** The next step and its time; `action` for a button here, `at` for one on a row's page. */
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
      /** Null if a terminal did not say who. */
      readonly by: string | null;
      readonly at: string;
      readonly why: string;
    }[];
  };
  /** Sheets with waiting plans that change or lack unsent rows of this batch. */
  readonly mended: readonly MendedSheet[];
  /** Null if nothing is left, or if it is being sent. */
  readonly goOn: (Omit<ResumePreview, 'waits'> & { readonly waits: readonly string[] }) | null;
  /** The pause of all batches comes first. */
  readonly paused: readonly Paused[];
  /** Other runs may send its remaining rows, so Stop pauses it even if nothing moves. */
  readonly mayPause: boolean;
  readonly documents: { readonly attached: number; readonly open: number };
  /** The newest evidence pack; keep its SHA-256 apart from the pack, because each download differs. */
  readonly evidence: EvidencePack | null;
  readonly chart: {
    readonly from: string;
    readonly stepMs: number;
    readonly series: Readonly<Record<string, readonly number[]>>;
    readonly held: number;
  } | null;
  /** Rows settled a minute, over the last minute; null where nothing moves. */
  readonly rate: number | null;
  readonly job: Job | null;
  readonly exit: number;
}

export interface Paused {
  readonly id: number;
  readonly reason: string;
  readonly by: string | null;
  /** `stop`: Stop of a console, which Go on ends; others come from a terminal. */
  readonly what: 'all' | 'batch' | 'stop';
}

export interface EvidencePack {
  readonly sha256: string;
  readonly by: string;
  readonly at: string;
}
export type Action = 'resume' | 'reconcile' | 'retry' | 'release' | 'resolve';

/** `GET /api/batches/NAME/rows?status=&q=&from=&limit=`; `status`: a word of a row. Left-out rows come last. */
export interface BatchRows {
  readonly total: number;
  readonly rows: readonly BatchRow[];
}

export interface BatchRow {
  /** Empty for a left-out row, which never was a payment and has no page. */
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
  /** Names a left-out row that a person may give up, by its sheet and number. */
  readonly leftOut?: { readonly sheet: number; readonly called: string };
}

/** `GET /api/batches/NAME/rows/KEY` */
export interface RowLife extends BatchRow {
  readonly payee: string;
  readonly paymentStatus: string | null;
  readonly tag: string | null;
  readonly next: string | null;
  readonly action: Action | null;
  readonly decides: Decides | null;
  /** Held, or missing in the newest sheet, and never sent: a person may give it up. */
  readonly mayBeGivenUp: boolean;
  /** Waiting sheets that change it: nobody releases it before these are declined or discarded. */
  readonly mended: readonly MendedSheet[];
  readonly documents: readonly RowDocument[];
  /** For the person who releases it: similar rows, and possible typing errors in the account. */
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
  /** In the order of a transfer form; each is copied as it is. */
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
    /** True if it goes to another account than before. */
    readonly moved: boolean;
    readonly released: { readonly by: string; readonly at: string; readonly why: string } | null;
  }[];
}

/** `GET /api/search?q=`: the first of each kind. */
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
  /** The policy file in the machine's settings, which no page changes. */
  readonly policyFile: string | null;
  readonly approvers: readonly { readonly name: string; readonly fingerprint: string }[];
}

/** `GET /api/health` (for people who are logged in). */
export interface Health {
  readonly checks: readonly { readonly what: string; readonly ok: boolean; readonly words: string }[];
}
