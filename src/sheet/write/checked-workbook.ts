/** Writes the checked workbook: the uploaded sheet, with its problems in columns on the right. */
import type { Cell as ExcelCell, Row as ExcelRow } from 'exceljs';
import type { Severity } from '../../base/problem.ts';
import type { Cell } from '../../domain/rows/cell.ts';
import type { ShownProblem } from '../../messages/problems.ts';
import { columnName } from '../columns/column-name.ts';
import { checkHeaders, checkWidths, sheetRowHeader } from '../columns/header.ts';
import {
  type CheckedSheet,
  type Mark,
  type Marked,
  type MarkedRow,
  markOf,
  markOfSeverity,
  markRows,
} from '../corrections/marked-rows.ts';
import { filledStart, isEmpty, type StoredCell } from '../file/raw-row.ts';
import type { ClassifiedRow } from '../lines/lines.ts';
import type { Sheet } from '../open.ts';
import { type CellStyle, derived } from '../xlsx/style/cell-style.ts';
import { font, sheetNameFrom, type Tone, tones } from '../xlsx/style/palette.ts';
import type { SheetLook } from '../xlsx/style/sheet-appearance.ts';
import { checkedTitle } from './output-names.ts';
import { type Output, writeOutput } from './owned-files.ts';
import { addGrid, asText, type Grid, type GridPlan, inBold, keepSum, mergeCells, theirWidths } from './person-sheet.ts';
import { type Summary, textValue, writeBook, writeSummary } from './tables.ts';

export interface CheckedPlan extends CheckedSheet {
  readonly now: number;
  /** The id of the sheet's upload. The workbook stores it, so that the console recognises the workbook. */
  readonly origin?: string | null;
  summary(marked: Marked): Summary;
}

export async function writeChecked(output: Output, plan: CheckedPlan): Promise<{ path: string; marked: Marked }> {
  const marked = await markRows(plan);
  const look = await plan.source.look();
  const placed = await writeOutput(output, async (handle) => {
    await writeBook(handle, { title: checkedTitle, now: plan.now, origin: plan.origin ?? null }, (book) => {
      writeSummary(book, plan.summary(marked));
      const gridPlan = gridPlanOf(plan.source, marked, look);
      const grid = addGrid(book, gridPlan);
      if (!marked.partial) hideColumns(grid, gridPlan);
      const marker = createMarker(gridPlan.widths);
      writeRows({ ...gridPlan, grid, markCell: marker.markCell }, marked);
      marker.paint(grid);
      // Keeps hidden columns and merged cells, so that Payrun refuses this file until a person corrects them.
      if (!marked.partial) mergeCells(grid, gridPlan, () => true);
      grid.sheet.commit();
    });
  });
  return { path: placed, marked };
}

function gridPlanOf(source: Sheet, { rows, partial }: Marked, look: SheetLook | null): GridPlan {
  const kept = source.header.flatMap((_, index) => (source.checks[index] ? [] : [index]));
  const cells = rows.flatMap(({ row }) => (row.kind === 'title' ? [] : [kept.map((index) => row.cells[index] ?? '')]));
  // If the workbook omits rows, its first column shows the row numbers of the uploaded sheet.
  const widths = [...(partial ? [18] : []), ...theirWidths(source, kept, cells), ...checkWidths];
  return {
    name: sheetNameFrom(source.name, ['Summary', 'History']),
    source,
    look,
    kept,
    before: partial ? 1 : 0,
    inPlace: !partial,
    line: rows.findLast(({ row }) => row.kind === 'line')?.row.number ?? source.headerRow,
    lastRow: partial ? rows.length + 1 : (rows.at(-1)?.row.number ?? source.headerRow),
    widths,
    printed: widths.length,
  };
}

interface Layout extends GridPlan {
  readonly grid: Grid;
  readonly markCell: MarkCell;
}

const firstOfOurs = ({ before, kept }: GridPlan): number => before + kept.length;

function writeRows(layout: Layout, { rows, whole, partial }: Marked): void {
  const { grid, source } = layout;
  const ofTotals = new Set(rows.flatMap(({ row, problems }) => (row.kind === 'total' ? problems : [])));
  const ofHeader = whole.filter((problem) => !ofTotals.has(problem));
  if (partial) {
    writeHeader(grid.rowAt(1), source.header, ofHeader, layout);
    rows.forEach((one, index) => {
      const row = grid.rowAt(index + 2);
      row.getCell(1).value = one.row.number;
      writeRow(row, one, layout);
    });
    return;
  }
  for (const one of rows) {
    const row = grid.rowAt(one.row.number);
    if (one.row.hidden) row.hidden = true;
    if (one.row.kind === 'header') writeHeader(row, one.row.cells, ofHeader, layout);
    else writeRow(row, one, layout);
  }
}

function writeHeader(row: ExcelRow, cells: readonly Cell[], problems: readonly ShownProblem[], layout: Layout): void {
  const { grid, source, kept, before } = layout;
  if (before > 0) grid.put(row.getCell(1), sheetRowHeader, grid.ours.head);
  kept.forEach((from, index) => {
    const target = row.getCell(before + index + 1);
    grid.copyHead(target, cells[from] ?? '', from);
    // A problem whose value is a header marks only that header. Any other problem marks all columns of its field.
    const wrong = problems.filter(({ column, value }) =>
      value !== null && source.header.includes(value)
        ? value === source.header[from]
        : column !== null && column === source.columns[from],
    );
    layout.markCell(target, wrong);
  });
  checkHeaders.forEach((header, index) => {
    grid.put(row.getCell(firstOfOurs(layout) + index + 1), header, grid.ours.head);
  });
  grid.commit(row, source.headerRow);
}

function writeRow(row: ExcelRow, { row: theirs, problems, mark }: MarkedRow, layout: Layout): void {
  const { grid, source, kept, before, look } = layout;
  kept.forEach((from, index) => {
    const target = row.getCell(before + index + 1);
    const cell = theirs.cells[from] ?? '';
    const field = source.columns[from] ?? null;
    grid.copy(target, cell, theirs.number, from);
    if (theirs.kind === 'total' && layout.inPlace) keepSum(target, cell, from);
    if (theirs.kind === 'total' && look === null) target.style = inBold(target.style);
    const wrong = field === null ? [] : problems.filter(({ column }) => column === field);
    if (wrong.length > 0 && isUnformatted(cell) && field !== 'amount') target.style = asText(target.style);
    layout.markCell(target, wrong);
  });
  writeBeyond(row, theirs, problems, layout);
  const word = mark ?? (problems.length > 0 ? markOf(problems) : null);
  if (word !== null) writeFindings(row, word, problems, layout);
  grid.commit(row, theirs.number);
}

/** Copies the cells beyond the last header to the right of Payrun's columns, or into them in a title row. */
function writeBeyond(row: ExcelRow, theirs: ClassifiedRow, problems: readonly ShownProblem[], layout: Layout): void {
  const { grid, source } = layout;
  const title = theirs.kind === 'title';
  const behind = firstOfOurs(layout) + (title ? 0 : checkHeaders.length);
  const width = source.header.length;
  const cells = filledStart(theirs.cells.filter((_, index) => index >= width || (title && source.checks[index])));
  const first = cells.findIndex((cell) => !isEmpty(cell));
  cells.forEach((cell, index) => {
    const target = row.getCell(behind + index + 1);
    grid.copy(target, cell, theirs.number, width + index);
    // Problems of these cells name no column, so Payrun marks only the first filled cell.
    if (index === first)
      layout.markCell(
        target,
        problems.filter(({ column, value }) => column === null && value !== null),
      );
  });
}

/** True for a text or a number without a format. If such a cell is faulty, Payrun formats it as text to keep zeros. */
function isUnformatted(cell: Cell): boolean {
  if (typeof cell === 'string') return true;
  return cell.kind === 'number' && ((cell as StoredCell).format ?? null) === null;
}

function writeFindings(row: ExcelRow, mark: Mark, problems: readonly ShownProblem[], layout: Layout): void {
  const { grid } = layout;
  const { tone, wrapped } = grid.ours;
  const values: readonly (readonly [string, CellStyle])[] = [
    [mark, centred(tone[toneOf[mark]])],
    [whatToDo(mark, problems), wrapped],
    [suggestedValue(problems), wrapped],
  ];
  values.forEach(([text, style], index) => {
    grid.put(row.getCell(firstOfOurs(layout) + index + 1), text, style);
  });
}

const centred = derived((style) => ({ ...style, alignment: { horizontal: 'center' } }));

const toneOf: { readonly [M in Mark]: Tone } = { FIX: 'unpaid', LOOK: 'doubt', OK: 'paid' };

const words: { readonly [S in Severity]: string } = { error: 'fix', warning: 'look', repair: 'read' };

function whatToDo(mark: Mark, problems: readonly ShownProblem[]): string {
  return worstFirst(problems)
    .map(({ severity, message }) =>
      markOfSeverity[severity] === mark && severity !== 'repair' ? message : `${words[severity]}: ${message}`,
    )
    .join('\n');
}

function worstFirst(problems: readonly ShownProblem[]): readonly ShownProblem[] {
  const order = Object.keys(words);
  return problems.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

function suggestedValue(problems: readonly ShownProblem[]): string {
  const suggested = problems.filter(({ severity, suggestion }) => severity !== 'repair' && suggestion !== null);
  const [only, ...others] = suggested;
  if (only === undefined) return '';
  if (others.length === 0) return only.suggestion ?? '';
  return suggested
    .map(({ column, suggestion }) => (column === null ? suggestion : `${column}: ${suggestion}`))
    .join('\n');
}

type MarkCell = (cell: ExcelCell, problems: readonly ShownProblem[]) => void;

const fillOf: { readonly [S in Severity]: Tone } = { error: 'unpaid', warning: 'doubt', repair: 'open' };

/** Many or long notes slow a spreadsheet. The column payrun_what_to_do has the whole text. */
const maxNoteCharacters = 600;
const maxNotes = 5000;

/** Adds notes and colours to cells with problems. The colours are conditional formats, so cells keep their styles. */
function createMarker(widths: readonly number[]) {
  const painted = new Map<Tone, Map<number, Range[]>>();
  let notes = 0;

  function addPaint({ col, row }: ExcelCell, tone: Tone): void {
    const columns = painted.get(tone) ?? new Map<number, Range[]>();
    const ranges = columns.get(Number(col)) ?? [];
    painted.set(tone, columns.set(Number(col), ranges));
    const last = ranges.at(-1);
    if (last?.bottom === Number(row) - 1) last.bottom += 1;
    else ranges.push({ top: Number(row), bottom: Number(row) });
  }

  const markCell: MarkCell = (cell, problems) => {
    const sorted = worstFirst(problems);
    const [worst] = sorted;
    if (worst === undefined) return;
    addPaint(cell, fillOf[worst.severity]);
    if (++notes > maxNotes) return;
    const parts = sorted.map(({ severity, message }, index) => ({
      head: `${index > 0 ? '\n' : ''}${words[severity].toUpperCase()}\n`,
      text: shortened(message),
    }));
    const texts = parts.flatMap(({ head, text }) => [
      { font: font({ size: 9, bold: true }), text: head },
      { font: font({ size: 9 }), text: textValue(text) },
    ]);
    cell.note = { texts, editAs: 'oneCells' };
    sizeNote(cell, parts.map(({ head, text }) => head + text).join(''), widths);
  };

  return {
    markCell,
    paint({ sheet }: Grid): void {
      for (const [tone, columns] of painted) {
        const references = Array.from(columns, ([column, ranges]) => ranges.map((range) => referenceOf(column, range)));
        for (const part of inParts(references.flat(), rangesPerRule)) addRule(sheet, part.join(' '), tones[tone]);
      }
    },
  };
}

interface Range {
  readonly top: number;
  bottom: number;
}

/** The most ranges of cells in one conditional format. Some spreadsheet programs fail with more. */
const rangesPerRule = 100;

function referenceOf(column: number, { top, bottom }: Range): string {
  const letters = columnName(column - 1);
  return top === bottom ? `${letters}${top}` : `${letters}${top}:${letters}${bottom}`;
}

const inParts = <T>(list: readonly T[], size: number): readonly T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, part) => list.slice(part * size, (part + 1) * size));

function addRule(sheet: Grid['sheet'], ref: string, colours: { readonly fill: string; readonly text: string }): void {
  // In a conditional format, `bgColor` fills the cell.
  const fill = { type: 'pattern', pattern: 'solid', bgColor: { argb: colours.fill } } as const;
  const style = { fill, font: { color: { argb: colours.text } } };
  sheet.addConditionalFormatting({ ref, rules: [{ type: 'expression', priority: 0, formulae: ['TRUE'], style }] });
}

const shortened = (text: string): string =>
  text.length > maxNoteCharacters ? `${text.slice(0, maxNoteCharacters - 1)}…` : text;

/** Approximate sizes in pixels. */
const noteWidth = 260;
const lineHeight = 16;
const rowHeight = 20;

/** Sets the size of a cell's note in exceljs's internal data, because exceljs has no function for the size. */
function sizeNote(cell: ExcelCell, text: string, widths: readonly number[]): void {
  const column = Number(cell.col);
  const row = Number(cell.row);
  let right = column;
  let pixels = 0;
  for (let whole = true; whole && pixels < noteWidth; ) {
    const wide = (widths[Math.floor(right)] ?? 9) * 7 + 5;
    whole = wide <= noteWidth - pixels;
    // exceljs can place the edge of a note only within the first 67 pixels of a column.
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

function hideColumns({ sheet }: Grid, { source, kept }: GridPlan): void {
  kept.forEach((from, index) => {
    if (source.widths[from] === 0) sheet.getColumn(index + 1).hidden = true;
  });
}
