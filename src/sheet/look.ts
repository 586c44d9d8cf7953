/** How our workbooks look: one calm palette, chosen so that the words, not the colours, carry the meaning. */
import type { Borders, Fill, Font, PageSetup } from 'exceljs';

export const ink = {
  dark: 'FF1F2937',
  soft: 'FF6B7280',
  line: 'FFD6DCE3',
  band: 'FFF6F8FA',
  theirs: 'FF2F4858',
  ours: 'FF33658A',
  white: 'FFFFFFFF',
} as const;

export function solid(argb: string): Fill {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } };
}

export function font(options: Partial<Font> & { argb?: string } = {}): Partial<Font> {
  const { argb = ink.dark, ...rest } = options;
  return { name: 'Calibri', size: 11, ...rest, color: { argb } };
}

export const thinLine: Partial<Borders> = { bottom: { style: 'thin', color: { argb: ink.line } } };

/** What the status cell's colour says besides its word. */
export type Tone = 'paid' | 'open' | 'unpaid' | 'doubt' | 'none';

/** Fill and letters of a status cell. Blue-green, amber, brick and grey stay apart for most colour-blind eyes. */
export const tones: { readonly [T in Tone]: { readonly fill: string; readonly text: string } | null } = {
  paid: { fill: 'FFD9F0E3', text: 'FF14532D' },
  open: { fill: 'FFE5EAF0', text: 'FF374151' },
  unpaid: { fill: 'FFFADDD7', text: 'FF7F1D1D' },
  doubt: { fill: 'FFFFEBB8', text: 'FF713F12' },
  none: null,
};

/** A4 on its side, as many pages down as it takes, never one column too wide. */
export const printSetup: Partial<PageSetup> = {
  paperSize: 9,
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.5, header: 0.2, footer: 0.2 },
};

const narrowest = 8;
const widest = 60;

/** A column's width in characters, from the longest text in it. */
export function fitted(longest: number): number {
  return Math.min(widest, Math.max(narrowest, longest + 2));
}

/** A name that a workbook accepts, and that none of the others has (Excel compares them without case). */
export function sheetNameFrom(wanted: string, taken: readonly string[]): string {
  const plain =
    wanted
      .replace(/[[\]:*?/\\\0-\x1f]/g, ' ')
      .replace(/^'+|'+$/g, '')
      .trim()
      .slice(0, 31)
      // Half of a character that takes two is none.
      .replace(/[\ud800-\udbff]$/, '') || 'Sheet';
  const isTaken = (name: string) => taken.some((other) => other.toLowerCase() === name.toLowerCase());
  if (!isTaken(plain)) return plain;
  for (let number = 2; ; number++) {
    const next = `${plain.slice(0, 27)} ${number}`;
    if (!isTaken(next)) return next;
  }
}

/** The person's sheet keeps its name in the result, unless it is that of one of ours. */
export function resultSheetName(theirs: string): string {
  return sheetNameFrom(theirs, ['Summary', 'Funding', 'Trail', 'History']);
}
