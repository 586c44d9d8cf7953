/** The words of reasons why a sheet is refused as a whole. Each one is a whole sentence. */
import type { FaultFacts, ForeignKind } from '../../base/faults/fault.ts';
import { type Audience, atTerminal } from '../audience.ts';
import { typed } from '../format/program.ts';
import type { FaultWords } from '../passage.ts';

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

export const sheetFaults = {
  'file-empty': 'The file is empty. A sheet needs a header and at least one row.',
  'foreign-file': ({ kind }) => `The file is ${foreign[kind]}`,
  'file-is-hostile': 'The file has content that no usual program writes. Do not trust this file.',
  'csv-has-one-sheet': (_, to) => `A CSV file has only one sheet${atTerminal(to, '; leave --sheet out')}.`,
  'csv-in-unknown-encoding':
    'The text of the file is damaged, or in an encoding that Payrun does not read, so its letters would be wrong. Save it as UTF-8 (in Excel: "CSV UTF-8"), or as .xlsx.',
  'csv-has-zeros':
    'The file has zero bytes in place of text: it is damaged, and rows may be missing. Copy it or export it again.',
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
  'workbook-has-objects':
    'The workbook has macro sheets, controls or embedded files. Save the sheet alone as .xlsx or .csv.',
  'workbook-is-damaged': ({ row }) =>
    `The workbook is damaged${row === null ? '' : ` in row ${row}`}, or two programs could read it differently. ${saveAgain}`,
  'workbook-row-is-too-large': ({ row }) => `Row ${row} of the workbook is larger than 16 MiB. ${right}`,
  'workbook-is-too-wide': ({ row, column, most }) =>
    `The sheet uses column ${column} (row ${row}); more than ${most} columns are not read. ${right}`,
  'zip-part-is-damaged': ({ part }) =>
    `The workbook's part ${shown(part)} is damaged, or two programs could read it differently. ${saveAgain}`,
  'zip-part-swells': ({ part, mebibytes }) =>
    `The workbook's part ${shown(part)} unpacks to ${mebibytes} MiB from very little. Delete empty formatted rows and columns, save it again, or save the sheet as CSV.`,
  'zip-has-too-many-parts': ({ count, most }) =>
    `The workbook has ${count} parts, more than ${most}. Save only the sheet to be paid.`,
  'zip-is-too-large': 'The workbook unpacks to more than 1 GiB. Split the sheet, or save it as CSV.',
  'reader-is-late': ({ seconds }) => `The workbook could not be read within ${seconds} seconds. ${saveElse}`,
  'reader-lacks-memory': 'The workbook needs too much memory to be read. Split the sheet, or save it as CSV.',
  'reader-answer-is-unreadable': `The workbook could not be read (unreadable answer). ${saveElse}`,
  'reader-failed': ({ how }) => `The workbook could not be read (${how}). ${saveElse}`,
  'xml-is-cut': 'The file is damaged: it is not XML to its end. Export it again.',
  'xml-is-not-utf8': 'The text of the file is not UTF-8. Export it again as UTF-8.',
  'payments-amount-is-no-decimal': ({ transaction, id }) =>
    `The amount of transaction ${transaction} (${id}) is no decimal. Export the file again.`,
  'payments-are-malformed': ({ element }) =>
    `The file is no valid pain.001, because of its element ${element}. Export it again.`,
  'payments-are-none': 'The file holds no transaction.',
  'payments-version-is-not-read': ({ version, isPayments, read }) =>
    `The file is ${version}, ${isPayments ? 'a version of pain.001 that is not read' : 'not a file of payments'}. Export it as ${read.join(' or ')}.`,
  'payments-method-is-not-paid': ({ method }) =>
    `The file has payments of the method ${quotedId(method)}, but Payrun pays only transfers (TRF). Remove the other payments.`,
  'payments-need-exchange': ({ transaction, id }) =>
    `Transaction ${transaction} (${id}) gives its amount in another currency (EqvtAmt), but Payrun does not exchange currencies. Export it with the amount that is paid (InstdAmt).`,
  'payments-total-differs': ({ group, element, says, found }) =>
    `${groupOf(group)} has a wrong ${element === 'CtrlSum' ? 'sum of its amounts' : 'number of transactions'} (${element}): it says ${quotedId(says)}, and has ${found}. ${exportAgain}`,
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
    `No sheet of the workbook (${list(sheets)}) has a header with three or more column names that Payrun knows. ${choose(to)}${atTerminal(to, `, and \`${typed('check')}\` prints a map to start from; or see \`${typed('template')}\``)}.`,
} satisfies Partial<FaultWords<FaultFacts>>;
