/** The words of the problems of a file, its header and its lines: what each code means, and what is said of each problem. */
import type { SheetProblems } from '../../domain/problems/sheet-problems.ts';
import { asSaid, type ProblemTable } from './table.ts';

export const sheetProblems: ProblemTable<SheetProblems> = {
  // The header.
  HEADER_MISSING: {
    means: 'No row among the first fifty has three or more column names that Payrun knows.',
    says: asSaid,
  },
  HEADER_CHARACTERS: {
    means: 'A column name holds invisible characters, or letters of two alphabets that look alike.',
    says: asSaid,
  },
  HEADER_MISSPELT: { means: 'A column name is nearly, but not exactly, one that Payrun knows.', says: asSaid },
  HEADER_UNIT: {
    means: 'The amount column is headed with a unit that is not a currency; read as whole units it would pay wrongly.',
    says: asSaid,
  },
  COLUMN_TWICE: {
    means: 'Two columns stand for the same thing, and Payrun must not choose between them.',
    says: asSaid,
  },
  COLUMN_MISSING: { means: 'No column says what every row needs; it is told once more for each row.', says: asSaid },
  COLUMN_HIDDEN: {
    means:
      'A column that would be paid from is hidden, or too narrow to be read; nobody should pay what a person cannot see.',
    says: asSaid,
  },
  MAP_UNKNOWN: {
    means: 'The map speaks of a column that the sheet does not have, or has another number of times.',
    says: asSaid,
  },
  MAP_CONTRADICTED: { means: 'The map says of every row what a column says too.', says: asSaid },
  MAP_REFUSED: { means: 'The sheet has a column, or a row a word, that the map is not for.', says: asSaid },
  // The sheet.
  TITLE_UNIT: {
    means:
      'A title above the header says that amounts are in cents or thousands; read as whole units they would pay wrongly.',
    says: asSaid,
  },
  TITLE_STOP: {
    means: 'A title above the header says that the sheet is not to be paid, or was paid already.',
    says: asSaid,
  },
  ROW_ABOVE_HEADER: { means: 'A row above the header looks like a payment, which would not be read.', says: asSaid },
  AMOUNT_SPLIT: {
    means: 'Each amount ends where the separator stands, and three digits follow it: `2,500` without quotes.',
    says: asSaid,
  },
  HEADER_SECOND: {
    means: 'A row below the header names other columns; the rows below that would be read by the wrong ones.',
    says: asSaid,
  },
  SHEET_EMPTY: { means: 'There is a header, but no rows below it.', says: asSaid },
  SHEET_OF_PROBLEMS: {
    means: 'The file is the checked workbook of a long sheet, and holds only its rows with problems.',
    says: asSaid,
  },
  CELLS_MAYBE_STRUCK: {
    means: 'A conditional format strikes out cells where rows are paid from, and only Excel knows which.',
    says: asSaid,
  },
  MERGED_CELLS: {
    means: 'Cells are merged where rows are paid from; only the first cell of a merge holds a value.',
    says: asSaid,
  },
  ONLY_UNKNOWN: {
    means: 'The rows to be paid were chosen by a column that the sheet does not have, or by a value that no row has.',
    says: asSaid,
  },
  RESULTS_STALE: {
    means: 'The sheet says that its calculated results are not current, where rows are paid from.',
    says: asSaid,
  },
  CORRECTION_LOST: {
    means: 'A correction finds no cell that says what it corrects: it was made of another sheet.',
    says: asSaid,
  },
  // One row.
  CELL_CORRECTED: {
    means: 'A cell says what a person corrected it to, and the file says something else.',
    says: asSaid,
  },
  WORD_READ: { means: 'The map says what a word of the sheet means, and it was read so.', says: asSaid },
  ROW_HIDDEN: {
    means: 'The row is hidden, filtered away, or too low to be read; nobody should pay what a person cannot see.',
    says: asSaid,
  },
  CELL_UNSEEN: {
    means: 'A cell shows nothing of what it holds: by its number format, or by letters that nobody can read.',
    says: asSaid,
  },
  CELL_STRUCK: { means: 'A cell is struck out, as people do with what is not to be paid.', says: asSaid },
  ROW_SUBTOTAL: {
    means: 'The row looks like a sum of rows above it, and is no payee; only the last row may be a totals row.',
    says: asSaid,
  },
  ROW_HEADER: {
    means: 'The row says what the header says, as where a new page begins, and is no payee.',
    says: asSaid,
  },
  ROW_NOTE: { means: 'The row looks like a heading, a note or a signature, and is no payee.', says: asSaid },
  ROW_FAR_BELOW: {
    means: 'The row stands below more than a thousand empty rows, where a person hardly sees it.',
    says: asSaid,
  },
  CELL_BEYOND_HEADER: {
    means: 'A cell stands right of the last column name; a separator too many may have shifted the row.',
    says: asSaid,
  },
  ROW_TOO_LONG: {
    means:
      'A row has more values than the header, and other rows do not; a separator too many may have moved its values.',
    says: asSaid,
  },
  TEXT_FORCED: {
    means: 'A value written as ="…", so that a spreadsheet takes it for text, was read as the text within.',
    says: asSaid,
  },
  FLOAT_READ: {
    means: 'A whole number that a program wrote with a point and zeros was read without them.',
    says: asSaid,
  },
  ENTITIES_READ: {
    means: 'Characters that were written as on a web page, such as &amp;, were read as what they stand for.',
    says: asSaid,
  },
  CELL_TOO_LONG: { means: 'A cell is longer than any value that can be paid with.', says: asSaid },
  CELL_CONTROL_CHARACTER: { means: 'A cell holds a control character, which no spreadsheet shows.', says: asSaid },
};
