/**
 * The answers of the process that reads a workbook. Two numbers of four bytes precede each: its length, and the reading
 * whose rows it holds (reader-rows.ts). An answer with number 0 is JSON.
 */
import type { CellRange } from '../../columns/column-name.ts';
import { refuse } from '../../file/open-file.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { WorkbookSheet } from '../workbook.ts';
import type { Merge, SheetLayout } from '../worksheet-rows.ts';

/** `reading` numbers the questions, so that the program recognises late answers of an abandoned reading. */
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
  | { readonly kind: 'refused'; readonly detail: string };

/** A question is one line: `rows 2` asks for the rows of the third sheet. */
export type Question = 'rows' | 'look';

export const headBytes = 8;

export function headOf(length: number, reading: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(length);
  head.writeUInt32LE(reading, 4);
  return head;
}

/** Advice for a workbook that its reader cannot read. */
export const saveAgain = 'Open it in Excel or LibreOffice and save it as .xlsx again, or save the sheet as CSV.';

/** Refuses an invalid answer, which may come from a reader that a hostile file controls. */
export function refuseNonsense(): never {
  refuse(`The workbook could not be read: its reader answered nonsense. ${saveAgain}`);
}
