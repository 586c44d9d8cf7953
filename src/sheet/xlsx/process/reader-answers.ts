/**
 * The answers of the process that reads a workbook. Each begins with two numbers of four bytes: the length of its body, and
 * the number of a request. The body is JSON if the request's number is 0; else it has rows in the form of reader-rows.ts.
 */
import type { SheetFault } from '../../../base/faults/fault.ts';
import type { CellRange } from '../../columns/column-name.ts';
import { refuse } from '../../file/open-file.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { WorkbookSheet } from '../workbook.ts';
import type { Merge, SheetLayout } from '../worksheet-rows.ts';

/** A JSON answer. `reading` is the number of the answered request. The main program skips late answers to older requests. */
export type Answer =
  | { readonly kind: 'opened'; readonly date1904: boolean; readonly sheets: readonly WorkbookSheet[] }
  /** The reading process sends this answer before the first rows of a sheet. */
  | { readonly kind: 'layout'; readonly reading: number; readonly layout: SheetLayout }
  | {
      readonly kind: 'end';
      readonly reading: number;
      readonly merges: readonly Merge[];
      readonly maybeStruck: readonly CellRange[];
      readonly staleColumns: readonly number[];
    }
  | { readonly kind: 'look'; readonly reading: number; readonly look: LookForm<unknown> }
  | { readonly kind: 'refused'; readonly why: SheetFault };

/** The first word of a request from the main program. A request is one line: `rows 2` asks for the third sheet's rows. */
export type RequestKind = 'rows' | 'look';

export const headBytes = 8;

export function headOf(length: number, reading: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(length);
  head.writeUInt32LE(reading, 4);
  return head;
}

/** Refuses an invalid answer, because a hostile file may control the process that sent the answer. */
export function refuseNonsense(): never {
  refuse({ fault: 'reader-answers-nonsense' });
}
