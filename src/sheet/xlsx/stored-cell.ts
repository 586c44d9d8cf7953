/** A cell as a workbook has it: with what a result needs to show it again, and whether a person takes it as it stands. */
import type { TypedCell } from '../../domain/rows/cell.ts';

/** Why nobody takes a cell as it stands: what is in it is not seen, or struck out. */
export type Unseen = 'format' | 'letters' | 'strike';

export interface StoredCell extends TypedCell {
  /** Its number format, so that a result workbook can show it as the person's did. */
  readonly format: string | null;
  readonly unseen: Unseen | null;
  /** The formula, where it does no more than to add up cells above it: `SUM(E2:E8)`. */
  readonly sum: string | null;
}
