/** Reads rows and cells from the bytes of a worksheet, without an XML library. Numbers keep their stored digits. */
import { PayrunError } from '../../base/errors.ts';
import { eachOf, wordsIn } from '../../base/words.ts';
import { plainNumber } from '../../domain/amounts/plain-number.ts';
import type { Cell, TypedCell } from '../../domain/rows/cell.ts';
import { type CellRange, columnName, rangeOf } from '../columns/column-name.ts';
import { createUtf8Check } from '../csv/utf8.ts';
import { maxSheetRows } from '../file/limits.ts';
import type { RawRow, StoredCell, Unseen } from '../file/raw-row.ts';
import { createNesting, decodeEntities, isTrue, refuseXml } from '../xml/xml.ts';
import { generalStyle, type Style, shownDate, shownNumber, unseenIn } from './number-format.ts';
import {
  collectText,
  declare,
  isAt,
  isNamed,
  nameOf,
  namesOf,
  nest,
  nextTag,
  prefixOf,
  readRun,
  type SharedStrings,
  tagEnd,
} from './shared-strings.ts';
import { createStrikingRules } from './style/strike-rules.ts';

export interface RowContext {
  readonly strings: SharedStrings;
  readonly styles: readonly Style[];
  readonly date1904: boolean;
  readonly striking: ReadonlySet<number>;
  readonly isStale: boolean;
}

const maxColumn = 16_384;
const maxFilledColumns = 256;
const maxRowBytes = 16 * 1024 * 1024;
const maxBatchCharacters = 1024 * 1024;
/** A smaller row or column counts as hidden. Heights are in points, widths in characters. */
const leastHeight = 2;
const leastWidth = 2;

/** Matches a formula that sums one column, as in a totals row. SUBTOTAL with 9 or 109 is a sum too. */
const sumPattern = /^(?:SUM\(|SUBTOTAL\((?:10)?9,)\$?([A-Z]{1,3})\$?\d{1,7}:\$?\1\$?(\d{1,7})\)$/;
const maxSumBytes = 60;

const mainNamespaces =
  /(?:schemas\.openxmlformats\.org\/spreadsheetml\/2006|purl\.oclc\.org\/ooxml\/spreadsheetml)\/main["']/;
const everyMainNamespace = new RegExp(mainNamespaces, 'g');

const lessThan = 0x3c;
const greaterThan = 0x3e;
const slash = 0x2f;
const exclamation = 0x21;
const question = 0x3f;
const colon = 0x3a;

const sheetNames = namesOf(
  wordsIn(
    'si is t rPh strike row c v f extLst sheetFormatPr sheetData col mergeCell conditionalFormatting cfRule sheetCalcPr',
  ),
);

const cellOpening = Buffer.from('<c r="');
const styleOpening = Buffer.from(' s="');
const sharedAttribute = Buffer.from(' t="s"');
const valueOpening = Buffer.from('><v>');
const valueClosing = Buffer.from('</v></c>');
/** `readPlainCell` needs at least this many bytes, so that it never has to check for the end of the bytes. */
const longestPlainCell = 80;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Reads rows. If a chunk ends inside a row, reads the row again with the next chunk. */
export function createRowReader(context: RowContext) {
  const check = createUtf8Check();
  const widths = Array.from<number | null>({ length: maxFilledColumns }).fill(null);
  const merges: CellRange[] = [];
  const rules = createStrikingRules(context.striking);
  const nesting = createNesting();
  const hasUnseen =
    context.strings.struck.size > 0 ||
    context.styles.some(({ hides, faint, struck }) => hides !== null || faint || struck);
  /** The prefix of the sheet's first element, such as `x:`. Payrun reads only elements with this prefix. */
  let prefix: string | null = null;
  let names = sheetNames('');
  let rowsIn = '';
  let hiddenByDefault = false;
  let usualHeight = leastHeight;
  let narrowByDefault = false;
  const calculated = new Set<number>();
  const staleColumns: number[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let lastRow = 0;
  let inlineStruck = false;
  let plainColumn = -1;
  /** The last prefix that `checkPrefix` accepted. Attributes with this prefix need no second check. */
  let checkedPrefix: Uint8Array = Buffer.from(':');
  const found = { ...emptyAttribute };

  return {
    widths: widths as readonly (number | null)[],
    merges: merges as readonly CellRange[],
    maybeStruck: rules.ranges,
    staleColumns: staleColumns as readonly number[],
    *push(chunk: Buffer): Generator<RawRow[]> {
      check.push(chunk);
      pending.push(chunk);
      pendingBytes += chunk.length;
      // Waits until an incomplete row's bytes have doubled, because each attempt reads the row from its start.
      if (pendingBytes < rest.length) return;
      const bytes = rest.length === 0 && pending.length === 1 ? chunk : Buffer.concat([rest, ...pending]);
      pending = [];
      pendingBytes = 0;
      const done = yield* scan(bytes);
      rest = Buffer.from(bytes.subarray(done));
      if (rest.length > maxRowBytes) throw new PayrunError('WORKBOOK_ROW_TOO_LARGE', { row: lastRow + 1 });
    },
    *end(): Generator<RawRow[]> {
      const bytes = Buffer.concat([rest, ...pending]);
      const done = yield* scan(bytes);
      rest = Buffer.alloc(0);
      pending = [];
      const whole = bytes.subarray(done).toString('latin1').trim() === '' && nesting.innermost() === undefined;
      if (!check.end() || prefix === null || !whole) refuseXml();
    },
  };

  /** Reads rows. Returns the index of the first incomplete element. */
  function* scan(bytes: Buffer): Generator<RawRow[], number> {
    let rows: RawRow[] = [];
    let characters = 0;
    let at = 0;
    for (;;) {
      const open = bytes.indexOf(lessThan, at);
      at = open < 0 ? bytes.length : open;
      const close = open < 0 ? -1 : tagEnd(bytes, open);
      if (close < 0) break;
      const first = bytes[open + 1]!;
      if (first !== exclamation && first !== question) {
        if (prefix === null) {
          start(prefixOf(nameOf(bytes, open + 1)));
          const spaces = bytes.toString('latin1', open, close).match(everyMainNamespace) ?? [];
          if (spaces.length > 1) refuseXml();
        }
        if (first !== slash && nesting.innermost() === rowsIn) {
          const count = rows.length;
          const next = isNamed(bytes, open + 1, names.row)
            ? readRow(bytes, open, close, rows)
            : skipElement(bytes, open, close);
          if (next < 0) break;
          at = next;
          if (rows.length > count) characters += charactersOf(rows[count]!);
          // Yields early if the texts are long: a few bytes of XML can repeat a long shared text many times.
          if (characters > maxBatchCharacters) {
            yield rows;
            rows = [];
            characters = 0;
          }
          continue;
        }
        if (first !== slash) note(bytes, open, close);
        nest(nesting, bytes, open, close);
      }
      at = close + 1;
    }
    if (rows.length > 0) yield rows;
    return at;
  }

  function start(own: string): void {
    prefix = own;
    names = sheetNames(own);
    rowsIn = `${own}sheetData`;
  }

  /** Skips extensions and elements of other programs. Refuses the rest, which could be misspelt rows or cells. */
  function skipElement(bytes: Buffer, open: number, close: number): number {
    const isOwn = prefixOf(nameOf(bytes, open + 1)) === prefix;
    if (isOwn && !isNamed(bytes, open + 1, names.extLst)) refuseXml();
    if (!isOwn) refuseOwn(bytes, open, close);
    const inner = nesting.inner();
    nest(inner, bytes, open, close);
    let at = close + 1;
    while (inner.innermost() !== undefined) {
      const next = nextTag(bytes, at);
      const end = tagEnd(bytes, next);
      if (end < 0) return -1;
      if (!isOwn) refuseOwn(bytes, next, end);
      nest(inner, bytes, next, end);
      at = end + 1;
    }
    return at;
  }

  function refuseOwn(bytes: Buffer, open: number, close: number): void {
    const isCell = isNamed(bytes, open + 1, names.row) || isNamed(bytes, open + 1, names.c);
    if (isCell || mainNamespaces.test(bytes.toString('latin1', open, close))) refuseXml();
  }

  function note(bytes: Buffer, open: number, close: number): void {
    if (isNamed(bytes, open + 1, names.col)) {
      const tag = attributesOf(bytes, open, close);
      const from = Number(tag.get('min')) - 1;
      const width = tag.get('width');
      const narrow = width === undefined ? narrowByDefault : Number(width) < leastWidth;
      const shown = isTrue(tag.get('hidden')) || narrow ? 0 : Number(width) || null;
      const to = Number(tag.get('max'));
      // No later element shows a hidden column again, because programs differ in which element they heed.
      for (let at = from; from >= 0 && at < Math.min(to, maxFilledColumns); at++)
        if (widths[at] !== 0) widths[at] = shown;
    } else if (isNamed(bytes, open + 1, names.mergeCell)) {
      const merge = spanOf(attributesOf(bytes, open, close).get('ref') ?? '');
      if (merge !== null && merges.length < 1000) merges.push(merge);
    } else if (isNamed(bytes, open + 1, names.sheetFormatPr)) {
      const tag = attributesOf(bytes, open, close);
      hiddenByDefault = isTrue(tag.get('zeroHeight'));
      usualHeight = Number(tag.get('defaultRowHeight') ?? leastHeight);
      narrowByDefault = Number(tag.get('defaultColWidth') ?? leastWidth) < leastWidth;
    } else if (isNamed(bytes, open + 1, names.conditionalFormatting))
      rules.setRange(attributesOf(bytes, open, close).get('sqref') ?? '');
    else if (isNamed(bytes, open + 1, names.cfRule)) rules.addRule(attributesOf(bytes, open, close).get('dxfId'));
    else if (isNamed(bytes, open + 1, names.strike)) rules.addOwnStyle(attributesOf(bytes, open, close).get('val'));
    else if (isNamed(bytes, open + 1, names.sheetCalcPr)) {
      if (isTrue(attributesOf(bytes, open, close).get('fullCalcOnLoad'))) staleColumns.push(...calculated);
    } else if (narrowByDefault && isNamed(bytes, open + 1, names.sheetData)) {
      widths.forEach((width, index) => {
        widths[index] = width ?? 0;
      });
    }
  }

  function readRow(bytes: Buffer, open: number, close: number, out: RawRow[]): number {
    let number = -1;
    let hidden = hiddenByDefault;
    let height = usualHeight;
    const empty = bytes[close - 1] === slash;
    const end = empty ? close - 1 : close;
    for (let at = nameEnd(bytes, open + 1); nextAttribute(bytes, at, end, found); at = found.valueTo + 1) {
      const { nameFrom, nameTo, valueFrom, valueTo } = found;
      const size = nameTo - nameFrom;
      if (size === 1 && bytes[nameFrom] === 0x72) {
        if (number >= 0) refuseXml();
        number = digitsOf(bytes, valueFrom, valueTo);
      } else if (size === 6 && bytes.toString('latin1', nameFrom, nameTo) === 'hidden') {
        hidden = isTrue(bytes.toString('latin1', valueFrom, valueTo));
      } else if (size > 2) checkPrefix(bytes, open, close);
      else if (size === 2 && bytes.toString('latin1', nameFrom, nameTo) === 'ht') {
        height = Number(bytes.toString('latin1', valueFrom, valueTo));
      }
    }
    hidden ||= height < leastHeight;
    // A row without a number directly follows the previous row.
    if (number < 0) number = lastRow + 1;
    if (number > maxSheetRows) throw new PayrunError('FILE_HOSTILE', {});
    if (number <= lastRow) throw new PayrunError('WORKBOOK_DAMAGED', { row: number });
    if (empty) {
      lastRow = number;
      return close + 1;
    }
    const cells: Cell[] = [];
    const next = readCells(bytes, close + 1, number, cells);
    if (next < 0) return -1;
    lastRow = number;
    if (cells.length > 0) out.push({ number, cells, hidden });
    return next;
  }

  /** Refuses an attribute with an undeclared prefix, because the prefix could hide the type of a value. */
  function checkPrefix(bytes: Buffer, open: number, close: number): void {
    if (isAt(bytes, found.nameFrom, checkedPrefix)) return;
    let end = found.nameFrom;
    while (end < found.nameTo && bytes[end] !== colon) end++;
    if (end === found.nameTo) return;
    declare(nesting, bytes, open, close);
    const prefix = bytes.toString('latin1', found.nameFrom, end + 1);
    nesting.check(prefix);
    // Checks `xmlns:` each time, because each of these attributes declares another prefix.
    if (prefix !== 'xmlns:') checkedPrefix = Buffer.from(prefix, 'latin1');
  }

  /** Reads the cells of a row. Returns the index after `</row>`; -1 if the bytes end first. */
  function readCells(bytes: Buffer, from: number, row: number, cells: Cell[]): number {
    let column = -1;
    for (let at = from; ; ) {
      const behind = prefix === '' ? readPlainCell(bytes, at, row, column, cells) : -1;
      if (behind >= 0) {
        at = behind;
        column = plainColumn;
        continue;
      }
      at = nextTag(bytes, at);
      const close = tagEnd(bytes, at);
      if (close < 0) return -1;
      if (bytes[at + 1] === slash) {
        if (!isNamed(bytes, at + 2, names.row)) refuseXml();
        return close + 1;
      }
      if (!isNamed(bytes, at + 1, names.c)) {
        at = skipElement(bytes, at, close);
        if (at < 0) return -1;
        continue;
      }
      let given = -1;
      let style = 0;
      let type = 0;
      const empty = bytes[close - 1] === slash;
      const end = empty ? close - 1 : close;
      for (let from = nameEnd(bytes, at + 1); nextAttribute(bytes, from, end, found); from = found.valueTo + 1) {
        const { nameFrom, nameTo, valueFrom, valueTo } = found;
        if (nameTo - nameFrom !== 1) {
          checkPrefix(bytes, at, close);
          continue;
        }
        const name = bytes[nameFrom]!;
        if (name === 0x72) {
          if (given >= 0) refuseXml();
          given = columnOf(bytes, valueFrom, valueTo, row);
        } else if (name === 0x73) style = digitsOf(bytes, valueFrom, valueTo);
        else if (name === 0x74) type = typeOf(bytes, valueFrom, valueTo);
      }
      at = close + 1;
      if (given < 0) column++;
      else if (given <= column) throw new PayrunError('WORKBOOK_DAMAGED', { row });
      else column = given;
      if (column >= maxColumn) throw new PayrunError('FILE_HOSTILE', {});
      if (empty) continue;
      const next = readCell(bytes, at, row, column, style, type, cells);
      if (next < 0) return -1;
      at = next;
    }
  }

  /** Reads a cell in the most common form: `<c r="B7" s="3" t="s"><v>12</v></c>`. Returns -1 for another form. */
  function readPlainCell(bytes: Buffer, from: number, row: number, lastColumn: number, cells: Cell[]): number {
    if (from + longestPlainCell > bytes.length || !isAt(bytes, from, cellOpening)) return -1;
    let at = from + cellOpening.length;
    let byte = bytes[at]!;
    let column = 0;
    for (; byte >= 0x41 && byte <= 0x5a && column < maxFilledColumns; byte = bytes[++at]!)
      column = column * 26 + byte - 0x40;
    let number = 0;
    for (; isDigit(byte) && number < maxSheetRows; byte = bytes[++at]!) number = number * 10 + byte - 0x30;
    column--;
    if (byte !== 0x22 || number !== row || column <= lastColumn || column >= maxFilledColumns) return -1;
    at++;
    let style = 0;
    if (isAt(bytes, at, styleOpening)) {
      at += styleOpening.length;
      for (byte = bytes[at]!; isDigit(byte) && style < 0xffff; byte = bytes[++at]!) style = style * 10 + byte - 0x30;
      if (byte !== 0x22) return -1;
      at++;
    }
    const shared = isAt(bytes, at, sharedAttribute);
    if (shared) at += sharedAttribute.length;
    if (!isAt(bytes, at, valueOpening)) return -1;
    at += valueOpening.length;
    const valueFrom = at;
    let value = 0;
    for (byte = bytes[at]!; isDigit(byte) && at < valueFrom + 15; byte = bytes[++at]!) value = value * 10 + byte - 0x30;
    if (at === valueFrom || !isAt(bytes, at, valueClosing)) return -1;
    const cell = shared
      ? hasUnseen
        ? cellOf(null, bytes, valueFrom, at, row, style, sharedType, false)
        : context.strings.get(value)
      : numberCell(bytes[valueFrom] === 0x30 ? bytes.toString('latin1', valueFrom, at) : String(value), style);
    if (cell === undefined) return -1;
    if (cell !== '') {
      while (cells.length < column) cells.push('');
      cells.push(cell);
    }
    plainColumn = column;
    return at + valueClosing.length;
  }

  /** Reads a cell in any form. Returns the index after `</c>`; -1 if the bytes end first. */
  function readCell(
    bytes: Buffer,
    from: number,
    row: number,
    column: number,
    styleNumber: number,
    type: number,
    cells: Cell[],
  ): number {
    let valueFrom = 0;
    let valueTo = 0;
    let decoded: string | null = null;
    inlineStruck = false;
    let formula = false;
    let sum: string | null = null;
    let valued = false;
    let at = from;
    for (;;) {
      at = nextTag(bytes, at);
      const close = tagEnd(bytes, at);
      if (close < 0) return -1;
      if (bytes[at + 1] === slash) {
        if (!isNamed(bytes, at + 2, names.c)) refuseXml();
        at = close + 1;
        break;
      }
      const empty = bytes[close - 1] === slash;
      if (isNamed(bytes, at + 1, names.v)) {
        if (valued) refuseXml();
        valued = true;
        at = close + 1;
        if (empty) {
          decoded = '';
          continue;
        }
        const run = readRun(bytes, at, names.v);
        if (run === null) return -1;
        valueFrom = at;
        valueTo = run.to;
        decoded = run.text;
        at = run.next;
      } else if (isNamed(bytes, at + 1, names.f)) {
        formula = true;
        if (context.isStale) addFilled(attributesOf(bytes, at, close));
        at = close + 1;
        if (empty) continue;
        const run = readRun(bytes, at, names.f);
        if (run === null) return -1;
        if (run.to - at <= maxSumBytes) sum = sumOf(run.text ?? bytes.toString('utf8', at, run.to), row, column);
        at = run.next;
      } else if (isNamed(bytes, at + 1, names.is)) {
        if (valued) refuseXml();
        valued = true;
        declare(nesting, bytes, at, close);
        at = close + 1;
        if (empty) continue;
        const collected = collectText(bytes, at, names.is, names, nesting);
        if (collected === null) return -1;
        decoded = collected.text ?? bytes.toString('utf8', collected.from, collected.to);
        inlineStruck = collected.struck;
        valueFrom = collected.from;
        at = collected.next;
      } else {
        at = skipElement(bytes, at, close);
        if (at < 0) return -1;
      }
    }
    const none = decoded === null ? valueFrom === valueTo : decoded === '';
    if (none && !formula) return at;
    const cell = cellOf(decoded, bytes, valueFrom, valueTo, row, styleNumber, type, formula);
    if (cell === '') return at;
    if (column >= maxFilledColumns)
      throw new PayrunError('WORKBOOK_TOO_WIDE', { row, column: columnName(column), most: maxFilledColumns });
    while (cells.length < column) cells.push('');
    cells.push(formula && typeof cell !== 'string' ? calculatedCell(cell as StoredCell, sum, column) : cell);
    return at;
  }

  /** Adds all columns of an array formula to `staleColumns`, because only the first cell contains the formula. */
  function addFilled(formula: ReadonlyMap<string, string>): void {
    const range = formula.get('t') === 'shared' ? null : spanOf(formula.get('ref') ?? '');
    for (let column = range?.left ?? 0; column <= Math.min(range?.right ?? -1, maxFilledColumns); column += 1)
      if (!staleColumns.includes(column)) staleColumns.push(column);
  }

  function calculatedCell(cell: StoredCell, sum: string | null, column: number): StoredCell {
    if (sum === null) calculated.add(column);
    if (context.isStale) return { ...cell, kind: 'uncached', sum };
    return sum === null ? cell : { ...cell, sum };
  }

  function cellOf(
    decoded: string | null,
    bytes: Buffer,
    from: number,
    to: number,
    row: number,
    styleNumber: number,
    type: number,
    formula: boolean,
  ): Cell {
    if (type === sharedType) {
      const index = decoded === null ? digitsOf(bytes, from, to) : Number(decoded);
      const shared = context.strings.get(index);
      if (shared === undefined) throw new PayrunError('WORKBOOK_DAMAGED', { row });
      return textCell(shared, formula, styleNumber, context.strings.struck.has(index));
    }
    const text = decoded ?? bytes.toString('utf8', from, to);
    if (type === textType) return textCell(text, formula, styleNumber, inlineStruck);
    if (formula && text === '') return stored('uncached', '', '', true, null);
    const style = context.styles[styleNumber] ?? generalStyle;
    switch (type) {
      case booleanType: {
        const word = text.trim() === '1' || text.trim().toLowerCase() === 'true' ? 'TRUE' : 'FALSE';
        return stored('boolean', word, word, formula, null);
      }
      case errorType:
        return stored('error', text, text, formula, null);
      case dateType:
        return stored('date', text, isoDate(text), formula, style.format);
      default: {
        const number = plainNumber(text.trim());
        // Some programs write words such as NaN as a number. The cell then becomes an error.
        return number === null ? stored('error', text, text, formula, null) : numberCell(number, styleNumber, formula);
      }
    }
  }

  function numberCell(number: string, styleNumber: number, formula = false): StoredCell {
    const style = context.styles[styleNumber] ?? generalStyle;
    const unseen = hasUnseen ? unseenIn(style, Number(number)) : null;
    if (style.kind === 'date' || style.kind === 'time')
      return stored('date', number, shownDate(number, style, context.date1904), formula, style.format, unseen);
    return stored('number', number, shownNumber(number, style), formula, style.format, unseen);
  }

  /** Makes a text cell. A partly struck-out text counts as struck out: nobody knows which part is valid. */
  function textCell(text: string, formula: boolean, styleNumber: number, struck: boolean): Cell {
    const looked = hasUnseen && text !== '' ? unseenIn(context.styles[styleNumber] ?? generalStyle, null) : null;
    const unseen = struck && text !== '' ? 'strike' : looked;
    return formula || unseen !== null ? stored('text', text, text, formula, null, unseen) : text;
  }
}

const charactersOf = ({ cells }: RawRow): number =>
  cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? cell : cell.text).length, 0);

function stored(
  kind: TypedCell['kind'],
  text: string,
  shown: string,
  formula: boolean,
  format: string | null,
  unseen: Unseen | null = null,
): StoredCell {
  return { kind, text, shown, formula, format, unseen, sum: null };
}

function sumOf(formula: string, row: number, column: number): string | null {
  const [, letters = '', last] = sumPattern.exec(formula) ?? [];
  return letters === columnName(column) && Number(last) < row ? formula : null;
}

// The numbers of the types in `t`: n (the default) is 0, s is 1, str and inlineStr are 2, b is 3, e is 4, d is 5.
const sharedType = 1;
const textType = 2;
const booleanType = 3;
const errorType = 4;
const dateType = 5;
const lettersOfTypes = Buffer.from('ns-bed');

function typeOf(bytes: Buffer, from: number, to: number): number {
  if (to - from === 1) {
    const type = lettersOfTypes.indexOf(bytes[from]!);
    if (type >= 0) return type;
  }
  const name = bytes.toString('latin1', from, to);
  return name === 'str' || name === 'inlineStr' ? textType : refuseXml();
}

function isoDate(text: string): string {
  return text
    .replace('T', ' ')
    .replace(/(?:\.0+)?Z?$/, '')
    .replace(/ 00:00:00$/, '');
}

function digitsOf(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  if (from === to || to - from > 12) refuseXml();
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) refuseXml();
    value = value * 10 + digit;
  }
  return value;
}

function columnOf(bytes: Buffer, from: number, to: number, row: number): number {
  let column = 0;
  let at = from;
  for (; at < to; at++) {
    // The mask turns small letters into capitals.
    const letter = (bytes[at]! & 0xdf) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > maxColumn) throw new PayrunError('FILE_HOSTILE', {});
  }
  let value = 0;
  for (; at < to && isDigit(bytes[at]!); at++) value = value * 10 + bytes[at]! - 0x30;
  if (column === 0 || at < to || value !== row) throw new PayrunError('WORKBOOK_DAMAGED', { row });
  return column - 1;
}

function nameEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end]! > 0x20 && bytes[end] !== greaterThan && bytes[end] !== slash) end++;
  return end;
}

const emptyAttribute = eachOf(0, 'nameFrom nameTo valueFrom valueTo');

function nextAttribute(bytes: Buffer, from: number, end: number, found: typeof emptyAttribute): boolean {
  let at = from;
  while (at < end && bytes[at]! <= 0x20) at++;
  if (at >= end) return false;
  if (at === from) refuseXml();
  found.nameFrom = at;
  if (!isNameStart(bytes[at]!)) refuseXml();
  while (at < end && isNameByte(bytes[at]!)) at++;
  found.nameTo = at;
  while (at < end && bytes[at]! <= 0x20) at++;
  if (bytes[at] !== 0x3d) refuseXml();
  at++;
  while (at < end && bytes[at]! <= 0x20) at++;
  const quote = bytes[at];
  if (at >= end || (quote !== 0x22 && quote !== 0x27)) refuseXml();
  found.valueFrom = ++at;
  while (at < end && bytes[at] !== quote) at++;
  if (at >= end) refuseXml();
  found.valueTo = at;
  return true;
}

function isNameStart(byte: number): boolean {
  const small = byte | 0x20;
  return (small >= 0x61 && small <= 0x7a) || byte === colon || byte === 0x5f || byte >= 0x80;
}

const isNameByte = (byte: number): boolean => isNameStart(byte) || (byte >= 0x2d && byte <= 0x39 && byte !== slash);

function attributesOf(bytes: Buffer, open: number, close: number): Map<string, string> {
  const attributes = new Map<string, string>();
  const found = { ...emptyAttribute };
  const end = bytes[close - 1] === slash ? close - 1 : close;
  for (let at = nameEnd(bytes, open + 1); nextAttribute(bytes, at, end, found); at = found.valueTo + 1) {
    const name = bytes.toString('latin1', found.nameFrom, found.nameTo);
    if (attributes.has(name)) refuseXml();
    attributes.set(name, decodeEntities(bytes.toString('utf8', found.valueFrom, found.valueTo)));
  }
  return attributes;
}

const spanOf = (reference: string) => (reference.includes(':') ? rangeOf(reference) : null);
