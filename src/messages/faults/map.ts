/** The words of the faults of a map. */
import type { FaultFacts, MapPlace } from '../../base/faults/fault.ts';
import type { FaultWords } from '../audience.ts';

const at = ({ part, field, entry }: MapPlace) =>
  `${part}${field === undefined ? '' : `, ${field}`}${entry === undefined ? '' : `, '${entry}'`}`;
const perhaps = (near: string | null) => (near === null ? '' : ` (perhaps '${near}')`);

export const mapFaults = {
  'map-is-missing': ({ maps, near }) =>
    `there is no such file, and the maps that come with Payrun are ${maps.join(', ')}${near === null ? '' : `; perhaps ${near} is meant`}`,
  'map-is-no-object': ({ place }) =>
    `${place === null ? 'it' : at(place)} is not an object; a map looks like {"columns": {"Payee": "name"}, "values": {"country": "Kenya"}, "words": {"country": {"Sudafrika": "SouthAfrica"}}}`,
  'map-key-is-twice': ({ key }) =>
    `'${key}' stands twice in one list, and only the last would count; for a header that the sheet has twice write "${key}": ["tag", "reference"], from left to right`,
  'map-field-is-twice': ({ field, header, value }) =>
    `${field} is both the column '${header}' and the value '${value}'; take one of them out`,
  'map-is-empty': 'it names neither a column nor a value',
  'map-entry-is-empty': ({ place }) => `${at(place)}: the entry needs a text on both sides; write it, or take it out`,
  'map-use-is-unknown': ({ place, use, near }) =>
    `${at(place)}: '${use}' is no column${perhaps(near)}; docs/reference/columns.md lists them, and null is for a column that is not read`,
  'map-use-is-twice': ({ first, second, use }) =>
    `columns: '${first}' and '${second}' are both read as ${use}; write null for the one that is not read`,
  'map-half-name': ({ half, other }) => `columns: ${half} without ${other} is no name; write name, or add ${other}`,
  'map-word-is-twice': ({ place, first, second }) => `${at(place)}: '${first}' and '${second}' are the same`,
  'map-word-is-unknown': ({ place, word, allowed, near }) =>
    `${place === null ? '' : `${at(place)}: `}'${word}' cannot stand here${perhaps(near)}; ${allowed.join(', ')} can`,
} satisfies Partial<FaultWords<FaultFacts>>;
