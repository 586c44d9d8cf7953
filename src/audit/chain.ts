/** The trail's hash chain. Each hash covers all earlier entries, so a changed or missing entry breaks the chain. */
import { sha256 } from '../base/digest.ts';
import type { EntryKind } from '../domain/trail.ts';

export interface TrailEntry {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly batch: string | null;
  /** The row's key; null if the entry is not about exactly one row. */
  readonly row: string | null;
  readonly what: EntryKind;
  readonly data: Readonly<Record<string, unknown>>;
}

export const genesis = sha256('payrun trail 1');

/** The trail stores and hashes this text: one line of JSON with a fixed order of fields. */
export const entryText = (entry: TrailEntry): string =>
  JSON.stringify([entry.at, entry.batch, entry.row, entry.what, entry.data]);

export const link = (head: string, text: string): string => sha256(`${head}\n${text}`);

export function readEntry(text: string): TrailEntry {
  type Values = [number, string | null, string | null, EntryKind, TrailEntry['data']];
  const [at, batch, row, what, data] = JSON.parse(text) as Values;
  return { at, batch, row, what, data };
}

export function* entriesOf(lines: readonly { readonly text: string }[]): Iterable<TrailEntry> {
  for (const { text: entry } of lines) {
    try {
      yield readEntry(entry);
    } catch {
      // The check of the chain already reports this entry.
    }
  }
}
