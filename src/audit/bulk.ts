/** Makes short texts for trail entries about many rows: lists of row ids, and hashes of an import's content. */

import { createHash } from 'node:crypto';
import { sha256 } from '../base/digest.ts';
import type { Each } from '../base/words.ts';

/** Returns 128 of the 256 bits of a SHA-256, which is enough to detect a changed text. */
export const shortHash = (text: string): string => sha256(text).slice(0, 32);

/** Returns only 64 bits of a SHA-256, to save space: the trail has such a hash for every intent. */
export const momentHash = (moment: string): string => sha256(moment).slice(0, 16);

/** Returns the ids as text such as `1-500,502`, which is short because most ids of one import are consecutive. */
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

export interface ImportedBatch {
  readonly name: string;
  readonly createdAt: number;
  readonly repeatReason: string | null;
  /** The id of the newest sheet with all rows of the batch. Newer sheets only added rows. */
  readonly listedSince: number;
}
export interface ImportedSheet
  extends Each<'id receivedAt rowCount invalid', number>,
    Each<'name origin digest options', string> {
  /** The path of Payrun's own copy of the sheet. Payrun reads the copy instead of `origin`. */
  readonly copy: string;
}
export interface ImportedRow extends Each<'id number firstSheet contentSheet', number> {
  readonly key: string;
  /** The id of the newest sheet that has the row. */
  readonly sheet: number;
  readonly contentHash: string;
}
export interface ImportedDocument extends Each<'id payout sizeBytes', number>, Each<'name path sha256', string> {}

/** Hashes the data of a new merchant (`content`), and the number of the row that contains the data. */
export const wantedHash = (content: string, number: number): string => shortHash(`${number}\n${content}`);

function hashLines() {
  const hash = createHash('sha256');
  return {
    add: (values: readonly unknown[]) => void hash.update(`${JSON.stringify(values)}\n`),
    end: () => hash.digest('hex'),
  };
}

/** Hashes a sheet as Payrun read it. The hash covers only values that the ledger never changes. */
export function hashSheet(sheet: ImportedSheet) {
  const hash = hashLines();
  hash.add([sheet.id, sheet.name, sheet.origin, sheet.copy, sheet.digest, sheet.receivedAt, sheet.options]);
  hash.add([sheet.rowCount, sheet.invalid]);
  return {
    ...hash,
    invalid: (...line: readonly [number: number, row: number | null, problems: string]) => hash.add(line),
  };
}

/** Hashes a batch after an import. The caller adds the rows sorted by id, then the documents by row and name. */
export function hashBatch({ name, createdAt, repeatReason, listedSince }: ImportedBatch) {
  const hash = hashLines();
  hash.add([name, createdAt, repeatReason, listedSince]);
  return {
    ...hash,
    row: ({ id, key, number, sheet, firstSheet, contentSheet, contentHash }: ImportedRow) =>
      hash.add([id, key, number, sheet, firstSheet, contentSheet, contentHash]),
    document: ({ id, payout, name: document, path, sha256: hashOfFile, sizeBytes }: ImportedDocument) =>
      hash.add([id, payout, document, path, hashOfFile, sizeBytes]),
  };
}
