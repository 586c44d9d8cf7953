/** Writes the result as CSV. No text in the file can run as a spreadsheet formula. */
import type { FileHandle } from 'node:fs/promises';
import type { Cell } from '../../domain/rows/cell.ts';
import { delimiters } from '../csv/csv.ts';
import { neutralised } from '../csv/formula-guard.ts';
import { noValue } from '../file/limits.ts';
import type { StoredCell } from '../file/raw-row.ts';
import type { MergedResult, MergedRow, ResultPlan } from './result-layout.ts';
import type { Value } from './tables.ts';

/** A byte order mark. Without it, Excel reads the file as Windows-1252. */
export const byteOrderMark = '\ufeff';

export async function writeCsvResult(handle: FileHandle, plan: ResultPlan, merged: MergedResult): Promise<void> {
  const { csv } = plan.source;
  // A comma replaces an unusual separator, which would need a line `sep=`. After such a line, Excel misreads accents.
  const recordText = csvRecords(delimiters.find((one) => one === csv?.delimiter) ?? ',');
  const lineEnd = csv?.lineEnd ?? '\r\n';
  const lineOf = (record: readonly string[]) => recordText(record) + lineEnd;
  const headers = plan.columns.map(({ header }) => header);
  const blank = Array.from({ length: merged.kept.length + headers.length }, () => '');
  // Uses appendFile, which writes all bytes. A single `write` may write only some of them.
  await handle.appendFile(byteOrderMark);
  let number = 0;
  for await (const batch of merged.rows()) {
    let text = '';
    for (const row of batch) {
      while (++number < row.number) text += lineOf(blank);
      text += lineOf(recordOf(row, headers));
    }
    await handle.appendFile(text);
  }
}

export function csvRecords(delimiter: string): (record: readonly string[]) => string {
  const parting = new RegExp(`["\\r\\n\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}]`);
  return (record) => {
    let text = '';
    for (let index = 0; index < record.length; index++) {
      const value = record[index]!;
      if (index > 0) text += delimiter;
      text += parting.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
    }
    return text;
  };
}

function recordOf(row: MergedRow, headers: readonly string[]): string[] {
  const record = row.theirs.map(cellText);
  if (row.kind === 'header') record.push(...headers);
  else if (row.values !== null) for (const value of row.values) record.push(valueText(value));
  for (const cell of row.beyond) record.push(cellText(cell));
  return record;
}

const valueText = (value: Value): string =>
  typeof value === 'string' ? neutralised(value) : value === null ? '' : String(value);

function cellText(cell: Cell): string {
  if (typeof cell === 'string') return neutralised(cell);
  if (cell.kind === 'uncached') return noValue;
  if (cell.kind !== 'number') return neutralised(cell.shown);
  const zeros = /^0\d/.test(cell.shown) && ((cell as StoredCell).format ?? null) !== null;
  return zeros ? cell.shown : cell.text;
}
