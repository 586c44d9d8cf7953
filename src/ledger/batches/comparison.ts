/** Declares the differences between a draft and the batch that would import the draft. */
import type { RowState } from '../../domain/rows/row-states.ts';
import type { VersionChange } from '../../domain/rows/version-table.ts';
import type { DraftTotal } from '../facts.ts';

export interface Comparison extends VersionChange {
  readonly known: boolean;
  /** True if the draft has the rows and documents of the batch's newest sheet, and both are free of mistakes. */
  readonly isHead: boolean;
  /** The draft changes these rows. Rows in `changedAfterSending` may already be paid, so they keep their content. */
  readonly corrected: readonly ChangedRow[];
  readonly changedAfterSending: readonly ChangedRow[];
  /** Lines with mistakes whose rows may be paid already. Such a row does not become `invalid`: it would look unpaid. */
  readonly invalidSent: readonly { readonly number: number; readonly key: string }[];
  /** Expired rows that the draft changes or lacks. Payrun reads their payments again, in case the service paid late. */
  readonly expired: readonly { readonly number: number; readonly paymentId: string; readonly isMissing: 0 | 1 }[];
  /** Draft rows that bring back old content, or a whole row, that a newer sheet had removed. */
  readonly returning: readonly ReturningRow[];
  /** The number of sent rows. A held row counts only if it has an attempt or a payment. */
  readonly sent: number;
  readonly addedTotals: readonly DraftTotal[];
  readonly droppedTotals: readonly DraftTotal[];
}

export interface VersionTerms {
  /** The ledger's newest sheet when Payrun read the file. A later sheet with other rows causes VERSION_CONFLICT. */
  readonly base: number;
  readonly plan: string | null;
  readonly mayRepeat: boolean;
  readonly isAddition: boolean;
}

export interface ReturningRow {
  readonly number: number;
  /** Canonical JSON of the row in the batch; null if a newer sheet lacks the row. */
  readonly now: string | null;
}

export interface ChangedRow {
  /** Canonical JSON of the row: `was` in the ledger, `now` in the draft. */
  readonly was: string;
  readonly now: string;
  readonly number: number;
  readonly key: string;
  readonly state: RowState;
  readonly paymentId: string | null;
}
