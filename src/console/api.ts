/** Defines the requests and answers between the page and the server, with the schemas for requests. */
import { z } from 'zod';
import type { Looked } from '../app/inspect-sheet.ts';
import type { PlanEnding } from '../approval/approval.ts';
import type { Each } from '../base/words.ts';
import type { Ledger, Proposal, RowWord } from '../ledger/ledger.ts';
import type { Button as Action } from '../messages/next-actions.ts';
import type { ShownProblem as Problem } from '../messages/problems.ts';
import type { shippedMapShown } from '../messages/shipped-maps.ts';
import type { Decides } from '../messages/web/rows.ts';
import type { ResumePreview } from '../pipeline/duplicates/resume-preview.ts';
import type { MoneyTotal, RowCounts } from '../pipeline/figures.ts';
import { shippedMaps } from '../sheet/sheet.ts';

/** Only preparers upload and pay sheets, and only approvers approve them. */
export const roles = ['viewer', 'preparer', 'approver', 'administrator'] as const;
export type Role = (typeof roles)[number];

const name = z.string().min(1).max(64);
const password = z.string().min(1).max(1024);
const code = z.string().regex(/^\d{6}$/);
const standing = z.string().max(64);
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const reason = z.string().trim().min(1).max(500);
const account = z.strictObject({ role: z.enum(roles), active: z.boolean() });

/** `standing` identifies the row's state on the page. The server refuses the request if the state has changed. */
const decision = { row: z.string().max(200), reason, standing };

const correction = { column: z.int().min(0), from: z.string().max(1000), to: z.string().max(1000) };
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
  invitation: z.strictObject({ token: z.string().max(128) }),
  join: z.strictObject({ token: z.string().max(128), name: name.exactOptional(), password }),
  login: z.strictObject({ name, password, code: code.exactOptional() }),
  password: z.strictObject({ current: password, next: password }),
  codeOn: z.strictObject({ code, password }),
  codeOff: z.strictObject({ password }),
  invite: z.strictObject({ name, role: z.enum(roles) }),
  /** `was`, here and in `changePolicy`, is what the page showed. The server refuses the change if it differs now. */
  person: z.strictObject({ was: account, is: account }),
  /** `standing` is the sheet's, here and in `rows` and `plan`. The server refuses the request if the sheet has changed. */
  columns: z.strictObject({
    standing,
    columns: z.record(z.string().max(1000), z.string().max(64)),
    values: z.record(z.string().max(64), z.string().max(1000)),
    numberFormat: z.enum(['1,234.56', '1.234,56']).nullable(),
    /** The name of a map that comes with Payrun. Payrun then reads the sheet by this map and not by `columns`. */
    map: z.enum(shippedMaps.map(({ name }) => name)).exactOptional(),
    /** If Payrun has read another sheet of the workbook, the request only chooses this sheet and ignores `columns`. */
    sheetName: z.string().max(255).exactOptional(),
  }),
  /** Replaces all earlier choices of rows to pay. */
  rows: z.strictObject({
    standing,
    choices: z
      .array(
        z.strictObject({
          column: z.string().min(1).max(1000),
          /** The cell texts of the rows to pay. Null: the column leaves no row out. */
          only: z.array(z.string().max(1000)).min(1).max(20).nullable(),
        }),
      )
      .max(256),
  }),
  /** Corrects one row, or the rows of a mistake. */
  correct: z.union([
    z.strictObject({ ...correction, row: z.int().min(1) }),
    z.strictObject({
      ...correction,
      /** The mistake that the page showed. The server refuses the request if the mistake now has other rows. */
      mistake: z.strictObject({
        code: z.string().max(64),
        severity: z.enum(['error', 'warning', 'repair']),
        suggestion: z.string().max(1000).nullable(),
        words: z.string().max(100).nullable(),
        rowsAre: z.string().max(100),
      }),
    }),
  ]),
  plan: z.strictObject({
    standing,
    batch: z.string().min(1).max(64),
    series: z.string().max(64).exactOptional(),
    skipInvalid: z.boolean(),
    /** Control totals as typed, such as `rows=212` or `ZAR=1,904,300`. */
    expect: z.array(z.string().max(200)).max(20),
    confirmVariance: reason.exactOptional(),
    confirmRepeat: reason.exactOptional(),
    add: z.boolean().exactOptional(),
    drop: z.boolean().exactOptional(),
    closes: z.number().int().exactOptional(),
    base: z.int().exactOptional(),
  }),
  approve: z.strictObject({ digest, password }),
  endPlan: z.strictObject({ digest, reason }),
  pay: z.strictObject({ digest }),
  release: z.strictObject({ ...decision, password }),
  resolve: z.union([
    z.strictObject({ ...decision, password, way: z.literal('paid'), payment: z.string().max(200) }),
    z.strictObject({ ...decision, password, way: z.enum(['not-paid', 'not-a-repeat', 'release-absent', 'known']) }),
  ]),
  drop: z.strictObject(decision),
  /** `turn` and `standing` are those of the batch on the page. The server refuses the request if one differs now. */
  resume: z.strictObject({ turn: z.int(), standing }),
  endPause: z.strictObject({ pause: z.int(), reason }),
  /** `rows` has one key, or is null for all unpaid rows. `standing` is then the row's, or the batch's. */
  retry: z.strictObject({ rows: z.array(z.string().max(200)).length(1).nullable(), reason, standing }),
  discard: z.strictObject({ standing }),
  removeDocument: z.strictObject({ file: standing }),
  policy,
  changePolicy: policy.extend({ was: policy.nullable() }),
  nothing: z.strictObject({}),
} as const;
export type Requests = { readonly [K in keyof typeof requests]: z.infer<(typeof requests)[K]> };

export interface Person extends Each<'active code invited', boolean>, Each<'lastSeenAt fingerprint', string | null> {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}

export interface Session {
  readonly person: Pick<Person, 'name' | 'role' | 'code'> | null;
  /** The page sends this value in the header `x-payrun-csrf` with every change; null before the login. */
  readonly csrf: string | null;
  readonly empty: boolean;
  readonly service: string;
  readonly version: string;
}

/** `POST /api/invitation`. `name` is null for the first administrator, who chooses it. */
export interface Invitation {
  readonly name: string | null;
  readonly role: Role;
}

export type ErrorAnswer = Each<'message code', string> & { readonly facts?: unknown };

export type UploadState =
  | 'reading' // Payrun checks the sheet
  | 'columns' // a person must match columns or choose a sheet
  | 'to_fix' // rows have mistakes, or there is no row
  | 'ready' // no row has mistakes
  | 'planned' // the plan waits for approval
  | 'approved' // the sheet may be paid
  | 'batch' // the sheet became a batch
  | 'unreadable'; // `message` says why the sheet cannot be read

/** `paid`: the most rows that one batch has paid. */
type Counts = Each<'rows toFix warnings newPayees over50000', number> & Partial<Each<'looksPaid paid', number>>;

/** `GET /api/uploads` */
export interface UploadLine extends Each<'id file by at', string>, Each<'code message', string | null> {
  readonly bytes: number;
  readonly state: UploadState;
  readonly asksForSheet: boolean;
  readonly counts: Counts;
  readonly totals: readonly SheetTotal[];
  /** Before the batch exists: the name in the plan, or a name made from the file's name. */
  readonly batch: string;
  readonly lapsed: boolean;
  readonly declined: Review['declined'];
  readonly looksPaid: number;
  /** Set only if the plan sends fewer rows than the sheet has. */
  readonly toSend: { readonly rows: number; readonly totals: readonly SheetTotal[] } | null;
  readonly job: Job | null;
}

export interface Upload extends UploadLine, Each<'whyNotSkip sheetName', string | null> {
  /** The newest version of a batch, as this page named it. */
  readonly named: Readonly<{ batch: string; head: number }> | null;
  /** Identifies the sheet's state. The server refuses a change that was decided on another state. */
  readonly standing: string;
  readonly lookedAt: number | null;
  /** Short phrases such as `sheet "Payouts"`, `separated by ;`, `212 rows`. */
  readonly found: readonly string[];
  readonly seen: readonly Each<'batch words', string>[];
  /** `id` is null if the replaced sheet is gone. */
  readonly replaces: { readonly id: string | null; readonly file: string } | null;
  readonly sharedWith: Looked['sharedWith'];
  /** The waiting plans of other sheets, for each batch that this sheet shares rows with. `upload` is null for a plan of a terminal. */
  readonly waits: readonly (Each<'batch file by', string> & Each<'upload', string | null>)[];
  /** The change of the sheet after which its plan and each approval of the plan no longer count. */
  readonly planLost: Each<'by at', string> | null;
  readonly header: readonly string[];
  /** The field that each column fills; null for a column that Payrun does not read. */
  readonly columns: readonly (string | null)[];
  readonly advice: {
    readonly shipped?: ReturnType<typeof shippedMapShown> | null;
    readonly columns: readonly (string | null)[];
    readonly values: Readonly<Record<string, string>>;
    readonly numberFormat: Requests['columns']['numberFormat'];
    /** `fixed`: a person may give one value for every row. */
    readonly choices: readonly (Each<'field words', string> & Each<'needed fixed', boolean>)[];
    readonly sheets: readonly string[];
  } | null;
  /** Columns that Payrun does not read and that may say which rows to pay. A person has to decide. */
  readonly questions: readonly Omit<Looked['checked']['questions'][number], 'index'>[];
  readonly rowChoices: Requests['rows']['choices'];
  readonly problems: readonly Problem[];
  readonly documents: readonly { readonly name: string; readonly bytes: number; readonly file: string }[];
}

export interface SheetTotal extends CellMoney {
  readonly from: string | null;
  readonly country: string | null;
  readonly rows: number;
  readonly amount: string;
}

export const rowFilters = ['all', 'to_fix', 'warnings', 'new_payees', 'over_50000', 'corrected'] as const;
export type RowFilter = (typeof rowFilters)[number];

/** `GET /api/uploads/ID/rows?filter=&warning=&q=&from=&limit=`. `warning` is a code. `limit` is at most 500. */
export interface SheetRows {
  readonly total: number;
  readonly rows: readonly ShownRow[];
}

export interface CellMoney {
  readonly currency: string;
  readonly unit: string;
}

export interface ShownRow {
  readonly number: number;
  readonly status: 'ok' | 'fix' | 'warn';
  /** The corrected texts. A viewer gets masked account numbers. */
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
  readonly corrections: readonly (Pick<Correction, 'id' | 'column' | 'by' | 'at'> & { readonly was: string })[];
  readonly newPayee: boolean;
  readonly money: CellMoney;
}

/** `GET /api/uploads/ID/mistakes`: groups of equal mistakes. */
export interface Mistake extends Omit<Problem, 'row'>, Each<'rowsAre payee amount', string> {
  /** Null if the mistake has no column, or has a field that several columns fill. */
  readonly index: number | null;
  readonly rows: number;
  readonly firstRow: number | null;
  readonly money: CellMoney;
  /** The name of a list in `GET /api/known-words`; null if the cell takes any text. */
  readonly words: string | null;
}

/** `GET /api/known-words`: lists of the words that a cell accepts, such as banks. */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

/** `GET /api/uploads/ID/warnings`: the warnings of each code, the most serious code first. */
export interface Warnings extends Pick<Mistake, 'code' | 'message' | 'rows'> {
  readonly firstRow: number;
}

/** `GET /api/uploads/ID/corrections`: those of the sheets that this one replaces come first. */
export interface Correction extends Each<'id count column', number>, Each<'header from to by at', string> {
  /** The replaced sheet that was corrected; null for this sheet. */
  readonly before: string | null;
  readonly rows: readonly number[];
}

type Declined = Each<'by at reason', string> & { readonly did: PlanEnding };

interface ReviewRow extends Each<'payee money', string> {
  readonly row: number;
}

export interface Review
  extends Each<'digest batch maker madeAt expiresAt rowsAre because', string>,
    Each<'series repeatReason whyNot', string | null>,
    Each<'rows skipped rowsToSend correctedRows notCompared payeeRows repeatsTotal warningsTotal needed', number> {
  readonly service: Each<'address account', string>;
  readonly totals: readonly SheetTotal[];
  readonly heldTotals: readonly SheetTotal[];
  readonly held: readonly (ReviewRow & Each<'why words', string>)[];
  /** The first rows that differ from the batch's rows. `why`: why the batch holds a row that this plan sends. */
  readonly corrected: readonly (ReviewRow & { readonly changes: string; readonly why: string | null })[];
  /** Set for a plan that sends unpaid rows again. `rows` has the first ones. */
  readonly again: {
    readonly reason: string | null;
    readonly rows: readonly (ReviewRow & { readonly at: string | null; readonly words: string })[];
  } | null;
  /** The number of rows by status, for rows that the plan neither sends nor holds. */
  readonly standings: readonly { readonly word: RowWord; readonly rows: number }[];
  readonly payees: readonly (Each<'name destination words', string> & {
    readonly kind: 'changed' | 'new' | 'elsewhere' | 'shared';
    readonly row: number;
  })[];
  readonly largest: readonly (Each<'name destination money reference', string> & {
    readonly row: number;
    readonly held: string | null;
  })[];
  /** The first rows that looked paid when the plan was made. */
  readonly repeats: readonly (ReviewRow & { readonly words: string })[];
  readonly warnings: readonly { readonly row: number | null; readonly code: string; readonly message: string }[];
  readonly notes: readonly Each<'note message', string>[];
  readonly reading: readonly string[];
  readonly stops: readonly string[];
  readonly approvals: readonly Each<'name fingerprint at', string>[];
  readonly declined: Declined | null;
  /** The newest decline of a plan with the same rows or batch name, while this plan waits. */
  readonly declinedBefore: (Omit<Declined, 'did'> & { readonly file: string }) | null;
  /** How the person may end the plan while it waits; null if they may not. An approver may also decline a plan that they signed. */
  readonly mayEnd: PlanEnding | null;
}

export interface Job extends Pick<UploadLine, 'by' | 'code' | 'message'>, Each<'id done', number> {
  readonly confirms: (Each<'batch', string> & Each<'add change close', number> & Each<'mayKeep', boolean>) | null;
  readonly kind: 'check' | 'plan' | 'pay' | 'resume' | 'reconcile' | 'release' | 'resolve';
  readonly startedAt: string;
  readonly state: 'running' | 'stopping' | 'done' | 'failed';
  readonly stage: string | null;
  readonly total: number | null;
}

export interface BatchLine extends Each<'batch sheet service receivedAt', string> {
  readonly rows: RowCounts;
  readonly totals: readonly MoneyTotal[];
  /** True if a job of this console works on the batch, or if another run changed its rows in the last seconds. */
  readonly running: boolean;
  readonly doing: Job['kind'] | null;
}

export interface Release extends Each<'at why', string> {
  readonly by: string | null;
}

/** `GET /api/batches/NAME`. `GET /api/batches/NAME/events` sends the same with each change (event `batch`). */
export interface Batch extends BatchLine {
  readonly upload: string | null;
  readonly plan: Each<'digest maker', string> | null;
  readonly approvals: readonly Each<'name at', string>[];
  readonly notes: readonly string[];
  /** `action` is a button on the batch's page. `at` is the row whose own page has the button. */
  readonly next: readonly {
    readonly words: string;
    readonly after: string | null;
    readonly action: Action | null;
    readonly at: Pick<BatchRow, 'key' | 'number' | 'name'> | null;
  }[];
  readonly released: {
    readonly total: number;
    readonly rows: readonly (Pick<BatchRow, 'key' | 'number' | 'name'> & Release)[];
  };
  /** The plan of this batch that waits; null for none. `GET /api/proposals` lists those of terminals. */
  readonly proposal: Proposal | null;
  /** The rows that the button Continue would send; null for none, and while rows are being sent. */
  readonly goOn: (Omit<ResumePreview, 'waits'> & { readonly waits: readonly string[] }) | null;
  readonly paused: Awaited<ReturnType<Ledger['holds']['pauses']>>;
  /** Identifies the unsent and unpaid rows and their states. Empty while rows are being sent. */
  readonly standing: string;
  /** `turn` grows when the batch is continued or stopped. `stopped` is null unless it is stopped. */
  readonly turn: number;
  readonly stopped: string | null;
  readonly documents: Each<'attached open', number>;
  readonly evidence: Each<'sha256 by at', string> | null;
  readonly job: Job | null;
}

export type { Action, Decides, Problem };

/** `GET /api/batches/NAME/rows?status=&q=&from=&limit=`. `status` is a row's word in the glossary. */
export interface BatchRows {
  readonly total: number;
  readonly rows: readonly BatchRow[];
}

export interface BatchRow
  extends CellMoney,
    Each<'status name destination reference amount', string>,
    Each<'reason paymentId', string | null> {
  /** Empty for a line with mistakes, which is no row and has no page. */
  readonly key: string;
  readonly number: number;
}

export interface RowLife
  extends BatchRow,
    Each<'payee standing', string>,
    Each<'paymentStatus tag next', string | null> {
  readonly action: Action | null;
  readonly decides: Decides | null;
  readonly mayDrop: boolean;
  readonly documents: readonly RowDocument[];
  /** Doubts about the account number, for the person who releases the row. */
  readonly alike: readonly string[];
  readonly moves: readonly (Each<'at words', string> & { readonly by: string | null })[];
}

export interface RowDocument extends Each<'name state sha256', string> {
  /** The id of a sheet that still has this file; null for none. */
  readonly upload: string | null;
}

/** `GET /api/batches/NAME/funding`: the deposits that payments wait for. */
export interface FundingLine extends Each<'currency amount', string> {
  readonly source: string | null;
  readonly rows: number;
  readonly details: readonly Each<'label value', string>[];
}

export interface PayeeLine extends Each<'key name destination', string> {
  readonly rows: number;
  readonly paidAt: string | null;
}

export interface Payee extends Pick<PayeeLine, 'key' | 'name'> {
  readonly payments: readonly (Omit<BatchRow, 'key' | 'name' | 'reason' | 'paymentId'> & {
    readonly batch: string;
    readonly row: string;
    readonly at: string | null;
    /** True if the payee's previous payment went to another account. */
    readonly moved: boolean;
    readonly released: Release | null;
  })[];
}

/** `GET /api/search?q=`: the first results of each kind. */
export interface SearchResult {
  readonly batches: readonly BatchLine[];
  readonly uploads: readonly UploadLine[];
  readonly payees: readonly PayeeLine[];
  readonly rows: readonly (BatchRow & { readonly batch: string })[];
}

/** `GET /api/trail?batch=&from=&limit=`, newest first. */
export interface TrailPage {
  readonly total: number;
  readonly head: string;
  readonly entries: readonly (Each<'at words hash', string> &
    Each<'by batch row', string | null> & {
      readonly seq: number;
      readonly named: { readonly number: number; readonly name: string } | null;
    })[];
}

export interface SettingsView {
  readonly service: string;
  readonly ledger: string;
  readonly settings: readonly Each<'name means value from', string>[];
  readonly policy: Requests['policy'] | null;
  /** The policy file of the machine, which replaces the console's policy; null for none. */
  readonly policyFile: string | null;
  readonly approvers: readonly Each<'name fingerprint', string>[];
}

/** `GET /api/health`, for people who are logged in. */
export interface Health {
  readonly checks: readonly { readonly what: string; readonly ok: boolean; readonly words: string }[];
}
