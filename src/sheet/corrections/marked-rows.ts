/** Joins the rows of a sheet with their problems, for the checked workbook. */
import type { Severity } from '../../base/problem.ts';
import { type Cell, shownText } from '../../domain/rows/cell.ts';
import type { ShownProblem } from '../../messages/problems.ts';
import { maxFormattedLines } from '../file/limits.ts';
import type { StoredCell } from '../file/raw-row.ts';
import type { ClassifiedRow, Sheet } from '../open.ts';

export type Mark = 'FIX' | 'LOOK' | 'OK';

export interface CheckedSheet {
  readonly source: Sheet;
  /** Yields problems of the whole sheet first, and then problems of rows in the sheet's order. */
  problems(): Iterable<ShownProblem>;
  /** False if Payrun refused the header, and so checked no row. */
  readonly rowsRead: boolean;
}

export interface MarkedRow {
  readonly row: ClassifiedRow;
  readonly problems: readonly ShownProblem[];
  /** Null for a row that is not a line to pay, such as a title. Null for all rows if Payrun refused the header. */
  readonly mark: Mark | null;
}

export interface Marked {
  /** All rows with values. If there are more than `maxFormattedLines`, only rows with problems. */
  readonly rows: readonly MarkedRow[];
  readonly marks: { readonly [M in Mark]: number };
  readonly whole: readonly ShownProblem[];
  readonly partial: boolean;
  readonly calculated: boolean;
}

export async function markRows(findings: CheckedSheet): Promise<Marked> {
  const { source, rowsRead } = findings;
  const marks = { FIX: 0, LOOK: 0, OK: 0 };
  using problems = inOrder(findings.problems());
  const whole = problems.before(1);
  const rows = createRoom();
  let calculated = false;
  for await (const batch of source.rows())
    for (const row of batch) {
      whole.push(...problems.before(row.number));
      const found = row.kind === 'total' ? whole.filter(isAt(row, source)) : problems.before(row.number + 1);
      if (row.kind === 'header') whole.push(...found);
      const mark = row.kind === 'line' && rowsRead ? markOf(found) : null;
      if (mark !== null) marks[mark] += 1;
      rows.add({ row, problems: found, mark });
      calculated ||= row.cells.some((cell) => isFrozen(row, cell));
    }
  whole.push(...problems.before(Number.POSITIVE_INFINITY));
  return { rows: rows.kept(), marks, whole, partial: rows.partial(), calculated };
}

/** True if the checked workbook replaces the formula by a value. Only sums in the totals row stay formulas. */
const isFrozen = ({ kind }: ClassifiedRow, cell: Cell): boolean =>
  typeof cell !== 'string' && cell.formula && !(kind === 'total' && (cell as StoredCell).sum !== null);

function inOrder(problems: Iterable<ShownProblem>) {
  const iterator = problems[Symbol.iterator]();
  let next = iterator.next();
  return {
    before(row: number): ShownProblem[] {
      const taken: ShownProblem[] = [];
      for (; !next.done && (next.value.row ?? 0) < row; next = iterator.next()) taken.push(next.value);
      return taken;
    },
    [Symbol.dispose]: () => void iterator.return?.(),
  };
}

/** Keeps at most `maxFormattedLines` rows: all rows, or else the FIX and LOOK rows, or else only the FIX rows. */
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

function isAt(row: ClassifiedRow, { columns }: Sheet): (problem: ShownProblem) => boolean {
  return ({ column, value }) =>
    value !== null && columns.some((field, index) => field === column && shownText(row.cells[index] ?? '') === value);
}

export const markOfSeverity: { readonly [S in Severity]: Mark } = { error: 'FIX', warning: 'LOOK', repair: 'OK' };

export function markOf(problems: readonly ShownProblem[]): Mark {
  const marks = problems.map(({ severity }) => markOfSeverity[severity]);
  return marks.includes('FIX') ? 'FIX' : marks.includes('LOOK') ? 'LOOK' : 'OK';
}
