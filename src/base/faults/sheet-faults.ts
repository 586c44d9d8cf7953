/** Why a sheet is refused as a whole. */

export type ForeignKind =
  | 'pdf'
  | 'picture'
  | 'rtf'
  | 'gzip'
  | '7z'
  | 'rar'
  | 'sqlite'
  | 'broken-archive'
  | 'sylk'
  | 'dif'
  | 'web-page'
  | 'xml'
  | 'json'
  | 'old-excel'
  | 'xlsb'
  | 'word'
  | 'presentation'
  | 'numbers'
  | 'ods'
  | 'zip';

interface Part {
  part: string;
}

interface Place {
  row: number;
  line: number;
}

/** Texts in these faults may come from an attacker: a hostile workbook may control the process that reads it. */
export interface SheetFaults {
  'file-empty': object;
  'foreign-file': { kind: ForeignKind };
  'csv-has-one-sheet': object;
  'csv-in-old-encoding': object;
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
  'workbook-has-controls': object;
  'workbook-has-files': object;
  'workbook-has-macro-sheets': object;
  'workbook-parts-share-key': object;
  'workbook-sheet-lacks-content': { sheet: string };
  'workbook-sheets-share-name': { sheet: string };
  'workbook-sheets-share-content': object;
  'workbook-has-no-cells': object;
  'workbook-format-is-too-long': object;
  'workbook-text-is-too-long': object;
  'workbook-row-is-too-large': { row: number };
  'workbook-row-is-too-far': { row: number; most: number };
  'workbook-row-is-out-of-order': { row: number; after: number };
  'workbook-cell-is-out-of-order': { row: number; column: string };
  'workbook-cell-is-too-far': { row: number };
  'workbook-cell-lacks-text': { row: number; column: string };
  'workbook-cell-is-misplaced': { row: number; says: string };
  'workbook-is-too-wide': { row: number; column: string; most: number };
  'workbook-has-dtd': object;
  'workbook-part-is-not-xml': object;
  'workbook-is-too-deep': { most: number };
  'zip-part-is-twice': Part;
  'zip-part-is-too-large': Part;
  'zip-part-is-packed-strangely': Part;
  'zip-part-points-outside': Part;
  'zip-part-swells': Part & { mebibytes: number };
  'zip-part-is-elsewhere': Part;
  'zip-part-overlaps': Part;
  'zip-part-differs': Part;
  'zip-lacks-directory': object;
  'zip-directory-is-misplaced': object;
  'zip-directory-is-unreadable': object;
  'zip-has-too-many-parts': { count: number; most: number };
  'zip-is-zip64': object;
  'zip-is-encrypted': object;
  'zip-is-too-large': object;
  'reader-answers-nonsense': object;
  'reader-is-late': { seconds: number };
  'reader-lacks-memory': { mebibytes: number | null };
  'reader-ended': { how: string };
  'reader-failed': { detail: string };
  'reader-did-not-start': { detail: string };
  'xml-is-cut': object;
  'xml-is-not-utf8': { encoding: string | null };
  'xml-text-is-too-long': object;
  'xml-has-dtd': object;
  'xml-is-too-deep': { most: number };
  'payments-lack-header': object;
  'payments-text-holds-element': { element: string };
  'payments-element-holds-text': { element: string };
  'payments-value-is-too-long': { element: string };
  'payments-value-is-twice': { element: string };
  'payments-amount-is-no-decimal': { transaction: number; id: string };
  'payments-are-none': object;
  'payments-version-is-not-read': { version: string; isPayments: boolean; read: readonly string[] };
  'payments-are-of-other-kind': { element: string };
  'payments-are-out-of-order': { element: string };
  'payments-method-is-not-paid': { method: string };
  'payments-need-exchange': { transaction: number; id: string };
  /** `says` is the count or sum that the file declares for the payment group `group`; null means the whole file. */
  'payments-count-differs': { group: string | null; says: string; found: number };
  'payments-sum-differs': { group: string | null; says: string; found: string };
  'sheet-is-not-there': { sheet: string; sheets: readonly string[] };
  'sheet-is-hidden': { sheet: string };
  'sheets-are-hidden': object;
  'sheets-are-several': { sheets: readonly string[] };
  'sheet-may-be-misspelt': { sheets: readonly string[]; misspelt: readonly string[] };
  'workbook-is-empty': object;
  'sheets-lack-header': { sheets: readonly string[] };
}
