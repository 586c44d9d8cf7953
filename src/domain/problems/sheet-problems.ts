/** The data of problems in a file, its header and its lines, by code. */
import { newProblem, type ProblemMaker } from '../../base/problem.ts';
import type { Each } from '../../base/words.ts';

export type ShippedMapName = 'wise' | 'za-acb' | 'paypal' | 'flutterwave' | 'kenya-mobile';

export interface SheetColumn {
  readonly column: string;
  readonly header: string;
}

type OnlyUnknown =
  | { why: 'no-such-column' | 'several-columns'; columns: number }
  | { why: 'unknown-cells'; letter: string; cells: number }
  | { why: 'merged'; letter: string }
  | { why: 'no-such-value'; letter: string; value: string; has: readonly string[] };

/** The correction is for `rows` rows with the text `from`. Only `found` such rows exist. `row` is the first row. */
interface LostCorrection extends Each<'column from to', string> {
  header: string | null;
  row: number | null;
  rows: number | null;
  found: number;
}

export interface SheetProblems
  extends Each<'SHEET_OF_PROBLEMS ROW_HIDDEN ROW_HEADER', object>,
    Each<'TITLE_UNIT TITLE_STOP', { title: string }>,
    Each<'ROW_ABOVE_HEADER SHEET_EMPTY', { headerRow: number }>,
    Each<'CELLS_MAYBE_STRUCK RESULTS_STALE CELL_CONTROL_CHARACTER', { field: string }>,
    /** `value` is the cell's text. `read` is the value that Payrun uses. */
    Each<'TEXT_FORCED FLOAT_READ ENTITIES_READ', Each<'field value read', string>> {
  HEADER_MISSING: { map: string | null; isHeadless: boolean };
  HEADER_CHARACTERS: { header: string; points: readonly string[]; meant: string | null };
  HEADER_MISSPELT: { header: string; meant: string; field: string };
  HEADER_UNIT: { header: string; unit: string };
  COLUMN_TWICE: { first: SheetColumn; second: SheetColumn; field: string };
  /** `map` is the shipped map whose program does not export the field; null without one. */
  COLUMN_MISSING: { field: string; map: ShippedMapName | null };
  COLUMN_HIDDEN: SheetColumn;
  MAP_UNKNOWN: {
    header: string;
    map: string;
    uses: readonly (string | null)[];
    columns: readonly string[];
    near: string | null;
  };
  MAP_CONTRADICTED: SheetColumn & { map: string; field: string; value: string };
  /** `refused` is the header or the word that the map refuses. `of` is null for a word. */
  MAP_REFUSED: { map: ShippedMapName; refused: string; of: SheetColumn | null };
  AMOUNT_SPLIT: { row: number; amount: string; behind: string };
  HEADER_SECOND: { row: number };
  MERGED_CELLS: { cells: string };
  ONLY_UNKNOWN: { column: string } & OnlyUnknown;
  CORRECTION_LOST: { emptied: number } | LostCorrection;
  CELL_CORRECTED: Each<'column header from to by at', string> & { row: number };
  WORD_READ: { field: string; word: string; read: string };
  CELL_UNSEEN: { field: string; value: string; hiddenBy: 'format' | 'letters' };
  CELL_STRUCK: { field: string; value: string };
  ROW_SUBTOTAL: { label: string | null };
  ROW_NOTE: { text: string };
  ROW_FAR_BELOW: { emptyRows: number };
  CELL_BEYOND_HEADER: { column: string; value: string };
  ROW_TOO_LONG: { row: number; values: number; headerValues: number };
  CELL_TOO_LONG: { field: string; characters: number; most: number };
}

export const sheetProblem: ProblemMaker<SheetProblems> = newProblem;
