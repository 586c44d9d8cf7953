/** A map says how to read a sheet whose headers fit no alias. It is plain data, which the ledger stores. */
import type { Field } from '../../domain/rows/cell.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import { quoted } from '../../domain/rows/problem-codes.ts';
import { fold } from '../../domain/rows/text.ts';

/** One of our columns, half of a name, or null for a column that is not read. */
export type ColumnUse = Field | 'first_name' | 'last_name' | null;

export type PerField<T> = { readonly [F in Field]?: T };

type Sentences = Readonly<Record<string, string>>;

export interface SheetMap {
  /** The value of `--map`: the name of a shipped map, or the path of a file. */
  readonly name: string;
  /** Header to column; a list, from left to right, for a header that occurs several times. */
  readonly columns: Readonly<Record<string, ColumnUse | readonly ColumnUse[]>>;
  /** The value of a column for every row of a sheet that lacks it. */
  readonly values: PerField<string>;
  /** Words of the sheet, and their meaning in that column. */
  readonly words: PerField<Sentences>;
  readonly numberFormat: '1,234.56' | '1.234,56' | null;
  /** Only maps that come with Payrun have it: a product's file format is known better than a single sheet. */
  readonly shipped?: {
    readonly optional: readonly string[];
    /** Columns that such a file lacks, and how a person adds each of them. */
    readonly lacks: PerField<string>;
    /** Columns and words with which Payrun cannot pay such a file, and the reason. */
    readonly refusedHeaders: Sentences;
    readonly refusedWords: PerField<Sentences>;
  };
}

/** The empty map: `--map none` reads a sheet without the map that an earlier run stored with its batch. */
export const noMap: SheetMap = { name: 'none', columns: {}, values: {}, words: {}, numberFormat: null };

/** Returns the form in which headers are compared. `#` has no letter or digit, and is a header. */
export function headerKey(header: string): string {
  return fold(header) || header.trim();
}

/** One header of a map, with one use for each time that it stands in the sheet. */
export interface MappedColumn {
  readonly header: string;
  readonly uses: readonly ColumnUse[];
  readonly optional: boolean;
}

/** Returns the meaning of a cell by the map: its word's, the column's value if it is empty, or the text itself. */
export function meantBy({ words, values }: SheetMap, field: Field, text: string): string {
  if (text.trim() === '') return values[field] ?? text;
  const list = words[field] ?? {};
  const word = Object.keys(list).find((one) => headerKey(one) === headerKey(text));
  return (word === undefined ? undefined : list[word]) ?? text;
}

/** Returns the columns of a map by their compared form. It is a Map because a header may be called `constructor`. */
export function mappedColumns(map: SheetMap | undefined): ReadonlyMap<string, MappedColumn> {
  const optional = new Set(map?.shipped?.optional.map(headerKey));
  return new Map(
    Object.entries(map?.columns ?? {}).map(([header, use]) => {
      const key = headerKey(header);
      return [key, { header, uses: isList(use) ? use : [use], optional: optional.has(key) }];
    }),
  );
}

/** True when the map names the header, even to say that its column is not read. */
export function isMapped(map: SheetMap | undefined, header: string): boolean {
  return mappedColumns(map).has(headerKey(header));
}

function isList(use: ColumnUse | readonly ColumnUse[]): use is readonly ColumnUse[] {
  return Array.isArray(use);
}

/** Returns the rules of a batch with the facts that the sheet adds: its map, and a header like `Amount (ZAR)`. */
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

/** Returns one sentence on how the map read the sheet, so that a person notices a wrong map. */
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
