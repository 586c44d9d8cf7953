/** The checked workbook: the person's own sheet, rows and columns as they were, with what is wrong with it on the right. */
import type { Cell as ExcelCell, Row as ExcelRow } from 'exceljs';
import type { Problem, Severity } from '../base/problem.ts';
import type { Cell } from '../domain/cell.ts';
import { checkedTitle } from './beside.ts';
import {
  addGrid,
  type BookSheet,
  dayShift,
  headCell,
  heightFor,
  putCell,
  putValue,
  rowBelow,
  type Summary,
  textValue,
  theirWidths,
  writeBook,
  writeSummary,
} from './book.ts';
import { columnName } from './column-name.ts';
import { checkHeaders, sheetRowHeader } from './columns.ts';
import { filledStart, isEmpty, type SheetRow } from './lines.ts';
import { font, ink, sheetNameFrom, solid, type Tone, tones } from './look.ts';
import { type Findings, type Mark, type Marked, type MarkedRow, markOf, markOfSeverity, markRows } from './marking.ts';
import type { Sheet } from './open.ts';
import { placeFile } from './place.ts';
import type { Merge, StoredCell } from './rows.ts';

export interface CheckedPlan extends Findings {
  /** Of the clock, for the workbook's properties. */
  readonly now: number;
  summary(marked: Marked): Summary;
}

/** Writes the workbook; answers where it came to stand, and what it shows. */
export async function writeChecked(path: string, plan: CheckedPlan): Promise<{ path: string; marked: Marked }> {
  const marked = await markRows(plan);
  const placed = await placeFile(path, (handle) =>
    writeBook(handle, { title: checkedTitle, now: plan.now }, (book) => {
      writeSummary(book, plan.summary(marked));
      const layout = layoutOf(plan.source, marked);
      const sheet = addGrid(book, {
        name: sheetNameFrom(plan.source.name, ['Summary', 'History']),
        headerRow: layout.headerRow,
        lastRow: marked.partial ? marked.rows.length + 1 : (marked.rows.at(-1)?.row.number ?? layout.headerRow),
        widths: layout.widths,
        printed: layout.widths.length,
        repeated: layout.repeated,
      });
      if (!marked.partial) hideColumns(sheet, layout);
      writeRows(sheet, layout, marked);
      if (!marked.partial) mergeCells(sheet, layout);
      sheet.commit();
    }),
  );
  return { path: placed, marked };
}

// --- Where things stand

const checkWidths = [15, 64, 26];

interface Layout {
  readonly source: Sheet;
  /** Indexes in the source of the columns that are carried over: all but those of an earlier check. */
  readonly kept: readonly number[];
  /** Where theirs and ours begin, from 0; where rows are left out, their numbers stand in front. */
  readonly theirs: number;
  readonly ours: number;
  readonly widths: readonly number[];
  /** How many columns name the row on each page, in case it takes several. */
  readonly repeated: number;
  readonly headerRow: number;
  readonly shift: number;
  readonly markCell: MarkCell;
}

/** Beyond these the payee's name is no longer at the beginning. */
const namingColumns = 4;

function layoutOf(source: Sheet, { rows, partial }: Marked): Layout {
  const kept = source.header.flatMap((_, index) => (source.checks[index] ? [] : [index]));
  const theirs = partial ? 1 : 0;
  const cells = rows.flatMap(({ row }) => (row.kind === 'title' ? [] : [kept.map((index) => row.cells[index] ?? '')]));
  const headers = kept.map((index) => source.header[index]!);
  const naming = kept.findLastIndex((index) => source.columns[index] === 'name');
  const widths = [
    ...(partial ? [18] : []),
    ...theirWidths(headers, cells, (index) => source.widths.get(kept[index]!)),
    ...checkWidths,
  ];
  return {
    source,
    kept,
    theirs,
    ours: theirs + kept.length,
    widths,
    repeated: theirs + Math.max(1, naming < namingColumns ? naming + 1 : 1),
    headerRow: partial ? 1 : source.headerRow,
    shift: dayShift(source),
    markCell: createMarker(widths),
  };
}

// --- The rows

function writeRows(sheet: BookSheet, layout: Layout, { rows, whole, partial }: Marked): void {
  const ofTotals = new Set(rows.flatMap(({ row, problems }) => (row.kind === 'total' ? problems : [])));
  const ofHeader = whole.filter((problem) => !ofTotals.has(problem));
  if (partial) {
    writeHeader(sheet.getRow(1), layout.source.header, ofHeader, layout);
    rows.forEach((one, index) => {
      const row = sheet.getRow(index + 2);
      row.getCell(1).value = one.row.number;
      writeRow(row, one, layout);
    });
    return;
  }
  for (const one of rows) {
    const row = rowBelow(sheet, one.row.number);
    if (one.row.hidden) row.hidden = true;
    if (one.row.kind === 'header') writeHeader(row, one.row.cells, ofHeader, layout);
    else writeRow(row, one, layout);
  }
}

function writeHeader(row: ExcelRow, cells: readonly Cell[], problems: readonly Problem[], layout: Layout): void {
  const { source, kept, theirs, ours } = layout;
  row.height = 22;
  if (theirs > 0) headOurs(row.getCell(1), sheetRowHeader);
  kept.forEach((from, index) => {
    const target = row.getCell(theirs + index + 1);
    putFilled(target, cells[from] ?? '', layout);
    headCell(target, ink.theirs);
    // One that is wrong by its own text is no other column that means the same.
    const wrong = problems.filter(({ column, value }) =>
      value !== null && source.header.includes(value)
        ? value === source.header[from]
        : column !== null && column === source.columns[from],
    );
    layout.markCell(target, wrong);
  });
  checkHeaders.forEach((header, index) => {
    headOurs(row.getCell(ours + index + 1), header);
  });
  row.commit();
}

function headOurs(cell: ExcelCell, header: string): void {
  cell.value = header;
  headCell(cell, ink.ours);
}

function writeRow(row: ExcelRow, { row: theirs, problems, mark }: MarkedRow, layout: Layout): void {
  const { source, kept, ours } = layout;
  kept.forEach((from, index) => {
    const target = row.getCell(layout.theirs + index + 1);
    const cell = theirs.cells[from] ?? '';
    const field = source.columns[from] ?? null;
    putFilled(target, cell, layout);
    if (theirs.kind === 'line') target.alignment = { vertical: 'top' };
    if (theirs.kind === 'total') target.font = font({ bold: true });
    const wrong = field === null ? [] : problems.filter(({ column }) => column === field);
    if (wrong.length > 0 && isUnformatted(cell) && field !== 'amount') target.numFmt = '@';
    layout.markCell(target, wrong);
  });
  writeBeyond(row, theirs, problems, layout);
  const word = mark ?? (problems.length > 0 ? markOf(problems) : null);
  if (word !== null) writeFindings(row, word, problems, ours);
  row.commit();
}

function putFilled(target: ExcelCell, cell: Cell, { shift }: Layout): void {
  if (cell !== '') putCell(target, cell, shift);
}

/** Cells of theirs under no header follow behind ours rather than get lost; above the header nothing of ours is in the way. */
function writeBeyond(row: ExcelRow, theirs: SheetRow, problems: readonly Problem[], layout: Layout): void {
  const { source, ours } = layout;
  const title = theirs.kind === 'title';
  const cells = filledStart(
    theirs.cells.filter((_, index) => index >= source.header.length || (title && source.checks[index])),
  );
  const first = cells.findIndex((cell) => !isEmpty(cell));
  cells.forEach((cell, index) => {
    const target = row.getCell((title ? ours : ours + checkHeaders.length) + index + 1);
    putFilled(target, cell, layout);
    // No header names them, so what is said of them names no column.
    if (index === first)
      layout.markCell(
        target,
        problems.filter(({ column, value }) => column === null && value !== null),
      );
  });
}

/** What was a number, or is missing, shall be typed as text: then no zero is lost again. */
function isUnformatted(cell: Cell): boolean {
  if (typeof cell === 'string') return true;
  return cell.kind === 'number' && ((cell as StoredCell).format ?? null) === null;
}

function writeFindings(row: ExcelRow, mark: Mark, problems: readonly Problem[], ours: number): void {
  const texts = [mark, whatToDo(mark, problems), suggestedValue(problems)];
  texts.forEach((text, index) => {
    const cell = row.getCell(ours + index + 1);
    putValue(cell, text, true);
    cell.alignment = { vertical: 'top', wrapText: true };
  });
  row.height = heightFor(texts.map((text, index) => [text, checkWidths[index]!]));
  const tone = tones[toneOf[mark]]!;
  const cell = row.getCell(ours + 1);
  cell.fill = solid(tone.fill);
  cell.font = font({ bold: true, argb: tone.text });
  cell.alignment = { vertical: 'top', horizontal: 'center' };
}

const toneOf: { readonly [M in Mark]: Tone } = { FIX: 'unpaid', LOOK: 'doubt', OK: 'paid' };

const words: { readonly [S in Severity]: string } = { error: 'fix', warning: 'look', repair: 'read' };

/** One sentence for each problem, those that must be mended first; a lesser one in the row says what it is. */
function whatToDo(mark: Mark, problems: readonly Problem[]): string {
  return worstFirst(problems)
    .map(({ severity, message }) =>
      markOfSeverity[severity] === mark && severity !== 'repair' ? message : `${words[severity]}: ${message}`,
    )
    .join('\n');
}

function worstFirst(problems: readonly Problem[]): readonly Problem[] {
  const order = Object.keys(words);
  return problems.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** A single one as it would be typed; more with the columns that they are for. */
function suggestedValue(problems: readonly Problem[]): string {
  const suggested = problems.filter(({ severity, suggestion }) => severity !== 'repair' && suggestion !== null);
  const [only, ...others] = suggested;
  if (only === undefined) return '';
  if (others.length === 0) return only.suggestion ?? '';
  return suggested
    .map(({ column, suggestion }) => (column === null ? suggestion : `${column}: ${suggestion}`))
    .join('\n');
}

// --- Cells that are marked

type MarkCell = (cell: ExcelCell, problems: readonly Problem[]) => void;

const fillOf: { readonly [S in Severity]: Tone } = { error: 'unpaid', warning: 'doubt', repair: 'open' };

/** Notes are read at a glance, and many make a spreadsheet slow: the whole text stands in payrun_what_to_do. */
const maxNoteCharacters = 600;
const maxNotes = 5000;

/** Fills a cell by the worst of its problems, and notes them all on it. */
function createMarker(widths: readonly number[]): MarkCell {
  let notes = 0;
  return (cell, problems) => {
    const sorted = worstFirst(problems);
    const [worst] = sorted;
    if (worst === undefined) return;
    const tone = tones[fillOf[worst.severity]]!;
    cell.fill = solid(tone.fill);
    cell.font = font({ bold: cell.font?.bold === true, argb: tone.text });
    if (++notes > maxNotes) return;
    const parts = sorted.map(({ severity, message, suggestion }, index) => ({
      head: `${index > 0 ? '\n' : ''}${words[severity].toUpperCase()}\n`,
      text: shortened(suggestion === null || message.includes(suggestion) ? message : `${message}\n→ ${suggestion}`),
    }));
    const texts = parts.flatMap(({ head, text }) => [
      { font: font({ size: 9, bold: true }), text: head },
      { font: font({ size: 9 }), text: textValue(text) },
    ]);
    cell.note = { texts, editAs: 'oneCells' };
    sizeNote(cell, parts.map(({ head, text }) => head + text).join(''), widths);
  };
}

function shortened(text: string): string {
  return text.length > maxNoteCharacters ? `${text.slice(0, maxNoteCharacters - 1)}…` : text;
}

/** In pixels, about. */
const noteWidth = 260;
const lineHeight = 16;
const rowHeight = 20;

/** exceljs gives every note the same small box, and has no setting for it; what it writes comes from the note's model. */
function sizeNote(cell: ExcelCell, text: string, widths: readonly number[]): void {
  const column = Number(cell.col);
  const row = Number(cell.row);
  let right = column;
  let pixels = 0;
  for (let whole = true; whole && pixels < noteWidth; ) {
    const wide = (widths[Math.floor(right)] ?? 9) * 7 + 5;
    whole = wide <= noteWidth - pixels;
    // Of a wide column exceljs can take so many pixels.
    const taken = whole ? wide : Math.min(67, noteWidth - pixels);
    pixels += taken;
    right += whole ? 1 : taken / 68;
  }
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * 6) / pixels)), 1);
  const top = Math.max(row - 2, 0);
  const anchor = { left: column + 0.1, top: top + 0.5, right, bottom: top + 1 + (lines * lineHeight) / rowHeight };
  const holder = cell as unknown as { _comment: { readonly model: object } };
  holder._comment = { model: { ...holder._comment.model, anchor } };
}

// --- What was hidden or merged stays so: handed in as it is, the file must be refused again

function hideColumns(sheet: BookSheet, { source, kept }: Layout): void {
  kept.forEach((from, index) => {
    if (source.hiddenColumns.has(from)) sheet.getColumn(index + 1).hidden = true;
  });
}

/** exceljs would make a cell for every place of a merge, which may be a whole sheet: its own list takes just the range. */
function mergeCells(sheet: BookSheet, { source, kept }: Layout): void {
  const ranges = (sheet as unknown as { readonly _merges: string[] })._merges;
  const merged: Merge[] = [];
  for (const { top, bottom, left, right } of source.merges()) {
    const columns = kept.flatMap((from, index) => (from >= left && from <= right ? [index] : []));
    const merge = { top, bottom, left: columns[0] ?? 0, right: columns.at(-1) ?? -1 };
    const single = top === bottom && merge.left === merge.right;
    // Excel opens no workbook in which two merges share a cell.
    if (columns.length === 0 || single || merged.some((other) => overlap(merge, other))) continue;
    merged.push(merge);
    ranges.push(`${columnName(merge.left)}${top}:${columnName(merge.right)}${bottom}`);
  }
}

function overlap(one: Merge, other: Merge): boolean {
  const rows = one.top <= other.bottom && other.top <= one.bottom;
  return rows && one.left <= other.right && other.left <= one.right;
}
