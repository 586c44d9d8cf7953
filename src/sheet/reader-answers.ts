/**
 * What the process that reads a workbook tells the program, and in which form: JSON behind its length in bytes. The engine
 * writes and reads JSON faster than its own structured clones.
 */
import type { Cell } from '../domain/cell.ts';
import type { RawRow } from './lines.ts';
import type { LookForm } from './look-reading.ts';
import type { Merge, SheetLayout, StoredCell } from './rows.ts';
import type { WorkbookSheet } from './workbook.ts';

export type Answer =
  | { readonly kind: 'opened'; readonly date1904: boolean; readonly sheets: readonly WorkbookSheet[] }
  /** Before the first rows of a sheet. `reading` counts the questions, so that the end of an answer no longer wanted is known. */
  | { readonly kind: 'layout'; readonly reading: number; readonly layout: SheetLayout }
  | { readonly kind: 'rows'; readonly reading: number; readonly rows: readonly RowForm[] }
  | { readonly kind: 'end'; readonly reading: number; readonly merges: readonly Merge[] }
  | { readonly kind: 'look'; readonly reading: number; readonly look: LookForm<unknown> }
  | { readonly kind: 'refused'; readonly detail: string };

/** What is asked for, one a line: `rows 2` are those of the third sheet. */
export type Question = 'rows' | 'look';

/** Without the names of its fields, which would be longer than its values. */
export type RowForm = readonly [number: number, hidden: 0 | 1, cells: readonly CellForm[]];

/** `shown` is 0 where it is the text itself. */
export type CellForm =
  | string
  | readonly [kind: StoredCell['kind'], text: string, shown: string | 0, formula: 0 | 1, format: string | null];

export const lengthBytes = 4;

export function encodeAnswer(answer: Answer): Buffer {
  const json = JSON.stringify(answer);
  const bytes = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(json));
  bytes.writeUInt32LE(bytes.length - lengthBytes);
  bytes.write(json, lengthBytes);
  return bytes;
}

export function formOf({ number, hidden, cells }: RawRow): RowForm {
  return [number, hidden ? 1 : 0, cells.map(formOfCell)];
}

function formOfCell(cell: Cell): CellForm {
  if (typeof cell === 'string') return cell;
  const { kind, text, shown, formula, format } = cell as StoredCell;
  return [kind, text, shown === text ? 0 : shown, formula ? 1 : 0, format];
}
