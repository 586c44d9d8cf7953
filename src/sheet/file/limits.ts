/** The size limits of workbooks that Payrun writes. */

/** The most lines of a workbook with formats. More lines need too much memory in exceljs. */
export const maxFormattedLines = 20_000;

export const maxSheetRows = 1_048_576;

/** The greatest height of a row, in points, and the greatest width of a column, in characters. */
export const maxHeight = 409;
export const maxWidth = 255;

export const maxFontName = 31;
export const maxFormat = 255;

const maxCellCharacters = 32_767;

export function fittingText(text: string): string {
  if (text.length <= maxCellCharacters) return text;
  // The cut must not split a character of two UTF-16 units.
  const cut = text.slice(0, maxCellCharacters - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

export const isErrorWord = (text: string): boolean => /^#(N\/A|REF!|NAME\?|DIV\/0!|NULL!|VALUE!|NUM!)$/.test(text);

/** Replaces a value that Payrun cannot read, so that the cell does not look empty. */
export const noValue = '#N/A';

/** The names of sheets that Payrun adds to a result. An uploaded sheet with such a name gets another name. */
export const ownSheetNames: readonly string[] = ['Summary', 'Funding', 'Trail', 'History'];
