/** Writes the checked workbook and the lists of problems. Deletes earlier ones when nothing is left to fix. */
import { basename, dirname, resolve } from 'node:path';
import { failureOf } from '../../base/errors.ts';
import type { Severity } from '../../base/problem.ts';
import type { Failure } from '../../base/refusal.ts';
import type { Note, NoteOf } from '../../domain/note.ts';
import type { Draft, ProblemKind } from '../../ledger/ledger.ts';
import {
  checkedFacts,
  checkedTables,
  checkedWords,
  fixingSteps,
  markMeanings,
  verdictWords,
} from '../../messages/files/checked-sheet.ts';
import { formWords } from '../../messages/notes/sheet-notes.ts';
import { problemDocument, problemMeaning, type ShownProblem, shownProblem } from '../../messages/problems.ts';
import {
  keptNotes,
  type Mark,
  type Marked,
  type Output,
  removeEarlier,
  type Sheet,
  type Summary,
  sheetOutput,
  stemOf,
  type Table,
  writeChecked,
  writeProblemsCsv,
  writeProblemsJson,
} from '../../sheet/sheet.ts';
import type { MoneyTotal } from '../figures.ts';
import type { Outcome, SheetFindings } from '../outcome.ts';

type UnwrittenFile = NoteOf<'files-unwritten'>['files'][number];

/** The most problems that an outcome carries. The checked workbook has room for more. */
export const maxProblems = 10_000;

const shownKinds = 10;

export interface ProblemReport extends Pick<SheetFindings, 'checked'> {
  readonly notes: readonly Note[];
}

export const noReport: ProblemReport = { notes: [] };

export function withReport(outcome: Outcome, { notes, ...back }: ProblemReport): Outcome {
  const findings = { problems: [], problems_total: 0, ...outcome.findings, ...back };
  return { ...outcome, findings, notes: [...outcome.notes, ...notes] };
}

/** True if a person has something to fix or check. Values that Payrun only normalised do not count. */
export function isWorthReporting(draft: Draft): boolean {
  const { errors, warnings } = draft.counts();
  return errors + warnings > 0;
}

/** Writes the workbook and the lists. A file that cannot be written becomes a note, and does not stop the command. */
export async function writeProblemReport(draft: Draft, said: ProblemOrder): Promise<ProblemReport> {
  const order = withFileName(said);
  const { file, outDir, source } = order;
  // A workbook with only the problem rows of a longer sheet gets no files, because the longer sheet's files must stay.
  if (source.problems.some(({ code }) => code === 'SHEET_OF_PROBLEMS')) return noReport;
  // In a sheet without a header Payrun can mark no cell, so it only deletes the earlier files.
  if (source.headerRow === 0) return { ...noReport, notes: await removeProblemReport(file, outDir) };
  const unwritten = new Map<string, { readonly why: Failure; readonly files: UnwrittenFile[] }>();
  const attempt = async <T>(file: UnwrittenFile, write: () => Promise<T>): Promise<T | null> =>
    await write().catch((error: unknown) => {
      const why = failureOf(error);
      const key = JSON.stringify(why);
      unwritten.set(key, { why, files: [...(unwritten.get(key)?.files ?? []), file] });
      return null;
    });
  const workbook = await attempt('checked-workbook', async () => await writeWorkbook(draft, order));
  const checked = workbook?.path ?? null;
  const lists = (await attempt('problem-list', async () => await writeLists(draft, order, checked))) ?? [];
  await removeEarlier(file, outDir, { paths: [file, checked, ...lists.map(({ path }) => path)] });
  const notes: Note[] = [
    ...keptNotes(sheetOutput(file, outDir, '.checked.xlsx').path, checked),
    ...lists.flatMap(({ wanted, path }) => keptNotes(wanted, path)),
    ...Array.from(unwritten.values(), (one) => ({ note: 'files-unwritten', ...one }) as const),
  ];
  if (workbook === null) return { notes };
  return { checked: { path: workbook.path, rows: workbook.marked.partial ? 'problems' : 'all' }, notes };
}

function withFileName(order: ProblemOrder): ProblemOrder {
  const { source } = order;
  const file = resolve(order.file);
  return { ...order, file, source: source.format === 'csv' ? { ...source, name: stemOf(file) } : source };
}

async function writeWorkbook(draft: Draft, order: ProblemOrder) {
  const { file, outDir, source, now, page } = order;
  // A person may have fixed a submitted checked workbook, so it must stay. The console keeps every upload anyway.
  const isPersonal = page === undefined && source.checks.includes(true);
  return await writeChecked(
    { ...sheetOutput(file, outDir, '.checked.xlsx'), isPersonal },
    {
      source,
      origin: page?.origin ?? null,
      problems: () => problemsOf(draft, order),
      rowsRead: !source.problems.some(({ severity }) => severity === 'error'),
      now,
      summary: (marked) => checkedSummary(order, marked, draft.problemKinds(shownKinds)),
    },
  );
}

function* problemsOf(draft: Draft, { page }: ProblemOrder): Iterable<ShownProblem> {
  for (const problem of draft.eachProblem())
    yield page === undefined ? problemDocument(problem) : shownProblem(problem, 'page');
}

async function writeLists(draft: Draft, order: ProblemOrder, checked: string | null) {
  const { file, outDir, source } = order;
  const csv = sheetOutput(file, outDir, '.problems.csv');
  const json = sheetOutput(file, outDir, '.problems.json');
  const facts = { sheet: basename(file), checked: checked === null ? null : basename(checked) };
  return [
    { wanted: csv.path, path: await writeProblemsCsv(csv, problemsOf(draft, order), source.csv?.delimiter ?? ',') },
    { wanted: json.path, path: await writeProblemsJson(json, problemsOf(draft, order), facts) },
  ];
}

/** Deletes the files of an earlier check, which would mislead beside a payable sheet. A person's files stay. */
export async function removeProblemReport(
  sheet: string,
  outDir: string | null,
  kept?: Output['kept'],
): Promise<Note[]> {
  const file = resolve(sheet);
  const removed = await removeEarlier(file, outDir, { paths: [file], ...(kept === undefined ? {} : { kept }) });
  if (removed.length === 0) return [];
  const files = removed.map((path) => basename(path)).toSorted();
  return [{ note: 'files-removed', folder: outDir ?? dirname(file), files }];
}

interface ProblemOrder {
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

function checkedSummary(
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
