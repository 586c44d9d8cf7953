/** Copies the uploaded sheet with its styles into a new workbook, and adds Payrun's columns in the sheet's font. */
import type { CellValue, Cell as ExcelCell, Row as ExcelRow, Font } from 'exceljs';
import { given } from '../../base/words.ts';
import { type Cell, shownText } from '../../domain/rows/cell.ts';
import { type CellRange, columnName } from '../columns/column-name.ts';
import { isErrorWord, maxWidth, noValue } from '../file/limits.ts';
import type { StoredCell } from '../file/raw-row.ts';
import type { Sheet } from '../open.ts';
import { type CellStyle, derived, isPlain } from '../xlsx/style/cell-style.ts';
import {
  fitted,
  font,
  headStyle,
  heightFor,
  ink,
  pagesWide,
  printFooter,
  printSetup,
  solid,
  type Tone,
  tones,
} from '../xlsx/style/palette.ts';
import type { SheetLook } from '../xlsx/style/sheet-appearance.ts';
import { type Book, type BookSheet, numberFormat, rowBelow, textValue, type Value } from './tables.ts';

/** Old Mac workbooks count days from 1904. All other workbooks count days from 1900. */
const daysFrom1900To1904 = 1462;
/** Heights in points: `headHeight` for a header that Payrun styles, `plainHeight` for a blank row without a height. */
const headHeight = 22;
const plainHeight = 15;

export interface GridPlan {
  readonly name: string;
  readonly source: Sheet;
  readonly look: SheetLook | null;
  readonly kept: readonly number[];
  /** How many of Payrun's columns are to the left of the copied columns. The others are to the right. */
  readonly before: number;
  /** True if each row keeps its number from the uploaded sheet. False if the workbook omits rows. */
  readonly inPlace: boolean;
  /** The number of the uploaded row whose font Payrun's columns use. */
  readonly line: number;
  readonly lastRow: number;
  readonly widths: readonly number[];
  /** How many columns of the new sheet are printed, counted from the left. */
  readonly printed: number;
}

export interface Grid {
  readonly sheet: BookSheet;
  readonly ours: ReturnType<typeof ourStyles>;
  /** Returns a row, and first writes the styled blank rows above it. Calls need ascending numbers. */
  rowAt(number: number): ExcelRow;
  copy(target: ExcelCell, cell: Cell, row: number, column: number): void;
  copyHead(target: ExcelCell, cell: Cell, column: number): void;
  put(target: ExcelCell, value: Value, style: CellStyle): void;
  /** Ends a row. The row is as high as the uploaded row `theirs`, or higher if Payrun's texts need more room. */
  commit(row: ExcelRow, theirs: number): void;
}

export function addGrid(book: Book, plan: GridPlan): Grid {
  const { source, look, kept, before, inPlace } = plan;
  const headerRow = inPlace ? source.headerRow : 1;
  const frozen = (inPlace ? look?.frozen : null) ?? { rows: headerRow, columns: 0 };
  const sheet = book.addWorksheet(plan.name, {
    views: [{ state: 'frozen', ySplit: frozen.rows, xSplit: frozen.columns, zoomScale: 100 }],
    pageSetup: printSetup,
    headerFooter: printFooter,
  });
  plan.widths.forEach((width, index) => {
    const column = sheet.getColumn(index + 1);
    column.width = width;
    const style = look?.columnStyle(kept[index - before] ?? -1) ?? null;
    if (style !== null) column.style = style;
  });
  sheet.autoFilter = { from: { row: headerRow, column: 1 }, to: { row: plan.lastRow, column: plan.widths.length } };
  setPrint(sheet, plan, headerRow);

  const headOf = (index: number) => look?.styleOf(source.headerRow, index) ?? {};
  const headless = kept.every((index) => isPlain(headOf(index)) && headOf(index).font?.bold !== true);
  const widthOf = ({ col }: ExcelCell) => plan.widths[Number(col) - 1]!;
  const letters = lettersOf(plan);
  let last = 0;
  /** The heights, in points, that the texts of the current row need. */
  let theirHeight = 0;
  let ourHeight = 0;

  const copy: Grid['copy'] = (target, cell, row, column) => {
    const style = look === null ? plainStyle(cell) : (look.styleOf(row, column) ?? {});
    const value = cell === '' ? null : cellValue(cell, source);
    if (value !== null) target.value = value;
    const width = widthOf(target);
    if (typeof value === 'number' && style.alignment?.horizontal === undefined && hasRoom(cell, width))
      target.style = offEdge(style);
    else target.style = typeof value === 'string' && style.numFmt === undefined ? asText(style) : style;
    if (value !== null && style.alignment?.wrapText === true)
      theirHeight = Math.max(theirHeight, heightFor(shownText(cell), width, style.font?.size));
  };

  return {
    sheet,
    ours: ourStyles(letters),
    rowAt(number) {
      if (inPlace && look !== null) while (++last < number) writeBlank(sheet, last, look, kept);
      last = number;
      return rowBelow(sheet, number);
    },
    copy,
    copyHead(target, cell, column) {
      copy(target, cell, source.headerRow, column);
      if (headless) target.style = { ...headStyle(ink.theirs, letters), numFmt: '@' };
    },
    put(target, value, style) {
      if (value === null || value === '') return;
      target.value = typeof value === 'number' && style.numFmt !== '@' ? value : textValue(String(value));
      target.style = style;
      if (style.alignment?.wrapText !== true) return;
      ourHeight = Math.max(ourHeight, heightFor(String(value), widthOf(target), style.font?.size));
    },
    commit(row, theirs) {
      const own = theirs === source.headerRow && headless ? headHeight : (look?.heightOf(theirs) ?? theirHeight);
      if (ourHeight > own) row.eachCell(liftUp);
      const height = Math.max(own, ourHeight);
      if (height > 0) row.height = height;
      row.commit();
      theirHeight = 0;
      ourHeight = 0;
    },
  };
}

function writeBlank(sheet: BookSheet, number: number, look: SheetLook, kept: readonly number[]): void {
  if (!look.has(number)) return;
  const styles = kept.map((index) => look.styleOf(number, index) ?? {});
  const height = look.heightOf(number);
  if (height === null && styles.every(isPlain)) return;
  const row = rowBelow(sheet, number);
  styles.forEach((style, index) => {
    if (!isPlain(style)) row.getCell(index + 1).style = style;
  });
  // exceljs omits a row that has neither values nor a height.
  row.height = height ?? plainHeight;
  row.commit();
}

export function theirWidths({ widths }: Sheet, kept: readonly number[], rows: Iterable<readonly Cell[]>): number[] {
  const longest = kept.map(() => 0);
  for (const cells of rows)
    for (let index = 0; index < longest.length; index++)
      longest[index] = Math.max(longest[index]!, shownText(cells[index] ?? '').length);
  return longest.map((length, index) => {
    const theirs = widths[kept[index]!] ?? 0;
    return theirs === 0 ? fitted(length + 2) : Math.min(theirs, maxWidth);
  });
}

/** Adds merges to exceljs's internal list, because exceljs's own function would create every merged cell. */
export function mergeCells({ sheet }: Grid, { source, kept }: GridPlan, isWanted: (merge: CellRange) => boolean): void {
  const ranges = (sheet as unknown as { readonly _merges: string[] })._merges;
  const merged: CellRange[] = [];
  for (const theirs of source.merges()) {
    const { top, bottom, left, right } = theirs;
    const columns = kept.flatMap((from, index) => (from >= left && from <= right ? [index] : []));
    const merge = { top, bottom, left: columns[0] ?? 0, right: columns.at(-1) ?? -1 };
    const single = top === bottom && merge.left === merge.right;
    const isRange = columns.length > 0 && !single && top >= 1 && bottom >= top;
    // Excel refuses overlapping merges.
    if (!isRange || !isWanted(theirs) || merged.some((other) => overlap(merge, other))) continue;
    merged.push(merge);
    ranges.push(`${columnName(merge.left)}${top}:${columnName(merge.right)}${bottom}`);
  }
}

function overlap(one: CellRange, other: CellRange): boolean {
  const rows = one.top <= other.bottom && other.top <= one.bottom;
  return rows && one.left <= other.right && other.left <= one.right;
}

function setPrint(sheet: BookSheet, plan: GridPlan, headerRow: number): void {
  const { source, kept, before, widths, lastRow } = plan;
  const printed = widths.slice(0, plan.printed);
  const pages = pagesWide(printed);
  sheet.pageSetup.fitToWidth = pages;
  sheet.pageSetup.pageOrder = 'overThenDown';
  // If the name has an apostrophe, exceljs writes a wrong print area, and Excel reports a damaged file.
  if (sheet.name.includes("'")) return;
  sheet.pageSetup.printTitlesRow = `${headerRow}:${headerRow}`;
  const name = kept.findLastIndex((index) => source.columns[index] === 'name');
  const naming = widths.slice(0, before + name + 1);
  if (pages > 1 && name >= 0 && pagesWide([...naming, ...naming, ...naming]) === 1)
    sheet.pageSetup.printTitlesColumn = `A:${columnName(naming.length - 1)}`;
  // exceljs adds `$` before the columns of the print area, but not before the rows.
  sheet.pageSetup.printArea = `A$1:${columnName(printed.length - 1)}$${lastRow}`;
}

function cellValue(cell: Cell, { date1904 }: Sheet): CellValue {
  if (typeof cell === 'string') return textValue(cell);
  const { kind, text, shown } = cell;
  const number = Number(text);
  const shift = kind === 'date' && date1904 ? daysFrom1900To1904 : 0;
  if ((kind === 'number' || kind === 'date') && text !== '' && Number.isFinite(number)) return number + shift;
  if (kind === 'boolean') return text === 'TRUE';
  // An unreadable value becomes an error. Payrun would skip an empty cell when a person uploads this file.
  if (kind === 'error' || kind === 'uncached') return { error: isErrorWord(text) ? text : noValue } as CellValue;
  return textValue(shown);
}

/** Keeps a sum as a formula, so that it follows corrected amounts. In a moved column the formula would be wrong. */
export function keepSum(target: ExcelCell, cell: Cell, column: number): void {
  if (typeof cell === 'string' || cell.kind !== 'number' || Number(target.col) !== column + 1) return;
  const { text, sum } = cell as StoredCell;
  if (sum !== null) target.value = { formula: sum, result: Number(text) };
}

function plainStyle(cell: Cell): CellStyle {
  const format = typeof cell === 'string' ? null : ((cell as StoredCell).format ?? null);
  return format === null ? noStyle : { numFmt: format };
}

const noStyle: CellStyle = {};

/** Right-aligns a cell with an indent. If the indent has no room, a spreadsheet shows ### instead of the number. */
const offEdge = derived((style) => ({ ...style, alignment: { ...style.alignment, horizontal: 'right', indent: 1 } }));
const hasRoom = (cell: Cell, width: number) => shownText(cell).length + 4 <= width;

export const asText = derived((style) => ({ ...style, numFmt: '@' }));
const atTop = derived((style) => ({ ...style, alignment: { ...style.alignment, vertical: 'top' } }));
export const inBold = derived((style) => ({ ...style, font: { ...font(), ...style.font, bold: true } }));

function liftUp(cell: ExcelCell): void {
  if ((cell.style.alignment?.vertical ?? 'bottom') === 'bottom') cell.style = atTop(cell.style);
}

function lettersOf({ look, line, kept }: GridPlan): Partial<Font> {
  const style = kept.map((index) => look?.styleOf(line, index)).find((one) => one?.font !== undefined) ?? look?.base;
  return given({ name: style?.font?.name, size: style?.font?.size });
}

function ourStyles(letters: Partial<Font>) {
  const text: CellStyle = { font: font(letters), numFmt: '@' };
  const number: CellStyle = { font: font(letters), alignment: { horizontal: 'right', indent: 1 } };
  const tone = (name: Tone): CellStyle => ({
    numFmt: '@',
    fill: solid(tones[name].fill),
    font: font({ ...letters, bold: true, argb: tones[name].text }),
  });
  return {
    head: { ...headStyle(ink.ours, letters), numFmt: '@' },
    text,
    wrapped: { ...text, alignment: { wrapText: true } },
    whole: { ...number, numFmt: numberFormat(1) },
    fraction: { ...number, numFmt: numberFormat(0.5) },
    tone: { paid: tone('paid'), open: tone('open'), unpaid: tone('unpaid'), doubt: tone('doubt') },
  };
}
