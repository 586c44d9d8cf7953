/** Corrections: what cells say in place of what the file has, each by a person. The file itself is never written. */
import { z } from 'zod';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { repeatedKeys } from '../base/json.ts';
import type { Problem } from '../base/problem.ts';
import { readSmallFile, smallFileWords } from '../base/small-file.ts';
import { counted } from '../base/words.ts';
import { shownText } from '../domain/cell.ts';
import { isMasked, masked } from '../domain/masked.ts';
import { quoted } from '../domain/problem-codes.ts';
import { columnName } from './column-name.ts';
import type { Header } from './columns.ts';
import { isBlank, type RawRow } from './lines.ts';
import { sheetProblem } from './problem-codes.ts';

const text = z.string().max(1000);
const shape = z.strictObject({
  /** What the spreadsheet shows; null: each cell of the column that says `from`. */
  row: z.int().min(1).nullable(),
  /** Counted from 0. */
  column: z.int().min(0).max(16_383),
  from: text,
  to: text,
  by: z.string().min(1).max(100),
  at: z.iso.datetime(),
});
const fileShape = z.strictObject({ corrections: z.array(shape).max(5000) });

export type CellCorrection = z.infer<typeof shape>;

const maxBytes = 8 * 1024 * 1024;

/** `--corrections FILE`: strictly, since each of them changes what is paid. */
export function readCorrections(path: string): readonly CellCorrection[] {
  const refuse = (detail: string): never => {
    throw new PayrunError('CORRECTIONS_UNUSABLE', { path, detail });
  };
  let content = '';
  try {
    content = readSmallFile(path, maxBytes);
  } catch (error) {
    return refuse(smallFileWords(error));
  }
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    return refuse(`it is not JSON: ${wordsOf(error).replaceAll(/\s+/g, ' ')}`);
  }
  const read = fileShape.safeParse(json);
  if (!read.success) {
    const [first] = read.error.issues;
    return refuse(`${first?.path.join('.') || 'the file'}: ${first?.message}`);
  }
  const [twice] = repeatedKeys(content, json);
  if (twice !== undefined) return refuse(`'${twice}' stands twice in one correction, and only the last would count`);
  return read.data.corrections;
}

/** `3 corrections, by Ann, Ben`; null where there are none. */
export function correctionWords(corrections: readonly CellCorrection[] | undefined): string | null {
  if (corrections === undefined || corrections.length === 0) return null;
  const people = [...new Set(corrections.map(({ by }) => by))];
  return `${counted(corrections.length, 'correction')}, by ${people.join(', ')}`;
}

export interface Corrector {
  correct(row: RawRow): RawRow;
  /** Of the whole sheet, once its end is known. */
  late(): Problem[];
}

/** For one reading of the sheet. Corrections are applied in their order: a later one finds what an earlier one wrote. */
export function createCorrector(
  corrections: readonly CellCorrection[],
  { header, headerRow }: { readonly header: Header; readonly headerRow: number },
): Corrector {
  const byRow = new Map<number, number[]>();
  const everywhere: number[] = [];
  const done = new Set<number>();
  const emptied: number[] = [];
  corrections.forEach(({ row, column }, index) => {
    const isTheirs = column < header.texts.length && header.ours[column] !== true && header.checks[column] !== true;
    if (!isTheirs) return;
    if (row === null) everywhere.push(index);
    else byRow.set(row, [...(byRow.get(row) ?? []), index]);
  });

  return {
    correct(row) {
      const own = byRow.get(row.number);
      if (row.number <= headerRow || (own === undefined && everywhere.length === 0) || isBlank(row.cells)) return row;
      const cells = [...row.cells];
      const told: Problem[] = [];
      for (const index of own === undefined ? everywhere : [...own, ...everywhere].sort((a, b) => a - b)) {
        const { column, from, to, by, at } = corrections[index]!;
        if (shownText(cells[column] ?? '') !== from) continue;
        while (cells.length <= column) cells.push('');
        cells[column] = to;
        done.add(index);
        told.push(cellCorrected(row.number, column, { header, from, to, by, at }));
      }
      if (told.length === 0) return row;
      if (isBlank(cells)) emptied.push(row.number);
      return { ...row, cells, corrected: told };
    },
    late() {
      const lost = corrections.flatMap((one, index) => (done.has(index) ? [] : [correctionLost(one, header)]));
      return [
        ...lost,
        ...emptied.map((row) =>
          sheetProblem(
            'CORRECTION_LOST',
            'error',
            `row ${row} would be empty after its corrections, and nobody would see that it is left out; delete it in the sheet itself`,
          ),
        ),
      ];
    },
  };
}

interface Change extends Pick<CellCorrection, 'from' | 'to' | 'by' | 'at'> {
  readonly header: Header;
}

function cellCorrected(row: number, column: number, { header, from, to, by, at }: Change): Problem {
  const message = `cell ${columnName(column)}${row} ${quoted(header.texts[column]!.trim())} says ${words(to)} by a correction, and ${words(from)} in the file (${by}, ${at.slice(0, 16).replace('T', ' ')} UTC)`;
  return sheetProblem('CELL_CORRECTED', 'repair', message, {
    row,
    column: header.fields[column] ?? null,
    value: from,
    suggestion: to,
  });
}

function correctionLost({ row, column, from, to }: CellCorrection, header: Header): Problem {
  const title = header.texts[column];
  const place =
    title === undefined
      ? `column ${columnName(column)}, which the sheet does not have`
      : `column ${columnName(column)} ${quoted(title.trim())}${row === null ? '' : `, row ${row}`}`;
  const message = `a correction of ${place}, from ${words(from)} to ${words(to)}, finds no cell of a row that says ${words(from)}; it is not the sheet that was corrected: take the correction out, or make it again`;
  return sheetProblem('CORRECTION_LOST', 'error', message, { column: header.fields[column] ?? null });
}

const words = (value: string) => (value === '' ? 'nothing' : quoted(value));

/** For the trail: who changed what, in which cells; the batch's sheet has the account numbers whole. */
export function correctionsTold(
  corrections: readonly CellCorrection[] | undefined,
  { header, columns }: { readonly header: readonly string[]; readonly columns: readonly (string | null)[] },
) {
  if (corrections === undefined || corrections.length === 0) return [];
  const cells = corrections.map(({ row, column, from, to, by, at }) => {
    const cell = `${columnName(column)}${row ?? ''}`;
    const shown = isMasked(columns[column] ?? null) ? masked : (value: string) => value;
    return { cell, header: header[column]?.trim() ?? null, from: shown(from), to: shown(to), by, at };
  });
  return [{ what: 'corrected', data: { cells } }];
}
