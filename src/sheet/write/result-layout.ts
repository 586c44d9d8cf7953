/** The content of a result, from which a CSV file or a workbook is written. */
import type { Cell, Field } from '../../domain/rows/cell.ts';
import type { SheetRow } from '../lines/lines.ts';
import type { Sheet } from '../open.ts';
import type { Tone } from '../xlsx/style/palette.ts';
import type { Summary, Table, TableValue, Value } from './tables.ts';

export interface ResultColumn {
  readonly header: string;
  /** The greatest width in characters. The column is narrower if its values are short. */
  readonly width?: number;
  /** True for ids and references, which must never become numbers. */
  readonly text?: boolean;
  readonly wrap?: boolean;
}

export interface ResultRow {
  readonly number: number;
  readonly values: readonly Value[];
  readonly tone: Tone;
}

export interface ExtraRow {
  readonly cells: Partial<Record<Field, string>>;
  readonly values: readonly Value[];
  readonly tone: Tone;
}

/** A table that may be as long as the sheet, so its rows are read in pieces. */
export interface LongTable extends Omit<Table, 'rows'> {
  rows(): AsyncIterable<readonly (readonly TableValue[])[]>;
}

export interface ResultPlan {
  readonly source: Sheet;
  readonly columns: readonly ResultColumn[];
  /** Yields one row for each line of the sheet, in the same order. */
  rows(): AsyncIterable<readonly ResultRow[]>;
  readonly leftOut?: readonly Value[];
  /** Yields rows of the batch that the sheet lacks. They follow the sheet's rows in the result. */
  extra(): AsyncIterable<readonly ExtraRow[]>;
  readonly summary: Summary;
  readonly funding: LongTable | null;
  readonly trail: LongTable | null;
}

export interface MergedRow {
  readonly number: number;
  /** The cells of the uploaded row, without columns of an earlier result; for an extra row, the row's stored values. */
  readonly theirs: readonly Cell[];
  readonly kind: SheetRow['kind'] | 'extra';
  readonly values: readonly Value[] | null;
  /** Cells to the right of the last header. The result has them after all other cells of the row, so that no cell is lost. */
  readonly beyond: readonly Cell[];
  readonly tone: Tone;
}

export interface MergedResult {
  readonly header: readonly string[];
  readonly fields: readonly (Field | null)[];
  readonly kept: readonly number[];
  readonly rows: () => AsyncGenerator<readonly MergedRow[]>;
}
