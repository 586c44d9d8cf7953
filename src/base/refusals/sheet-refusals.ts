/** The codes of refusals of a sheet that Payrun cannot read, each with its data. */
import type { Each, Words } from '../words.ts';

export type ForeignKind =
  Words<'pdf picture document compressed sqlite web-page xml json old-format xlsb presentation numbers ods zip'>;

/** Texts in these facts may come from an attacker: a hostile workbook may control the process that reads it. */
export interface SheetRefusals
  // Payrun cannot read the sheet.
  extends Each<
    | 'SHEET_EMPTY FILE_HOSTILE CSV_HAS_ONE_SHEET CSV_IN_UNKNOWN_ENCODING CSV_HAS_ZEROS CSV_IS_BINARY'
    | 'WORKBOOK_LABELLED WORKBOOK_LOCKED WORKBOOK_HAS_MACROS WORKBOOK_HAS_LINKS WORKBOOK_HAS_OBJECTS'
    | 'WORKBOOK_TOO_LARGE READER_LACKS_MEMORY READER_ANSWER_UNREADABLE XML_CUT XML_IN_OTHER_ENCODING'
    | 'PAYMENTS_NONE SHEETS_HIDDEN WORKBOOK_EMPTY',
    object
  > {
  FOREIGN_FILE: { kind: ForeignKind };
  CSV_ROW_TOO_WIDE: { row: number; most: number };
  CSV_ROW_DOES_NOT_END: { row: number; line: number };
  CSV_QUOTE_WITHIN_VALUE: { row: number; line: number };
  CSV_UNREADABLE: { row: number; line: number; detail: string };
  /** `row` is null if the damage is not in a row. */
  WORKBOOK_DAMAGED: { row: number | null };
  WORKBOOK_ROW_TOO_LARGE: { row: number };
  WORKBOOK_TOO_WIDE: { row: number; column: string; most: number };
  WORKBOOK_PART_DAMAGED: { part: string };
  WORKBOOK_PART_SWELLS: { part: string; mebibytes: number };
  WORKBOOK_PARTS_TOO_MANY: { count: number; most: number };
  READER_LATE: { seconds: number };
  /** `how` is a signal, an exit code, or the text of an unexpected error. */
  READER_FAILED: { how: string };
  PAYMENTS_AMOUNT_NO_DECIMAL: { transaction: number; id: string };
  PAYMENTS_MALFORMED: { element: string };
  PAYMENTS_VERSION_NOT_READ: { version: string; isPayments: boolean; read: readonly string[] };
  PAYMENTS_METHOD_NOT_PAID: { method: string };
  PAYMENTS_NEED_EXCHANGE: { transaction: number; id: string };
  /** `says` is what the file declares in `element` for the payment group `group`; null means the whole file. */
  PAYMENTS_TOTAL_DIFFERS: { group: string | null; element: 'NbOfTxs' | 'CtrlSum'; says: string; found: string };
  SHEET_NOT_THERE: { sheet: string; sheets: readonly string[] };
  SHEET_HIDDEN: { sheet: string };
  SHEETS_SEVERAL: { sheets: readonly string[] };
  SHEET_MAY_BE_MISSPELT: { sheets: readonly string[]; misspelt: readonly string[] };
  SHEETS_LACK_HEADER: { sheets: readonly string[] };
}
