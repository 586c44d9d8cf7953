/** Reads and checks a sheet in a thread that inspect.ts starts. Writes the findings to a table. */
import { basename, dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { inspectSheet, type Looked } from '../../app/inspect-sheet.ts';
import { systemClock } from '../../base/clock.ts';
import { assert, faultOf, PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { offlineBanks } from '../../domain/accounts/bank.ts';
import { shownText } from '../../domain/rows/cell.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { countryName } from '../../messages/field-words.ts';
import { messageOf, messageOfError } from '../../messages/web/messages.ts';
import { standingWithDraft } from '../../pipeline/figures.ts';
import { writeProblemReport } from '../../pipeline/intake/problem-report.ts';
import { readingNotes } from '../../pipeline/versions/plan-sheet.ts';
import {
  isCorrected,
  type MapAdvice,
  meantBy,
  mergedChoices,
  type Sheet,
  type SheetOptions,
  shippedFor,
  visibleSheets,
} from '../../sheet/sheet.ts';
import type { ShownRow } from '../api.ts';
import { readMap } from '../drafts/match-columns.ts';
import { noFound } from '../drafts/sheet-records.ts';
import { type TableLine, writeTable } from './check-table.ts';
import type { Inspection, LookGiven, LookTold } from './inspect.ts';

const port = parentPort;
assert(port !== null, 'this file is a thread of looking.ts');
const tell = (told: LookTold) => port.postMessage(told);

const shownProblems = 200;
/** A person writes a country into its cell as the page names it. */
function written(problem: Problem): Problem {
  const { column, suggestion } = problem;
  const isCountry = column?.endsWith('country') === true && suggestion !== null;
  return isCountry ? { ...problem, suggestion: countryName(suggestion, 'page') } : problem;
}

const mapOf = ({ map }: LookGiven) => (map === null ? null : readMap(map, 'the matched columns'));

function countryBy(given: LookGiven): (cell: string) => string {
  const map = mapOf(given);
  return map === null ? (cell) => cell : (cell) => meantBy(map, 'country', cell);
}

async function look(given: LookGiven): Promise<Inspection> {
  const { path, sheetName, corrections, choices, check, handBack } = given;
  const map = mapOf(given);
  const options: SheetOptions = {
    ...(sheetName === null ? {} : { sheetName }),
    ...(map === null ? {} : { map }),
    corrections: corrections.map(({ row, column, from, to, by, at }) => ({ row, column, from, to, by, at })),
    choices: mergedChoices(choices, check.choices),
  };
  await using ledger = openLedger(given.ledger.place, systemClock, { ...given.ledger.options, readOnly: true });
  const looked = await inspectSheet(
    ledger,
    {
      path,
      options,
      rules: { ...check.rules, banks: offlineBanks() },
      documentsFolder: given.documentsFolder,
      documentLimits: check.documents,
      rails: check.rails,
      duplicatesWindow: check.duplicatesWindow,
      now: systemClock.now(),
      address: given.address,
      batch: given.batch,
    },
    ({ done }) => tell({ done }),
  );
  const { sheet, advice } = looked.checked;
  if (handBack !== undefined)
    return {
      ...noFound,
      state: 'ready',
      counts: { ...noLines, rows: ledger.draft.counts().rows },
      ...(await handedBack(ledger, sheet, given, handBack)),
    };
  const whole: Problem[] = [];
  const lines = await writeLines(looked, ledger.draft.eachProblem(), whole, given);
  const counts = ledger.draft.counts();
  const header = sheet.header.length > 0 ? sheet.header : sheet.likelyHeader;
  const isWrong = counts.errors > 0 || counts.rows === 0;
  return {
    state: advice?.needed === true ? 'columns' : isWrong ? 'to_fix' : 'ready',
    message: null,
    form: sheet.form,
    reading: readingNotes(looked.checked).slice(1),
    sheetName: sheet.format === 'xlsx' ? sheet.name : null,
    seen: looked.seen,
    sharedWith: looked.sharedWith,
    header,
    columns: header.map((_, index) => sheet.columns[index] ?? null),
    advice: adviceOf(advice, header, sheet, map?.name, sheet.format === 'xlsx' ? await severalSheets(path) : []),
    counts: { ...lines, paid: Math.max(0, ...looked.sharedWith.map(({ paid }) => paid)) },
    totals: ledger.draft.countryTotals().map(({ amount, ...total }) => ({ ...total, amount: String(amount) })),
    problems: whole.slice(0, shownProblems).map(written),
    questions: looked.checked.questions.map(({ index: _at, ...question }) => question),
    ownBatch: looked.checked.ownBatch,
  };
}

const noLines = { ...noFound.counts, looksPaid: 0 };

/** Writes the checked workbook as `payrun check` does, with the page's words and the id of the upload. */
async function handedBack(ledger: Ledger, source: Sheet, { path }: LookGiven, outDir: string) {
  const { totals } = await standingWithDraft(ledger, null);
  const page = { origin: basename(dirname(path)) };
  const said = { file: path, outDir, source, service: 'none', totals, now: systemClock.now(), page };
  const { checked, notes } = await writeProblemReport(ledger.draft, said);
  const [note] = notes;
  return { checked: checked?.path ?? null, message: note === undefined ? null : messageOf('SHEET_NOTE', { note }) };
}

/** `problems` are in the order of the sheet's lines. */
async function writeLines(
  looked: Looked,
  problems: Iterable<Problem>,
  whole: Problem[],
  given: LookGiven,
): Promise<Inspection['counts']> {
  const { sheet } = looked.checked;
  const lineCounts = { ...noLines };
  assert(given.table !== undefined, 'a look without an answer writes a table');
  const table = writeTable(given.table, sheet.columns, countryBy(given));
  const iterator = problems[Symbol.iterator]();
  let next = iterator.next();
  const upTo = (row: number): Problem[] => {
    const taken: Problem[] = [];
    for (; !next.done && (next.value.row ?? 0) <= row; next = iterator.next()) taken.push(next.value);
    return taken;
  };
  whole.push(...upTo(0));
  for await (const rows of sheet.rows()) {
    const lines: TableLine[] = [];
    for (const { number, cells, kind } of rows) {
      const own = upTo(number);
      if (kind !== 'line') {
        whole.push(...own);
        continue;
      }
      whole.push(...own.filter(({ row }) => row !== number));
      const found = own.filter(({ row }) => row === number);
      const line: TableLine = {
        number,
        cells: cells.map(shownText),
        problems: found.map(written),
        newPayee: looked.newPayees.has(number),
        large: looked.checked.large.has(number),
        corrections: correctionsOf(number, found, sheet, given),
      };
      lines.push(line);
      lineCounts.rows += 1;
      if (line.newPayee) lineCounts.newPayees += 1;
      if (line.large) lineCounts.over50000 += 1;
      if (found.some(({ code }) => code === 'LOOKS_PAID')) lineCounts.looksPaid += 1;
      if (found.some(({ severity }) => severity === 'error')) lineCounts.toFix += 1;
      else if (found.some(({ severity }) => severity === 'warning')) lineCounts.warnings += 1;
    }
    table.add(lines);
    tell({ done: lineCounts.rows });
  }
  whole.push(...upTo(Number.POSITIVE_INFINITY));
  table.end(sheet.merges());
  return lineCounts;
}

function correctionsOf(
  number: number,
  problems: readonly Problem[],
  { columns }: Sheet,
  given: LookGiven,
): ShownRow['corrections'] {
  const told = problems.filter(({ code }) => code === 'CELL_CORRECTED');
  if (told.length === 0) return [];
  return given.corrections.flatMap(({ id, row, column, from, to, by, at }) =>
    isCorrected(row, number) &&
    told.some((one) => one.value === from && one.suggestion === to && one.column === (columns[column] ?? null))
      ? [{ id, column, was: from, by, at }]
      : [],
  );
}

/** Returns no sheets for a workbook with only one, because a person then has no choice. */
async function severalSheets(path: string): Promise<readonly string[]> {
  const sheets = await visibleSheets(path).catch(() => []);
  return sheets.length > 1 ? sheets : [];
}

const onlySheets = (sheets: readonly string[]): Inspection['advice'] =>
  sheets.length === 0 ? null : { shipped: null, columns: [], values: {}, numberFormat: null, sheets };

/** Returns advice on the columns even if every column is understood, because a person may disagree. */
function adviceOf(
  advice: MapAdvice | null,
  header: readonly string[],
  sheet: Sheet,
  mapName: string | undefined,
  sheets: readonly string[],
): Inspection['advice'] {
  if (header.length === 0) return onlySheets(sheets);
  const fits = shippedFor(header);
  const shipped = fits === mapName ? null : fits;
  // A shipped map that fits comes before suggestions from the names of columns.
  const suggested = advice?.needed === true && fits === null ? advice.suggested : null;
  const used = new Map<string, number>();
  const columns = header.map((text, index) => {
    const use = suggested?.columns[text];
    const nth = used.get(text) ?? 0;
    used.set(text, nth + 1);
    const one = Array.isArray(use) ? use[nth] : use;
    return (one as string | null | undefined) ?? sheet.columns[index] ?? null;
  });
  return { shipped, columns, values: { ...suggested?.values }, numberFormat: null, sheets };
}

async function answer(given: LookGiven): Promise<Inspection> {
  try {
    return await look(given);
  } catch (error) {
    const sheets = await severalSheets(given.path);
    const isToChoose = sheets.length > 0 && given.sheetName === null && error instanceof PayrunError;
    return {
      ...noFound,
      state: isToChoose ? 'columns' : 'unreadable',
      message:
        error instanceof PayrunError ? messageOfError(error) : messageOf('SHEET_UNREADABLE', { why: faultOf(error) }),
      advice: onlySheets(sheets),
    };
  }
}

port.on('message', (given: LookGiven) => {
  void answer(given).then((found) => tell({ found }));
});
