/** The facts of the problems of a file, its header and its lines, for each code. */
import { newProblem, type ProblemMaker, type Said } from '../../base/problem.ts';

export interface SheetProblems {
  // The header.
  HEADER_MISSING: Said;
  HEADER_CHARACTERS: Said;
  HEADER_MISSPELT: Said;
  HEADER_UNIT: Said;
  COLUMN_TWICE: Said;
  COLUMN_MISSING: Said;
  COLUMN_HIDDEN: Said;
  MAP_UNKNOWN: Said;
  MAP_CONTRADICTED: Said;
  MAP_REFUSED: Said;
  // The sheet.
  TITLE_UNIT: Said;
  TITLE_STOP: Said;
  ROW_ABOVE_HEADER: Said;
  AMOUNT_SPLIT: Said;
  HEADER_SECOND: Said;
  SHEET_EMPTY: Said;
  SHEET_OF_PROBLEMS: Said;
  CELLS_MAYBE_STRUCK: Said;
  MERGED_CELLS: Said;
  ONLY_UNKNOWN: Said;
  RESULTS_STALE: Said;
  CORRECTION_LOST: Said;
  // One row.
  CELL_CORRECTED: Said;
  WORD_READ: Said;
  ROW_HIDDEN: Said;
  CELL_UNSEEN: Said;
  CELL_STRUCK: Said;
  ROW_SUBTOTAL: Said;
  ROW_HEADER: Said;
  ROW_NOTE: Said;
  ROW_FAR_BELOW: Said;
  CELL_BEYOND_HEADER: Said;
  ROW_TOO_LONG: Said;
  TEXT_FORCED: Said;
  FLOAT_READ: Said;
  ENTITIES_READ: Said;
  CELL_TOO_LONG: Said;
  CELL_CONTROL_CHARACTER: Said;
}

export const sheetProblem: ProblemMaker<SheetProblems> = newProblem;
