/** The words of every refusal of a sheet that Payrun cannot read. */
import { it } from 'vitest';
import type { RefusalFacts, SheetRefusalCode } from '../../src/base/refusal.ts';
import { expectRefusalWords, refusalCases, type Said } from './cases.ts';

const said: Said<Pick<RefusalFacts, SheetRefusalCode>> = {
  SHEET_EMPTY: 'The file is empty. A sheet needs a header and at least one row.',
  FOREIGN_FILE: [
    [
      { kind: 'pdf' },
      'The file is a PDF document, not a sheet. Submit the sheet from which it was made, as .xlsx or .csv. A different file name does not help.',
    ],
    [
      { kind: 'picture' },
      'The file is a picture, not a sheet. Submit the sheet from which it was made, as .xlsx or .csv. A different file name does not help.',
    ],
    [
      { kind: 'sqlite' },
      'The file is a database, not a sheet. Submit the sheet from which it was made, as .xlsx or .csv. A different file name does not help.',
    ],
    [{ kind: 'web-page' }, 'The file is a web page. Save it as .xlsx or .csv, and submit that file.'],
    [{ kind: 'xml' }, 'The file is XML. Save it as .xlsx or .csv, and submit that file.'],
    [{ kind: 'json' }, 'The file is JSON. Save it as .xlsx or .csv, and submit that file.'],
    [
      { kind: 'xlsb' },
      'The file is a binary workbook (.xlsb), not an .xlsx workbook. Save it as .xlsx or .csv, and submit that file.',
    ],
    [
      { kind: 'presentation' },
      'The file is a presentation, not an .xlsx workbook. Save it as .xlsx or .csv, and submit that file.',
    ],
    [
      { kind: 'numbers' },
      'The file is an Apple Numbers document, not an .xlsx workbook. Save it as .xlsx or .csv, and submit that file.',
    ],
    [
      { kind: 'ods' },
      'The file is an OpenDocument file (.ods), not an .xlsx workbook. Save it as .xlsx or .csv, and submit that file.',
    ],
    [
      { kind: 'zip' },
      'The file is an archive (ZIP), not an .xlsx workbook. Save it as .xlsx or .csv, and submit that file.',
    ],
    [
      { kind: 'document' },
      'The file is a text document (Word or RTF), not a sheet. Submit the sheet from which it was made, as .xlsx or .csv. A different file name does not help.',
    ],
    [
      { kind: 'compressed' },
      'The file is a compressed file, not a sheet. Unpack it, and submit the sheet that is in it.',
    ],
    [
      { kind: 'old-format' },
      'The file is in an old format of spreadsheet programs (.xls, .slk or .dif), or another Office file. Save it as .xlsx or .csv, and submit that file.',
    ],
  ],
  FILE_HOSTILE: 'The file has content that no usual program writes. Do not trust this file.',
  CSV_HAS_ONE_SHEET: [{}, 'A CSV file has only one sheet; leave --sheet out.', 'A CSV file has only one sheet.'],
  CSV_IN_UNKNOWN_ENCODING:
    'The text of the file is damaged, or in an encoding that Payrun does not read, so its letters would be wrong. Save it as UTF-8 (in Excel: "CSV UTF-8"), or as .xlsx.',
  CSV_HAS_ZEROS:
    'The file has zero bytes in place of text: it is damaged, and rows may be missing. Copy it or export it again.',
  CSV_IS_BINARY:
    'The file is neither a CSV text nor an Excel workbook. Save it as .xlsx or .csv, and submit that file.',
  CSV_ROW_TOO_WIDE: [{ row: 4, most: 256 }, 'Row 4 has more than 256 columns. Is it the right file?'],
  CSV_ROW_DOES_NOT_END: [
    { row: 4, line: 5 },
    'Row 4, which begins in line 5, does not end: a quotation mark in it is never closed, or it is longer than 64 KiB. Close the mark, or delete it.',
  ],
  CSV_QUOTE_WITHIN_VALUE: [
    { row: 4, line: 5 },
    'Line 5 (row 4) has a quotation mark inside a value. Write such a value in quotes and its own marks twice ("Joe ""Jo"" Doe"), or delete the mark.',
  ],
  CSV_UNREADABLE: [{ row: 4, line: 5, detail: 'odd' }, 'Row 4 (line 5) cannot be read as CSV: odd'],
  WORKBOOK_LABELLED:
    'The workbook is protected by a sensitivity label. Remove the label (Home, Sensitivity), or export a copy as .csv, and submit that file.',
  WORKBOOK_LOCKED:
    'The workbook is protected by a password. Remove the password (File, Info, Protect Workbook) and save it again.',
  WORKBOOK_HAS_MACROS: 'The workbook has macros (.xlsm). Save it as .xlsx, without macros, and submit that file.',
  WORKBOOK_HAS_LINKS:
    'The workbook has links to other workbooks. Break them (Data, Edit Links, Break Link), save it, and submit it again.',
  WORKBOOK_HAS_OBJECTS:
    'The workbook has macro sheets, controls or embedded files. Save the sheet alone as .xlsx or .csv.',
  WORKBOOK_DAMAGED: [
    [
      { row: null },
      'The workbook is damaged, or two programs could read it differently. Open it in Excel or LibreOffice, save it as .xlsx again, and submit that file.',
    ],
    [
      { row: 4 },
      'The workbook is damaged in row 4, or two programs could read it differently. Open it in Excel or LibreOffice, save it as .xlsx again, and submit that file.',
    ],
  ],
  WORKBOOK_ROW_TOO_LARGE: [{ row: 4 }, 'Row 4 of the workbook is larger than 16 MiB. Is it the right file?'],
  WORKBOOK_TOO_WIDE: [
    { row: 4, column: 'ZZ', most: 256 },
    'The sheet uses column ZZ (row 4); more than 256 columns are not read. Is it the right file?',
  ],
  WORKBOOK_PART_DAMAGED: [
    [
      { part: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' },
      "The workbook's part 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' is damaged, or two programs could read it differently. Open it in Excel or LibreOffice, save it as .xlsx again, and submit that file.",
    ],
    [
      { part: 'xl/ä.xml' },
      "The workbook's part 'xl/?.xml' is damaged, or two programs could read it differently. Open it in Excel or LibreOffice, save it as .xlsx again, and submit that file.",
    ],
  ],
  WORKBOOK_PART_SWELLS: [
    { part: 'xl/a.xml', mebibytes: 900 },
    "The workbook's part 'xl/a.xml' unpacks to 900 MiB from very little. Delete empty formatted rows and columns, save it again, or save the sheet as CSV.",
  ],
  WORKBOOK_PARTS_TOO_MANY: [
    { count: 300, most: 200 },
    'The workbook has 300 parts, more than 200. Save only the sheet to be paid.',
  ],
  WORKBOOK_TOO_LARGE: 'The workbook unpacks to more than 1 GiB. Split the sheet, or save it as CSV.',
  READER_LATE: [
    { seconds: 30 },
    'The workbook could not be read within 30 seconds. Open it in Excel or LibreOffice and save it as .xlsx again, or save the sheet as CSV.',
  ],
  READER_LACKS_MEMORY: 'The workbook needs too much memory to be read. Split the sheet, or save it as CSV.',
  READER_ANSWER_UNREADABLE:
    'The workbook could not be read (unreadable answer). Open it in Excel or LibreOffice and save it as .xlsx again, or save the sheet as CSV.',
  READER_FAILED: [
    { how: 'odd' },
    'The workbook could not be read (odd). Open it in Excel or LibreOffice and save it as .xlsx again, or save the sheet as CSV.',
  ],
  XML_CUT: 'The file is damaged: it is not XML to its end. Export it again.',
  XML_IN_OTHER_ENCODING: 'The text of the file is not UTF-8. Export it again as UTF-8.',
  PAYMENTS_AMOUNT_NO_DECIMAL: [
    { transaction: 3, id: 'E1' },
    'The amount of transaction 3 (E1) is no decimal. Export the file again.',
  ],
  PAYMENTS_MALFORMED: [{ element: 'Nm' }, 'The file is no valid pain.001, because of its element Nm. Export it again.'],
  PAYMENTS_NONE: 'The file holds no transaction.',
  PAYMENTS_VERSION_NOT_READ: [
    [
      { version: 'pain.001.001.02', isPayments: true, read: ['pain.001.001.03', 'pain.001.001.09'] },
      'The file is pain.001.001.02, a version of pain.001 that is not read. Export it as pain.001.001.03 or pain.001.001.09.',
    ],
    [
      { version: 'camt.053.001.02', isPayments: false, read: ['pain.001.001.03'] },
      'The file is camt.053.001.02, not a file of payments. Export it as pain.001.001.03.',
    ],
  ],
  PAYMENTS_METHOD_NOT_PAID: [
    { method: 'CHK' },
    "The file has payments of the method 'CHK', but Payrun pays only transfers (TRF). Remove the other payments.",
  ],
  PAYMENTS_NEED_EXCHANGE: [
    { transaction: 3, id: 'E1' },
    'Transaction 3 (E1) gives its amount in another currency (EqvtAmt), but Payrun does not exchange currencies. Export it with the amount that is paid (InstdAmt).',
  ],
  PAYMENTS_TOTAL_DIFFERS: [
    [
      { group: null, element: 'CtrlSum', says: '4', found: '3.50' },
      "The file has a wrong sum of its amounts (CtrlSum): it says '4', and has 3.50. Something in it is missing, added or changed: nothing is paid. Export the file again.",
    ],
    [
      { group: 'B1', element: 'NbOfTxs', says: '4', found: '3' },
      "The payment group 'B1' has a wrong number of transactions (NbOfTxs): it says '4', and has 3. Something in it is missing, added or changed: nothing is paid. Export the file again.",
    ],
  ],
  SHEET_NOT_THERE: [{ sheet: 'Nov', sheets: ['Oct', 'Dec'] }, "The workbook has no sheet 'Nov'. It has 'Oct', 'Dec'."],
  SHEET_HIDDEN: [
    { sheet: 'Nov' },
    "The sheet 'Nov' is hidden. Show it in Excel, or add --include-hidden.",
    "The sheet 'Nov' is hidden. Show it in Excel.",
  ],
  SHEETS_HIDDEN: 'Every sheet of the workbook is hidden. Show the one to be paid.',
  SHEETS_SEVERAL: [
    { sheets: ['Oct', 'Nov'] },
    "The workbook has 2 sheets that look like payouts: 'Oct', 'Nov'. Choose one with --sheet NAME.",
    "The workbook has 2 sheets that look like payouts: 'Oct', 'Nov'. Choose one of them here.",
  ],
  SHEET_MAY_BE_MISSPELT: [
    { sheets: ['Oct'], misspelt: ['Nov'] },
    "The sheet 'Oct' has payouts, and 'Nov' looks like payouts with misspelt column names. Choose one with --sheet NAME, or correct the names.",
    "The sheet 'Oct' has payouts, and 'Nov' looks like payouts with misspelt column names. Choose one of them here, or correct the names.",
  ],
  WORKBOOK_EMPTY: 'The workbook is empty. A sheet needs a header and at least one row.',
  SHEETS_LACK_HEADER: [
    { sheets: ['Oct', 'Nov'] },
    "No sheet of the workbook ('Oct', 'Nov') has a header with three or more column names that Payrun knows. Choose one with --sheet NAME, and `payrun check` prints a map to start from; or see `payrun template`.",
    "No sheet of the workbook ('Oct', 'Nov') has a header with three or more column names that Payrun knows. Choose one of them here.",
  ],
};

it.each(refusalCases(said))('%j', expectRefusalWords);
