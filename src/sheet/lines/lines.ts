/** Sorts the rows of a sheet into lines to pay, titles and the totals row. Drops rows without values. */
import type { Problem } from '../../base/problem.ts';
import { type ShippedMapName, sheetProblem } from '../../domain/problems/sheet-problems.ts';
import { type Cell, type Cells, type Field, shownText, type TypedCell } from '../../domain/rows/cell.ts';
import { isWordForNothing } from '../../domain/rows/text.ts';
import { headerKey, isMapped, type SheetMap } from '../columns/column-map.ts';
import { columnName } from '../columns/column-name.ts';
import { countKnown, type Header } from '../columns/header.ts';
import { filledStart, isBlank, isEmpty, type RawRow, type StoredCell, type Unseen } from '../file/raw-row.ts';
import { meaningOf, readAs } from './cell-text.ts';

export interface Line {
  readonly number: number;
  /** The row's cells. A short row has empty cells up to the header's width. */
  readonly raw: readonly Cell[];
  readonly cells: Cells;
  /** The values in Payrun's columns of an earlier result. Null for a missing column or an empty cell. */
  readonly own: { readonly [K in 'batch' | 'row' | 'status' | 'attempts' | 'payment']: string | null };
  readonly problems: readonly Problem[];
}

export interface ClassifiedRow {
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

interface LineRules {
  readonly header: Header;
  readonly headerRow: number;
  readonly includeHidden: boolean;
  readonly map?: SheetMap | undefined;
  readonly separated: string | null;
}

const maxCellCharacters = 1000;
const maxJudged = 200;
/** Payrun reports a row that follows this many empty rows, because a person may not notice the row. */
const maxGap = 1000;

const noProblems: readonly Problem[] = [];

/** Holds back each line until the next row arrives, because only the last line can be the totals row. */
export function createSorter(rules: LineRules) {
  const { header, headerRow } = rules;
  const width = header.texts.length;
  const known = header.fields.flatMap((field, index) =>
    field === null ? [] : [{ field, index, isTelling: tellingFields.includes(field) }],
  );
  const names = known.filter(({ field }) => field === 'name');
  const single = known.filter(({ field }) => field !== 'name' || names.length === 1);
  const translations = translationsOf(rules.map);
  let notes = noProblems;
  let lastFilled = headerRow;
  let held: ClassifiedRow | null = null;
  let total: ControlTotal | null = null;
  let heldSignatures: ClassifiedRow[] = [];
  const below: number[] = [];
  const corrected: Problem[] = [];
  const setApart = ({ problems }: Line) => corrected.push(...problems.filter(({ code }) => code === 'CELL_CORRECTED'));
  let headerValues = 0;
  let firstLine: { readonly number: number; readonly values: number } | null = null;
  let uneven: Problem | null = null;
  let second: Problem | null = null;
  let split: Problem | null = null;
  const amountIndex = header.fields.indexOf('amount');
  /** True while every amount looks cut, like an unquoted `2,500`. False if Payrun or the map uses the next column. */
  let mayBeSplit =
    rules.separated === ',' &&
    header.fields[amountIndex + 1] === null &&
    !isMapped(rules.map, header.texts[amountIndex + 1]!);
  const hasNotes = amountIndex >= 0 && header.fields.includes('reference');

  function judgedRow(row: ClassifiedRow, isLast: boolean): ClassifiedRow {
    const { line } = row;
    const problem = line === null ? null : rowProblem(line, isLast);
    if (line === null || problem === null) return row;
    return { ...row, line: { ...line, problems: [...line.problems, problem] } };
  }

  function rowProblem(line: Line, isLast: boolean): Problem | null {
    if (repeatsHeader(line)) return sheetProblem('ROW_HEADER', 'error', {}, { row: line.number });
    if (isLast ? isSubtotal(line) : isSum(line)) return subtotalRow(line);
    return hasNotes && isNote(line) ? noteRow(line) : null;
  }

  /** True for a prepared row without a payee: all values are formulas that give 0 or nothing. */
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
    const own = {
      batch: ownText(raw, header.batchColumn),
      row: ownText(raw, header.rowColumn),
      status: ownText(raw, header.statusColumn),
      attempts: ownText(raw, header.attemptsColumn),
      payment: ownText(raw, header.paymentColumn),
    };
    const all = translations.length === 0 ? problems : [...problems, ...translated(row.number, cells)];
    return { number: row.number, raw, cells, own, problems: all };
  }

  function read(row: RawRow, cell: Cell, { field, isTelling }: (typeof known)[number]): Cell {
    const meaning = meaningOf(cell, field);
    if (meaning !== cell) notes = [...notes, ...readAs(row.number, field, cell, meaning)];
    return asError(cell) ?? (isTelling ? asNothing(row, field, meaning) : null) ?? judged(meaning);
  }

  function translated(row: number, cells: { [F in Field]?: Cell }): Problem[] {
    const problems: Problem[] = [];
    for (const { field, meanings } of translations) {
      const cell = cells[field];
      if (cell === undefined) continue;
      const word = shownText(cell).trim();
      const meaning = meanings.get(headerKey(word));
      if (meaning === undefined) continue;
      if ('refused' in meaning) {
        const facts = { ...meaning, of: null };
        problems.push(sheetProblem('MAP_REFUSED', 'error', facts, { row, column: field, value: word }));
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
    const { number } = row;
    if (row.hidden && !rules.includeHidden) problems.push(sheetProblem('ROW_HIDDEN', 'error', {}, { row: number }));
    if (mayBeSplit) lookForSplit(number, raw);
    if (second === null && isSecondHeader(raw))
      second = sheetProblem('HEADER_SECOND', 'error', { row: number }, { row: number });
    const emptyRows = number - lastFilled - 1;
    if (emptyRows >= maxGap) problems.push(sheetProblem('ROW_FAR_BELOW', 'error', { emptyRows }, { row: number }));
    for (let index = width; index < raw.length; index++) {
      if (isEmpty(raw[index]!)) continue;
      problems.push(beyondHeader(number, index, raw[index]!));
      break;
    }
    if (rules.separated !== null && problems.length === 0) checkValues(row, problems);
    let struck: Problem | null = null;
    for (let k = 0; k < known.length; k++) {
      const { field, index } = known[k]!;
      const cell = raw[index]!;
      const text = typeof cell === 'string' ? cell : cell.text;
      if (text.length > maxCellCharacters) problems.push(tooLong(number, field, text));
      else if (text.includes('\0')) problems.push(controlCharacter(number, field, text));
      const unseen = typeof cell === 'string' ? null : (cell as StoredCell).unseen;
      // Reports only the first struck-out cell, because usually the whole row is struck out.
      if (unseen === 'strike') struck ??= cellStruck(number, field, shortened(text));
      else if (unseen !== null && !rules.includeHidden) problems.push(notSeen(number, field, shortened(text), unseen));
    }
    if (notes.length > 0) problems.push(...notes);
    if (struck !== null) problems.push(struck);
    if (row.corrected !== undefined) problems.push(...row.corrected);
    return problems.length === 0 ? noProblems : problems;
  }

  /** An unquoted `1,500` adds a value. If every line has the same surplus, reports only lines with a cut amount. */
  function checkValues({ number, cells }: RawRow, problems: Problem[]): void {
    const values = cells.length;
    // Accepts a short line, because some programs omit empty values at the end of a line.
    if (values < headerValues) return;
    firstLine ??= { number, values };
    if (values > headerValues && (values !== firstLine.values || isSplit(cells)))
      problems.push(tooManyValues(number, values));
    else if (values === headerValues && firstLine.values > headerValues)
      uneven ??= tooManyValues(firstLine.number, firstLine.values);
  }

  /** Looks for amounts that an unquoted comma cuts. For `2,500`, Payrun would pay 2 and ignore the value `500`. */
  function lookForSplit(row: number, raw: readonly Cell[]): void {
    const amount = shownText(raw[amountIndex] ?? '').trim();
    const behind = shownText(raw[amountIndex + 1] ?? '').trim();
    if (amount === '') return;
    mayBeSplit = /^\D*\d{1,3}$/.test(amount) && /^(?:\d{3}\D*)?$/.test(behind);
    if (!mayBeSplit || behind === '') return;
    const details = { row, column: 'amount', value: `${amount},${behind}` };
    split ??= sheetProblem('AMOUNT_SPLIT', 'error', { row, amount, behind }, details);
  }

  function isSplit(cells: readonly Cell[]): boolean {
    const [before, behind] = [cells[amountIndex], cells[amountIndex + 1]];
    if (typeof before !== 'string' || typeof behind !== 'string') return false;
    return /(?:^|\D)\d{1,3}$/.test(before.trim()) && /^\d{3}(?!\d)/.test(behind.trim());
  }

  function isSecondHeader(raw: readonly Cell[]): boolean {
    const amount = amountIndex < 0 ? '0' : (raw[amountIndex] ?? '');
    if (typeof amount !== 'string' || /\d/.test(amount)) return false;
    const texts = raw.map(shownText);
    const isOther = texts.some((text, index) => headerKey(text) !== headerKey(header.texts[index] ?? ''));
    return isOther && countKnown(texts, undefined, false) >= 3;
  }

  function repeatsHeader({ raw, own }: Line): boolean {
    const filled = raw.flatMap((cell, index) => (isEmpty(cell) ? [] : [{ text: shownText(cell), index }]));
    return (
      own.row === null &&
      filled.length >= 3 &&
      filled.every(({ text, index }) => headerKey(text) === headerKey(header.texts[index] ?? ''))
    );
  }

  function tooManyValues(row: number, values: number): Problem {
    return sheetProblem('ROW_TOO_LONG', 'error', { row, values, headerValues }, { row });
  }

  function totalRow(row: ClassifiedRow, line: Line): ClassifiedRow {
    total = { row: row.number, cells: line.cells };
    setApart(line);
    return { ...row, kind: 'total', line: null };
  }

  function passSignatures(out: ClassifiedRow[]): void {
    for (const row of heldSignatures) {
      below.push(row.number);
      if (row.line !== null) setApart(row.line);
      out.push({ ...row, kind: 'title', line: null });
    }
    heldSignatures = [];
  }

  return {
    push(rows: readonly RawRow[], out: ClassifiedRow[]): void {
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k]!;
        if (isBlank(row.cells) || isUnfilled(row)) continue;
        if (row.number <= headerRow) {
          headerValues = row.cells.length;
          const kind = row.number === headerRow ? 'header' : 'title';
          out.push({ number: row.number, cells: row.cells, kind, hidden: row.hidden, line: null });
          continue;
        }
        const line = lineOf(row);
        lastFilled = row.number;
        const next: ClassifiedRow = { number: row.number, cells: line.raw, kind: 'line', hidden: row.hidden, line };
        if (held !== null && isSignature(line) && (held.line === null || isTotal(held.line))) {
          heldSignatures.push(next);
          continue;
        }
        if (held !== null) out.push(judgedRow(held, false));
        if (held?.line === null) passSignatures(out);
        else for (const one of heldSignatures) out.push(judgedRow(one, false));
        heldSignatures = [];
        // In a result, which has a column `payrun_row`, payments may follow the totals row.
        held = header.rowColumn >= 0 && isTotal(line) ? totalRow(next, line) : next;
      }
    },
    end(out: ClassifiedRow[]): void {
      if (held === null) return;
      const { line } = held;
      out.push(line !== null && isTotal(line) ? totalRow(held, line) : judgedRow(held, true));
      passSignatures(out);
      held = null;
    },
    controlTotal: (): ControlTotal | null => total,
    belowTotal: (): readonly number[] => below,
    /** Returns problems that are known only at the end, such as lines of different length or a second header. */
    late: (): Problem[] => [
      ...[uneven, second, mayBeSplit ? split : null].filter((problem) => problem !== null),
      ...corrected,
    ],
  };
}

type Meaning = { readonly read: string } | { readonly map: ShippedMapName; readonly refused: string };

function translationsOf(map: SheetMap | undefined) {
  const lists = new Map<Field, Map<string, Meaning>>();
  const add = (field: string, word: string, meaning: Meaning) => {
    const meanings = lists.get(field as Field) ?? new Map<string, Meaning>();
    lists.set(field as Field, meanings.set(headerKey(word), meaning));
  };
  for (const [field, words] of Object.entries(map?.words ?? {}))
    for (const [word, read] of Object.entries(words)) add(field, word, { read });
  if (map?.shipped !== undefined)
    for (const [field, words] of Object.entries(map.shipped.refusedWords))
      for (const refused of words) add(field, refused, { map: map.shipped.name, refused });
  return Array.from(lists, ([field, meanings]) => ({ field, meanings }));
}

function wordRead(row: number, column: Field, value: string, read: string): Problem {
  const word = shortened(value);
  const facts = { field: column, word, read };
  return sheetProblem('WORD_READ', 'repair', facts, { row, column, value: word, suggestion: read });
}

function joined(parts: readonly string[]): string {
  const isRepeated = (part: string) => parts.some((other) => other.toLowerCase().endsWith(` ${part.toLowerCase()}`));
  return parts.filter((part) => part !== '' && !isRepeated(part)).join(' ');
}

const padded = (cells: readonly Cell[], width: number): readonly Cell[] => [
  ...cells,
  ...Array.from({ length: width - cells.length }, () => ''),
];

/** Cuts a very long text, because checks of the whole text could take hours. `tooLong` reports the text. */
function judged(cell: Cell): Cell {
  if (typeof cell === 'string') return cell.length > maxCellCharacters ? cell.slice(0, maxJudged) : cell;
  if (cell.text.length <= maxCellCharacters) return cell;
  return { ...cell, text: cell.text.slice(0, maxJudged), shown: cell.shown.slice(0, maxJudged) };
}

const errorWords = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!)$/i;

/** Returns an error cell for a text such as `#N/A`, because a CSV file stores an error as text. */
function asError(cell: Cell): Cell | null {
  // A quick check: letters and digits have codes above 35, the code of `#`.
  if (typeof cell !== 'string' || cell.charCodeAt(0) > 35) return null;
  const text = cell.trim();
  return errorWords.test(text) ? { kind: 'error', text, shown: text, formula: false } : null;
}

/** A word such as `nan` is an error in these columns, because they identify the payee or the payment. */
const tellingFields: readonly Field[] = ['row_id', 'payee_id', 'name', 'network_provider', 'reference', 'tag'];

/** Returns an error cell for a word that means no value, such as `nan`. A word from a person's correction stays. */
function asNothing(row: RawRow, field: Field, cell: Cell): Cell | null {
  if (!isWordForNothing(shownText(cell))) return null;
  if (typeof cell !== 'string' && cell.kind !== 'text' && cell.kind !== 'number') return null;
  const text = shownText(cell).trim();
  if (text === '' || row.corrected?.some(({ column }) => column === field)) return null;
  // The name 0 is an error, because a formula gives 0 if it refers to an empty cell.
  if (text === '0' && field !== 'name') return null;
  return { kind: 'error', text, shown: text, formula: false };
}

const isZero = ({ kind, text }: TypedCell) => kind === 'number' && /^-?0(?:\.0+)?$/.test(text);

function ownText(raw: readonly Cell[], index: number): string | null {
  const cell = index < 0 ? undefined : raw[index];
  return cell === undefined || isEmpty(cell) ? null : shownText(cell);
}

const totalWords = /^\s*(grand[\s-]*total|sub[\s-]*totals?|totals?|sum)(?![\p{L}\p{N}])/iu;
const totalAlone = /^\s*(?:grand[\s-]*)?totals?\s*:?\s*$/i;
const subtotalWords = /^\s*sub[\s-]*totals?(?![\p{L}\p{N}])/iu;
/** Matches the labels of Excel's own subtotals, such as `Lagos Total`. */
const groupTotalWords = /(?<![\p{L}\p{N}])totals? ?:?$/iu;

/** True for a likely totals row. False for a row with a destination or reference: `Total Kenya Ltd` may be a payee. */
function looksLikeTotal(line: Line): boolean {
  const { cells } = line;
  if (namesPayment(line)) return false;
  // A row with a country or bank is a payment: `Sum Wong` may be a payee. The label `Total` there does not count.
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

/** In a result, a row with a `payrun_row` is always a payment, even if the row says `total`. */
const isTotal = (line: Line): boolean => line.own.row === null && looksLikeTotal(line);

const signatureWords =
  /^(?:(?:prepared|approved|checked|reviewed|authori[sz]ed|verified|compiled|captured|released|signed)(?: (?:and \p{L}+ )?by\b.*| *[:._].*)?|(?:name|signature|date|designation|position)s?(?: of [\p{L} ]+)? *(?:[:._].*)?|[_.…]{3,})$/iu;
const dateText = /^(?:\d{1,2}[ ./-](?:\d{1,2}|\p{L}{3,9})[ ./-]\d{2,4}|\d{4}-\d\d-\d\d)(?:[ T]\d\d:\d\d(?::\d\d)?)?$/u;

/** True for a row such as `Prepared by: …`. The row has no amount or reference, and digits only in dates. */
function isSignature(line: Line): boolean {
  const { amount, contact_number: phone, lnurl, merchant_id: merchant, reference } = line.cells;
  if (line.own.row !== null || (amount ?? phone ?? lnurl ?? merchant ?? reference) !== undefined) return false;
  const [first = '', ...others] = line.raw
    .filter((cell) => !isEmpty(cell))
    .map((cell) => shownText(judged(cell)).trim());
  const bare = (text: string) => text.replace(/^[\p{L} ]+[:._]+ */u, '');
  return (
    (signatureWords.test(first) || dateText.test(first)) &&
    [bare(first), ...others].every((text) => dateText.test(text) || !/\d/.test(text))
  );
}

/** True if a row has a destination or a reference. A label such as `Total` in these columns does not count. */
function namesPayment({ cells }: Line): boolean {
  if (cells.lnurl ?? cells.merchant_id) return true;
  const places = [cells.account_number, cells.contact_number];
  if (places.some((cell) => cell !== undefined && !isWordyLabel(shownText(cell)))) return true;
  return cells.reference !== undefined && !isTotalLabel(shownText(cells.reference));
}

const isWordyLabel = (text: string): boolean => isTotalLabel(text) && /^[\p{L}\s:-]+$/u.test(text);

const isTotalLabel = (text: string): boolean => totalWords.test(text) || groupTotalWords.test(text.trim());

const textsOf = ({ raw }: Line): readonly string[] => raw.map((cell) => shownText(judged(cell)));

function isSum(line: Line): boolean {
  if (namesPayment(line)) return false;
  if (isSubtotal(line) || looksLikeTotal(line)) return true;
  const { country, bank_name: bank, bank_code: code } = line.cells;
  return (country ?? bank ?? code) === undefined && textsOf(line).some(isTotalLabel);
}

const isSubtotal = (line: Line): boolean =>
  !namesPayment(line) && textsOf(line).some((text) => subtotalWords.test(text));

function subtotalRow(line: Line): Problem {
  const found = textsOf(line).find(isTotalLabel)?.trim();
  const label = found === undefined ? null : shortened(found);
  return sheetProblem('ROW_SUBTOTAL', 'error', { label }, { row: line.number, value: label });
}

/** True for a row of notes. A text with five digits may be an account number, so its row is no note. */
function isNote(line: Line): boolean {
  const { amount, country, reference, lnurl, merchant_id } = line.cells;
  if (line.own.row !== null || (amount ?? country ?? reference ?? lnurl ?? merchant_id) !== undefined) return false;
  return !textsOf(line).some((text) => /\d{5}/.test(text));
}

function noteRow(line: Line): Problem {
  const text = shortened(textsOf(line).find((cell) => cell.trim() !== '') ?? '');
  return sheetProblem('ROW_NOTE', 'error', { text }, { row: line.number, value: text });
}

const cellStruck = (row: number, column: Field, value: string): Problem =>
  sheetProblem('CELL_STRUCK', 'error', { field: column, value }, { row, column, value });

function notSeen(row: number, column: Field, value: string, hiddenBy: Exclude<Unseen, 'strike'>): Problem {
  const severity = hiddenBy === 'format' ? 'error' : 'warning';
  return sheetProblem('CELL_UNSEEN', severity, { field: column, value, hiddenBy }, { row, column, value });
}

function beyondHeader(row: number, index: number, cell: Cell): Problem {
  const value = shortened(shownText(cell));
  return sheetProblem('CELL_BEYOND_HEADER', 'error', { column: columnName(index), value }, { row, value });
}

function tooLong(row: number, field: Field, text: string): Problem {
  const facts = { field, characters: text.length, most: maxCellCharacters };
  return sheetProblem('CELL_TOO_LONG', 'error', facts, { row, column: field, value: shortened(text) });
}

function controlCharacter(row: number, field: Field, text: string): Problem {
  const value = shortened(text.replaceAll('\0', '<U+0000>'));
  return sheetProblem('CELL_CONTROL_CHARACTER', 'error', { field }, { row, column: field, value });
}

export const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
