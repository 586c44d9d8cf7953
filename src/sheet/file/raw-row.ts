/** Rows and cells as the file contains them, with the formats that a result copies. */
import type { Problem } from '../../base/problem.ts';
import type { Cell, TypedCell } from '../../domain/rows/cell.ts';

export type Unseen = 'format' | 'letters' | 'strike';

export interface StoredCell extends TypedCell {
  readonly format: string | null;
  readonly unseen: Unseen | null;
  /** A formula that only adds up cells above, such as `SUM(E2:E8)`; null for every other cell. */
  readonly sum: string | null;
}

export interface RawRow {
  /** The row number that the spreadsheet shows. In a CSV file, the number counts records and empty lines from 1. */
  readonly number: number;
  readonly cells: readonly Cell[];
  readonly hidden: boolean;
  readonly corrected?: readonly Problem[];
}

export function isEmpty(cell: Cell): boolean {
  if (typeof cell !== 'string') return cell.kind === 'text' && cell.text.trim() === '';
  return cell === '' || (cell.charCodeAt(0) <= 32 || cell.charCodeAt(0) >= 127 ? cell.trim() === '' : false);
}

export const filledStart = <C extends Cell>(cells: readonly C[]): readonly C[] =>
  cells.slice(0, cells.findLastIndex((cell) => !isEmpty(cell)) + 1);

export const isBlank = (cells: readonly Cell[]): boolean => cells.every(isEmpty);
