/**
 * The answers of the process that reads a workbook. Each begins with two numbers of four bytes: the answer's length, and the
 * number of the question (reader-rows.ts). If the second number is 0, the answer is JSON.
 */
import type { SheetFault } from '../../../base/faults/fault.ts';
import type { CellRange } from '../../columns/column-name.ts';
import { refuse } from '../../file/open-file.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { WorkbookSheet } from '../workbook.ts';
import type { Merge, SheetLayout } from '../worksheet-rows.ts';

/** An answer. `reading` is the question's number, so that late answers to an earlier question are skipped. */
export type Answer =
  | { readonly kind: 'opened'; readonly date1904: boolean; readonly sheets: readonly WorkbookSheet[] }
  /** Sent before the first rows of a sheet. */
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

/** A question, in one line: `rows 2` asks for the rows of the third sheet. */
export type Question = 'rows' | 'look';

export const headBytes = 8;

export function headOf(length: number, reading: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(length);
  head.writeUInt32LE(reading, 4);
  return head;
}

/** Refuses an invalid answer, because a hostile file may control the process that reads it. */
export function refuseNonsense(): never {
  refuse({ fault: 'reader-answers-nonsense' });
}
