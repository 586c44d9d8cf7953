/** The look of our workbooks: one calm palette, in which words, not colours, carry the meaning. */
import type { Borders, Fill, Font, PageSetup, Style } from 'exceljs';
import { maxHeight, ownSheetNames } from '../../file/limits.ts';

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

/** Returns the style of a column's header. */
export function headStyle(argb: string, letters: Partial<Font> = {}): Partial<Style> {
  return {
    font: font({ ...letters, bold: true, argb: ink.white }),
    fill: solid(argb),
    alignment: { vertical: 'middle' },
  };
}

export const thinLine: Partial<Borders> = { bottom: { style: 'thin', color: { argb: ink.line } } };

/** The meaning of the status cell's colour. */
export type Tone = 'paid' | 'open' | 'unpaid' | 'doubt' | 'none';

/** Fill and text of a status cell. Blue-green, amber, brick and grey differ for most colour-blind eyes. */
export const tones: { readonly [T in Tone]: { readonly fill: string; readonly text: string } | null } = {
  paid: { fill: 'FFD9F0E3', text: 'FF14532D' },
  open: { fill: 'FFE5EAF0', text: 'FF374151' },
  unpaid: { fill: 'FFFADDD7', text: 'FF7F1D1D' },
  doubt: { fill: 'FFFFEBB8', text: 'FF713F12' },
  none: null,
};

/** A4 landscape, as many pages down as needed, and never one column too wide. */
export const printSetup: Partial<PageSetup> = {
  paperSize: 9,
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.5, header: 0.2, footer: 0.2 },
};

const barCharacters = 20;
/** A space as wide as a digit, so that percentages align. */
const digitSpace = '\u2007';

/**
 * Returns a percentage and a bar of characters, which look alike in every program and on paper. The bar is full or
 * empty only for exactly all or nothing. Excel repairs files with exceljs's data bars, and its rich texts would all
 * show the first.
 */
export function barOf(share: number): string {
  const full = share <= 0 ? 0 : share >= 1 ? barCharacters : inside(share * barCharacters, barCharacters);
  // 0.29 times 100 is a little less than 29.
  const percent = share > 0 && share < 0.01 ? '<1' : String(Math.floor(Math.min(share, 1) * 100 + 1e-9));
  const bar = '█'.repeat(full) + '░'.repeat(barCharacters - full);
  return `${percent.padStart(3, digitSpace)}% ${bar}`;
}

/** A font with the bar's characters wherever Excel runs. */
export const barFont = { name: 'Arial', size: 9 } as const;
/** In characters of the usual font, with room for programs that substitute another one. */
export const barWidth = 32;

function inside(value: number, most: number): number {
  return Math.min(most - 1, Math.max(1, Math.round(value)));
}

/** Prints the sheet's name and the page number. */
export const printFooter = { oddFooter: '&L&A&RPage &P of &N' } as const;

/** This many characters across give text of about seven points on A4. */
const readableCharacters = 220;

/** Returns the number of pages across on which columns of these widths stay readable. */
export function pagesWide(widths: readonly number[]): number {
  return Math.ceil(widths.reduce((sum, width) => sum + width, 0) / readableCharacters);
}

const narrowest = 8;
const widest = 60;

/** Returns a column's width in characters for its longest text. */
export function fitted(longest: number, most = widest): number {
  return Math.min(most, Math.max(narrowest, longest + 2));
}

/** Returns the height in points of a text that wraps at this width, or 0 for one line; some programs need it. */
export function heightFor(text: string, width: number, size = 11): number {
  // A width counts digits of eleven points; most letters are narrower, and lines break between words.
  const room = Math.max(1, (width * 0.95 - 1) * (11 / size));
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / room)), 0);
  return lines > 1 ? Math.min(maxHeight, Math.ceil(lines * size * 1.36)) : 0;
}

/** Returns a name that a workbook accepts and no other sheet has (Excel ignores case). */
export function sheetNameFrom(wanted: string, taken: readonly string[]): string {
  const plain =
    wanted
      .replace(/[[\]:*?/\\\0-\x1f]/g, ' ')
      .trim()
      .slice(0, 31)
      // Drops half of a character that takes two units.
      .replace(/[\ud800-\udbff]$/, '')
      .replace(/^'+|'+$/g, '')
      .trim() || 'Sheet';
  const isTaken = (name: string) => taken.some((other) => other.toLowerCase() === name.toLowerCase());
  if (!isTaken(plain)) return plain;
  for (let number = 2; ; number++) {
    const next = `${plain.slice(0, 27)} ${number}`;
    if (!isTaken(next)) return next;
  }
}

/** Returns the name of the person's sheet in a result: its own, unless one of our sheets has that. */
export function resultSheetName(theirs: string): string {
  return sheetNameFrom(theirs, ownSheetNames);
}
