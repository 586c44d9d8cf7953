/** What one cell of a sheet holds, and which columns we know: the border between reading a file and the rules. */

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
