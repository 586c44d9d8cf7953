/** One line while it is being read: its cells, the rules of the batch, and what has been found so far. */
import type { Problem } from '../../base/problem.ts';
import type { AccountChecks } from '../accounts/account-number.ts';
import type { BankDirectory } from '../accounts/bank.ts';
import type { NumberFormat } from '../amounts/money.ts';
import { type Cell, type Cells, calculated, type Field, shownText, type TypedCell, unusable } from './cell.ts';
import { type Finding, finding, problemAt, quoted, type Reading } from './problem-codes.ts';
import { hasZeroWidth, type Letters, withoutZeroWidth } from './text.ts';

export type DocumentsPolicy = 'require' | 'warn' | 'off';

/** Rules of a whole batch. */
export interface RowRules {
  /** The service's banks, or our own table where there is no service to ask. */
  readonly banks: BankDirectory;
  /** How the sheet writes numbers, where the batch declares it: then `1,500` has one reading. */
  readonly numberFormat: NumberFormat | null;
  readonly accountChecks: AccountChecks;
  /** How a payment above 50,000 whole ZAR without documents is treated. */
  readonly documents: DocumentsPolicy;
  /** True when the documents folder may hold files named after a row's id. */
  readonly filed?: (rowId: string) => boolean;
  /** The unit of a BTC row that does not name one; null refuses such rows, since the interface does not say. */
  readonly btcUnit: 'sat' | null;
  /** The network provider of Kenyan payouts that do not name one. */
  readonly networkProvider: string;
  /** Types of payments that the service takes beside the one that is always known. */
  readonly paymentTypes?: readonly string[];
  /** `guessed` when the sheet's encoding is not certain. */
  readonly letters?: Letters;
  /** Batch-wide cells, for lines whose own cell is empty. */
  readonly defaults: Cells;
  /** The header from which the currency among them comes; absent where none says it. */
  readonly currencyHeader?: string;
}

export interface Line {
  readonly number: number;
  readonly cells: Cells;
  readonly rules: RowRules;
  readonly problems: Problem[];
  /** True once an error was reported: the line becomes no row. */
  failed: boolean;
}

/** The line's own cell, else the batch's. */
export function cellOf(line: Line, field: Field): Cell | undefined {
  return line.cells[field] ?? line.rules.defaults[field];
}

export function report(line: Line, field: Field | null, found: Finding): void {
  if (found.severity === 'error') line.failed = true;
  const cell = field === null ? undefined : cellOf(line, field);
  line.problems.push(problemAt(line.number, field, cell === undefined ? null : shownText(cell), found));
}

/** True when a column has a problem already, so that a missing value needs no second one. */
export function told(line: Line, field: Field): boolean {
  return line.problems.some((one) => one.column === field);
}

/** Reports what was found on the way, and hands on the value. */
export function taken<T>(line: Line, field: Field, reading: Reading<T>): T | undefined {
  for (const found of reading.findings) report(line, field, found);
  return reading.value;
}

const outerSpace = /^\s|\s$/;

/**
 * A cell as text without outer spaces and zero-width characters, which are harmless to drop and shown as repairs; `quiet` where
 * the text is only compared with known words. Undefined where there is nothing, or nothing that can be used.
 */
export function textOf(line: Line, field: Field, quiet = false): string | undefined {
  const cell = cellOf(line, field);
  if (cell === undefined) return undefined;
  const raw = typeof cell === 'string' ? cell : typedText(line, field, cell);
  if (raw === undefined || !(outerSpace.test(raw) || hasZeroWidth(raw))) return raw === '' ? undefined : raw;
  return tidied(line, field, raw, quiet);
}

function tidied(line: Line, field: Field, raw: string, quiet: boolean): string | undefined {
  const visible = withoutZeroWidth(raw);
  const text = visible.trim();
  if (text === '') return undefined;
  if (!quiet && visible !== raw) {
    const message = `${field} has invisible characters; it is read as ${quoted(text)}`;
    report(line, field, finding('INVISIBLE_DROPPED', 'repair', message, text));
  }
  if (!quiet && text !== visible) {
    const message = `${field} has outer spaces; it is read as ${quoted(text)}`;
    report(line, field, finding('OUTER_SPACES_DROPPED', 'repair', message, text));
  }
  return text;
}

/** The text of a cell that a workbook stores in another way than as text. */
export function typedText(line: Line, field: Field, cell: TypedCell): string | undefined {
  const wrong = unusable(field, cell);
  if (wrong !== null) {
    report(line, field, wrong);
    return undefined;
  }
  const note = calculated(field, cell);
  if (note !== null) report(line, field, note);
  return cell.kind === 'text' ? cell.text : digitsOf(line, field, cell);
}

/** A number cell in a text column: only a whole number of at most 15 digits is certainly what was typed. */
function digitsOf(line: Line, field: Field, cell: TypedCell): string | undefined {
  const digits = wholeDigits(cell);
  if (digits !== undefined) {
    if (!showsMore(cell)) return digits;
    const message = `${field} shows ${quoted(cell.shown)} by its number format, and holds the number ${quoted(cell.text)}; type what is meant in a text cell`;
    report(line, field, finding('CELL_NUMBER', 'error', message));
    return undefined;
  }
  const message = `${field} holds the number ${quoted(cell.text)}, which may not be what was typed; type it again in a text cell`;
  report(line, field, finding('CELL_NUMBER', 'error', message));
  return undefined;
}

/** `INV 0042` for 42: a person sees another text than the cell has. */
function showsMore({ text, shown }: TypedCell): boolean {
  return shown !== text && (/\p{L}/u.test(shown) || shown.replace(/\D/g, '').replace(leadingZeros, '') !== text);
}

const fifteenDigits = /^\d{1,15}$/;
const leadingZeros = /^0+(?=\d)/;

/** The digits of a whole number cell, with the leading zeros that its format shows; undefined where digits are lost. */
export function wholeDigits(cell: TypedCell): string | undefined {
  if (!fifteenDigits.test(cell.text)) return undefined;
  return fifteenDigits.test(cell.shown) && cell.shown.replace(leadingZeros, '') === cell.text ? cell.shown : cell.text;
}
