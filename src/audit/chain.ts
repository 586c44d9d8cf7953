/** The trail's chain: each entry's hash covers the one before it, so that no entry can be changed, dropped or moved unseen. */
import { sha256 } from '../base/digest.ts';

export interface TrailEntry {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly batch: string | null;
  /** The row's key, or null where the entry is about more or less than one row. */
  readonly row: string | null;
  /** The kind of event: `sheet`, `move`, `wanted`, `merchant`, `document`, `pass`, `run`, `home`, … */
  readonly what: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The head of an empty trail. */
export const genesis = sha256('payrun trail 1');

/** The text that is stored and hashed: one line of JSON in a fixed order of keys. */
export function entryText(entry: TrailEntry): string {
  return JSON.stringify([entry.at, entry.batch, entry.row, entry.what, entry.data]);
}

export function link(head: string, text: string): string {
  return sha256(`${head}\n${text}`);
}

export function readEntry(text: string): TrailEntry {
  const [at, batch, row, what, data] = JSON.parse(text) as [
    number,
    string | null,
    string | null,
    string,
    TrailEntry['data'],
  ];
  return { at, batch, row, what, data };
}
