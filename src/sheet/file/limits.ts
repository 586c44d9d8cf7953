/** The size limits of workbooks that Payrun writes. */

/** The most lines of a workbook with formats. For more, exceljs needs too much memory. */
export const maxFormattedLines = 20_000;

/** The limit of the format, including the header. */
export const maxSheetRows = 1_048_576;

/** The most points of a row's height, and the most characters of a column's width. */
export const maxHeight = 409;
export const maxWidth = 255;

export const maxFontName = 31;
export const maxFormat = 255;

/** The most UTF-16 units in a cell. */
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

/** The text for a value that cannot be read, so that its cell does not look empty. */
export const noValue = '#N/A';

/** The names of sheets that Payrun adds. An uploaded sheet with one of them gets another name. */
export const ownSheetNames: readonly string[] = ['Summary', 'Funding', 'Trail', 'History'];
