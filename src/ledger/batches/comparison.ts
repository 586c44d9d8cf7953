/** The differences between a draft and the batch whose next version the draft would become. */
import type { RowState } from '../../domain/rows/row-states.ts';
import type { VersionChange } from '../../domain/rows/version-table.ts';
import type { DraftTotal } from '../facts.ts';

export interface Comparison extends VersionChange {
  readonly known: boolean;
  /** True if the draft is the batch's newest sheet again, with the same documents: no new version is needed. */
  readonly isHead: boolean;
  /** `corrected` lists changed rows whose new content will be paid. `changedAfterSending` lists changed rows that may already be paid. */
  readonly corrected: readonly ChangedRow[];
  readonly changedAfterSending: readonly ChangedRow[];
  /** Lines with mistakes for rows that may have been paid. Payrun must not show these rows as invalid, because they would look unpaid. */
  readonly invalidSent: readonly { readonly number: number; readonly key: string }[];
  /** Rows that the draft changes or lacks and whose payment expired. A check must follow, because the service may have paid them late. */
  readonly expired: readonly { readonly number: number; readonly paymentId: string; readonly isMissing: 0 | 1 }[];
  /** Rows with content of an older sheet, which a newer sheet changed or dropped. */
  readonly returning: readonly ReturningRow[];
  /** The number of the batch's rows that are paid, pending, in doubt or held. */
  readonly sent: number;
  readonly addedTotals: readonly DraftTotal[];
  /** The sums of the rows that the draft drops from the batch. */
  readonly droppedTotals: readonly DraftTotal[];
}

/** The terms on which a draft becomes the batch's newest version. */
export interface VersionTerms {
  /** The id of the ledger's newest sheet when the file was taken. The import refuses if the batch got a newer sheet with other rows. */
  readonly base: number;
  /** The digest of the plan that covers the sheet; null for none. */
  readonly plan: string | null;
  /** True if a sheet with the same rows as the newest one makes no new version. */
  readonly mayRepeat: boolean;
  /** True if the batch keeps the rows that the sheet lacks. */
  readonly isAddition: boolean;
}

export interface ReturningRow {
  readonly number: number;
  /** Canonical JSON of the row as the batch has it now; null if a newer sheet dropped it. */
  readonly now: string | null;
}

export interface ChangedRow {
  /** Canonical JSON of the row as the ledger has it. `now` is the row as the sheet has it. */
  readonly was: string;
  readonly now: string;
  readonly number: number;
  readonly key: string;
  readonly state: RowState;
  readonly paymentId: string | null;
}
