/** Codes of the problems that reading a sheet can find, each with one sentence on its meaning. */
import { newProblem, type ProblemMaker } from '../../base/problem.ts';

export const sheetProblemCodes = {
  // The header.
  HEADER_MISSING: 'No row among the first fifty has three or more column names that Payrun knows.',
  HEADER_CHARACTERS: 'A column name holds invisible characters, or letters of two alphabets that look alike.',
  HEADER_MISSPELT: 'A column name is nearly, but not exactly, one that Payrun knows.',
  HEADER_UNIT:
    'The amount column is headed with a unit that is not a currency; read as whole units it would pay wrongly.',
  COLUMN_TWICE: 'Two columns stand for the same thing, and Payrun must not choose between them.',
  COLUMN_MISSING: 'No column says what every row needs; it is told once more for each row.',
  COLUMN_HIDDEN:
    'A column that would be paid from is hidden, or too narrow to be read; nobody should pay what a person cannot see.',
  MAP_UNKNOWN: 'The map speaks of a column that the sheet does not have, or has another number of times.',
  MAP_CONTRADICTED: 'The map says of every row what a column says too.',
  MAP_REFUSED: 'The sheet has a column, or a row a word, that the map is not for.',
  // The sheet.
  TITLE_UNIT:
    'A title above the header says that amounts are in cents or thousands; read as whole units they would pay wrongly.',
  TITLE_STOP: 'A title above the header says that the sheet is not to be paid, or was paid already.',
  ROW_ABOVE_HEADER: 'A row above the header looks like a payment, which would not be read.',
  AMOUNT_SPLIT: 'Each amount ends where the separator stands, and three digits follow it: `2,500` without quotes.',
  HEADER_SECOND: 'A row below the header names other columns; the rows below that would be read by the wrong ones.',
  SHEET_EMPTY: 'There is a header, but no rows below it.',
  SHEET_OF_PROBLEMS: 'The file is the checked workbook of a long sheet, and holds only its rows with problems.',
  CELLS_MAYBE_STRUCK: 'A conditional format strikes out cells where rows are paid from, and only Excel knows which.',
  MERGED_CELLS: 'Cells are merged where rows are paid from; only the first cell of a merge holds a value.',
  ONLY_UNKNOWN:
    'The rows to be paid were chosen by a column that the sheet does not have, or by a value that no row has.',
  RESULTS_STALE: 'The sheet says that its calculated results are not current, where rows are paid from.',
  CORRECTION_LOST: 'A correction finds no cell that says what it corrects: it was made of another sheet.',
  // One row.
  CELL_CORRECTED: 'A cell says what a person corrected it to, and the file says something else.',
  WORD_READ: 'The map says what a word of the sheet means, and it was read so.',
  ROW_HIDDEN: 'The row is hidden, filtered away, or too low to be read; nobody should pay what a person cannot see.',
  CELL_UNSEEN: 'A cell shows nothing of what it holds: by its number format, or by letters that nobody can read.',
  CELL_STRUCK: 'A cell is struck out, as people do with what is not to be paid.',
  ROW_SUBTOTAL: 'The row looks like a sum of rows above it, and is no payee; only the last row may be a totals row.',
  ROW_HEADER: 'The row says what the header says, as where a new page begins, and is no payee.',
  ROW_NOTE: 'The row looks like a heading, a note or a signature, and is no payee.',
  ROW_FAR_BELOW: 'The row stands below more than a thousand empty rows, where a person hardly sees it.',
  CELL_BEYOND_HEADER: 'A cell stands right of the last column name; a separator too many may have shifted the row.',
  ROW_TOO_LONG:
    'A row has more values than the header, and other rows do not; a separator too many may have moved its values.',
  TEXT_FORCED: 'A value written as ="…", so that a spreadsheet takes it for text, was read as the text within.',
  FLOAT_READ: 'A whole number that a program wrote with a point and zeros was read without them.',
  ENTITIES_READ: 'Characters that were written as on a web page, such as &amp;, were read as what they stand for.',
  CELL_TOO_LONG: 'A cell is longer than any value that can be paid with.',
  CELL_CONTROL_CHARACTER: 'A cell holds a control character, which no spreadsheet shows.',
} as const;

export type SheetProblemCode = keyof typeof sheetProblemCodes;

export const sheetProblem: ProblemMaker<SheetProblemCode> = newProblem;
