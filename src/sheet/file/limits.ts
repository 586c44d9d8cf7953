/** The size limits of workbooks that Payrun writes. */

/** For more lines, exceljs needs too much memory. */
export const maxFormattedLines = 20_000;

/** The limit of the format, including the header. */
export const maxSheetRows = 1_048_576;

/** The height is in points, the width in characters. */
export const maxHeight = 409;
export const maxWidth = 255;

export const maxFontName = 31;
export const maxFormat = 255;

/** In UTF-16 units. */
const maxCellCharacters = 32_767;

export function fittingText(text: string): string {
  if (text.length <= maxCellCharacters) return text;
  // The cut must not split a character that takes two UTF-16 units.
  const cut = text.slice(0, maxCellCharacters - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

export function isErrorWord(text: string): boolean {
  return /^#(N\/A|REF!|NAME\?|DIV\/0!|NULL!|VALUE!|NUM!)$/.test(text);
}

/** Written in place of a value that cannot be read, so that its cell does not look empty. */
export const noValue = '#N/A';

/** Payrun adds these sheets. An uploaded sheet with such a name gets another name. */
export const ownSheetNames: readonly string[] = ['Summary', 'Funding', 'Trail', 'History'];
