/** The colours, fonts and sizes of workbooks that Payrun writes. A cell's text repeats the meaning of its colour. */
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

export const solid = (argb: string): Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });

export function font(options: Partial<Font> & { argb?: string } = {}): Partial<Font> {
  const { argb = ink.dark, ...rest } = options;
  return { name: 'Calibri', size: 11, ...rest, color: { argb } };
}

export function headStyle(argb: string, letters: Partial<Font> = {}): Partial<Style> {
  const white = font({ ...letters, bold: true, argb: ink.white });
  return { font: white, fill: solid(argb), alignment: { vertical: 'middle' } };
}

export const thinLine: Partial<Borders> = { bottom: { style: 'thin', color: { argb: ink.line } } };

export type Tone = 'paid' | 'open' | 'unpaid' | 'doubt';

/** The colours of cells. Most colour-blind people can distinguish these colours. */
export const tones: { readonly [T in Tone]: { readonly fill: string; readonly text: string } } = {
  paid: { fill: 'FFD9F0E3', text: 'FF14532D' },
  open: { fill: 'FFE5EAF0', text: 'FF374151' },
  unpaid: { fill: 'FFFADDD7', text: 'FF7F1D1D' },
  doubt: { fill: 'FFFFEBB8', text: 'FF713F12' },
};

export const printSetup: Partial<PageSetup> = {
  paperSize: 9,
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.5, header: 0.2, footer: 0.2 },
};

const barCharacters = 20;
/** A space with the width of a digit, so that percentages are aligned. */
const digitSpace = '\u2007';

/** Returns a percentage and a bar made of characters. exceljs's own bars make Excel repair the file. */
export function barOf(share: number): string {
  const full = share <= 0 ? 0 : share >= 1 ? barCharacters : inside(share * barCharacters, barCharacters);
  // Adds 1e-9, because 0.29 times 100 is less than 29 in floating-point arithmetic.
  const percent = share > 0 && share < 0.01 ? '<1' : String(Math.floor(Math.min(share, 1) * 100 + 1e-9));
  const bar = '█'.repeat(full) + '░'.repeat(barCharacters - full);
  return `${percent.padStart(3, digitSpace)}% ${bar}`;
}

/** The font of bars. Arial has the bar's characters, and every system with Excel has Arial. */
export const barFont = { name: 'Arial', size: 9 } as const;
/** The width of a column with bars, in characters. It has room for wider fonts. */
export const barWidth = 32;

const inside = (value: number, most: number): number => Math.min(most - 1, Math.max(1, Math.round(value)));

export const printFooter = { oddFooter: '&L&A&RPage &P of &N' } as const;

/** The most characters across an A4 page. The letters then have about seven points, which people can read. */
const readableCharacters = 220;

export const pagesWide = (widths: readonly number[]): number =>
  Math.ceil(widths.reduce((sum, width) => sum + width, 0) / readableCharacters);

const narrowest = 8;
const widest = 60;

export const fitted = (longest: number, most = widest): number => Math.min(most, Math.max(narrowest, longest + 2));

/** Returns a row's height in points; 0 for a single line. */
export function heightFor(text: string, width: number, size = 11): number {
  // An estimate: `width` counts digits of 11 points, but letters have different widths.
  const room = Math.max(1, (width * 0.95 - 1) * (11 / size));
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / room)), 0);
  return lines > 1 ? Math.min(maxHeight, Math.ceil(lines * size * 1.36)) : 0;
}

/** Returns a sheet name that is not in `taken`. Excel ignores the case of names. */
export function sheetNameFrom(wanted: string, taken: readonly string[]): string {
  const plain =
    wanted
      .replace(/[[\]:*?/\\\0-\x1f]/g, ' ')
      .trim()
      .slice(0, 31)
      // The cut can split a character of two UTF-16 units.
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

export const resultSheetName = (theirs: string): string => sheetNameFrom(theirs, ownSheetNames);
