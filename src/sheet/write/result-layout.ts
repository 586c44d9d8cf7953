/** What a result is made of, before its format is known: what both writers and their look share. */
import type { Cell, Field } from '../../domain/rows/cell.ts';
import type { SheetRow } from '../lines/lines.ts';
import type { Sheet } from '../open.ts';
import type { Tone } from '../xlsx/style/palette.ts';
import type { Summary, TableValue, Value } from './tables.ts';

export interface ResultColumn {
  readonly header: string;
  /** In characters, at most; fitted to the values where they need less. */
  readonly width?: number;
  /** Shown as text, never as a number: ids and references. */
  readonly text?: boolean;
  /** Over several lines where one is too short. */
  readonly wrap?: boolean;
}

export interface ResultRow {
  readonly number: number;
  /** As many as there are result columns. */
  readonly values: readonly Value[];
  readonly tone: Tone;
}

export interface ExtraRow {
  readonly cells: Partial<Record<Field, string>>;
  readonly values: readonly Value[];
  readonly tone: Tone;
}

/** A table that may be as long as the sheet: its rows are read when it is written. */
export interface LongTable {
  readonly title: string;
  /** What it tells, beneath the title. */
  readonly note?: string;
  readonly header: readonly string[];
  rows(): AsyncIterable<readonly (readonly TableValue[])[]>;
}

export interface ResultPlan {
  /** The stored copy of what came in. */
  readonly source: Sheet;
  readonly columns: readonly ResultColumn[];
  /** In the order of the sheet; each line of the source meets exactly one. */
  rows(): AsyncIterable<readonly ResultRow[]>;
  /** Of each row that `--only` leaves out. */
  readonly leftOut?: readonly Value[];
  /** Rows of the batch that this sheet lacks; they follow below. */
  extra(): AsyncIterable<readonly ExtraRow[]>;
  readonly summary: Summary;
  readonly funding: LongTable | null;
  readonly trail: LongTable | null;
}

/** One row of the result, before its format is known. */
export interface MergedRow {
  readonly number: number;
  /** The person's cells, without those of an earlier result; for an extra row the known ones. */
  readonly theirs: readonly Cell[];
  readonly kind: SheetRow['kind'] | 'extra';
  readonly values: readonly Value[] | null;
  /** Cells of theirs right of the last header, which follow behind ours rather than get lost. */
  readonly beyond: readonly Cell[];
  readonly tone: Tone;
}

export interface MergedResult {
  /** The person's headers that are kept. */
  readonly header: readonly string[];
  readonly fields: readonly (Field | null)[];
  /** Index in the source of each kept column. */
  readonly kept: readonly number[];
  readonly rows: () => AsyncGenerator<readonly MergedRow[]>;
}
