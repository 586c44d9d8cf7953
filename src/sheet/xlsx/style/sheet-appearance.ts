/** The styles and row heights of the uploaded sheet, for a workbook that copies them. */
import type { CellStyle } from './cell-style.ts';
import type { LookForm } from './read-appearance.ts';

export interface SheetLook {
  /** The style of cells that name no style. It has the workbook's default font. */
  readonly base: CellStyle;
  /** Returns a cell's style. A place without a cell has the style of its row, or else of its column. */
  styleOf(row: number, column: number): CellStyle | null;
  columnStyle(column: number): CellStyle | null;
  has(row: number): boolean;
  /** Returns a row's height in points; null if the workbook does not set it. */
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
