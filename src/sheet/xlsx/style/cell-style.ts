/** Checks a cell's style for exceljs. Drops invalid values, so that Excel opens Payrun's workbook without repair. */
import type { Style } from 'exceljs';
import { z } from 'zod';
import { maxFontName, maxFormat } from '../../file/limits.ts';

export type CellStyle = Partial<Style>;

/** Excel's limits: a font's size in points, and steps of an indent. */
const maxFontSize = 409;
const maxIndent = 250;

const words = (text: string) => z.enum(text.split(' '));
const orNone = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

// The limit is 63: indexes 64 and 65 mean the system's default colours, as in a cell without a colour.
const colour = orNone(
  z.union([z.object({ argb: z.string().regex(/^[0-9A-F]{8}$/) }), z.object({ indexed: z.int().min(0).max(63) })]),
);
const line = orNone(
  z.object({
    style: words(
      'thin medium thick dashed dotted double hair mediumDashed dashDot mediumDashDot dashDotDot mediumDashDotDot slantDashDot',
    ),
    color: colour,
  }),
);

export const cellStyle = z.object({
  numFmt: orNone(z.string().max(maxFormat)),
  font: orNone(
    z.object({
      name: orNone(z.string().min(1).max(maxFontName)),
      size: orNone(z.number().min(1).max(maxFontSize)),
      bold: orNone(z.boolean()),
      italic: orNone(z.boolean()),
      strike: orNone(z.boolean()),
      underline: orNone(z.union([z.boolean(), words('none single double singleAccounting doubleAccounting')])),
      color: colour,
    }),
  ),
  fill: orNone(
    z.object({
      type: z.literal('pattern'),
      pattern: words(
        'solid darkGray mediumGray lightGray gray125 gray0625 darkHorizontal darkVertical darkDown darkUp darkGrid darkTrellis ' +
          'lightHorizontal lightVertical lightDown lightUp lightGrid lightTrellis',
      ),
      fgColor: colour,
      bgColor: colour,
    }),
  ),
  border: orNone(z.object({ left: line, right: line, top: line, bottom: line })),
  alignment: orNone(
    z.object({
      horizontal: orNone(words('left center right fill centerContinuous distributed justify')),
      vertical: orNone(words('top middle bottom distributed justify')),
      wrapText: orNone(z.boolean()),
      shrinkToFit: orNone(z.boolean()),
      indent: orNone(z.int().min(1).max(maxIndent)),
      textRotation: orNone(z.union([z.int().min(-90).max(90), z.literal('vertical')])),
    }),
  ),
});

export const isPlain = ({ fill, border }: CellStyle): boolean => fill === undefined && border === undefined;

/** Makes `change` return the same object for the same style, because exceljs recognises a style by its object. */
export function derived(change: (style: CellStyle) => CellStyle): (style: CellStyle) => CellStyle {
  const known = new WeakMap<CellStyle, CellStyle>();
  return (style) => {
    const made = known.get(style) ?? change(style);
    known.set(style, made);
    return made;
  };
}
