/** The words of the faults of a map. */
import type { MapFaults, MapPart, MapPlace } from '../../base/faults/fault.ts';
import type { FaultWords } from '../passage.ts';

const examples: { readonly [P in MapPart]: string } = {
  columns: '{"Payee": "name"}',
  values: '{"country": "Kenya"}',
  words: '{"country": {"Sudafrika": "SouthAfrica"}}',
};

const own: { readonly [P in MapPart]: string } = {
  columns: 'its cells are read as they stand',
  values: 'each row needs its own',
  words: 'its cells are read as they stand',
};

const at = ({ part, field, entry }: MapPlace) =>
  `${part}${field === undefined ? '' : `, ${field}`}${entry === undefined ? '' : `, '${entry}'`}`;
const perhaps = (near: string | null) => (near === null ? '' : ` (perhaps '${near}')`);

export const mapFaults: FaultWords<MapFaults> = {
  'map-is-missing': ({ maps, near }) =>
    `there is no such file, and the maps that come with Payrun are ${maps.join(', ')}${near === null ? '' : `; perhaps ${near} is meant`}`,
  'map-is-no-object':
    'it is not an object; a map looks like {"columns": {"Payee": "name"}, "values": {"country": "Kenya"}}',
  'map-key-is-twice': ({ key }) =>
    `'${key}' stands twice in one list, and only the last would count; for a header that the sheet has twice write "${key}": ["tag", "reference"], from left to right`,
  'map-part-is-unknown': ({ key, known, near }) =>
    `'${key}' is no part of a map; ${known.join(', ')} are${perhaps(near)}`,
  'map-field-is-twice': ({ field, header, value }) =>
    `${field} is both the column '${header}' and the value '${value}'; take one of them out`,
  'map-is-empty': 'it names neither a column nor a value',
  'map-list-is-no-object': ({ place }) =>
    `${at(place)} is not an object, such as ${place.field === undefined ? examples[place.part] : '{"their word": "ours"}'}`,
  'map-header-is-nameless': ({ place }) =>
    `${at(place)}: Payrun cannot identify a column without a header; name the column`,
  'map-header-is-twice': ({ first, second }) => `columns: '${first}' and '${second}' are the same header`,
  'map-uses-are-none': ({ place }) => `${at(place)}: the list is empty; write null for a column that is not read`,
  'map-use-is-unknown': ({ place, use, isText, near }) =>
    isText
      ? `${at(place)}: '${use}' is no column${perhaps(near)}; docs/reference/columns.md lists them, and null is for a column that is not read`
      : `${at(place)}: ${use} is no column's name; write one, or null`,
  'map-use-is-twice': ({ first, second, use }) =>
    `columns: '${first}' and '${second}' are both read as ${use}; write null for the one that is not read`,
  'map-name-is-twice': ({ name, header, half }) =>
    `columns: '${name}' is read as name already, and '${header}' as ${half}`,
  'map-half-name': ({ half, other }) => `columns: ${half} without ${other} is no name; write name, or add ${other}`,
  'map-field-may-not-stand': ({ place, field, allowed }) =>
    `${at(place)}: '${field}' cannot stand here, since ${own[place.part]}; ${allowed.join(', ')} can`,
  'map-field-is-unknown': ({ place, field, allowed, near }) =>
    `${at(place)}: '${field}' is no column${perhaps(near)}; ${allowed.join(', ')} can stand here`,
  'map-value-is-no-text': ({ place, value }) => `${at(place)}: ${value} is not a text`,
  'map-value-is-empty': ({ place }) => `${at(place)} is empty; write it, or take it out`,
  'map-word-is-twice': ({ place, first, second }) => `${at(place)}: '${first}' and '${second}' are the same word`,
  'map-word-is-empty': ({ place }) => `${at(place)}: both the sheet's word and its meaning are texts, and not empty`,
  'map-country-is-not-paid': ({ place, value, countries }) =>
    `${at(place)}: '${value}' cannot be paid; ${countries.join(', ')} can`,
  'map-source-is-unknown': ({ place, value, countries }) =>
    `${at(place)}: '${value}' is not a source of money; ${countries.join(', ')} are`,
  'map-number-format-is-unknown': ({ value, formats }) =>
    `number_format: ${value} is neither "${formats.join('" nor "')}"`,
};
