/** Reads every cell of a file without interpreting it, to compare two files. */
import { basename, extname } from 'node:path';
import type { Cell } from '../../domain/rows/cell.ts';
import { openRegular, sniff } from '../file/open-file.ts';
import type { RawRow } from '../file/raw-row.ts';

export interface CellSheet {
  readonly name: string;
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
}

export async function readCells(path: string): Promise<readonly CellSheet[]> {
  await using file = await openRegular(path);
  const { handle, stats } = file;
  if (sniff(handle, stats.size) === 'csv') {
    const { inspectCsv, readCsv } = await import('../csv/csv.ts');
    const form = await inspectCsv(path, handle, stats, undefined);
    return [{ name: basename(path, extname(path)), rows: await collect(readCsv(form)) }];
  }
  const { openReader } = await import('../xlsx/process/reader.ts');
  using workbook = await openReader(handle, stats.size);
  const sheets: CellSheet[] = [];
  for (const sheet of workbook.sheets) sheets.push({ name: sheet.name, rows: await collect(workbook.rows(sheet)) });
  return sheets;
}

async function collect(batches: AsyncIterable<readonly RawRow[]>) {
  const rows: CellSheet['rows'][number][] = [];
  for await (const batch of batches)
    for (const { number, cells } of batch) {
      const texts = cells.map(textOf);
      while (texts.at(-1) === '') texts.pop();
      if (texts.length > 0) rows.push({ number, cells: texts });
    }
  return rows;
}

/** Returns the stored value of a cell, and not the displayed one. A formula gives `=(RESULT)`. */
function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  const value = cell.text === '' ? cell.shown : cell.text;
  return cell.formula ? `=(${value})` : value;
}
