/** The result as a workbook: a summary first, then the person's sheet, then what to fund and what to look into. */
import type { FileHandle } from 'node:fs/promises';
import {
  addGrid,
  type BookSheet,
  dayShift,
  headCell,
  putCell,
  putValue,
  rowBelow,
  type Table,
  theirWidths,
  type Value,
  writeBook,
  writeSummary,
  writeTable,
} from './book.ts';
import { maxFormattedLines } from './limits.ts';
import { fitted, font, ink, resultSheetName, solid, tones } from './look.ts';
import type { LongTable, MergedResult, MergedRow, ResultPlan } from './result-plan.ts';

/** On paper the person's columns and what became of each row; the rest is for looking things up on the screen. */
const printedColumns = 3;

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
  await writeBook(handle, {}, async (book) => {
    writeSummary(book, plan.summary);
    const { headerRow } = plan.source;
    const sheet = addGrid(book, {
      name: resultSheetName(plan.source.name),
      headerRow,
      lastRow: rows.at(-1)?.number ?? headerRow,
      widths: columnWidths(plan, merged, rows),
      printed: merged.kept.length + printedColumns,
    });
    writeRows(sheet, plan, merged, rows);
    sheet.commit();
    if (plan.funding !== null) writeTable(book, 'Funding', await wholeTable(plan.funding));
    if (plan.trail !== null) writeTable(book, 'Trail', await wholeTable(plan.trail));
  });
  return rows.filter((row) => row.values !== null).length;
}

async function wholeTable({ title, header, rows }: LongTable): Promise<Table> {
  const all: (readonly Value[])[] = [];
  for await (const batch of rows()) all.push(...batch);
  return { title, header, rows: all };
}

function writeRows(sheet: BookSheet, plan: ResultPlan, merged: MergedResult, rows: readonly MergedRow[]): void {
  const statusColumn = Math.max(
    0,
    plan.columns.findIndex(({ header }) => header === 'payrun_status'),
  );
  const context = { plan, first: merged.kept.length, statusColumn, shift: dayShift(plan.source) };
  for (const merge of rows) writeRow(sheet, merge, context);
}

interface RowContext {
  readonly plan: ResultPlan;
  readonly first: number;
  readonly statusColumn: number;
  readonly shift: number;
}

function writeRow(sheet: BookSheet, merged: MergedRow, context: RowContext): void {
  const row = rowBelow(sheet, merged.number);
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

function columnWidths(plan: ResultPlan, merged: MergedResult, rows: readonly MergedRow[]): number[] {
  const theirs = rows.filter(({ kind }) => kind !== 'title').map((row) => row.theirs);
  const longest = plan.columns.map(({ header }) => header.length);
  for (const { values } of rows)
    values?.forEach((value, index) => {
      longest[index] = Math.max(longest[index]!, value === null ? 0 : String(value).length);
    });
  return [
    ...theirWidths(merged.header, theirs, (index) => plan.source.widths.get(merged.kept[index]!)),
    ...plan.columns.map(({ width }, index) => width ?? fitted(longest[index]! + 2)),
  ];
}
