/** The words of refusals of a sheet that Payrun cannot read. */
import type { ForeignKind, SheetRefusalCode } from '../../base/refusal.ts';
import { type Audience, atTerminal } from '../audience.ts';
import { typed } from '../format/program.ts';
import type { RefusalWords } from '../passage.ts';

const saveAs = 'Save it as .xlsx or .csv, and submit that file.';
const saveAgain = 'Open it in Excel or LibreOffice, save it as .xlsx again, and submit that file.';
const saveElse = 'Open it in Excel or LibreOffice and save it as .xlsx again, or save the sheet as CSV.';
const right = 'Is it the right file?';
const exportAgain = 'Something in it is missing, added or changed: nothing is paid. Export the file again.';

const madeFrom =
  'not a sheet. Submit the sheet from which it was made, as .xlsx or .csv. A different file name does not help.';
const notWorkbook = `not an .xlsx workbook. ${saveAs}`;

const foreign: { readonly [K in ForeignKind]: string } = {
  pdf: `a PDF document, ${madeFrom}`,
  picture: `a picture, ${madeFrom}`,
  document: `a text document (Word or RTF), ${madeFrom}`,
  compressed: `a compressed file, not a sheet. Unpack it, and submit the sheet that is in it.`,
  sqlite: `a database, ${madeFrom}`,
  'web-page': `a web page. ${saveAs}`,
  xml: `XML. ${saveAs}`,
  json: `JSON. ${saveAs}`,
  'old-format': `in an old format of spreadsheet programs (.xls, .slk or .dif), or another Office file. ${saveAs}`,
  xlsb: `a binary workbook (.xlsb), ${notWorkbook}`,
  presentation: `a presentation, ${notWorkbook}`,
  numbers: `an Apple Numbers document, ${notWorkbook}`,
  ods: `an OpenDocument file (.ods), ${notWorkbook}`,
  zip: `an archive (ZIP), ${notWorkbook}`,
};

/** The file chose the name of its part, so the name is limited to ASCII and to 60 characters. */
function shown(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?');
  return `'${plain.length > 60 ? `${plain.slice(0, 59)}…` : plain}'`;
}

const list = (sheets: readonly string[]) => sheets.map((name) => `'${name}'`).join(', ');
const quotedId = (text: string) => `'${text.slice(0, 40)}'`;
const choose = (to: Audience) => `Choose one${to === 'page' ? ' of them here' : ' with --sheet NAME'}`;
const groupOf = (group: string | null) => (group === null ? 'The file' : `The payment group ${quotedId(group)}`);

export const sheetRefusals: Pick<RefusalWords, SheetRefusalCode> = {
  SHEET_EMPTY: () => 'The file is empty. A sheet needs a header and at least one row.',
  FOREIGN_FILE: ({ kind }) => `The file is ${foreign[kind]}`,
  FILE_HOSTILE: () => 'The file has content that no usual program writes. Do not trust this file.',
  CSV_HAS_ONE_SHEET: (_, to) => `A CSV file has only one sheet${atTerminal(to, '; leave --sheet out')}.`,
  CSV_IN_UNKNOWN_ENCODING: () =>
    'The text of the file is damaged, or in an encoding that Payrun does not read, so its letters would be wrong. Save it as UTF-8 (in Excel: "CSV UTF-8"), or as .xlsx.',
  CSV_HAS_ZEROS: () =>
    'The file has zero bytes in place of text: it is damaged, and rows may be missing. Copy it or export it again.',
  CSV_IS_BINARY: () => `The file is neither a CSV text nor an Excel workbook. ${saveAs}`,
  CSV_ROW_TOO_WIDE: ({ row, most }) => `Row ${row} has more than ${most} columns. ${right}`,
  CSV_ROW_DOES_NOT_END: ({ row, line }) =>
    `Row ${row}, which begins in line ${line}, does not end: a quotation mark in it is never closed, or it is longer than 64 KiB. Close the mark, or delete it.`,
  CSV_QUOTE_WITHIN_VALUE: ({ row, line }) =>
    `Line ${line} (row ${row}) has a quotation mark inside a value. Write such a value in quotes and its own marks twice ("Joe ""Jo"" Doe"), or delete the mark.`,
  CSV_UNREADABLE: ({ row, line, detail }) => `Row ${row} (line ${line}) cannot be read as CSV: ${detail}`,
  WORKBOOK_LABELLED: () =>
    'The workbook is protected by a sensitivity label. Remove the label (Home, Sensitivity), or export a copy as .csv, and submit that file.',
  WORKBOOK_LOCKED: () =>
    'The workbook is protected by a password. Remove the password (File, Info, Protect Workbook) and save it again.',
  WORKBOOK_HAS_MACROS: () => 'The workbook has macros (.xlsm). Save it as .xlsx, without macros, and submit that file.',
  WORKBOOK_HAS_LINKS: () =>
    'The workbook has links to other workbooks. Break them (Data, Edit Links, Break Link), save it, and submit it again.',
  WORKBOOK_HAS_OBJECTS: () =>
    'The workbook has macro sheets, controls or embedded files. Save the sheet alone as .xlsx or .csv.',
  WORKBOOK_DAMAGED: ({ row }) =>
    `The workbook is damaged${row === null ? '' : ` in row ${row}`}, or two programs could read it differently. ${saveAgain}`,
  WORKBOOK_ROW_TOO_LARGE: ({ row }) => `Row ${row} of the workbook is larger than 16 MiB. ${right}`,
  WORKBOOK_TOO_WIDE: ({ row, column, most }) =>
    `The sheet uses column ${column} (row ${row}); more than ${most} columns are not read. ${right}`,
  WORKBOOK_PART_DAMAGED: ({ part }) =>
    `The workbook's part ${shown(part)} is damaged, or two programs could read it differently. ${saveAgain}`,
  WORKBOOK_PART_SWELLS: ({ part, mebibytes }) =>
    `The workbook's part ${shown(part)} unpacks to ${mebibytes} MiB from very little. Delete empty formatted rows and columns, save it again, or save the sheet as CSV.`,
  WORKBOOK_PARTS_TOO_MANY: ({ count, most }) =>
    `The workbook has ${count} parts, more than ${most}. Save only the sheet to be paid.`,
  WORKBOOK_TOO_LARGE: () => 'The workbook unpacks to more than 1 GiB. Split the sheet, or save it as CSV.',
  READER_LATE: ({ seconds }) => `The workbook could not be read within ${seconds} seconds. ${saveElse}`,
  READER_LACKS_MEMORY: () => 'The workbook needs too much memory to be read. Split the sheet, or save it as CSV.',
  READER_ANSWER_UNREADABLE: () => `The workbook could not be read (unreadable answer). ${saveElse}`,
  READER_FAILED: ({ how }) => `The workbook could not be read (${how}). ${saveElse}`,
  XML_CUT: () => 'The file is damaged: it is not XML to its end. Export it again.',
  XML_IN_OTHER_ENCODING: () => 'The text of the file is not UTF-8. Export it again as UTF-8.',
  PAYMENTS_AMOUNT_NO_DECIMAL: ({ transaction, id }) =>
    `The amount of transaction ${transaction} (${id}) is no decimal. Export the file again.`,
  PAYMENTS_MALFORMED: ({ element }) =>
    `The file is no valid pain.001, because of its element ${element}. Export it again.`,
  PAYMENTS_NONE: () => 'The file holds no transaction.',
  PAYMENTS_VERSION_NOT_READ: ({ version, isPayments, read }) =>
    `The file is ${version}, ${isPayments ? 'a version of pain.001 that is not read' : 'not a file of payments'}. Export it as ${read.join(' or ')}.`,
  PAYMENTS_METHOD_NOT_PAID: ({ method }) =>
    `The file has payments of the method ${quotedId(method)}, but Payrun pays only transfers (TRF). Remove the other payments.`,
  PAYMENTS_NEED_EXCHANGE: ({ transaction, id }) =>
    `Transaction ${transaction} (${id}) gives its amount in another currency (EqvtAmt), but Payrun does not exchange currencies. Export it with the amount that is paid (InstdAmt).`,
  PAYMENTS_TOTAL_DIFFERS: ({ group, element, says, found }) =>
    `${groupOf(group)} has a wrong ${element === 'CtrlSum' ? 'sum of its amounts' : 'number of transactions'} (${element}): it says ${quotedId(says)}, and has ${found}. ${exportAgain}`,
  SHEET_NOT_THERE: ({ sheet, sheets }) => `The workbook has no sheet '${sheet}'. It has ${list(sheets)}.`,
  SHEET_HIDDEN: ({ sheet }, to) =>
    `The sheet '${sheet}' is hidden. Show it in Excel${atTerminal(to, ', or add --include-hidden')}.`,
  SHEETS_HIDDEN: () => 'Every sheet of the workbook is hidden. Show the one to be paid.',
  SHEETS_SEVERAL: ({ sheets }, to) =>
    `The workbook has ${sheets.length} sheets that look like payouts: ${list(sheets)}. ${choose(to)}.`,
  SHEET_MAY_BE_MISSPELT: ({ sheets, misspelt }, to) =>
    `The sheet ${list(sheets)} has payouts, and ${list(misspelt)} looks like payouts with misspelt column names. ${choose(to)}, or correct the names.`,
  WORKBOOK_EMPTY: () => 'The workbook is empty. A sheet needs a header and at least one row.',
  SHEETS_LACK_HEADER: ({ sheets }, to) =>
    `No sheet of the workbook (${list(sheets)}) has a header with three or more column names that Payrun knows. ${choose(to)}${atTerminal(to, `, and \`${typed('check')}\` prints a map to start from; or see \`${typed('template')}\``)}.`,
};
