/** What our workbooks are made with: the person's cells as they were, tables, and a first sheet that says it all in short. */
import type { FileHandle } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type { CellValue, Cell as ExcelCell, Row as ExcelRow, stream } from 'exceljs';
import { type Cell, shownText } from '../domain/cell.ts';
import { columnName } from './column-name.ts';
import { fittingText, isErrorWord, noValue } from './limits.ts';
import { fitted, font, ink, printSetup, solid, thinLine } from './look.ts';
import type { StoredCell } from './rows.ts';
import { encodeEscapes } from './xml.ts';

/** From 1904 to 1900 day counting. */
const daysFrom1900To1904 = 1462;

export type Value = string | number | null;

export interface Table {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

export interface Summary {
  readonly title: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly tables: readonly Table[];
}

export type Book = stream.xlsx.WorkbookWriter;
export type BookSheet = ReturnType<Book['addWorksheet']>;

/** Makes a workbook and writes it; `title` and `now` become properties of the file. */
export async function writeBook(
  handle: FileHandle,
  { title, now }: { readonly title?: string; readonly now?: number },
  fill: (book: Book) => void | Promise<void>,
): Promise<void> {
  const { default: Excel } = await import('exceljs');
  const out = new PassThrough();
  const book = new Excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: true });
  book.creator = 'Payrun';
  book.lastModifiedBy = 'Payrun';
  if (title !== undefined) book.title = title;
  if (now !== undefined) book.created = book.modified = new Date(now);
  await fill(book);
  await Promise.all([book.commit(), copyTo(handle, out)]);
}

async function copyTo(handle: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) await handle.appendFile(chunk);
}

/** The person's sheet in a workbook of ours: their columns, then ours, under a header that stays in sight. */
export interface Grid {
  readonly name: string;
  readonly headerRow: number;
  readonly lastRow: number;
  /** Of each column, in characters. */
  readonly widths: readonly number[];
  /** How many columns, from the left, go on paper. */
  readonly printed: number;
  /** Over several sheets of paper side by side where one would be too small to read: these columns are on each. */
  readonly repeated?: number;
}

/** So many characters are legible across one page. */
const pageCharacters = 220;

export function addGrid(book: Book, { name, headerRow, lastRow, widths, printed, repeated }: Grid): BookSheet {
  const width = widths.slice(0, printed).reduce((sum, one) => sum + one, 0);
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: headerRow, xSplit: 0, zoomScale: 100 }],
    pageSetup: {
      ...printSetup,
      ...(repeated === undefined ? {} : { fitToWidth: Math.ceil(width / pageCharacters), pageOrder: 'overThenDown' }),
    },
    headerFooter: { oddFooter: '&L&A&RPage &P of &N' },
  });
  widths.forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
  });
  sheet.autoFilter = { from: { row: headerRow, column: 1 }, to: { row: lastRow, column: widths.length } };
  // What is named on a sheet with an apostrophe exceljs writes so that Excel finds the file damaged.
  if (name.includes("'")) return sheet;
  sheet.pageSetup.printTitlesRow = `${headerRow}:${headerRow}`;
  if (repeated !== undefined) sheet.pageSetup.printTitlesColumn = `A:${columnName(repeated - 1)}`;
  // It writes `$` before the columns only.
  sheet.pageSetup.printArea = `A$1:${columnName(Math.min(widths.length, printed) - 1)}$${lastRow}`;
  return sheet;
}

/**
 * A row further down; every one before it is committed. exceljs would look at each number between them, and takes half a minute
 * for twenty thousand: it is told that this row is the next.
 */
export function rowBelow(sheet: BookSheet, number: number): ExcelRow {
  (sheet as unknown as { _rowZero: number })._rowZero = number;
  return sheet.getRow(number);
}

/** The person's own widths where the workbook had them, else as wide as the longest text. */
export function theirWidths(
  headers: readonly string[],
  rows: Iterable<readonly Cell[]>,
  given: (index: number) => number | undefined,
): number[] {
  const longest = headers.map((text) => text.length);
  for (const cells of rows)
    for (let index = 0; index < longest.length; index++)
      longest[index] = Math.max(longest[index]!, shownText(cells[index] ?? '').length);
  // A little more than the letters, for the filter's arrow.
  return longest.map((length, index) => given(index) ?? fitted(length + 2));
}

/** From day counting since 1904, as old workbooks of a Mac have it, to the one that ours have. */
export function dayShift({ date1904 }: { readonly date1904: boolean }): number {
  return date1904 ? daysFrom1900To1904 : 0;
}

export function headCell(cell: ExcelCell, argb: string): void {
  cell.font = font({ bold: true, argb: ink.white });
  cell.fill = solid(argb);
  cell.alignment = { vertical: 'middle' };
}

/** Numbers as numbers, text as text: a phone number that begins with + must not become a sum. */
export function putCell(target: ExcelCell, cell: Cell, shift: number): void {
  if (typeof cell === 'string') {
    target.value = textValue(cell);
    target.numFmt = '@';
    return;
  }
  const format = (cell as StoredCell).format ?? null;
  const number = Number(cell.text);
  const isDate = cell.kind === 'date';
  if ((cell.kind === 'number' || isDate) && cell.text !== '' && Number.isFinite(number)) {
    target.value = isDate ? number + shift : number;
    if (format !== null) target.numFmt = format;
  } else if (cell.kind === 'boolean') target.value = cell.text === 'TRUE';
  else if (cell.kind === 'error' || cell.kind === 'uncached') {
    // No value is not an empty cell: what could not be read must not be left out when the file is handed in.
    target.value = { error: isErrorWord(cell.text) ? cell.text : noValue } as CellValue;
  } else {
    target.value = textValue(cell.shown);
    target.numFmt = '@';
  }
}

export function putValue(target: ExcelCell, value: Value, text: boolean): void {
  if (value === null || value === '') return;
  if (typeof value === 'number' && !text) {
    target.value = value;
    target.numFmt = numberFormat(value);
    // Off the edge, where the next column's text begins.
    target.alignment = { horizontal: 'right', indent: 1 };
    return;
  }
  target.value = textValue(String(value));
  target.numFmt = '@';
}

export function textValue(text: string): string {
  return encodeEscapes(fittingText(text));
}

export function writeSummary(book: Book, summary: Summary): void {
  const sheet = book.addWorksheet('Summary', {
    views: [{ showGridLines: false, state: 'normal' }],
    pageSetup: printSetup,
    properties: { tabColor: { argb: ink.ours } },
  });
  const columnCount = Math.max(2, ...summary.tables.map(({ header }) => header.length));
  for (let index = 0; index < columnCount; index++) {
    // The last column of a table may run out to the right; it must not push the others' numbers apart.
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
  const title = sheet.getRow(number);
  title.height = 30;
  title.getCell(1).value = textValue(summary.title);
  title.getCell(1).font = font({ size: 18, bold: true, argb: ink.theirs });
  title.getCell(1).alignment = { vertical: 'middle' };
  title.commit();
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
    const head = sheet.getRow(number++);
    head.height = 22;
    head.getCell(1).value = textValue(table.title);
    head.getCell(1).font = font({ size: 13, bold: true, argb: ink.theirs });
    head.commit();
    number = writeTableAt(sheet, number, table, columnCount);
  }
  sheet.commit();
}

/** A sheet of its own for one table; its title is the first row, its header stays in sight. */
export function writeTable(book: Book, name: string, table: Table): void {
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: 3, xSplit: 0, showGridLines: false }],
    pageSetup: { ...printSetup, printTitlesRow: '3:3' },
  });
  table.header.forEach((header, index) => {
    const longest = Math.max(header.length, ...table.rows.map((row) => valueLength(row[index] ?? null)));
    sheet.getColumn(index + 1).width = fitted(longest + 2);
  });
  const title = sheet.getRow(1);
  title.height = 26;
  title.getCell(1).value = textValue(table.title);
  title.getCell(1).font = font({ size: 15, bold: true, argb: ink.theirs });
  title.commit();
  if (table.rows.length > 0) {
    sheet.autoFilter = { from: { row: 3, column: 1 }, to: { row: 3 + table.rows.length, column: table.header.length } };
  }
  writeTableAt(sheet, 3, table, table.header.length);
  sheet.commit();
}

/** Of the last column of a table, which wraps what is longer. */
const widestText = 60;

/** Header and rows from the given row on, in bands of `width` columns; answers the first row below. */
function writeTableAt(sheet: BookSheet, from: number, table: Table, width: number): number {
  let number = from;
  const numeric = table.header.map((_, index) => isNumeric(table, index));
  const head = sheet.getRow(number++);
  head.height = 20;
  for (let index = 0; index < width; index++) {
    const cell = head.getCell(index + 1);
    cell.value = textValue(table.header[index] ?? '');
    headCell(cell, ink.theirs);
    cell.alignment = { vertical: 'middle', horizontal: numeric[index] === true ? 'right' : 'left', indent: 1 };
  }
  head.commit();
  table.rows.forEach((values, line) => {
    const row = sheet.getRow(number++);
    for (let index = 0; index < width; index++) {
      const cell = row.getCell(index + 1);
      const value = values[index] ?? null;
      if (typeof value === 'number') {
        cell.value = value;
        cell.numFmt = numberFormat(value);
      } else putValue(cell, value, true);
      cell.font = font();
      cell.border = thinLine;
      const horizontal = typeof value === 'number' ? 'right' : 'left';
      const wrapText = width === table.header.length && valueLength(value) > widestText;
      if (wrapText) row.height = heightFor([[String(value), widestText]]);
      cell.alignment = { vertical: 'top', horizontal, indent: 1, wrapText };
      if (line % 2 === 1) cell.fill = solid(ink.band);
    }
    row.commit();
  });
  return number;
}

/** A row's height for texts that wrap in columns of a width: not every program finds it by itself. */
export function heightFor(texts: readonly (readonly [text: string, width: number])[]): number {
  const lines = texts.map(([text, width]) =>
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0),
  );
  return Math.min(tallestRow, Math.max(1, ...lines) * rowHeight);
}

const rowHeight = 15;
/** Excel's limit. */
const tallestRow = 409;

function numberFormat(value: number): string {
  // Bitcoin fees have up to eight decimals.
  return Number.isInteger(value) ? '#,##0' : '#,##0.00######';
}

function isNumeric(table: Table, index: number): boolean {
  const values = table.rows.map((row) => row[index]).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

function valueLength(value: Value): number {
  return value === null ? 0 : typeof value === 'number' ? Math.ceil(String(value).length * 1.34) : value.length;
}
