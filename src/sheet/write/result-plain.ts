/** Writes the result of a very long sheet as a workbook without formats. */
import type { FileHandle } from 'node:fs/promises';
import { fitted, resultSheetName } from '../xlsx/style/palette.ts';
import { type PlainCell, type PlainSheet, writePlainWorkbook } from './plain-workbook.ts';
import type { MergedRow, ResultPlan } from './result-layout.ts';
import { type FurtherTable, plainValue, type Summary, type TableValue } from './tables.ts';

export async function writePlainResult(
  handle: FileHandle,
  plan: ResultPlan,
  rows: AsyncIterable<readonly MergedRow[]>,
  widths: readonly number[],
): Promise<void> {
  const headers = plan.columns.map(({ header }) => header);
  async function* resultRows() {
    for await (const batch of rows) {
      yield batch.map((row) => ({ number: row.number, cells: cellsOf(row, headers) }));
    }
  }
  const { name, headerRow } = plan.source;
  await writePlainWorkbook(handle, [
    { name: 'Summary', headerRow: 0, widths: [24, 24], rows: () => [[...summaryRows(plan.summary)]] },
    { name: resultSheetName(name), headerRow, widths, rows: resultRows },
    ...Object.entries(plan.tables).map(([table, facts]) => tableSheet(table, facts)),
  ]);
}

function cellsOf(row: MergedRow, headers: readonly string[]): readonly PlainCell[] {
  return [...row.theirs, ...(row.kind === 'header' ? headers : (row.values ?? [])), ...row.beyond];
}

function* summaryRows({ title, facts, tables }: Summary) {
  let number = 1;
  const row = (...cells: readonly TableValue[]) => ({ number: number++, cells: cells.map(plainValue) });
  yield row(title);
  number++;
  for (const fact of facts) yield row(...fact);
  for (const table of tables) {
    number++;
    yield row(table.title);
    yield row(...table.header);
    for (const values of table.rows) yield row(...values);
  }
}

function tableSheet(name: string, { title, note, header, rows }: FurtherTable): PlainSheet {
  async function* numbered() {
    const lines = [[title], note === undefined ? [] : [note], header, ...(await rows())];
    yield lines.map((cells, index) => ({ number: index + 1, cells: cells.map(plainValue) }));
  }
  return { name, headerRow: 3, widths: header.map((text) => fitted(text.length + 8)), rows: numbered };
}
