/** The choices of `--only` (pay only rows with certain values) and of `--ignore-column` (pay all rows). */
import type { Problem } from '../../base/problem.ts';
import type { Note } from '../../domain/note.ts';
import { type SheetProblems, sheetProblem } from '../../domain/problems/sheet-problems.ts';
import { type Cell, isUnknown, shownText } from '../../domain/rows/cell.ts';
import { valueKey } from '../../domain/rows/decision-column.ts';
import { headerKey } from './column-map.ts';
import { type CellRange, columnName } from './column-name.ts';
import type { Header } from './header.ts';

export interface RowChoice {
  readonly column: string;
  /** Payrun pays only rows with one of these values. An empty text means an empty cell. Null means all rows. */
  readonly only: readonly string[] | null;
}

export function readChoices(only: readonly string[], ignored: readonly string[]): readonly RowChoice[] | null {
  const choices = new Map<string, RowChoice>();
  for (const column of ignored) choices.set(headerKey(column), { column: column.trim(), only: null });
  for (const given of only) {
    const at = given.indexOf('=');
    const column = given.slice(0, at).trim();
    if (at < 0 || column === '') return null;
    const known = choices.get(headerKey(column))?.only ?? [];
    choices.set(headerKey(column), { column, only: [...known, given.slice(at + 1).trim()] });
  }
  return [...choices.values()];
}

export function mergedChoices(
  given: readonly RowChoice[] = [],
  kept: readonly RowChoice[] = [],
): readonly RowChoice[] | undefined {
  const own = new Set(given.map(({ column }) => headerKey(column)));
  const all = [...given, ...kept.filter(({ column }) => !own.has(headerKey(column)))];
  return all.length === 0 ? undefined : all;
}

export const isChosen = (choices: readonly RowChoice[] | undefined, header: string) =>
  (choices ?? []).some(({ column }) => headerKey(column) === headerKey(header));

/** Returns the argument of `--only`. A `=` in the header becomes a space, because `--only` splits at the first `=`. */
export const onlyWords = (header: string, value: string) => `${plainHeader(header)}=${value}`;
const plainHeader = (header: string) => header.trim().replaceAll(/=+/g, ' ').replaceAll(/\s+/g, ' ');

export function choiceLists(choices: readonly RowChoice[] = []) {
  return {
    only: choices.flatMap(({ column, only }) => (only ?? []).map((value) => onlyWords(column, value))),
    ignoreColumn: choices.flatMap(({ column, only }) => (only === null ? [column] : [])),
  };
}

export function choiceNotes(choices: readonly RowChoice[] = [], leftOut: number | null = null): Note[] {
  const columns = choices.flatMap(({ column, only }) => (only === null ? [] : [{ column, values: only }]));
  const ignored = choices.flatMap(({ column, only }) => (only === null ? [column] : []));
  return [
    ...(columns.length === 0 ? [] : [{ note: 'rows-chosen', columns, leftOut } as const]),
    ...(ignored.length === 0 ? [] : [{ note: 'columns-ignored', columns: ignored } as const]),
  ];
}

export function createRowFilter(choices: readonly RowChoice[] | undefined, { texts, ours }: Header, row: number) {
  const problems: Problem[] = [];
  const wanted = (choices ?? []).flatMap(({ column, only }) => {
    if (only === null) return [];
    const places = texts.flatMap((text, index) =>
      ours[index] !== true && headerKey(text) === headerKey(column) ? [index] : [],
    );
    const [index] = places;
    if (index !== undefined && places.length === 1) {
      const keys = new Set(only.map(valueKey));
      return [{ column, index, only, keys, seen: new Map<string, string>(), unknown: { rows: 0 } }];
    }
    const why = index === undefined ? 'no-such-column' : 'several-columns';
    const facts = { column, why, columns: places.length } as const;
    problems.push(sheetProblem('ONLY_UNKNOWN', 'error', facts, { row, value: column }));
    return [];
  });
  if (wanted.length === 0 && problems.length === 0) return null;
  return {
    problems,
    isMeant: (cells: readonly Cell[]) =>
      wanted.every(({ index, keys, seen, unknown }) => {
        const cell = cells[index] ?? '';
        if (isUnknown(cell)) unknown.rows += 1;
        const text = shownText(cell).trim();
        const key = valueKey(text);
        if (seen.size < mostSeen || keys.has(key)) seen.set(key, text);
        return keys.has(key);
      }),
    /** Reports chosen values that no row has, and merged or unreadable cells. Call `late` after the last row. */
    late: (merges: readonly CellRange[]): Problem[] =>
      wanted.flatMap(({ column, index, only, seen, unknown }) => {
        const of = { column, letter: columnName(index) };
        if (unknown.rows > 0) return [notChosen({ ...of, why: 'unknown-cells', cells: unknown.rows }, column)];
        if (isMergedOverRows(merges, index, row)) return [notChosen({ ...of, why: 'merged' }, column)];
        const has = [...seen.values()].slice(0, shownValues);
        return only
          .filter((value) => !seen.has(valueKey(value)))
          .map((value) => notChosen({ ...of, why: 'no-such-value', value, has }, value));
      }),
  };
}

const notChosen = (facts: SheetProblems['ONLY_UNKNOWN'], value: string) =>
  sheetProblem('ONLY_UNKNOWN', 'error', facts, { value });

export const isMergedOverRows = (merges: readonly CellRange[], index: number, headerRow: number) =>
  merges.some(({ left, right, top, bottom }) => left <= index && index <= right && top > headerRow && bottom > top);

const mostSeen = 1000;
const shownValues = 8;
