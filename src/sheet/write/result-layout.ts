/** The content of a result, from which it is written as CSV or as a workbook. */
import type { Cell, Field } from '../../domain/rows/cell.ts';
import type { SheetRow } from '../lines/lines.ts';
import type { Sheet } from '../open.ts';
import type { Tone } from '../xlsx/style/palette.ts';
import type { Summary, TableValue, Value } from './tables.ts';

export interface ResultColumn {
  readonly header: string;
  /** The largest width of the column, in characters. It is narrower if its values are short. */
  readonly width?: number;
  /** True if values must stay texts and never become numbers, such as ids and references. */
  readonly text?: boolean;
  /** True if a long value wraps into several lines. */
  readonly wrap?: boolean;
}

export interface ResultRow {
  readonly number: number;
  /** The value of each result column. */
  readonly values: readonly Value[];
  readonly tone: Tone;
}

export interface ExtraRow {
  readonly cells: Partial<Record<Field, string>>;
  readonly values: readonly Value[];
  readonly tone: Tone;
}

/** A table that may be as long as the sheet, so its rows are read in batches while it is written. */
export interface LongTable {
  readonly title: string;
  /** A line below the title. */
  readonly note?: string;
  readonly header: readonly string[];
  rows(): AsyncIterable<readonly (readonly TableValue[])[]>;
}

export interface ResultPlan {
  /** The stored copy of the uploaded sheet. */
  readonly source: Sheet;
  readonly columns: readonly ResultColumn[];
  /** Yields one row for each line of the sheet, in the same order. */
  rows(): AsyncIterable<readonly ResultRow[]>;
  /** The result values of a row that `--only` excludes. */
  readonly leftOut?: readonly Value[];
  /** Yields the rows of the batch that are not in this sheet. The result shows them at its end. */
  extra(): AsyncIterable<readonly ExtraRow[]>;
  readonly summary: Summary;
  readonly funding: LongTable | null;
  readonly trail: LongTable | null;
}

export interface MergedRow {
  readonly number: number;
  /** The cells of the uploaded row, without columns of an earlier result. An extra row has only its known cells. */
  readonly theirs: readonly Cell[];
  readonly kind: SheetRow['kind'] | 'extra';
  readonly values: readonly Value[] | null;
  /** Cells right of the last header. They are written after Payrun's columns, so that none is lost. */
  readonly beyond: readonly Cell[];
  readonly tone: Tone;
}

export interface MergedResult {
  /** The headers of the uploaded sheet that the result keeps. */
  readonly header: readonly string[];
  readonly fields: readonly (Field | null)[];
  /** The indexes, in the uploaded sheet, of the columns that the result keeps. */
  readonly kept: readonly number[];
  readonly rows: () => AsyncGenerator<readonly MergedRow[]>;
}
