/** How the person's sheet looks, row by row, for a workbook that keeps it. */
import { type CellStyle, derived } from './cell-style.ts';
import { heightFor } from './palette.ts';
import type { LookForm } from './read-appearance.ts';

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

/** A text of an earlier check, in a column that was made so wide for it. */
export interface CheckText {
  readonly column: number;
  readonly width: number;
  readonly text: string;
}

/** Rows that an earlier check made as high as its texts are as high again as the person's own cells need. */
export function withoutChecks(look: SheetLook, texts: ReadonlyMap<number, readonly CheckText[]>): SheetLook {
  const raised = new Set<number>();
  for (const [row, list] of texts) {
    const heights = list.map(({ column, width, text }) =>
      heightFor(text, width, look.styleOf(row, column)?.font?.size),
    );
    // Programs round heights to what a screen can show.
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

/** Cells of such a row were lifted to its top. */
const letDown = derived((style) => {
  if (style.alignment?.vertical !== 'top') return style;
  const { vertical: _, ...alignment } = style.alignment;
  return { ...style, alignment };
});
