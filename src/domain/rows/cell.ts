/** The cells of a line, and the columns that Payrun reads. */
import { wordsIn } from '../../base/words.ts';
import { type Finding, finding } from './finding.ts';
import { readReference } from './name-and-reference.ts';
import { isWordForNothing } from './text.ts';

/** A typed cell is a cell of a workbook. Its type matters, because a number may have lost leading zeros. */
export type Cell = string | TypedCell;

export interface TypedCell {
  /** `text`: a formula's text, or hidden or struck-out text. Other text is a string. `uncached`: no formula result. */
  readonly kind: 'number' | 'text' | 'date' | 'boolean' | 'error' | 'uncached';
  /** A number in plain digits, never rounded: `49999.99999999999`. For other kinds, text such as `TRUE` or `#REF!`. */
  readonly text: string;
  /** The text that the cell shows, such as `00123` for 123, if Payrun knows the number format. Dates: `2026-03-12`. */
  readonly shown: string;
  readonly formula: boolean;
}

/** The columns in the order of templates and docs. */
export const fields = wordsIn(
  'row_id payee_id name country bank_name bank_code branch_code account_number network_provider contact_number lnurl',
  'merchant_id amount amount_unit currency reference from_country collection_method type slow tag documents',
);

export type Field = (typeof fields)[number];

/** The cells of a line by field. An empty cell has no key. */
export type Cells = { readonly [F in Field]?: Cell };

export const shownText = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.shown);

export const isUnknown = (cell: Cell): boolean =>
  typeof cell !== 'string' && (cell.kind === 'uncached' || cell.kind === 'error');

export function unusable(column: Field, cell: TypedCell): Finding | null {
  switch (cell.kind) {
    case 'number':
    case 'text':
      return null;
    case 'error':
      return errorFinding(column, cell.shown);
    case 'uncached':
      return cell.text === ''
        ? finding('FORMULA_UNCACHED', 'error', { field: column })
        : finding('FORMULA_STALE', 'error', { field: column, shown: cell.shown });
    case 'boolean':
      return finding('CELL_BOOLEAN', 'error', { field: column, text: cell.text });
    case 'date':
      return dateFinding(column, cell.shown);
  }
}

function errorFinding(field: Field, shown: string): Finding {
  const isError = /^(?:#|err:)/i.test(shown);
  const code = isError ? 'CELL_ERROR' : isWordForNothing(shown) ? 'CELL_NOTHING' : 'CELL_MALFORMED';
  return finding(code, 'error', { field, shown });
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Columns whose correct values never look like dates, so Payrun suggests no text for a date. */
const numberFields: readonly Field[] = ['account_number', 'bank_code', 'branch_code', 'contact_number', 'amount'];

/** Refuses a date, but shows the likely text, because spreadsheets turn `12-3` and `MAR 26` into dates. */
function dateFinding(field: Field, shown: string): Finding {
  const likely = numberFields.includes(field) ? null : textOfDate(shown);
  const takes = (text: string) =>
    field === 'reference' ? readReference(text).value !== undefined : freeFields.includes(field);
  const suggestion = likely !== null && takes(likely) ? likely : null;
  // A reference may not contain a hyphen, but the message still shows a likely text such as `12-3`.
  const typed = field === 'reference' ? likely : suggestion;
  return finding('CELL_DATE', 'error', { field, shown, likely: typed, suggestion });
}

/** Guesses the text that a person typed. Returns null for a date before 1930 or with a time: such a date is real. */
function textOfDate(shown: string): string | null {
  const [, month, day] = /^(?:19[3-9]\d|20\d\d)-(\d\d)-(\d\d)$/.exec(shown) ?? [];
  if (month === undefined) return null;
  const name = months[Number(month) - 1] ?? month;
  return day === '01' ? `${name} ${shown.slice(2, 4)}` : `${Number(day)}-${Number(month)}`;
}

/** Columns that accept any text, so that a person may type `12-3`. */
const freeFields: readonly Field[] = ['row_id', 'payee_id', 'tag'];

export function calculated(column: Field, cell: TypedCell): Finding | null {
  if (!cell.formula) return null;
  return finding('FORMULA_CELL', 'warning', { field: column, shown: cell.shown });
}
