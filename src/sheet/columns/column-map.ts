/** A map: what a person says of a sheet whose headers no alias fits. Plain data, since it is kept with its batch and handed on. */
import type { Field } from '../../domain/rows/cell.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import { quoted } from '../../domain/rows/problem-codes.ts';
import { fold } from '../../domain/rows/text.ts';

/** What a column is read as: one of our columns, half of a name, or nothing. */
export type ColumnUse = Field | 'first_name' | 'last_name' | null;

export type PerField<T> = { readonly [F in Field]?: T };

/** Sentences by header or word. */
type Sentences = Readonly<Record<string, string>>;

export interface SheetMap {
  /** As `--map` takes it: a shipped map's name, or the file's path. */
  readonly name: string;
  /** Header to column; a list for a header that stands there several times, from left to right. */
  readonly columns: Readonly<Record<string, ColumnUse | readonly ColumnUse[]>>;
  /** What holds for every row of a sheet that has no such column. */
  readonly values: PerField<string>;
  /** Words of the sheet, and what each means in that column. */
  readonly words: PerField<Sentences>;
  /** How the sheet writes numbers, as `--number-format` says it. */
  readonly numberFormat: '1,234.56' | '1.234,56' | null;
  /** What only the maps that come with Payrun have: another product's files are known better than one sheet. */
  readonly shipped?: {
    /** Headers that such a file may lack. */
    readonly optional: readonly string[];
    /** What such a file does not say of its payouts, and how a person adds it. */
    readonly lacks: PerField<string>;
    /** Columns and words with which such a file cannot be paid here, and why. */
    readonly refusedHeaders: Sentences;
    readonly refusedWords: PerField<Sentences>;
  };
}

/** Says nothing: for a sheet that says everything itself, of a batch that was read with a map before. */
export const noMap: SheetMap = { name: 'none', columns: {}, values: {}, words: {}, numberFormat: null };

/** The form in which headers are compared; `#` has neither letter nor digit, and is a header all the same. */
export function headerKey(header: string): string {
  return fold(header) || header.trim();
}

/** One column of a map, once for each time that its header stands in the sheet. */
export interface MappedColumn {
  readonly header: string;
  readonly uses: readonly ColumnUse[];
  readonly optional: boolean;
}

/** Returns what the cell means in that column by the map: its word, or the value for rows that say nothing, or the text itself. */
export function meantBy({ words, values }: SheetMap, field: Field, text: string): string {
  if (text.trim() === '') return values[field] ?? text;
  const list = words[field] ?? {};
  const word = Object.keys(list).find((one) => headerKey(one) === headerKey(text));
  return (word === undefined ? undefined : list[word]) ?? text;
}

/** By the form in which headers are compared. A Map: a header may be called `constructor`. */
export function mappedColumns(map: SheetMap | undefined): ReadonlyMap<string, MappedColumn> {
  const optional = new Set(map?.shipped?.optional.map(headerKey));
  return new Map(
    Object.entries(map?.columns ?? {}).map(([header, use]) => {
      const key = headerKey(header);
      return [key, { header, uses: isList(use) ? use : [use], optional: optional.has(key) }];
    }),
  );
}

/** Whether the person has said of a column what it is, or that it is nothing. */
export function isMapped(map: SheetMap | undefined, header: string): boolean {
  return mappedColumns(map).has(headerKey(header));
}

function isList(use: ColumnUse | readonly ColumnUse[]): use is readonly ColumnUse[] {
  return Array.isArray(use);
}

/** The rules of a batch with what this sheet says of all its rows: its map, and a header like `Amount (ZAR)`. */
export function rulesOfSheet<R extends Pick<RowRules, 'defaults' | 'numberFormat'>>(
  rules: R,
  {
    amountCurrency,
    header,
    columns,
  }: {
    readonly amountCurrency: string | null;
    readonly header: readonly string[];
    readonly columns: readonly (Field | null)[];
  },
  map: SheetMap | undefined,
): R {
  if (amountCurrency === null && map === undefined) return rules;
  const numberFormat = rules.numberFormat ?? map?.numberFormat ?? null;
  const defaults = { ...rules.defaults, ...map?.values };
  if (amountCurrency === null) return { ...rules, numberFormat, defaults };
  const currencyHeader = (header[columns.indexOf('amount')] ?? '').trim();
  return { ...rules, numberFormat, defaults: { ...defaults, currency: amountCurrency }, currencyHeader };
}

/** How a sheet was read by its map, in one sentence: what a person would want to have been told if the map was wrong. */
export function mapNote(map: SheetMap, header: readonly string[], columns: readonly (Field | null)[]): string {
  const mapped = mappedColumns(map);
  const read = header.flatMap((text, index) => {
    const field = columns[index] ?? null;
    return field === null || !mapped.has(headerKey(text)) ? [] : [`${quoted(text.trim())} as ${field}`];
  });
  const fixed = Object.entries(map.values).map(([field, value]) => `${field} ${value}`);
  const parts = [
    ...(read.length === 0 ? [] : [`reads ${read.join(', ')}`]),
    ...(fixed.length === 0 ? [] : [`says of every row: ${fixed.join(', ')}`]),
  ];
  return `The map ${map.name} ${parts.length === 0 ? 'says nothing of this sheet' : parts.join('; ')}`;
}
