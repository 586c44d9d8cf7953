/** Applies corrections: new texts that a person gave for cells of a sheet. The file stays unchanged. */
import { z } from 'zod';
import { fileFault, PayrunError } from '../../base/errors.ts';
import { strictJson } from '../../base/json.ts';
import type { Problem } from '../../base/problem.ts';
import { readSmallFile } from '../../base/small-file.ts';
import { isMasked, masked } from '../../domain/accounts/masked.ts';
import type { NoteOf } from '../../domain/note.ts';
import { sheetProblem } from '../../domain/problems/sheet-problems.ts';
import { shownText } from '../../domain/rows/cell.ts';
import { columnName } from '../columns/column-name.ts';
import type { Header } from '../columns/header.ts';
import { isBlank, type RawRow } from '../file/raw-row.ts';

const text = z.string().max(1000);
const rowNumber = z.int().min(1);
const runs = z
  .array(z.tuple([rowNumber, rowNumber]).readonly())
  .min(1)
  .readonly()
  .refine((all) => all.every(([first, last], index) => first <= last && first > (all[index - 1]?.[1] ?? 0)), {
    message: 'correction-runs',
  });
const shape = z.strictObject({
  /** A row number, or pairs of first and last row numbers. Null means all cells of the column with the text `from`. */
  row: z.union([rowNumber, runs, z.null()]),
  column: z.int().min(0).max(16_383),
  from: text,
  to: text,
  by: z.string().min(1).max(100),
  at: z.iso.datetime(),
});
const fileShape = z.strictObject({ corrections: z.array(shape).max(5000) });

export type CellCorrection = z.infer<typeof shape>;
export type CorrectedRows = CellCorrection['row'];

const maxBytes = 8 * 1024 * 1024;

/** Reads corrections from a file. Refuses a file with any fault, because corrections change payments. */
export function readCorrections(path: string): readonly CellCorrection[] {
  try {
    return strictJson(fileShape, readSmallFile(path, maxBytes)).corrections;
  } catch (error) {
    throw new PayrunError('CORRECTIONS_UNUSABLE', { path, why: fileFault(error) });
  }
}

export function correctionNotes(corrections: readonly CellCorrection[] = []): NoteOf<'corrections-read'>[] {
  if (corrections.length === 0) return [];
  const by = [...new Set(corrections.map((one) => one.by))];
  return [{ note: 'corrections-read', corrections: corrections.length, by }];
}

export function correctedRows(numbers: readonly number[]): NonNullable<CorrectedRows> {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  const [only] = numbers;
  return numbers.length === 1 && only !== undefined ? only : runs;
}

export const correctedRuns = (rows: CorrectedRows) =>
  typeof rows === 'number' ? [[rows, rows] as const] : (rows ?? []);

export function isCorrected(rows: CorrectedRows, number: number): boolean {
  if (rows === null || typeof rows === 'number') return rows === null || rows === number;
  const run = rows[firstFrom(rows, number, ([, last]) => last)];
  return run !== undefined && run[0] <= number;
}

export const correctedCount = (rows: NonNullable<CorrectedRows>) =>
  correctedRuns(rows).reduce((sum, [first, last]) => sum + last - first + 1, 0);

export function correctedCell(rows: CorrectedRows, column: number): string {
  const name = columnName(column);
  if (rows === null) return name;
  return correctedRuns(rows)
    .map(([first, last]) => (first === last ? `${name}${first}` : `${name}${first}:${name}${last}`))
    .join(', ');
}

export function textsCorrected(
  rows: readonly number[],
  texts: readonly string[],
  corrections: readonly Pick<CellCorrection, 'row' | 'from' | 'to'>[],
): readonly string[] {
  const now = [...texts];
  for (const { row, from, to } of corrections)
    for (const [first, last] of row === null ? [[0, Number.POSITIVE_INFINITY] as const] : correctedRuns(row))
      for (let at = firstFrom(rows, first, (row) => row); at < rows.length && rows[at]! <= last; at += 1)
        if (now[at] === from) now[at] = to;
  return now;
}

/** Returns the index of the first element whose number is at least `wanted`. The list is sorted by these numbers. */
function firstFrom<T>(list: readonly T[], wanted: number, numberOf: (one: T) => number): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (numberOf(list[middle]!) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Applies corrections in their order. A later correction sees the text that an earlier correction wrote. */
export function createCorrector(
  corrections: readonly CellCorrection[],
  { header, headerRow }: { readonly header: Header; readonly headerRow: number },
) {
  const byRow = new Map<number, number[]>();
  const ofMany: number[] = [];
  const done = new Map<number, number>();
  const emptied: number[] = [];
  corrections.forEach(({ row, column }, index) => {
    const isTheirs = column < header.texts.length && header.ours[column] !== true && header.checks[column] !== true;
    if (!isTheirs) return;
    if (typeof row !== 'number') ofMany.push(index);
    else byRow.set(row, [...(byRow.get(row) ?? []), index]);
  });

  return {
    correct(row: RawRow): RawRow {
      const own = byRow.get(row.number);
      if (row.number <= headerRow || (own === undefined && ofMany.length === 0) || isBlank(row.cells)) return row;
      const cells = [...row.cells];
      const changes: number[] = [];
      for (const index of own === undefined ? ofMany : [...own, ...ofMany].sort((a, b) => a - b)) {
        const { row: rows, column, from, to } = corrections[index]!;
        if (!isCorrected(rows, row.number) || shownText(cells[column] ?? '') !== from) continue;
        while (cells.length <= column) cells.push('');
        cells[column] = to;
        done.set(index, (done.get(index) ?? 0) + 1);
        changes.push(index);
      }
      if (changes.length === 0) return row;
      if (isBlank(cells)) emptied.push(row.number);
      const corrected = changes.map((index) => cellCorrected(row.number, corrections[index]!, header));
      return { ...row, cells, corrected };
    },
    /** Reports corrections that did not find all cells, and rows that became empty. Call `late` after the last row. */
    late(): Problem[] {
      const lost = corrections.flatMap((one, index) => {
        const found = done.get(index) ?? 0;
        return found >= (one.row === null ? 1 : correctedCount(one.row)) ? [] : [correctionLost(one, header, found)];
      });
      return [...lost, ...emptied.map((row) => sheetProblem('CORRECTION_LOST', 'error', { emptied: row }))];
    },
  };
}

function cellCorrected(row: number, { column, from, to, by, at }: CellCorrection, header: Header): Problem {
  const text = header.texts[column]!.trim();
  const facts = { column: columnName(column), row, header: text, from, to, by, at };
  const details = { row, column: header.fields[column] ?? null, value: from, suggestion: to };
  return sheetProblem('CELL_CORRECTED', 'repair', facts, details);
}

function correctionLost({ row, column, from, to }: CellCorrection, header: Header, found: number): Problem {
  const isOne = row === null || typeof row === 'number';
  const facts = {
    column: columnName(column),
    header: header.texts[column]?.trim() ?? null,
    from,
    to,
    row: isOne ? row : row[0]![0],
    rows: isOne ? null : correctedCount(row),
    found,
  };
  return sheetProblem('CORRECTION_LOST', 'error', facts, { column: header.fields[column] ?? null });
}

export function correctionEntries(
  corrections: readonly CellCorrection[] | undefined,
  { header, columns }: { readonly header: readonly string[]; readonly columns: readonly (string | null)[] },
) {
  if (corrections === undefined || corrections.length === 0) return [];
  const cells = corrections.map(({ row, column, from, to, by, at }) => {
    const cell = correctedCell(row, column);
    const shown = isMasked(columns[column] ?? null) ? masked : (value: string) => value;
    return { cell, header: header[column]?.trim() ?? null, from: shown(from), to: shown(to), by, at };
  });
  return [{ what: 'corrected' as const, data: { cells } }];
}
