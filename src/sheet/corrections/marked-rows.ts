/** Brings a sheet's rows and their problems together for the checked workbook. */
import type { Problem, Severity } from '../../base/problem.ts';
import { type Cell, type Field, shownText } from '../../domain/rows/cell.ts';
import { columnName } from '../columns/column-name.ts';
import { fittingText, maxFormattedLines } from '../file/limits.ts';
import type { StoredCell } from '../file/raw-row.ts';
import type { Sheet, SheetRow } from '../open.ts';
import type { Merge } from '../xlsx/worksheet-rows.ts';

/** The values of the column payrun_check. */
export type Mark = 'FIX' | 'LOOK' | 'OK';

export interface Findings {
  readonly source: Sheet;
  /** In the order of the sheet, after those of the whole sheet. */
  problems(): Iterable<Problem>;
  /** False if the header was refused, so that no row was checked. */
  readonly rowsRead: boolean;
}

export interface MarkedRow {
  readonly row: SheetRow;
  readonly problems: readonly Problem[];
  /** null for a row that is not a line, and if no row was checked. */
  readonly mark: Mark | null;
}

export interface Marked {
  /** Every row that is not blank; for a sheet too long for a workbook, only rows with problems. */
  readonly rows: readonly MarkedRow[];
  readonly marks: { readonly [M in Mark]: number };
  readonly whole: readonly Problem[];
  /** True when rows are missing because the sheet is too long. */
  readonly partial: boolean;
  /** True when a cell is calculated; our workbook stores its last result in place of the formula. */
  readonly calculated: boolean;
  /** How many texts are longer than a cell of a workbook can be. */
  readonly cut: number;
}

export async function markRows(findings: Findings): Promise<Marked> {
  const { source, rowsRead } = findings;
  const marks = { FIX: 0, LOOK: 0, OK: 0 };
  const problems = inOrder(findings.problems());
  const whole = problems.before(1);
  const rows = createRoom();
  let calculated = false;
  let cut = 0;
  try {
    for await (const batch of source.rows())
      for (const row of batch) {
        whole.push(...problems.before(row.number));
        const found = row.kind === 'total' ? whole.filter(isAt(row, source)) : problems.before(row.number + 1);
        if (row.kind === 'header') whole.push(...found);
        const mark = row.kind === 'line' && rowsRead ? markOf(found) : null;
        if (mark !== null) marks[mark] += 1;
        rows.add({ row, problems: found, mark });
        for (const cell of row.cells) {
          if (isFrozen(row, cell)) calculated = true;
          const text = shownText(cell);
          if (fittingText(text) !== text) cut += 1;
        }
      }
    whole.push(...problems.before(Number.POSITIVE_INFINITY));
  } finally {
    problems.end();
  }
  return { rows: withCovered(rows.kept(), source), marks, whole, partial: rows.partial(), calculated, cut };
}

/** Returns the message for a cell in which nothing can be typed, because another cell is merged over it. */
export const coveredWords = ({ left, top }: Merge) =>
  `this cell is merged with ${columnName(left)}${top}, which alone holds a value; unmerge them in the file, and fill each cell`;

/** Explains cells that a merge left empty. Merges are known only at the end of the sheet. */
function withCovered(rows: readonly MarkedRow[], source: Sheet): readonly MarkedRow[] {
  const merges = source.merges();
  if (merges.length === 0) return rows;
  const coverOf = (number: number, at: number) =>
    merges.find(
      ({ left, top, right, bottom }) =>
        top <= number && number <= bottom && left <= at && at <= right && !(top === number && left === at),
    );
  return rows.map((one) => {
    const problems = one.problems.map((problem): Problem => {
      const at = source.columns.indexOf(problem.column as Field);
      if (problem.severity !== 'error' || at < 0 || shownText(one.row.cells[at] ?? '') !== '') return problem;
      const cover = coverOf(one.row.number, at);
      return cover === undefined ? problem : { ...problem, message: coveredWords(cover), suggestion: null };
    });
    return { ...one, problems };
  });
}

/** True for a formula whose last result our workbook stores. Only the sum of a totals row stays a formula. */
function isFrozen({ kind }: SheetRow, cell: Cell): boolean {
  return typeof cell !== 'string' && cell.formula && !(kind === 'total' && (cell as StoredCell).sum !== null);
}

/** Yields problems beside the rows; both are in the order of the sheet. */
function inOrder(problems: Iterable<Problem>) {
  const iterator = problems[Symbol.iterator]();
  let next = iterator.next();
  return {
    /** Takes the problems before this row, beginning with those of the whole sheet. */
    before(row: number): Problem[] {
      const taken: Problem[] = [];
      for (; !next.done && (next.value.row ?? 0) < row; next = iterator.next()) taken.push(next.value);
      return taken;
    },
    end: () => void iterator.return?.(),
  };
}

/** Keeps all rows while a workbook can hold them; after that rows with problems, and finally rows to fix. */
function createRoom() {
  const stages: readonly (readonly Mark[])[] = [['FIX', 'LOOK'], ['FIX']];
  let rows: MarkedRow[] = [];
  let narrowed = 0;
  const isWanted = ({ mark }: MarkedRow) => narrowed === 0 || (mark !== null && stages[narrowed - 1]!.includes(mark));
  return {
    add(row: MarkedRow): void {
      if (!isWanted(row)) return;
      rows.push(row);
      while (rows.length > maxFormattedLines && narrowed < stages.length) {
        narrowed += 1;
        rows = rows.filter(isWanted);
      }
      if (rows.length > maxFormattedLines) rows.pop();
    },
    kept: () => rows,
    partial: () => narrowed > 0,
  };
}

/** True for a problem of the totals row: it belongs to the whole sheet, and shows at the cell with its value. */
function isAt(row: SheetRow, { columns }: Sheet): (problem: Problem) => boolean {
  return ({ column, value }) =>
    value !== null && columns.some((field, index) => field === column && shownText(row.cells[index] ?? '') === value);
}

export const markOfSeverity: { readonly [S in Severity]: Mark } = { error: 'FIX', warning: 'LOOK', repair: 'OK' };

/** Returns the mark of the worst problem. */
export function markOf(problems: readonly Problem[]): Mark {
  const marks = problems.map(({ severity }) => markOfSeverity[severity]);
  return marks.includes('FIX') ? 'FIX' : marks.includes('LOOK') ? 'LOOK' : 'OK';
}
