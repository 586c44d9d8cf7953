/** The codes of refusals of a sheet that Payrun cannot read, each with its data. */
import type { Words } from '../words.ts';

export type ForeignKind =
  Words<'pdf picture document compressed sqlite web-page xml json old-format xlsb presentation numbers ods zip'>;

/** Texts in these facts may come from an attacker: a hostile workbook may control the process that reads it. */
export interface SheetRefusals {
  // Payrun cannot read the sheet.
  SHEET_EMPTY: object;
  FOREIGN_FILE: { kind: ForeignKind };
  FILE_HOSTILE: object;
  CSV_HAS_ONE_SHEET: object;
  CSV_IN_UNKNOWN_ENCODING: object;
  CSV_HAS_ZEROS: object;
  CSV_IS_BINARY: object;
  CSV_ROW_TOO_WIDE: { row: number; most: number };
  CSV_ROW_DOES_NOT_END: { row: number; line: number };
  CSV_QUOTE_WITHIN_VALUE: { row: number; line: number };
  CSV_UNREADABLE: { row: number; line: number; detail: string };
  WORKBOOK_LABELLED: object;
  WORKBOOK_LOCKED: object;
  WORKBOOK_HAS_MACROS: object;
  WORKBOOK_HAS_LINKS: object;
  WORKBOOK_HAS_OBJECTS: object;
  /** `row` is null if the damage is not in a row. */
  WORKBOOK_DAMAGED: { row: number | null };
  WORKBOOK_ROW_TOO_LARGE: { row: number };
  WORKBOOK_TOO_WIDE: { row: number; column: string; most: number };
  WORKBOOK_PART_DAMAGED: { part: string };
  WORKBOOK_PART_SWELLS: { part: string; mebibytes: number };
  WORKBOOK_PARTS_TOO_MANY: { count: number; most: number };
  WORKBOOK_TOO_LARGE: object;
  READER_LATE: { seconds: number };
  READER_LACKS_MEMORY: object;
  READER_ANSWER_UNREADABLE: object;
  /** `how` is a signal, an exit code, or the text of an unexpected error. */
  READER_FAILED: { how: string };
  XML_CUT: object;
  XML_IN_OTHER_ENCODING: object;
  PAYMENTS_AMOUNT_NO_DECIMAL: { transaction: number; id: string };
  PAYMENTS_MALFORMED: { element: string };
  PAYMENTS_NONE: object;
  PAYMENTS_VERSION_NOT_READ: { version: string; isPayments: boolean; read: readonly string[] };
  PAYMENTS_METHOD_NOT_PAID: { method: string };
  PAYMENTS_NEED_EXCHANGE: { transaction: number; id: string };
  /** `says` is what the file declares in `element` for the payment group `group`; null means the whole file. */
  PAYMENTS_TOTAL_DIFFERS: { group: string | null; element: 'NbOfTxs' | 'CtrlSum'; says: string; found: string };
  SHEET_NOT_THERE: { sheet: string; sheets: readonly string[] };
  SHEET_HIDDEN: { sheet: string };
  SHEETS_HIDDEN: object;
  SHEETS_SEVERAL: { sheets: readonly string[] };
  SHEET_MAY_BE_MISSPELT: { sheets: readonly string[]; misspelt: readonly string[] };
  WORKBOOK_EMPTY: object;
  SHEETS_LACK_HEADER: { sheets: readonly string[] };
}
