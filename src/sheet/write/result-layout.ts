/** The content of a result, before Payrun writes it as a CSV file or a workbook. */
import type { Cell, Field } from '../../domain/rows/cell.ts';
import type { ClassifiedRow } from '../lines/lines.ts';
import type { Sheet } from '../open.ts';
import type { FurtherTable, Summary, Value } from './tables.ts';

export interface ResultColumn {
  readonly header: string;
  /** The greatest width in characters. A column with short values is narrower. */
  readonly width?: number;
  /** True for ids and references, which must never become numbers. */
  readonly text?: boolean;
  readonly wrap?: boolean;
}

export interface ResultRow {
  readonly number: number;
  readonly values: readonly Value[];
}

export interface ExtraRow {
  readonly cells: Partial<Record<Field, string>>;
  readonly values: readonly Value[];
}

export interface ResultPlan {
  readonly source: Sheet;
  readonly columns: readonly ResultColumn[];
  /** Yields one row for each line of the sheet, in the same order. */
  rows(): AsyncIterable<readonly ResultRow[]>;
  readonly leftOut?: readonly Value[];
  /** Yields rows of the batch that are not in the sheet. The result has them after the sheet's rows. */
  extra(): AsyncIterable<readonly ExtraRow[]>;
  readonly summary: Summary;
  /** The tables that a workbook has on further sheets, by the sheet's name. */
  readonly tables: Readonly<Record<string, FurtherTable>>;
}

export interface MergedRow {
  readonly number: number;
  /** The cells of the uploaded row, without the columns of an earlier result. An extra row has its stored values. */
  readonly theirs: readonly Cell[];
  readonly kind: ClassifiedRow['kind'] | 'extra';
  readonly values: readonly Value[] | null;
  /** Cells to the right of the last header. The result keeps them at the end of the row. */
  readonly beyond: readonly Cell[];
}

export interface MergedResult {
  readonly kept: readonly number[];
  readonly rows: () => AsyncGenerator<readonly MergedRow[]>;
}
