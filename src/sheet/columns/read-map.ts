/** Reads a map file, and reports all faults in it at once, each with its place. */
import { fileWords, PayrunError } from '../../base/errors.ts';
import { isObject, repeatedKeys } from '../../base/json.ts';
import { readSmallFile } from '../../base/small-file.ts';
import { payoutCountries, payoutCountryOf, sourceCountries, sourceCountryOf } from '../../domain/accounts/country.ts';
import { numberFormats } from '../../domain/amounts/money.ts';
import { type Field, fields } from '../../domain/rows/cell.ts';
import { editDistance } from '../../domain/rows/text.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { type ColumnUse, headerKey, noMap, type SheetMap } from './column-map.ts';
import { knownField } from './header.ts';
import { shippedMap, shippedMaps } from './shipped-maps.ts';

/** A map of 256 columns needs far less. */
const maxMapBytes = 256 * 1024;

/** Payees, destinations and amounts differ from row to row. */
export const fixedFields = [
  'country',
  'bank_name',
  'bank_code',
  'network_provider',
  'amount_unit',
  'currency',
  'reference',
  'from_country',
  'collection_method',
  'type',
  'slow',
] as const satisfies readonly Field[];

/** A map can translate their few words. */
export const wordFields = fixedFields.filter((field) => field !== 'reference');

const parts = ['columns', 'values', 'words', 'number_format'] as const;

export function mapNamed(given: string, path: string): SheetMap {
  if (given === noMap.name) return noMap;
  const shipped = shippedMap(given);
  if (shipped !== undefined) {
    const { name, columns, values, words, numberFormat, shipped: known } = shipped;
    return { name, columns, values, words, numberFormat, shipped: known };
  }
  return parseMap(path, textOf(given, path));
}

function textOf(given: string, path: string): string {
  try {
    return readSmallFile(path, maxMapBytes);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const names = shippedMaps.map(({ name }) => name);
    const near = names.find((name) => editDistance(name, given.toLowerCase()) <= 2);
    const detail = missing
      ? `${fileWords(error)}, and the maps that come with Payrun are ${names.join(', ')}${near === undefined ? '' : `; perhaps ${near} is meant`}`
      : fileWords(error);
    throw new PayrunError('MAP_UNUSABLE', { map: given, detail });
  }
}

export function parseMap(name: string, text: string): SheetMap {
  const faults: string[] = [];
  const refuse = (): never => {
    const [only, ...others] = faults;
    const detail = others.length === 0 ? `${only}` : `\n  ${faults.join('\n  ')}`;
    throw new PayrunError('MAP_UNUSABLE', { map: name, detail });
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    faults.push(`it is not JSON: ${wordsOf(error).replaceAll(/\s+/g, ' ')}`);
    return refuse();
  }
  if (!isObject(json)) {
    faults.push('it is not an object; a map looks like {"columns": {"Payee": "name"}, "values": {"country": "Kenya"}}');
    return refuse();
  }
  for (const key of repeatedKeys(text, json))
    faults.push(
      `'${key}' stands twice in one list, and only the last would count; for a header that the sheet has twice write "${key}": ["tag", "reference"], from left to right`,
    );
  for (const key of Object.keys(json))
    if (!parts.some((part) => part === key))
      faults.push(`'${key}' is no part of a map; ${parts.join(', ')} are${perhaps(key, parts)}`);
  const map: SheetMap = {
    name,
    columns: readColumns(json.columns, faults),
    values: readValues(json.values, faults),
    words: readWords(json.words, faults),
    numberFormat: readNumberFormat(json.number_format, faults),
  };
  for (const [field, value] of Object.entries(map.values)) {
    const header = Object.keys(map.columns).find((one) => [map.columns[one]].flat().includes(field as Field));
    if (header !== undefined)
      faults.push(`${field} is both the column '${header}' and the value '${value}'; take one of them out`);
  }
  if (Object.keys(map.columns).length + Object.keys(map.values).length === 0 && faults.length === 0)
    faults.push('it names no column and no value');
  return faults.length === 0 ? map : refuse();
}

const uses = [...fields, 'first_name', 'last_name'] as const;

function readColumns(given: unknown, faults: string[]): SheetMap['columns'] {
  const columns: [string, ColumnUse | readonly ColumnUse[]][] = [];
  const headers = new Map<string, string>();
  const taken = new Map<ColumnUse, string>();
  for (const [header, use] of entriesOf(given, 'columns', '{"Payee": "name"}', faults)) {
    const place = `columns, '${header}'`;
    const key = headerKey(header);
    const same = headers.get(key);
    if (key === '') faults.push(`${place}: a header without a name cannot be told from others; name the column`);
    else if (same !== undefined) faults.push(`columns: '${same}' and '${header}' are the same header`);
    headers.set(key, header);
    const list = Array.isArray(use) ? use : [use];
    if (list.length === 0) faults.push(`${place}: the list is empty; write null for a column that is not read`);
    for (const one of list) {
      const known = one === null || uses.some((name) => name === one);
      if (!known) faults.push(`${place}: ${unknownUse(one)}`);
      else if (one !== null) {
        const other = taken.get(one as ColumnUse);
        if (other !== undefined)
          faults.push(
            `columns: '${other}' and '${header}' are both read as ${one}; write null for the one that is not read`,
          );
        taken.set(one as ColumnUse, header);
      }
    }
    columns.push([header, (Array.isArray(use) ? list : list[0]) as ColumnUse | readonly ColumnUse[]]);
  }
  for (const half of ['first_name', 'last_name'] as const) {
    const other = half === 'first_name' ? 'last_name' : 'first_name';
    if (!taken.has(half)) continue;
    if (taken.has('name'))
      faults.push(`columns: '${taken.get('name')}' is read as name already, and '${taken.get(half)}' as ${half}`);
    else if (!taken.has(other))
      faults.push(`columns: ${half} without ${other} is no name; write name, or add ${other}`);
  }
  return Object.fromEntries(columns);
}

function unknownUse(use: unknown): string {
  if (typeof use !== 'string') return `${JSON.stringify(use)} is no column's name; write one, or null`;
  return `'${use}' is no column${perhaps(use, uses)}; docs/reference/columns.md lists them, and null is for a column that is not read`;
}

function readValues(given: unknown, faults: string[]): SheetMap['values'] {
  const values: [Field, string][] = [];
  for (const [field, value] of entriesOf(given, 'values', '{"country": "Kenya"}', faults)) {
    const known = fixedFields.find((one) => one === field);
    if (known === undefined) faults.push(`values: ${notAmong(field, fixedFields, 'each row needs its own')}`);
    else if (typeof value !== 'string') faults.push(`values, ${field}: ${JSON.stringify(value)} is not a text`);
    else if (value.trim() === '') faults.push(`values, ${field} is empty; write it, or take it out`);
    else {
      const wrong = wrongCountry(field, value);
      if (wrong !== null) faults.push(`values, ${field}: ${wrong}`);
      values.push([known, value]);
    }
  }
  return Object.fromEntries(values);
}

function readWords(given: unknown, faults: string[]): SheetMap['words'] {
  const words: [Field, Record<string, string>][] = [];
  for (const [field, list] of entriesOf(given, 'words', '{"country": {"Sudafrika": "SouthAfrica"}}', faults)) {
    const known = wordFields.find((one) => one === field);
    if (known === undefined) {
      faults.push(`words: ${notAmong(field, wordFields, 'its cells are read as they stand')}`);
      continue;
    }
    const found: [string, string][] = [];
    const keys = new Map<string, string>();
    for (const [word, meaning] of entriesOf(list, `words, ${field}`, '{"their word": "ours"}', faults)) {
      const same = keys.get(headerKey(word));
      if (same !== undefined) faults.push(`words, ${field}: '${same}' and '${word}' are the same word`);
      keys.set(headerKey(word), word);
      if (typeof meaning !== 'string' || meaning.trim() === '' || headerKey(word) === '') {
        faults.push(`words, ${field}, '${word}': both the sheet's word and its meaning are texts, and not empty`);
        continue;
      }
      const wrong = wrongCountry(field, meaning);
      if (wrong !== null) faults.push(`words, ${field}, '${word}': ${wrong}`);
      found.push([word, meaning]);
    }
    words.push([known, Object.fromEntries(found)]);
  }
  return Object.fromEntries(words);
}

/** If it were not reported here, every row would report it. */
function wrongCountry(field: string, value: string): string | null {
  if (field === 'country' && payoutCountryOf(value) === undefined)
    return `'${value}' cannot be paid; ${payoutCountries.join(', ')} can`;
  if (field === 'from_country' && sourceCountryOf(value) === undefined)
    return `'${value}' is not a source of money; ${sourceCountries.join(', ')} are`;
  return null;
}

function readNumberFormat(given: unknown, faults: string[]): SheetMap['numberFormat'] {
  if (given === undefined) return null;
  const known = numberFormats.find((format) => format === given);
  if (known === undefined)
    faults.push(`number_format: ${JSON.stringify(given)} is neither "${numberFormats.join('" nor "')}"`);
  return known ?? null;
}

function entriesOf(given: unknown, place: string, example: string, faults: string[]): [string, unknown][] {
  if (given === undefined) return [];
  if (isObject(given)) return Object.entries(given);
  faults.push(`${place} is not an object, such as ${example}`);
  return [];
}

function notAmong(field: string, allowed: readonly string[], why: string): string {
  const known = (fields as readonly string[]).includes(field);
  return known
    ? `'${field}' cannot stand here, since ${why}; ${allowed.join(', ')} can`
    : `'${field}' is no column${perhaps(field, allowed)}; ${allowed.join(', ')} can stand here`;
}

function perhaps(given: string, known: readonly string[]): string {
  const plain = given
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const alias = knownField(given) ?? '';
  const near = known.find((one) => one === alias || editDistance(one, plain) <= (one.length < 5 ? 1 : 2));
  return near === undefined ? '' : ` (perhaps '${near}')`;
}
