/** A cell of a workbook, with what a result needs to show it again. */
import type { TypedCell } from '../../domain/rows/cell.ts';

/** The reason why a person does not see the cell's value as valid: it is invisible, or struck out. */
export type Unseen = 'format' | 'letters' | 'strike';

export interface StoredCell extends TypedCell {
  /** Its number format, so that a result workbook can show it as the person's did. */
  readonly format: string | null;
  readonly unseen: Unseen | null;
  /** The formula, if it only adds up cells above it: `SUM(E2:E8)`. */
  readonly sum: string | null;
}
