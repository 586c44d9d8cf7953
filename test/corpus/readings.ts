/** What we read in a workbook of the corpus, cell by cell, and what other programs read in the same one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import Excel from 'exceljs';
import type { Cell } from '../../src/domain/rows/cell.ts';
import { openSheet } from '../../src/sheet/sheet.ts';
import { caseNames, corpusFolder, expected } from './runner.ts';

export interface Comparable {
  /** `hand/plain.xlsx`. */
  readonly name: string;
  /** The one sheet that we read. */
  readonly sheet: string;
  /** Row number to cells. */
  readonly rows: ReadonlyMap<number, readonly Cell[]>;
}

/** Every small workbook of which we read a sheet, hidden rows and all. */
export async function comparable(): Promise<Comparable[]> {
  const found: Comparable[] = [];
  for (const name of await caseNames()) {
    if (!name.endsWith('.xlsx') && name !== 'hand/named.csv') continue;
    if (name.startsWith('large/')) continue;
    const text = (await expected(name)) ?? '';
    const flags = [...text.matchAll(/^\$ payrun check \S+(?: --sheet (?:"([^"]*)"|(\S+)))?.*\n(?!refused)/gm)];
    const wanted = flags[0];
    if (wanted === undefined) continue;
    const sheetName = wanted[1] ?? wanted[2];
    const sheet = await openSheet(join(corpusFolder, name), {
      includeHidden: true,
      ...(sheetName === undefined ? {} : { sheetName }),
    });
    if (sheet.headerRow === 0 || sheet.format !== 'xlsx') continue;
    const rows = new Map<number, readonly Cell[]>();
    for await (const batch of sheet.rows()) for (const { number, cells } of batch) rows.set(number, cells);
    // A row far below would be as many lines in every other reading.
    if (Math.max(...rows.keys()) <= 1000) found.push({ name, sheet: sheet.name, rows });
  }
  return found;
}

/** A cell of another program: what it shows, or what it holds, and whether it calls it text. */
export interface OtherCell {
  readonly text: string;
  readonly isText: boolean;
  /** A cell of a merge that is not its first. */
  readonly merged?: boolean;
}

export type OtherRows = ReadonlyMap<number, readonly OtherCell[]>;

/** What LibreOffice or SheetJS read, in the form in which `make/readings.ts` kept it. */
export async function keptReading(name: string, program: 'libreoffice' | 'sheetjs'): Promise<OtherRows | null> {
  const content = await readFile(join(corpusFolder, `${name}.${program}.csv`), 'utf8').catch(() => null);
  if (content === null) return null;
  // The quotes tell text from all else, and a parser would take them away.
  const marked = content.replaceAll(/(^|,)"/gm, '$1"\u0001');
  const records = parse(marked, { relax_column_count: true, bom: true }) as string[][];
  return new Map(
    records.map((record, index) => [
      index + 1,
      record.map((text) => ({ text: text.replaceAll('\u0001', ''), isText: text.startsWith('\u0001') })),
    ]),
  );
}

export async function excelJsReading(name: string, sheet: string): Promise<OtherRows | null> {
  const workbook = new Excel.Workbook();
  const bytes = await readFile(join(corpusFolder, name));
  try {
    await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
  } catch {
    return null;
  }
  const worksheet = workbook.getWorksheet(sheet);
  if (worksheet === undefined) return null;
  const rows = new Map<number, OtherCell[]>();
  worksheet.eachRow((row, number) => {
    const cells: OtherCell[] = [];
    row.eachCell({ includeEmpty: true }, (cell) => {
      // It repeats a merged value in every cell of the merge.
      cells.push(
        cell.type === Excel.ValueType.Merge ? { text: '', isText: false, merged: true } : otherCell(cell.value),
      );
    });
    rows.set(number, cells);
  });
  return rows;
}

function otherCell(value: Excel.CellValue): OtherCell {
  if (value === null || value === undefined) return { text: '', isText: false };
  if (typeof value === 'string') return { text: value, isText: true };
  if (value instanceof Date) return { text: value.toISOString(), isText: false };
  if (typeof value !== 'object')
    return { text: String(value).replace(/^(true|false)$/, (word) => word.toUpperCase()), isText: false };
  if ('richText' in value) return { text: value.richText.map(({ text }) => text).join(''), isText: true };
  if ('hyperlink' in value) return otherCell(value.text as Excel.CellValue);
  if ('error' in value) return { text: value.error, isText: false };
  return otherCell((value as Excel.CellFormulaValue).result ?? null);
}
