/** The content of a cell, and the known columns: the border between reading a file and the rules. */
import { type Finding, finding, quoted } from './problem-codes.ts';
import { isWordForNothing, readReference } from './text.ts';

/**
 * Text cells, and every CSV cell, are plain strings. Anything that a workbook stores in another way keeps its kind, since
 * a number in an account column has lost its zeros and a date in a reference column is no longer what was typed.
 */
export type Cell = string | TypedCell;

export interface TypedCell {
  /** `text` only for calculated text; `uncached` is a formula whose result the file does not hold. */
  readonly kind: 'number' | 'text' | 'date' | 'boolean' | 'error' | 'uncached';
  /** The stored text. A number is in plain digits and was never a floating-point one: `50000`, `49999.99999999999`, `TRUE`, `#REF!`. */
  readonly text: string;
  /** The text that the spreadsheet shows, as far as the format tells: `2026-03-12` for a date, `00123` for 123 under `00000`. */
  readonly shown: string;
  /** True where the cell is calculated. */
  readonly formula: boolean;
}

/** The known columns, in the order of templates and docs. */
export const fields = [
  'row_id',
  'payee_id',
  'name',
  'country',
  'bank_name',
  'bank_code',
  'branch_code',
  'account_number',
  'network_provider',
  'contact_number',
  'lnurl',
  'merchant_id',
  'amount',
  'amount_unit',
  'currency',
  'reference',
  'from_country',
  'collection_method',
  'type',
  'slow',
  'tag',
  'documents',
] as const;

export type Field = (typeof fields)[number];

/** One line's known cells; an absent or empty cell is an absent key. */
export type Cells = { readonly [F in Field]?: Cell };

/** Returns the text that a person sees in the cell. */
export function shownText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.shown;
}

/** True where nobody knows what the cell says: a formula without a current result, or an error. */
export function isUnknown(cell: Cell): boolean {
  return typeof cell !== 'string' && (cell.kind === 'uncached' || cell.kind === 'error');
}

/** Returns the finding for a cell without text or number; null for a readable one. */
export function unusable(column: Field, cell: TypedCell): Finding | null {
  switch (cell.kind) {
    case 'number':
    case 'text':
      return null;
    case 'error':
      return errorFinding(column, cell.shown);
    case 'uncached':
      return cell.text === ''
        ? finding(
            'FORMULA_UNCACHED',
            'error',
            `${column} is calculated and the file holds no result; ${calculateAgain}`,
          )
        : finding(
            'FORMULA_STALE',
            'error',
            `${column} is calculated, and the workbook says that its stored result ${quoted(cell.shown)} is not current; ${calculateAgain}`,
          );
    case 'boolean':
      return finding('CELL_BOOLEAN', 'error', `${column} holds ${cell.text}, not text; type it again as text`);
    case 'date':
      return dateFinding(column, cell.shown);
  }
}

/** Tells a person how to bring a stale or missing result up to date. */
export const calculateAgain = 'open it in the spreadsheet program and save it, or paste the values';

/** `#REF!`; a word for nothing; or what a faulty program stored as a number, such as `1500,00`. */
function errorFinding(column: Field, shown: string): Finding {
  if (/^(?:#|err:)/i.test(shown))
    return finding('CELL_ERROR', 'error', `${column} shows the error ${quoted(shown)}; correct the formula`);
  if (isWordForNothing(shown)) {
    const meant = column === 'name' ? ' (a correction lets a payee of this name through)' : '';
    const message = `${column} says ${quoted(shown)}, which is written where there is nothing; write what is meant${meant}`;
    return finding('CELL_NOTHING', 'error', message);
  }
  const message = `${column} is stored as the number ${quoted(shown)}, which is no form of a number in a workbook; the program that wrote the file is at fault: save it again in Excel or LibreOffice, or type the value again`;
  return finding('CELL_MALFORMED', 'error', message);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Columns in which nobody types `12-3` or `MAR 26`: a date there is a number with the wrong format, or a slip. */
const numberWords: { readonly [F in Field]?: string } = {
  account_number: 'an account number',
  bank_code: 'a code',
  branch_code: 'a code',
  contact_number: 'a phone number',
  amount: 'a whole number',
};

/** A date in a column that holds none: in one of text the spreadsheet made it of something like `12-3` or `MAR 26`. */
function dateFinding(column: Field, shown: string): Finding {
  // A time beside it, or a day long ago, was calculated or typed as a date: then nothing tells what the text was.
  const parts = column in numberWords ? null : /^(?:19[3-9]\d|20\d\d)-(\d\d)-(\d\d)$/.exec(shown);
  const message = `${column} holds the date ${quoted(shown)}; ${numberWords[column] ?? 'text'} was expected`;
  if (parts === null) return finding('CELL_DATE', 'error', `${message}; type it again in a text cell`);
  const [, month, day] = parts;
  const year = shown.slice(2, 4);
  const name = months[Number(month) - 1] ?? month;
  const likely = day === '01' ? `${name} ${year}` : `${Number(day)}-${Number(month)}`;
  const probably = `${message}; ${quoted(likely)} was probably typed`;
  const again = 'type it again in a text cell';
  const isTaken = takes[column]?.(likely);
  if (isTaken === true) return finding('CELL_DATE', 'error', `${probably}; ${again}`, likely);
  // The payee sees this text, so nothing is guessed, and no refused text is suggested.
  return finding(
    'CELL_DATE',
    'error',
    column === 'reference'
      ? `${probably}, and a reference has 1 to 20 letters, digits and spaces alone; ${again}, without other characters`
      : `${message}; ${again}`,
  );
}

const takesAny = () => true;
/** Columns that may say such a thing: what is suggested passes the check of what is written. */
const takes: { readonly [F in Field]?: (text: string) => boolean } = {
  row_id: takesAny,
  payee_id: takesAny,
  tag: takesAny,
  reference: (text) => readReference(text).value !== undefined,
};

/** The warning that a used cell is calculated; null where it is not. */
export function calculated(column: Field, cell: TypedCell): Finding | null {
  if (!cell.formula) return null;
  return finding(
    'FORMULA_CELL',
    'warning',
    `${column} is calculated; its stored result ${quoted(cell.shown)} is taken; check that it is current`,
  );
}
