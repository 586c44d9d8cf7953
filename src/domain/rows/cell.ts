/** The cells of a line, and the columns that Payrun reads. */
import { quoted } from '../../base/words.ts';
import { type Finding, finding } from './finding.ts';
import { isWordForNothing, readReference } from './text.ts';

/** All CSV cells are strings. Other cells of a workbook keep their kind: a number may have lost leading zeros. */
export type Cell = string | TypedCell;

export interface TypedCell {
  /** `text` is calculated text. `uncached` is a formula whose current result is not in the file. */
  readonly kind: 'number' | 'text' | 'date' | 'boolean' | 'error' | 'uncached';
  /** A number is in plain digits and was never rounded: `49999.99999999999`. Others look like `TRUE` or `#REF!`. */
  readonly text: string;
  /** The text that the spreadsheet shows, if its number format is known: `2026-03-12` for a date, or `00123` for 123. */
  readonly shown: string;
  readonly formula: boolean;
}

/** The columns in the order of templates and docs. */
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

/** An empty cell has no key. */
export type Cells = { readonly [F in Field]?: Cell };

export function shownText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.shown;
}

export function isUnknown(cell: Cell): boolean {
  return typeof cell !== 'string' && (cell.kind === 'uncached' || cell.kind === 'error');
}

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

export const calculateAgain = 'open it in the spreadsheet program and save it, or paste the values';

/** Returns the finding for an error such as `#REF!`, a word such as `N/A`, or a malformed number such as `1500,00`. */
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

/** Columns whose values never look like dates. A date there is a number with a wrong format, or a typing mistake. */
const numberWords: { readonly [F in Field]?: string } = {
  account_number: 'an account number',
  bank_code: 'a code',
  branch_code: 'a code',
  contact_number: 'a phone number',
  amount: 'a whole number',
};

/** Spreadsheets turn texts such as `12-3` or `MAR 26` into dates. */
function dateFinding(column: Field, shown: string): Finding {
  // A date with a time of day, or before 1930, was calculated or typed as a date. The original text is unknown.
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
  // No suggestion here: the payee sees the text, and a guess could be wrong or refused.
  return finding(
    'CELL_DATE',
    'error',
    column === 'reference'
      ? `${probably}, and a reference has 1 to 20 letters, digits and spaces alone; ${again}, without other characters`
      : `${message}; ${again}`,
  );
}

const takesAny = () => true;
/** Columns that may hold a text such as `12-3`. A suggestion must pass the column's own check. */
const takes: { readonly [F in Field]?: (text: string) => boolean } = {
  row_id: takesAny,
  payee_id: takesAny,
  tag: takesAny,
  reference: (text) => readReference(text).value !== undefined,
};

export function calculated(column: Field, cell: TypedCell): Finding | null {
  if (!cell.formula) return null;
  return finding(
    'FORMULA_CELL',
    'warning',
    `${column} is calculated; its stored result ${quoted(cell.shown)} is taken; check that it is current`,
  );
}
