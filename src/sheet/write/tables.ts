/** Writes the sheets that Payrun adds to a workbook: a summary and tables. */
import type { FileHandle } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type { Row as ExcelRow, stream } from 'exceljs';
import { fittingText } from '../file/limits.ts';
import {
  barFont,
  barOf,
  barWidth,
  fitted,
  font,
  headStyle,
  heightFor,
  ink,
  printFooter,
  printSetup,
  solid,
  thinLine,
} from '../xlsx/style/palette.ts';
import { encodeEscapes } from '../xml/xml.ts';
import { originWord } from './output-names.ts';

export type Value = string | number | null;

/** A part of a whole, from 0 to 1. The workbook draws it as a bar. */
interface Share {
  readonly share: number;
}

export type TableValue = Value | Share;

export interface Table {
  readonly title: string;
  /** Only a table with its own sheet shows the note. */
  readonly note?: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly TableValue[])[];
}

/** A table on a sheet of its own. A writer asks for its rows after the rows of the result, so that they are as new. */
export interface FurtherTable extends Omit<Table, 'rows'> {
  rows(): Promise<Table['rows']>;
}

export interface Summary {
  readonly title: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly tables: readonly Table[];
}

export type Book = stream.xlsx.WorkbookWriter;
export type BookSheet = ReturnType<Book['addWorksheet']>;

export async function writeBook(
  handle: FileHandle,
  { title, now, origin = null }: { readonly title?: string; readonly now?: number; readonly origin?: string | null },
  fill: (book: Book) => void | Promise<void>,
): Promise<void> {
  const { default: Excel } = await import('exceljs');
  const out = new PassThrough();
  const book = new Excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: true });
  book.creator = 'Payrun';
  book.lastModifiedBy = 'Payrun';
  if (title !== undefined) book.title = title;
  // Stores `origin`, the id of the upload, in the keywords. Spreadsheet programs keep keywords when they save the file.
  if (origin !== null) book.keywords = originWord + origin;
  if (now !== undefined) book.created = book.modified = new Date(now);
  await fill(book);
  await Promise.all([book.commit(), copyTo(handle, out)]);
}

async function copyTo(handle: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) await handle.appendFile(chunk);
}

/** Sets exceljs's row counter first, because exceljs itself needs half a minute to count to row 20,000. */
export function rowBelow(sheet: BookSheet, number: number): ExcelRow {
  (sheet as unknown as { _rowZero: number })._rowZero = number;
  return sheet.getRow(number);
}

export const textValue = (text: string): string => encodeEscapes(fittingText(text));

export function writeSummary(book: Book, summary: Summary): void {
  const sheet = book.addWorksheet('Summary', {
    views: [{ showGridLines: false, state: 'normal' }],
    pageSetup: printSetup,
    headerFooter: printFooter,
    properties: { tabColor: { argb: ink.ours } },
  });
  const columnCount = Math.max(2, ...summary.tables.map(({ header }) => header.length));
  for (let index = 0; index < columnCount; index++) {
    // If a table is narrower than the sheet, its last column sets no width: long texts can overflow to the right.
    const shaping = summary.tables.filter(({ header }) => index < header.length - 1 || header.length === columnCount);
    const texts = [
      ...summary.facts.map((fact) => (index === 0 ? fact[0].length : 0)),
      ...shaping.flatMap((table) => [
        table.header[index]?.length ?? 0,
        ...table.rows.map((row) => valueLength(row[index] ?? null)),
      ]),
    ];
    sheet.getColumn(index + 1).width = fitted(Math.max(...texts, index < 2 ? 16 : 10) + 2);
  }
  let number = 1;
  writeHeading(sheet.getRow(number), summary.title, 18);
  number += 2;
  for (const [label, value] of summary.facts) {
    const row = sheet.getRow(number++);
    row.getCell(1).value = textValue(label);
    row.getCell(1).font = font({ argb: ink.soft });
    row.getCell(2).value = textValue(value);
    row.getCell(2).font = font();
    row.getCell(2).numFmt = '@';
    row.commit();
  }
  for (const table of summary.tables) {
    number++;
    writeHeading(sheet.getRow(number++), table.title, 13);
    number = writeTableAt(sheet, number, table, columnCount);
  }
  sheet.commit();
}

export function writeTable(book: Book, name: string, table: Table): void {
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: 3, xSplit: 0, showGridLines: false }],
    pageSetup: { ...printSetup, printTitlesRow: '3:3' },
    headerFooter: printFooter,
  });
  table.header.forEach((header, index) => {
    const longest = table.rows.reduce((most, row) => Math.max(most, valueLength(row[index] ?? null)), header.length);
    sheet.getColumn(index + 1).width = fitted(longest + 2, widestColumn);
  });
  writeHeading(sheet.getRow(1), table.title, 15);
  if (table.note !== undefined) {
    const note = sheet.getRow(2);
    note.getCell(1).value = textValue(table.note);
    note.commit();
  }
  if (table.rows.length > 0)
    sheet.autoFilter = { from: { row: 3, column: 1 }, to: { row: 3 + table.rows.length, column: table.header.length } };
  writeTableAt(sheet, 3, table, table.header.length);
  sheet.commit();
}

function writeHeading(row: ExcelRow, text: string, size: number): void {
  row.height = Math.round(size * 1.7);
  const cell = row.getCell(1);
  cell.value = textValue(text);
  cell.font = font({ size, bold: true, argb: ink.theirs });
  cell.alignment = { vertical: 'middle' };
  row.commit();
}

const widestColumn = 80;

function writeTableAt(sheet: BookSheet, from: number, table: Table, width: number): number {
  let number = from;
  // A table that is narrower than the sheet needs no wrapping, because long texts can overflow to the right.
  const wraps = width === table.header.length;
  const numeric = table.header.map((_, index) => isNumeric(table, index));
  const head = sheet.getRow(number++);
  head.height = 20;
  for (let index = 0; index < width; index++) {
    const cell = head.getCell(index + 1);
    cell.value = textValue(table.header[index] ?? '');
    const horizontal = numeric[index] === true ? 'right' : 'left';
    cell.style = { ...headStyle(ink.theirs), alignment: { vertical: 'middle', horizontal, indent: 1 } };
  }
  head.commit();
  table.rows.forEach((values, line) => {
    const row = sheet.getRow(number++);
    for (let index = 0; index < width; index++) {
      const cell = row.getCell(index + 1);
      const value = values[index] ?? null;
      const isNumber = typeof value === 'number';
      const isBar = typeof value === 'object' && value !== null;
      if (value !== null && value !== '') cell.value = isNumber ? value : textValue(plainText(value));
      const room = sheet.getColumn(index + 1).width ?? widestColumn;
      const wrapText = wraps && typeof value === 'string' && value.length > room - 4;
      if (wrapText) row.height = Math.max(row.height ?? 0, heightFor(value, room));
      cell.style = {
        numFmt: isNumber ? numberFormat(value) : '@',
        font: font(isBar ? { ...barFont, argb: ink.ours } : {}),
        border: thinLine,
        alignment: { vertical: isBar ? 'middle' : 'top', horizontal: isNumber ? 'right' : 'left', indent: 1, wrapText },
        ...(line % 2 === 1 ? { fill: solid(ink.band) } : {}),
      };
    }
    row.commit();
  });
  return number;
}

export const plainValue = (value: TableValue): Value =>
  typeof value === 'object' && value !== null ? barOf(value.share) : value;

const plainText = (value: TableValue): string => String(plainValue(value) ?? '');

export function numberFormat(value: number): string {
  // Shows up to eight decimals, because a fee in Bitcoin can have eight.
  return Number.isInteger(value) ? '#,##0' : '#,##0.00######';
}

function isNumeric(table: Table, index: number): boolean {
  const values = table.rows.map((row) => row[index]).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

function valueLength(value: TableValue): number {
  if (value === null) return 0;
  if (typeof value === 'object') return barWidth - 4;
  return typeof value === 'number' ? Math.ceil(String(value).length * 1.34) : value.length;
}
