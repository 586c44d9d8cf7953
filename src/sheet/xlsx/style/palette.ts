/** How our workbooks look: one calm palette, chosen so that the words, not the colours, carry the meaning. */
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

/** Of a cell that names a column. */
export function headStyle(argb: string, letters: Partial<Font> = {}): Partial<Style> {
  return {
    font: font({ ...letters, bold: true, argb: ink.white }),
    fill: solid(argb),
    alignment: { vertical: 'middle' },
  };
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

const barCharacters = 20;
/** As wide as a digit, so that per cents stand below each other. */
const digitSpace = '\u2007';

/**
 * The per cent and a bar of letters: it is seen alike in every program, on paper and without formats. All only where it is
 * all, and nothing only where it is nothing. (exceljs's own data bars make Excel repair the file, and its rich texts would
 * all show the first one.)
 */
export function barOf(share: number): string {
  const full = share <= 0 ? 0 : share >= 1 ? barCharacters : inside(share * barCharacters, barCharacters);
  // 0.29 times 100 is a little less than 29.
  const percent = share > 0 && share < 0.01 ? '<1' : String(Math.floor(Math.min(share, 1) * 100 + 1e-9));
  const bar = '█'.repeat(full) + '░'.repeat(barCharacters - full);
  return `${percent.padStart(3, digitSpace)}% ${bar}`;
}

/** A font that has the letters of a bar wherever Excel runs. */
export const barFont = { name: 'Arial', size: 9 } as const;
/** In characters of the usual font, with room for programs that have another one in its place. */
export const barWidth = 32;

function inside(value: number, most: number): number {
  return Math.min(most - 1, Math.max(1, Math.round(value)));
}

/** What sheet it is, and which page. */
export const printFooter = { oddFooter: '&L&A&RPage &P of &N' } as const;

/** So many characters across make letters of about seven points on A4. */
const readableCharacters = 220;

/** Over how many pages across columns of these widths go, so that they can still be read. */
export function pagesWide(widths: readonly number[]): number {
  return Math.ceil(widths.reduce((sum, width) => sum + width, 0) / readableCharacters);
}

const narrowest = 8;
const widest = 60;

/** A column's width in characters, from the longest text in it. */
export function fitted(longest: number, most = widest): number {
  return Math.min(most, Math.max(narrowest, longest + 2));
}

/** In points, for a text that wraps in a column of this width, since not every program finds it; 0 where one line is enough. */
export function heightFor(text: string, width: number, size = 11): number {
  // A width counts digits of eleven points; most letters are narrower, and lines end at words.
  const room = Math.max(1, (width * 0.95 - 1) * (11 / size));
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / room)), 0);
  return lines > 1 ? Math.min(maxHeight, Math.ceil(lines * size * 1.36)) : 0;
}

/** A name that a workbook accepts, and that none of the others has (Excel compares them without case). */
export function sheetNameFrom(wanted: string, taken: readonly string[]): string {
  const plain =
    wanted
      .replace(/[[\]:*?/\\\0-\x1f]/g, ' ')
      .trim()
      .slice(0, 31)
      // Half of a character that takes two is none.
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

/** The person's sheet keeps its name in the result, unless it is that of one of ours. */
export function resultSheetName(theirs: string): string {
  return sheetNameFrom(theirs, ownSheetNames);
}
