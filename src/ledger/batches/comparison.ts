/** The facts of a comparison: the draft beside the batch that it would become a version of. */
import type { RowState } from '../../domain/rows/row-states.ts';
import type { VersionChange } from '../../domain/rows/version-table.ts';
import type { DraftTotal } from '../facts.ts';

export interface Comparison extends VersionChange {
  readonly known: boolean;
  /** True if the draft is the batch's newest sheet again, with the same documents: no new version is needed. */
  readonly isHead: boolean;
  /** Rows whose new content is paid, and rows that must not change. */
  readonly corrected: readonly ChangedRow[];
  readonly changedAfterSending: readonly ChangedRow[];
  /** Lines with mistakes whose row may have been paid. Shown as invalid, the row would look unpaid. */
  readonly invalidSent: readonly { readonly number: number; readonly key: string }[];
  /** Rows whose payment expired and that the draft changes or lacks. The service may have paid them late. */
  readonly expired: readonly { readonly number: number; readonly paymentId: string; readonly isMissing: 0 | 1 }[];
  /** Rows that an older sheet said, and a newer one changed or dropped. */
  readonly returning: readonly ReturningRow[];
  /** Rows of the batch that are paid, pending, in doubt or held. */
  readonly sent: number;
  readonly addedTotals: readonly DraftTotal[];
  /** The money of the rows that leave the batch. */
  readonly droppedTotals: readonly DraftTotal[];
}

/** Decides whether the draft becomes the batch's newest version, and of which rows. */
export interface VersionTerms {
  /** The newest sheet of any batch when the file was taken. A batch with a newer one, which has other rows, refuses. */
  readonly base: number;
  /** The digest of the plan that brings the sheet; null for none. */
  readonly plan: string | null;
  /** True if the same rows as in the newest sheet are no new version. */
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
