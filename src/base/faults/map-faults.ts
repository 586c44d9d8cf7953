/** Why a map cannot be used. Payrun reports all faults of a map at once. */

export type MapPart = 'columns' | 'values' | 'words';

export interface MapPlace {
  readonly part: MapPart;
  readonly field?: string;
  readonly entry?: string;
}

interface Placed {
  place: MapPlace;
}

export interface MapFaults {
  'map-is-missing': { maps: readonly string[]; near: string | null };
  'map-is-no-object': object;
  'map-key-is-twice': { key: string };
  'map-part-is-unknown': { key: string; known: readonly string[]; near: string | null };
  'map-field-is-twice': { field: string; header: string; value: string };
  'map-is-empty': object;
  'map-list-is-no-object': Placed;
  'map-header-is-nameless': Placed;
  'map-header-is-twice': { first: string; second: string };
  'map-uses-are-none': Placed;
  /** `use` is the entry's value: text if `isText`, else JSON. `near` is a column with a similar name; null if none. */
  'map-use-is-unknown': Placed & { use: string; isText: boolean; near: string | null };
  'map-use-is-twice': { first: string; second: string; use: string };
  'map-name-is-twice': { name: string; header: string; half: string };
  'map-half-name': { half: string; other: string };
  'map-field-may-not-stand': Placed & { field: string; allowed: readonly string[] };
  'map-field-is-unknown': Placed & { field: string; allowed: readonly string[]; near: string | null };
  'map-value-is-no-text': Placed & { value: string };
  'map-value-is-empty': Placed;
  'map-word-is-twice': Placed & { first: string; second: string };
  'map-word-is-empty': Placed;
  'map-country-is-not-paid': Placed & { value: string; countries: readonly string[] };
  'map-source-is-unknown': Placed & { value: string; countries: readonly string[] };
  'map-number-format-is-unknown': { value: string; formats: readonly string[] };
}
