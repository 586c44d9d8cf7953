/** The differences between a draft and the batch that would get the draft as its next sheet. */
import type { RowState } from '../../domain/rows/row-states.ts';
import type { VersionChange } from '../../domain/rows/version-table.ts';
import type { DraftTotal } from '../facts.ts';

export interface Comparison extends VersionChange {
  readonly known: boolean;
  /** True if the draft and the batch's newest sheet have the same rows and documents, and neither of them has a mistake. */
  readonly isHead: boolean;
  /** The rows whose content differs in the draft. Rows in `corrected` get the new content. Rows in `changedAfterSending` keep the old content, because they may have an unexpired payment. */
  readonly corrected: readonly ChangedRow[];
  readonly changedAfterSending: readonly ChangedRow[];
  /** Lines with mistakes for rows that may have an unexpired payment. Payrun must not show these rows as invalid, because they would look unpaid. */
  readonly invalidSent: readonly { readonly number: number; readonly key: string }[];
  /** Expired rows that the draft changes or lacks. Payrun must read their payments again, because the service may have paid them late. */
  readonly expired: readonly { readonly number: number; readonly paymentId: string; readonly isMissing: 0 | 1 }[];
  /** Draft rows that bring back what a newer sheet had removed: earlier content of the row, or the whole row. */
  readonly returning: readonly ReturningRow[];
  /** The number of sent rows. A held row counts only if it has an attempt or a payment. */
  readonly sent: number;
  readonly addedTotals: readonly DraftTotal[];
  readonly droppedTotals: readonly DraftTotal[];
}

export interface VersionTerms {
  /** The id of the ledger's newest sheet when Payrun read the file. The import throws VERSION_CONFLICT if the batch later got a sheet with other rows than the draft. */
  readonly base: number;
  readonly plan: string | null;
  readonly mayRepeat: boolean;
  readonly isAddition: boolean;
}

export interface ReturningRow {
  readonly number: number;
  /** Canonical JSON of the row as the batch has it now; null if a newer sheet no longer has the row. */
  readonly now: string | null;
}

export interface ChangedRow {
  /** Canonical JSON of the row: `was` as the ledger has it, `now` as the draft has it. */
  readonly was: string;
  readonly now: string;
  readonly number: number;
  readonly key: string;
  readonly state: RowState;
  readonly paymentId: string | null;
}
