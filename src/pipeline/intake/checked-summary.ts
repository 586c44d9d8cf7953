/** Builds the first sheet of a checked workbook: the verdict, the next steps, and the totals. */
import { basename } from 'node:path';
import type { Severity } from '../../base/problem.ts';
import type { ProblemKind } from '../../ledger/ledger.ts';
import {
  checkedFacts,
  checkedTables,
  checkedWords,
  fixingSteps,
  markMeanings,
  verdictWords,
} from '../../messages/files/checked-sheet.ts';
import { formWords } from '../../messages/notes/sheet-notes.ts';
import { problemMeaning, type ShownProblem } from '../../messages/problems.ts';
import type { Mark, Marked, Sheet, Summary, Table } from '../../sheet/sheet.ts';
import type { MoneyTotal } from '../figures.ts';

export interface ProblemOrder {
  /** The person's own file, even if Payrun read a copy. */
  readonly file: string;
  readonly outDir: string | null;
  readonly source: Sheet;
  readonly service: string;
  readonly totals: readonly MoneyTotal[];
  readonly now: number;
  /** Set for a page. `origin` is the upload's id, which the checked workbook carries. */
  readonly page?: { readonly origin: string };
}

type Fact = readonly [string, string];

export function checkedSummary(
  { file, source, service, totals, now, page }: ProblemOrder,
  marked: Marked,
  kinds: readonly ProblemKind[],
): Summary {
  const name = basename(file);
  const { marks, whole, partial, rows } = marked;
  const isToFix = marks.FIX > 0 || whole.some(({ severity }) => severity === 'error');
  const checked = { marks, isToFix, partOf: partial ? rows.length : null };
  const steps = fixingSteps(name, checked, page === undefined ? 'terminal' : 'page');
  return {
    title: `${name}: ${verdictWords(checked)}`,
    facts: [
      ['Sheet', `${name} (${formWords(source.form)[0]})`],
      ['Checked', checkedWords(now, service)],
      ...steps.map((step, index): Fact => [index === 0 ? checkedFacts.steps : '', step]),
      ...(source.unused.length > 0 ? [[checkedFacts.unused, source.unused.join(', ')] as const] : []),
      ...(marked.calculated ? [checkedFacts.formulas] : []),
    ],
    tables: [rowsTable(marked), wholeTable(whole), totalsTable(totals), kindsTable(kinds)].filter(
      (table) => table.rows.length > 0,
    ),
  };
}

function rowsTable({ marks }: Marked): Table {
  const rows = (Object.keys(markMeanings) as Mark[]).filter((mark) => marks[mark] > 0);
  return { ...checkedTables.rows, rows: rows.map((mark) => [mark, marks[mark], markMeanings[mark]]) };
}

const markOf: { readonly [S in Severity]: string } = { error: 'FIX', warning: 'LOOK', repair: 'READ' };

const wholeTable = (problems: readonly ShownProblem[]): Table => ({
  ...checkedTables.whole,
  rows: problems.map(({ severity, row, column, message }) => [markOf[severity], row, null, column, message]),
});

const totalsTable = (totals: readonly MoneyTotal[]): Table => ({
  ...checkedTables.totals,
  // Leaves out the unit of whole amounts, because whole units are usual.
  rows: totals.map(({ currency, unit, from, planned }) => [currency, planned, unit === 'whole' ? null : unit, from]),
});

const kindsTable = (kinds: readonly ProblemKind[]): Table => ({
  ...checkedTables.kinds,
  rows: kinds.map(({ severity, count, firstRow, code }) => [markOf[severity], count, firstRow, problemMeaning(code)]),
});
