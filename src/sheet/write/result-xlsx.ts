/** Writes the result as a workbook: a summary, the uploaded sheet with its results, deposits to fund, and the trail. */
import type { FileHandle } from 'node:fs/promises';
import type { RowWord } from '../../domain/rows/row-states.ts';
import { maxFormattedLines } from '../file/limits.ts';
import type { CellStyle } from '../xlsx/style/cell-style.ts';
import { fitted, resultSheetName, type Tone } from '../xlsx/style/palette.ts';
import { addGrid, type Grid, type GridPlan, inBold, mergeCells, theirWidths } from './person-sheet.ts';
import type { MergedResult, MergedRow, ResultColumn, ResultPlan } from './result-layout.ts';
import { type Value, writeBook, writeSummary, writeTable } from './tables.ts';

const printedColumns = 3;

export async function writeXlsxResult(handle: FileHandle, plan: ResultPlan, merged: MergedResult): Promise<void> {
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
  // Removes rows from the list in pieces, so that Node can free the memory of written rows.
  while (first.length > 0) yield first.splice(0, 1000);
  yield* rest;
}

async function writeFormatted(
  handle: FileHandle,
  plan: ResultPlan,
  merged: MergedResult,
  rows: readonly MergedRow[],
): Promise<void> {
  const look = await plan.source.look();
  await writeBook(handle, {}, async (book) => {
    writeSummary(book, plan.summary);
    const { headerRow } = plan.source;
    const gridPlan: GridPlan = {
      name: resultSheetName(plan.source.name),
      source: plan.source,
      look,
      kept: merged.kept,
      before: 0,
      inPlace: true,
      line: rows.findLast(({ kind }) => kind === 'line')?.number ?? headerRow,
      lastRow: rows.at(-1)?.number ?? headerRow,
      widths: columnWidths(plan, merged, rows),
      printed: merged.kept.length + printedColumns,
    };
    const grid = addGrid(book, gridPlan);
    for (const row of rows) writeRow(grid, gridPlan, plan.columns, row);
    // A merge below the header would hide cells.
    mergeCells(grid, gridPlan, ({ bottom }) => bottom <= headerRow);
    grid.sheet.commit();
    for (const [name, table] of Object.entries(plan.tables))
      writeTable(book, name, { ...table, rows: await table.rows() });
  });
}

function writeRow(
  grid: Grid,
  { source, kept, line, look }: GridPlan,
  columns: readonly ResultColumn[],
  merged: MergedRow,
) {
  const { number, kind, values } = merged;
  const row = grid.rowAt(number);
  // A row that the sheet lacks gets the style of the sheet's last line.
  const like = kind === 'extra' ? line : number;
  merged.theirs.forEach((cell, index) => {
    const target = row.getCell(index + 1);
    if (kind === 'header') grid.copyHead(target, cell, kept[index]!);
    else grid.copy(target, cell, like, kept[index]!);
    if (kind === 'total' && look === null) target.style = inBold(target.style);
  });
  columns.forEach((column, index) => {
    const target = row.getCell(kept.length + index + 1);
    if (kind === 'header') grid.put(target, column.header, grid.ours.head);
    else if (values !== null) grid.put(target, values[index]!, styleOf(grid, column, values[index]!));
  });
  const behind = values === null && kind !== 'header' ? kept.length : kept.length + columns.length;
  merged.beyond.forEach((cell, index) => {
    grid.copy(row.getCell(behind + index + 1), cell, number, source.header.length + index);
  });
  grid.commit(row, like);
}

const toneOf: ReadonlyMap<Value, Tone> = new Map(
  Object.entries({
    paid: 'paid',
    pending: 'open',
    unpaid: 'unpaid',
    'in doubt': 'doubt',
    held: 'doubt',
    'paid twice': 'doubt',
    invalid: 'unpaid',
    closed: 'unpaid',
  } as const satisfies { readonly [W in Exclude<RowWord, 'not sent'>]: Tone }),
);

function styleOf({ ours }: Grid, { header, text, wrap }: ResultColumn, value: Value): CellStyle {
  const tone = header === 'payrun_status' ? toneOf.get(value) : undefined;
  if (tone !== undefined) return ours.tone[tone];
  if (typeof value === 'number' && text !== true) return Number.isInteger(value) ? ours.whole : ours.fraction;
  return wrap === true ? ours.wrapped : ours.text;
}

function columnWidths({ source, columns }: ResultPlan, { kept }: MergedResult, rows: readonly MergedRow[]): number[] {
  const longest = columns.map(({ header }) => header.length);
  for (const { values } of rows)
    values?.forEach((value, index) => {
      longest[index] = Math.max(longest[index]!, value === null ? 0 : String(value).length);
    });
  const theirs = rows.filter(({ kind }) => kind !== 'title').map((row) => row.theirs);
  return [
    ...theirWidths(source, kept, theirs),
    ...columns.map(({ width }, index) => Math.min(width ?? Number.POSITIVE_INFINITY, fitted(longest[index]! + 2))),
  ];
}
