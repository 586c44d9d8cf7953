/** What one cell of a sheet holds, and which columns we know: the border between reading a file and the rules. */
import { type Finding, finding, quoted } from './problem-codes.ts';
import { readName, readReference } from './text.ts';

/**
 * Text cells, and every CSV cell, are plain strings. Anything that a workbook stores in another way keeps its kind, since
 * a number in an account column has lost its zeros and a date in a reference column is no longer what was typed.
 */
export type Cell = string | TypedCell;

export interface TypedCell {
  /** `text` only for calculated text; `uncached` is a formula whose result the file does not hold. */
  readonly kind: 'number' | 'text' | 'date' | 'boolean' | 'error' | 'uncached';
  /** As stored, never passed through a floating-point number: `50000`, `49999.99999999999`, `1.23E+8`, `TRUE`, `#REF!`. */
  readonly text: string;
  /** What the spreadsheet shows, as far as the number format tells: `2026-03-12` for a date, `00123` for 123 under `00000`. */
  readonly shown: string;
  /** True where the cell is calculated. */
  readonly formula: boolean;
}

/** The known columns, in the order in which templates and docs show them (design 6). */
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

/** What a person sees in the cell. */
export function shownText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.shown;
}

/** What to say of a cell whose kind leaves nothing to read; null where there is text or a number in it. */
export function unusable(column: Field, cell: TypedCell): Finding | null {
  switch (cell.kind) {
    case 'number':
    case 'text':
      return null;
    case 'error':
      return finding('CELL_ERROR', 'error', `${column} shows the error ${quoted(cell.shown)}; correct the formula`);
    case 'uncached':
      return finding(
        'FORMULA_UNCACHED',
        'error',
        `${column} is calculated and the file holds no result; open it in the spreadsheet program and save it, or paste the values`,
      );
    case 'boolean':
      return finding('CELL_BOOLEAN', 'error', `${column} holds ${cell.text}, not text; type it again as text`);
    case 'date':
      return dateFinding(column, cell.shown);
  }
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
  // What is refused is not suggested, and nobody guesses what stands in its place: the payee is told it.
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
  name: (text) => readName(text).value !== undefined,
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
