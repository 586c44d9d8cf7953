/** The parts of a result before its format is chosen, for the CSV and the workbook writer. */
import type { Cell, Field } from '../../domain/rows/cell.ts';
import type { SheetRow } from '../lines/lines.ts';
import type { Sheet } from '../open.ts';
import type { Tone } from '../xlsx/style/palette.ts';
import type { Summary, TableValue, Value } from './tables.ts';

export interface ResultColumn {
  readonly header: string;
  /** The most characters that the column is wide; narrower if its values need less. */
  readonly width?: number;
  /** True for ids and references, which must not become numbers. */
  readonly text?: boolean;
  /** True if a long value wraps into several lines. */
  readonly wrap?: boolean;
}

export interface ResultRow {
  readonly number: number;
  /** One for each result column. */
  readonly values: readonly Value[];
  readonly tone: Tone;
}

export interface ExtraRow {
  readonly cells: Partial<Record<Field, string>>;
  readonly values: readonly Value[];
  readonly tone: Tone;
}

/** A table that may be as long as the sheet, so its rows are read while they are written. */
export interface LongTable {
  readonly title: string;
  /** A line beneath the title. */
  readonly note?: string;
  readonly header: readonly string[];
  rows(): AsyncIterable<readonly (readonly TableValue[])[]>;
}

export interface ResultPlan {
  /** The stored copy of the uploaded sheet. */
  readonly source: Sheet;
  readonly columns: readonly ResultColumn[];
  /** In the order of the sheet, exactly one for each line of the source. */
  rows(): AsyncIterable<readonly ResultRow[]>;
  /** The values of each row that `--only` excludes. */
  readonly leftOut?: readonly Value[];
  /** Rows of the batch that this sheet lacks; they follow at its end. */
  extra(): AsyncIterable<readonly ExtraRow[]>;
  readonly summary: Summary;
  readonly funding: LongTable | null;
  readonly trail: LongTable | null;
}

export interface MergedRow {
  readonly number: number;
  /** The person's cells, without those of an earlier result; for an extra row the known ones. */
  readonly theirs: readonly Cell[];
  readonly kind: SheetRow['kind'] | 'extra';
  readonly values: readonly Value[] | null;
  /** Their cells right of the last header, which follow behind our columns so that none is lost. */
  readonly beyond: readonly Cell[];
  readonly tone: Tone;
}

export interface MergedResult {
  /** The person's headers that the result keeps. */
  readonly header: readonly string[];
  readonly fields: readonly (Field | null)[];
  /** Source indexes of the kept columns. */
  readonly kept: readonly number[];
  readonly rows: () => AsyncGenerator<readonly MergedRow[]>;
}
