/** Writes the result of a very long sheet as a workbook without formats. */
import type { FileHandle } from 'node:fs/promises';
import { fitted, resultSheetName } from '../xlsx/style/palette.ts';
import { type PlainCell, type PlainSheet, writePlainWorkbook } from './plain-workbook.ts';
import type { LongTable, MergedRow, ResultPlan } from './result-layout.ts';
import { plainValue, type Summary, type TableValue } from './tables.ts';

export async function writePlainResult(
  handle: FileHandle,
  plan: ResultPlan,
  rows: AsyncIterable<readonly MergedRow[]>,
  widths: readonly number[],
): Promise<number> {
  const headers = plan.columns.map(({ header }) => header);
  let lines = 0;
  async function* resultRows() {
    for await (const batch of rows) {
      yield batch.map((row) => {
        if (row.values !== null) lines++;
        return { number: row.number, cells: cellsOf(row, headers) };
      });
    }
  }
  const { name, headerRow } = plan.source;
  const sheets: PlainSheet[] = [
    { name: 'Summary', headerRow: 0, widths: [24, 24], rows: () => [[...summaryRows(plan.summary)]] },
    { name: resultSheetName(name), headerRow, widths, rows: resultRows },
  ];
  if (plan.funding !== null) sheets.push(tableSheet('Funding', plan.funding));
  if (plan.trail !== null) sheets.push(tableSheet('Trail', plan.trail));
  await writePlainWorkbook(handle, sheets);
  return lines;
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

function tableSheet(name: string, { title, note, header, rows }: LongTable): PlainSheet {
  const headerRow = 3;
  async function* tableRows() {
    yield [
      { number: 1, cells: [title] },
      ...(note === undefined ? [] : [{ number: 2, cells: [note] }]),
      { number: headerRow, cells: header },
    ];
    let number = headerRow;
    for await (const batch of rows()) {
      yield batch.map((cells) => ({ number: ++number, cells: cells.map(plainValue) }));
    }
  }
  return { name, headerRow, widths: header.map((text) => fitted(text.length + 8)), rows: tableRows };
}
