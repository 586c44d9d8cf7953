/** The result as a workbook: a summary first, then the person's sheet, then what to fund and what to look into. */
import type { FileHandle } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type { CellValue, Cell as ExcelCell, stream } from 'exceljs';
import { type Cell, shownText } from '../domain/cell.ts';
import { fittingText, isErrorWord, maxFormattedLines } from './limits.ts';
import { fitted, font, ink, printSetup, resultSheetName, solid, thinLine, tones } from './look.ts';
import type { LongTable, MergedResult, MergedRow, ResultPlan, ResultTable, Value } from './result-plan.ts';
import type { StoredCell } from './rows.ts';
import { encodeEscapes } from './xml.ts';

/** From 1904 to 1900 day counting. */
const daysFrom1900To1904 = 1462;

/** Of ours: status, reason and payment id come first. */
const printedColumns = 3;

type Worksheet = ReturnType<stream.xlsx.WorkbookWriter['addWorksheet']>;

export async function writeXlsxResult(handle: FileHandle, plan: ResultPlan, merged: MergedResult): Promise<number> {
  const batches = merged.rows();
  const first: MergedRow[] = [];
  for (let lines = 0; ; ) {
    const { done, value } = await batches.next();
    if (done === true) return await writeFormatted(handle, plan, merged, first);
    for (const row of value) {
      first.push(row);
      if (row.values !== null) lines++;
    }
    if (lines <= maxFormattedLines) continue;
    const { writePlainResult } = await import('./result-plain.ts');
    const widths = columnWidths(plan, merged, first);
    return await writePlainResult(handle, plan, continued(first, batches), widths);
  }
}

async function* continued<T>(first: T[], rest: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield first.splice(0);
  yield* rest;
}

async function writeFormatted(
  handle: FileHandle,
  plan: ResultPlan,
  merged: MergedResult,
  rows: readonly MergedRow[],
): Promise<number> {
  const { default: Excel } = await import('exceljs');
  const out = new PassThrough();
  const workbook = new Excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: true });
  workbook.creator = 'Payrun';
  workbook.lastModifiedBy = 'Payrun';
  writeSummary(workbook, plan.summary);
  await writeTheirSheet(
    workbook.addWorksheet(resultSheetName(plan.source.name), sheetOptions(plan)),
    plan,
    merged,
    rows,
  );
  if (plan.funding !== null) writeTable(workbook, 'Funding', await wholeTable(plan.funding));
  if (plan.trail !== null) writeTable(workbook, 'Trail', await wholeTable(plan.trail));
  await Promise.all([workbook.commit(), copyTo(handle, out)]);
  return rows.filter((row) => row.values !== null).length;
}

async function wholeTable({ title, header, rows }: LongTable): Promise<ResultTable> {
  const all: (readonly Value[])[] = [];
  for await (const batch of rows()) all.push(...batch);
  return { title, header, rows: all };
}

async function copyTo(handle: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) await handle.appendFile(chunk);
}

function sheetOptions(plan: ResultPlan) {
  return {
    views: [{ state: 'frozen' as const, ySplit: plan.source.headerRow, xSplit: 0, zoomScale: 100 }],
    pageSetup: { ...printSetup, printTitlesRow: `${plan.source.headerRow}:${plan.source.headerRow}` },
    headerFooter: { oddFooter: '&L&A&RPage &P of &N' },
  };
}

async function writeTheirSheet(
  sheet: Worksheet,
  plan: ResultPlan,
  merged: MergedResult,
  rows: readonly MergedRow[],
): Promise<void> {
  const first = merged.kept.length;
  const columnCount = first + plan.columns.length;
  const widths = columnWidths(plan, merged, rows);
  for (let index = 0; index < columnCount; index++) sheet.getColumn(index + 1).width = widths[index]!;
  const lastRow = rows.at(-1)?.number ?? plan.source.headerRow;
  sheet.autoFilter = {
    from: { row: plan.source.headerRow, column: 1 },
    to: { row: lastRow, column: columnCount },
  };
  // On paper the person's columns and what became of each row; the rest is for looking things up on the screen.
  // exceljs writes `$` before the columns only.
  sheet.pageSetup.printArea = `A$1:${sheet.getColumn(Math.min(columnCount, first + printedColumns)).letter}$${lastRow}`;
  const statusColumn = Math.max(
    0,
    plan.columns.findIndex(({ header }) => header === 'payrun_status'),
  );
  const context = { plan, first, statusColumn, shift: plan.source.date1904 ? daysFrom1900To1904 : 0 };
  for (const merge of rows) writeRow(sheet, merge, context);
  sheet.commit();
}

interface RowContext {
  readonly plan: ResultPlan;
  readonly first: number;
  readonly statusColumn: number;
  readonly shift: number;
}

function writeRow(sheet: Worksheet, merged: MergedRow, context: RowContext): void {
  const row = sheet.getRow(merged.number);
  const header = merged.kind === 'header';
  merged.theirs.forEach((cell, index) => {
    if (cell !== '') putCell(row.getCell(index + 1), cell, context.shift);
    if (header) headCell(row.getCell(index + 1), ink.theirs);
    else if (merged.kind === 'total') row.getCell(index + 1).font = font({ bold: true });
  });
  const { columns } = context.plan;
  if (header) {
    columns.forEach((column, index) => {
      const cell = row.getCell(context.first + index + 1);
      cell.value = column.header;
      headCell(cell, ink.ours);
    });
    row.height = 22;
  }
  merged.values?.forEach((value, index) => {
    const cell = row.getCell(context.first + index + 1);
    putValue(cell, value, columns[index]!.text === true);
    const tone = tones[merged.tone];
    if (index === context.statusColumn && tone !== null) {
      cell.fill = solid(tone.fill);
      cell.font = font({ bold: true, argb: tone.text });
    }
  });
  const behind = merged.values === null && !header ? context.first : context.first + columns.length;
  merged.beyond.forEach((cell, index) => {
    putCell(row.getCell(behind + index + 1), cell, context.shift);
  });
  row.commit();
}

function headCell(cell: ExcelCell, argb: string): void {
  cell.font = font({ bold: true, argb: ink.white });
  cell.fill = solid(argb);
  cell.alignment = { vertical: 'middle' };
}

/** Numbers as numbers, text as text: a phone number that begins with + must not become a sum. */
function putCell(target: ExcelCell, cell: Cell, shift: number): void {
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
  else if (cell.kind === 'error' && isErrorWord(cell.text)) target.value = { error: cell.text } as CellValue;
  else if (cell.kind !== 'uncached') {
    target.value = textValue(cell.shown);
    target.numFmt = '@';
  }
}

function putValue(target: ExcelCell, value: Value, text: boolean): void {
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

function textValue(text: string): string {
  return encodeEscapes(fittingText(text));
}

/** The person's own widths where the workbook had them, else as wide as the longest text. */
function columnWidths(plan: ResultPlan, merged: MergedResult, rows: readonly MergedRow[]): number[] {
  const first = merged.kept.length;
  const longest = [...merged.header.map((text) => text.length), ...plan.columns.map(({ header }) => header.length)];
  for (const row of rows) {
    if (row.kind === 'title') continue;
    row.theirs.forEach((cell, index) => {
      longest[index] = Math.max(longest[index]!, shownText(cell).length);
    });
    row.values?.forEach((value, index) => {
      longest[first + index] = Math.max(longest[first + index]!, value === null ? 0 : String(value).length);
    });
  }
  return longest.map((length, index) => {
    // A little more than the letters, for the filter's arrow.
    if (index >= first) return plan.columns[index - first]!.width ?? fitted(Math.max(length, 0) + 2);
    return plan.source.widths.get(merged.kept[index]!) ?? fitted(length + 2);
  });
}

function writeSummary(workbook: stream.xlsx.WorkbookWriter, summary: ResultPlan['summary']): void {
  const sheet = workbook.addWorksheet('Summary', {
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
function writeTable(workbook: stream.xlsx.WorkbookWriter, name: string, table: ResultTable): void {
  const sheet = workbook.addWorksheet(name, {
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

/** Header and rows from the given row on, in bands of `width` columns; answers the first row below. */
function writeTableAt(sheet: Worksheet, from: number, table: ResultTable, width: number): number {
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
      const wrapText = width === table.header.length && valueLength(value) > 56;
      cell.alignment = { vertical: 'top', horizontal, indent: 1, wrapText };
      if (line % 2 === 1) cell.fill = solid(ink.band);
    }
    row.commit();
  });
  return number;
}

function numberFormat(value: number): string {
  // Bitcoin fees have up to eight decimals.
  return Number.isInteger(value) ? '#,##0' : '#,##0.00######';
}

function isNumeric(table: ResultTable, index: number): boolean {
  return table.rows.length > 0 && table.rows.every((row) => row[index] === null || typeof row[index] === 'number');
}

function valueLength(value: Value): number {
  return value === null ? 0 : typeof value === 'number' ? Math.ceil(String(value).length * 1.34) : value.length;
}
