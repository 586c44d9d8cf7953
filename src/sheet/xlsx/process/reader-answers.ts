/**
 * The reader process sends these answers. Each begins with two numbers: the length of its body, and a request's number.
 * If the request's number is 0, the body is JSON. For any other number, the body has rows (reader-rows.ts).
 */
import { PayrunError } from '../../../base/errors.ts';
import type { Refusal } from '../../../base/refusal.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { SheetExtras, WorkbookSheet } from '../workbook.ts';

/** A JSON answer. `reading` is the number of the request. The main program skips answers to older requests. */
export type ReaderAnswer =
  | { readonly kind: 'opened'; readonly date1904: boolean; readonly sheets: readonly WorkbookSheet[] }
  /** The reader process sends this answer before a sheet's first rows, and again after its last rows. */
  | { readonly kind: 'extras'; readonly reading: number; readonly isLast: boolean; readonly extras: SheetExtras }
  | { readonly kind: 'look'; readonly reading: number; readonly look: LookForm<unknown> }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The first word of a request. A request is one line: `rows 2` asks for the rows of the third sheet. */
export type RequestKind = 'rows' | 'look';

export const headBytes = 8;

export function headOf(length: number, reading: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(length);
  head.writeUInt32LE(reading, 4);
  return head;
}

/** Refuses an invalid answer: a hostile file may control the reader process. */
export function refuseNonsense(): never {
  throw new PayrunError('READER_ANSWER_UNREADABLE', {});
}
