/** How the person's sheet looks, row by row, for a workbook that keeps it. */
import type { CellStyle } from './cell-style.ts';
import type { LookForm } from './look-reading.ts';

export interface SheetLook {
  /** Of a cell that holds nothing and has no style: the font of the workbook. */
  readonly base: CellStyle;
  /** Of the cell itself, else of its row, else of its column; null where none of them has any. */
  styleOf(row: number, column: number): CellStyle | null;
  columnStyle(column: number): CellStyle | null;
  /** Whether the sheet has the row at all, empty or not. */
  has(row: number): boolean;
  /** In points, where the workbook says it; other rows are as high as a line. */
  heightOf(row: number): number | null;
  readonly frozen: LookForm<CellStyle>['frozen'];
}

export function lookOf({ styles, kinds, rows, columns, frozen }: LookForm<CellStyle>): SheetLook {
  const byNumber = new Map(rows.map((row) => [row[0], row]));
  const byColumn = new Map<number, number>();
  for (const [from, to, style] of columns) for (let index = from; index <= to; index++) byColumn.set(index, style);
  const style = (number: number | null | undefined) => (number == null ? null : (styles[number] ?? null));
  return {
    base: styles[0] ?? {},
    styleOf(row, column) {
      const [, kind, own] = byNumber.get(row) ?? [];
      return style((kind == null ? null : kinds[kind]?.[column]) ?? own ?? byColumn.get(column));
    },
    columnStyle: (column) => style(byColumn.get(column)),
    has: (row) => byNumber.has(row),
    heightOf: (row) => byNumber.get(row)?.[3] ?? null,
    frozen,
  };
}
