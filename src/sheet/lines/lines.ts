/** Sorts the rows of a file into lines that can be paid, titles, blank rows and the totals row. */
import type { Problem } from '../../base/problem.ts';
import { type Cell, type Cells, type Field, shownText, type TypedCell } from '../../domain/rows/cell.ts';
import { isWordForNothing } from '../../domain/rows/text.ts';
import { headerKey, isMapped, type SheetMap } from '../columns/column-map.ts';
import { columnName } from '../columns/column-name.ts';
import { countKnown, type Header } from '../columns/header.ts';
import { sheetProblem } from '../file/problem-codes.ts';
import { filledStart, isBlank, isEmpty, type RawRow, type StoredCell, type Unseen } from '../file/raw-row.ts';
import { meaningOf, readAs } from './cell-text.ts';

export interface Line {
  readonly number: number;
  /** Every cell by column index, at least as many as the header has. */
  readonly raw: readonly Cell[];
  readonly cells: Cells;
  /** The line's values in our own result columns; all null in a foreign file. */
  readonly own: { readonly [K in 'batch' | 'row' | 'status' | 'attempts']: string | null };
  /** Problems of the row itself, found before its values are checked. */
  readonly problems: readonly Problem[];
}

/** Any row that is not blank, so that a result can repeat it. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly Cell[];
  readonly kind: 'title' | 'header' | 'line' | 'left out' | 'total';
  readonly hidden: boolean;
  readonly line: Line | null;
}

export interface ControlTotal {
  readonly row: number;
  readonly cells: Cells;
}

export interface LineRules {
  readonly header: Header;
  readonly headerRow: number;
  readonly includeHidden: boolean;
  readonly map?: SheetMap | undefined;
  /** The separator of a CSV file, in which a surplus value shifts the others; null for a workbook. */
  readonly separated: string | null;
}

/** Longer than any text that can be paid with. */
const maxCellCharacters = 1000;
/** How much of a longer text is checked for further problems. */
const maxJudged = 200;
/** A person expects no row below this many empty rows. */
const maxGap = 1000;

const noOwn = { batch: null, row: null, status: null, attempts: null } as const;
const noProblems: readonly Problem[] = [];

/**
 * Sorts rows as they come. It keeps back one line, and signatures below it, because only the last is the totals row.
 */
export function createSorter(rules: LineRules) {
  const { header, headerRow } = rules;
  const width = header.texts.length;
  const known = header.fields.flatMap((field, index) =>
    field === null ? [] : [{ field, index, isTelling: tellingFields.includes(field) }],
  );
  const names = known.filter(({ field }) => field === 'name');
  const single = known.filter(({ field }) => field !== 'name' || names.length === 1);
  const translations = translationsOf(rules.map);
  /** Repairs of the current row, for cells that mean something else than they show. */
  let notes = noProblems;
  let lastFilled = headerRow;
  let held: SheetRow | null = null;
  let total: ControlTotal | null = null;
  /** Signatures below the line that is kept back. */
  let signed: SheetRow[] = [];
  const below: number[] = [];
  /** Corrections of rows that are no lines. */
  const corrected: Problem[] = [];
  const setApart = ({ problems }: Line) => corrected.push(...problems.filter(({ code }) => code === 'CELL_CORRECTED'));
  /** The number of values in the header and in the first line, empty ones included. */
  let headerValues = 0;
  let firstLine: { readonly number: number; readonly values: number } | null = null;
  let uneven: Problem | null = null;
  let second: Problem | null = null;
  let split: Problem | null = null;
  const amountIndex = header.fields.indexOf('amount');
  /** A column that the map names has its own meaning, so it is no second half of an amount. */
  let mayBeSplit =
    rules.separated === ',' &&
    header.fields[amountIndex + 1] === null &&
    !isMapped(rules.map, header.texts[amountIndex + 1]!);
  const hasNotes = amountIndex >= 0 && header.fields.includes('reference');

  function judgedRow(row: SheetRow, isLast: boolean): SheetRow {
    const { line } = row;
    if (line === null) return row;
    if (repeatsHeader(line)) return refusedHeader(row, line);
    if (isLast ? isSubtotal(line) : isSum(line)) return refusedSum(row, line);
    return hasNotes && isNote(line) ? refusedNote(row, line) : row;
  }

  /** True for a row prepared for a later payee: each cell that is read is empty, or calculated as nothing or 0. */
  function isUnfilled({ number, cells }: RawRow): boolean {
    if (number <= headerRow) return false;
    let calculated = false;
    for (let k = 0; k < known.length; k++) {
      const cell = cells[known[k]!.index] ?? '';
      const isCalculated = typeof cell !== 'string' && cell.formula;
      if (!isEmpty(cell) && !(isCalculated && isZero(cell))) return false;
      calculated ||= isCalculated;
    }
    return calculated && filledStart(cells).length <= width;
  }

  function lineOf(row: RawRow): Line {
    const raw = row.cells.length < width ? padded(row.cells, width) : row.cells;
    const cells: { [F in Field]?: Cell } = {};
    notes = noProblems;
    for (let k = 0; k < single.length; k++) {
      const column = single[k]!;
      const cell = raw[column.index]!;
      if (isEmpty(cell)) continue;
      const value = read(row, cell, column);
      if (value !== '') cells[column.field] = value;
    }
    if (names.length > 1) {
      const parts = names.map((column) => read(row, raw[column.index]!, column));
      const whole = joined(parts.map((part) => shownText(part).trim()));
      if (whole !== '') cells.name = parts.find((part) => typeof part !== 'string' && part.kind === 'error') ?? whole;
    }
    const problems = problemsOf(row, raw);
    const own = header.own
      ? {
          batch: ownText(raw, header.batchColumn),
          row: ownText(raw, header.rowColumn),
          status: ownText(raw, header.statusColumn),
          attempts: ownText(raw, header.attemptsColumn),
        }
      : noOwn;
    if (translations.length === 0) return { number: row.number, raw, cells, own, problems };
    return { number: row.number, raw, cells, own, problems: [...problems, ...translated(row.number, cells)] };
  }

  function read(row: RawRow, cell: Cell, { field, isTelling }: (typeof known)[number]): Cell {
    const meaning = meaningOf(cell, field);
    if (meaning !== cell) notes = [...notes, ...readAs(row.number, field, cell, meaning)];
    return asError(cell) ?? (isTelling ? asNothing(row, field, meaning) : null) ?? judged(meaning);
  }

  /** Replaces words of the sheet by ours, as the map defines them. */
  function translated(row: number, cells: { [F in Field]?: Cell }): Problem[] {
    const problems: Problem[] = [];
    for (const { field, meanings } of translations) {
      const cell = cells[field];
      if (cell === undefined) continue;
      const word = shownText(cell).trim();
      const meaning = meanings.get(headerKey(word));
      if (meaning === undefined) continue;
      if ('refused' in meaning) {
        problems.push(sheetProblem('MAP_REFUSED', 'error', meaning.refused, { row, column: field, value: word }));
        delete cells[field];
      } else if (meaning.read !== word) {
        problems.push(wordRead(row, field, word, meaning.read));
        cells[field] = meaning.read;
      }
    }
    return problems;
  }

  function problemsOf(row: RawRow, raw: readonly Cell[]): readonly Problem[] {
    const problems: Problem[] = [];
    if (row.hidden && !rules.includeHidden) problems.push(hiddenRow(row.number));
    if (mayBeSplit) lookForSplit(row.number, raw);
    if (second === null && isSecondHeader(raw)) second = secondHeader(row.number);
    if (row.number - lastFilled > maxGap) problems.push(farBelow(row.number, lastFilled));
    for (let index = width; index < raw.length; index++) {
      if (!isEmpty(raw[index]!)) {
        problems.push(beyondHeader(row.number, index, raw[index]!));
        break;
      }
    }
    if (rules.separated !== null && problems.length === 0) checkValues(row, problems);
    let struck: Problem | null = null;
    for (let k = 0; k < known.length; k++) {
      const { field, index } = known[k]!;
      const cell = raw[index]!;
      const text = typeof cell === 'string' ? cell : cell.text;
      if (text.length > maxCellCharacters) problems.push(tooLong(row.number, field, text));
      else if (hasNul(text)) problems.push(controlCharacter(row.number, field, text));
      const unseen = typeof cell === 'string' ? null : (cell as StoredCell).unseen;
      if (unseen === 'strike') struck ??= cellStruck(row.number, field, shortened(text));
      else if (unseen !== null && !rules.includeHidden)
        problems.push(notSeen(row.number, field, shortened(text), unseen));
    }
    if (notes.length > 0) problems.push(...notes);
    if (struck !== null) problems.push(struck);
    if (row.corrected !== undefined) problems.push(...row.corrected);
    return problems.length === 0 ? noProblems : problems;
  }

  /**
   * Reports a row with more values than the header. `1,500` without quotes shifts what follows, and an empty last
   * column hides that. Programs that write a separator behind every line shift nothing.
   */
  function checkValues({ number, cells }: RawRow, problems: Problem[]): void {
    const values = cells.length;
    // A short line lacks empty values at its end, which shows nothing about the others.
    if (values < headerValues) return;
    firstLine ??= { number, values };
    if (values > headerValues && (values !== firstLine.values || isSplit(cells)))
      problems.push(tooManyValues(number, values));
    else if (values === headerValues && firstLine.values > headerValues)
      uneven ??= tooManyValues(firstLine.number, firstLine.values);
  }

  /**
   * Looks for `2,500` without quotes beside an empty last column: no line is too long, and 2 would be paid. Then every
   * amount has at most three digits, and each value in the unread column behind it has three more.
   */
  function lookForSplit(row: number, raw: readonly Cell[]): void {
    const [amount, behind] = [shownText(raw[amountIndex] ?? ''), shownText(raw[amountIndex + 1] ?? '')];
    if (amount.trim() === '') return;
    mayBeSplit = /^\D*\d{1,3}$/.test(amount.trim()) && /^(?:\d{3}\D*)?$/.test(behind.trim());
    if (mayBeSplit && behind.trim() !== '') split ??= splitAmount(row, amount.trim(), behind.trim());
  }

  /** True for `1` in the amount column and `500` in the next one. */
  function isSplit(cells: readonly Cell[]): boolean {
    const [before, behind] = [cells[amountIndex], cells[amountIndex + 1]];
    if (typeof before !== 'string' || typeof behind !== 'string') return false;
    return /(?:^|\D)\d{1,3}$/.test(before.trim()) && /^\d{3}(?!\d)/.test(behind.trim());
  }

  /** True for the header of another table. The same names again, at the top of a page, shift nothing. */
  function isSecondHeader(raw: readonly Cell[]): boolean {
    const amount = amountIndex < 0 ? '0' : (raw[amountIndex] ?? '');
    if (typeof amount !== 'string' || /\d/.test(amount)) return false;
    const texts = raw.map(shownText);
    const isOther = texts.some((text, index) => headerKey(text) !== headerKey(header.texts[index] ?? ''));
    return isOther && countKnown(texts, undefined, false) >= 3;
  }

  /** True for a header that a program repeats at the top of each page. */
  function repeatsHeader({ raw, own }: Line): boolean {
    const filled = raw.flatMap((cell, index) => (isEmpty(cell) ? [] : [{ text: shownText(cell), index }]));
    return (
      own.row === null &&
      filled.length >= 3 &&
      filled.every(({ text, index }) => headerKey(text) === headerKey(header.texts[index] ?? ''))
    );
  }

  function tooManyValues(row: number, values: number): Problem {
    return sheetProblem(
      'ROW_TOO_LONG',
      'error',
      `row ${row} has ${values} values, and the header ${headerValues}; if a value holds the separator, as 1,500 does, put it in quotes; else take the surplus separator away`,
      { row },
    );
  }

  function passSigned(out: SheetRow[]): void {
    for (const row of signed) {
      below.push(row.number);
      if (row.line !== null) setApart(row.line);
      out.push({ ...row, kind: 'title', line: null });
    }
    signed = [];
  }

  return {
    /** Appends the rows of which the kind is certain to `out`. */
    push(rows: readonly RawRow[], out: SheetRow[]): void {
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k]!;
        if (isBlank(row.cells) || isUnfilled(row)) continue;
        if (row.number <= headerRow) {
          headerValues = row.cells.length;
          out.push({
            number: row.number,
            cells: row.cells,
            kind: row.number === headerRow ? 'header' : 'title',
            hidden: row.hidden,
            line: null,
          });
          continue;
        }
        const line = lineOf(row);
        lastFilled = row.number;
        const { hidden } = row;
        if (held !== null && isSignature(line) && (held.line === null || isTotal(held.line))) {
          signed.push({ number: row.number, cells: line.raw, kind: 'line', hidden, line });
          continue;
        }
        if (held !== null) out.push(judgedRow(held, false));
        if (held?.line === null) passSigned(out);
        else for (const one of signed) out.push(judgedRow(one, false));
        signed = [];
        // Rows of the batch may follow the totals row of a result, so there its missing row key identifies it.
        if (header.rowColumn >= 0 && line.own.row === null && looksLikeTotal(line)) {
          total = { row: row.number, cells: line.cells };
          setApart(line);
          held = { number: row.number, cells: line.raw, kind: 'total', hidden, line: null };
        } else {
          held = { number: row.number, cells: line.raw, kind: 'line', hidden, line };
        }
      }
    },
    /** Decides about the last line at the end of the sheet. */
    end(out: SheetRow[]): void {
      if (held === null) return;
      const { line } = held;
      if (line !== null && isTotal(line)) {
        total = { row: held.number, cells: line.cells };
        setApart(line);
        out.push({ ...held, kind: 'total', line: null });
      } else out.push(judgedRow(held, true));
      passSigned(out);
      held = null;
    },
    controlTotal: (): ControlTotal | null => total,
    /** Row numbers of signatures below the totals row. */
    belowTotal: (): readonly number[] => below,
    /**
     * Problems known at the end of the sheet: lines of different widths, a second header, or split amounts. The amounts
     * count as split if none of them shows the contrary. Corrections outside of lines are added.
     */
    late: (): Problem[] => [
      ...[uneven, second, mayBeSplit ? split : null].filter((problem) => problem !== null),
      ...corrected,
    ],
  };
}

type Meaning = { readonly read: string } | { readonly refused: string };

/** Returns the words of a map in the form in which words are compared. */
function translationsOf(map: SheetMap | undefined): readonly {
  readonly field: Field;
  readonly meanings: ReadonlyMap<string, Meaning>;
}[] {
  const lists = new Map<Field, Map<string, Meaning>>();
  const add = (list: SheetMap['words'] | undefined, meaningOf: (text: string) => Meaning) => {
    for (const [field, words] of Object.entries(list ?? {}) as [Field, Record<string, string>][]) {
      const meanings = lists.get(field) ?? new Map<string, Meaning>();
      for (const [word, text] of Object.entries(words)) meanings.set(headerKey(word), meaningOf(text));
      lists.set(field, meanings);
    }
  };
  add(map?.words, (read) => ({ read }));
  add(map?.shipped?.refusedWords, (refused) => ({ refused }));
  return Array.from(lists, ([field, meanings]) => ({ field, meanings }));
}

function wordRead(row: number, column: Field, value: string, read: string): Problem {
  const message = `${column} '${shortened(value)}' is read as ${read}, as the map says`;
  return sheetProblem('WORD_READ', 'repair', message, { row, column, value: shortened(value), suggestion: read });
}

/** Joins the parts of a name. A part that another one ends with is left out: `Thabo Mokoena` with surname `Mokoena`. */
function joined(parts: readonly string[]): string {
  const isRepeated = (part: string) => parts.some((other) => other.toLowerCase().endsWith(` ${part.toLowerCase()}`));
  return parts.filter((part) => part !== '' && !isRepeated(part)).join(' ');
}

function padded(cells: readonly Cell[], width: number): readonly Cell[] {
  const out = cells.slice();
  while (out.length < width) out.push('');
  return out;
}

/** Cuts a text that is too long anyway, because checking all of it would take hours. */
function judged(cell: Cell): Cell {
  if (typeof cell === 'string') return cell.length > maxCellCharacters ? cell.slice(0, maxJudged) : cell;
  if (cell.text.length <= maxCellCharacters) return cell;
  return { ...cell, text: cell.text.slice(0, maxJudged), shown: cell.shown.slice(0, maxJudged) };
}

const errorWords = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!)$/i;

/** Returns an error value written as text, as in every CSV: it is no payee's name, whatever its letters are. */
function asError(cell: Cell): Cell | null {
  // Nearly every cell begins with a letter or a digit.
  if (typeof cell !== 'string' || cell.charCodeAt(0) > 35) return null;
  const text = cell.trim();
  return errorWords.test(text) ? { kind: 'error', text, shown: text, formula: false } : null;
}

/** Columns that say who is paid, and for what. */
const tellingFields: readonly Field[] = ['row_id', 'payee_id', 'name', 'network_provider', 'reference'];

/** Returns `nan` or `None`, which name nobody, as an error, unless a person's correction wrote the word. */
function asNothing(row: RawRow, field: Field, cell: Cell): Cell | null {
  if (!isWordForNothing(shownText(cell))) return null;
  if (typeof cell !== 'string' && cell.kind !== 'text' && cell.kind !== 'number') return null;
  const text = shownText(cell).trim();
  if (text === '' || row.corrected?.some(({ column }) => column === field)) return null;
  // Rows may be counted from 0; a name of 0 is the result of a lookup in an empty cell.
  if (text === '0' && field !== 'name') return null;
  return { kind: 'error', text, shown: text, formula: false };
}

const isZero = ({ kind, text }: TypedCell) => kind === 'number' && /^-?0(?:\.0+)?$/.test(text);

function ownText(raw: readonly Cell[], index: number): string | null {
  const cell = index < 0 ? undefined : raw[index];
  return cell === undefined || isEmpty(cell) ? null : shownText(cell);
}

function hasNul(text: string): boolean {
  return text.includes('\0');
}

const totalWords = /^\s*(grand[\s-]*total|sub[\s-]*totals?|totals?|sum)(?![\p{L}\p{N}])/iu;
const totalAlone = /^\s*(?:grand[\s-]*)?totals?\s*:?\s*$/i;
const subtotalWords = /^\s*sub[\s-]*totals?(?![\p{L}\p{N}])/iu;
/** `Lagos Total`, as Excel's own subtotals have it. */
const groupTotalWords = /(?<![\p{L}\p{N}])totals? ?:?$/iu;

/** True for a row of sums. `Total Kenya Ltd` with an account is a payee, so a named destination makes it a line. */
function looksLikeTotal(line: Line): boolean {
  const { cells } = line;
  if (namesPayment(line)) return false;
  // `Sum Wong` with a bank is a payee without an account yet; a bare label may stand in any of these columns.
  const places = [cells.country, cells.bank_name, cells.bank_code];
  if (places.some((cell) => cell !== undefined && !totalAlone.test(shownText(cell)))) return false;
  const filled = line.raw.filter((cell) => !isEmpty(cell));
  if (cells.amount !== undefined && filled.length === 1) return true;
  const first = filled[0];
  return (
    (first !== undefined && totalWords.test(shownText(first))) ||
    (cells.name !== undefined && totalWords.test(shownText(cells.name)))
  );
}

/** True for the totals row; in a result, rows of the batch have a key instead. */
function isTotal(line: Line): boolean {
  return line.own.row === null && looksLikeTotal(line);
}

const signatureWords =
  /^(?:(?:prepared|approved|checked|reviewed|authori[sz]ed|verified|compiled|captured|released|signed)(?: (?:and \p{L}+ )?by\b.*| *[:._].*)?|(?:name|signature|date|designation|position)s?(?: of [\p{L} ]+)? *(?:[:._].*)?|[_.…]{3,})$/iu;
/** `30 November 2026`, `30/11/2026`, `2026-11-30`, with or without a time. */
const dateText = /^(?:\d{1,2}[ ./-](?:\d{1,2}|\p{L}{3,9})[ ./-]\d{2,4}|\d{4}-\d\d-\d\d)(?:[ T]\d\d:\d\d(?::\d\d)?)?$/u;

/** True for `Prepared by: …` and similar rows. An amount or account makes it a payment, which must not be lost. */
function isSignature(line: Line): boolean {
  const { amount, contact_number: phone, lnurl, merchant_id: merchant, reference } = line.cells;
  if (line.own.row !== null || (amount ?? phone ?? lnurl ?? merchant ?? reference) !== undefined) return false;
  const [first = '', ...others] = line.raw
    .filter((cell) => !isEmpty(cell))
    .map((cell) => shownText(judged(cell)).trim());
  // A date may stand behind its word in the same cell.
  const bare = (text: string) => text.replace(/^[\p{L} ]+[:._]+ */u, '');
  return (
    (signatureWords.test(first) || dateText.test(first)) &&
    [bare(first), ...others].every((text) => dateText.test(text) || !/\d/.test(text))
  );
}

/** True when the row has a destination or a reference; the label of a sum may stand in those columns. */
function namesPayment({ cells }: Line): boolean {
  if (cells.lnurl ?? cells.merchant_id) return true;
  const places = [cells.account_number, cells.contact_number];
  if (places.some((cell) => cell !== undefined && !isWordyLabel(shownText(cell)))) return true;
  return cells.reference !== undefined && !isTotalLabel(shownText(cells.reference));
}

/** No account or phone consists of words. */
function isWordyLabel(text: string): boolean {
  return isTotalLabel(text) && /^[\p{L}\s:-]+$/u.test(text);
}

function isTotalLabel(text: string): boolean {
  return totalWords.test(text) || groupTotalWords.test(text.trim());
}

function textsOf({ raw }: Line): readonly string[] {
  return raw.map((cell) => shownText(judged(cell)));
}

/** True for a sum among the payments. */
function isSum(line: Line): boolean {
  if (namesPayment(line)) return false;
  if (isSubtotal(line) || looksLikeTotal(line)) return true;
  const { country, bank_name: bank, bank_code: code } = line.cells;
  return (country ?? bank ?? code) === undefined && textsOf(line).some(isTotalLabel);
}

/** True for the word `subtotal`, which is no payee's name, whatever else the row says. */
function isSubtotal(line: Line): boolean {
  return !namesPayment(line) && textsOf(line).some((text) => subtotalWords.test(text));
}

/** Adds the one problem of a sum. */
function refusedSum(row: SheetRow, line: Line): SheetRow {
  const label = textsOf(line).find(isTotalLabel)?.trim();
  const what =
    label === undefined ? 'holds an amount and nothing else' : `says '${shortened(label)}' and not where money goes`;
  const problem = sheetProblem(
    'ROW_SUBTOTAL',
    'error',
    `the row ${what}, so it looks like a sum of rows above it, which is never paid; delete it, or if it is a payee write where the money goes (a totals row stands last, with nothing but signatures and dates below it)`,
    { row: row.number, value: label === undefined ? null : shortened(label) },
  );
  return { ...row, line: { ...line, problems: [...line.problems, problem] } };
}

/** True for a row without place, amount, purpose and account: a date like `30/11/2026` has no five digits together. */
function isNote(line: Line): boolean {
  const { amount, country, reference, lnurl, merchant_id } = line.cells;
  if (line.own.row !== null || (amount ?? country ?? reference ?? lnurl ?? merchant_id) !== undefined) return false;
  return !textsOf(line).some((text) => /\d{5}/.test(text));
}

function refusedNote(row: SheetRow, line: Line): SheetRow {
  const text = shortened(textsOf(line).find((cell) => cell.trim() !== '') ?? '');
  const problem = sheetProblem(
    'ROW_NOTE',
    'error',
    `the row says '${text}' and no country, amount or reference, so it looks like a heading, a note or a signature, which is never paid; if it is a payee fill in what is missing, else delete it`,
    { row: row.number, value: text },
  );
  return { ...row, line: { ...line, problems: [...line.problems, problem] } };
}

/** Adds the one problem of a repeated header. */
function refusedHeader(row: SheetRow, line: Line): SheetRow {
  const message = 'the row says what the header says, as where a new page begins, and is no payee; delete it';
  const problem = sheetProblem('ROW_HEADER', 'error', message, { row: row.number });
  return { ...row, line: { ...line, problems: [...line.problems, problem] } };
}

function splitAmount(row: number, amount: string, behind: string): Problem {
  const message = `row ${row} says '${amount}' and, in a column that is not read, '${behind}', and all rows are like that: an amount of ${amount}${behind} that the separator has cut in two would be paid as ${amount}. Put such amounts in quotes, or write them without a separator; if '${behind}' is something else, name its column in a map`;
  return sheetProblem('AMOUNT_SPLIT', 'error', message, { row, column: 'amount', value: `${amount},${behind}` });
}

function secondHeader(row: number): Problem {
  const message = `row ${row} names other columns than the header, and the rows below it would be read by the header's; put each table on a sheet of its own`;
  return sheetProblem('HEADER_SECOND', 'error', message, { row });
}

function hiddenRow(row: number): Problem {
  return sheetProblem(
    'ROW_HIDDEN',
    'error',
    'the row is hidden or filtered away; show it or delete it, or pay hidden rows too with --include-hidden',
    { row },
  );
}

/** Reported once for a row, because mostly all of its cells are struck out. */
function cellStruck(row: number, column: Field, value: string): Problem {
  const message = `${column} holds '${value}', which is struck out, all of it or a part; delete the row if it is not to be paid, or else take the line through it away`;
  return sheetProblem('CELL_STRUCK', 'error', message, { row, column, value });
}

const unseenWords: { readonly [U in Exclude<Unseen, 'strike'>]: string } = {
  format: 'which its number format does not show; give it another format',
  letters: 'in letters that nobody can read, of the colour of their ground or too small; see that it is meant',
};

/** Warns of unreadable letters, because a conditional format may paint the ground behind white ones. */
function notSeen(row: number, column: Field, value: string, unseen: keyof typeof unseenWords): Problem {
  const message = `${column} holds '${value}', ${unseenWords[unseen]}, or read hidden cells too with --include-hidden`;
  return sheetProblem('CELL_UNSEEN', unseen === 'format' ? 'error' : 'warning', message, { row, column, value });
}

function farBelow(row: number, last: number): Problem {
  return sheetProblem(
    'ROW_FAR_BELOW',
    'error',
    `the row stands ${row - last - 1} empty rows below the last one; move it up or delete it`,
    { row },
  );
}

function beyondHeader(row: number, index: number, cell: Cell): Problem {
  const value = shownText(cell);
  return sheetProblem(
    'CELL_BEYOND_HEADER',
    'error',
    `'${shortened(value)}' in column ${columnName(index)} stands right of the last column name; if a value holds the separator, put it in quotes; else delete the cell or give its column a name`,
    { row, value: shortened(value) },
  );
}

function tooLong(row: number, field: Field, text: string): Problem {
  return sheetProblem(
    'CELL_TOO_LONG',
    'error',
    `${field} has ${text.length} characters, more than ${maxCellCharacters}; shorten it`,
    { row, column: field, value: shortened(text) },
  );
}

function controlCharacter(row: number, field: Field, text: string): Problem {
  return sheetProblem(
    'CELL_CONTROL_CHARACTER',
    'error',
    `${field} holds the character U+0000, which nobody can see; type it again`,
    {
      row,
      column: field,
      value: shortened(text.replaceAll('\0', '<U+0000>')),
    },
  );
}

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
