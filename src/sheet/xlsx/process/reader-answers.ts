/**
 * What the process that reads a workbook tells the program. Each answer comes behind two numbers of four bytes: its length, and
 * of which reading it holds rows (reader-rows.ts); the answers of number 0 are JSON.
 */
import type { CellRange } from '../../columns/column-name.ts';
import { refuse } from '../../file/open-file.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { WorkbookSheet } from '../workbook.ts';
import type { Merge, SheetLayout } from '../worksheet-rows.ts';

/** `reading` counts what was asked, so that the rest of a reading that nobody wants any more is known as such. */
export type Answer =
  | { readonly kind: 'opened'; readonly date1904: boolean; readonly sheets: readonly WorkbookSheet[] }
  /** Before the first rows of a sheet. */
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

/** What is asked for, one a line: `rows 2` are those of the third sheet. */
export type Question = 'rows' | 'look';

export const headBytes = 8;

export function headOf(length: number, reading: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(length);
  head.writeUInt32LE(reading, 4);
  return head;
}

/** What a person can do about a workbook that its reader cannot read. */
export const otherwise = 'Open it in Excel or LibreOffice and save it as .xlsx again, or save the sheet as CSV.';

/** For whatever is no answer: a hostile file may have had its way with the reader. */
export function refuseNonsense(): never {
  refuse(`The workbook could not be read: its reader answered nonsense. ${otherwise}`);
}
