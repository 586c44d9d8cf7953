/** Why a map cannot be used. Payrun reports all faults of a map at once. */

export interface MapPlace {
  readonly part: 'columns' | 'values' | 'words' | 'number_format';
  readonly field?: string;
  readonly entry?: string;
}

interface Placed {
  place: MapPlace;
}

export interface MapFaults {
  'map-is-missing': { maps: readonly string[]; near: string | null };
  /** `place` is null for the whole map. */
  'map-is-no-object': { place: MapPlace | null };
  'map-key-is-twice': { key: string };
  'map-field-is-twice': { field: string; header: string; value: string };
  'map-is-empty': object;
  'map-entry-is-empty': Placed;
  /** `use` is the entry's text, or its JSON. `near` is a column with a similar name; null if none. */
  'map-use-is-unknown': Placed & { use: string; near: string | null };
  'map-use-is-twice': { first: string; second: string; use: string };
  'map-half-name': { half: string; other: string };
  'map-word-is-twice': Placed & { first: string; second: string };
  /** A name or a value that is not one of `allowed`. `place` is null for a part of the map. */
  'map-word-is-unknown': { place: MapPlace | null; word: string; allowed: readonly string[]; near: string | null };
}
