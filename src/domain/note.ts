/** Notes that a command shows beside its result. `messages/notes.ts` has their sentences. */
import type { ApprovalFault, FileFault, ServiceFault } from '../base/faults/fault.ts';
import type { PayWindow } from '../base/faults/limits.ts';
import type { Beyond, DepositFacts, Failure, PaidCopy, Refusal, RowChanges, Some } from '../base/refusal.ts';
import type { Each, NotedMoney, NotedRow, StoredReasons } from '../base/words.ts';
import type { Caps } from './amounts/cap.ts';
import type { OfBatch, OfRow } from './next-action.ts';
import type { LikeBatch } from './problems/batch-problems.ts';
import type { Field } from './rows/cell.ts';
import type { ReasonOf } from './sending/reason.ts';

/** `digest` is in hex. */
export interface NotedPlan {
  readonly digest: string | null;
  readonly maker: string;
  readonly approvals: readonly { readonly approver: string | null; readonly fingerprint: string | null }[];
}

export interface AgreedTotals {
  readonly rows: number | null;
  readonly totals: Readonly<Record<string, string>>;
  readonly accounts: string | null;
}

/** `others` and `hidden` count visible and hidden sheets that Payrun does not read. `alike`: likely payout sheets. */
export type SheetForm =
  | { readonly format: 'csv'; readonly delimiter: string; readonly encoding: string; readonly isGuessed: boolean }
  | { readonly format: 'payments'; readonly version: string; readonly message: string }
  | {
      readonly format: 'workbook';
      readonly sheet: string;
      readonly others: number;
      readonly alike: readonly string[];
      readonly hidden: number;
      readonly isHidden: boolean;
    };

export type TotalCheck =
  | { readonly is: 'no-amount' | 'no-rows' }
  | { readonly is: 'rows-left-out' | 'rows-to-correct'; readonly rows: number }
  | { readonly is: 'no-common-sum'; readonly currencies: readonly string[] }
  | ({ readonly is: 'equal' } & NotedMoney);

/** How a scheduled hour ended: it continued the batch, or the batch was stopped, or no worker came in time. */
export type HourEnd = 'begun' | 'stopped' | 'expired';

/** `batch-interrupted`: a run was to send, and no process does. */
interface NoteFacts
  extends Each<
      | 'banks-built-in banks-not-listed totals-unwritten plan-expires-before-window others-stay renames-payees'
      | 'not-scanned nothing-absent deposits-not-read-again ledger-back row-ids-missing',
      object
    >,
    Each<'batch-interrupted bound-already batch-continues', OfBatch>,
    Each<'columns-unused columns-ignored', { columns: readonly string[] }>,
    Each<'pays-again variance-confirmed', { reason: string }>,
    Each<'series-first of-series', { series: string }>,
    Each<'plan-waits batch-stopped', { why: Refusal }>,
    Each<'result-unwritten stop-unheard', OfBatch & { why: Failure }>,
    Each<'witness-unwritten engine-fault', { why: FileFault }>,
    Each<'outside-pay-window waits-for-window', { windows: readonly PayWindow[]; until: number }>,
    Each<'rows-dropped rows-reopened', OfBatch & { rows: Some<NotedRow> }>,
    Each<'absent released-already', { row: string }>,
    Each<'merchants-unreadable merchants-incomplete', { merchants: number }>,
    Each<'payments-found deposits-unasked', { payments: number }>,
    Each<'unpaid-left-out mistakes-skipped deposits-untold', { rows: number }>,
    Each<'checked-unwritten webhook-unasked webhook-lost worker-leads-nothing worker-tries-again', { why: Failure }> {
  'payee-paid-twice': PaidCopy;
  'deposit-changed': DepositFacts;
  /** `path` is null if the result file could not be written. */
  'result-away': OfBatch & { host: string; path: string | null; why: Failure | null };
  /** `later`: a plan newer than the plan under which Payrun sent the row. */
  'under-plan': { of: 'batch' | 'later'; plan: NotedPlan };
  'paid-other-amount': {
    rows: readonly { row: string; paid: number; planned: number; unit: string; currency: string }[];
    hasMore: boolean;
  };
  /** `means`: the end to which the setting payments.statuses maps this status. */
  'status-by-setting': { status: string; rows: number; means: 'success' | 'expired' };
  paused: { id: number; batch: string | null; by: string | null; since: string; reason: string };
  /** Accepted rows that the service pays out after a deposit from these sources. */
  'deposits-wait': OfBatch & { sources: readonly string[] };

  'sheet-read': { file: string; form: SheetForm };
  'map-read': {
    map: string;
    columns: readonly { header: string; field: Field }[];
    values: readonly { field: string; value: string }[];
  };
  'corrections-read': { corrections: number; by: readonly string[] };
  /** `leftOut` counts the rows that were not chosen; null if the number is not known. */
  'rows-chosen': { columns: readonly { column: string; values: readonly string[] }[]; leftOut: number | null };
  'column-constant': { column: string; header: string; value: string };
  'values-ignored': { column: string; header: string; row: number; says: string };
  'rows-below-total': { rows: readonly number[] };
  'total-compared': { row: number; check: TotalCheck };

  'already-paid': OfBatch & { at: number };
  'rows-missing': OfBatch & { rows: number };
  /** The sheet has the money of these rows, and other names, merchants or documents. */
  'rows-kept': OfBatch & { rows: Some<RowChanges> };
  'like-earlier-batch': LikeBatch;
  'series-compared': OfBatch & {
    series: string;
    at: number;
    percent: number;
    payees: { added: number; gone: number; changed: number };
    totals: readonly { was: string; now: string; unit: string; currency: string }[];
  };
  'totals-agree': AgreedTotals & { source: string };
  'totals-written': { path: string };
  'within-caps': { caps: Caps };
  'plan-stops': { unconfirmed: readonly Beyond[] };
  'plan-expires': { at: number };
  payees: { payees: number; known: number };
  'rows-of-batch': OfBatch & { added: number; same: number; differing: number; dropped: number };
  'documents-to-attach': { documents: number };

  'documents-go': { documents: number; rows: number };
  'signature-not-counted': { file: string; why: ApprovalFault };

  'file-kept': { kept: string; written: string };
  'files-unwritten': { files: readonly ('checked-workbook' | 'problem-list')[]; why: Failure };
  'files-removed': { folder: string; files: readonly string[] };

  'scan-unfinished': OfBatch & { incomplete: ServiceFault };
  'scan-read': { payments: number; pages: number; found: number; absent: number };
  'absence-unproven': { incomplete: ServiceFault };
  'clock-is-off': { days: number; is: 'behind' | 'ahead' };
  'near-payments-seen': { rows: Some<{ row: number; amount: number; currency: string; like: ReasonOf<'looks-paid'> }> };
  /** The rows wait for a person, because the other batch `batch` has similar rows. */
  'waits-like-batch': OfBatch & { rows: number };
  'doubts-in-a-row': { reason: StoredReasons | null };

  /** `also`: the same run sends rows that were never sent before. */
  retried: { rows: number; also: boolean };
  'payment-known-already': { row: string; payment: string };
  'payment-accepted': { row: string; payment: string; status: string | null; paid: number | null; planned: number };
  'absent-released': OfBatch & { rows: Some<NotedRow>; by: string | null };
  'no-repeat': OfBatch & { row: NotedRow; by: string | null };
  'row-known': OfRow & { is: string };
  'deposit-known': OfRow;
  'payment-not-looked-for': { payment: string; row: string; isHeld: boolean };
  'row-released': OfBatch & { row: NotedRow; by: string; fingerprint: string | null };
  bound: OfBatch & { service: string; payments: number };

  'deposit-alarm': Omit<DepositFacts, 'payment'>;
  'deposit-change-known': Omit<DepositFacts, 'payment'> & { known: string };
  'address-shared': { rows: readonly string[]; address: string };
  'deposits-cut': { shown: number; rows: number };

  'worker-joined': { ledger: string; service: string };
  /** `hour` is the scheduled time in ISO 8601. */
  'batch-hour': OfBatch & { hour: string; end: HourEnd };
}

export type NoteKind = keyof NoteFacts;
export type NoteOf<K extends NoteKind> = { readonly [N in K]: { readonly note: N } & Readonly<NoteFacts[N]> }[K];
export type Note = NoteOf<NoteKind>;
