/** The words of reasons why a sheet is refused as a whole. Each one is a whole sentence. */
import type { ForeignKind, SheetFaults } from '../../base/faults/fault.ts';
import { type Audience, atTerminal } from '../audience.ts';
import type { FaultWords } from '../passage.ts';

const saveAs = 'Save it as .xlsx or .csv, and submit that file.';
const saveAsPlain = 'Save the sheet alone as .xlsx or .csv.';
const saveAgain = 'Open it in Excel or LibreOffice, save it as .xlsx again, and submit that file.';
const saveElse = 'Open it in Excel or LibreOffice and save it as .xlsx again, or save the sheet as CSV.';
const ambiguous = 'two programs could read it differently. Open it in Excel or LibreOffice and save it as .xlsx again.';
const distrust = 'Do not trust this file.';
const right = 'Is it the right file?';
const damaged = 'The workbook is damaged:';
const exportAgain = 'Something in it is missing, added or changed: nothing is paid. Export the file again.';
const tooFar = ({ row }: { readonly row: number }) =>
  `The workbook has a cell right of the last column, in row ${row}. ${distrust}`;

const madeFrom =
  'not a sheet. Submit the sheet from which it was made, as .xlsx or .csv. A different file name does not help.';
const unpack = 'not a sheet. Unpack it, and submit the sheet that is in it.';
const notWorkbook = `not an .xlsx workbook. ${saveAs}`;

const foreign: { readonly [K in ForeignKind]: string } = {
  pdf: `a PDF document, ${madeFrom}`,
  picture: `a picture, ${madeFrom}`,
  rtf: `a text document (RTF), ${madeFrom}`,
  gzip: `a compressed file (gzip), ${unpack}`,
  '7z': `a compressed file (7z), ${unpack}`,
  rar: `a compressed file (RAR), ${unpack}`,
  sqlite: `a database, ${madeFrom}`,
  'broken-archive': `a damaged or empty archive. ${saveAs}`,
  sylk: `a symbolic-link file (SYLK). ${saveAs}`,
  dif: `a data-interchange file (DIF). ${saveAs}`,
  'web-page': `a web page. ${saveAs}`,
  xml: `XML. ${saveAs}`,
  json: `JSON. ${saveAs}`,
  'old-excel': `in an old Excel format (.xls), or another Office file. ${saveAs}`,
  xlsb: `a binary workbook (.xlsb), ${notWorkbook}`,
  word: `a Word document, ${notWorkbook}`,
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

export const sheetFaults: FaultWords<SheetFaults> = {
  'file-empty': 'The file is empty. A sheet needs a header and at least one row.',
  'foreign-file': ({ kind }) => `The file is ${foreign[kind]}`,
  'csv-has-one-sheet': (_, to) => `A CSV file has only one sheet${atTerminal(to, '; leave --sheet out')}.`,
  'csv-in-old-encoding':
    'The text of the file seems to be in an old encoding of Mac or DOS programs (Mac Roman or CP850), and its letters would be read wrongly. Save it as UTF-8: in Excel as "CSV UTF-8", elsewhere as Unicode (UTF-8).',
  'csv-in-unknown-encoding':
    'The text of the file is neither UTF-8 nor Windows-1252, nor UTF-16 with its mark. In Excel, save it as "CSV UTF-8", or as .xlsx.',
  'csv-has-zeros':
    'The file has zeros in its middle or at its end: it is damaged, or was not written to its end, and rows may be missing. Copy it or export it again.',
  'csv-is-binary': `The file is neither a CSV text nor an Excel workbook. ${saveAs}`,
  'csv-row-is-too-wide': ({ row, most }) => `Row ${row} has more than ${most} columns. ${right}`,
  'csv-row-does-not-end': ({ row, line }) =>
    `Row ${row}, which begins in line ${line}, does not end: a quotation mark in it is never closed, or it is longer than 64 KiB. Close the mark, or delete it.`,
  'csv-quote-within-value': ({ row, line }) =>
    `Line ${line} (row ${row}) has a quotation mark inside a value. Write such a value in quotes and its own marks twice ("Joe ""Jo"" Doe"), or delete the mark.`,
  'csv-is-unreadable': ({ row, line, detail }) => `Row ${row} (line ${line}) cannot be read as CSV: ${detail}`,
  'workbook-is-labelled':
    'The workbook is protected by a sensitivity label. Remove the label (Home, Sensitivity), or export a copy as .csv, and submit that file.',
  'workbook-is-locked':
    'The workbook is protected by a password. Remove the password (File, Info, Protect Workbook) and save it again.',
  'workbook-has-macros': 'The workbook has macros (.xlsm). Save it as .xlsx, without macros, and submit that file.',
  'workbook-has-links':
    'The workbook has links to other workbooks. Break them (Data, Edit Links, Break Link), save it, and submit it again.',
  'workbook-has-controls': `The workbook has ActiveX or form controls. ${saveAsPlain}`,
  'workbook-has-files': `The workbook has other files embedded in it. ${saveAsPlain}`,
  'workbook-has-macro-sheets': `The workbook has macro sheets. ${saveAsPlain}`,
  'workbook-parts-share-key': `${damaged} two of its parts have the same key, so ${ambiguous}`,
  'workbook-sheet-lacks-content': ({ sheet }) => `${damaged} the content of the sheet '${sheet}' is missing.`,
  'workbook-sheets-share-name': ({ sheet }) => `${damaged} two sheets have the name '${sheet}', so ${ambiguous}`,
  'workbook-sheets-share-content': `${damaged} two sheets have the same content, so ${ambiguous}`,
  'workbook-has-no-cells': 'The workbook holds no sheet with cells.',
  'workbook-format-is-too-long': `The workbook has a number format that is longer than any program writes. ${distrust}`,
  'workbook-text-is-too-long': `${damaged} one of its texts is longer than a cell can be.`,
  'workbook-row-is-too-large': ({ row }) => `Row ${row} of the workbook is larger than 16 MiB. ${right}`,
  'workbook-row-is-too-far': ({ row, most }) =>
    `The workbook has a row ${row}; no sheet has more than ${most}. ${distrust}`,
  'workbook-row-is-out-of-order': ({ row, after }) =>
    `${damaged} row ${row} comes after row ${after}. Save it again in Excel or LibreOffice.`,
  'workbook-cell-is-out-of-order': ({ row, column }) =>
    `${damaged} row ${row} holds the cell ${column}${row} twice or out of order.`,
  'workbook-cell-is-too-far': tooFar,
  'workbook-cell-lacks-text': ({ row, column }) => `${damaged} the text of ${column}${row} is missing.`,
  'workbook-cell-is-misplaced': ({ row, says }) => `${damaged} row ${row} holds a cell that says it is '${says}'.`,
  'workbook-is-too-wide': ({ row, column, most }) =>
    `The sheet uses column ${column} (row ${row}); more than ${most} columns are not read. ${right}`,
  'workbook-has-dtd': `The workbook holds a document type declaration, which no spreadsheet program writes. ${distrust}`,
  'workbook-part-is-not-xml': `${damaged} one of its parts is not XML. Open it in Excel or LibreOffice and save it as .xlsx again.`,
  'workbook-is-too-deep': ({ most }) =>
    `The workbook holds elements more than ${most} deep, which no spreadsheet program writes. ${distrust}`,
  'zip-part-is-twice': ({ part }) =>
    `The workbook holds the part ${shown(part)} twice, so two programs could read it differently. ${saveAgain}`,
  'zip-part-is-too-large': ({ part }) => `The workbook's part ${shown(part)} is too large. ${saveAgain}`,
  'zip-part-is-packed-strangely': ({ part }) =>
    `The workbook's part ${shown(part)} is packed in an unusual way. ${saveAgain}`,
  'zip-part-points-outside': ({ part }) =>
    `The workbook holds a part with the name ${shown(part)}, which points outside it. ${distrust}`,
  'zip-part-swells': ({ part, mebibytes }) =>
    `The workbook's part ${shown(part)} unpacks to ${mebibytes} MiB from very little. Delete empty formatted rows and columns, save it again, or save the sheet as CSV.`,
  'zip-part-is-elsewhere': ({ part }) =>
    `${damaged} the part ${shown(part)} is not where its directory says. ${saveAgain}`,
  'zip-part-overlaps': ({ part }) => `${damaged} the part ${shown(part)} overlaps another. ${distrust}`,
  'zip-part-differs': ({ part }) =>
    `${damaged} the content of ${shown(part)} is not what its directory says. ${saveAgain}`,
  'zip-lacks-directory': `The workbook is cut off or damaged: its directory is missing. ${saveAgain}`,
  'zip-directory-is-misplaced': `${damaged} its directory is not where it should be. ${saveAgain}`,
  'zip-directory-is-unreadable': `${damaged} its directory cannot be read. ${saveAgain}`,
  'zip-has-too-many-parts': ({ count, most }) =>
    `The workbook has ${count} parts, more than ${most}. Save only the sheet to be paid.`,
  'zip-is-zip64': `The workbook is packed for files above 4 GiB (zip64). ${saveAgain}`,
  'zip-is-encrypted': 'The workbook is encrypted. Remove the password and save it again.',
  'zip-is-too-large': 'The workbook unpacks to more than 1 GiB. Split the sheet, or save it as CSV.',
  'reader-answers-nonsense': `The workbook could not be read: its reader answered nonsense. ${saveElse}`,
  'reader-is-late': ({ seconds }) => `The workbook could not be read within ${seconds} seconds. ${saveElse}`,
  'reader-lacks-memory': ({ mebibytes }) =>
    mebibytes === null
      ? `The workbook needs too much memory to be read. ${saveElse}`
      : `The workbook needs more than ${mebibytes} MiB of memory to be read. Split the sheet, or save it as CSV.`,
  'reader-ended': ({ how }) => `The workbook could not be read: its reader ended (${how}). ${saveElse}`,
  'reader-failed': ({ detail }) => `The workbook could not be read (${detail}). Save the sheet as CSV.`,
  'reader-did-not-start': ({ detail }) =>
    `The workbook cannot be read: its reader did not start (${detail}). Save the sheet as CSV.`,
  'xml-is-cut': 'The file is damaged: it is not XML to its end. Export it again.',
  'xml-is-not-utf8': ({ encoding }) =>
    encoding === null
      ? 'The text of the file is not UTF-8. Export it again as UTF-8.'
      : `The file says that its text is ${encoding}. Export it again as UTF-8.`,
  'xml-text-is-too-long': 'The file holds a text or a tag that is longer than any program writes.',
  'xml-has-dtd': `The file holds a document type declaration, which no bank file has. ${distrust}`,
  'xml-is-too-deep': ({ most }) => `The file holds elements more than ${most} deep. ${distrust}`,
  'payments-lack-header': 'The file of payments has no header.',
  'payments-text-holds-element': ({ element }) =>
    `The file holds an element inside the text of ${element}. Export it again.`,
  'payments-element-holds-text': ({ element }) => `The file holds a text beside the elements of ${element}.`,
  'payments-value-is-too-long': ({ element }) => `The file's ${element} is longer than any payment may say.`,
  'payments-value-is-twice': ({ element }) =>
    `The file says ${element} twice where it may stand once, so two programs could read it differently.`,
  'payments-amount-is-no-decimal': ({ transaction, id }) =>
    `The amount of transaction ${transaction} (${id}) is no decimal. Export the file again.`,
  'payments-are-none': 'The file holds no transaction.',
  'payments-version-is-not-read': ({ version, isPayments, read }) =>
    `The file is ${version}, ${isPayments ? 'a version of pain.001 that is not read' : 'no file of payments to be made'}. Export it as ${read.join(' or ')}.`,
  'payments-are-of-other-kind': ({ element }) =>
    `The file holds ${element}, where a pain.001 holds CstmrCdtTrfInitn. Export it again.`,
  'payments-are-out-of-order': ({ element }) =>
    `The file is no pain.001: what belongs before or into ${element} does not stand there. Export it again.`,
  'payments-method-is-not-paid': ({ method }) =>
    `The file has payments of the method ${quotedId(method)}, and only transfers (TRF) are paid. Take the others out.`,
  'payments-need-exchange': ({ transaction, id }) =>
    `Transaction ${transaction} (${id}) says its amount in another currency (EqvtAmt), and nothing is exchanged. Export it with the amount that is paid (InstdAmt).`,
  'payments-count-differs': ({ group, says, found }) =>
    `${groupOf(group)} says that it has ${quotedId(says)} transactions (NbOfTxs), and it has ${found}. ${exportAgain}`,
  'payments-sum-differs': ({ group, says, found }) =>
    `${groupOf(group)} says that its amounts add up to ${quotedId(says)} (CtrlSum), and they add up to ${found}. ${exportAgain}`,
  'sheet-is-not-there': ({ sheet, sheets }) => `The workbook has no sheet '${sheet}'. It has ${list(sheets)}.`,
  'sheet-is-hidden': ({ sheet }, to) =>
    `The sheet '${sheet}' is hidden. Show it in Excel${atTerminal(to, ', or add --include-hidden')}.`,
  'sheets-are-hidden': 'Every sheet of the workbook is hidden. Show the one to be paid.',
  'sheets-are-several': ({ sheets }, to) =>
    `The workbook has ${sheets.length} sheets that look like payouts: ${list(sheets)}. ${choose(to)}.`,
  'sheet-may-be-misspelt': ({ sheets, misspelt }, to) =>
    `The sheet ${list(sheets)} has payouts, and ${list(misspelt)} looks like payouts with misspelt column names. ${choose(to)}, or correct the names.`,
  'workbook-is-empty': 'The workbook is empty. A sheet needs a header and at least one row.',
  'sheets-lack-header': ({ sheets }, to) =>
    `No sheet of the workbook (${list(sheets)}) has a header with three or more column names that Payrun knows. ${choose(to)}${to === 'page' ? '' : ', and `payrun check` prints a map to start from; or see `payrun template`'}.`,
};
