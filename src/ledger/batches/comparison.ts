/** The differences between a draft and the batch whose next version the draft would become. */
import type { RowState } from '../../domain/rows/row-states.ts';
import type { VersionChange } from '../../domain/rows/version-table.ts';
import type { DraftTotal } from '../facts.ts';

export interface Comparison extends VersionChange {
  readonly known: boolean;
  /** True if no new version is needed, because the draft has the rows and documents of the newest sheet. */
  readonly isHead: boolean;
  /** `corrected` has changed rows whose new content will be paid. `changedAfterSending` has changed rows that may be paid already. */
  readonly corrected: readonly ChangedRow[];
  readonly changedAfterSending: readonly ChangedRow[];
  /** Lines with mistakes for rows that may be paid. Payrun must not show these rows as invalid, because they would look unpaid. */
  readonly invalidSent: readonly { readonly number: number; readonly key: string }[];
  /** Rows whose payment expired and which the draft changes or lacks. Payrun must check these payments, because the service may have paid them late. */
  readonly expired: readonly { readonly number: number; readonly paymentId: string; readonly isMissing: 0 | 1 }[];
  /** Draft rows that repeat an older sheet, although a newer sheet changed or dropped them. */
  readonly returning: readonly ReturningRow[];
  /** The number of sent rows. A held row counts only if it has an attempt or a payment. */
  readonly sent: number;
  readonly addedTotals: readonly DraftTotal[];
  readonly droppedTotals: readonly DraftTotal[];
}

export interface VersionTerms {
  /** The id of the ledger's newest sheet when Payrun read the file. The import refuses if the batch got a newer sheet with other rows. */
  readonly base: number;
  readonly plan: string | null;
  readonly mayRepeat: boolean;
  readonly isAddition: boolean;
}

export interface ReturningRow {
  readonly number: number;
  /** Canonical JSON of the row as the batch has it now; null if a newer sheet dropped the row. */
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
