/** The styles and row heights of the uploaded sheet, for a workbook that copies them. */
import { type CellStyle, derived } from './cell-style.ts';
import { heightFor } from './palette.ts';
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

/** A text that an earlier check by Payrun wrote into the sheet. `width` is the column's width, in characters. */
export interface CheckText {
  readonly column: number;
  readonly width: number;
  readonly text: string;
}

/** Returns the appearance without the row heights and alignments that an earlier check set for its own texts. */
export function withoutChecks(look: SheetLook, texts: ReadonlyMap<number, readonly CheckText[]>): SheetLook {
  const raised = new Set<number>();
  for (const [row, list] of texts) {
    const heights = list.map(({ column, width, text }) =>
      heightFor(text, width, look.styleOf(row, column)?.font?.size),
    );
    // Adds one point, because spreadsheet programs round heights.
    if ((look.heightOf(row) ?? Number.POSITIVE_INFINITY) <= Math.max(...heights) + 1) raised.add(row);
  }
  return {
    ...look,
    styleOf(row, column) {
      const style = look.styleOf(row, column);
      return style !== null && raised.has(row) ? letDown(style) : style;
    },
    heightOf: (row) => (raised.has(row) ? null : look.heightOf(row)),
  };
}

/** Removes the vertical alignment "top", which an earlier check set in each row that it made taller. */
const letDown = derived((style) => {
  if (style.alignment?.vertical !== 'top') return style;
  const { vertical: _, ...alignment } = style.alignment;
  return { ...style, alignment };
});
