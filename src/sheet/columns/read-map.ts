/** Reads a map file, and reports all faults in it at once, each with its place. */
import { fileFault, PayrunError } from '../../base/errors.ts';
import type { FileFault, MapFault, MapPlace } from '../../base/faults/fault.ts';
import { isObject, repeatedKeys } from '../../base/json.ts';
import { readSmallFile } from '../../base/small-file.ts';
import { wordsIn } from '../../base/words.ts';
import { payoutCountries, payoutCountryOf, sourceCountries, sourceCountryOf } from '../../domain/accounts/country.ts';
import { numberFormats } from '../../domain/amounts/money.ts';
import { type Field, fields } from '../../domain/rows/cell.ts';
import { editDistance } from '../../domain/rows/text.ts';
import { type ColumnUse, headerKey, noMap, type SheetMap } from './column-map.ts';
import { knownField } from './header.ts';
import { shippedMap, shippedMaps } from './shipped-maps.ts';

const maxMapBytes = 256 * 1024;

/** Fields for which a map can give one value for all rows. Payee, account number and amount differ from row to row. */
export const fixedFields = wordsIn(
  'country bank_name bank_code network_provider amount_unit currency reference from_country collection_method type slow',
) satisfies readonly Field[];

export const wordFields = fixedFields.filter((field) => field !== 'reference');

const parts = ['columns', 'values', 'words', 'number_format'] as const;

export function mapNamed(given: string, path: string): SheetMap {
  if (given === noMap.name) return noMap;
  const shipped = shippedMap(given);
  if (shipped !== undefined) {
    const { seen: _, ...map } = shipped;
    return map;
  }
  return parseMap(path, textOf(given, path));
}

function textOf(given: string, path: string): string {
  try {
    return readSmallFile(path, maxMapBytes);
  } catch (error) {
    const why = fileFault(error);
    const maps = shippedMaps.map(({ name }) => name);
    const near = maps.find((name) => editDistance(name, given.toLowerCase()) <= 2) ?? null;
    const fault = why.fault === 'no-file' ? ({ fault: 'map-is-missing', maps, near } as const) : why;
    throw new PayrunError('MAP_UNUSABLE', { map: given, why: [fault] });
  }
}

export function parseMap(name: string, text: string): SheetMap {
  const faults: Faults = [];
  const refuse = (...more: Faults): never => {
    throw new PayrunError('MAP_UNUSABLE', { map: name, why: [...faults, ...more] });
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refuse({ fault: 'not-json', detail: (error as Error).message });
  }
  if (!isObject(json)) return refuse({ fault: 'map-is-no-object', place: null });
  for (const key of repeatedKeys(text, json)) faults.push({ fault: 'map-key-is-twice', key });
  for (const key of Object.keys(json))
    if (!parts.some((part) => part === key)) faults.push(unknownWord(null, key, parts));
  const map: SheetMap = {
    name,
    columns: readColumns(json.columns, faults),
    values: readValues(json.values, faults),
    words: readWords(json.words, faults),
    numberFormat: readNumberFormat(json.number_format, faults),
  };
  for (const [field, value] of Object.entries(map.values)) {
    const header = Object.keys(map.columns).find((one) => [map.columns[one]].flat().includes(field as Field));
    if (header !== undefined) faults.push({ fault: 'map-field-is-twice', field, header, value });
  }
  if (Object.keys(map.columns).length + Object.keys(map.values).length === 0 && faults.length === 0)
    faults.push({ fault: 'map-is-empty' });
  return faults.length === 0 ? map : refuse();
}

type Faults = (FileFault | MapFault)[];

const uses = [...fields, 'first_name', 'last_name'] as const;

function readColumns(given: unknown, faults: Faults): SheetMap['columns'] {
  const columns: [string, ColumnUse | readonly ColumnUse[]][] = [];
  const headers = new Map<string, string>();
  const taken = new Map<ColumnUse, string>();
  for (const [header, use] of entriesOf(given, { part: 'columns' }, faults)) {
    const place = { part: 'columns', entry: header } as const;
    const key = headerKey(header);
    const same = headers.get(key);
    const list = Array.isArray(use) ? use : [use];
    if (key === '' || list.length === 0) faults.push({ fault: 'map-entry-is-empty', place });
    else if (same !== undefined)
      faults.push({ fault: 'map-word-is-twice', place: { part: 'columns' }, first: same, second: header });
    headers.set(key, header);
    for (const one of list) {
      const known = one === null || uses.some((name) => name === one);
      if (!known) {
        const text = typeof one === 'string' ? one : JSON.stringify(one);
        faults.push({ fault: 'map-use-is-unknown', place, use: text, near: nearOf(text, uses) });
      } else if (one !== null) {
        const other = taken.get(one as ColumnUse);
        if (other !== undefined)
          faults.push({ fault: 'map-use-is-twice', first: other, second: header, use: one as string });
        taken.set(one as ColumnUse, header);
      }
    }
    columns.push([header, (Array.isArray(use) ? list : list[0]) as ColumnUse | readonly ColumnUse[]]);
  }
  for (const half of ['first_name', 'last_name'] as const) {
    const other = half === 'first_name' ? 'last_name' : 'first_name';
    const [name, header] = [taken.get('name'), taken.get(half)];
    if (header === undefined) continue;
    if (name !== undefined) faults.push({ fault: 'map-use-is-twice', first: name, second: header, use: 'name' });
    else if (!taken.has(other)) faults.push({ fault: 'map-half-name', half, other });
  }
  return Object.fromEntries(columns);
}

function readValues(given: unknown, faults: Faults): SheetMap['values'] {
  const values: [Field, string][] = [];
  for (const [field, value] of entriesOf(given, { part: 'values' }, faults)) {
    const known = fixedFields.find((one) => one === field);
    const place = { part: 'values', field } as const;
    if (known === undefined) faults.push(unknownWord({ part: 'values' }, field, fixedFields));
    else if (typeof value !== 'string' || value.trim() === '') faults.push({ fault: 'map-entry-is-empty', place });
    else {
      faults.push(...wrongCountry(place, value));
      values.push([known, value]);
    }
  }
  return Object.fromEntries(values);
}

function readWords(given: unknown, faults: Faults): SheetMap['words'] {
  const words: [Field, Record<string, string>][] = [];
  for (const [field, list] of entriesOf(given, { part: 'words' }, faults)) {
    const known = wordFields.find((one) => one === field);
    if (known === undefined) {
      faults.push(unknownWord({ part: 'words' }, field, wordFields));
      continue;
    }
    const found: [string, string][] = [];
    const keys = new Map<string, string>();
    for (const [word, meaning] of entriesOf(list, { part: 'words', field }, faults)) {
      const same = keys.get(headerKey(word));
      if (same !== undefined)
        faults.push({ fault: 'map-word-is-twice', place: { part: 'words', field }, first: same, second: word });
      keys.set(headerKey(word), word);
      const place = { part: 'words', field, entry: word } as const;
      if (typeof meaning !== 'string' || meaning.trim() === '' || headerKey(word) === '') {
        faults.push({ fault: 'map-entry-is-empty', place });
        continue;
      }
      faults.push(...wrongCountry(place, meaning));
      found.push([word, meaning]);
    }
    words.push([known, Object.fromEntries(found)]);
  }
  return Object.fromEntries(words);
}

/** Reports a wrong country in the map once. Without this check, Payrun would report the country for every row. */
function wrongCountry(place: MapPlace, value: string): MapFault[] {
  if (place.field === 'country' && payoutCountryOf(value) === undefined)
    return [unknownWord(place, value, payoutCountries)];
  if (place.field === 'from_country' && sourceCountryOf(value) === undefined)
    return [unknownWord(place, value, sourceCountries)];
  return [];
}

function readNumberFormat(given: unknown, faults: Faults): SheetMap['numberFormat'] {
  if (given === undefined) return null;
  const known = numberFormats.find((format) => format === given);
  if (known === undefined) faults.push(unknownWord({ part: 'number_format' }, JSON.stringify(given), numberFormats));
  return known ?? null;
}

function entriesOf(given: unknown, place: MapPlace, faults: Faults): [string, unknown][] {
  if (given === undefined) return [];
  if (isObject(given)) return Object.entries(given);
  faults.push({ fault: 'map-is-no-object', place });
  return [];
}

function unknownWord(place: MapPlace | null, word: string, allowed: readonly string[]): MapFault {
  return { fault: 'map-word-is-unknown', place, word, allowed, near: nearOf(word, allowed) };
}

function nearOf(given: string, known: readonly string[]): string | null {
  const plain = given
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const alias = knownField(given) ?? '';
  return known.find((one) => one === alias || editDistance(one, plain) <= (one.length < 5 ? 1 : 2)) ?? null;
}
