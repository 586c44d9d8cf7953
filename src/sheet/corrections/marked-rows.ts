/** A sheet's rows and what is wrong with them, brought together for the checked workbook. */
import type { Problem, Severity } from '../../base/problem.ts';
import { type Cell, type Field, shownText } from '../../domain/rows/cell.ts';
import { columnName } from '../columns/column-name.ts';
import { fittingText, maxFormattedLines } from '../file/limits.ts';
import type { Sheet, SheetRow } from '../open.ts';
import type { StoredCell } from '../xlsx/stored-cell.ts';
import type { Merge } from '../xlsx/worksheet-rows.ts';

/** What stands in payrun_check. */
export type Mark = 'FIX' | 'LOOK' | 'OK';

export interface Findings {
  readonly source: Sheet;
  /** In the order of the sheet, those of the whole sheet first. */
  problems(): Iterable<Problem>;
  /** False where the header was refused: then no row was looked at. */
  readonly rowsRead: boolean;
}

export interface MarkedRow {
  readonly row: SheetRow;
  readonly problems: readonly Problem[];
  /** null for what is no line, and where no row was looked at. */
  readonly mark: Mark | null;
}

export interface Marked {
  /** Every row that is not blank; of a sheet that is too long for a workbook those with problems. */
  readonly rows: readonly MarkedRow[];
  readonly marks: { readonly [M in Mark]: number };
  /** Problems of the whole sheet and of its header. */
  readonly whole: readonly Problem[];
  /** Whether rows were left out, since the sheet is too long. */
  readonly partial: boolean;
  /** Whether a cell was calculated: a workbook of ours has its last result in its place. */
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

/** Of a cell that another is merged over: nothing can be typed there. */
export const coveredWords = ({ left, top }: Merge) =>
  `this cell is merged with ${columnName(left)}${top}, which alone holds a value; unmerge them in the file, and fill each cell`;

/** That such a cell is empty is the doing of the merge, and known only when the sheet has ended. */
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

/** Of all that is calculated the sum of a totals row alone goes on to be. */
function isFrozen({ kind }: SheetRow, cell: Cell): boolean {
  return typeof cell !== 'string' && cell.formula && !(kind === 'total' && (cell as StoredCell).sum !== null);
}

/** Hands out problems as the rows are read beside them: both come in the order of the sheet. */
function inOrder(problems: Iterable<Problem>) {
  const iterator = problems[Symbol.iterator]();
  let next = iterator.next();
  return {
    /** Those not yet taken that stand before this row; first those of the whole sheet. */
    before(row: number): Problem[] {
      const taken: Problem[] = [];
      for (; !next.done && (next.value.row ?? 0) < row; next = iterator.next()) taken.push(next.value);
      return taken;
    },
    end: () => void iterator.return?.(),
  };
}

/** Keeps every row as long as a workbook can hold them; then the rows with problems; then, of these, the ones to mend. */
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

/** What is wrong with a sum is a problem of the whole sheet, and shows in the totals row, at the cell with its value. */
function isAt(row: SheetRow, { columns }: Sheet): (problem: Problem) => boolean {
  return ({ column, value }) =>
    value !== null && columns.some((field, index) => field === column && shownText(row.cells[index] ?? '') === value);
}

export const markOfSeverity: { readonly [S in Severity]: Mark } = { error: 'FIX', warning: 'LOOK', repair: 'OK' };

/** The word of the worst of them. */
export function markOf(problems: readonly Problem[]): Mark {
  const marks = problems.map(({ severity }) => markOfSeverity[severity]);
  return marks.includes('FIX') ? 'FIX' : marks.includes('LOOK') ? 'LOOK' : 'OK';
}
