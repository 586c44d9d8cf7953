/** Builds the first sheet of a checked workbook: the verdict, the next steps, and the totals. */
import { basename } from 'node:path';
import { timeWords } from '../../base/clock.ts';
import type { Severity } from '../../base/problem.ts';
import { counted, grouped } from '../../base/words.ts';
import type { ProblemKind } from '../../ledger/ledger.ts';
import { formWords } from '../../messages/notes/sheet-notes.ts';
import { problemMeaning, type ShownProblem } from '../../messages/problems.ts';
import type { Mark, Marked, Sheet, Summary, Table } from '../../sheet/sheet.ts';
import type { MoneyTotal } from '../outcome.ts';

export interface CheckedFacts {
  readonly file: string;
  readonly source: Sheet;
  readonly service: string;
  readonly totals: readonly MoneyTotal[];
  readonly now: number;
  /** Set for a page of the console, whose reader types no commands. */
  readonly page?: object;
  readonly marked: Marked;
  readonly kinds: readonly ProblemKind[];
}

type Fact = readonly [string, string];

export function checkedSummary(facts: CheckedFacts): Summary {
  const { file, source, marked, totals, kinds } = facts;
  const name = basename(file);
  return {
    title: `${name}: ${verdict(marked)}`,
    facts: [
      ['Sheet', `${name} (${formWords(source.form)[0]})`],
      ['Checked', checkedWords(facts)],
      ...stepsOf(name, marked, facts.page === undefined ? ', with the same command as before' : ''),
      ...carriedWords(source, marked),
    ],
    tables: [rowsTable(marked), wholeTable(marked.whole), totalsTable(totals), kindsTable(kinds)].filter(
      ({ rows }) => rows.length > 0,
    ),
  };
}

function verdict(marked: Marked): string {
  const { FIX, LOOK } = marked.marks;
  if (FIX > 0) return `${counted(FIX, 'row')} to fix`;
  if (isToFix(marked)) return 'to fix';
  return LOOK > 0 ? `can be paid, ${counted(LOOK, 'row')} to look at` : 'can be paid';
}

function isToFix({ marks, whole }: Marked): boolean {
  return marks.FIX > 0 || whole.some(({ severity }) => severity === 'error');
}

function checkedWords({ now, service }: CheckedFacts): string {
  const asked = { none: 'without asking a service', sandbox: 'with the sandbox' }[service] ?? `with ${service}`;
  return `${timeWords(now)}, ${asked}`;
}

function stepsOf(name: string, marked: Marked, how: string): Fact[] {
  const steps = !isToFix(marked)
    ? ['Nothing has to be fixed. Look at the rows marked LOOK, if there are any, and pay the sheet.']
    : marked.partial
      ? [
          `The sheet is too long for this workbook, which has only ${heldWords(marked)}.`,
          `Fix them in ${name} itself (payrun_sheet_row has their numbers there), and hand that in.`,
        ]
      : [
          'On the next sheet fix what is red: payrun_what_to_do, and the notes on the cells, say how.',
          `Save this file and hand it in${how}. Our columns may stay.`,
        ];
  return steps.map((step, index) => [index === 0 ? 'What to do' : '', step]);
}

function heldWords({ rows, marks: { FIX, LOOK } }: Marked): string {
  if (rows.length === FIX + LOOK) return `its ${counted(rows.length, 'row')} with problems`;
  const first = rows.length < FIX ? `the first ${grouped(rows.length)} of ` : '';
  return `${first}its ${counted(FIX, 'row')} to fix; the list of problems has all`;
}

function carriedWords({ unused }: Sheet, { calculated, cut }: Marked): Fact[] {
  const facts: Fact[] = [];
  if (unused.length > 0) facts.push(['Not used', unused.join(', ')]);
  if (calculated) facts.push(['Formulas', 'stand here as their last results']);
  if (cut > 0) facts.push(['Cut short', `${counted(cut, 'text')} with more than the 32,767 characters of a cell`]);
  return facts;
}

const meansOf: { readonly [M in Mark]: string } = {
  FIX: 'must be fixed',
  LOOK: 'can be paid; look at it first',
  OK: 'can be paid',
};

function rowsTable({ marks }: Marked): Table {
  const rows = (Object.keys(meansOf) as Mark[]).filter((mark) => marks[mark] > 0);
  return { title: 'Rows', header: ['Mark', 'Rows', ''], rows: rows.map((mark) => [mark, marks[mark], meansOf[mark]]) };
}

const words: { readonly [S in Severity]: string } = { error: 'FIX', warning: 'LOOK', repair: 'READ' };

function wholeTable(problems: readonly ShownProblem[]): Table {
  return {
    title: 'The sheet as a whole',
    header: ['Mark', 'Row', '', 'Column', 'What to do'],
    rows: problems.map(({ severity, row, column, message }) => [words[severity], row, null, column, message]),
  };
}

function totalsTable(totals: readonly MoneyTotal[]): Table {
  return {
    title: 'Totals of the rows that can be read',
    header: ['Currency', 'Amount', 'Unit', 'From'],
    // Leaves out the unit of whole amounts, because whole units are usual.
    rows: totals.map(({ currency, unit, from, planned }) => [currency, planned, unit === 'whole' ? null : unit, from]),
  };
}

function kindsTable(kinds: readonly ProblemKind[]): Table {
  return {
    title: 'Top problems',
    header: ['Mark', 'How many', 'First row', 'What it means'],
    rows: kinds.map(({ severity, count, firstRow, code }) => [words[severity], count, firstRow, problemMeaning(code)]),
  };
}
