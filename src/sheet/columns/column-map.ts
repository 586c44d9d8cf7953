/** A map says how to read a sheet with unknown column names. Maps are plain data, because the ledger stores them. */
import type { NoteOf } from '../../domain/note.ts';
import type { ShippedMapName } from '../../domain/problems/sheet-problems.ts';
import type { Field } from '../../domain/rows/cell.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import { fold } from '../../domain/rows/text.ts';

/** The field that Payrun reads from a column. Null for a column that Payrun ignores. */
export type ColumnUse = Field | 'first_name' | 'last_name' | null;

export type PerField<T> = { readonly [F in Field]?: T };

export interface SheetMap {
  /** The value of `--map`: the name of a shipped map, or the path of a file. */
  readonly name: string;
  /** The use of each header's column. A header that occurs several times has a list of uses, from left to right. */
  readonly columns: Readonly<Record<string, ColumnUse | readonly ColumnUse[]>>;
  /** The value of each field that has no column. The value is the same for all rows. */
  readonly values: PerField<string>;
  /** Words of the sheet with their meaning, such as `Sudafrika` for SouthAfrica. */
  readonly words: PerField<Readonly<Record<string, string>>>;
  readonly numberFormat: '1,234.56' | '1.234,56' | null;
  readonly shipped?: {
    readonly name: ShippedMapName;
    readonly optional: readonly string[];
    /** The fields that the other program does not export, so that a person has to add their columns. */
    readonly lacks: readonly Field[];
    readonly refusedHeaders: readonly string[];
    readonly refusedWords: PerField<readonly string[]>;
  };
}

/** An empty map, which `--map none` selects. It replaces the map that an earlier run stored with the batch. */
export const noMap: SheetMap = { name: 'none', columns: {}, values: {}, words: {}, numberFormat: null };

/** Returns the key for comparing headers. A header without letters and digits, such as `#`, is its own key. */
export const headerKey = (header: string): string => fold(header) || header.trim();

export interface MappedColumn {
  readonly header: string;
  readonly uses: readonly ColumnUse[];
  readonly optional: boolean;
}

export function meantBy({ words, values }: SheetMap, field: Field, text: string): string {
  if (text.trim() === '') return values[field] ?? text;
  const list = words[field] ?? {};
  const word = Object.keys(list).find((one) => headerKey(one) === headerKey(text));
  return (word === undefined ? undefined : list[word]) ?? text;
}

/** Returns the columns of a sheet map by header key. A plain object would fail for a header called `constructor`. */
export function mappedColumns(map: SheetMap | undefined): ReadonlyMap<string, MappedColumn> {
  const optional = new Set(map?.shipped?.optional.map(headerKey));
  return new Map(
    Object.entries(map?.columns ?? {}).map(([header, use]) => {
      const key = headerKey(header);
      return [key, { header, uses: isList(use) ? use : [use], optional: optional.has(key) }];
    }),
  );
}

export const isMapped = (map: SheetMap | undefined, header: string): boolean =>
  mappedColumns(map).has(headerKey(header));

const isList = (use: ColumnUse | readonly ColumnUse[]): use is readonly ColumnUse[] => Array.isArray(use);

export function rulesOfSheet<R extends Pick<RowRules, 'defaults' | 'numberFormat'>>(
  rules: R,
  sheet: {
    readonly amountCurrency: string | null;
    readonly header: readonly string[];
    readonly columns: readonly (Field | null)[];
  },
  map: SheetMap | undefined,
): R {
  const { amountCurrency, header, columns } = sheet;
  if (amountCurrency === null && map === undefined) return rules;
  const numberFormat = rules.numberFormat ?? map?.numberFormat ?? null;
  const defaults = { ...rules.defaults, ...map?.values };
  if (amountCurrency === null) return { ...rules, numberFormat, defaults };
  const currencyHeader = (header[columns.indexOf('amount')] ?? '').trim();
  return { ...rules, numberFormat, defaults: { ...defaults, currency: amountCurrency }, currencyHeader };
}

export function mapNote(
  map: SheetMap,
  header: readonly string[],
  fields: readonly (Field | null)[],
): NoteOf<'map-read'> {
  const mapped = mappedColumns(map);
  const columns = header.flatMap((text, index) => {
    const field = fields[index] ?? null;
    return field === null || !mapped.has(headerKey(text)) ? [] : [{ header: text.trim(), field }];
  });
  const values = Object.entries(map.values).map(([field, value]) => ({ field, value: String(value) }));
  return { note: 'map-read', map: map.name, columns, values };
}
