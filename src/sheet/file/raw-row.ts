/** Rows and cells as a file has them, with what a result needs to show them again. */
import type { Problem } from '../../base/problem.ts';
import type { Cell, TypedCell } from '../../domain/rows/cell.ts';

/** The reason why a person does not see the cell's value as valid: it is invisible, or struck out. */
export type Unseen = 'format' | 'letters' | 'strike';

export interface StoredCell extends TypedCell {
  /** Its number format, so that a result workbook can show it as the person's did. */
  readonly format: string | null;
  readonly unseen: Unseen | null;
  /** The formula, if it only adds up cells above it: `SUM(E2:E8)`. */
  readonly sum: string | null;
}

export interface RawRow {
  /** The spreadsheet's row number; for CSV the number of the record, header included. */
  readonly number: number;
  readonly cells: readonly Cell[];
  readonly hidden: boolean;
  /** The repairs of a person's corrections in this row. */
  readonly corrected?: readonly Problem[];
}

export function isEmpty(cell: Cell): boolean {
  if (typeof cell !== 'string') return cell.kind === 'text' && cell.text.trim() === '';
  return cell === '' || (cell.charCodeAt(0) <= 32 || cell.charCodeAt(0) >= 127 ? cell.trim() === '' : false);
}

/** Returns the cells without the empty ones at the end. */
export function filledStart<C extends Cell>(cells: readonly C[]): readonly C[] {
  let end = cells.length;
  while (end > 0 && isEmpty(cells[end - 1]!)) end--;
  return cells.slice(0, end);
}

export function isBlank(cells: readonly Cell[]): boolean {
  for (let index = 0; index < cells.length; index++) if (!isEmpty(cells[index]!)) return false;
  return true;
}
