/** Keeps the findings of a check in a small database, so that the page can filter and search 100,000 rows. */
import { rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sha256 } from '../../base/digest.ts';
import type { Problem } from '../../base/problem.ts';
import { openSqlite } from '../../base/sqlite.ts';
import type { Each } from '../../base/words.ts';
import { isMasked, maskedCell } from '../../domain/accounts/masked.ts';
import { factsFor } from '../../domain/problems/masked-facts.ts';
import type { RowProblems } from '../../domain/problems/row-problems.ts';
import { shownProblem } from '../../messages/problems.ts';
import { type CellCorrection, columnName, type Sheet, textsCorrected } from '../../sheet/sheet.ts';
import type { Mistake, RowFilter, ShownRow, Warnings } from '../api.ts';
import { wordsFor } from '../drafts/choices.ts';

const tables = `
  CREATE TABLE line (
    number INTEGER PRIMARY KEY, status TEXT NOT NULL, is_new INTEGER NOT NULL, is_large INTEGER NOT NULL, is_corrected INTEGER NOT NULL,
    cells TEXT NOT NULL, corrections TEXT NOT NULL
  ) STRICT;
  CREATE TABLE problem (
    id INTEGER PRIMARY KEY, line INTEGER, col TEXT, place INTEGER, code TEXT NOT NULL, severity TEXT NOT NULL, facts TEXT NOT NULL,
    value TEXT, suggestion TEXT, cell TEXT, words TEXT
  ) STRICT;
`;
/** Indexes that are made after all rows, because that takes a tenth of the time. */
const indexes = `
  CREATE INDEX line_status ON line (status) WHERE status <> 'ok';
  CREATE INDEX line_new ON line (number) WHERE is_new;
  CREATE INDEX line_large ON line (number) WHERE is_large;
  CREATE INDEX line_corrected ON line (number) WHERE is_corrected;
  CREATE INDEX problem_line ON problem (line);
`;

export interface TableLine extends Pick<ShownRow, 'number' | 'cells' | 'newPayee' | 'corrections'> {
  readonly problems: readonly Problem[];
  readonly large: boolean;
}

const statusOf = (problems: readonly Problem[]): ShownRow['status'] =>
  problems.some(({ severity }) => severity === 'error')
    ? 'fix'
    : problems.some(({ severity }) => severity === 'warning')
      ? 'warn'
      : 'ok';

/** `columns` has the field of each column. `countryOf` returns the country that a cell means. */
export function writeTable(path: string, columns: readonly (string | null)[], countryOf = (cell: string) => cell) {
  rmSync(path, { force: true });
  const db = openSqlite(path);
  // The table needs no journal, because it can be made again from the sheet.
  db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; ${tables} BEGIN`);
  const line = db.prepare('INSERT OR REPLACE INTO line VALUES (?,?,?,?,?,?,?)');
  const problem = db.prepare(
    'INSERT INTO problem (line, col, place, code, severity, facts, value, suggestion, cell, words) VALUES (?,?,?,?,?,?,?,?,?,?)',
  );
  const countryAt = columns.indexOf('country');
  /** Returns -1 for no column, and for a field that several columns fill. */
  const placeOf = (column: string) => {
    const place = columns.indexOf(column);
    return columns.includes(column, place + 1) ? -1 : place;
  };
  return {
    add(lines: readonly TableLine[]): void {
      for (const { number, cells, problems, newPayee, large, corrections } of lines) {
        const isCorrected = corrections.length > 0 ? 1 : 0;
        const flags = [newPayee ? 1 : 0, large ? 1 : 0, isCorrected];
        line.run(number, statusOf(problems), ...flags, JSON.stringify(cells), JSON.stringify(corrections));
        for (const { column, code, severity, facts, value, suggestion } of problems) {
          const place = column === null ? -1 : placeOf(column);
          const cell = place < 0 ? null : (cells[place] ?? '');
          const words = wordsFor(column, countryOf(cells[countryAt] ?? ''));
          const at = place < 0 ? null : place;
          const data = JSON.stringify(facts);
          problem.run(number, column, at, code, severity, data, value, suggestion, cell, words);
        }
      }
    },
    /** Closes the table. An error in an empty cell that a merged cell covers becomes CELL_MERGED. */
    end(merges: ReturnType<Sheet['merges']>): void {
      db.exec(`COMMIT; ${indexes}`);
      const covered = db.prepare(
        `UPDATE problem SET code = 'CELL_MERGED', facts = ?, suggestion = NULL WHERE severity = 'error' AND cell = ''
           AND line BETWEEN ? AND ? AND place BETWEEN ? AND ? AND NOT (line = ? AND place = ?)`,
      );
      for (const { left, top, right, bottom } of merges) {
        const facts: RowProblems['CELL_MERGED'] = { cell: `${columnName(left)}${top}` };
        covered.run(JSON.stringify(facts), top, bottom, left, right, top, left);
      }
      db.close();
    },
  };
}

const weightiest = `LOOKS_PAID LOOKS_WAITING ROW_CLOSED TAKES_BACK PAYEE_TWICE PAYEE_CHANGED
   PAYEE_KNOWN_OTHERWISE PAYEE_ELSEWHERE DOCUMENT_AGAIN ROW_ALIKE RAIL_LIMIT`.split(/\s+/);
const weightOf = (code: string) => (weightiest.includes(code) ? weightiest.indexOf(code) : weightiest.length);

const filters: { readonly [F in RowFilter]: string } = {
  all: '1',
  to_fix: "status = 'fix'",
  warnings: "status = 'warn'",
  new_payees: 'is_new',
  over_50000: 'is_large',
  corrected: 'is_corrected',
};

export interface RowsQuery extends Each<'warning q', string>, Each<'from limit', number> {
  readonly filter: RowFilter;
}

interface LineRecord {
  number: number;
  status: ShownRow['status'];
  is_new: number;
  cells: string;
  corrections: string;
}

export interface EqualCells extends Pick<Mistake, 'code' | 'severity' | 'suggestion' | 'words'> {
  readonly column: number;
  readonly text: string;
}

/** `rows` has row numbers in order, with commas between them. */
export const rowsAre = (rows: string) => sha256(rows);

type TableRow = Omit<ShownRow, 'money'>;

/** `first` has the cells of the first row. */
type TableMistake = Omit<Mistake, 'payee' | 'amount' | 'money'> & { readonly first: readonly string[] };

export type Table = ReturnType<typeof openTable>;

interface StoredProblem extends Omit<Problem, 'facts'> {
  readonly facts: string;
}

const readProblem = ({ facts, ...problem }: StoredProblem): Problem => ({
  ...problem,
  facts: JSON.parse(facts) as object,
});

/** `columns` has the field of each column, for masking accounts. Null masks nothing. */
export function openTable(path: string, columns: readonly (string | null)[] | null) {
  const db = new DatabaseSync(path, { readOnly: true });
  const shown = (problem: StoredProblem) =>
    shownProblem(factsFor({ masked: columns !== null }, readProblem(problem)), 'page');
  const shownCell = (text: string, index: number) =>
    columns === null ? text : maskedCell(columns[index] ?? null, text);
  /** A viewer searches no masked column, because a search could reveal the hidden part of an account. */
  const searched =
    columns === null
      ? "cells LIKE ? ESCAPE '\\'"
      : `EXISTS (SELECT 1 FROM json_each(cells) WHERE value LIKE ? ESCAPE '\\'
           AND key IN (${columns.flatMap((column, index) => (column === null || isMasked(column) ? [] : [index])).join()}))`;

  return {
    rows({ filter, warning, q, from, limit }: RowsQuery) {
      const text = q.trim();
      const values: SQLInputValue[] = [];
      let where = filters[filter];
      if (warning !== '') {
        where += " AND number IN (SELECT line FROM problem WHERE severity = 'warning' AND code = ?)";
        values.push(warning);
      }
      if (text !== '') {
        where += ` AND (${searched} OR number = ?)`;
        // Cells are stored as JSON, so the search uses the escaped form of a quote or backslash.
        const sought = columns === null ? JSON.stringify(text).slice(1, -1) : text;
        values.push(`%${sought.replaceAll(/[\\%_]/g, '\\$&')}%`, /^\d{1,9}$/.test(text) ? Number(text) : -1);
      }
      const { total } = db.prepare(`SELECT count(*) AS total FROM line WHERE ${where}`).get(...values) as {
        total: number;
      };
      const lines = db
        .prepare(
          `SELECT number, status, is_new, cells, corrections FROM line WHERE ${where} ORDER BY number LIMIT ? OFFSET ?`,
        )
        .all(...values, limit, from) as unknown as LineRecord[];
      const problems = db.prepare(
        'SELECT line AS row, col AS "column", code, severity, facts, value, suggestion FROM problem WHERE line = ? ORDER BY id',
      );
      const rows = lines.map(
        (line): TableRow => ({
          number: line.number,
          status: line.status,
          cells: (JSON.parse(line.cells) as string[]).map(shownCell),
          problems: (problems.all(line.number) as unknown as StoredProblem[]).map(shown),
          corrections: (JSON.parse(line.corrections) as ShownRow['corrections']).map((one) => ({
            ...one,
            was: shownCell(one.was, one.column),
          })),
          newPayee: line.is_new === 1,
        }),
      );
      return { total, rows };
    },
    mistakes(): readonly TableMistake[] {
      // For a single min(), SQLite takes the other columns from the same row, so the facts are the first row's.
      const found = db
        .prepare(
          `SELECT found.*, line.cells FROM (
             SELECT code, severity, col AS "column", place AS "index", coalesce(cell, value) AS value, suggestion, words, facts,
               count(DISTINCT line) AS rows, min(line) AS firstRow, group_concat(DISTINCT line ORDER BY line) AS lines,
               json_group_array(DISTINCT facts) AS every
             FROM problem WHERE severity <> 'repair' GROUP BY code, severity, col, coalesce(cell, value), suggestion, words
           ) found LEFT JOIN line ON line.number = firstRow
           ORDER BY severity = 'error' DESC, rows DESC, firstRow LIMIT 500`,
        )
        .all() as unknown as (Omit<TableMistake, 'first' | 'rowsAre' | 'message'> &
        Omit<StoredProblem, 'row'> &
        Readonly<Record<'lines' | 'cells', string | null>> & { readonly every: string })[];
      return found.map(({ lines, cells, facts, every, ...one }) => {
        // A cell may name several documents, so the mistake has the messages of all.
        const texts = one.column === 'documents' ? (JSON.parse(every) as string[]) : [facts];
        const all = texts.map((text) => shown({ ...one, row: null, facts: text }));
        const { value, suggestion } = all[0]!;
        return {
          ...one,
          value,
          suggestion,
          message: [...new Set(all.map(({ message }) => message))].join('; '),
          rowsAre: rowsAre(lines ?? ''),
          first: cells === null ? [] : (JSON.parse(cells) as string[]).map(shownCell),
        };
      });
    },
    warnings(): readonly Warnings[] {
      // For a single min(), SQLite takes the other columns from the same row, so the facts are that row's.
      const found = db
        .prepare(
          `SELECT NULL AS row, col AS "column", code, severity, facts, NULL AS value, NULL AS suggestion,
             count(DISTINCT line) AS rows, min(line) AS firstRow
           FROM problem WHERE severity = 'warning' AND line IS NOT NULL GROUP BY code ORDER BY rows DESC`,
        )
        .all() as unknown as (StoredProblem & Omit<Warnings, 'message'>)[];
      return found
        .map(({ rows, firstRow, ...one }) => ({ code: one.code, rows, firstRow, message: shown(one).message }))
        .toSorted((a, b) => weightOf(a.code) - weightOf(b.code));
    },
    mistaken: ({ column, text, code, severity, suggestion, words }: EqualCells) =>
      db
        .prepare(
          `SELECT DISTINCT line FROM problem WHERE place = ? AND cell = ? AND code = ? AND severity = ? AND suggestion IS ?
             AND words IS ? ORDER BY line`,
        )
        .all(column, text, code, severity, suggestion, words)
        .map(({ line }) => Number(line)),
    /** Counts the rows, and returns the first that says another text. The table may know only some of `corrections`. */
    saying(
      rows: readonly number[],
      { column, text }: Pick<EqualCells, 'column' | 'text'>,
      corrections: readonly CellCorrection[],
    ) {
      const lines = db
        .prepare(
          `SELECT number, coalesce(json_extract(cells, ?), '') AS cell, CASE WHEN is_corrected THEN corrections END AS corrections
           FROM line WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number`,
        )
        .all(`$[${column}]`, JSON.stringify(rows)) as unknown as readonly {
        number: number;
        cell: string;
        corrections: string | null;
      }[];
      const numbers = lines.map(({ number }) => number);
      const inFile = lines.map(({ cell, corrections: known }) => {
        const before = known === null ? [] : (JSON.parse(known) as ShownRow['corrections']);
        return before.find((one) => one.column === column)?.was ?? cell;
      });
      const ofColumn = corrections.filter((one) => one.column === column);
      const says = textsCorrected(numbers, inFile, ofColumn);
      const other = says.findIndex((one) => one !== text);
      return { found: numbers.length, other: other < 0 ? null : { row: numbers[other]!, text: says[other]! } };
    },
    texts: (column: number) =>
      db
        .prepare(
          "SELECT DISTINCT json_extract(cells, ?) AS text FROM line WHERE coalesce(json_extract(cells, ?), '') <> ''",
        )
        .all(`$[${column}]`, `$[${column}]`)
        .map(({ text }) => String(text)),
    [Symbol.dispose]: () => db.close(),
  };
}
