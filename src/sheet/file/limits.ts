/** The size limits of workbooks that Payrun writes. */

/** The most lines of a workbook with formats. For more lines, exceljs needs too much memory. */
export const maxFormattedLines = 20_000;

/** The most rows that a worksheet can have, including its header. */
export const maxSheetRows = 1_048_576;

/** The largest height of a row, in points, and the largest width of a column, in characters. */
export const maxHeight = 409;
export const maxWidth = 255;

/** The most characters in the name of a font, and in a number format. */
export const maxFontName = 31;
export const maxFormat = 255;

/** The most UTF-16 units in the text of a cell. */
const maxCellCharacters = 32_767;

/** Returns the text, cut to the length that a cell can hold. A cut text ends with `…`. */
export function fittingText(text: string): string {
  if (text.length <= maxCellCharacters) return text;
  // The cut must not split a character that takes two UTF-16 units.
  const cut = text.slice(0, maxCellCharacters - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** True if the text is an error value of a spreadsheet, such as `#N/A`. */
export function isErrorWord(text: string): boolean {
  return /^#(N\/A|REF!|NAME\?|DIV\/0!|NULL!|VALUE!|NUM!)$/.test(text);
}

/** Written in place of a value that cannot be read, so that its cell does not look empty. */
export const noValue = '#N/A';

/** Names of the sheets that Payrun adds to a workbook. An uploaded sheet with such a name gets another name. */
export const ownSheetNames: readonly string[] = ['Summary', 'Funding', 'Trail', 'History'];
