/** What a person says of columns that are not read: pay only the rows with these values (`--only`), or pay all (`--ignore-column`). */
import type { Problem } from '../../base/problem.ts';
import { counted, shellWord } from '../../base/words.ts';
import { type Cell, calculateAgain, isUnknown, shownText } from '../../domain/rows/cell.ts';
import { valueKey } from '../../domain/rows/decision-column.ts';
import { quoted } from '../../domain/rows/problem-codes.ts';
import { sheetProblem } from '../file/problem-codes.ts';
import { headerKey } from './column-map.ts';
import { columnName } from './column-name.ts';
import type { Header } from './header.ts';

export interface RowChoice {
  readonly column: string;
  /** Values of the rows that are paid, an empty text for empty cells; null: the column leaves no row out. */
  readonly only: readonly string[] | null;
}

/** Returns the choices of a command: each `only` is `COLUMN=VALUE`. Null where one of them is not. */
export function readChoices(only: readonly string[], ignored: readonly string[]): readonly RowChoice[] | null {
  const choices = new Map<string, RowChoice>();
  for (const column of ignored) choices.set(headerKey(column), { column: column.trim(), only: null });
  for (const said of only) {
    const at = said.indexOf('=');
    const column = said.slice(0, at).trim();
    if (at < 0 || column === '') return null;
    const known = choices.get(headerKey(column))?.only ?? [];
    choices.set(headerKey(column), { column, only: [...known, said.slice(at + 1).trim()] });
  }
  return [...choices.values()];
}

/** Of each column the first choice counts: what a command says comes before what is kept. */
export function mergedChoices(
  said: readonly RowChoice[] = [],
  kept: readonly RowChoice[] = [],
): readonly RowChoice[] | undefined {
  const own = new Set(said.map(({ column }) => headerKey(column)));
  const all = [...said, ...kept.filter(({ column }) => !own.has(headerKey(column)))];
  return all.length === 0 ? undefined : all;
}

export const isChosen = (choices: readonly RowChoice[] | undefined, header: string) =>
  (choices ?? []).some(({ column }) => headerKey(column) === headerKey(header));

/** As `--only` takes them. A header may hold `=`, which parts column and value. */
export const onlyWords = (header: string, value: string) => `${plainHeader(header)}=${value}`;
const plainHeader = (header: string) => header.trim().replaceAll(/=+/g, ' ').replaceAll(/\s+/g, ' ');

/** The options that say a choice again, each with its value. */
export function choiceOptions(choices: readonly RowChoice[] = []): readonly (readonly [string, string])[] {
  return choices.flatMap(({ column, only }): [string, string][] =>
    only === null
      ? [['--ignore-column', column]]
      : only.map((value): [string, string] => ['--only', onlyWords(column, value)]),
  );
}

/** For a printed command. */
export const choiceFlags = (choices: readonly RowChoice[] | undefined) =>
  choiceOptions(choices)
    .map(([name, value]) => ` ${name} ${shellWord(value)}`)
    .join('');

/** What choices do, in sentences; `leftOut` rows of a sheet, where one was read. */
export function choiceWords(choices: readonly RowChoice[] = [], leftOut: number | null = null): string[] {
  const only = choices.filter((one) => one.only !== null);
  const values = only.map((one) => `${quoted(one.column)} says ${one.only!.map(said).join(' or ')}`);
  const ignored = choices.filter((one) => one.only === null).map(({ column }) => quoted(column));
  const left =
    leftOut === null ? '' : `; ${counted(leftOut, 'other row')} of the sheet ${leftOut === 1 ? 'is' : 'are'} left out`;
  return [
    ...(values.length === 0 ? [] : [`Pays only rows of which ${values.join(' and ')}${left}.`]),
    ...(ignored.length === 0 ? [] : [`Pays rows whatever ${ignored.join(', ')} says of them.`]),
  ];
}

/** Parts the rows that are meant from the others. */
export interface RowFilter {
  /** Of columns that the sheet does not have. */
  readonly problems: readonly Problem[];
  isMeant(cells: readonly Cell[]): boolean;
  /** Of values that no row has, once the last row was seen. */
  late(): Problem[];
}

/** Null where every row is meant. */
export function createRowFilter(
  choices: readonly RowChoice[] | undefined,
  { texts, ours }: Header,
  row: number,
): RowFilter | null {
  const problems: Problem[] = [];
  const wanted = (choices ?? []).flatMap(({ column, only }) => {
    if (only === null) return [];
    const places = texts.flatMap((text, index) =>
      ours[index] !== true && headerKey(text) === headerKey(column) ? [index] : [],
    );
    const [index] = places;
    if (index !== undefined && places.length === 1)
      return [
        {
          column,
          index,
          only,
          keys: new Set(only.map(valueKey)),
          seen: new Map<string, string>(),
          unknown: { rows: 0 },
        },
      ];
    const what = index === undefined ? 'no column is' : `${counted(places.length, 'column')} are`;
    const message = `${what} headed ${quoted(column)}, which --only names here, in the settings or for the batch; correct it, or say --ignore-column ${shellWord(column)}`;
    problems.push(sheetProblem('ONLY_UNKNOWN', 'error', message, { row, value: column }));
    return [];
  });
  if (wanted.length === 0 && problems.length === 0) return null;
  return {
    problems,
    isMeant(cells) {
      return wanted.every(({ index, keys, seen, unknown }) => {
        const cell = cells[index] ?? '';
        if (isUnknown(cell)) unknown.rows += 1;
        const text = shownText(cell).trim();
        const key = valueKey(text);
        if (seen.size < mostSeen || keys.has(key)) seen.set(key, text);
        return keys.has(key);
      });
    },
    late: () =>
      wanted.flatMap(({ column, index, only, seen, unknown }) => {
        const name = `column ${columnName(index)} ${quoted(column)}, which --only names`;
        if (unknown.rows > 0) {
          const message = `in ${name}, ${counted(unknown.rows, 'cell')} are formulas without a current result, or errors; ${calculateAgain}`;
          return [sheetProblem('ONLY_UNKNOWN', 'error', message, { value: column })];
        }
        return only
          .filter((value) => !seen.has(valueKey(value)))
          .map((value) => {
            const has = [...seen.values()].slice(0, shownValues).map(said).join(', ');
            const message = `no row says ${said(value)} in ${name}; its rows say ${has}`;
            return sheetProblem('ONLY_UNKNOWN', 'error', message, { value });
          });
      }),
  };
}

const mostSeen = 1000;
const shownValues = 8;
const said = (value: string) => (value === '' ? 'nothing' : quoted(value));
