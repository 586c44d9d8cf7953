/** Reads the cells of one line, and collects the line's problems. */
import type { Problem } from '../../base/problem.ts';
import type { AccountChecks } from '../accounts/account-number.ts';
import type { BankDirectory } from '../accounts/bank.ts';
import type { NumberFormat } from '../amounts/money.ts';
import { type Cell, type Cells, calculated, type Field, shownText, type TypedCell, unusable } from './cell.ts';
import { type Finding, finding, problemAt, type Reading } from './finding.ts';
import type { Letters } from './name-and-reference.ts';
import { hasZeroWidth, withoutZeroWidth } from './text.ts';

export type DocumentsPolicy = 'require' | 'warn' | 'off';

export interface RowRules {
  /** The banks that the service lists, or our own table for a country without such a list. */
  readonly banks: BankDirectory;
  readonly numberFormat: NumberFormat | null;
  readonly accountChecks: AccountChecks;
  /** Says if a payment above 50,000 ZAR without documents is an error, a warning, or neither. */
  readonly documents: DocumentsPolicy;
  /** True if the name of a file in the documents folder fits the row id. */
  readonly filed?: (rowId: string) => boolean;
  /** The unit of BTC rows without amount_unit. If null, Payrun refuses these rows: the interface defines no unit. */
  readonly btcUnit: 'sat' | null;
  readonly networkProvider: string;
  readonly paymentTypes?: readonly string[];
  readonly letters?: Letters;
  /** Cells for the whole batch. They replace a line's empty cells. */
  readonly defaults: Cells;
  readonly currencyHeader?: string;
}

export interface RowCheck {
  readonly number: number;
  readonly cells: Cells;
  readonly rules: RowRules;
  readonly problems: Problem[];
  failed: boolean;
}

export const cellOf = (line: RowCheck, field: Field): Cell | undefined =>
  line.cells[field] ?? line.rules.defaults[field];

/** Returns undefined, so that the reader of a faulty cell can end with its report. */
export function report(line: RowCheck, field: Field | null, found: Finding): undefined {
  if (found.severity === 'error') line.failed = true;
  const cell = field === null ? undefined : cellOf(line, field);
  line.problems.push(problemAt(line.number, field, cell === undefined ? null : shownText(cell), found));
}

/** True if this line already has a problem in the column. A missing value then needs no second problem. */
export const hasProblem = (line: RowCheck, field: Field): boolean => line.problems.some((one) => one.column === field);

export function valueFrom<T>(line: RowCheck, field: Field, reading: Reading<T>): T | undefined {
  for (const found of reading.findings) report(line, field, found);
  return reading.value;
}

const outerSpace = /^\s|\s$/;

/** Removes outer spaces and zero-width characters. Reports the removal as a repair unless `quiet`. */
export function textOf(line: RowCheck, field: Field, quiet = false): string | undefined {
  const cell = cellOf(line, field);
  if (cell === undefined) return undefined;
  const raw = typeof cell === 'string' ? cell : typedText(line, field, cell);
  if (raw === undefined || !(outerSpace.test(raw) || hasZeroWidth(raw))) return raw === '' ? undefined : raw;
  return tidied(line, field, raw, quiet);
}

function tidied(line: RowCheck, field: Field, raw: string, quiet: boolean): string | undefined {
  const visible = withoutZeroWidth(raw);
  const text = visible.trim();
  if (text === '') return undefined;
  if (quiet) return text;
  if (visible !== raw) report(line, field, finding('INVISIBLE_DROPPED', 'repair', { field, suggestion: text }));
  if (text !== visible) report(line, field, finding('OUTER_SPACES_DROPPED', 'repair', { field, suggestion: text }));
  return text;
}

export function typedText(line: RowCheck, field: Field, cell: TypedCell): string | undefined {
  const wrong = unusable(field, cell);
  if (wrong !== null) return report(line, field, wrong);
  const note = calculated(field, cell);
  if (note !== null) report(line, field, note);
  return cell.kind === 'text' ? cell.text : digitsOf(line, field, cell);
}

/** Refuses a fraction, more than 15 digits (spreadsheets keep 15), and a number that the cell shows differently. */
function digitsOf(line: RowCheck, field: Field, cell: TypedCell): string | undefined {
  const digits = wholeDigits(cell);
  if (digits !== undefined && !showsMore(cell)) return digits;
  const { text, shown } = cell;
  const why = digits === undefined ? ({ why: 'inexact' } as const) : ({ why: 'format', shown } as const);
  return report(line, field, finding('CELL_NUMBER', 'error', { field, text, ...why }));
}

const showsMore = ({ text, shown }: TypedCell): boolean =>
  shown !== text && (/\p{L}/u.test(shown) || shown.replace(/\D/g, '').replace(leadingZeros, '') !== text);

const fifteenDigits = /^\d{1,15}$/;
const leadingZeros = /^0+(?=\d)/;

/** Keeps the leading zeros that the cell shows. Returns undefined for a fraction, or for more than 15 digits. */
export function wholeDigits(cell: TypedCell): string | undefined {
  if (!fifteenDigits.test(cell.text)) return undefined;
  return fifteenDigits.test(cell.shown) && cell.shown.replace(leadingZeros, '') === cell.text ? cell.shown : cell.text;
}
