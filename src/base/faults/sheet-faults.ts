/** Why a sheet is refused as a whole. */

export type ForeignKind =
  | 'pdf'
  | 'picture'
  | 'document'
  | 'compressed'
  | 'sqlite'
  | 'web-page'
  | 'xml'
  | 'json'
  | 'old-format'
  | 'xlsb'
  | 'presentation'
  | 'numbers'
  | 'ods'
  | 'zip';

interface Place {
  row: number;
  line: number;
}

/** Texts in these faults may come from an attacker: a hostile workbook may control the process that reads it. */
export interface SheetFaults {
  'file-empty': object;
  'foreign-file': { kind: ForeignKind };
  'file-is-hostile': object;
  'csv-has-one-sheet': object;
  'csv-in-unknown-encoding': object;
  'csv-has-zeros': object;
  'csv-is-binary': object;
  'csv-row-is-too-wide': { row: number; most: number };
  'csv-row-does-not-end': Place;
  'csv-quote-within-value': Place;
  'csv-is-unreadable': Place & { detail: string };
  'workbook-is-labelled': object;
  'workbook-is-locked': object;
  'workbook-has-macros': object;
  'workbook-has-links': object;
  'workbook-has-objects': object;
  /** `row` is null if the damage is not in a row. */
  'workbook-is-damaged': { row: number | null };
  'workbook-row-is-too-large': { row: number };
  'workbook-is-too-wide': { row: number; column: string; most: number };
  'zip-part-is-damaged': { part: string };
  'zip-part-swells': { part: string; mebibytes: number };
  'zip-has-too-many-parts': { count: number; most: number };
  'zip-is-too-large': object;
  'reader-is-late': { seconds: number };
  'reader-lacks-memory': object;
  'reader-answer-is-unreadable': object;
  /** `how` is a signal, an exit code, or the text of an unexpected error. */
  'reader-failed': { how: string };
  'xml-is-cut': object;
  'xml-is-not-utf8': object;
  'payments-amount-is-no-decimal': { transaction: number; id: string };
  'payments-are-malformed': { element: string };
  'payments-are-none': object;
  'payments-version-is-not-read': { version: string; isPayments: boolean; read: readonly string[] };
  'payments-method-is-not-paid': { method: string };
  'payments-need-exchange': { transaction: number; id: string };
  /** `says` is what the file declares in `element` for the payment group `group`; null means the whole file. */
  'payments-total-differs': { group: string | null; element: 'NbOfTxs' | 'CtrlSum'; says: string; found: string };
  'sheet-is-not-there': { sheet: string; sheets: readonly string[] };
  'sheet-is-hidden': { sheet: string };
  'sheets-are-hidden': object;
  'sheets-are-several': { sheets: readonly string[] };
  'sheet-may-be-misspelt': { sheets: readonly string[]; misspelt: readonly string[] };
  'workbook-is-empty': object;
  'sheets-lack-header': { sheets: readonly string[] };
}
