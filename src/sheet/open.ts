/** Opens a sheet of any format, finds its header, and yields its lines. */
import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import { PayrunError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import { type Each, visible } from '../base/words.ts';
import type { SheetForm } from '../domain/note.ts';
import { sheetProblem } from '../domain/problems/sheet-problems.ts';
import { type Cell, type Field, shownText } from '../domain/rows/cell.ts';
import type { Letters } from '../domain/rows/name-and-reference.ts';
import { stopMarkIn } from '../domain/rows/stop-mark.ts';
import type { SheetMap } from './columns/column-map.ts';
import { type CellRange, columnName } from './columns/column-name.ts';
import { countKnown, type Header, readHeader } from './columns/header.ts';
import type { HeaderFacts } from './columns/map-advice.ts';
import { createRowFilter, type RowChoice } from './columns/row-choice.ts';
import { currencyOfTitles, type Title, unitTitles } from './columns/titles.ts';
import { type CellCorrection, createCorrector } from './corrections/corrections.ts';
import { forcedText } from './csv/forced-text.ts';
import { restored } from './csv/formula-guard.ts';
import { ownSheetNames } from './file/limits.ts';
import { fileChanged, openRegular, openUnchanged, type RegularFile, sniff } from './file/open-file.ts';
import { isBlank, type RawRow } from './file/raw-row.ts';
import { messageSheet } from './iso20022/payments-file.ts';
import { type ClassifiedRow, type ControlTotal, createSorter, type Line, shortened } from './lines/lines.ts';
import type { ReadWorkbook } from './xlsx/process/reader.ts';
import { lookOf, type SheetLook } from './xlsx/style/sheet-appearance.ts';
import type { SheetExtras, Workbook, WorkbookSheet } from './xlsx/workbook.ts';

export interface SheetOptions {
  readonly sheetName?: string | undefined;
  readonly includeHidden?: boolean | undefined;
  readonly map?: SheetMap | undefined;
  readonly corrections?: readonly CellCorrection[] | undefined;
  readonly choices?: readonly RowChoice[] | undefined;
}

export interface Sheet extends HeaderFacts, Pick<Header, 'own' | 'checks'> {
  readonly path: string;
  readonly format: 'csv' | 'xlsx';
  readonly name: string;
  readonly form: SheetForm;
  readonly headerRow: number;
  /** The separator and line end for a CSV result; null for a workbook. */
  readonly csv: { readonly delimiter: string; readonly lineEnd: string } | null;
  readonly date1904: boolean;
  readonly letters: Letters;
  readonly initiation: Initiation | null;
  /** The width of each column, in characters: 0 if the column is hidden, null if it has the usual width. */
  readonly widths: SheetExtras['widths'];
  /** Returns the cell styles; null if the styles are unreadable. */
  look(): Promise<SheetLook | null>;
  /** Yields the lines in chunks of up to 1,000. Each call reads the file again. */
  lines(): AsyncIterable<readonly Line[]>;
  /** Yields all rows with values, including titles and the totals row; none if no header was found. */
  rows(): AsyncIterable<readonly ClassifiedRow[]>;
  /** This and all functions below have values only after `lines()` or `rows()` has ended. */
  controlTotal(): ControlTotal | null;
  belowTotal(): readonly number[];
  leftOut(): number;
  lateProblems(): readonly Problem[];
  merges(): readonly CellRange[];
}

/** Payrun searches this many rows for the header, because titles may stand above the header. */
const headerDepth = 50;
const linesPerChunk = 1000;
/** How long a workbook stays open after the search for its header, for the first reading of its lines. */
const keptMs = 10_000;

export async function openSheet(path: string, options: SheetOptions = {}): Promise<Sheet> {
  await using file = await openRegular(path);
  const { handle, stats } = file;
  const kind = sniff(handle, stats.size);
  if (kind !== 'csv') return await openRead(path, file, kind, options);
  if (options.sheetName !== undefined) throw new PayrunError('CSV_HAS_ONE_SHEET', {});
  const { csvForm, inspectCsv, readCsv } = await import('./csv/csv.ts');
  const form = await inspectCsv(path, handle, stats, options.map);
  const read = () => readCsv(form);
  const start = await findHeader(read(), options.map);
  if (!start.filled) throw new PayrunError('SHEET_EMPTY', {});
  const source: Source = {
    ...textFile(path),
    form: csvForm(form),
    csv: { delimiter: form.delimiter, lineEnd: form.lineEnd },
    letters: form.encoding === 'windows-1252' ? 'guessed' : 'certain',
    initiation: null,
    read,
  };
  return sheetFrom(source, start, options);
}

const textFile = (path: string) => ({
  path,
  format: 'csv' as const,
  name: basename(path).replace(/\.[^.]+$/, ''),
  date1904: false,
  look: async () => null,
});

async function openRead(
  path: string,
  { handle, stats }: RegularFile,
  kind: 'zip' | 'payments',
  options: SheetOptions,
): Promise<Sheet> {
  const { openReader } = await import('./xlsx/process/reader.ts');
  const workbook = await openReader(handle, stats.size);
  let chosen: Awaited<ReturnType<typeof chooseSheet>>;
  let initiation: Initiation | null = null;
  try {
    if (kind === 'payments') initiation = await readInitiation(workbook);
    chosen = await chooseSheet(workbook, options);
  } catch (error) {
    workbook.close();
    throw error;
  }
  const { sheet, start, others, alike } = chosen;
  const takeFirst = keepBriefly(workbook);

  const sameIn = (opened: ReadWorkbook): WorkbookSheet => {
    const same = opened.sheets.find(({ name }) => name === sheet.name);
    if (same === undefined) throw fileChanged(path);
    return same;
  };

  async function* read(extras?: (extras: SheetExtras) => void): AsyncGenerator<RawRow[]> {
    using opened = takeFirst() ?? (await openAgain(path, stats));
    yield* opened.rows(sameIn(opened), extras);
  }

  async function look(): Promise<SheetLook | null> {
    try {
      using opened = await openAgain(path, stats);
      return lookOf(await opened.look(sameIn(opened)));
    } catch (error) {
      if (error instanceof PayrunError && error.code !== 'FILE_UNREADABLE') return null;
      throw error;
    }
  }

  if (initiation !== null) {
    const message = shortened(visible(initiation.messageId));
    const source: Source = {
      ...textFile(path),
      form: { format: 'payments', version: initiation.version, message },
      csv: { delimiter: ',', lineEnd: '\r\n' },
      letters: 'certain',
      initiation,
      read,
    };
    return sheetFrom(source, { ...start, header: { ...start.header, unused: [] } }, options);
  }
  const hidden = workbook.sheets.filter((one) => one.hidden && one.name !== sheet.name).length;
  const source: Source = {
    path,
    format: 'xlsx',
    name: sheet.name,
    form: { format: 'workbook', sheet: sheet.name, others, alike, hidden, isHidden: sheet.hidden },
    csv: null,
    date1904: workbook.date1904,
    letters: 'certain',
    initiation: null,
    read,
    look,
  };
  return sheetFrom(source, start, options);
}

async function readInitiation(workbook: ReadWorkbook): Promise<Initiation> {
  const sheet = workbook.sheets.find(({ name }) => name === messageSheet)!;
  for await (const [row] of workbook.rows(sheet)) {
    const [version = '', messageId = '', created = '', count = '', sum = ''] = row!.cells.map(shownText);
    return { version, messageId, created, count, sum: sum === '' ? null : sum };
  }
  throw new PayrunError('PAYMENTS_MALFORMED', { element: 'GrpHdr' });
}

/** Keeps a workbook open for `keptMs`. Returns a function that gives the workbook once, if it is still open. */
function keepBriefly(workbook: ReadWorkbook): () => ReadWorkbook | null {
  let kept: ReadWorkbook | null = workbook;
  const timer = setTimeout(() => {
    kept = null;
    workbook.close();
  }, keptMs).unref();
  return () => {
    clearTimeout(timer);
    const taken = kept;
    kept = null;
    return taken;
  };
}

async function openAgain(path: string, stats: Stats): Promise<ReadWorkbook> {
  await using file = await openUnchanged(path, stats);
  const { openReader } = await import('./xlsx/process/reader.ts');
  return await openReader(file.handle, file.stats.size);
}

type Start = Awaited<ReturnType<typeof findHeader>>;

async function findHeader(rows: AsyncIterable<readonly RawRow[]>, map: SheetMap | undefined) {
  const top: RawRow[] = [];
  let found: RawRow | null = null;
  let followed = false;
  let filled = false;
  search: for await (const batch of rows) {
    for (const row of batch) {
      if (isBlank(row.cells)) continue;
      filled = true;
      if (found !== null) {
        followed = true;
        break search;
      }
      if (row.number > headerDepth) break search;
      top.push(row);
      if (countKnown(textsOf(row), map, false) >= 3) found = row;
    }
  }
  // If no row has three correct names, the header is the first row with three correct or misspelt names.
  const header = found ?? top.find((row) => countKnown(textsOf(row), map, true) >= 3) ?? null;
  const texts = header === null ? [] : trimmedEnd(textsOf(header));
  const own = texts.some((text) => text.trim().toLowerCase().startsWith('payrun_'));
  const read = readHeader(own ? texts.map(restored) : texts, header?.number ?? 0, map);
  const over = header === null ? [] : top.filter((row) => row.number < header.number);
  const above = over.filter((row) => isPayment(row, read));
  const titles = over.flatMap((row) => textsOf(row).map((text) => ({ row: row.number, text: text.trim() })));
  return {
    header: { ...read, amountCurrency: read.amountCurrency ?? currencyOfTitles(titles) },
    /** Rows above the header that look like payments. Sorting a sheet together with its header moves rows there. */
    above: above.map(({ number }) => number),
    units: unitTitles(titles, map),
    stops: titles.filter(({ text }) => stopMarkIn(text) !== null),
    headerRow: header?.number ?? 0,
    likelyHeader: header === null ? likelyHeader(top) : [],
    known: header === null ? 0 : countKnown(texts, map, false),
    widths: [] as SheetExtras['widths'],
    filled,
    followed: followed || (found === null && header !== null && top.at(-1) !== header),
  };
}

/** True for a row with an amount and a destination. A title never has both. */
function isPayment({ cells }: RawRow, { fields }: Header): boolean {
  const has = (wanted: readonly Field[], pattern: RegExp) =>
    fields.some((field, index) => {
      const cell = cells[index];
      return field !== null && cell !== undefined && wanted.includes(field) && pattern.test(shownText(cell));
    });
  return (
    has(['amount'], /\d/) && (has(['account_number', 'contact_number'], /\d/) || has(['lnurl', 'merchant_id'], /\S/))
  );
}

function likelyHeader(top: readonly RawRow[]): readonly string[] {
  let best: readonly string[] = [];
  let most = 1;
  for (const row of top) {
    const texts = trimmedEnd(textsOf(row));
    const filled = texts.filter((text) => text.trim() !== '');
    if (filled.length <= most || filled.some((text) => /^[\d\s.,+-]+$/.test(text))) continue;
    best = texts;
    most = filled.length;
  }
  return best;
}

function textsOf(row: RawRow): string[] {
  return row.cells.map((cell) => {
    const text = shownText(cell);
    return forcedText(text) ?? text;
  });
}

const trimmedEnd = (texts: string[]): string[] => texts.slice(0, texts.findLastIndex((text) => text.trim() !== '') + 1);

/** Chooses the sheet that `--sheet` names. Without the option, chooses the only result file, or the only sheet of payouts. */
async function chooseSheet(workbook: Workbook, options: SheetOptions) {
  const startOf = async (sheet: WorkbookSheet) => {
    let widths: SheetExtras['widths'] = [];
    const rows = workbook.rows(sheet, (extras) => {
      widths = extras.widths;
    });
    const start = await findHeader(rows, options.map);
    return { sheet, start: { ...start, widths } };
  };
  const names = (sheets: readonly WorkbookSheet[]) => sheets.map(({ name }) => name);
  const namesOf = (all: readonly { readonly sheet: WorkbookSheet }[]) => names(all.map(({ sheet }) => sheet));
  const visible = workbook.sheets.filter(({ hidden }) => !hidden);
  if (options.sheetName !== undefined) {
    const wanted = options.sheetName;
    const sheet =
      workbook.sheets.find(({ name }) => name === wanted) ??
      workbook.sheets.find(({ name }) => name.trim().toLowerCase() === wanted.trim().toLowerCase());
    if (sheet === undefined) throw new PayrunError('SHEET_NOT_THERE', { sheet: wanted, sheets: names(visible) });
    if (sheet.hidden && options.includeHidden !== true) throw new PayrunError('SHEET_HIDDEN', { sheet: sheet.name });
    const alike: string[] = [];
    for (const one of visible) if (one !== sheet && looksPaid((await startOf(one)).start)) alike.push(one.name);
    return { ...(await startOf(sheet)), others: 0, alike };
  }
  if (visible.length === 0) throw new PayrunError('SHEETS_HIDDEN', {});
  const starts = [];
  for (const sheet of visible) starts.push(await startOf(sheet));
  const matching = starts.filter(({ start }) => looksPaid(start));
  const own = matching.filter(({ start }) => start.header.own && start.header.rowColumn >= 0);
  const candidates = own.length === 1 ? own : matching;
  if (candidates.length > 1) throw new PayrunError('SHEETS_SEVERAL', { sheets: namesOf(candidates) });
  const slips = own.length === 1 ? [] : starts.filter(({ start }) => start.known < 3 && hasSlips(start));
  if (candidates.length === 1 && slips.length > 0)
    throw new PayrunError('SHEET_MAY_BE_MISSPELT', { sheets: namesOf(candidates), misspelt: namesOf(slips) });
  const filled = starts.filter(({ start }) => start.filled);
  if (filled.length === 0) throw new PayrunError('WORKBOOK_EMPTY', {});
  const only = candidates[0] ?? (filled.length === 1 ? filled[0]! : filled.find(({ start }) => start.headerRow > 0));
  if (only === undefined) throw new PayrunError('SHEETS_LACK_HEADER', { sheets: names(visible) });
  const isOurs = ({ name }: WorkbookSheet) => only.start.header.own && ownSheetNames.includes(name);
  const others = visible.filter((sheet) => sheet !== only.sheet && !isOurs(sheet)).length;
  return { ...only, others: own.length === 1 ? 0 : others, alike: [] as readonly string[] };
}

const looksPaid = ({ known }: { readonly known: number }) => known >= 3;

function hasSlips({ header, followed }: Start): boolean {
  return (
    followed &&
    (header.fields.includes('amount') ||
      header.problems.some(({ code, column }) => code === 'HEADER_MISSPELT' && column === 'amount'))
  );
}

export interface Initiation extends Each<'version messageId created count', string> {
  readonly sum: string | null;
}

interface Source
  extends Pick<Sheet, 'path' | 'format' | 'name' | 'form' | 'csv' | 'date1904' | 'letters' | 'initiation' | 'look'> {
  read(extras?: (extras: SheetExtras) => void): AsyncGenerator<RawRow[]>;
}

const nothingRead = {
  total: null as ControlTotal | null,
  below: [] as readonly number[],
  leftOut: 0,
  late: [] as readonly Problem[],
  merges: [] as readonly CellRange[],
};
const noExtras: SheetExtras = { widths: [], merges: [], maybeStruck: [], staleColumns: [] };

function sheetFrom({ read: readRows, ...source }: Source, start: Start, options: SheetOptions): Sheet {
  const { header, headerRow } = start;
  const includeHidden = options.includeHidden === true;
  let read = nothingRead;
  const chosen = () => createRowFilter(options.choices, header, headerRow);
  const hasChecks = header.checks.includes(true);

  async function* rows(): AsyncGenerator<readonly ClassifiedRow[]> {
    read = nothingRead;
    if (headerRow === 0) return;
    const sorter = createSorter({
      header,
      headerRow,
      includeHidden,
      map: options.map,
      separated: source.initiation === null ? (source.csv?.delimiter ?? null) : null,
    });
    let { merges, maybeStruck, staleColumns } = noExtras;
    let leftOut = 0;
    const { corrections = [] } = options;
    const corrector = corrections.length === 0 ? null : createCorrector(corrections, { header, headerRow });
    const filter = chosen();
    const withoutOthers = (rows: ClassifiedRow[]) =>
      filter === null
        ? rows
        : rows.map((row) => {
            if (row.line === null || filter.isMeant(row.cells)) return row;
            leftOut += 1;
            return { ...row, kind: 'left out' as const, line: null };
          });
    const unmark = header.own && source.format === 'csv';
    for await (const batch of readRows((extras) => {
      ({ merges, maybeStruck, staleColumns } = extras);
    })) {
      const out: ClassifiedRow[] = [];
      const own = unmark ? batch.map(unmarked) : batch;
      const corrected = corrector === null ? own : own.map(corrector.correct);
      sorter.push(hasChecks ? corrected.map(emptyChecks) : corrected, out);
      if (out.length > 0) yield withoutOthers(out);
    }
    const ended: ClassifiedRow[] = [];
    sorter.end(ended);
    const out = withoutOthers(ended);
    const total = sorter.controlTotal();
    const bounds = { header, headerRow, totalRow: total?.row ?? Number.POSITIVE_INFINITY };
    const late = [
      ...(corrector?.late() ?? []),
      ...(filter?.late(merges) ?? []),
      ...sorter.late(),
      ...mergeProblems(merges, bounds),
      ...strikingProblems(maybeStruck, bounds),
      ...staleProblems(staleColumns, header),
    ];
    read = { total, below: sorter.belowTotal(), leftOut, late, merges };
    if (out.length > 0) yield out;
  }

  /** Empties the cells of an earlier check, so that their row can count as blank. */
  function emptyChecks(row: RawRow): RawRow {
    if (row.number <= headerRow) return row;
    return { ...row, cells: row.cells.map((cell, index) => (header.checks[index] === true ? '' : cell)) };
  }

  async function* lines(): AsyncGenerator<readonly Line[]> {
    let chunk: Line[] = [];
    for await (const batch of rows())
      for (const { line } of batch) {
        if (line !== null) chunk.push(line);
        if (chunk.length < linesPerChunk) continue;
        yield chunk;
        chunk = [];
      }
    if (chunk.length > 0) yield chunk;
  }

  const ofChoice = headerRow === 0 ? [] : (chosen()?.problems ?? []);
  return {
    ...source,
    ...header,
    header: header.texts,
    headerRow,
    likelyHeader: start.likelyHeader,
    columns: header.fields,
    problems: [...header.problems, ...ofChoice, ...startProblems(start, options)],
    widths: start.widths,
    lines,
    rows,
    controlTotal: () => read.total,
    belowTotal: () => read.below,
    leftOut: () => read.leftOut,
    lateProblems: () => read.late,
    merges: () => read.merges,
  };
}

const unmarked = (row: RawRow): RawRow => ({ ...row, cells: row.cells.map((cell) => restored(cell as string)) });

function startProblems(start: Start, { includeHidden, map }: SheetOptions): Problem[] {
  if (start.headerRow === 0) {
    const isHeadless = start.filled && start.likelyHeader.length === 0;
    return [sheetProblem('HEADER_MISSING', 'error', { map: map?.name ?? null, isHeadless })];
  }
  const problems: Problem[] = start.above
    .slice(0, 20)
    .map((row) => sheetProblem('ROW_ABOVE_HEADER', 'error', { headerRow: start.headerRow }, { row }));
  const titleProblems = (code: 'TITLE_UNIT' | 'TITLE_STOP', titles: readonly Title[]) =>
    titles.slice(0, 20).map(({ row, text }) => {
      const title = shortened(text);
      return sheetProblem(code, 'error', { title }, { row, value: title });
    });
  problems.push(...titleProblems('TITLE_UNIT', start.units), ...titleProblems('TITLE_STOP', start.stops));
  if (!start.followed) problems.push(sheetProblem('SHEET_EMPTY', 'error', { headerRow: start.headerRow }));
  if (includeHidden === true) return problems;
  start.header.fields.forEach((field, index) => {
    if (field === null || start.widths[index] !== 0) return;
    const facts = { column: columnName(index), header: start.header.texts[index] ?? '' };
    problems.push(sheetProblem('COLUMN_HIDDEN', 'error', facts, { row: start.headerRow, column: field }));
  });
  return problems;
}

function mergeProblems(merges: readonly CellRange[], bounds: Bounds): Problem[] {
  const problems = merges.flatMap((merge) => {
    const column = paidField(merge, bounds);
    const cells = `${columnName(merge.left)}${merge.top}:${columnName(merge.right)}${merge.bottom}`;
    const row = Math.max(merge.top, bounds.headerRow + 1);
    return column === null ? [] : [sheetProblem('MERGED_CELLS', 'error', { cells }, { row, column, value: cells })];
  });
  return problems.slice(0, 20);
}

/** Reports the first column in which a conditional format may strike out cells. Payrun cannot evaluate the format. */
function strikingProblems(ranges: readonly CellRange[], bounds: Bounds): Problem[] {
  const column = ranges.map((range) => paidField(range, bounds)).find((field) => field !== null);
  return column == null ? [] : [sheetProblem('CELLS_MAYBE_STRUCK', 'error', { field: column }, { column })];
}

function staleProblems(columns: readonly number[], { fields }: Header): Problem[] {
  const stale = [...new Set(columns.flatMap((index) => fields[index] ?? []))];
  return stale.map((column) => sheetProblem('RESULTS_STALE', 'error', { field: column }, { column }));
}

interface Bounds {
  readonly header: Header;
  readonly headerRow: number;
  readonly totalRow: number;
}

function paidField(range: CellRange, { header, headerRow, totalRow }: Bounds): Field | null {
  if (range.bottom <= headerRow || range.top >= totalRow) return null;
  return header.fields.slice(range.left, range.right + 1).find((one) => one !== null) ?? null;
}

export type { Cell, ClassifiedRow, ControlTotal, Line };
