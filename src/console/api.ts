/** What the page and the server say to each other: requests are checked by these schemas, answers have these shapes. */
import { z } from 'zod';
import type { Rest } from '../app/preview-batch.ts';
import type { MendedSheet, ResumePreview } from '../app/resolve-row.ts';
import type { Problem } from '../base/problem.ts';
import type { RowWord } from '../ledger/ledger.ts';
import type { MoneyTotal, RowCounts } from '../pipeline/outcome.ts';
import { type MapAdvice, shippedMaps } from '../sheet/sheet.ts';

// --- People

/** Each may do what the ones before it may see; nobody may do everything: who prepares never approves, who administers never pays. */
export const roles = ['viewer', 'preparer', 'approver', 'administrator'] as const;
export type Role = (typeof roles)[number];

const name = z.string().min(1).max(64);
const password = z.string().min(1).max(1024);
/** Of an authenticator app. */
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
        /** Of all that goes out on one day. */
        day: steps.default([]),
      }),
    )
    .max(5),
});

export const requests = {
  /** With the token of the link that was printed at the first start, or that an administrator handed over. */
  invitation: z.strictObject({ token: z.string().max(128) }),
  join: z.strictObject({ token: z.string().max(128), name: name.exactOptional(), password }),
  login: z.strictObject({ name, password, code: code.exactOptional() }),
  password: z.strictObject({ current: password, next: password }),
  codeOn: z.strictObject({ code, password }),
  codeOff: z.strictObject({ password }),
  invite: z.strictObject({ name, role: z.enum(roles) }),
  person: z.strictObject({ role: z.enum(roles).exactOptional(), active: z.boolean().exactOptional() }),
  /** Header of the sheet to our column; what is left out is not read. Remembered for this header. */
  columns: z.strictObject({
    columns: z.record(z.string().max(1000), z.string().max(64)),
    values: z.record(z.string().max(64), z.string().max(1000)),
    numberFormat: z.enum(['1,234.56', '1.234,56']).nullable(),
    /** A map that comes with Payrun, in place of columns, values and number format. */
    map: z.enum(shippedMaps.map(({ name }) => name)).exactOptional(),
    /** Another sheet than the one that was read is only read: what is said of columns with it is not of its own. */
    sheetName: z.string().max(255).exactOptional(),
  }),
  /** Which rows are meant, where columns that are not read say it; all that was said of them before counts no more. */
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
    /** Of which the fix is, as it was told: then its rows are touched, and only if they are still the same. */
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
    /** `rows=212`, `ZAR=1,904,300`, `accounts=…`, as somebody told by another way: sums as they were typed, read as amounts of a sheet are. */
    expect: z.array(z.string().max(200)).max(20),
    /** Why a batch far from the last of its series, or one that was paid before, is meant. */
    confirmVariance: reason.exactOptional(),
    confirmRepeat: reason.exactOptional(),
    add: z.boolean().exactOptional(),
  }),
  /** The digest is the one that the approver saw; the password opens the approver's key. */
  approve: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), password }),
  decline: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), reason }),
  pay: z.strictObject({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) }),
  /** `standing`: of the row as it was shown; where it stands otherwise by now, nothing is done. */
  release: z.strictObject({ row: z.string().max(200), reason, password, standing: standing.exactOptional() }),
  resolve: z.strictObject({
    row: z.string().max(200),
    paid: z.string().max(200).nullable(),
    reason,
    password,
    standing: standing.exactOptional(),
  }),
  /** `pause`: the one that was seen; what somebody paused since stands. */
  resume: z.strictObject({ pause: z.int().exactOptional() }),
  endPause: z.strictObject({ pause: z.int(), reason }),
  giveUp: z.strictObject({
    row: z.string().max(200),
    sheet: z.int().positive().exactOptional(),
    reason,
    standing: standing.exactOptional(),
  }),
  /** `rows` null: all that are unpaid, of which `unpaid` says how many were shown; `standing` is of the one row that is named. */
  retry: z.strictObject({
    rows: z.array(z.string().max(200)).max(1000).nullable(),
    reason,
    unpaid: z.int().min(0).exactOptional(),
    standing: standing.exactOptional(),
  }),
  /** `standing`: of the sheet as it was shown. */
  discard: z.strictObject({ standing: standing.exactOptional() }),
  /** `file`: which file of the name was shown. */
  removeDocument: z.strictObject({ file: standing.exactOptional() }),
  policy,
  /** `was`: as it was shown; what somebody else said since is not written over. */
  changePolicy: policy.extend({ was: policy.exactOptional() }),
  nothing: z.strictObject({}),
} as const;
export type Requests = { readonly [K in keyof typeof requests]: z.infer<(typeof requests)[K]> };

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly active: boolean;
  /** Whether a one-time code is asked for at login. */
  readonly code: boolean;
  /** Invited, and the link not used yet. */
  readonly invited: boolean;
  readonly lastSeenAt: string | null;
  /** Of the key that signs approvals; null for who never approved. */
  readonly fingerprint: string | null;
}

/** `GET /api/session`: what the page needs before anything else. */
export interface Session {
  readonly person: { readonly name: string; readonly role: Role; readonly code: boolean } | null;
  /** Goes with every request that changes something, in the header `x-payrun-csrf`; null before login. */
  readonly csrf: string | null;
  /** Nobody has an account yet: the link on the terminal makes the first one. */
  readonly empty: boolean;
  /** `sandbox`, or the base URL; what is paid here is paid there. */
  readonly service: string;
  readonly version: string;
}

/** `POST /api/invitation`: whom a link is for, before a password is set with it; no name where it makes the first administrator. */
export interface Invitation {
  readonly name: string | null;
  readonly role: Role;
}

/** Every refusal: one plain sentence, and where a person can go on. */
export interface Refusal {
  readonly message: string;
  readonly code?: string;
}

// --- Sheets that came in

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
  /** That look like ones that were sent; a sheet that an earlier version looked at lacks it. */
  readonly looksPaid?: number;
}

/** `GET /api/uploads`: what a list shows of each. */
export interface UploadLine {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly by: string;
  readonly at: string;
  readonly state: UploadState;
  /** It is a workbook, of which a sheet is to be chosen before any column is matched. */
  readonly asksForSheet: boolean;
  readonly message: string | null;
  readonly counts: Counts;
  readonly totals: readonly SheetTotal[];
  /** That it is, or that its plan asks for; in a list empty where nobody has named one yet. */
  readonly batch: string;
  /**
   * Of a sheet that is not paid, and of which rows were sent already: lately, so that under another name they are not planned again
   * without a reason; or since it was planned, so that its plan is not paid any more. Null where none were.
   */
  readonly sentAs: SentBefore | null;
  /** A batch that lately sent so many of its rows, `mended` of them as they are not here: it is the sheet as it was before it was mended. */
  readonly mendedAs: {
    readonly batch: string;
    readonly rows: number;
    readonly mended: number;
    /** Numbers of those that have no mistake here: so as they are, they were never sent, and may be of another sheet. */
    readonly otherwise: readonly number[];
  } | null;
  /** Its plan waits for approvals or for being paid, and is too old for that. */
  readonly lapsed: boolean;
  /** Who said no to its newest plan, and why; null where nobody did. */
  readonly declined: Review['declined'];
  readonly declinedBefore: Review['declinedBefore'];
  /** Rows that look like ones that were sent; none where it goes on with the batch that sent them. */
  readonly looksPaid: number;
  /** Why its plan pays again what looks paid already: without that it would have been refused, or was; null where it gives no reason. */
  readonly paidAgain: string | null;
  /** What its plan would send, of a sheet of which that is not all; null where no plan of it was read yet, or all is sent. */
  readonly toSend: { readonly rows: number; readonly totals: readonly SheetTotal[] } | null;
  readonly job: Job | null;
}

export interface SentBefore {
  /** The batch with most of them first. `own`: they are rows of that batch; others only look like ones of it. */
  readonly batches: readonly { readonly batch: string; readonly rows: number; readonly own: boolean }[];
  /** How many of its rows were sent, as whatever batch; not those that only look so. */
  readonly rows: number;
  /** It was planned before. */
  readonly since: boolean;
  /** Beside those of its own batch that were sent as they are: so many more, otherwise, as corrections that came too late. */
  readonly corrected?: Rest['sent'];
  /** Its plan corrects rows that its own batch has sent as they were before: these, as far as they are told. */
  readonly otherwise?: readonly number[];
}

export interface Upload extends UploadLine {
  /** Another one whenever anything of it is another: what is done to it is done to what was shown. */
  readonly standing: string;
  /** It was approved, and changed since: it needs a plan and an approval anew. */
  readonly approvalGone: boolean;
  /** When the newest check of it ended: at another time its rows may be others. Null before there was one. */
  readonly lookedAt: number | null;
  /** What was found: each a short phrase such as `sheet "Payouts"`, `separated by ;`, `212 rows`. */
  readonly found: readonly string[];
  /** Batches that had the same rows or sums, and sheets that came in with the same bytes. */
  readonly seen: readonly { readonly batch: string; readonly words: string }[];
  /** The sheet in whose place it came in, its id as long as it is here; null where it replaces none. */
  readonly replaces: {
    readonly id: string | null;
    readonly file: string;
    /** How many cells people had fixed in it, and in what it had replaced itself: `GET /api/uploads/ID/fixed-before`. */
    readonly fixes: number;
    /** That had been added to it, and came along since rows still name them. */
    readonly documents: readonly string[];
  } | null;
  /** Batches that have sent rows of it, however long ago, and that can go on with the others; the one that has most of them first. */
  readonly goesOn: readonly { readonly batch: string; readonly rows: number; readonly at: string | null }[];
  /** The batch whose mended sheet it is by all that is known, and what becomes of its rows there; null where it may be another payment. */
  readonly mends: ({ readonly batch: string } & Rest) | null;
  /** The batch that rows of it were sent as already; null where none was. */
  readonly sent: { readonly batch: string; readonly rows: number; readonly paid: number } | null;
  /** Documents that are not here, since rows that were sent have them: under another name than that batch's they are asked for. */
  readonly keptDocuments: readonly string[];
  /** Why the good rows alone cannot be planned; null where they can. */
  readonly whyNotSkip: string | null;
  readonly header: readonly string[];
  /** By column index: ours, or null where it is not read. */
  readonly columns: readonly (string | null)[];
  /** The name of the sheet that is read of a workbook; null before one is. */
  readonly sheetName: string | null;
  /** How columns are matched, or could be where they must be: by column index; and values that no column has. Null where there are none. */
  readonly advice: {
    /** A map that comes with Payrun and fits these columns, where it is not the one in force; what an earlier version found lacks it. */
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
    /** Of a workbook that has several; none can be chosen any more once one is planned. */
    readonly sheets: readonly string[];
  } | null;
  /** Columns that are not read and say which rows are meant, for a person to decide. */
  readonly questions: readonly {
    readonly header: string;
    readonly values: readonly { readonly text: string; readonly rows: number }[];
    /** How many rows have other values. */
    readonly others: number;
    /** How many rows have a formula without a current result there, or an error: then no value can be chosen. */
    readonly unknown: number;
  }[];
  /** What was decided of such columns. */
  readonly rowChoices: Requests['rows']['choices'];
  /** Of the whole sheet. */
  readonly problems: readonly Problem[];
  /** `GET /api/uploads/ID/documents/NAME` is the file; `POST …/remove` takes it away until it is a batch, and answers with the Upload. `file`: another one for another file. */
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

/** `GET /api/uploads/ID/rows?filter=&warning=&q=&from=&limit=` (`warning`: those that have one of that code; from counts matching rows from 0; limit up to 500). */
export interface SheetRows {
  readonly total: number;
  readonly rows: readonly SheetRow[];
}

/** Both empty where the cells do not say it. */
export interface CellMoney {
  readonly currency: string;
  readonly unit: string;
}

export interface SheetRow {
  /** What the spreadsheet shows. */
  readonly number: number;
  readonly status: 'ok' | 'fix' | 'warn';
  /** As the sheet shows them, corrections in place; account numbers by their last four digits for viewers. */
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
  /** In what its amount counts. */
  readonly money: CellMoney;
}

/** `GET /api/uploads/ID/mistakes`: equal ones together, the most frequent first. */
export interface Mistake {
  readonly code: string;
  readonly severity: Problem['severity'];
  readonly column: string | null;
  /** Index in the header, where it is one cell that is wrong. */
  readonly index: number | null;
  readonly value: string | null;
  readonly suggestion: string | null;
  readonly message: string;
  readonly rows: number;
  readonly firstRow: number | null;
  /** The same of the same rows; of others another. */
  readonly rowsAre: string;
  /** Of the first row, as the sheet says them; empty where it does not. */
  readonly payee: string;
  readonly amount: string;
  readonly money: CellMoney;
  /** Which of the known words its cell takes; null where it may be any text. */
  readonly words: string | null;
}

/** `GET /api/known-words`: what cells take that take one of a known set, such as the banks of a country. */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

/** `GET /api/uploads/ID/warnings`: of each kind how many rows have it, the weightiest kind first. */
export interface Warnings {
  readonly code: string;
  /** Of the first of its rows. */
  readonly message: string;
  readonly rows: number;
  readonly firstRow: number;
}

export interface Correction {
  /** Whoever takes it back takes all of its rows back. */
  readonly id: number;
  /** The first of them; null: each cell of the column that said `from`. */
  readonly rows: readonly number[] | null;
  /** How many they are, where that is known. */
  readonly count: number | null;
  readonly column: number;
  readonly header: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly at: string;
}

/** `GET /api/uploads/ID/fixed-before`: of each cell that was fixed in a sheet which the mended file replaced; the first, where there are more than anybody reads. */
export interface FixedBefore {
  /** The file in which it was fixed. */
  readonly file: string;
  /** `C12`; of several rows `C4:C7, C9`; of every row: `C`. */
  readonly cell: string;
  readonly header: string;
  /** What it was read as, where it was read. */
  readonly column: string | null;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly at: string;
}

export interface DeclinedBefore {
  /** Of another sheet, and by what it is known; null where it was this one, or one that this one replaces. */
  readonly sheet: { readonly file: string; readonly alike: 'file' | 'rows' | 'batch' } | null;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** What the plan has otherwise than the declined one; null where there is none yet, or where the two were not compared. */
  readonly since: {
    /** The first of those that changed or are new, and how many there are. */
    readonly rows: readonly number[];
    readonly changed: number;
    readonly gone: number;
    /** Its name, its reasons, or whatever else was said with it. */
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
  /** Of the sheet without those that are left out. */
  readonly rows: number;
  /** Another where any of them says another thing. */
  readonly rowsAre: string;
  /** For their mistakes. */
  readonly skipped: number;
  readonly rowsToSend: number;
  /** Of the rows that would be sent. */
  readonly totals: readonly SheetTotal[];
  /** Of those that are held, and go out when somebody releases them: no other approval is asked for. */
  readonly heldTotals: readonly SheetTotal[];
  /** The first of them, where there are more than anybody reads. */
  readonly held: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly why: string;
    readonly words: string;
  }[];
  /** Held as an earlier sheet had them, corrected in this one, and sent by it: the first of them. */
  readonly mended: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    /** Why it was held, where it was to go, and where it goes now. */
    readonly why: string;
    readonly was: string;
    readonly now: string;
  }[];
  /** Of a plan that sends unpaid rows again: why a preparer asks for it, and how the last try of each row ended; the first of them. */
  readonly again: {
    /** Null in a plan that an earlier version made. */
    readonly reason: string | null;
    readonly rows: readonly {
      readonly row: number;
      readonly payee: string;
      readonly money: string;
      readonly at: string | null;
      readonly words: string;
    }[];
  } | null;
  /** Rows that it neither sends nor holds, by where they stand: paid already, pending, and so on. */
  readonly standings: readonly { readonly word: RowWord; readonly rows: number }[];
  readonly payees: readonly {
    readonly kind: 'changed' | 'new' | 'elsewhere' | 'shared';
    readonly row: number;
    readonly name: string;
    readonly destination: string;
    readonly words: string;
  }[];
  /** Rows of which there is something, shown or not. */
  readonly payeeRows: number;
  /** False where the settings switch the comparison of payees off. */
  readonly arePayeesCompared: boolean;
  readonly largest: readonly {
    readonly row: number;
    readonly name: string;
    readonly destination: string;
    readonly money: string;
    readonly reference: string;
    /** Why it is held; null of one that would be sent. */
    readonly held: string | null;
  }[];
  /** Every row that it sends or holds, and that looks sent already, wholly or but for one thing: the first of them, where there are more than anybody reads. */
  readonly repeats: readonly {
    readonly row: number;
    readonly payee: string;
    readonly money: string;
    readonly words: string;
  }[];
  readonly repeatsTotal: number;
  /** The same as the newest look at the sheet has it, whatever its batch is called: the first of them. */
  readonly alike: readonly { readonly row: number; readonly words: string }[];
  readonly alikeTotal: number;
  /** How many that it sends or holds are above 50,000 ZAR. */
  readonly large: number;
  /** The preparer's reason for paying what looks sent already. */
  readonly repeatReason: string | null;
  /** Of documents, variance, control totals and the rest: what a person should have read before signing. */
  readonly warnings: readonly { readonly row: number | null; readonly code: string; readonly message: string }[];
  readonly warningsTotal: number;
  readonly notes: readonly string[];
  /** How the sheet was read, as the plan tells it. */
  readonly reading: readonly string[];
  /** What would stop a run of it, with what can be said to it. */
  readonly stops: readonly string[];
  readonly approvals: readonly { readonly name: string; readonly fingerprint: string; readonly at: string }[];
  readonly declined: { readonly by: string; readonly at: string; readonly reason: string } | null;
  /** Who said no to the plan before this one, until this one is approved or declined itself. */
  readonly declinedBefore: DeclinedBefore | null;
  readonly needed: number;
  readonly because: string;
  /** Why the person who asks may not approve it; null where they may. */
  readonly whyNot: string | null;
  /** Also once it is approved, by that same person too: until it is paid. */
  readonly mayDecline: boolean;
}

// --- Jobs and batches

export interface Job {
  readonly id: number;
  readonly kind: 'check' | 'plan' | 'pay' | 'resume' | 'reconcile' | 'retry' | 'release' | 'resolve';
  readonly by: string;
  readonly startedAt: string;
  readonly state: 'waiting' | 'running' | 'stopping' | 'done' | 'failed';
  readonly stage: string | null;
  readonly done: number;
  readonly total: number | null;
  /** How it ended, in one sentence. */
  readonly message: string | null;
  readonly exit: number | null;
}

/** `sending`: under way just now, as a job of this console says; of what else has no answer nobody knows, and it is in doubt. */
interface Sending {
  readonly sending: number;
}

export interface BatchLine {
  readonly batch: string;
  readonly sheet: string;
  readonly service: string;
  readonly receivedAt: string;
  readonly rows: RowCounts & Sending;
  /** Held rows of which somebody said that they are not to be paid: nothing waits for them. */
  readonly givenUp: number;
  readonly totals: readonly (MoneyTotal & Sending)[];
  /** A job of this console works on it, or another run holds the ledger. */
  readonly running: boolean;
  /** What the job that works on it does; null where none of this console does. */
  readonly doing: Job['kind'] | null;
}

/** `GET /api/batches/NAME`; the same is sent by `GET /api/batches/NAME/events` whenever it changes (event `batch`). */
export interface Batch extends BatchLine {
  readonly upload: string | null;
  readonly series: string | null;
  readonly plan: { readonly digest: string; readonly maker: string } | null;
  readonly approvals: readonly { readonly name: string; readonly at: string }[];
  readonly notes: readonly string[];
  /** What happens next, in plain words, and when; `action` where a button of the page does it, `at` where that is on the page of a row. */
  readonly next: readonly {
    readonly words: string;
    readonly after: string | null;
    readonly action: Action | null;
    /** The word of the rows that it is of, how many they are, and the first of them. */
    readonly at: {
      readonly status: 'held' | 'in doubt' | 'paid twice' | 'not sent';
      readonly total: number;
      readonly rows: readonly { readonly key: string; readonly number: number; readonly name: string }[];
    } | null;
  }[];
  /** Rows that were held, were released, and are not sent yet: how many, and who released the first of them, when and why. */
  readonly released: {
    readonly total: number;
    readonly rows: readonly {
      readonly key: string;
      readonly number: number;
      readonly name: string;
      /** Null where it was said at a terminal that does not tell who. */
      readonly by: string | null;
      readonly at: string;
      readonly why: string;
    }[];
  };
  /** Sheets whose plans wait, and have rows that this batch has not sent otherwise than it, or lack them. */
  readonly mended: readonly MendedSheet[];
  /** What going on sends at most, and what waits all the same; null where nothing is left to send, or it is being sent. */
  readonly goOn: ResumePreview | null;
  /** Why nothing of it is sent, by this console or by others on the ledger: the pause of all batches first, then its own. */
  readonly paused: readonly Paused[];
  /** Others may send it from the same ledger, and rows are left: Stop pauses it, also where nothing was seen to move. */
  readonly mayPause: boolean;
  readonly documents: { readonly attached: number; readonly open: number };
  /** The evidence pack that was downloaded last: its file's SHA-256, to be kept or sent another way than the pack; each download is another file. */
  readonly evidence: EvidencePack | null;
  /** Payments sent in each step of time, and what became of them. */
  readonly chart: {
    readonly from: string;
    readonly stepMs: number;
    readonly series: Readonly<Record<string, readonly number[]>>;
    /** Rows that are held, and were never sent. */
    readonly held: number;
  } | null;
  /** Rows settled a minute, over the last minute; null where nothing moves. */
  readonly rate: number | null;
  readonly job: Job | null;
  readonly exit: number;
}

export interface Paused {
  /** By which it is ended, and no later one. */
  readonly id: number;
  readonly reason: string;
  readonly by: string | null;
  /** `stop`: Stop of a console, which Go on ends; `batch` and `all`: at a terminal. */
  readonly what: 'all' | 'batch' | 'stop';
}

export interface EvidencePack {
  readonly sha256: string;
  readonly by: string;
  readonly at: string;
}
export type Action = 'resume' | 'reconcile' | 'retry' | 'release' | 'resolve';

/** `GET /api/batches/NAME/rows?status=&q=&from=&limit=`; `status` one of the words of a row. Those that were left out come last. */
export interface BatchRows {
  readonly total: number;
  readonly rows: readonly BatchRow[];
}

export interface BatchRow {
  /** Empty of a row that was left out: it never was a payment, and has no page. */
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
  /** Of one that was left out, and of which somebody may say that it is not to be paid: its sheet, which names it with its number, and how it is called. */
  readonly leftOut?: { readonly sheet: number; readonly called: string };
}

/** `GET /api/batches/NAME/rows/KEY`: a row's whole life. */
export interface RowLife extends BatchRow {
  /** The key of its payee's page. */
  readonly payee: string;
  readonly paymentStatus: string | null;
  readonly tag: string | null;
  readonly next: string | null;
  readonly action: Action | null;
  /** What a person who decides on it decides: what stops it. */
  readonly decides: Decides | null;
  /** It is held, or the newest sheet lacks it, and was never sent: somebody may say that it is not to be paid. */
  readonly mayBeGivenUp: boolean;
  /** Sheets that wait and have it otherwise: nobody releases it before their plans are declined, or the sheets discarded. */
  readonly mended: readonly MendedSheet[];
  readonly documents: readonly RowDocument[];
  /** For whoever lets it go: where one like it was paid, or waits; that its account number may be mistyped. */
  readonly alike: readonly string[];
  /** What a decision about it is of: another one where it has moved. */
  readonly standing: string;
  readonly moves: readonly { readonly at: string; readonly words: string; readonly by: string | null }[];
}

/** `account`: its payee's changed, and nothing was sent; `absent`: proven not to be at the service; `repeat`: it looks like another one. */
export type Decides = 'account' | 'absent' | 'repeat' | 'twice' | 'other';

export interface RowDocument {
  readonly name: string;
  readonly state: string;
  readonly sha256: string;
  /** The sheet with which this very file came: `GET /api/uploads/ID/documents/NAME?sha256=`. Null where it is here no more. */
  readonly upload: string | null;
}

/** `GET /api/batches/NAME/funding` */
export interface FundingLine {
  readonly source: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly state: string;
  readonly rows: number;
  /** In the order in which a person fills in a transfer; each to be copied as it is. */
  readonly details: readonly { readonly label: string; readonly value: string }[];
}

/** `GET /api/payees?q=` */
export interface PayeeLine {
  readonly key: string;
  readonly name: string;
  /** Of the newest row. */
  readonly destination: string;
  readonly rows: number;
  /** When the service said last that a row was paid out; null where it never did. */
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
    /** What the spreadsheet showed. */
    readonly number: number;
    readonly status: string;
    /** Whether it goes elsewhere than the one before it. */
    readonly moved: boolean;
    /** Who let it go all the same, and why; null where nobody had to. */
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
    /** What people call the row; null where the entry is of none, or the ledger has it no more. */
    readonly named: { readonly number: number; readonly name: string } | null;
    readonly words: string;
    readonly hash: string;
  }[];
}

/** `GET /api/settings` */
export interface SettingsView {
  readonly service: string;
  readonly ledger: string;
  /** Each setting in force: its name in the file of settings, what it is for, what it is now, and where it was said. */
  readonly settings: readonly {
    readonly name: string;
    readonly means: string;
    readonly value: string;
    readonly from: string;
  }[];
  readonly policy: Requests['policy'] | null;
  /** Set where a policy file of the machine's settings is in force, which nobody changes from a page. */
  readonly policyFile: string | null;
  readonly approvers: readonly { readonly name: string; readonly fingerprint: string }[];
}

/** `GET /api/health` (for people who are logged in). */
export interface Health {
  readonly checks: readonly { readonly what: string; readonly ok: boolean; readonly words: string }[];
}
