/** How much a workbook can hold, and its cells, whoever writes it. */

/** With more lines exceljs takes too much memory: a longer result has no formats (design 6). */
export const maxFormattedLines = 20_000;

/** Rows of a sheet, the header's included. */
export const maxSheetRows = 1_048_576;

/** Of a row, in points, and of a column, in characters. */
export const maxHeight = 409;
export const maxWidth = 255;

/** In the name of a font, and in a number format. */
export const maxFontName = 31;
export const maxFormat = 255;

/** UTF-16 units in the text of a cell. */
const maxCellCharacters = 32_767;

/** A text as long as a cell can show; one that was cut ends with `…`. */
export function fittingText(text: string): string {
  if (text.length <= maxCellCharacters) return text;
  // Never through the middle of a character that is two units.
  const cut = text.slice(0, maxCellCharacters - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The errors that a cell can have as its value; any other word is text. */
export function isErrorWord(text: string): boolean {
  return /^#(N\/A|REF!|NAME\?|DIV\/0!|NULL!|VALUE!|NUM!)$/.test(text);
}

/** What a cell shows that has no value: it is not empty. */
export const noValue = '#N/A';

/** What the sheets beside the person's are called in workbooks of ours, where no sheet of the person's has such a name. */
export const ownSheetNames: readonly string[] = ['Summary', 'Funding', 'Trail', 'History'];
