/** What one entry of the trail says of many rows: which they are, in few characters, and what an import took in, as one hash. */
import { createHash } from 'node:crypto';
import { sha256 } from '../base/digest.ts';

/** Enough of a hash to bind what a service told of a payment, in half the characters. */
export function toldHash(told: string): string {
  return sha256(told).slice(0, 32);
}

/** `1-500,502`: the rows of one statement mostly follow each other. */
export function spansOf(ids: Iterable<number>): string {
  const sorted = [...ids].sort((a, b) => a - b);
  const spans: string[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (sorted[end + 1] === sorted[end]! + 1) end += 1;
    spans.push(start === end ? `${sorted[start]}` : `${sorted[start]}-${sorted[end]}`);
    start = end + 1;
  }
  return spans.join(',');
}

/** First and last of each span; null where the text is none of ours. */
export function readSpans(text: string): readonly (readonly [first: number, last: number])[] | null {
  if (text === '') return [];
  const spans: (readonly [number, number])[] = [];
  for (const part of text.split(',')) {
    const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part);
    if (match === null) return null;
    spans.push([Number(match[1]), Number(match[2] ?? match[1])]);
  }
  return spans;
}

/** What an import leaves in the ledger that no single move tells again. */
export interface Imported {
  readonly batch: readonly [name: string, tagScope: string, createdAt: number, repeatReason: string | null];
  readonly sheet: ImportedSheet;
}
export interface ImportedSheet {
  readonly id: number;
  readonly name: string;
  readonly origin: string;
  readonly copy: string;
  readonly digest: string;
  readonly receivedAt: number;
  readonly options: string;
  readonly rowCount: number;
  readonly invalid: number;
}
export interface ImportedRow {
  readonly id: number;
  readonly key: string;
  readonly number: number;
  readonly sheet: number;
  readonly firstSheet: number;
  readonly contentHash: string;
}
export interface ImportedDocument {
  readonly payout: number;
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Rows in the order of their ids, then the sheet's bad lines by number, then documents by row and name. */
export interface ImportHash {
  row(row: ImportedRow): void;
  invalid(number: number, reason: string): void;
  document(document: ImportedDocument): void;
  end(): string;
}

export function hashImport({ batch, sheet }: Imported): ImportHash {
  const hash = createHash('sha256');
  const add = (values: readonly unknown[]) => hash.update(`${JSON.stringify(values)}\n`);
  add(batch);
  add([sheet.id, sheet.name, sheet.origin, sheet.copy, sheet.digest, sheet.receivedAt, sheet.options]);
  add([sheet.rowCount, sheet.invalid]);
  return {
    row: ({ id, key, number, sheet: last, firstSheet, contentHash }) =>
      add([id, key, number, last, firstSheet, contentHash]),
    invalid: (number, reason) => add([number, reason]),
    document: ({ payout, name, path, sha256, sizeBytes }) => add([payout, name, path, sha256, sizeBytes]),
    end: () => hash.digest('hex'),
  };
}
